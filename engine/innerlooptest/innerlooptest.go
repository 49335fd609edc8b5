// Package innerlooptest leaves tests out of the run between two edits, go test -short, which has one thin path
// through everything.
//
// CI has other short runs: with the race detector, without assembly, on other systems. With PSGLD_TESTS=again
// these have the tests too that this package leaves out. A test that asks testing.Short itself runs in neither:
// it proves nothing there that it does not prove in go test ./... With PSGLD_TESTS=race the tests of Numbers are left
// out of the others.
package innerlooptest

import (
	"os"
	"testing"
)

// Only reports whether the tests of the inner loop are all that is wanted.
func Only() bool { return testing.Short() && os.Getenv("PSGLD_TESTS") != "again" && !raced() }

// raced reports whether this is CI's run with the race detector.
func raced() bool { return os.Getenv("PSGLD_TESTS") == "race" }

// Skip leaves a test out of the inner loop. Why says what the test takes.
func Skip(t testing.TB, why string) {
	t.Helper()
	if Only() {
		t.Skip(why)
	}
}

// Numbers is Skip for a test of what one lane or session works out, or of what is drawn of it at rest, whose goroutines
// meet where those of other tests do. It is left to runs without the race detector.
func Numbers(t testing.TB, why string) {
	t.Helper()
	if Skip(t, why); testing.Short() && raced() {
		t.Skip("numbers, by no other goroutines than elsewhere")
	}
}

// Later leaves a test to the slow ones, which CI runs by themselves. Why says what the test takes, or what tells the
// same sooner.
func Later(t testing.TB, why string) {
	t.Helper()
	if !Slow {
		t.Skip(why + "; the tag slow has it")
	}
}

// Live is Later for a test of goroutines, screens or programs in real time: CI's run with the race detector has it too.
func Live(t testing.TB, why string) {
	t.Helper()
	if !testing.Short() || !raced() {
		Later(t, why)
	}
}
