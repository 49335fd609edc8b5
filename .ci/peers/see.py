#!/usr/bin/python3
"""SGLD and pSGLD without Gamma on the networks of regress and classify in PyTorch, as see.c has them.

  OMP_NUM_THREADS=1 /usr/bin/python3 see.py regress psgld

Prints steps per second of processor time.
"""
import sys
import time

import torch
import torch.nn.functional as F

plane, precond = sys.argv[1] == "classify", sys.argv[2] == "psgld"
torch.set_num_threads(1)
torch.manual_seed(1)
torch.set_default_dtype(torch.float64)
inputs, units, N, n = (2, 10, 200, 20) if plane else (1, 16, 40, 10)
noise, alpha, lam, eps = 0.3, 0.99, 1e-2, (1e-4 if precond else 3e-3) if plane else 2e-4
X = 4 * torch.rand(N, inputs) - 2
Y = (X[:, 0] * X[:, 1] > 0).double() if plane else torch.sin(2 * X[:, 0]) + 0.3 * X[:, 0] + noise * torch.randn(N)
net = torch.nn.Sequential(torch.nn.Linear(inputs, units), torch.nn.Tanh(), torch.nn.Linear(units, 1))
params = list(net.parameters())
V = [torch.zeros_like(p) for p in params]


def step():
    b = torch.randperm(N)[:n]
    z = net(X[b]).squeeze(1)
    if plane:
        loss = F.binary_cross_entropy_with_logits(z, Y[b])
    else:
        loss = ((Y[b] - z) ** 2).mean() / (2 * noise**2)
    grads = torch.autograd.grad(-loss, params)
    with torch.no_grad():
        for p, g, v in zip(params, grads, V):
            drift = g.mul(N).sub_(p)
            if precond:
                v.mul_(alpha).addcmul_(g, g, value=1 - alpha)
                G = v.sqrt().add_(lam).reciprocal_()
                p.add_(drift.mul_(G), alpha=eps / 2).add_(torch.randn_like(p).mul_(G.mul_(eps).sqrt_()))
            else:
                p.add_(drift, alpha=eps / 2).add_(torch.randn_like(p), alpha=eps**0.5)


for _ in range(100):
    step()
start, steps = time.process_time(), 0
while time.process_time() - start < 4:
    step()
    steps += 1
print(round(steps / (time.process_time() - start)))
