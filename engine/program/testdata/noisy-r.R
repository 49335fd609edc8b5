# pSGLD on gaussian:cov=1,0.5,0.5,2;noise=0.3. Writes draws.csv.
# V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)
# Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1

set.seed(1)
eps <- 0.3       # step size
temp <- 1        # temperature: 1 samples the posterior, 0 optimises
alpha <- 0.99    # memory of the second-moment average V
lambda <- 1e-05  # floor of √V + λ, which bounds G by 1/λ
freeze <- 1000   # the step from which V stays as it is, or never
noise <- 0.3     # standard deviation of the gradient's noise
steps <- 20000   # steps in all
burn_in <- 0     # steps dropped at the start
thin <- 1        # steps from one kept draw to the next

D <- 2
c22 <- 2
c12 <- 0.5
c11 <- 1

grad <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  u <- c11*c22 - c12^2
  c(y*c12/u - c22*x/u, c12*x/u - c11*y/u)
}

curvature <- function(theta) {
  x <- theta[1]
  y <- theta[2]
  u <- c11*c22 - c12^2
  c(-c22/u, -c11/u)
}

theta <- c(-0.5, -0.7071067811865476)
V <- rep(0, D)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  g <- grad(theta)
  h <- curvature(theta)
  second <- g + noise*rnorm(D)  # V sees noise of its own
  g <- g + noise*rnorm(D)
  if (t <= freeze) V <- alpha*V + (1 - alpha)*second^2  # running mean of squared gradients
  G <- 1/(lambda + sqrt(V))  # preconditioner
  Gamma <- -(1 - alpha)*second*h/sqrt(V + 1e-300)*G^2*(t <= freeze)  # the slope of G
  theta <- theta + eps/2*(G*g + temp*Gamma) + sqrt(temp*eps*G)*rnorm(D)
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("theta.1", "theta.2")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
