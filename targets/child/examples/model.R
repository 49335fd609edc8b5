# A Poisson regression in R:
#   psgld-tui --target 'exec:Rscript model.R'
set.seed(1)
X <- cbind(1, rnorm(500))
y <- rpois(500, exp(X %*% c(0.3, 0.8)))

mean_log_lik <- function(theta, rows) {
  eta <- as.vector(X[rows, , drop = FALSE] %*% theta)
  c(mean(y[rows] * eta - exp(eta)), colMeans(X[rows, , drop = FALSE] * (y[rows] - exp(eta))))
}

dim <- ncol(X)
from <- file("stdin", "rb")
to <- pipe("cat", "wb")  # R's own standard output is text
writeLines(sprintf('{"psgld":1,"dim":%d,"names":["b0","b1"],"data":%d,"minibatches":true,"log_density":true,"repeats":true}', dim, nrow(X)), to)
flush(to)
repeat {
  head <- readBin(from, "double", 1 + dim, endian = "little")
  if (length(head) < 1 + dim) break
  rows <- if (head[1] > 0) 1 + readBin(from, "double", head[1], endian = "little") else seq_along(y)
  writeBin(c(1 + dim, mean_log_lik(head[-1], rows)), to, endian = "little")
  flush(to)
}
