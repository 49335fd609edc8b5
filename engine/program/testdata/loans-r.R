# SGHMC on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# v' = (1-a) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T (a-b) ε), θ' = θ + v'
# Chen, Fox & Guestrin 2014, Stochastic gradient Hamiltonian Monte Carlo, equation 15

set.seed(1)
eps <- 0.00012          # step size; h = eps*N/2 = 0.0072 per mean gradient
temp <- 1               # temperature: 1 samples the posterior, 0 optimises
friction <- 0.1         # share of the velocity that a step loses; 1 is SGLD
noise_estimate <- 0.01  # the part of the friction that stands for the gradient's own noise
batch <- 50             # minibatch size, or full for all data
prior_var <- 100        # variance of the prior N(0, σ²)
steps <- 80500          # steps in all
burn_in <- 500          # steps dropped at the start
thin <- 10              # steps from one kept draw to the next

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

grad <- function(theta, i) {
  x <- X[i, , drop = FALSE]
  p <- plogis(drop(x %*% theta))
  drop(crossprod(x, y[i] - p))/nrow(x)
}

theta <- c(-0.007416545992815796, -0.019326162768459075, 0.10927805639962801, -0.023750247591481328)
v <- rep(0, D)
queue <- integer(0)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  eps_t <- eps*0.5^min((t - 1) %/% 48, 40)
  if (length(queue) < batch) queue <- c(queue, sample(N))
  i <- queue[1:batch]
  queue <- queue[-(1:batch)]
  g <- grad(theta, i)
  v <- (1 - friction)*v + eps_t/2*(N*g - theta/prior_var) + sqrt(temp*(friction - noise_estimate)*eps_t)*rnorm(D)
  theta <- theta + v
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("intercept", "income", "age__in_years", "the__rest")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
