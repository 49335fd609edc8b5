# SGNHT on gaussian:d=50;cond=100. Writes draws.csv.
# v' = (1-ξ) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T a ε), θ' = θ + v', ξ' = ξ + κ ((2-ξ) ‖v'‖²/(D T ε) - 1)
# Ding, Fang, Babbush, Chen, Skeel & Neven 2014, Bayesian sampling using stochastic gradient thermostats, algorithm 1

set.seed(1)
eps <- 0.01       # step size
temp <- 1         # temperature: 1 samples the posterior, 0 optimises
diffusion <- 0.1  # the friction that balances the injected noise, at which ξ starts
rate <- 0.005     # how fast the thermostat adapts; the paper's is Tε/2
steps <- 20000    # steps in all
burn_in <- 0      # steps dropped at the start
thin <- 1         # steps from one kept draw to the next

D <- 50
cond <- 100
variance <- cond^((0:(D - 1))/(D - 1) - 1)

grad <- function(theta) {
  -theta/variance
}

theta <- sqrt(variance)
v <- rep(0, D)
xi <- diffusion*rep(1, D)  # a thermostat for each coordinate
draws <- matrix(0, (steps - burn_in) %/% thin, D)
for (t in 1:steps) {
  eps_t <- eps*(1 + (t - 1)/100)^-0.33
  g <- grad(theta)
  v <- (1 - pmin(xi, 1))*v + eps_t/2*g + sqrt(temp*diffusion*eps_t)*rnorm(D)
  theta <- theta + v
  xi <- xi + rate*((2 - pmin(xi, 1))*v^2/(temp*eps_t) - 1)
  if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- theta
}

colnames(draws) <- paste0("theta.", 1:D)
write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)
