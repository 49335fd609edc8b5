package control

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view"
)

// Focus is where the user's attention is: to which lane and parameter keys apply, and what the view
// shows. It names lanes, parameters and panes, since they come and go.
type Focus struct {
	Lane     int    // the focused lane's ID
	Param    string // the selected parameter's key
	Separate bool   // turns apply to the focused lane alone
	Whole    bool   // the strip has all parameters
	OnMore   bool   // the place behind the strip is selected, which shows all parameters or hides some

	pane.Attention
	View    int
	LinearY bool
	// ForProjector says that Overlay ends with the projector.
	ForProjector bool
	Read         bool // keys move the cross

	of subject

	// params are those of the focused lane's sampler on the target. Every frame needs them.
	params  []param.Param
	usual   state.Setting // their defaults
	problem *targets.Problem
	sampler string
}

// subject is what zoom, cross and pane belong to.
type subject struct {
	problem   *targets.Problem
	view      int
	lane      int // the focused lane's ID
	x         pane.XAxis
	logX      bool
	watch     [2]int
	principal bool
}

// Index is the focused lane's place in a snapshot: the first lane if the focused one is gone.
func (f *Focus) Index(s *engine.Snapshot) int { return max(s.IndexOf(f.Lane), 0) }

// TurnsApplyTo is the lane of a command that turns something.
func (f *Focus) TurnsApplyTo(s *engine.Snapshot) int {
	if f.Separate {
		return f.Index(s)
	}
	return state.AllLanes
}

// Move focuses the lane so many places further, round the end.
func (f *Focus) Move(s *engine.Snapshot, by int) {
	n := len(s.Lanes)
	f.Lane = s.Lanes[((f.Index(s)+by)%n+n)%n].ID
}

// Follow focuses a lane that has come since the snapshot before.
func (f *Focus) Follow(before, now *engine.Snapshot) {
	if before.Problem.Opened() != now.Problem.Opened() {
		f.Image, f.Layer, f.Param, f.OnMore = 0, 0, sampler.KeyEps, false
		return
	}
	for _, l := range now.Lanes {
		if before.IndexOf(l.ID) < 0 {
			f.Lane = l.ID
		}
	}
	f.Lane = now.Lanes[f.Index(now)].ID
}

// List lists the parameters of the focused lane, in the strip's order.
func (f *Focus) List(s *engine.Snapshot) []param.Param {
	v := &s.Lanes[f.Index(s)]
	name := v.Setting.Sampler
	if f.problem != s.Problem || f.sampler != name {
		f.problem, f.sampler = s.Problem, name
		f.params, f.usual = pane.Params(s.Problem, v), state.DefaultSetting(s.Problem, name)
	}
	return f.params
}

// Strip lists the parameters that the strip shows: those that are turned while one watches, the selected one, and those
// that are not at their defaults or not alike in all lanes. place is the selected one's.
func (f *Focus) Strip(s *engine.Snapshot) (some []param.Param, place int) {
	all, v := f.List(s), &s.Lanes[f.Index(s)]
	at := f.Place(s)
	for i, p := range all {
		x, _ := pane.ValueOf(s, v, p.Key)
		apart := slices.ContainsFunc(s.Lanes, func(o engine.LaneView) bool { return o.Setting.Or(p.Key, x) != x })
		if i == at {
			place = len(some)
		}
		if f.Whole || i == at || Sliding(&p) && !p.Aside || apart || x != f.usual.Or(p.Key, p.Default) {
			some = append(some, p)
		}
	}
	return some, place
}

// Place is the selected parameter's place in the list: the first if the lane does not have it.
func (f *Focus) Place(s *engine.Snapshot) int {
	_, at, _ := param.Find(f.List(s), f.Param)
	return max(0, at)
}

// Sliding reports whether a parameter is turned while one watches: a continuous one that is no
// part of what is sampled, as the temperature and the prior's variance are.
func Sliding(p *param.Param) bool {
	switch p.Key {
	case sampler.KeyTemp, sampler.KeyPriorVar:
		return false
	}
	return p.Scale == param.Log || p.Scale == param.OneMinusLog || p.Scale == param.Linear
}

// SelectBy moves the selection so many places along the strip, round its end. OnMore is its last place.
func (f *Focus) SelectBy(s *engine.Snapshot, by int) {
	some, at := f.Strip(s)
	n := len(some)
	if f.OnMore {
		at = n
	}
	at = ((at+by)%(n+1) + n + 1) % (n + 1)
	if f.OnMore = at == n; !f.OnMore {
		f.Param = some[at].Key
	}
}

// Settle drops what belongs to something that is no longer shown: a zoom of another axis, a pane of
// another view. From a lane's pane the attention goes to that of the lane that is focused.
func (f *Focus) Settle(s *engine.Snapshot) {
	v := &s.Lanes[f.Index(s)]
	now, was := subject{s.Problem.Opened(), f.View, v.ID, f.XAxis, f.LogX, v.Watch, v.Principal}, f.of
	f.of = now
	if f.Card && was.problem != nil && (now.view != was.view || now.problem != was.problem) {
		f.Card = false // it is of what was turned there
	}
	switch {
	case now == was:
		return
	case now.problem != was.problem:
		f.Zoom, f.Cross = pane.Zoom{}, pane.Cross{}
	case now.watch != was.watch || now.principal != was.principal:
		f.Zoom[pane.CoordX], f.Zoom[pane.CoordY] = pane.Range{}, pane.Range{}
		f.Cross = pane.Cross{}
	}
	if now.x != was.x || now.logX != was.logX {
		f.Zoom[pane.Progress] = pane.Range{}
		f.Cross = pane.Cross{}
	}
	switch {
	case now.view != was.view:
		f.Pane, f.Full, f.Read, f.Cross = "", false, false, pane.Cross{}
	case now.lane != was.lane && f.Pane == pane.LanePane(was.lane):
		f.Pane = pane.LanePane(now.lane)
	}
}

// Begin tells Settle which view comes first, so that it drops nothing for it.
func (f *Focus) Begin() { f.of.view = f.View }

// Project turns projector mode on or off. With it on the lanes lie over each other, since one pane is all there is.
func (f *Focus) Project(on bool) {
	f.Projector = on
	switch {
	case on:
		f.ForProjector, f.Overlay = !f.Overlay, true
	case f.ForProjector:
		f.ForProjector, f.Overlay = false, false
	}
}

// CardUp reports whether the card of the newest change is shown.
func (f *Focus) CardUp(s *engine.Snapshot) bool { return f.Card && s.Lanes[f.Index(s)].Previous != nil }

// Covered reports whether there is something over the view that esc takes away.
func (f *Focus) Covered(s *engine.Snapshot) bool {
	return f.Read || f.CardUp(s) || f.Full || f.Projector || f.Pane != ""
}

// Watching is the Watch of two coordinates, and of what else the view needs.
func (f *Focus) Watching(at [2]int, principal bool) state.Watch {
	v := f.View
	return state.Watch{
		X: at[0], Y: at[1], Principal: principal, Weights: v == view.Weights, Predictions: v == view.Predictions,
		Discrepancy: v == view.Diagnostics, Rows: v == view.Diagnostics,
		NoFunction: v != view.Stage && pane.Function(f.of.problem) != nil,
	}
}
