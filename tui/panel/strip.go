package panel

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// maxItems bounds the parameters of a strip.
const maxItems = 40

// An item is one parameter's place on the strip.
type item struct {
	x, y, w int // the whole item, with a blank on both sides
	slider  plane.Rect
	value   [partCap]byte // after the symbol
	n       int
}

// stripPlan is where everything on the strip goes. It is computed alike for
// drawing and for the mouse.
type stripPlan struct {
	head     line // which lane is shown, and whether turns are linked
	headW    int
	items    [maxItems]item
	n        int
	symbolW  [maxItems]int
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

// stripDigits is the width that a value can take to show that it was turned.
const stripDigits = 10

// strip draws the parameters of the focused lane with the selected one
// highlighted, on the rows of g. One on which lanes differ is marked. Sliders are as
// wide as there is room for. What does not fit loses its slider first, then scrolls,
// so that the selected parameter is always in sight.
func strip(g plane.Region, f *Frame) {
	th := &f.Theme
	params, v := f.params(), f.lane()
	if v == nil || len(params) == 0 || g.Empty() {
		return
	}
	var plan stripPlan
	plan.lay(g.W(), g.H(), f, params)
	plan.head.draw(g.Sub(plane.Rect{X: 1, W: plan.headW, H: 1}), 1)
	selected := f.selected(params)
	for i := range plan.n {
		it := &plan.items[i]
		if it.w == 0 {
			continue
		}
		p := params[i]
		cell := g.Sub(plane.Rect{X: it.x, Y: it.y, W: it.w, H: 1})
		symbol, value := th.Dim, th.Text
		if i == selected {
			symbol, value = th.Accent, th.Accent
		}
		if f.differs(p.Key, "") {
			cell.Set(0, 0, differSign(th), th.Warn)
		}
		x := cell.Text(1, 0, symbolOf(th, &p), symbol)
		runes(cell, x+1, 0, it.value[:it.n], value)
		if it.slider.W > 0 {
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

// StripHit says which parameter is at column x and row y of a strip of w×h
// cells, and, if that is on its slider, the fraction there.
func StripHit(w, h int, f Frame, x, y int) (param int, frac float64, onSlider, ok bool) {
	params := f.params()
	if f.lane() == nil || len(params) == 0 || x < 0 || y < 0 || x >= w || y >= h {
		return 0, 0, false, false
	}
	var plan stripPlan
	plan.lay(w, h, &f, params)
	for i := range plan.n {
		it := &plan.items[i]
		if it.w == 0 || !(plane.Rect{X: it.x, Y: it.y, W: it.w, H: 1}).Contains(x, y) {
			continue
		}
		if it.slider.Contains(x, y) {
			return i, chart.SliderFrac(x-it.slider.X, it.slider.W), true, true
		}
		return i, 0, false, true
	}
	return 0, 0, false, false
}

// stripRows is how many rows, up to most, the strip needs with its sliders.
func stripRows(w, most int, f *Frame, params []param.Param) int {
	plan := stripPlan{sliderW: leastSlider}
	for h := 1; h < most; h++ {
		plan.prepare(f, params)
		if plan.flow(w, h, 0, withSliders, params) == plan.n {
			return h
		}
	}
	return most
}

// selected is the index of the selected parameter.
func (f *Frame) selected(params []param.Param) int {
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
func (s *stripPlan) lay(w, h int, f *Frame, params []param.Param) {
	s.prepare(f, params)
	if w < 4*s.headW {
		s.head.n, s.headW = 0, 0
	}
	for _, s.sliderW = range sliderWidths {
		if s.flow(w, h, 0, withSliders, params) == s.n {
			return
		}
	}
	for detail := oneSlider; detail <= bare; detail++ {
		if s.flow(w, h, 0, detail, params) == s.n {
			return
		}
	}
	detail := oneSlider
	if w < 50 {
		detail = bare
	}
	selected := f.selected(params)
	first := 0
	for first < selected && s.flow(w, h, first, detail, params) <= selected {
		first++
	}
	end := s.flow(w, h, first, detail, params)
	s.before, s.after = first > 0, end < s.n
}

// prepare writes the head and every value.
func (s *stripPlan) prepare(f *Frame, params []param.Param) {
	v := f.lane()
	s.n = min(len(params), maxItems)
	s.head.n, s.headW = 0, 0
	if len(f.lanes()) > 1 {
		th := &f.Theme
		look := f.look(v)
		mode := "only"
		if f.Linked {
			mode = "linked"
		}
		p := s.head.add(0, letter(v.ID), look.Style, th.Dim)
		p.str(mode).does = keymap.Link
		s.headW = p.width() + 2
	}
	s.selected = f.selected(params)
	for i := range s.n {
		it := &s.items[i]
		value := f.appendValue(it.value[:0], params[i], v, i == s.selected)
		it.n = min(len(value), partCap)
		s.symbolW[i] = plane.Width(symbolOf(&f.Theme, &params[i]))
	}
}

// flow gives the items places from the one with index first on and returns the
// index of the first that did not fit.
func (s *stripPlan) flow(w, h, first, detail int, params []param.Param) int {
	x, y := s.headW, 0
	for i := range s.n {
		it := &s.items[i]
		it.w, it.slider = 0, plane.Rect{}
		if i < first || y >= h {
			continue
		}
		p := &params[i]
		slide := hasSlider(p) && (detail == withSliders || detail == oneSlider && i == s.selected)
		value := utf8.RuneCount(it.value[:it.n])
		if slide { // it stands still while the value changes
			value = max(value, len("0.9900"))
		}
		body := s.symbolW[i] + 1 + value
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
	return s.n
}

// rest takes the items from i on off the strip.
func (s *stripPlan) rest(i int) {
	for ; i < s.n; i++ {
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

// symbolOf is a parameter's symbol, or its key where ASCII has no letters for it.
func symbolOf(th *theme.Theme, p *param.Param) string {
	if !th.ASCII {
		return p.Symbol
	}
	for i := range len(p.Symbol) {
		if p.Symbol[i] >= utf8.RuneSelf {
			return p.Key
		}
	}
	return p.Symbol
}

// appendValue writes a parameter's value as the strip shows it: the text being
// typed if it is selected, for ε of a target with data h = εN/2 as well, and
// the step in force where a schedule has changed it.
func (f *Frame) appendValue(dst []byte, p param.Param, v *engine.LaneView, selected bool) []byte {
	if selected && f.Input != nil {
		return appendCut(dst, *f.Input)
	}
	x, ok := v.Setting.Values[p.Key]
	if !ok {
		return append(dst, "–"...)
	}
	digits := 0
	if w := v.Previous; w != nil { // a small turn must show
		if y, ok := w.Setting.Values[p.Key]; ok {
			digits = digitsApart(p, x, y, stripDigits)
		}
	}
	dst = appendDigits(dst, p, x, digits)
	if p.Key != sampler.KeyEps {
		return dst
	}
	if f.hasData() {
		dst = append(dst, "  h "...)
		dst = plane.AppendNumber(dst, engine.LROfEps(x, f.problem().N()), 7)
	}
	if math.Abs(v.Eps-x) > 1e-9*math.Abs(x) {
		dst = append(dst, "  now "...)
		dst = plane.AppendNumber(dst, v.Eps, 7)
	}
	return dst
}

// param writes a parameter's value.
func (p *part) param(q param.Param, x float64) *part { return p.paramDigits(q, x, 0) }

func (p *part) paramDigits(q param.Param, x float64, digits int) *part {
	var b [partCap]byte
	return p.bytes(appendDigits(b[:0], q, x, digits)...)
}

// appendDigits is appendParam with so many significant digits, if there are any.
func appendDigits(dst []byte, p param.Param, x float64, digits int) []byte {
	if digits > 0 {
		return plane.AppendExact(dst, x, digits)
	}
	return appendParam(dst, p, x)
}

// digitsApart is how many digits tell two values of a parameter apart that read
// alike on the strip: 0 if they do not, or if a width has no room for so many.
func digitsApart(p param.Param, x, y float64, width int) int {
	var a, b [partCap]byte
	if x == y || !bytes.Equal(appendParam(a[:0], p, x), appendParam(b[:0], p, y)) {
		return 0
	}
	for digits := 3; digits <= 12; digits++ {
		s, t := plane.AppendExact(a[:0], x, digits), plane.AppendExact(b[:0], y, digits)
		switch {
		case max(utf8.RuneCount(s), utf8.RuneCount(t)) > width:
			return 0
		case !bytes.Equal(s, t):
			return digits
		}
	}
	return 0
}

// appendCut appends as much of s as a value can hold, its end rather than its
// start, where the cursor is.
func appendCut(dst []byte, s string) []byte {
	for len(s) > partCap {
		_, n := utf8.DecodeRuneInString(s)
		s = s[n:]
	}
	return append(dst, s...)
}

// appendParam writes a value on its natural scale: α with the digits of 1-α,
// choices by name, and zeros that mean something by what they mean.
func appendParam(dst []byte, p param.Param, x float64) []byte {
	switch p.Scale {
	case param.Choice:
		if i := int(x); i >= 0 && i < len(p.Choices) {
			return append(dst, p.Choices[i]...)
		}
	case param.OneMinusLog:
		if x >= 0 && x < 1 {
			n := len(dst)
			digits := min(max(4, 1-int(math.Floor(math.Log10(1-x)))), 15)
			dst = strconv.AppendFloat(dst, x, 'f', digits, 64)
			for len(dst)-n > len("0.9900") && dst[len(dst)-1] == '0' {
				dst = dst[:len(dst)-1]
			}
			return dst
		}
	case param.Integer:
		if x == 0 && p.Zero != "" {
			return append(dst, p.Zero...)
		}
		if x >= 0 && x < 1e15 {
			return plane.AppendCount(dst, uint64(x))
		}
	}
	return plane.AppendNumber(dst, x, 7)
}
