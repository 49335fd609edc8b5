# Logistic regression in PyTorch, whose autograd finds the gradient:
#   psgld-tui --target 'exec:python3 torch_model.py'
import json, struct, sys
import torch

torch.manual_seed(1)
torch.set_num_threads(1)  # a child for each lane
X = torch.randn(1000, 3, dtype=torch.float64)
y = torch.bernoulli(torch.sigmoid(X @ torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)))

def mean_log_lik(theta, rows):
    return -torch.nn.functional.binary_cross_entropy_with_logits(X[rows] @ theta, y[rows])

dim = X.shape[1]
print(json.dumps({"psgld": 1, "dim": dim, "data": len(y), "minibatches": True, "log_density": True,
                  "repeats": True}), flush=True)
read, write = sys.stdin.buffer, sys.stdout.buffer
sys.stdout = sys.stderr  # whatever prints does so there
while len(head := read.read(8 * (1 + dim))) > 0:
    n, *theta = struct.unpack(f"<{1 + dim}d", head)
    rows = [int(i) for i in struct.unpack(f"<{int(n)}d", read.read(8 * int(n)))] or slice(None)
    theta = torch.tensor(theta, dtype=torch.float64, requires_grad=True)
    value = mean_log_lik(theta, rows)
    value.backward()
    write.write(struct.pack(f"<{2 + dim}d", 1 + dim, value.item(), *theta.grad.tolist()))
    write.flush()
