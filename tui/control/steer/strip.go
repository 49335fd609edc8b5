package steer

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// An item is one parameter's place on the strip.
type item struct {
	x, y, w       int // the whole item, with a blank on both sides
	slider        plane.Rect
	symbol, value string
	room          int // for the value, so that the strip stands still while that changes
}

// A strip is parameters of the focused lane, and where everything stands.
type strip struct {
	shown
	head    pane.Line // which lane is shown, and whether turns are linked
	headW   int
	items   []item
	sliderW int
	before  bool // items are scrolled off at the start
	after   bool
}

// shown is what a strip shows.
type shown struct {
	params   []param.Param
	selected int
	typed    *string // the text being typed for the selected one, with its cursor; nil for none
	// more stands behind the parameters, for what shows the others or hides them; empty for
	// nothing. With onMore it is selected, and no parameter is.
	more   string
	onMore bool
}

// itemGap is the number of columns between items.
const itemGap = 1

// sliderWidths are what a slider's width can be: the widest for which all items
// have room. They are few, so that sliders stand still while values change. Below
// leastOfAll the selected parameter alone has a slider, as wide as there is room for.
var sliderWidths = [...]int{33, 25, 21, 17, leastOfAll, 9, leastSlider}

const (
	leastOfAll  = 13
	leastSlider = 7
)

// draw draws the strip with the selected parameter highlighted, on the rows of g. One on
// which lanes differ is marked. Sliders are as
// wide as there is room for: all, or the selected one's. Without room for that none has
// one, and what does not fit then scrolls,
// so that the selected parameter is always in sight.
func (s *strip) draw(g plane.Region, f *pane.Frame) {
	th, v := &f.Theme, f.Focused()
	if len(s.items) == 0 || g.Empty() {
		return
	}
	s.lay(g.Size())
	s.head.Draw(g.Sub(plane.Rect{X: 1, W: s.headW, H: 1}), 1)
	var chosen plane.Region
	for i, it := range s.items {
		if it.w == 0 {
			continue
		}
		cell := g.Sub(plane.Rect{X: it.x, Y: it.y, W: it.w, H: 1})
		symbol, value := th.Dim, th.Text
		if i == s.at() {
			symbol, value = th.Accent, th.Accent
			chosen = cell
		}
		if i == len(s.params) {
			cell.Text(1, 0, it.symbol, symbol)
			cell.Zone(plane.Zone{ID: "param:more", Click: plane.Call("more parameters")})
			continue
		}
		p := s.params[i]
		if f.Differs(p.Key, "") { // between lanes
			cell.Set(0, 0, th.Rune('≠', '!'), th.Warn)
			if th.ASCII {
				cell.Term(wording.DifferASCII)
			} else {
				cell.Term(wording.Differ)
			}
		}
		if p.Key == sampler.KeyEps && f.HasData() {
			cell.Term(wording.LearningRate)
		}
		x := cell.Text(1, 0, it.symbol, symbol)
		cell.Text(x+1, 0, it.value, value)
		key := []string{p.Key}
		turn := plane.Call("param.turn", key...)
		cell.Zone(plane.Zone{ID: "param:" + p.Key, Click: plane.Call("param.select", key...), Wheel: turn})
		if it.slider.W > 0 {
			slide := plane.Call("param.slide", key...)
			g.Zone(plane.Zone{Rect: it.slider, ID: "slider:" + p.Key, Click: slide, Drag: slide, Wheel: turn})
			knob := plane.Style{}
			if i == s.at() {
				knob = th.Accent
			}
			chart.Slider(g.Sub(it.slider), f.Theme, p.Frac(v.Setting.Values[p.Key]), knob)
		}
	}
	chosen.Highlight(th.Highlight) // over what is drawn there
	if s.before {
		g.Set(0, 0, th.Glyphs.Ellipsis, th.Accent)
	}
	if s.after {
		g.Set(g.W()-1, g.H()-1, th.Glyphs.Ellipsis, th.Accent)
	}
}

// rows is how many rows the strip needs, on a screen of w×h cells: with the slider of the selected parameter, and where
// there are many rows with all of them. All parameters may take a sixth of the screen.
func (s *strip) rows(w, h int, f *pane.Frame, whole bool) int {
	most := 2
	switch {
	case f.Projector || h < leastTwo:
		most = 1
	case h >= pane.FullH:
		most = 3
	}
	if whole {
		most = max(most, h/6)
	}
	detail := oneSlider
	if s.sliderW = leastOfAll; h >= pane.FullH {
		detail = withSliders
	}
	for n := 1; n < most; n++ {
		if s.flow(w, n, 0, detail) == len(s.items) {
			return n
		}
	}
	return most
}

// leastTwo is the height of a screen from which on the strip may have two rows.
const leastTwo = 18

// The levels of detail of a strip.
const (
	withSliders = iota
	oneSlider   // the selected parameter's
	bare
)

// at is the place of the selected item.
func (s *strip) at() int {
	if s.onMore {
		return len(s.params)
	}
	return s.selected
}

