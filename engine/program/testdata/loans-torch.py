# SGHMC on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# v' = (1-a) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T (a-b) ε), θ' = θ + v'
# Chen, Fox & Guestrin 2014, Stochastic gradient Hamiltonian Monte Carlo, equation 15
import csv
import math
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
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
y = torch.tensor([float(r[2].strip() == "yes") for r in rows])
X = torch.tensor([[float(x) for x in r[:2] + r[3:4]] for r in rows])
X = (X - X.mean(0))/X.std(0, unbiased=False)
X = torch.column_stack([torch.ones(len(X)), X])
N, D = X.shape

def loglik(theta, i):
    return -F.binary_cross_entropy_with_logits(X[i] @ theta, y[i])  # the mean

def grad(theta, i):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(loglik(theta, i), theta)[0]

theta = torch.tensor([-0.007416545992815796, -0.019326162768459075, 0.10927805639962801,
    -0.023750247591481328], dtype=torch.float64)
v = torch.zeros(D)
queue = torch.tensor([], dtype=int)
draws = []
for t in range(1, steps + 1):
    eps_t = eps*0.5**min((t - 1)//48, 40)
    if len(queue) < batch: queue = torch.cat([queue, torch.randperm(N)])
    i, queue = queue[:batch], queue[batch:]
    g = grad(theta, i)
    v = (1 - friction)*v + eps_t/2*(N*g - theta/prior_var) + math.sqrt(temp*(friction - noise_estimate)*eps_t)*torch.randn(D)
    theta = theta + v
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["intercept", "income", "age__in_years", "the__rest"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
