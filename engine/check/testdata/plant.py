"""Samplers with and without a planted fault, written from the papers for the tests of check.

    python3 plant.py list             one JSON line per case
    python3 plant.py NAME OUT.csv     the draws of a case (of four chains: OUT.1.csv to OUT.4.csv)
    python3 plant.py all DIR          every case, as DIR/NAME.csv
    python3 plant.py data FILE.csv    the data set of blr

A case's line has its name, the command line of check without the files ("args"), the planted
fault's key ("" in a correct case), the keys that name it rightly ("accept"), and how many draws
and chains it has. Cases on blr read plant-data.csv, which is written beside their draws.

The convention is that of Li, Chen, Carlson and Carin (2016): for N data and a minibatch of n

    g = (1/n) sum of grad log p(d_i | theta),   D = grad log p(theta) + N g,
    theta' = theta + eps/2 D + N(0, T eps).

The draws are the states after steps burn-in + thin, burn-in + 2 thin, and so on. They depend on
the case's name alone, which is the seed. NumPy 1.24 is all that is needed.
"""
import json
import math
import os
import sys
import zlib

import numpy as np

DATA = "plant-data.csv"


# Targets. grad is the mean log-likelihood gradient, hess the diagonal of its Jacobian (where
# Gamma asks for it), logp the log density. Those without data have N = 1 and no prior.

class Gaussian:
    def __init__(self, cov, noise=0.0):
        self.cov, self.noise = np.array(cov, float), noise
        self.precision = np.linalg.inv(self.cov)
        d = len(self.cov)
        self.names, self.start = ["theta[%d]" % (i + 1) for i in range(d)], np.sqrt(np.diag(self.cov))
    def logp(self, x):
        return -0.5 * x @ self.precision @ x
    def grad(self, x, rng=None):
        g = -self.precision @ x
        return g + self.noise * rng.standard_normal(len(x)) if self.noise else g
    def hess(self, x):
        return -np.diag(self.precision)


class Banana:
    """x ~ N(m, 1/p), y ~ N(b x^2, 1/q)."""
    def __init__(self, m, p, b, q, names, start):
        self.m, self.p, self.b, self.q, self.names, self.start = m, p, b, q, names, np.array(start)
    def logp(self, t):
        return -0.5 * (self.p * (t[0] - self.m)**2 + self.q * (t[1] - self.b * t[0]**2)**2)
    def grad(self, t, rng=None):
        x, y = float(t[0]), float(t[1])
        r = self.q * (y - self.b * x * x)
        return np.array([2 * self.b * x * r - self.p * (x - self.m), -r])
    def hess(self, t):
        x, y = float(t[0]), float(t[1])
        return np.array([2 * self.b * self.q * (y - 3 * self.b * x * x) - self.p, -self.q])


class Mixture:
    """1/2 N((-2, 0), I) + 1/2 N((2, 0), 0.7^2 I)."""
    names, start, p = ["theta[1]", "theta[2]"], np.array([-2.5, 0.5]), (1.0, 1 / 0.49)
    def parts(self, x, y):
        return [math.log(p) - 0.5 * p * ((x - m)**2 + y * y) for m, p in zip((-2, 2), self.p)]
    def logp(self, t):
        return np.logaddexp(*self.parts(float(t[0]), float(t[1])))
    def grad(self, t, rng=None):
        x, y = float(t[0]), float(t[1])
        a, b = self.parts(x, y)
        r = 1 / (1 + math.exp(min(b - a, 700)))
        u, v = r * self.p[0], (1 - r) * self.p[1]
        return np.array([-u * (x + 2) - v * (x - 2), -(u + v) * y])


class Funnel:
    """v ~ N(0, 1), x ~ N(0, exp v)."""
    names, start = ["x", "v"], np.array([0.8, 0.7])
    def logp(self, t):
        return -0.5 * (t[1]**2 + t[1] + t[0]**2 * math.exp(-t[1]))
    def grad(self, t, rng=None):
        x, v = float(t[0]), float(t[1])
        e = math.exp(-v)
        return np.array([-x * e, -v - 0.5 + 0.5 * x * x * e])
    def hess(self, t):
        x, v = float(t[0]), float(t[1])
        e = math.exp(-v)
        return np.array([-e, -1 - 0.5 * x * x * e])


