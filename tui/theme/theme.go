// Package theme holds what the screen is drawn with: styles by meaning, lane marks and characters. A Theme is one
// value, built once by New and passed by value; nothing here is global and nothing changes after New.
//
// Lanes differ by glyph and line style as well as by colour, so that every
// picture can be read without colour, and in ASCII.
package theme

import "strings"

// Sizes of the ramps.
const (
	NumLanes      = 4
	TrailShades   = 6
	ContourShades = 6
	HeatShades    = 8
)

// LaneLook is how one sampler looks everywhere.
type LaneLook struct {
	Name  string // "A" to "D"
	Glyph rune   // ● ▲ ■ ◆
	Style Style
	Soft  Style // the lane's hue, muted: bars beneath other ink
	// Ring is the lane's hue near the text's colour: an outline among its draws.
	Ring Style
	// Trail colours draws by age, oldest (dim) first, newest (brightest) last.
	Trail [TrailShades]Style
	// Line is the index of the lane's line in Glyphs.Dashes and Glyphs.Lines.
	Line int
}

// Theme is styles by meaning, lanes and glyphs.
type Theme struct {
	Look

	// Ground is what muted colours are mixed with: near the background, and unset without colour.
	Ground Color

	Text, Dim, Faint  Style // body, labels, the least important marks
	Title, TitleFocus Style
	Border, Focus     Style // a box's edge, and the edge of the focused one
	Accent            Style // keys in the footer, the changed value
	Good, Warn, Bad   Style
	Truth             Style // whatever is exact: true ellipse, density, mean
	Curve, Bias       Style // Truth; among sixteen colours a curve over bars, and a bias, have others
	Mark              Style // marks of changes and their labels
	Highlight         Style // background of the selected row
	SliderFill        Style
	Key               Style // a key name beside its help

	Lane    [NumLanes]LaneLook
	Contour [ContourShades]Style // outermost (dim) to innermost
	Heat    [HeatShades]Style    // low to high
	Glyphs  Glyphs
}

// New builds a theme. dark says whether the terminal's background is dark; noColor leaves only bold, faint, underline
// and reverse; ascii keeps every glyph within printable ASCII. The three are independent.
func New(dark, noColor, ascii bool) Theme {
	return Of(Look{Dark: dark, NoColor: noColor, ASCII: ascii})
}

// Of builds the theme of a Look.
func Of(l Look) Theme {
	t := Theme{Look: l, Glyphs: unicodeGlyphs()}
	if l.ASCII {
		t.Glyphs = asciiGlyphs()
	}
	for i := range t.Lane {
		t.Lane[i] = LaneLook{Name: string(rune('A' + i)), Glyph: t.Glyphs.Lanes[i], Line: i}
	}
	if l.NoColor {
		t.plain()
	} else {
		t.paint(l.colors())
		if l.Depth == Basic {
			t.basic()
		}
	}
	return t
}

// paint gives every role its colour.
func (t *Theme) paint(p palette) {
	t.Ground = p.back
	t.Text = Style{FG: p.text}
	t.Dim = Style{FG: p.dim}
	t.Faint = Style{FG: p.faint}
	t.Title = Style{FG: p.title, Attr: Bold}
	t.TitleFocus = Style{FG: p.accent, Attr: Bold}
	t.Border = Style{FG: p.border}
	t.Focus = Style{FG: p.accent}
	t.Accent = Style{FG: p.accent, Attr: Bold}
	t.Good = Style{FG: p.good}
	t.Warn = Style{FG: p.warn}
	t.Bad = Style{FG: p.bad, Attr: Bold}
	t.Truth, t.Curve, t.Bias = Style{FG: p.truth}, Style{FG: p.truth}, Style{FG: p.truth}
	t.Mark = Style{FG: p.text.Blend(p.dim, 0.5)}
	t.Highlight = Style{FG: p.text, BG: p.selection}
	t.SliderFill = Style{FG: p.accent.Blend(p.back, 0.35)}
	t.Key = Style{FG: p.accent}
	for i := range t.Lane {
		l, c := &t.Lane[i], p.lane[i]
		l.Style = Style{FG: c}
		l.Soft = Style{FG: c.Blend(p.back, 0.45)}
		ramp(l.Trail[:], c.Blend(p.back, 0.70), c)
		l.Trail[TrailShades-1] = Style{FG: c.Blend(p.bright, 0.45), Attr: Bold}
		l.Ring = Style{FG: c.Blend(p.bright, 0.7), Attr: Bold}
	}
	ramp(t.Contour[:], p.contourLow, p.contourHigh)
	for i, c := range p.heat {
		t.Heat[i] = Style{FG: c}
	}
}

// plain tells roles apart by attributes alone.
func (t *Theme) plain() {
	faint, bold := Style{Attr: Faint}, Style{Attr: Bold}
	t.Dim, t.Faint, t.Border = faint, faint, faint
	t.Title, t.TitleFocus = bold, Style{Attr: Bold | Reverse}
	t.Focus, t.Accent, t.Key = bold, bold, bold
	t.Warn, t.Bad = bold, Style{Attr: Bold | Underline}
	t.Truth, t.Curve, t.Bias = bold, bold, bold
	t.Highlight = Style{Attr: Reverse}
	for i := range t.Lane {
		l := &t.Lane[i]
		l.Soft, l.Ring = faint, bold
		l.Trail = [TrailShades]Style{faint, faint, {}, {}, bold, bold}
	}
	for i := range t.Contour {
		t.Contour[i] = faint
	}
}

