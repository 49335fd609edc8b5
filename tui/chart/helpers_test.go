package chart

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/theme"
)

// plain and ascii are the themes of the goldens.
func plain() theme.Theme { return theme.New(true, true, false) }
func ascii() theme.Theme { return theme.New(true, true, true) }
func dark() theme.Theme  { return theme.New(true, false, false) }

// themes are all kinds that drawing may distinguish.
func themes() []theme.Theme {
	return []theme.Theme{dark(), theme.New(false, false, false), plain(), ascii(), theme.New(true, false, true)}
}

// picture draws on a plane of its own and returns the plain text.
func picture(th theme.Theme, w, h int, draw func(g Region)) string {
	p := NewPlane(w, h)
	p.ASCII = th.ASCII
	draw(p.Region())
	return p.RenderPlain()
}

// guarded draws into a region in the middle of a plane filled with a sentinel
// and fails if a cell outside the region changes, or if what Render writes is
// not the plane's size.
func guarded(t *testing.T, th theme.Theme, w, h int, draw func(g Region)) {
	t.Helper()
	const margin = 2
	sentinel := Style{FG: theme.RGB(1, 2, 3), Attr: theme.Underline}
	p := NewPlane(w+2*margin, h+2*margin)
	p.ASCII = th.ASCII
	p.Region().Fill('\u00a7', sentinel)
	in := Rect{margin, margin, w, h}
	p.Sub(in).Fill(' ', Style{})
	draw(p.Sub(in))
	for y := range p.h {
		for x := range p.w {
			if c := p.cells[y*p.w+x]; !in.Contains(x, y) && (c.r != '\u00a7' || c.style != sentinel) {
				t.Fatalf("%d×%d: wrote %q at (%d,%d), outside", w, h, c.r, x-margin, y-margin)
			}
		}
	}
	checkSize(t, p)
}

// checkSize fails unless Render writes H lines of W cells, in ASCII if asked.
func checkSize(t *testing.T, p *Plane) {
	t.Helper()
	if p.h == 0 {
		return
	}
	out := p.Render()
	lines := strings.Split(out, "\n")
	if len(lines) != p.h {
		t.Fatalf("%d lines, want %d", len(lines), p.h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != p.w {
			t.Fatalf("line %d is %d cells wide, want %d: %q", i, n, p.w, l)
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

// hostile is a float that a broken run could produce.
func hostile(r *rand.Rand) float64 {
	switch r.IntN(14) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1)
	case 2:
		return math.Inf(-1)
	case 3:
		return math.MaxFloat64
	case 4:
		return -math.MaxFloat64
	case 5:
		return math.SmallestNonzeroFloat64
	case 6:
		return 0
	case 7:
		return math.Copysign(0, -1)
	case 8:
		return 1e15 + r.Float64()
	case 9:
		return math.Exp(200 * r.NormFloat64())
	case 10:
		return float64(r.IntN(10))
	}
	return r.NormFloat64()
}

// floats are n hostile values, or n ordinary ones.
func floats(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	bad := r.IntN(3) > 0
	for i := range out {
		if bad {
			out[i] = hostile(r)
		} else {
			out[i] = r.NormFloat64()
		}
	}
	return out
}

// size is a side of a region, small ones more often.
func size(r *rand.Rand) int {
	if r.IntN(2) == 0 {
		return r.IntN(12)
	}
	return r.IntN(300)
}

// curves are smooth curves with a little noise, the same at every call.
func curves(n int) (xs, fast, slow []float64) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		t := float64(i) * 12000 / float64(n)
		xs = append(xs, t)
		fast = append(fast, 0.15+2/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
		slow = append(slow, 0.22+5/math.Sqrt(t+5)*math.Exp(0.1*r.NormFloat64()))
	}
	return xs, fast, slow
}

// cloud is n draws of N(0, diag(0.16, 1)).
func cloud(n int) (xs, ys []float64) {
	r := rand.New(rand.NewPCG(3, 4))
	for range n {
		xs = append(xs, 0.4*r.NormFloat64())
		ys = append(ys, r.NormFloat64())
	}
	return xs, ys
}

func logDensity(x, y float64) float64 { return -x*x/0.32 - y*y/2 }
