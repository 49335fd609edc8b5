# HMC on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ = G, the draws' variances
# Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5

set.seed(1)
eps <- 0.05       # step size, fixed: there is no warm-up, and the mass is 1
temp <- 1         # temperature: 1 samples the posterior, 0 optimises
leapfrog <- 8     # the most leapfrog steps of a trajectory, of which each takes 1 to that many
prior_var <- 100  # variance of the prior N(0, σ²)
steps <- 6000     # steps in all
burn_in <- 1000   # steps dropped at the start
thin <- 1         # steps from one kept draw to the next

lines <- grep("^[ \t]*#", readLines("testdata/loans.csv"), value = TRUE, invert = TRUE)
d <- read.table(text = lines, sep = ",", colClasses = "character",
                quote = "\"", comment.char = "", strip.white = TRUE)[-1, , drop = FALSE]
y <- as.numeric(d[[3]] == "yes")
X <- matrix(as.numeric(unlist(d[setdiff(1:4, 3)])), nrow(d))
s <- sqrt(colMeans(sweep(X, 2, colMeans(X))^2))
X <- scale(X, colMeans(X), s)
X <- cbind(1, X)
N <- nrow(X)
D <- ncol(X)

logp <- function(theta) {
  m <- drop(X %*% theta)
  sum(plogis(ifelse(y == 1, m, -m), log.p = TRUE)) - sum(theta^2)/(2*prior_var)
}

grad <- function(theta) {
  p <- plogis(drop(X %*% theta))
  drop(crossprod(X, y - p)) - theta/prior_var
}

theta <- c(-0.007416545992815796, -0.019326162768459075, 0.10927805639962801, -0.023750247591481328)
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

colnames(draws) <- c("intercept", "income", "age__in_years", "the__rest")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
