# HMC on blr:testdata/loans.csv;label=paid;skip=-1,2. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5
import csv
import numpy as np

rng = np.random.default_rng(1)
eps = 0.05       # step size, fixed: there is no warm-up, and the mass is 1
temp = 1         # temperature: 1 samples the posterior, 0 optimises
leapfrog = 8     # the most leapfrog steps of a trajectory, of which each takes 1 to that many
prior_var = 100  # variance of the prior N(0, σ²)
steps = 6000     # steps in all
burn_in = 1000   # steps dropped at the start
thin = 1         # steps from one kept draw to the next

rows = csv.reader(open("testdata/loans.csv", encoding="utf-8-sig"), skipinitialspace=True)
rows = [r for r in rows if any(r) and r[0][:1] != "#"][1:]
y = np.array([r[2].strip() == "yes" for r in rows], float)
X = np.array([[x for j, x in enumerate(r[:4]) if j not in (1, 2, 3)] for r in rows], float)
X = (X - X.mean(0))/X.std(0)
X = np.column_stack([np.ones(len(X)), X])
N, D = X.shape

def logp(theta):
    m = X @ theta
    return y @ m - np.logaddexp(0, m).sum() - theta @ theta/(2*prior_var)

def grad(theta):
    p = (1 + np.tanh(X @ theta/2))/2  # the logistic function
    return (y - p) @ X - theta/prior_var

theta = np.array([-0.007416545992815796, -0.019326162768459075])
draws = []
for t in range(1, steps + 1):
    w = np.sqrt(temp)*rng.standard_normal(D)  # momentum, at unit mass
    q = theta
    energy = -logp(theta) + np.sum(w**2)/2
    w = w + np.sqrt(eps)/2*grad(q)
    L = rng.integers(1, leapfrog + 1)
    for l in range(L):
        q = q + np.sqrt(eps)*w
        w = w + np.sqrt(eps)*grad(q)
    w = w - np.sqrt(eps)/2*grad(q)
    rise = -logp(q) + np.sum(w**2)/2 - energy
    if np.log(rng.random()) < -rise/temp: theta = q
    if t > burn_in and (t - burn_in) % thin == 0: draws.append(theta)

names = ["intercept", "income"]
np.savetxt("draws.csv", draws, delimiter=",", header=",".join(names), comments="")
