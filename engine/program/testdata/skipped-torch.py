# HMC on blr:testdata/loans.csv;label=paid;skip=-1,2. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5
import csv
import math
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.05       # step size, fixed: there is no warm-up, and the mass is 1
temp = 1         # temperature: 1 samples the posterior, 0 optimises
leapfrog = 8     # the most leapfrog steps of a trajectory, of which each takes 1 to that many
prior_var = 100  # variance of the prior N(0, σ²)
steps = 6000     # steps in all
burn_in = 1000   # steps dropped at the start
thin = 1         # steps from one kept draw to the next

rows = csv.reader(open("testdata/loans.csv", encoding="utf-8-sig"), skipinitialspace=True)
rows = [r for r in rows if any(r) and r[0][:1] != "#"][1:]
y = torch.tensor([float(r[2].strip() == "yes") for r in rows])
X = torch.tensor([[float(x) for x in [x for j, x in enumerate(r[:4]) if j not in (1, 2, 3)]] for r in rows])
X = (X - X.mean(0))/X.std(0, unbiased=False)
X = torch.column_stack([torch.ones(len(X)), X])
N, D = X.shape

def logp(theta):
    return -F.binary_cross_entropy_with_logits(X @ theta, y, reduction="sum") - theta @ theta/(2*prior_var)

def grad(theta):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(logp(theta), theta)[0]

theta = torch.tensor([-0.007416545992815796, -0.019326162768459075], dtype=torch.float64)
draws = []
for t in range(1, steps + 1):
    w = math.sqrt(temp)*torch.randn(D)  # momentum, at unit mass
    q = theta
    energy = -logp(theta) + torch.sum(w**2)/2
    w = w + math.sqrt(eps)/2*grad(q)
    L = torch.randint(1, leapfrog + 1, ()).item()
    for l in range(L):
        q = q + math.sqrt(eps)*w
        w = w + math.sqrt(eps)*grad(q)
    w = w - math.sqrt(eps)/2*grad(q)
    rise = -logp(q) + torch.sum(w**2)/2 - energy
    if torch.rand(()).log() < -rise/temp: theta = q
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["intercept", "income"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
