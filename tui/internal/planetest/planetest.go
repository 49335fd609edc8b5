// Package planetest helps the tests of what is drawn on a plane.
package planetest

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Plain and ASCII are the themes of the goldens.
func Plain() theme.Theme { return theme.New(true, true, false) }
func ASCII() theme.Theme { return theme.New(true, true, true) }
func Dark() theme.Theme  { return theme.New(true, false, false) }

// Themes are all kinds that drawing may distinguish.
func Themes() []theme.Theme {
	return []theme.Theme{Dark(), theme.New(false, false, false), Plain(), ASCII(), theme.New(true, false, true)}
}

// Picture draws on a plane of its own and returns the plain text.
func Picture(th theme.Theme, w, h int, draw func(g plane.Region)) string {
	p := plane.NewPlane(w, h)
	p.ASCII = th.ASCII
	draw(p.Region())
	return p.RenderPlain()
}

// Guarded draws into a region in the middle of a plane filled with a sentinel and fails if a cell outside the region
// changes, or if what Render writes is not the plane's size.
func Guarded(t *testing.T, th theme.Theme, w, h int, draw func(g plane.Region)) {
	t.Helper()
	const margin = 2
	sentinel := plane.Style{FG: theme.RGB(1, 2, 3), Attr: theme.Underline}
	p := plane.NewPlane(w+2*margin, h+2*margin)
	p.ASCII = th.ASCII
	p.Region().Fill('\u00a7', sentinel)
	in := plane.Rect{X: margin, Y: margin, W: w, H: h}
	p.Sub(in).Fill(' ', plane.Style{})
	draw(p.Sub(in))
	whole := p.Region()
	for y := range whole.H() {
		for x := range whole.W() {
			if r := whole.At(x, y); !in.Contains(x, y) && (r != '\u00a7' || whole.StyleAt(x, y) != sentinel) {
				t.Fatalf("%d×%d: wrote %q at (%d,%d), outside", w, h, r, x-margin, y-margin)
			}
		}
	}
	CheckSize(t, p)
}

// CheckSize fails unless Render writes H lines of W cells, in ASCII if asked.
func CheckSize(t *testing.T, p *plane.Plane) {
	t.Helper()
	w, h := p.Size()
	if h == 0 {
		return
	}
	out := p.Render()
	lines := strings.Split(out, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Fatalf("line %d is %d cells wide, want %d: %q", i, n, w, l)
		}
	}
	if p.ASCII {
		for _, r := range out {
			if r > 0x7e || r < 0x20 && r != '\n' && r != '\x1b' {
				t.Fatalf("%q in an ASCII plane", r)
			}
		}
	}
}

// Hostile is a float that a broken run could produce.
func Hostile(r *rand.Rand) float64 {
	all := [...]float64{
		math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0,
		math.Copysign(0, -1),
		1e15 + r.Float64(), math.Exp(200 * r.NormFloat64()), float64(r.IntN(10)), r.NormFloat64(), r.NormFloat64(),
		r.NormFloat64(),
	}
	return all[r.IntN(len(all))]
}

// Floats are n hostile values, or n ordinary ones.
func Floats(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	bad := r.IntN(3) > 0
	for i := range out {
		if bad {
			out[i] = Hostile(r)
		} else {
			out[i] = r.NormFloat64()
		}
	}
	return out
}

// Size is a side of a region, small ones more often.
func Size(r *rand.Rand) int {
	if r.IntN(2) == 0 {
		return r.IntN(12)
	}
	return r.IntN(300)
}

// Keys are the keys of some bindings, by their names, for what panes say of them.
func Keys(name string) string {
	keys := map[string]string{"pause": "space", "sweep: pause": "p", "restart": "R", "rewind": "r",
		"before and after":        "d",
		"history":                 "b",
		"browse and shift images": "i", "images: next shift": "tab", "target": "t"}
	return keys[name]
}
