package queue

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// made has a session make what is due at each of some times, and returns how many steps each
// time brings.
func made(p *Pace, at []time.Duration) (steps []uint64) {
	begin := time.Unix(0, 0)
	p.Restart(begin)
	for _, t := range at {
		n := p.Due(begin.Add(t))
		p.Made(n)
		steps = append(steps, n)
	}
	return steps
}

// Whenever a session wakes, it makes as many steps as have fallen due, within one of it.
func TestPaceIsRight(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, speed := range []float64{0.5, 1, 7, 100, 101, 1000, 2000, 12345.6} {
		var p Pace
		p.Set(speed, time.Unix(0, 0))
		var at []time.Duration
		for now := time.Duration(0); now < 20*time.Second; {
			now += Apart + time.Duration(rng.Int64N(int64(Arrears-Apart)))
			at = append(at, now)
		}
		sum := 0.0
		for i, n := range made(&p, at) {
			sum += float64(n)
			if want := float64(speed * at[i].Seconds()); math.Abs(sum-want) > 1.001 { // a step is whole
				t.Fatalf("at %g steps a second %g steps after %v, want %g", speed, sum, at[i], want)
			}
		}
	}
}

// A session that could not wake for a long time makes the steps of Arrears, and no more.
func TestNoJumpAfterAPause(t *testing.T) {
	var p Pace
	p.Set(2000, time.Unix(0, 0))
	got := made(&p, []time.Duration{Beat, time.Minute, time.Minute + Beat})
	if got[0] != 100 || got[1] != 201 || got[2] != 100 {
		t.Errorf("steps %v, want 100, 201 and 100", got)
	}
}

// What fell due at a speed stays due at another one, as far as that owes so much.
func TestAnotherPace(t *testing.T) {
	begin := time.Unix(0, 0)
	var p Pace
	if p.Limited() || p.Fast() {
		t.Error("the zero value has a limit")
	}
	p.Set(1000, begin)
	p.Restart(begin)
	p.Set(2000, begin.Add(Beat))
	if n := p.Due(begin.Add(Beat)); n != 50 {
		t.Errorf("%d steps are due after %v at 1,000 a second", n, Beat)
	}
	if p.Set(1, begin.Add(Beat)); p.Due(begin.Add(Beat)) != 1 {
		t.Errorf("%d steps are due at one a second", p.Due(begin.Add(Beat)))
	}
	p.Made(100) // one by one, which nobody limits
	if p.Due(begin.Add(Beat)) != 0 || p.Sleep(begin.Add(Beat)) < 98*time.Second {
		t.Errorf("the next is due in %v", p.Sleep(begin.Add(Beat)))
	}
	if p.Set(-1, begin); p.Limited() || p.Due(begin.Add(time.Hour)) > 1 {
		t.Error("a limit below 0 is one")
	}
}

// A limit that is scaled is that part of it, of which a session is told how late it is.
func TestScaled(t *testing.T) {
	begin := time.Unix(0, 0)
	var p Pace
	if p.Scale(0.5, begin); p.Limited() || p.Cut() != 0 {
		t.Error("no limit is scaled")
	}
	p.Set(2000, begin)
	p.Restart(begin)
	if n := p.Due(begin.Add(Beat)); n != 50 || p.PerSecond() != 2000 || p.Rate() != 1000 || p.Cut() != 0.5 {
		t.Errorf("%d steps after %v, %g of %g a second", n, Beat, p.Rate(), p.PerSecond())
	}
	p.Made(50)
	now := begin.Add(Beat + Beat/4)
	if a, b := p.Late(time.Time{}, now), p.Late(begin, now); a != 0.25 || b != 1.25 {
		t.Errorf("late by %g and %g", a, b)
	}
	if p.Scale(0.04, now); p.Fast() || math.Abs(p.Late(begin, now)-1.25) > 1e-12 {
		t.Errorf("fast at %g a second", p.Rate())
	}
}

// A session that is behind does not make its steps one by one.
func TestStepsAreMadeTogether(t *testing.T) {
	begin := time.Unix(0, 0)
	var p Pace
	p.Set(2000, begin)
	p.Restart(begin)
	p.Made(p.Due(begin.Add(Beat)))
	if n := p.Due(begin.Add(Beat + Apart/2)); n != 0 || p.Next(begin.Add(Beat+Apart/2)) != Apart/2 {
		t.Errorf("%d steps are due again after %v", n, Apart/2)
	}
	if n := p.Due(begin.Add(Beat + Apart)); n != 24 {
		t.Errorf("%d steps are due after %v", n, Apart)
	}
}

// A slow session sleeps to its next step, and a fast one for a beat.
func TestSleep(t *testing.T) {
	for speed, want := range map[float64]time.Duration{1: time.Second, 10: 100 * time.Millisecond, Slow: 10 * time.Millisecond, 1000: Beat, 2000: Beat} {
		var p Pace
		p.Set(speed, time.Unix(0, 0))
		p.Restart(time.Unix(0, 0))
		if got := p.Sleep(time.Unix(0, 0)); got != want {
			t.Errorf("at %g steps a second it sleeps for %v, want %v", speed, got, want)
		}
	}
}
