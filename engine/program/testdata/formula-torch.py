# MALA on density:student_t(x, k, 0, 1) + log(sigmoid(lambda*y)) - abs(y)^1.5/u;k=4;lambda=3;u=2. Writes draws.csv.
# θ* = θ + ε/2 G ∇log p(θ) + N(0, T ε G), accept with min(1, [p(θ*) q(θ|θ*) / p(θ) q(θ*|θ)]^(1/T)), G the draws' variances
# Roberts & Tweedie 1996, Exponential convergence of Langevin distributions; Roberts & Rosenthal 1998, Optimal scaling
import math
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.3       # step size, fixed: there is no warm-up, and the mass is 1
temp = 1        # temperature: 1 samples the posterior, 0 optimises
steps = 21000   # steps in all
burn_in = 1000  # steps dropped at the start
thin = 1        # steps from one kept draw to the next

D = 2
k = 4
lambda_ = 3
u_ = 2

def logp(theta):
    x, y = theta
    return math.lgamma(0.5*(k + 1)) - math.lgamma(0.5*k) - 0.5*math.log(math.pi*k) - 0.5*(k + 1)*torch.log1p(x**2/k) + torch.log(torch.sigmoid(lambda_*y)) - abs(y)**1.5/u_

def grad(theta):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(logp(theta), theta)[0]

theta = torch.tensor([-0.4472135954999579, 0.14097403766434308], dtype=torch.float64)
draws = []
for t in range(1, steps + 1):
    forward = theta + eps/2*grad(theta)  # the mean of the proposal
    q = forward + math.sqrt(temp*eps)*torch.randn(D)
    back = q + eps/2*grad(q)  # the mean of the way back
    ratio = logp(q) - logp(theta) + (torch.sum((q - forward)**2) - torch.sum((theta - back)**2))/(2*eps)
    if torch.rand(()).log() < ratio/temp: theta = q
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["x", "y"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
