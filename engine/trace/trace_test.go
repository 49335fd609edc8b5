package trace

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// A ring has the newest draws, in order, however they are cut into blocks, and a copy of it
// stays as it was.
func TestRing(t *testing.T) {
	for _, size := range []int{1, 3, 10, 25} {
		r, kept, b := NewRing(2, 10), new(Ring), metrics.NewBlock(2, size)
		for draw := range 33 {
			b.X[b.N], b.X[b.Cap+b.N] = float64(draw), -float64(draw)
			if b.N++; b.N == b.Cap || draw == 32 {
				b.Last, b.Every = uint64(draw+1), 1
				r.Add(b)
				b.Reset()
			}
			if draw == 24 {
				kept.Set(r)
			}
		}
		for limit, want := range map[int][]float64{math.MaxInt: {23, 24, 25, 26, 27, 28, 29, 30, 31, 32},
			3: {30, 31, 32}} {
			if got := r.Append(nil, 0, limit); !slices.Equal(got, want) {
				t.Errorf("blocks of %d, at most %d: %v, want %v", size, limit, got, want)
			}
		}
		if got := r.Append([]float64{7}, 1, 1); !slices.Equal(got, []float64{7, -32}) {
			t.Errorf("blocks of %d, the other coordinate: %v", size, got)
		}
		written := 25 - 25%size // whole blocks before the copy
		if got := kept.Append(nil, 0, 1); got[0] != float64(written-1) {
			t.Errorf("blocks of %d: the copy ends with %v, want %d", size, got, written-1)
		}
	}
}

// A rewind drops the draws after its step, and nothing else. Where the steps of the draws are
// not known it drops all.
func TestRingIsCut(t *testing.T) {
	r, b := NewRing(1, 10), metrics.NewBlock(1, 25)
	for ; b.N < 25; b.N++ {
		b.X[b.N] = float64(5 * (b.N + 1))
	}
	b.Last, b.Every = 125, 5
	r.Add(b)
	r.Cut(130)
	if got := r.Append(nil, 0, 2); !slices.Equal(got, []float64{120, 125}) {
		t.Errorf("nothing was undone: %v", got)
	}
	r.Cut(109)
	if got := r.Append(nil, 0, 99); !slices.Equal(got, []float64{80, 85, 90, 95, 100, 105}) {
		t.Errorf("to step 109: %v", got)
	}
	if last, every, n := r.Newest(); last != 105 || every != 5 || n != 6 {
		t.Errorf("the newest of %d draws is at %d, every %d steps", n, last, every)
	}
	b.N, b.X[0], b.Last = 1, 7, 110
	r.Add(b)
	if got := r.Append(nil, 0, 2); !slices.Equal(got, []float64{105, 7}) {
		t.Errorf("went on with %v", got)
	}
	b.Last, b.Every = 200, 10
	r.Add(b)
	r.Cut(150)
	if got := r.Append(nil, 0, 99); got != nil {
		t.Errorf("of draws that are not even %v stayed", got)
	}
}

// Of a step d steps back the nearest checkpoint before is no more than d away, but for the
// spacing. A copy has its states whatever is done to the original.
func TestCheckpoints(t *testing.T) {
	s := sampler.NewState([]float64{0})
	c := NewCheckpoints(s)
	to := func(last uint64) {
		for s.Step < last {
			s.Step += c.Until(s.Step)
			s.Theta[0] = float64(s.Step)
			c.Save(&s)
		}
	}
	const last = 100 * spacing
	to(last)
	holds := func(what string, c *Checkpoints[float64]) {
		t.Helper()
		for step := range uint64(last + 1) {
			b := c.Before(step)
			if b.Step > step || b.Theta[0] != float64(b.Step) {
				t.Fatalf("%s: before step %d there is step %d with θ = %g", what, step, b.Step, b.Theta[0])
			}
			if away, d := step-b.Step, last-step; away > d+spacing {
				t.Fatalf("%s: from step %d the checkpoint is %d away, %d from the end", what, step, away, d)
			}
		}
	}
	holds("at the end", &c)
	k := c.Share()
	if n := k.BytesBeyond(&c); n != 0 {
		t.Errorf("a copy takes %d bytes of its own", n)
	}
	c.Forget(last / 2)
	if b := c.Before(last); b.Step > last/2 {
		t.Errorf("step %d is not forgotten", b.Step)
	}
	s.Step = last / 2
	for s.Step < last {
		s.Step += c.Until(s.Step)
		s.Theta[0] = -1
		c.Save(&s)
	}
	holds("a copy", &k)
	if k.BytesBeyond(&c) == 0 {
		t.Error("what was overwritten is still shared")
	}
	if all, own := k.BytesBeyond(nil), s.Bytes(); all%own != 0 || all < own {
		t.Errorf("%d bytes of states of %d", all, own)
	}
}

// The digest of chains tells states apart by any number in them and by their step, and chains
// from the third on by their order.
func TestDigest(t *testing.T) {
	state := func(change func(s *sampler.State[float32])) *sampler.State[float32] {
		s := sampler.NewState([]float32{1, 2, 3, 4, 5, 6})
		s.Own = [][]float32{{7}}
		if change != nil {
			change(&s)
		}
		return &s
	}
	one := state(nil)
	seen := map[string]bool{Digest(one): true}
	for i, change := range []func(s *sampler.State[float32]){
		func(s *sampler.State[float32]) { s.Theta[0]++ }, func(s *sampler.State[float32]) { s.Theta[5]++ },
		func(s *sampler.State[float32]) { s.V[3]++ }, func(s *sampler.State[float32]) { s.Own[0][0]++ },
		func(s *sampler.State[float32]) { s.Step++ }, func(s *sampler.State[float32]) { s.Theta[1], s.Theta[2] = 3, 2 },
	} {
		for _, d := range []string{Digest(state(change)), Digest(one, state(change)), Digest(one, one, state(change)),
			Digest(one, state(change), one)} {
			if seen[d] {
				t.Errorf("change %d: digest %s is another's too", i, d)
			}
			seen[d] = true
		}
	}
	if Digest(one, one) != Digest(state(nil), state(nil)) {
		t.Error("equal states have different digests")
	}
}
