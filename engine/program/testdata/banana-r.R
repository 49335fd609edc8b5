# pSGLD on banana. Writes draws.csv.
# V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)
# Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1
# Γ is left out, since gamma is off.

set.seed(1)
eps <- 0.02      # step size
temp <- 1        # temperature: 1 samples the posterior, 0 optimises
alpha <- 0.99    # memory of the second-moment average V
lambda <- 1e-05  # floor of √V + λ, which bounds G by 1/λ
steps <- 20000   # steps in all
burn_in <- 0     # steps dropped at the start
thin <- 1        # steps from one kept draw to the next

D <- 2
s1 <- 1.5
b <- 0.5
s2 <- 1

grad <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  u <- y - b*x^2
  c(2*u*b*x/s2^2 - x/s1^2, -u/s2^2)
}

theta <- c(-0.75, -0.21875)
V <- rep(0, D)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  g <- grad(theta)
  V <- alpha*V + (1 - alpha)*g^2  # running mean of squared gradients
  G <- 1/(lambda + sqrt(V))  # preconditioner
  theta <- theta + eps/2*G*g + sqrt(temp*eps*G)*rnorm(D)
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("theta.1", "theta.2")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