class Quartic:
    """The formula -x^4/4."""
    names, start = ["x"], np.array([0.5])
    def logp(self, t):
        return -0.25 * t[0]**4
    def grad(self, t, rng=None):
        return -t**3


class Logistic:
    """Logistic regression on standardised features (sd of the N rows) after an intercept."""
    def __init__(self, batch, batching):
        table, label = data()
        table = (table - table.mean(0)) / table.std(0)
        self.x, self.y = np.column_stack([np.ones(len(table)), table]), label
        self.names, self.start = ["intercept", "f1", "f2", "f3", "f4"], np.zeros(5)
        self.batch, self.batching, self.at = batch, batching, None
    def logp(self, t):  # of the likelihood
        s = self.x @ t
        return self.y @ s - np.logaddexp(0, s).sum()
    def grad(self, t, rng=None):
        x, y = self.x, self.y
        if self.batch < len(y) and rng is not None:
            i = self.minibatch(rng)
            x, y = x[i], y[i]
        return (y - 1 / (1 + np.exp(-(x @ t)))) @ x / len(y)
    def minibatch(self, rng):
        total, n = len(self.y), self.batch
        if self.batching == "replace":
            return rng.integers(0, total, n)
        if self.batching == "subset":
            return rng.permutation(total)[:n]
        if self.at is None or self.at == total:  # shuffle: n divides N here
            self.order, self.at = rng.permutation(total), 0
        self.at += n
        return self.order[self.at - n:self.at]


def data():
    """200 rows, 4 correlated features of different scales, labels 0 and 1."""
    rng = np.random.default_rng(2016)
    z = rng.standard_normal((200, 4))
    z[:, 1:] = 0.5 * z[:, :-1] + math.sqrt(0.75) * z[:, 1:]
    y = (rng.random(200) < 1 / (1 + np.exp(-(0.4 + z @ [1.0, -0.8, 0.5, 0.0])))).astype(float)
    return np.round(z * [3, 1, 0.4, 20] + [10, 0, 2, -5], 6), y


def write_data(path):
    x, y = data()
    with open(path, "w") as f:
        f.write("f1,f2,f3,f4,label\n")
        f.writelines(",".join("%.6f" % v for v in row) + ",%d\n" % l for row, l in zip(x, y))


# A Model is a target with its prior. The faults of N, n and the prior are here: likelihood
# stands for the N before the mean gradient, prior multiplies the prior's gradient.

class Model:
    def __init__(self, target, rng, prior_var=None, likelihood=None, prior=1.0):
        self.target, self.rng = target, rng
        self.total = len(target.y) if isinstance(target, Logistic) else 1
        self.likelihood = self.total if likelihood is None else likelihood
        self.prior = prior / prior_var if prior_var else 0.0
    def __call__(self, theta):
        """The mean gradient g, and D."""
        g = self.target.grad(theta, self.rng)
        return g, self.likelihood * g - self.prior * theta
    def density(self, theta):
        """The log density, and its gradient on all data."""
        d = self.likelihood * self.target.grad(theta) - self.prior * theta
        return self.target.logp(theta) * self.likelihood / self.total - 0.5 * self.prior * theta @ theta, d


class Changed(Model):
    """D is an average, which keeps a part of itself."""
    def __init__(self, *of, keep):
        super().__init__(*of)
        self.keep, self.average = keep, None
    def __call__(self, theta):
        g, d = super().__call__(theta)
        self.average = d if self.average is None else self.keep * self.average + (1 - self.keep) * d
        return g, self.average


