// Package metrics holds the statistics of Markov chains: weighted moments, autocorrelation time, effective sample size,
// checks of a chain against itself, against others and against the gradient of its target, and distances.
//
// Most types take draws as they come, a batch or one at a time, and keep memory that does not grow with the
// length of the run: Chain, Virial, EBFMI. A Keeper keeps draws within a budget, for what needs
// them all at once: Comparer, NestedRHat, Sliced. Stein keeps those that it was given.
//
// A result is a function of the sequence of draws alone: it has the same bits however the draws were
// split into batches and however often it was asked for on the way. An estimate that cannot be trusted
// says so in its [Status] and has no value.
//
// No type is safe for use by several goroutines at once; methods that only report may still tidy up internal buffers.
package metrics
