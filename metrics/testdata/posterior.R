# What R's posterior says of chains that compare_test.go makes in the same way, to the bit:
#
#     Rscript posterior.R > posterior.csv
#
# Made with posterior 1.4.0 (Debian's r-cran-posterior).
suppressMessages(library(posterior))

# The minimal standard generator of Park and Miller (1988): exact in doubles.
state <- 1
uniform <- function() {
  state <<- (16807 * state) %% 2147483647
  state / 2147483647
}
normal <- function() {
  s <- 0
  for (i in 1:12) s <- s + uniform()
  s - 6
}

chain <- function(kind, n, k) {
  x <- numeric(n)
  v <- normal()
  for (t in 1:n) {
    v <- switch(kind,
      independent = , shifted = , wider = , ties = normal(),
      slow = , trend = 0.9 * v + normal(),
      slower = 0.995 * v + normal(),
      antithetic = -0.7 * v + normal(),
      heavy = normal() / (uniform() + 0.001),
      stuck = normal())
    x[t] <- v
  }
  if (kind == "shifted" && k == 2) x <- x + 0.5
  if (kind == "wider" && k == 2) x <- x * 3
  if (kind == "ties") x <- floor(2 * x)
  if (kind == "trend") x <- x + (1:n) / 100
  if (kind == "stuck" && k == 2) x <- rep(1, n)
  x
}

cat("kind,chains,n,seed,rhat,split_rhat,ess_bulk,ess_tail,ess_mean,mcse_mean,mcse_sd,mcse_q5,mcse_q95,mean,sd,q5,q95\n")
cases <- list(
  list("independent", 4, 1000), list("independent", 1, 500), list("independent", 2, 16), list("independent", 4, 17),
  list("slow", 4, 1000), list("slow", 4, 333), list("slow", 1, 1001), list("slower", 2, 6000), list("slower", 1, 400),
  list("antithetic", 4, 1000), list("heavy", 4, 500), list("ties", 4, 400), list("ties", 3, 75), list("shifted", 4, 500),
  list("wider", 4, 500), list("trend", 1, 2000), list("stuck", 4, 200))
for (i in seq_along(cases)) {
  case <- cases[[i]]
  state <- i
  n <- case[[3]]
  x <- sapply(1:case[[2]], function(k) chain(case[[1]], n, k))
  suppressWarnings(r <- c(rhat(x), rhat_basic(x), ess_bulk(x), ess_tail(x), ess_mean(x), mcse_mean(x), mcse_sd(x),
    mcse_quantile(x, c(0.05, 0.95)), mean(x), sd(as.vector(x)), quantile(x, c(0.05, 0.95))))
  cat(case[[1]], case[[2]], n, i, sprintf("%.17g", r), sep = ",")
  cat("\n")
}
