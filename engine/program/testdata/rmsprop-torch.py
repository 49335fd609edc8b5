# RMSprop on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# V = α V + (1-α) ḡ², v' = μ v + h (ḡ - θ/(Nσ²))/(λ+√V), θ' = θ + v', h = εN/2
# Tieleman & Hinton 2012, Neural networks for machine learning, lecture 6.5
import csv
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.00016666666666666666  # step size; h = eps*N/2 = 0.01 per mean gradient
alpha = 0.99                  # memory of the second-moment average V
lam = 1e-05                   # floor of √V + λ, which bounds G by 1/λ
momentum = 0.9                # how much of a step the next one keeps
batch = 50                    # minibatch size, or full for all data
prior_var = 100               # variance of the prior N(0, σ²)
steps = 80000                 # steps in all
burn_in = 0                   # steps dropped at the start
thin = 10                     # steps from one kept draw to the next

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
V = torch.zeros(D)
v = torch.zeros(D)
draws = []
for t in range(1, steps + 1):
    i = torch.randperm(N)[:batch]
    g = grad(theta, i)
    V = alpha*V + (1 - alpha)*g**2  # running mean of squared gradients
    G = 1/(lam + torch.sqrt(V))  # preconditioner
    v = momentum*v + eps/2*G*(N*g - theta/prior_var)
    theta = theta + v
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["intercept", "income", "age__in_years", "the__rest"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
