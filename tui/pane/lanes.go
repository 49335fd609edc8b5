package pane

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Lanes are the lanes that are drawn, at most state.MaxLanes.
func (f *Frame) Lanes() []engine.LaneView {
	if f.Snap == nil {
		return nil
	}
	return f.Snap.Lanes[:min(len(f.Snap.Lanes), state.MaxLanes)]
}

// EachLane goes through the lanes that are drawn, with their places.
func (f *Frame) EachLane() iter.Seq2[int, *engine.LaneView] {
	return func(yield func(int, *engine.LaneView) bool) {
		lanes := f.Lanes()
		for i := range lanes {
			if !yield(i, &lanes[i]) {
				return
			}
		}
	}
}

// Some reports whether something is so of some lane.
func (f *Frame) Some(is func(v *engine.LaneView) bool) bool {
	for _, v := range f.EachLane() {
		if is(v) {
			return true
		}
	}
	return false
}

// Most is the greatest number of the lanes, 0 if it is less.
func Most[T int | uint64](f *Frame, of func(v *engine.LaneView) T) (most T) {
	for _, v := range f.EachLane() {
		most = max(most, of(v))
	}
	return most
}

// FocusAt is the index of the focused lane, within the lanes if there are any.
func (f *Frame) FocusAt() int { return min(max(f.Lane, 0), max(len(f.Lanes())-1, 0)) }

// Focused is the focused lane, nil if there is none.
func (f *Frame) Focused() *engine.LaneView {
	l := f.Lanes()
	if len(l) == 0 {
		return nil
	}
	return &l[f.FocusAt()]
}

// Problem is the session's problem, nil without a snapshot.
func (f *Frame) Problem() *targets.Problem {
	if f.Snap == nil {
		return nil
	}
	return f.Snap.Problem
}

// Dim is the number of the target's coordinates, 0 where that is not known.
func (f *Frame) Dim() int {
	if p := f.Problem(); p != nil && (p.F64 != nil || p.F32 != nil) {
		return p.Dim()
	}
	return 0
}

// HasData reports whether the target has data, and so epochs and minibatches.
func (f *Frame) HasData() bool {
	p := f.Problem()
	return p != nil && (p.F64 != nil || p.F32 != nil) && p.HasData()
}

// Predicts reports whether the target makes predictions, and so has scores.
func (f *Frame) Predicts() bool {
	p := f.Problem()
	return p != nil && (p.F64 != nil || p.F32 != nil) && p.Predicts()
}

// LaneStyle is how a lane looks. IDs beyond the theme's lanes wrap.
func (f *Frame) LaneStyle(v *engine.LaneView) *theme.LaneLook {
	return &f.Theme.Lane[Slot(v.ID)]
}

// Series is a series without points in the colours and marks of a lane.
func (f *Frame) Series(v *engine.LaneView, name string) chart.Series {
	look := f.LaneStyle(v)
	return chart.Series{Name: name, Style: look.Style, Glyph: look.Glyph, Line: look.Line}
}

// Slot is an ID as an index into arrays with an entry for each lane.
func Slot(id int) int { return (id%theme.NumLanes + theme.NumLanes) % theme.NumLanes }

// FocusedParams are the focused lane's parameters: Frame.Params if set.
func (f *Frame) FocusedParams() []param.Param {
	if f.Params != nil {
		return f.Params
	}
	return Params(f.Problem(), f.Focused())
}

// ParamsOf are a lane's parameters.
func (f *Frame) ParamsOf(v *engine.LaneView) []param.Param {
	if l := f.Focused(); l != nil && l.Setting.Sampler == v.Setting.Sampler {
		return f.FocusedParams()
	}
	return Params(f.Problem(), v)
}

// Params lists a lane's parameters and those that lanes share, in the order of the strip; nil if there is no lane.
func Params(p *targets.Problem, v *engine.LaneView) []param.Param {
	if v == nil || p == nil || p.F64 == nil && p.F32 == nil {
		return nil
	}
	if _, has := catalog.Find(v.Setting.Sampler); !has {
		return nil
	}
	return append(state.Turnable(p, v.Setting.Sampler), state.Chains())
}

// ValueOf is the value of a lane's parameter, or of one that all lanes of the session share.
func ValueOf(s *engine.Snapshot, v *engine.LaneView, key string) (x float64, has bool) {
	if key == state.KeyChains {
		return float64(s.Config.ChainCount()), true
	}
	x, has = v.Setting.Values[key]
	return x, has
}

// indexed is a coordinate's name that is short on the screen.
var indexed = regexp.MustCompile(`\btheta\[\d{1,12}\]`)

