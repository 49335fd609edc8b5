package metrics

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// feed adds draws from to to-1, whose coordinate i of draw number t, from 1 on, is 1000 t + i.
func feed(k *Keeper, from, to int, r *rand.Rand) {
	for from < to {
		n := min(to-from, 1+r.IntN(700))
		b := NewBlock(k.dim, n+2)
		b.N = n
		for i := range k.dim {
			for t := range n {
				b.Col(i)[t] = float64(1000*(from+t+1) + i)
			}
		}
		k.Add(b)
		from += n
	}
}

// kept are the values that a keeper must have after n draws.
func kept(k *Keeper, n, i int) []float64 {
	var x []float64
	for t := int(k.Every()); t <= n; t += int(k.Every()) {
		x = append(x, float64(1000*t+i))
	}
	return x
}

func TestKeeper(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 50))
	for _, size := range []struct{ dim, budget, n int }{{1, 4096, 100}, {2, 4096, 4095}, {2, 4096, 4096},
		{3, 256, 10_000}, {70, 5000, 40_000}, {1, 1, 3000}} {
		k := NewKeeper(size.dim, size.budget)
		feed(k, 0, size.n, r)
		if k.seen != uint64(size.n) || k.Len() > max(size.budget, 256) {
			t.Fatalf("%+v: %d draws, %d kept", size, k.seen, k.Len())
		}
		if size.n >= 512 && k.Every() > 1 && k.Len() < size.budget/4 {
			t.Errorf("%+v: only %d kept", size, k.Len())
		}
		for _, i := range []int{0, size.dim - 1} {
			want := kept(k, size.n, i)
			if got, e := k.Append(nil, i, 0); !slices.Equal(got, want) || e != k.Every() || len(got) != k.Len() {
				t.Fatalf("%+v: coordinate %d is %v, want %v", size, i, got[:min(9, len(got))], want[:min(9, len(want))])
			}
			for _, most := range []int{1, 10, 100, 100_000} {
				got, e := k.Append(nil, i, most)
				if len(got) > most || 2*len(got)+1 < min(most, k.Len()) {
					t.Errorf("%+v: %d values of at most %d", size, len(got), most)
				}
				for j, v := range got {
					if want := float64(1000*int(e)*(j+1) + i); v != want {
						t.Fatalf("%+v: value %d of each %d-th is %v, want %v", size, j, e, v, want)
					}
				}
			}
		}
	}
}

// The newest values are those at the end of all, by their number.
func TestKeeperNewest(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 50))
	for _, n := range []int{0, 1, 700, 1024, 5000} {
		k := NewKeeper(2, 4096)
		feed(k, 0, n, r)
		all := kept(k, n, 1)
		for _, stride := range []int{1, 3, 1000} {
			for _, most := range []int{0, 1, 7, 5000} {
				var want []float64
				for at := len(all)/stride*stride - 1; at >= 0 && len(want) < most; at -= stride {
					want = append([]float64{all[at]}, want...)
				}
				if got := k.Newest(nil, 1, most, stride); !slices.Equal(got, want) {
					t.Errorf("%d draws: the newest %d, %d apart, are %d values, want %d",
						n, most, stride, len(got), len(want))
				}
			}
		}
	}
}

// Clones keep what they have, and go on by themselves, as does the original.
func TestKeeperClones(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 50))
	k := NewKeeper(2, 1024)
	type state struct {
		k *Keeper
		n int
	}
	states, n := []state{{k, 0}}, 200
	if testing.Short() {
		n = 60
	}
	for range n {
		s := &states[r.IntN(len(states))]
		more := r.IntN(900)
		feed(s.k, s.n, s.n+more, r)
		s.n += more
		states = append(states, state{s.k.Clone().(*Keeper), s.n})
		for _, s := range states {
			if got, _ := s.k.Append(nil, 1, 0); !slices.Equal(got, kept(s.k, s.n, 1)) {
				t.Fatalf("after %d draws: %d values, want %d", s.n, len(got), len(kept(s.k, s.n, 1)))
			}
		}
	}
	c := k.Clone().(*Keeper)
	k.NewWindow()
	if k.Len() != 0 || k.seen != 0 || k.Every() != 1 || c.Len() == 0 {
		t.Error("Reset does not forget, or makes a clone forget")
	}
	if k.Bytes()+k.BytesBeyond(nil) != 0 || c.Bytes()+c.BytesBeyond(nil) < 8*2*c.Len() {
		t.Errorf("%d and %d bytes", k.Bytes(), c.Bytes())
	}
}

// A clone and its original share what both have, and neither holds what the other adds.
func TestKeeperShares(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 50))
	k := NewKeeper(2, 1<<16)
	feed(k, 0, 10_000, r)
	c := k.Clone().(*Keeper)
	if n := c.BytesBeyond(k); n != 0 || c.BytesBeyond(nil) == 0 {
		t.Errorf("a clone has %d of %d bytes for itself", n, c.BytesBeyond(nil))
	}
	feed(k, 10_000, 30_000, r)
	if n, want := k.BytesBeyond(c), k.BytesBeyond(nil)-c.BytesBeyond(nil); n != want || want == 0 {
		t.Errorf("the original has %d bytes beyond the clone, want %d", n, want)
	}
	if &c.full[0] == &k.full[0] {
		t.Error("the clone holds the array of the original's blocks")
	}
}

// A clone may be read while the original goes on: for the race detector.
func TestKeeperReadBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 50))
	k := NewKeeper(1, 512)
	feed(k, 0, 300, r)
	c := k.Clone().(*Keeper)
	done := make(chan bool)
	go func() {
		ok := true
		for range 100 {
			got, _ := c.Append(nil, 0, 0)
			ok = ok && slices.Equal(got, kept(c, 300, 0))
		}
		done <- ok
	}()
	feed(k, 300, 5000, r)
	if !<-done {
		t.Error("the clone changed")
	}
}

func BenchmarkKeeperAdd(b *testing.B) {
	blk := benchBlock(2, 256)
	k := NewKeeper(2, DefaultKept)
	b.ReportAllocs()
	for b.Loop() {
		k.Add(blk)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/256, "ns/draw")
}
