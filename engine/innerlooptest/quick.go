//go:build !slow

package innerlooptest

// Slow reports whether the tests are wanted that cost the most and tell the least: with the build tag slow.
const Slow = false
