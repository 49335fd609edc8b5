# A straight line through data, y = a + b x + noise, in NumPy:
#   psgld-tui --target 'exec:python3 numpy_model.py'
import json, sys
import numpy as np

rng = np.random.default_rng(1)
x = rng.uniform(-1, 1, 1000)
y = 0.5 + 2 * x + 0.3 * rng.standard_normal(1000)

def mean_log_lik(theta, rows):
    a, b = theta
    r = (y[rows] - a - b * x[rows]) / 0.3
    return -0.5 * np.mean(r**2), np.array([np.mean(r), np.mean(r * x[rows])]) / 0.3

names = ["a", "b"]
print(json.dumps({"psgld": 1, "dim": 2, "names": names, "data": len(y), "minibatches": True,
                  "log_density": True, "repeats": True}), flush=True)
read, write = sys.stdin.buffer, sys.stdout.buffer
sys.stdout = sys.stderr  # whatever prints does so there
while len(head := read.read(8 * (1 + len(names)))) > 0:
    n, *theta = np.frombuffer(head, "<f8")
    rows = np.frombuffer(read.read(8 * int(n)), "<f8").astype(int) if n else slice(None)
    value, gradient = mean_log_lik(theta, rows)
    write.write(np.concatenate([[1 + len(names), value], gradient]).astype("<f8").tobytes())
    write.flush()
