package simd

import "iter"

// turns has two pieces of code emit their instructions in turns, where one alone
// would have the processor wait.
type turns struct{ yield func() }

// end ends a turn.
func (t *turns) end() {
	if t.yield != nil {
		t.yield()
	}
}

// InTurns emits n instructions of a for each of b, and then the rest of either.
func (v Vec) InTurns(n int, a, b func()) { v.turns.run(n, a, b) }

// run emits n instructions of a for each of b, and then the rest of either. It may itself be
// one of two pieces in turns.
func (t *turns) run(n int, a, b func()) {
	outer := t.yield
	nextA, nextB := t.code(a), t.code(b)
	step := func(more *bool, next func() bool) {
		if *more {
			*more = next()
			t.yield = outer
			t.end()
		}
	}
	for moreA, moreB := true, true; moreA || moreB; {
		for range n {
			step(&moreA, nextA)
		}
		step(&moreB, nextB)
	}
}

// code returns a function that runs f up to its next turn's end and reports
// whether there is more.
func (t *turns) code(f func()) func() bool {
	var end func()
	next, _ := iter.Pull(func(yield func(struct{}) bool) {
		end = func() { yield(struct{}{}) }
		t.yield = end
		f()
	})
	return func() bool {
		t.yield = end
		_, more := next()
		return more
	}
}
