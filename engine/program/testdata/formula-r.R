# MALA on density:student_t(x, k, 0, 1) + log(sigmoid(lambda*y)) - abs(y)^1.5/u;k=4;lambda=3;u=2. Writes draws.csv.
# θ* = θ + ε/2 G ∇log p(θ) + N(0, T ε G), accept with min(1, [p(θ*) q(θ|θ*) / p(θ) q(θ*|θ)]^(1/T)), G the draws' variances
# Roberts & Tweedie 1996, Exponential convergence of Langevin distributions; Roberts & Rosenthal 1998, Optimal scaling

set.seed(1)
eps <- 0.3       # step size, fixed: there is no warm-up, and the mass is 1
temp <- 1        # temperature: 1 samples the posterior, 0 optimises
steps <- 21000   # steps in all
burn_in <- 1000  # steps dropped at the start
thin <- 1        # steps from one kept draw to the next

D <- 2
k <- 4
lambda_ <- 3
u_ <- 2

logp <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  lgamma(0.5*(k + 1)) - lgamma(0.5*k) - 0.5*log(pi*k) - 0.5*(k + 1)*log1p(x^2/k) + log(plogis(lambda_*y)) - abs(y)^1.5/u_
}

grad <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  u <- plogis(lambda_*y)
  c(-(k + 1)*x/(k*(1 + x^2/k)), u*(1 - u)*lambda_/u - 1.5*abs(y)^0.5*sign(y)/u_)
}

theta <- c(-0.4472135954999579, 0.14097403766434308)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  forward <- theta + eps/2*grad(theta)  # the mean of the proposal
  q <- forward + sqrt(temp*eps)*rnorm(D)
  back <- q + eps/2*grad(q)  # the mean of the way back
  ratio <- logp(q) - logp(theta) + (sum((q - forward)^2) - sum((theta - back)^2))/(2*eps)
  if (isTRUE(log(runif(1)) < ratio/temp)) theta <- q
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("x", "y")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
