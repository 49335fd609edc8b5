package pane

import (
	"math"
	"slices"
	"sort"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// maxMarks bounds the marks on a chart. The newest stay.
const maxMarks = 24

// Marks are the snapshot's newest marks at their place on the axis, each with its text, "ε 0.1→0.3 @12,400". A change
// of linked lanes is one mark. If the lanes changed differently, its text lists the change of each.
func (f *Frame) Marks() (all []chart.VMark) {
	if f.Snap == nil {
		return nil
	}
	lanes, marks := f.Lanes(), f.Snap.Marks
	from := max(len(marks)-maxMarks*state.MaxLanes, 0)
	for i := from; i < len(marks); i++ {
		k := &marks[i]
		if slices.ContainsFunc(marks[from:i], func(o state.Mark) bool { return sameTurn(&o, k) }) {
			continue
		}
		turn := []state.Mark{*k}
		for j := i + 1; j < len(marks) && len(turn) < len(lanes); j++ {
			if sameTurn(&marks[j], k) && marks[j].Lane != turn[len(turn)-1].Lane {
				turn = append(turn, marks[j])
			}
		}
		if x := markX(f, k); !math.IsNaN(x) {
			all = append(all, chart.VMark{X: x, Label: markLabel(turn, len(turn) >= len(lanes))})
		}
	}
	return all[max(len(all)-maxMarks, 0):]
}

// sameTurn reports whether two marks are of one change: of the same setting at the same step.
func sameTurn(a, b *state.Mark) bool {
	return a.Step == b.Step && a.Change.Subject() == b.Change.Subject()
}

// markLabel is the text of one mark for the marks of a change, of all lanes or of some.
func markLabel(turn []state.Mark, all bool) string {
	differs := slices.ContainsFunc(turn, func(k state.Mark) bool {
		return wording.Change(k.Change) != wording.Change(turn[0].Change)
	})
	label := ""
	for j := range turn {
		if j > 0 && !differs {
			break
		}
		if j > 0 {
			label += ", "
		}
		if !all || differs {
			label += Letter(turn[j].Lane) + " "
		}
		label += plane.Exponents(wording.Change(turn[j].Change))
	}
	return label + " @" + plane.Count(turn[0].Step)
}

// markX is a mark's place on the frame's axis, NaN if its lane is not there.
func markX(f *Frame, k *state.Mark) float64 {
	switch f.AxisNow() {
	case ByStep:
		return float64(k.Step)
	case ByClock:
		return k.Seconds
	}
	for _, v := range f.EachLane() {
		if v.ID != k.Lane || len(v.History) == 0 {
			continue
		}
		h := v.History
		j := sort.Search(len(h), func(j int) bool { return h[j].Step >= k.Step })
		if j == len(h) {
			return f.At(&h[j-1])
		}
		if j == 0 || h[j].Step == h[j-1].Step {
			return f.At(&h[j])
		}
		t := float64(k.Step-h[j-1].Step) / float64(h[j].Step-h[j-1].Step)
		a, b := f.At(&h[j-1]), f.At(&h[j])
		return a + t*(b-a)
	}
	return math.NaN()
}
