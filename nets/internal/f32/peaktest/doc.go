// Package peaktest has what benchmarks of kernels are compared with: as many fused products and
// sums as a core can do, on numbers that stay in registers.
package peaktest

// PerTurn is how many vectors a turn multiplies and adds.
const PerTurn = 12
