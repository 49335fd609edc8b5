# HMC on mixture. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5
import math
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.2       # step size, fixed: there is no warm-up, and the mass is 1
temp = 1        # temperature: 1 samples the posterior, 0 optimises
leapfrog = 8    # the most leapfrog steps of a trajectory, of which each takes 1 to that many
steps = 6000    # steps in all
burn_in = 1000  # steps dropped at the start
thin = 1        # steps from one kept draw to the next

D = 2
w_ = 0.5
s1 = 1
gap = 4
s2 = 0.7

def logp(theta):
    x, y = theta
    return torch.logaddexp(math.log(w_/s1**2) - ((x + gap/2)**2 + y**2)/(2*s1**2), math.log((1 - w_)/s2**2) - ((x - gap/2)**2 + y**2)/(2*s2**2))

def grad(theta):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(logp(theta), theta)[0]

theta = torch.tensor([-2.5, -0.5], dtype=torch.float64)
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

names = ["theta.1", "theta.2"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
