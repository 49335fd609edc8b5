package share

import (
	"math"
	"sync"
	"testing"
	"time"
)

// Forty sessions that come and go have the same part each, and all of them together never
// more than there is.
func TestMemoryIsDivided(t *testing.T) {
	m := NewMemory(256 << 20)
	told := make([]int, 40)
	var parts []*Part
	for i := range told {
		parts = append(parts, m.Join(func() { told[i]++ }))
		sum := 0
		for _, p := range parts {
			sum += p.Bytes()
			if p.Bytes() != parts[0].Bytes() {
				t.Fatalf("parts of %d and %d bytes", p.Bytes(), parts[0].Bytes())
			}
		}
		if n := len(parts); sum > 256<<20 || sum < 256<<20-n {
			t.Fatalf("%d sessions have %d bytes", n, sum)
		}
	}
	if told[0] != 40 || told[39] != 1 {
		t.Errorf("the first was told %d times, the last %d", told[0], told[39])
	}
	for _, p := range parts[1:] {
		p.Leave()
		p.Leave()
	}
	if parts[0].Bytes() != 256<<20 || parts[1].Bytes() != 0 {
		t.Errorf("the one that stays has %d bytes, another %d", parts[0].Bytes(), parts[1].Bytes())
	}
}

// told has a session tell for some seconds, twenty times each, how late it is at the factor
// in force, and returns the factor at the end.
func told(g *Governor, now *time.Time, seconds int, late func(factor float64) float64) float64 {
	for range 20 * seconds {
		*now = now.Add(50 * time.Millisecond)
		g.Late(*now, late(g.Factor()))
	}
	return g.Factor()
}

// Nobody is slowed down while all are in time; where the machine does a quarter of what is
// asked, the factor comes down to that, and up again afterwards.
func TestGovernor(t *testing.T) {
	var g Governor
	now := time.Unix(0, 0)
	if f := told(&g, &now, 60, func(float64) float64 { return 0.3 }); f != 1 {
		t.Errorf("a factor of %g where all keep up", f)
	}
	// A queue grows without bound above the load that can be carried, and is short below it.
	quarter := func(factor float64) float64 {
		if factor > 0.25 {
			return 2
		}
		return 0.2
	}
	f := told(&g, &now, 5, quarter)
	if f > 0.25 || f < 0.25/2 {
		t.Errorf("a factor of %g where a quarter is done", f)
	}
	if again := told(&g, &now, 60, quarter); again != f {
		t.Errorf("the factor goes from %g to %g", f, again)
	}
	if f := told(&g, &now, 60, func(float64) float64 { return 1000 }); math.Abs(f-leastPace) > 1e-12 {
		t.Errorf("a factor of %g where nothing helps", f)
	}
	if f := told(&g, &now, 20, func(float64) float64 { return 0 }); f != 1 {
		t.Errorf("a factor of %g when it is over", f)
	}
}

// Many may tell at once.
func TestGovernorIsShared(t *testing.T) {
	var g Governor
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 1000 {
				g.Late(time.Unix(0, int64(n)*int64(time.Millisecond)), float64(i)/8)
				if f := g.Factor(); !(f >= leastPace && f <= 1) {
					t.Errorf("a factor of %g", f)
				}
			}
		})
	}
	all.Wait()
}
