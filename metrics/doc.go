// Package metrics holds the streaming statistics of Markov chains: weighted moments, autocorrelation time,
// effective sample size and scores of averaged predictions.
//
// Every type here takes draws one batch at a time and keeps memory that does not grow with the length of the
// run. A result is a function of the sequence of draws alone: it has the same bits however the draws were split
// into batches and however often it was asked for on the way. An estimate that cannot be trusted says so in its
// [Status] and has no value.
//
// No type is safe for use by several goroutines at once; methods that only report may still tidy up internal buffers.
package metrics
