package stein

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
)

// A Follower takes the draws of a lane's window of which the discrepancy is worked out. It does so whenever they have
// grown by a quarter, so that which points there are follows from the draws alone.
type Follower struct {
	Status metrics.Status // why the newest try took none

	on    bool
	curve *Curve
	tried uint64 // draws of the window at the newest try
	tasks []*Task
}

// Restart begins a new window.
func (f *Follower) Restart() {
	f.Close()
	*f = Follower{Status: metrics.TooShort, on: f.on, curve: new(Curve)}
}

// Close drops the tasks of the window.
func (f *Follower) Close() {
	if f.curve != nil {
		f.curve.Close()
	}
}

// Watch begins or ends to follow the lane.
func (f *Follower) Watch(on bool) {
	if f.on = on; !on {
		f.tasks = nil
	}
}

// Due reports whether draws are to be taken of a window of so many. If so, it counts as a try.
func (f *Follower) Due(draws uint64) bool {
	due := f.on && draws > f.tried+f.tried/4
	if due {
		f.tried = draws
	}
	return due
}

// A Window is what a [Task] is made of.
type Window struct {
	Keepers []*metrics.Keeper // of the chains
	Dim     int
	Most    int     // draws at most
	ACT     float64 // τ of the slowest coordinate, in draws
	Prec    float64 // of the prior
	Now     Point   // without the numbers that are worked out
}

// Take takes the newest draws that lie far enough apart to be independent, and returns why it took none, or OK.
func (f *Follower) Take(w Window) metrics.Status {
	k := len(w.Keepers)
	for stride := Spacing * w.ACT / float64(w.Keepers[0].Every()); ; stride *= 2 {
		t := &Task{Curve: f.curve, Prec: w.Prec, Chains: k, Point: w.Now}
		for i := range w.Dim {
			var x []float64
			for _, c := range w.Keepers {
				x = c.Newest(x, i, (w.Most+k-1)/k, max(int(math.Ceil(stride)), 1))
			}
			t.Draws = append(t.Draws, x)
		}
		if len(t.Draws[0]) < Least {
			return metrics.TooShort
		}
		if t.independent() {
			f.tasks = append(f.tasks, t)
			return metrics.OK
		}
	}
}

// View is the discrepancy of the window, and the tasks since the last view.
func (f *Follower) View() (v LaneCurve, tasks []*Task) {
	tasks, f.tasks = f.tasks, nil
	return LaneCurve{f.Status, f.curve.Points()}, tasks
}
