# HMC on mixture. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5

set.seed(1)
eps <- 0.2       # step size, fixed: there is no warm-up, and the mass is 1
temp <- 1        # temperature: 1 samples the posterior, 0 optimises
leapfrog <- 8    # the most leapfrog steps of a trajectory, of which each takes 1 to that many
steps <- 6000    # steps in all
burn_in <- 1000  # steps dropped at the start
thin <- 1        # steps from one kept draw to the next

D <- 2
w_ <- 0.5
s1 <- 1
gap <- 4
s2 <- 0.7

logaddexp <- function(a, b) pmax(a, b) + log1p(exp(-abs(a - b)))

logp <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  logaddexp(log(w_/s1^2) - ((x + gap/2)^2 + y^2)/(2*s1^2), log((1 - w_)/s2^2) - ((x - gap/2)^2 + y^2)/(2*s2^2))
}

grad <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  u1 <- x - gap/2
  u2 <- log((1 - w_)/s2^2) - (u1^2 + y^2)/(2*s2^2)
  u3 <- x + gap/2
  u4 <- log(w_/s1^2) - (u3^2 + y^2)/(2*s1^2)
  u5 <- logaddexp(u4, u2)
  u6 <- exp(u2 - u5)
  u7 <- exp(u4 - u5)
  c(-u6*u1/s2^2 - u7*u3/s1^2, -u6*y/s2^2 - u7*y/s1^2)
}

theta <- c(-2.5, -0.5)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  w <- sqrt(temp)*rnorm(D)  # momentum, at unit mass
  q <- theta
  energy <- -logp(theta) + sum(w^2)/2
  w <- w + sqrt(eps)/2*grad(q)
  L <- sample(leapfrog, 1)
  for (l in 1:L) {
    q <- q + sqrt(eps)*w
    w <- w + sqrt(eps)*grad(q)
  }
  w <- w - sqrt(eps)/2*grad(q)
  rise <- -logp(q) + sum(w^2)/2 - energy
  if (isTRUE(log(runif(1)) < -rise/temp)) theta <- q
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("theta.1", "theta.2")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