// TrailAt returns the shade for a draw of the given age: 0 is the newest, 1
// the oldest kept. Ages outside [0, 1] are clamped.
func (l *LaneLook) TrailAt(age float64) Style {
	if age != age {
		age = 1
	}
	i := int((1 - min(max(age, 0), 1)) * TrailShades)
	return l.Trail[min(i, TrailShades-1)]
}

// Chain is the shade of chain i of so many: from muted, the first, by way of the lane's own
// colour to bright. Without colour it is faint, plain or bold.
func (l *LaneLook) Chain(i, of int) Style {
	if of < 2 {
		return l.Style
	}
	t := min(max(float64(i)/float64(of-1), 0), 1)
	low, high := l.Soft, l.Trail[TrailShades-1]
	if !l.Style.FG.IsSet() {
		return [...]Style{low, l.Style, high}[min(int(3*t), 2)]
	}
	if t < 0.5 {
		return Style{FG: low.FG.Blend(l.Style.FG, 2*t)}
	}
	return Style{FG: l.Style.FG.Blend(high.FG, 2*t-1)}
}

// Badge is a style for a number or a letter in a colour, that stands out of dots.
func (t *Theme) Badge(s Style) Style {
	if !s.FG.IsSet() {
		return Style{Attr: Bold | Reverse}
	}
	return Style{FG: t.Ground, BG: s.FG, Attr: Bold}
}

// HeatAt returns the shade for t in [0, 1], clamped; NaN gives the Faint style.
func (t Theme) HeatAt(v float64) Style {
	if v != v {
		return t.Faint
	}
	i := int(min(max(v, 0), 1) * HeatShades)
	return t.Heat[min(i, HeatShades-1)]
}

// Rune is unicode, or ascii on a screen that has ASCII alone.
func (t *Theme) Rune(unicode, ascii rune) rune {
	if t.ASCII {
		return ascii
	}
	return unicode
}

// Cursor marks where the next character goes.
func (t *Theme) Cursor() string { return string(t.Rune('▏', '|')) }

// sixteen are colours that a terminal with sixteen rounds to each of them, in their order: black, red,
// green, yellow, blue, magenta, cyan and white, then the same, bright.
var sixteen = [16]Color{
	RGB(0, 0, 0), RGB(0x80, 0, 0), RGB(0, 0x80, 0), RGB(0x80, 0x80, 0),
	RGB(0, 0, 0x80), RGB(0x80, 0, 0x80), RGB(0, 0x80, 0x80), RGB(0x9e, 0x9e, 0x9e),
	RGB(0x6c, 0x6c, 0x6c), RGB(0xff, 0, 0), RGB(0, 0xff, 0), RGB(0xff, 0xff, 0),
	RGB(0, 0, 0xff), RGB(0xff, 0, 0xff), RGB(0, 0xff, 0xff), RGB(0xff, 0xff, 0xff),
}

// basic gives what must be told apart colours that are among the sixteen, the same in all palettes:
// rounded, an orange lane would be as red as what is bad.
func (t *Theme) basic() {
	bright, muted := [NumLanes]int{12, 11, 10, 13}, [NumLanes]int{4, 3, 2, 5}
	truth, curve, bias, accent, good, warn, bad := 15, 6, 5, 14, 10, 3, 9
	low, high := 8, 7
	if !t.Dark { // muted on white is grey: the bright colours are hard to see there
		bright, muted = muted, [NumLanes]int{7, 7, 7, 7}
		truth, curve, bias, accent, good, warn, bad = 0, 12, 9, 6, 2, 3, 1
		low, high = 7, 8
	}
	for s, i := range map[*Style]int{&t.Truth: truth, &t.Curve: curve, &t.Bias: bias, &t.Good: good, &t.Warn: warn,
		&t.Bad: bad, &t.TitleFocus: accent, &t.Focus: accent, &t.Accent: accent, &t.SliderFill: accent,
		&t.Key: accent} {
		s.FG = sixteen[i]
	}
	for i := range t.Lane {
		l := &t.Lane[i]
		l.Style.FG, l.Ring.FG, l.Soft.FG = sixteen[bright[i]], sixteen[bright[i]], sixteen[muted[i]]
		for k := range l.Trail {
			l.Trail[k].FG = sixteen[[]int{muted[i], bright[i]}[2*k/TrailShades]]
		}
	}
	for i := range t.Contour {
		t.Contour[i].FG = sixteen[[]int{low, high}[2*i/ContourShades]]
	}
	for i := range t.Heat {
		t.Heat[i].FG = sixteen[[]int{4, 8, 7, 11}[4*i/HeatShades]]
	}
}

// ASCIIOnly says why a terminal with an environment is taken to draw ASCII alone, empty where it is
// not: Linux's console has no braille, and a locale may have another charset.
// Without a locale a terminal is one of today, with UTF-8.
func ASCIIOnly(getenv func(key string) string) string {
	switch term := getenv("TERM"); term {
	case "dumb", "linux":
		return "TERM=" + term
	}
	for _, key := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(key); v != "" {
			if name := strings.ToUpper(v); strings.Contains(name, "UTF-8") || strings.Contains(name, "UTF8") {
				return ""
			}
			return key + "=" + v
		}
	}
	return ""
}
