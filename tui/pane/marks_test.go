package pane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A turn is one mark on a chart, and says of lanes that have not the same value what
// it is in each.
func TestOneMarkATurn(t *testing.T) {
	eps := func(from, to float64) state.Change {
		return state.ParamChange{Sampler: "psgld", Key: "eps", From: from, To: to}
	}
	s := &engine.Snapshot{Lanes: []engine.LaneView{{ID: 0}, {ID: 2}}}
	f := Frame{Snap: s}
	for _, c := range []struct {
		marks []state.Mark
		want  []string
	}{
		{[]state.Mark{{Step: 5, Change: eps(0.1, 0.2)}, {Lane: 2, Step: 5, Change: eps(0.1, 0.2)}},
			[]string{"ε 0.1→0.2 @5"}},
		{[]state.Mark{{Step: 5, Change: eps(0.1, 0.2)}, {Lane: 2, Step: 5, Change: eps(0.3, 0.6)}},
			[]string{"A ε 0.1→0.2, C ε 0.3→0.6 @5"}},
		{[]state.Mark{{Lane: 2, Step: 5, Change: eps(0.3, 0.6)}}, []string{"C ε 0.3→0.6 @5"}},
		{
			[]state.Mark{{Step: 5, Change: eps(0.1, 0.2)},
				{Step: 5, Change: state.ParamChange{Sampler: "psgld", Key: "lambda", From: 1, To: 2}},
				{Lane: 2, Step: 6, Change: eps(0.1, 0.2)}},
			[]string{"A ε 0.1→0.2 @5", "A λ 1→2 @5", "C ε 0.1→0.2 @6"},
		},
	} {
		s.Marks = c.marks
		got := f.Marks()
		if len(got) != len(c.want) {
			t.Fatalf("%v: %d marks, want %q", c.marks, len(got), c.want)
		}
		for i, g := range got {
			if g.Label != c.want[i] || g.X != float64(c.marks[0].Step)+map[bool]float64{true: 1}[i == 2] {
				t.Errorf("%v: mark %d is %q at %g, want %q", c.marks, i, g.Label, g.X, c.want[i])
			}
		}
	}
}

func markFrame(s *engine.Snapshot) Frame {
	return Frame{Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true}
}
