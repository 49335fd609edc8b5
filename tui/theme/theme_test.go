package theme

import (
	"fmt"
	"image/color"
	"math"
	"reflect"
	"slices"
	"testing"
	"unicode/utf8"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// each calls f for every theme there is.
func each(t *testing.T, f func(t *testing.T, th Theme)) {
	t.Helper()
	for i := range 16 {
		th := Of(Look{Dark: i&1 == 0, NoColor: i&2 != 0, ASCII: i&4 != 0, Thick: i&8 != 0})
		t.Run(map[bool]string{true: "dark", false: "light"}[th.Dark]+
			map[bool]string{true: "-nocolor"}[th.NoColor]+map[bool]string{true: "-ascii"}[th.ASCII],
			func(t *testing.T) { f(t, th) })
	}
}

// coloured are the looks with colours of their own.
func coloured() (all []Look) {
	for i := range Palettes() {
		all = append(all, Look{Dark: true, Palette: Palette(i)}, Look{Palette: Palette(i)})
	}
	return all
}

// walk visits every value of a type within v.
func walk[T any](v reflect.Value, f func(T)) {
	if x, ok := v.Interface().(T); ok {
		f(x)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			walk(v.Field(i), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			walk(v.Index(i), f)
		}
	}
}

func TestLanesDifferWithoutColour(t *testing.T) {
	each(t, func(t *testing.T, th Theme) {
		for i, a := range th.Lane {
			if a.Name != string(rune('A'+i)) {
				t.Errorf("lane %d is named %q", i, a.Name)
			}
			for _, b := range th.Lane[:i] {
				same := slices.Equal(th.Glyphs.Dashes[a.Line], th.Glyphs.Dashes[b.Line]) &&
					th.Glyphs.Lines[a.Line] == th.Glyphs.Lines[b.Line]
				if a.Glyph == b.Glyph || same {
					t.Errorf("lanes %s and %s share a glyph or a line", a.Name, b.Name)
				}
			}
		}
	})
}

func TestASCIIKeepsToASCII(t *testing.T) {
	each(t, func(t *testing.T, th Theme) {
		if th.Glyphs.Braille == th.ASCII {
			t.Error("braille must be off in ASCII and on elsewhere")
		}
		check := func(r rune) {
			if r == 0 || !utf8.ValidRune(r) || th.ASCII && (r < 0x20 || r > 0x7e) {
				t.Errorf("glyph %q (%U)", r, r)
			}
		}
		walk(reflect.ValueOf(th.Glyphs), check)
		walk(reflect.ValueOf(th.Glyphs), func(s string) {
			if want := map[bool]int{true: 6}[th.ASCII]; len(s) != want {
				t.Errorf("line %q has not %d characters", s, want)
			}
			for _, r := range s {
				check(r)
			}
		})
		for _, l := range th.Lane {
			check(l.Glyph)
		}
	})
}

func TestNoColorHasNoColour(t *testing.T) {
	each(t, func(t *testing.T, th Theme) {
		coloured := 0
		walk(reflect.ValueOf(th), func(c Color) {
			if c.IsSet() {
				coloured++
			}
		})
		if th.NoColor && coloured > 0 {
			t.Errorf("%d colours in a theme without colour", coloured)
		}
		if !th.NoColor && coloured < 50 {
			t.Errorf("only %d colours", coloured)
		}
		if th.NoColor && (th.Bad == th.Good || th.Focus == th.Border || th.Highlight == (Style{})) {
			t.Error("roles that matter must differ by attribute")
		}
	})
}

// linear undoes sRGB's transfer curve.
func linear(c uint8) float64 {
	v := float64(c) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// contrast is WCAG 2's contrast ratio.
func contrast(a, b Color) float64 {
	lum := func(c Color) float64 {
		r, g, b := c.Channels()
		return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
	}
	la, lb := lum(a), lum(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// TestContrast asks for WCAG's 4.5 for text and 3 for marks, on the worse of
// black (or white) and the theme's own ground.
func TestContrast(t *testing.T) {
	for _, look := range coloured() {
		dark := fmt.Sprint(look.Dark, " ", look.Palette)
		th := Of(look)
		for name, s := range map[string]Style{
			"text": th.Text, "title": th.Title, "dim": th.Dim, "good": th.Good, "warn": th.Warn,
			"bad": th.Bad, "accent": th.Accent, "truth": th.Truth,
		} {
			if c := contrast(s.FG, th.Ground); c < 4.5 {
				t.Errorf("dark %s: %s has contrast %.2f", dark, name, c)
			}
		}
		for _, l := range th.Lane {
			if c := contrast(l.Style.FG, th.Ground); c < 3 {
				t.Errorf("dark %s: lane %s has contrast %.2f", dark, l.Name, c)
			}
		}
		if c := contrast(th.Highlight.FG, th.Highlight.BG); c < 4.5 {
			t.Errorf("dark %s: the selected row has contrast %.2f", dark, c)
		}
	}
}

// lab is CIE L*a*b* (D65) of a linear RGB colour.
func lab(r, g, b float64) [3]float64 {
	f := func(t float64) float64 {
		t = max(t, 0)
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*r + 0.3575761*g + 0.1804375*b) / 0.95047)
	y := f(0.2126729*r + 0.7151522*g + 0.0721750*b)
	z := f((0.0193339*r + 0.1191920*g + 0.9503041*b) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// TestLanesDifferWithColourDeficiency simulates full protanopia, deuteranopia
// and tritanopia (Machado, Oliveira and Fernandes 2009, Table 1, severity 1)
// and asks for a distance of 10 in CIE 1976 between lanes; 2.3 is just
// noticeable.
func TestLanesDifferWithColourDeficiency(t *testing.T) {
	sims := map[string][9]float64{
		"none":         {1, 0, 0, 0, 1, 0, 0, 0, 1},
		"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
		"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
		"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
	}
	for _, look := range coloured() {
		dark := fmt.Sprint(look.Dark, " ", look.Palette)
		th := Of(look)
		for name, m := range sims {
			seen := func(c Color) [3]float64 {
				cr, cg, cb := c.Channels()
				r, g, b := linear(cr), linear(cg), linear(cb)
				return lab(m[0]*r+m[1]*g+m[2]*b, m[3]*r+m[4]*g+m[5]*b, m[6]*r+m[7]*g+m[8]*b)
			}
			for i, a := range th.Lane {
				for _, b := range th.Lane[:i] {
					p, q := seen(a.Style.FG), seen(b.Style.FG)
					d := math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
					if d < 10 {
						t.Errorf("dark %s, %s: lanes %s and %s are %.1f apart", dark, name, b.Name, a.Name, d)
					}
				}
			}
		}
	}
}

// as is a colour as a terminal of so many colours shows it.
func (d Depth) as(c Color) Color {
	return FromColor(map[Depth]colorprofile.Profile{
		TrueColor: colorprofile.TrueColor, Indexed: colorprofile.ANSI256, Basic: colorprofile.ANSI,
	}[d].Convert(c))
}

// Trails and contours move away from the background, the ground within contours too, and heat
// grows lighter, in every palette and on every terminal: where colours are rounded two neighbours
// may be one, but none goes back, and the ends differ.
func TestRampsRise(t *testing.T) {
	for _, look := range coloured() {
		for look.Depth = range Basic + 1 {
			th := Of(look)
			ramps := map[string][]Style{"contour": th.Contour[:], "heat": th.Heat[:]}
			for i := range th.Lane {
				ramps["trail "+th.Lane[i].Name] = th.Lane[i].Trail[:]
			}
			for _, share := range []float64{0.10, 0.20, 0.32} { // as the stage shades a density
				ramps["ground"] = append(ramps["ground"],
					Style{FG: th.Ground.Blend(th.Contour[ContourShades-1].FG, share)})
			}
			for name, r := range ramps {
				ground := look.Depth.as(th.Ground)
				if name == "heat" {
					ground = RGB(0, 0, 0)
				}
				away := func(i int) float64 { return contrast(look.Depth.as(r[i].FG), ground) }
				for i := 1; i < len(r); i++ {
					if d := away(i) - away(i-1); d < 0 || d == 0 && look.Depth == TrueColor {
						t.Errorf("%+v: %s falls at %d", look, name, i)
					}
				}
				if away(len(r)-1) == away(0) && !(name == "ground" && look.Depth == Basic) {
					t.Errorf("%+v: %s has one shade", look, name)
				}
			}
		}
	}
}

// What lies over each other in one chart has colours of its own also where there are sixteen.
func TestSixteenKeepApart(t *testing.T) {
	for _, dark := range []bool{false, true} {
		th := Of(Look{Dark: dark, Depth: Basic})
		seen := map[Color]string{}
		for i, s := range []Style{th.Lane[0].Style, th.Lane[1].Style, th.Lane[2].Style, th.Lane[3].Style,
			th.Truth, th.Curve, th.Bias, th.Bad, th.Accent} {
			c := Basic.as(s.FG)
			if other, ok := seen[c]; ok {
				t.Errorf("dark %v: role %d has the colour of role %s", dark, i, other)
			}
			seen[c] = fmt.Sprint(i)
		}
		for i, c := range sixteen {
			if got := colorprofile.ANSI.Convert(c); got != ansi.BasicColor(i) {
				t.Errorf("colour %d is drawn as %v", i, got)
			}
		}
	}
}

func TestRampsTakeAnything(t *testing.T) {
	th := New(true, false, false)
	l := &th.Lane[1]
	newest, oldest := l.Trail[TrailShades-1], l.Trail[0]
	for _, c := range []struct {
		age  float64
		want Style
	}{{0, newest}, {-3, newest}, {1, oldest}, {math.Inf(1), oldest}, {math.NaN(), oldest}, {0.99, oldest},
		{0.01, newest}} {
		if got := l.TrailAt(c.age); got != c.want {
			t.Errorf("age %v: %v", c.age, got)
		}
	}
	for _, c := range []struct {
		v    float64
		want Style
	}{{0, th.Heat[0]}, {1, th.Heat[7]}, {math.Inf(-1), th.Heat[0]}, {math.Inf(1), th.Heat[7]}, {math.NaN(), th.Faint}} {
		if got := th.HeatAt(c.v); got != c.want {
			t.Errorf("heat %v: %v", c.v, got)
		}
	}
}

func TestColor(t *testing.T) {
	c := RGB(1, 200, 255)
	if r, g, b := c.Channels(); r != 1 || g != 200 || b != 255 {
		t.Errorf("channels %d %d %d", r, g, b)
	}
	var _ color.Color = c
	for _, in := range []color.Color{c, color.RGBA{1, 200, 255, 255}, lipgloss.Color("#01c8ff")} {
		if got := FromColor(in); got != c {
			t.Errorf("FromColor(%v) = %x, want %x", in, got, c)
		}
	}
	if FromColor(nil).IsSet() || FromColor(lipgloss.NoColor{}).IsSet() || !RGB(0, 0, 0).IsSet() {
		t.Error("black is a colour; nil and NoColor are none")
	}
	if got := RGB(0, 0, 0).Blend(RGB(255, 100, 0), 0.5); got != RGB(128, 50, 0) {
		t.Errorf("blend %x", got)
	}
	if got := RGB(9, 9, 9).Blend(0, 0.5); got != RGB(9, 9, 9) {
		t.Errorf("blend with nothing: %x", got)
	}
}

func TestStyle(t *testing.T) {
	got := (Style{FG: 1, Attr: Bold}).On(Style{BG: 2, Attr: Reverse})
	if got != (Style{FG: 1, BG: 2, Attr: Bold | Reverse}) {
		t.Errorf("On: %v", got)
	}
	if got := (Style{Attr: Bold | Faint}).Without(Bold).With(Italic); got.Attr != Faint|Italic {
		t.Errorf("attributes %b", got.Attr)
	}
}
