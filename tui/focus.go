package tui

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/panel"
)

// focus is where the user's attention is. Lanes and parameters are held by
// name, so that it survives lanes that come and go.
type focus struct {
	lane     int    // the focused lane's ID
	param    string // the selected parameter's key
	separate bool   // turns apply to the focused lane alone
	view     int
	image    int  // the first one shown in the view of predictions, or the chosen one
	browse   bool // keys choose and shift images there
	x        panel.XAxis
	logX     bool
	linearY  bool

	// params are those of the focused lane's sampler on the target, kept
	// since every frame needs them.
	params  []param.Param
	problem *targets.Problem
	sampler string
}

// index is the focused lane's place in a snapshot: the first lane if the
// focused one is gone.
func (f *focus) index(s *engine.Snapshot) int {
	i := slices.IndexFunc(s.Lanes, func(l engine.LaneView) bool { return l.ID == f.lane })
	return max(i, 0)
}

// target is the lane of a command that turns something.
func (f *focus) target(s *engine.Snapshot) int {
	if f.separate {
		return f.index(s)
	}
	return engine.AllLanes
}

// move focuses the lane that is by places away, around the end.
func (f *focus) move(s *engine.Snapshot, by int) {
	n := len(s.Lanes)
	f.lane = s.Lanes[((f.index(s)+by)%n+n)%n].ID
}

// follow focuses a lane that has come since the snapshot before.
func (f *focus) follow(before, now *engine.Snapshot) {
	if before.Problem != now.Problem {
		f.image, f.param = 0, sampler.KeyEps
		return
	}
	for _, l := range now.Lanes {
		if !slices.ContainsFunc(before.Lanes, func(o engine.LaneView) bool { return o.ID == l.ID }) {
			f.lane = l.ID
		}
	}
	f.lane = now.Lanes[f.index(now)].ID
}

// list lists the parameters of the focused lane, in the strip's order.
func (f *focus) list(s *engine.Snapshot) []param.Param {
	name := s.Lanes[f.index(s)].Setting.Sampler
	if f.problem != s.Problem || f.sampler != name {
		f.problem, f.sampler = s.Problem, name
		f.params = panel.Params(panel.Frame{Snap: s, Lane: f.index(s)})
	}
	return f.params
}

// place is the selected parameter's place in the list: the first if the lane
// does not have it.
func (f *focus) place(s *engine.Snapshot) int {
	return max(0, slices.IndexFunc(f.list(s), func(p param.Param) bool { return p.Key == f.param }))
}

// selectBy selects the parameter that is by places away, around the end.
func (f *focus) selectBy(s *engine.Snapshot, by int) {
	if n := len(f.list(s)); n > 0 {
		f.param = f.params[((f.place(s)+by)%n+n)%n].Key
	}
}

// frame is what the panels see.
func (f *focus) frame(s *engine.Snapshot) panel.Frame {
	return panel.Frame{
		Snap: s, Lane: f.index(s), Linked: !f.separate, Params: f.list(s), Param: f.place(s),
		XAxis: f.x, LogX: f.logX, LogY: !f.linearY, Image: f.image,
		Browse: f.browse && s.Shift != nil,
	}
}
