# pSGLD on gaussian:cov=1,0.5,0.5,2;noise=0.3. Writes draws.csv.
# V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)
# Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1
import torch

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
eps = 0.3      # step size
temp = 1       # temperature: 1 samples the posterior, 0 optimises
alpha = 0.99   # memory of the second-moment average V
lam = 1e-05    # floor of √V + λ, which bounds G by 1/λ
freeze = 1000  # the step from which V stays as it is, or never
noise = 0.3    # standard deviation of the gradient's noise
steps = 20000  # steps in all
burn_in = 0    # steps dropped at the start
thin = 1       # steps from one kept draw to the next

D = 2
c22 = 2
c12 = 0.5
c11 = 1

def logp(theta):
    x, y = theta
    return -(c22*x**2 - 2*c12*x*y + c11*y**2)/(2*(c11*c22 - c12**2))

def grad(theta):
    theta = theta.detach().requires_grad_()
    return torch.autograd.grad(logp(theta), theta)[0]

def curvature(theta):
    return torch.autograd.functional.hessian(logp, theta).diagonal()

theta = torch.tensor([-0.5, -0.7071067811865476], dtype=torch.float64)
V = torch.zeros(D)
draws = []
for t in range(1, steps + 1):
    g = grad(theta)
    h = curvature(theta)
    second = g + noise*torch.randn(D)  # V sees noise of its own
    g = g + noise*torch.randn(D)
    if t <= freeze: V = alpha*V + (1 - alpha)*second**2  # running mean of squared gradients
    G = 1/(lam + torch.sqrt(V))  # preconditioner
    Gamma = -(1 - alpha)*second*h/torch.sqrt(V + 1e-300)*G**2*(t <= freeze)  # the slope of G
    theta = theta + eps/2*(G*g + temp*Gamma) + torch.sqrt(temp*eps*G)*torch.randn(D)
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["theta.1", "theta.2"]
with open("draws.csv", "w") as file:
    print(*names, sep=",", file=file)
    for draw in draws: print(*draw.tolist(), sep=",", file=file)
