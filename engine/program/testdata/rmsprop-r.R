# RMSprop on blr:testdata/loans.csv;label=paid. Writes draws.csv.
# V = α V + (1-α) ḡ², v' = μ v + h (ḡ - θ/(Nσ²))/(λ+√V), θ' = θ + v', h = εN/2
# Tieleman & Hinton 2012, Neural networks for machine learning, lecture 6.5

set.seed(1)
eps <- 0.00016666666666666666  # step size; h = eps*N/2 = 0.01 per mean gradient
alpha <- 0.99                  # memory of the second-moment average V
lambda <- 1e-05                # floor of √V + λ, which bounds G by 1/λ
momentum <- 0.9                # how much of a step the next one keeps
batch <- 50                    # minibatch size, or full for all data
prior_var <- 100               # variance of the prior N(0, σ²)
steps <- 80000                 # steps in all
burn_in <- 0                   # steps dropped at the start
thin <- 10                     # steps from one kept draw to the next

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
V <- rep(0, D)
v <- rep(0, D)
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  i <- sample(N, batch)
  g <- grad(theta, i)
  V <- alpha*V + (1 - alpha)*g^2  # running mean of squared gradients
  G <- 1/(lambda + sqrt(V))  # preconditioner
  v <- momentum*v + eps/2*G*(N*g - theta/prior_var)
  theta <- theta + v
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- c("intercept", "income", "age__in_years", "the__rest")
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
