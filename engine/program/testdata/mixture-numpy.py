# HMC on mixture. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5
import numpy as np

rng = np.random.default_rng(1)
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
    return np.logaddexp(np.log(w_/s1**2) - ((x + gap/2)**2 + y**2)/(2*s1**2), np.log((1 - w_)/s2**2) - ((x - gap/2)**2 + y**2)/(2*s2**2))

def grad(theta):
    x, y = theta
    u1 = x - gap/2
    u2 = np.log((1 - w_)/s2**2) - (u1**2 + y**2)/(2*s2**2)
    u3 = x + gap/2
    u4 = np.log(w_/s1**2) - (u3**2 + y**2)/(2*s1**2)
    u5 = np.logaddexp(u4, u2)
    u6 = np.exp(u2 - u5)
    u7 = np.exp(u4 - u5)
    return np.array([-u6*u1/s2**2 - u7*u3/s1**2, -u6*y/s2**2 - u7*y/s1**2])

theta = np.array([-2.5, -0.5])
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

names = ["theta.1", "theta.2"]
np.savetxt("draws.csv", draws, delimiter=",", header=",".join(names), comments="")
