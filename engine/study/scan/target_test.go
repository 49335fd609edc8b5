package scan

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A scan over a parameter of the target has another problem in each cell, with its own truth: a
// cell comes to what a session on that problem does. It fits as long as that parameter alone is turned.
func TestScanOverTheTarget(t *testing.T) {
	innerlooptest.Skip(t, "a whole scan")
	for spec, key := range map[string]string{"banana": "target.b", "density:-(1-x)^2 - b*(y-x^2)^2;b=5": "target.b", "gaussian:a=2": "target.a"} {
		snap := snapshot(t, spec)
		q, _, _ := snap.Problem.Param(key)
		g := New(snap, 0, q, nil, Size{Cells: 3, Steps: 3000, Seeds: 1})
		if err := g.Sweep.Validate(); err != nil {
			t.Fatal(err)
		}
		j := g.Start(t.Context(), 2, 0)
		<-j.Ended
		if j.Err != nil || !g.Whole() {
			t.Fatalf("%s: %v, %d runs", spec, j.Err, len(g.runs))
		}
		for i, x := range g.Values() {
			p, err := snap.Problem.With(key, x)
			if err != nil {
				t.Fatal(err)
			}
			c := state.Config{Target: p.Spec, Init: "random", Seed: snap.Config.Seed, Steps: 3000}
			for k := range snap.Lanes {
				c.Lanes = append(c.Lanes, snap.Lanes[k].Setting.Off())
			}
			s, err := session.New(c, p, session.Runtime{})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			for k, l := range s.Result("").Lanes {
				for _, id := range []quantity.ID{quantity.CovError, quantity.MaxACT} {
					cell := g.cell(k, i, 1)
					if want := l.Shown(id); want.OK() && cell.Of[id].Mean != want.Value || (l.Diverged != nil) != (cell.Diverged > 0) {
						t.Errorf("%s, %s = %g, lane %d: %v is %v, want %v", spec, key, x, k, id, cell.Of[id].Mean, want.Value)
					}
				}
			}
		}
		turned := *snap
		p, err := snap.Problem.With(key, g.Values()[0])
		if err != nil {
			t.Fatal(err)
		}
		on := func(p *targets.Problem) *engine.Snapshot {
			turned.Problem, turned.Lanes = p, append([]engine.LaneView{}, snap.Lanes...)
			for i := range turned.Lanes {
				turned.Lanes[i].Setting = turned.Lanes[i].Setting.On(p)
			}
			return &turned
		}
		if !g.Fits(on(p), key, Size{Cells: 3, Steps: 3000, Seeds: 1}) {
			t.Errorf("%s: it does not fit where its parameter is turned", spec)
		}
		ofEps, _ := onlyParam("eps")
		eps := New(snap, 0, ofEps, nil, Size{Cells: 3})
		if eps.Fits(on(p), "eps", Size{Cells: 3}) {
			t.Errorf("%s: a scan over ε fits where the target is another", spec)
		}
	}
}
