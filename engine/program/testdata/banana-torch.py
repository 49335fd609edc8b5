# pSGLD on banana. Writes draws.csv.
# V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)
# Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1
# Γ is left out, since gamma is off.
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.02     # step size
temp = 1       # temperature: 1 samples the posterior, 0 optimises
alpha = 0.99   # memory of the second-moment average V
lam = 1e-05    # floor of √V + λ, which bounds G by 1/λ
steps = 20000  # steps in all
burn_in = 0    # steps dropped at the start
thin = 1       # steps from one kept draw to the next

D = 2
s1 = 1.5
b = 0.5
s2 = 1

def logp(theta):
    x, y = theta
    return -x**2/(2*s1**2) - (y - b*x**2)**2/(2*s2**2)

def grad(theta):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(logp(theta), theta)[0]

theta = torch.tensor([-0.75, -0.21875], dtype=torch.float64)
V = torch.zeros(D)
draws = []
for t in range(1, steps + 1):
    g = grad(theta)
    V = alpha*V + (1 - alpha)*g**2  # running mean of squared gradients
    G = 1/(lam + torch.sqrt(V))  # preconditioner
    theta = theta + eps/2*G*g + torch.sqrt(temp*eps*G)*torch.randn(D)
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["theta.1", "theta.2"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
