package steer

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// An item is one parameter's place on the strip.
type item struct {
	x, y, w       int // the whole item, with a blank on both sides
	slider        plane.Rect
	symbol, value string
}

// stripPlan is where everything on the strip goes.
type stripPlan struct {
	typed    *string   // the text being typed for the selected parameter, with its cursor; nil for none
	head     pane.Line // which lane is shown, and whether turns are linked
	headW    int
	items    []item
	sliderW  int
	selected int
	before   bool // items are scrolled off at the start
	after    bool
}

// itemGap is the number of columns between items.
const itemGap = 1

// sliderWidths are what a slider's width can be: the widest for which all items
// have room. They are few, so that sliders stand still while values change.
var sliderWidths = [...]int{25, 21, 17, 13, leastSlider}

const leastSlider = 9

// draw draws the parameters of the focused lane with the selected one
// highlighted, on the rows of g. One on which lanes differ is marked. Sliders are as
// wide as there is room for. What does not fit loses its slider first, then scrolls,
// so that the selected parameter is always in sight.
func draw(g plane.Region, f *pane.Frame, typed *string) {
	th := &f.Theme
	params, v := f.FocusedParams(), f.Focused()
	if v == nil || len(params) == 0 || g.Empty() {
		return
	}
	plan := stripPlan{typed: typed}
	plan.lay(g.W(), g.H(), f, params)
	plan.head.Draw(g.Sub(plane.Rect{X: 1, W: plan.headW, H: 1}), 1)
	selected := selected(f, params)
	for i, it := range plan.items {
		if it.w == 0 {
			continue
		}
		p := params[i]
		cell := g.Sub(plane.Rect{X: it.x, Y: it.y, W: it.w, H: 1})
		symbol, value := th.Dim, th.Text
		if i == selected {
			symbol, value = th.Accent, th.Accent
		}
		if f.Differs(p.Key, "") {
			cell.Set(0, 0, differSign(th), th.Warn)
		}
		x := cell.Text(1, 0, it.symbol, symbol)
		cell.Text(x+1, 0, it.value, value)
		cell.Zone(plane.Zone{ID: "param:" + p.Key, Click: plane.Call("param.select", p.Key), Wheel: plane.Call("param.turn", p.Key)})
		if it.slider.W > 0 {
			slide := plane.Call("param.slide", p.Key)
			g.Zone(plane.Zone{Rect: it.slider, ID: "slider:" + p.Key, Click: slide, Drag: slide, Wheel: plane.Call("param.turn", p.Key)})
			knob := plane.Style{}
			if i == selected {
				knob = th.Accent
			}
			chart.Slider(g.Sub(it.slider), f.Theme, p.Frac(v.Setting.Values[p.Key]), knob)
		}
		if i == selected {
			cell.Highlight(th.Highlight)
		}
	}
	last := g.H() - 1
	if plan.before {
		g.Set(0, 0, th.Glyphs.Ellipsis, th.Accent)
	}
	if plan.after {
		g.Set(g.W()-1, last, th.Glyphs.Ellipsis, th.Accent)
	}
}

// differSign stands before a parameter of which the lanes have different values.
func differSign(th *theme.Theme) rune {
	if th.ASCII {
		return '!'
	}
	return '≠'
}

// rows is how many rows the strip needs with its sliders, on a screen of w×h cells.
func rows(w, h int, f *pane.Frame, typed *string) int {
	most := 2
	switch {
	case f.Projector || h < 2*pane.PaneH:
		most = 1
	case h >= pane.FullH:
		most = 3
	}
	params := f.FocusedParams()
	plan := stripPlan{typed: typed, sliderW: leastSlider}
	for n := 1; n < most; n++ {
		plan.prepare(f, params)
		if plan.flow(w, n, 0, withSliders, params) == len(plan.items) {
			return n
		}
	}
	return most
}

// selected is the index of the selected parameter.
func selected(f *pane.Frame, params []param.Param) int {
	return min(max(f.Param, 0), max(len(params)-1, 0))
}

// The levels of detail of a strip.
const (
	withSliders = iota
	oneSlider   // the selected parameter's
	bare
)