// newStrip writes the head and every value.
func newStrip(f *pane.Frame, what shown) *strip {
	s, v := &strip{shown: what}, f.Focused()
	s.selected = min(max(s.selected, 0), max(len(s.params)-1, 0))
	if len(f.Lanes()) > 1 {
		which, style := "lane "+pane.Letter(v.ID), f.LaneStyle(v).Style
		if f.Linked {
			which, style = "all lanes", f.Theme.Dim
		}
		p := s.head.Add(0, which, style, style)
		p.Does = plane.Call("link lanes")
		s.headW = p.Width() + 2
	}
	s.items = make([]item, len(s.params), len(s.params)+1)
	for i, p := range s.params {
		it := item{symbol: pane.SymbolOf(&f.Theme, &p), value: valueText(f, p, v), room: valueRoom(f, p, v)}
		if s.typed != nil && i == s.selected {
			runes := []rune(*s.typed)
			it.value = string(runes[max(len(runes)-mostTyped, 0):]) // the end, where the cursor is
		}
		s.items[i] = it
	}
	if s.more != "" {
		s.items = append(s.items, item{symbol: s.more})
	}
	return s
}

// mostTyped is how much of a text that is being typed the strip has room for.
const mostTyped = 48

// lay places the items: with sliders if all fit, else without, else from a
// first item on that keeps the selected one in sight.
func (s *strip) lay(w, h int) {
	if w < 4*s.headW {
		s.head, s.headW = pane.Line{}, 0
	}
	fits := func(detail int) bool { return s.flow(w, h, 0, detail) == len(s.items) }
	for _, detail := range [...]int{withSliders, oneSlider} {
		for _, s.sliderW = range sliderWidths {
			if (detail == oneSlider || s.sliderW >= leastOfAll) && fits(detail) {
				return
			}
		}
	}
	if fits(bare) {
		return
	}
	first, detail := 0, oneSlider
	if w < 50 {
		detail = bare
	}
	for first < s.at() && s.flow(w, h, first, detail) <= s.at() {
		first++
	}
	s.before, s.after = first > 0, s.flow(w, h, first, detail) < len(s.items)
}

// flow gives the items places from the one with index first on and returns the index of the first that did not fit.
func (s *strip) flow(w, h, first, detail int) int {
	for i := range s.items {
		s.items[i].w, s.items[i].slider = 0, plane.Rect{}
	}
	x, y := s.headW, 0
	for i := first; i < len(s.items); i++ {
		it := &s.items[i]
		slide := i < len(s.params) && control.Sliding(&s.params[i]) &&
			(detail == withSliders && !s.params[i].Aside || detail != bare && i == s.selected)
		body := plane.Width(it.symbol)
		if i < len(s.params) {
			body += 1 + max(plane.Width(it.value), it.room)
		}
		n := body + 2
		if slide {
			n += 1 + s.sliderW
		}
		if x > 0 && x+n > w {
			x, y = 0, y+1
		}
		if y >= h || i > first && n > w { // too long for any row: dropped with what follows
			return i
		}
		it.x, it.y, it.w = x, y, min(n, w-x)
		if slide {
			it.slider = plane.Rect{X: x + body + 2, Y: y, W: s.sliderW,
				H: 1}.Intersect(plane.Rect{X: 0, Y: y, W: w, H: 1})
		}
		x += n + itemGap
	}
	return len(s.items)
}

// The room for a value of a slider, for one near 1, and for a whole number.
const (
	slidingRoom = len("7.94e-6")
	nearOneRoom = len("0.999911")
	countRoom   = len("1,000")
)

// valueRoom is the room that is kept for a parameter's value.
func valueRoom(f *pane.Frame, p param.Param, v *engine.LaneView) int {
	room := 0
	switch {
	case p.Scale == param.Choice:
		room = max(room, list.Max(p.Choices, plane.Width))
	case p.Scale == param.OneMinusLog:
		room = nearOneRoom
	case control.Sliding(&p):
		room = slidingRoom
	case p.Scale == param.Integer:
		room = countRoom
	}
	if p.Key == sampler.KeyEps && f.HasData() {
		room += len("  h ") + slidingRoom
	}
	if p.Key == sampler.KeyEps && !v.Setting.Schedule.Constant() {
		room += len("  now ") + slidingRoom
	}
	return room
}

// valueText is a parameter's value as the strip shows it: for ε of a target with data
// h = εN/2 as well, and the step in force where a schedule has changed it.
func valueText(f *pane.Frame, p param.Param, v *engine.LaneView) string {
	x, ok := pane.ValueOf(f.Snap, v, p.Key)
	if !ok {
		return "–"
	}
	digits := 0
	if w := v.Previous; w != nil { // a small turn must show
		if y, ok := w.Setting.Values[p.Key]; ok {
			digits = pane.DigitsApart(p, x, y, pane.StripDigits)
		}
	}
	text := pane.ParamText(p, x, digits)
	if p.Key != sampler.KeyEps {
		return text
	}
	if f.HasData() {
		text += "  h " + plane.Number(state.LROfEps(x, f.Problem().N()), 7)
	}
	if math.Abs(v.Eps-x) > 1e-9*math.Abs(x) {
		text += "  now " + plane.Number(v.Eps, 7)
	}
	return text
}