def noises(rng, shape, kind):
    """Standard normals, or what people add in their place."""
    z = rng.standard_normal(shape)
    if kind == "shared":
        z[:] = z[:, :1]
    elif kind == "repeats":
        z[:] = z[np.arange(len(z)) % 250]
    elif kind == "mean":
        z += 0.3
    elif kind == "missing":
        z[:, 0] = 0
    elif kind == "silent":
        z[:len(z) // 10] = 0
    elif kind == "hot":
        z[len(z) // 2:len(z) * 6 // 10] *= 2
    return z


# Methods. drift and noise multiply the drift and the noise's variance, and are 1 in a correct
# case. Each yields the states after its steps.

def sgld(model, theta, normals, eps, temp=1, drift=1, noise=1):
    """Welling and Teh 2011."""
    for z in normals:
        theta = theta + drift * eps / 2 * model(theta)[1] + math.sqrt(noise * temp * eps) * z
        yield theta


def psgld(model, theta, normals, eps, temp=1, drift=1, noise=1, alpha=0.99, lam=1e-5, v0="zero", gamma=False,
          late=False, power=0.5):
    """Li et al. 2016, algorithm 1. late is the fault that V takes in g only after its use, power is that of G."""
    v = None
    for z in normals:
        g, d = model(theta)
        if v is None:
            v = g * g if v0 == "first" else 0 * g
        new = alpha * v + (1 - alpha) * g * g
        root = np.sqrt(v if late else new)
        v = new
        precondition = 1 / (lam + root)
        d = precondition * d
        if gamma:
            d = d - temp * (1 - alpha) * g * model.target.hess(theta) / (root * (lam + root)**2)
        theta = theta + drift * eps / 2 * d + math.sqrt(noise * temp * eps) * precondition**power * z
        yield theta


def sghmc(model, theta, normals, eps, temp=1, drift=1, noise=1, friction=0.1, old=False):
    """Chen, Fox and Guestrin 2014, equation 15, with eta = eps/2. v starts at 0. old moves by the velocity before."""
    v = 0 * theta
    for z in normals:
        was = v
        v = (1 - friction) * v + drift * eps / 2 * model(theta)[1] + math.sqrt(noise * temp * friction * eps) * z
        theta = theta + (was if old else v)
        yield theta


def sgnht(model, theta, normals, eps, temp=1, drift=1, noise=1, diffusion=0.1, rate=0.005, thermostat="each"):
    """Ding et al. 2014, algorithm 1, v'^2 held at T eps/(2 - xi) as `samplers sgnht` says. xi starts at a."""
    v, xi = 0 * theta, np.full(len(theta) if thermostat == "each" else 1, diffusion)
    for z in normals:
        v = (1 - np.minimum(xi, 1)) * v + drift * eps / 2 * model(theta)[1] + math.sqrt(noise * temp * diffusion * eps) * z
        theta = theta + v
        square = v * v if thermostat == "each" else np.mean(v * v)
        xi = xi + rate * ((2 - xi) * square / (temp * eps) - 1)
        yield theta


def accepts(model, gain, adds, ratio, temp):
    """Whether a proposal is accepted, by the gain of log p and what the ratio adds to it."""
    adds = {"right": adds, "missing": 0, "reversed": -adds, "always": math.inf, "never": -math.inf}[ratio]
    return math.log(model.rng.random()) < (gain + adds) / temp


def mala(model, theta, normals, eps, temp=1, drift=1, noise=1, ratio="right", stale=False):
    """Roberts and Tweedie 1996. A fault is in the proposal, of which the ratio does not know, or in the ratio."""
    p, d = model.density(theta)
    for z in normals:
        new = theta + drift * eps / 2 * d + math.sqrt(noise * temp * eps) * z
        q, e = model.density(new)
        there, back = new - theta - eps / 2 * d, theta - new - eps / 2 * e
        if accepts(model, q - p, (there @ there - back @ back) / (2 * eps), ratio, temp):
            theta, p, d = new, q, e
        p = q if stale else p
        yield theta


def hmc(model, theta, normals, eps, temp=1, drift=1, noise=1, leapfrog=8, ratio="right", stale=False):
    """Neal 2011, 1 to leapfrog steps of sqrt(eps). noise is in the momentum, drift in the leapfrog's force."""
    h = math.sqrt(eps)
    p, d = model.density(theta)
    for z in normals:
        r = math.sqrt(noise * temp) * z
        new, q, e, s = theta, p, d, r
        for _ in range(model.rng.integers(1, leapfrog + 1)):
            s = s + h / 2 * drift * e
            new = new + h * s
            q, e = model.density(new)
            s = s + h / 2 * drift * e
        if accepts(model, q - p, (r @ r - s @ s) / 2, ratio, temp):
            theta, p, d = new, q, e
        p = q if stale else p
        yield theta


def sgd(model, theta, normals, eps, temp=0, drift=1):
    """SGLD at T = 0."""
    return sgld(model, theta, normals, eps, 0, drift)


def rmsprop(model, theta, normals, eps, temp=0, drift=1, alpha=0.99, lam=1e-5, v0="zero", late=False):
    """pSGLD at T = 0."""
    return psgld(model, theta, normals, eps, 0, drift, 1, alpha, lam, v0, False, late)


# Cases: name, target, method, eps, number of draws, the rest of the command line, and what is
# planted: its key and the keywords that the method (or the Model) then gets.

CORRELATED, NOISY, WIDE = "gaussian:cov=1,0.8,0.8,1", "gaussian:a=2;noise=1", "gaussian:d=10;cond=100"
VALLEY, QUARTIC = "density:-(1-x)^2 - b*(y-x^2)^2;b=1", "density:-x^4/4"
TARGETS = {
    "gaussian": lambda: Gaussian([[0.16, 0], [0, 1]]),
    CORRELATED: lambda: Gaussian([[1, 0.8], [0.8, 1]]),
    NOISY: lambda: Gaussian([[0.16, 0], [0, 2]], 1.0),
    WIDE: lambda: Gaussian(np.diag(100.0**(np.arange(10) / 9 - 1))),
    "banana": lambda: Banana(0, 1 / 2.25, 0.5, 1, ["theta[1]", "theta[2]"], [1, -0.5]),
    VALLEY: lambda: Banana(1, 2, 1, 2, ["x", "y"], [0.5, -0.2]),
    "mixture": Mixture, "funnel": Funnel, QUARTIC: Quartic,
}
BLR, N, CASES = "blr:" + DATA, 200, []


def case(name, target, method, eps, draws, fault="", accept=(), chains=1, flags="", **planted):
    if target == BLR and "--thin" not in flags:  # the program's own default there is 10
        flags += " --thin 1"
    CASES.append(dict(name=name, target=target, method=method, eps=eps, draws=draws, fault=fault,
                      accept=[fault, *accept] if fault else [], chains=chains, flags=flags, planted=planted))


MH = ":adapt=off;mass=unit"
case("sgld-correlated", CORRELATED, "sgld", 0.1, 50000)
case("sgld-wide", WIDE, "sgld", 0.01, 20000, chains=4, flags="--burn-in 2000")
case("sgld-noisy", NOISY, "sgld", 0.2, 50000, flags="--thin 2")
case("sgld-valley", VALLEY, "sgld", 0.01, 100000)
case("sgld-quartic", QUARTIC, "sgld", 0.05, 50000)
case("sgld-blr", BLR, "sgld", 0.001, 50000, flags="--batch 20 --prior-var 10 --burn-in 1000")
case("sgld-blr-subset", BLR, "sgld", 0.002, 20000, flags="--batch 10 --batching subset --prior-var 1 --thin 5 --burn-in 1000")
case("psgld-gaussian", "gaussian", "psgld", 0.1, 50000)
case("psgld-funnel", "funnel", "psgld:alpha=0.9;lambda=0.01;gamma=on;v0=first", 0.05, 80000)
case("psgld-blr", BLR, "psgld", 0.0001, 50000, flags="--batch 20 --batching subset --prior-var 10 --burn-in 1000")
case("psgld-blr-cold", BLR, "psgld:v0=first", 0.0002, 30000, flags="--batch full --prior-var 1 --temp 1/N --burn-in 2000")
case("sghmc-mixture", "mixture", "sghmc:friction=0.2", 0.05, 60000)
case("sghmc-blr", BLR, "sghmc:friction=0.1", 0.0003, 40000, flags="--batch 50 --batching replace --prior-var 10 --burn-in 1000")
case("sgnht-correlated", CORRELATED, "sgnht:diffusion=0.1;rate=0.005;thermostat=each", 0.05, 60000, flags="--burn-in 2000")
case("sgnht-wide", WIDE, "sgnht:diffusion=0.1;rate=0.005;thermostat=scalar", 0.005, 15000, chains=4, flags="--burn-in 2000")
case("mala-banana", "banana", "mala" + MH, 0.2, 60000)
case("hmc-mixture", "mixture", "hmc" + MH + ";leapfrog=8", 0.1, 15000)
case("sgd-blr", BLR, "sgd", 0.001, 10000, flags="--batch 20 --prior-var 1")
case("rmsprop-banana", "banana", "rmsprop:alpha=0.9;lambda=0.001;v0=first", 0.05, 400)

# The two drifts and the four noises. Noise of twice the variance is T = 2, and of half T = 1/2, in
# sgld and sghmc exactly. In mala and hmc it is so as eps -> 0, where all is accepted.
case("sgld-drift-twice", CORRELATED, "sgld", 0.1, 50000, "drift-twice", drift=2)
case("psgld-drift-twice", "banana", "psgld:alpha=0.99;lambda=0.01;v0=first", 0.02, 60000, "drift-twice", drift=2)
case("sghmc-drift-twice", WIDE, "sghmc:friction=0.1", 0.004, 20000, "drift-twice", drift=2, flags="--burn-in 1000")
case("sgld-drift-half", "banana", "sgld", 0.02, 80000, "drift-half", drift=0.5, flags="--thin 5")
case("rmsprop-drift-half", "mixture", "rmsprop:alpha=0.95;lambda=0.001;v0=first", 0.02, 500, "drift-half", drift=0.5)
# Without noise a drift of eta D is both of them.
case("sgd-drift-twice", BLR, "sgd", 0.001, 5000, "drift-twice", ["eta-convention"], drift=2, flags="--batch full --prior-var 1")
case("sgld-noise-var-twice", "mixture", "sgld", 0.2, 50000, "noise-var-twice", ["temperature"], noise=2)
case("hmc-noise-var-twice", CORRELATED, "hmc" + MH + ";leapfrog=8", 0.02, 20000, "noise-var-twice", ["temperature"], noise=2)
case("sgld-noise-var-half", BLR, "sgld", 0.001, 50000, "noise-var-half", ["temperature"], noise=0.5, flags="--batch 20 --prior-var 10 --burn-in 1000")
case("mala-noise-var-half", "gaussian", "mala" + MH, 0.05, 50000, "noise-var-half", ["temperature"], noise=0.5)
case("sgld-noise-sd-eps", WIDE, "sgld", 0.01, 10000, "noise-sd-eps", noise=0.01, chains=4, flags="--thin 5 --burn-in 2000")
case("psgld-noise-sd-eps", "mixture", "psgld:alpha=0.99;lambda=0.01;v0=first", 0.05, 50000, "noise-sd-eps", noise=0.05)
# T by N. A noise that is divided by N instead of its root is both T = 1/N and a confusion of N and its root.
case("sgld-temperature", BLR, "sgld", 0.001, 50000, "temperature", ["n-confused"], temp=1 / N, flags="--batch 20 --prior-var 10 --burn-in 1000")
case("psgld-temperature", BLR, "psgld:v0=first", 0.0002, 30000, "temperature", temp=1, flags="--batch full --prior-var 1 --temp 1/N --burn-in 2000")
case("hmc-temperature", BLR, "hmc" + MH + ";leapfrog=8", 0.02, 15000, "temperature", temp=N, flags="--prior-var 1 --burn-in 500")
# N, n and the prior. n g instead of N g is a missing N/n, which is also N and n confused.
case("sgld-n-confused", BLR, "sgld", 0.002, 50000, "n-confused", likelihood=math.sqrt(N), flags="--batch 20 --batching subset --prior-var 1 --burn-in 1000")
case("psgld-n-confused", BLR, "psgld", 0.0003, 50000, "n-confused", likelihood=math.sqrt(N), flags="--batch 40 --prior-var 1 --burn-in 1000")
case("sgld-batch-scale", BLR, "sgld", 0.002, 50000, "batch-scale", ["n-confused"], likelihood=20, flags="--batch 20 --prior-var 1 --burn-in 1000")
case("sgnht-batch-scale", BLR, "sgnht:diffusion=0.1;rate=0.005;thermostat=each", 0.001, 60000, "batch-scale", ["n-confused"], likelihood=50,
     flags="--batch 50 --batching subset --prior-var 1 --burn-in 2000")
case("sgld-prior-per-batch", BLR, "sgld", 0.001, 60000, "prior-per-batch", prior=N / 20, flags="--batch 20 --prior-var 1 --burn-in 1000")
case("sghmc-prior-per-batch", BLR, "sghmc:friction=0.1", 0.0003, 50000, "prior-per-batch", prior=N / 50, flags="--batch 50 --batching subset --prior-var 0.2 --burn-in 1000")
case("sgd-prior-per-batch", BLR, "sgd", 0.001, 10000, "prior-per-batch", prior=N / 20, flags="--batch 20 --prior-var 1")
# What a method has of its own. Half and twice the noise are avoided where the friction is wrong.
case("psgld-gamma-missing", "funnel", "psgld:alpha=0.8;lambda=0.01;gamma=on;v0=first", 0.05, 100000, "gamma-missing", gamma=False)
case("psgld-gamma-missing-banana", "banana", "psgld:alpha=0.7;lambda=0.01;gamma=on;v0=first", 0.1, 80000, "gamma-missing", gamma=False)
case("psgld-v-after-use", "gaussian", "psgld:alpha=0.9;lambda=0.01;v0=first", 0.1, 50000, "v-after-use", late=True)
case("rmsprop-v-after-use", "funnel", "rmsprop:alpha=0.9;lambda=0.001;v0=first", 0.02, 300, "v-after-use", late=True)
case("sghmc-friction-noise", CORRELATED, "sghmc:friction=0.1", 0.02, 60000, "friction-noise", noise=10)  # as if a = 1
case("sgnht-friction-noise", CORRELATED, "sgnht:diffusion=0.05;rate=0.005;thermostat=each", 0.05, 60000, "friction-noise", noise=4, flags="--burn-in 2000")
case("sgld-eta-convention", VALLEY, "sgld", 0.005, 100000, "eta-convention", drift=2, noise=2)
case("psgld-eta-convention", "gaussian", "psgld", 0.1, 50000, "eta-convention", drift=2, noise=2)
# What was met in other people's code.
HMC, BANANA, OLD = "hmc" + MH + ";leapfrog=8", "banana", "sghmc:friction=0.1"
SUBSET = "--batch 20 --batching subset --prior-var %s"
case("sgld-noise-shared", "gaussian", "sgld", 0.1, 3000, "noise-shared", kind="shared")
case("hmc-noise-shared", "gaussian", HMC, 0.09, 3000, "noise-shared", kind="shared")
case("sgld-noise-shared-blr", BLR, "sgld", 0.001, 10000, "noise-shared", kind="shared", flags=SUBSET % 10)
case("sgld-noise-repeats", CORRELATED, "sgld", 0.1, 3000, "noise-repeats", kind="repeats")
case("psgld-noise-repeats", BANANA, "psgld", 0.02, 6000, "noise-repeats", kind="repeats")
case("sgld-noise-mean", BANANA, "sgld", 0.02, 3000, "noise-mean", kind="mean")
case("psgld-noise-mean", "gaussian", "psgld", 0.1, 6000, "noise-mean", kind="mean")
case("sgld-noise-missing", "gaussian", "sgld", 0.1, 3000, "noise-missing", kind="missing")
case("sghmc-noise-missing", "gaussian", OLD, 0.02, 3000, "noise-missing", kind="missing")
case("psgld-noise-flat", "gaussian", "psgld", 0.1, 6000, "noise-not-preconditioned", power=0)
case("psgld-noise-squared", BANANA, "psgld", 0.02, 6000, "noise-not-preconditioned", power=1)
case("sghmc-old-velocity", "gaussian", OLD, 0.02, 6000, "old-velocity", old=True)
case("sghmc-old-velocity-blr", BLR, OLD, 0.001, 20000, "old-velocity", old=True, flags="--batch full --prior-var 10")
case("sghmc-old-velocity-subset", BLR, OLD, 0.001, 20000, "old-velocity", old=True, flags=SUBSET % 10)
# Two at once: the old velocity and a step size.
case("sghmc-old-velocity-step", "gaussian", OLD, 0.01, 6000, "old-velocity", old=True, drift=1.7, noise=1.7)
case("mala-hastings-missing", "gaussian", "mala" + MH, 0.2, 6000, "hastings-missing", ratio="missing")
case("hmc-hastings-missing", BANANA, HMC, 0.3, 6000, "hastings-missing", ratio="missing")
case("mala-hastings-reversed", "gaussian", "mala" + MH, 0.2, 6000, "hastings-reversed", ratio="reversed")
case("mala-hastings-reversed-blr", BLR, "mala" + MH, 0.02, 6000, "hastings-reversed", ratio="reversed",
     flags="--prior-var 1")
case("mala-never-rejects", "gaussian", "mala" + MH, 0.2, 6000, "never-rejects", ratio="always")
case("hmc-never-rejects", "gaussian", HMC, 0.3, 6000, "never-rejects", ratio="always")
case("hmc-never-accepts", "gaussian", HMC, 0.1, 500, "never-accepts", ratio="never")
case("mala-stale-energy", BANANA, "mala" + MH, 0.6, 6000, "stale-energy", stale=True)
case("hmc-stale-energy", "gaussian", HMC, 0.5, 6000, "stale-energy", stale=True)
case("sgld-prior-missing", BLR, "sgld", 0.001, 20000, "prior-missing", prior=0, flags=SUBSET % 0.1)
case("sgld-prior-n-times", BLR, "sgld", 0.001, 6000, "prior-n-times", prior=N, flags=SUBSET % 10)
case("sgld-full-batch", BLR, "sgld", 0.002, 20000, "full-batch", all_data=True, flags=SUBSET % 10)
case("sghmc-full-batch", BLR, OLD, 0.001, 20000, "full-batch", all_data=True, flags=SUBSET % 10)
case("sgld-gradient-averaged", CORRELATED, "sgld", 0.1, 6000, "gradient-averaged", keep=0.9)
case("psgld-gradient-averaged", "gaussian", "psgld", 0.1, 6000, "gradient-averaged", keep=0.9)
case("sgld-chains-identical", "gaussian", "sgld", 0.1, 1000, "chains-identical", chains=4, seeds="all")
case("sgld-chains-common-noise", "gaussian", "sgld", 0.1, 1000, "chains-common-noise", chains=4, seeds="noise")
case("sgld-stretch-silent", "gaussian", "sgld", 0.1, 3000, "stretch", kind="silent")
case("sghmc-stretch-hot", "gaussian", OLD, 0.02, 6000, "stretch", kind="hot")


def arguments(c):
    return ["--target", c["target"], "--method", c["method"], "--eps", repr(c["eps"])] + c["flags"].split()


def draw(c, chain):
    """The draws of one chain."""
    flags = dict(zip(c["flags"].split()[::2], c["flags"].split()[1::2]))
    thin, burn = int(flags.get("--thin", 1)), int(flags.get("--burn-in", 0))
    batch = flags.get("--batch", "full")
    planted, prior_var = dict(c["planted"]), float(flags.get("--prior-var", 1))
    rng = np.random.default_rng([zlib.crc32(c["name"].encode()), 0 if c["planted"].get("seeds") else chain])
    blr = c["target"] == BLR
    target = Logistic(N if batch == "full" else int(batch), flags.get("--batching", "shuffle")) if blr else TARGETS[c["target"]]()
    keep, kind, seeds = planted.pop("keep", 0), planted.pop("kind", ""), planted.pop("seeds", "")
    target.batch = N if planted.pop("all_data", False) else getattr(target, "batch", 1)
    model = Changed(target, rng, prior_var if blr else None, planted.pop("likelihood", None),
                    planted.pop("prior", 1.0), keep=keep)
    method, _, settings = c["method"].partition(":")
    keywords = {}
    for name, value in (setting.split("=") for setting in settings.split(";") if setting):
        if name not in ("adapt", "mass"):  # off and unit is all that there is
            value = {"on": "true", "off": "false"}.get(value, value if value[0].isdigit() else json.dumps(value))
            keywords["lam" if name == "lambda" else name] = json.loads(value)
    if "--temp" in flags:
        keywords["temp"] = 1 / N if flags["--temp"] == "1/N" else float(flags["--temp"])
    keywords.update(planted)
    steps = burn + thin * c["draws"]
    start = target.start + (chain if seeds == "noise" else 0)
    path = globals()[method](model, start, noises(rng, (steps, len(start)), kind), c["eps"], **keywords)
    return target.names, np.array(list(path))[burn:][thin - 1::thin]


def write(c, out):
    if c["target"] == BLR:
        write_data(os.path.join(os.path.dirname(out), DATA))
    for chain in range(c["chains"]):
        names, draws = draw(c, chain)
        if not np.isfinite(draws).all():
            sys.exit("plant.py: %s diverged" % c["name"])
        path = out if c["chains"] == 1 else "%s.%d.csv" % (out[:-4] if out.endswith(".csv") else out, chain + 1)
        np.savetxt(path, draws, "%.17g", ",", header=",".join(names), comments="")


def main(words):
    if words == ["list"]:
        for c in CASES:
            print(json.dumps({k: arguments(c) if k == "args" else c[k] for k in ("name", "args", "fault", "accept", "draws", "chains")}))
    elif len(words) == 2 and words[0] == "data":
        write_data(words[1])
    elif len(words) == 2 and words[0] == "all":
        os.makedirs(words[1], exist_ok=True)
        for c in CASES:
            write(c, os.path.join(words[1], c["name"] + ".csv"))
    elif len(words) == 2 and words[0] in [c["name"] for c in CASES]:
        write(next(c for c in CASES if c["name"] == words[0]), words[1])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