// lay places the items: with sliders if all fit, else without, else from a
// first item on that keeps the selected one in sight.
func (s *stripPlan) lay(w, h int, f *pane.Frame, params []param.Param) {
	s.prepare(f, params)
	if w < 4*s.headW {
		s.head, s.headW = pane.Line{}, 0
	}
	for _, s.sliderW = range sliderWidths {
		if s.flow(w, h, 0, withSliders, params) == len(s.items) {
			return
		}
	}
	for detail := oneSlider; detail <= bare; detail++ {
		if s.flow(w, h, 0, detail, params) == len(s.items) {
			return
		}
	}
	detail := oneSlider
	if w < 50 {
		detail = bare
	}
	selected := selected(f, params)
	first := 0
	for first < selected && s.flow(w, h, first, detail, params) <= selected {
		first++
	}
	end := s.flow(w, h, first, detail, params)
	s.before, s.after = first > 0, end < len(s.items)
}

// prepare writes the head and every value.
func (s *stripPlan) prepare(f *pane.Frame, params []param.Param) {
	v := f.Focused()
	s.items = s.items[:0]
	s.head, s.headW = pane.Line{}, 0
	if len(f.Lanes()) > 1 {
		th := &f.Theme
		look := f.LaneStyle(v)
		mode := "only"
		if f.Linked {
			mode = "linked"
		}
		p := s.head.Add(0, pane.Letter(v.ID), look.Style, th.Dim, mode)
		p.Does = plane.Call("link lanes")
		s.headW = p.Width() + 2
	}
	s.selected = selected(f, params)
	for i, p := range params {
		s.items = append(s.items, item{symbol: pane.SymbolOf(&f.Theme, &p), value: s.valueText(f, p, v, i == s.selected)})
	}
}

// flow gives the items places from the one with index first on and returns the
// index of the first that did not fit.
func (s *stripPlan) flow(w, h, first, detail int, params []param.Param) int {
	x, y := s.headW, 0
	for i := range s.items {
		it := &s.items[i]
		it.w, it.slider = 0, plane.Rect{}
		if i < first || y >= h {
			continue
		}
		p := &params[i]
		slide := hasSlider(p) && (detail == withSliders || detail == oneSlider && i == s.selected)
		value := plane.Width(it.value)
		if slide { // it stands still while the value changes
			value = max(value, len("0.9900"))
		}
		body := plane.Width(it.symbol) + 1 + value
		n := body + 2
		if slide {
			n += 1 + s.sliderW
		}
		if x > 0 && x+n > w {
			x, y = 0, y+1
			if y >= h {
				s.rest(i)
				return i
			}
		}
		if i > first && n > w { // too long for any row: dropped with what follows
			s.rest(i)
			return i
		}
		it.x, it.y, it.w = x, y, min(n, w-x)
		if slide {
			it.slider = plane.Rect{X: x + body + 2, Y: y, W: s.sliderW, H: 1}.Intersect(plane.Rect{X: 0, Y: y, W: w, H: 1})
		}
		x += n + itemGap
	}
	return len(s.items)
}

// rest takes the items from i on off the strip.
func (s *stripPlan) rest(i int) {
	for ; i < len(s.items); i++ {
		s.items[i].w, s.items[i].slider = 0, plane.Rect{}
	}
}

// hasSlider picks the parameters that are turned while one watches: the step
// size and the sampler's own continuous ones.
func hasSlider(p *param.Param) bool {
	switch p.Key {
	case sampler.KeyTemp, sampler.KeyPriorVar:
		return false
	}
	return p.Scale == param.Log || p.Scale == param.OneMinusLog || p.Scale == param.Linear
}

// valueText is a parameter's value as the strip shows it: the text being typed if
// it is selected, for ε of a target with data h = εN/2 as well, and the step in
// force where a schedule has changed it.
func (s *stripPlan) valueText(f *pane.Frame, p param.Param, v *engine.LaneView, selected bool) string {
	if selected && s.typed != nil {
		return tailOf(*s.typed)
	}
	x, ok := v.Setting.Values[p.Key]
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
		text += "  h " + plane.Number(engine.LROfEps(x, f.Problem().N()), 7)
	}
	if math.Abs(v.Eps-x) > 1e-9*math.Abs(x) {
		text += "  now " + plane.Number(v.Eps, 7)
	}
	return text
}

// mostTyped is how much of a text that is being typed the strip has room for.
const mostTyped = 48

// tailOf is the end of a text that is being typed, where the cursor is.
func tailOf(s string) string {
	runes := []rune(s)
	return string(runes[max(len(runes)-mostTyped, 0):])
}