// ShortName writes the coordinates that a text names, or is the name of, for the screen: θ₁ for theta[1], in ASCII th1,
// which has room beside an axis.
func ShortName(th *theme.Theme, text string) string {
	return indexed.ReplaceAllStringFunc(text, func(name string) string {
		index := name[len("theta[") : len(name)-1]
		if th.ASCII {
			return "th" + index
		}
		return "θ" + strings.Map(func(digit rune) rune { return '₀' + digit - '0' }, index)
	})
}

// Phase is the glyph, style and name of what the session does.
func (f *Frame) Phase() (rune, plane.Style, string) {
	th := &f.Theme
	switch f.Snap.Phase {
	case state.Running:
		return th.Glyphs.Running, th.Good, "running"
	case state.Paused:
		return th.Glyphs.Paused, th.Warn, "paused"
	case state.Done:
		return th.Glyphs.Done, th.Text, "done"
	}
	lost, _ := list.Find(f.Snap.Lanes, func(v engine.LaneView) bool { return v.Diverged != nil })
	return th.Glyphs.Fail, th.Bad, wording.Stopped(lost.Diverged)
}

// Samples reports whether a lane's path is a Markov chain. Only a chain has τ and ESS.
func Samples(v *engine.LaneView) bool { return v.Kind == sampler.Sampling }

// Settled reports whether a lane has enough draws for estimates from all of them.
func Settled(v *engine.LaneView) bool { return v.Trust[quantity.Chain] == metrics.OK }

// KindName is the name of a kind of method, short enough for a table.
func KindName(k sampler.Kind) string {
	return [...]string{"sampler", "optimiser", "variational"}[min(k, sampler.Variational)]
}

// Count is how many lanes have all of some facts.
func (f *Frame) Count(all quantity.Facts) int {
	n := 0
	for _, v := range f.EachLane() {
		if v.Facts.Has(all) {
			n++
		}
	}
	return n
}

// Any reports whether some lane has all of some facts.
func (f *Frame) Any(all quantity.Facts) bool { return f.Count(all) > 0 }

// Has reports whether a lane has a quantity, or will have it once it can be trusted.
func Has(v *engine.LaneView, id quantity.ID) bool {
	q := &quantity.All[id]
	return v.Facts.Has(q.Needs) && v.Trust[q.Basis] != metrics.NotSampled
}

// Has reports whether some lane has a quantity.
func (f *Frame) Has(id quantity.ID) bool {
	return f.Some(func(v *engine.LaneView) bool { return Has(v, id) })
}

// Lists reports whether tables list a quantity: whether some lane has it.
func (f *Frame) Lists(id quantity.ID) bool {
	return f.Any(quantity.All[id].Needs|quantity.All[id].Shown) && f.Has(id)
}

// Scored is the quantity of the test set or, without a test set, of the training set.
func (f *Frame) Scored(test, training quantity.ID) quantity.ID {
	if f.Any(quantity.NoTestSet) {
		return training
	}
	return test
}

// absent draws the reason why a pane has no meaning for any lane.
func absent(g plane.Region, f *Frame, title, why string) {
	in := g.Box(f.Theme, plane.Box{Title: title})
	in = in.Pad(0, 1, 0, 1)
	if in.W() < 8 || in.H() < 1 {
		return
	}
	lines := plane.Wrap(g.Spell(why), in.W())
	at := in.Sub(plane.Rect{Y: max(in.H()-len(lines), 0) / 2, W: in.W(), H: len(lines)})
	if len(lines) == 1 {
		at.TextCenter(0, lines[0], f.Theme.Dim)
		return
	}
	for y, line := range lines {
		at.Text(0, y, line, f.Theme.Dim)
	}
}

// ShownLanes are the lanes of a histogram, two at most: the focused one and the first of the others, in their order.
func ShownLanes(f *Frame) []int {
	switch at := f.FocusAt(); {
	case len(f.Lanes()) < 2:
		return []int{at}
	case at == 0:
		return []int{0, 1}
	default:
		return []int{0, at}
	}
}

// DrawingLanes are the lanes of a marginal: those of ShownLanes, with optimisers
// replaced by the first lanes that have draws.
func DrawingLanes(f *Frame) (at []int) {
	take := func(i int) {
		if len(at) < 2 && f.Snap.Lanes[i].Kind != sampler.Optimising && !slices.Contains(at, i) {
			at = append(at, i)
		}
	}
	for _, i := range ShownLanes(f) {
		take(i)
	}
	for i := range f.Lanes() {
		take(i)
	}
	slices.Sort(at)
	return at
}
