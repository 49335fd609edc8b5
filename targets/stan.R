# The gradient of a Stan model by rstan, by the protocol of child/README.md. It is read from standard input, behind it
# the model's text and its data. `from` is standard input, and `name`, `kept`, `size` and `arrays` are set.
fail <- function(...) {
  cat("\nstan: ", gsub("[[:space:]]+", " ", paste0(...)), "\n", sep = "", file = stderr())
  quit("no", 1)
}
text <- readChar(from, size, useBytes = TRUE)
numbers <- function(dims) { # an array, whose last index runs first
  x <- readBin(from, "double", prod(dims), endian = "little")
  if (length(dims)) aperm(array(x, rev(dims))) else x
}
data <- list()
for (one in strsplit(arrays, ";", fixed = TRUE)[[1]]) {
  one <- strsplit(one, "[ ,]")[[1]]
  data[[one[1]]] <- numbers(as.integer(one[-1]))
}
if (!requireNamespace("rstan", quietly = TRUE)) fail("absent")
# heard is what expr gives. What rstan prints instead becomes one line: where in the model, and what is wrong.
heard <- function(expr, done = function(value) TRUE) {
  to <- textConnection("lines", "w", local = TRUE)
  sink(to)
  sink(to, type = "message")
  value <- tryCatch(suppressWarnings(expr), error = identity)
  sink(type = "message")
  sink()
  close(to)
  writeLines(lines, stderr())
  if (!inherits(value, "error") && done(value)) return(value)
  if (inherits(value, "error")) lines <- c(lines, conditionMessage(value))
  at <- regmatches(lines, regexpr("line [0-9]+", lines))
  noise <- "^ *[0-9]+:|^[ ^-]*$|failed to parse|^ *error in|^Error in|^SYNTAX ERROR|^code for methods|sampling not done"
  lines <- grep(noise, lines, invert = TRUE, value = TRUE)
  lines <- gsub("^ *Exception: |processing stage=[^;]*; |model[0-9a-f]+_model_namespace::[^ ]*: | *[(]in '.*",
    "", lines)
  fail(if (length(at)) paste0(at[1], ": "), trimws(sub("PARSER EXPECTED:", "expected", paste(lines, collapse = " "))))
}
stamp <- paste(R.version.string, utils::packageVersion("rstan"))
if (file.exists(kept)) {
  of <- tryCatch(readRDS(kept), error = function(e) NULL)
  if (!identical(of$stamp, stamp)) fail("stale")
} else {
  boost <- rstan::rstan_options("boost_lib")
  if (!isTRUE(file.exists(boost))) rstan::rstan_options(boost_lib = "/usr/include") # where Debian has it
  if (!nzchar(Sys.getenv("R_MAKEVARS_USER")) && !file.exists("~/.R/Makevars")) {
    writeLines(paste0("CXX", c("", 14, 17), "FLAGS = -O2"), flags <- tempfile()) # with -g it takes half as long again
    Sys.setenv(R_MAKEVARS_USER = flags)
  }
  code <- heard(rstan::stanc(model_code = text, model_name = "model"))
  model <- tryCatch(rstan::stan_model(stanc_ret = code), error = function(e) {
    writeLines(conditionMessage(e), stderr())
    fail("rstan cannot compile it, for which it needs g++ and make: exec.log in the cache folder says why")
  })
  of <- list(stamp = stamp, model = model)
  part <- paste0(kept, ".", Sys.getpid())
  tryCatch({ saveRDS(of, part); file.rename(part, kept) }, error = function(e) unlink(part))
}
fit <- heard(rstan::sampling(of$model, data, chains = 0), function(fit) length(fit@.MISC) > 0)
at <- fit@.MISC$stan_fit_instance
dim <- at$num_pars_unconstrained()
if (dim == 0) fail("the model has no parameters")
steps <- at$unconstrained_param_names(FALSE, FALSE)
names <- at$constrained_param_names(FALSE, FALSE)
of <- function(name) sub("[.].*", "", name)
# As many parameters are shown as are stepped: of a simplex all but the last, of a matrix those below the diagonal.
shown <- unlist(lapply(unique(of(names)), function(name) {
  all <- which(of(names) == name)
  n <- sum(of(steps) == name)
  if (length(all) == n) return(all)
  some <- all[names[all] %in% steps]
  if (length(some) == n) return(some)
  at <- do.call(rbind, strsplit(names[all], ".", fixed = TRUE))
  row <- as.numeric(at[, max(2, ncol(at) - 1)])
  column <- as.numeric(at[, ncol(at)])
  for (some in list(all[row > column], all[row >= column])) if (length(some) == n) return(some)
  fail("parameter ", name, " is of a type that the program cannot show")
}))
shape <- fit@par_dims[unique(of(names))]
back <- function(x) if (length(names) == dim) tryCatch({
  ends <- cumsum(vapply(shape, prod, 1))
  all <- Map(function(d, end) {
    y <- x[end - prod(d) + seq_len(prod(d))]
    if (length(d)) array(y, d) else y
  }, shape, ends)
  c(0, at$unconstrain_pars(all))
}, error = function(e) NULL)
told <- names[shown]
single <- grepl("^[^.]*[.][0-9]+$", told)
told[single] <- sub("[.](.*)", "[\\1]", told[single])
to <- file("/dev/fd/3", "wb")
writeLines(sprintf('{"psgld":1,"dim":%d,"names":[%s],"log_density":true,"repeats":true,"scale":true}', dim,
  if (dim <= 1000 && all(nchar(told) <= 40)) paste0('"', told, '"', collapse = ",") else ""), to)
flush(to)
slope <- at$grad_log_prob
constrain <- at$constrain_pars
gradient <- function(u) tryCatch({
  g <- slope(u, TRUE)
  c(attr(g, "log_prob"), g)
}, error = function(e) NULL)
repeat {
  head <- readBin(from, "double", 1 + dim, endian = "little")
  if (length(head) < 1 + dim) break
  u <- head[-1]
  answer <- switch(3 + head[1], back(u), c(0, constrain(u)[shown]), gradient(u))
  if (is.null(answer) || !is.finite(sum(answer))) answer <- c(-Inf, rep(NaN, dim))
  writeBin(c(1 + dim, answer), to, endian = "little")
  flush(to)
}
