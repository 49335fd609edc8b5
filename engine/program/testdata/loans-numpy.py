# SGHMC on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# v' = (1-a) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T (a-b) ε), θ' = θ + v'
# Chen, Fox & Guestrin 2014, Stochastic gradient Hamiltonian Monte Carlo, equation 15
import csv
import numpy as np

rng = np.random.default_rng(1)
eps = 0.00012          # step size; h = eps*N/2 = 0.0072 per mean gradient
temp = 1               # temperature: 1 samples the posterior, 0 optimises
friction = 0.1         # share of the velocity that a step loses; 1 is SGLD
noise_estimate = 0.01  # the part of the friction that stands for the gradient's own noise
batch = 50             # minibatch size, or full for all data
prior_var = 100        # variance of the prior N(0, σ²)
steps = 80500          # steps in all
burn_in = 500          # steps dropped at the start
thin = 10              # steps from one kept draw to the next

rows = csv.reader(open("testdata/loans.csv", encoding="utf-8-sig"), skipinitialspace=True)
rows = [r for r in rows if any(r) and r[0][:1] != "#"][1:]
y = np.array([r[2].strip() == "yes" for r in rows], float)
X = np.array([r[:2] + r[3:4] for r in rows], float)
X = (X - X.mean(0))/X.std(0)
X = np.column_stack([np.ones(len(X)), X])
N, D = X.shape

def grad(theta, i):
    p = (1 + np.tanh(X[i] @ theta/2))/2  # the logistic function
    return (y[i] - p) @ X[i]/len(i)

theta = np.array([-0.007416545992815796, -0.019326162768459075, 0.10927805639962801,
    -0.023750247591481328])
v = np.zeros(D)
queue = np.array([], int)
draws = []
for t in range(1, steps + 1):
    eps_t = eps*0.5**min((t - 1)//48, 40)
    if len(queue) < batch: queue = np.append(queue, rng.permutation(N))
    i, queue = queue[:batch], queue[batch:]
    g = grad(theta, i)
    v = (1 - friction)*v + eps_t/2*(N*g - theta/prior_var) + np.sqrt(temp*(friction - noise_estimate)*eps_t)*rng.standard_normal(D)
    theta = theta + v
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["intercept", "income", "age__in_years", "the__rest"]
np.savetxt("draws.csv", draws, delimiter=",", header=",".join(names), comments="")
