package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/theme"
)

// drawnFigures are one of each kind that a report has.
func drawnFigures() []figure.Figure {
	r := rand.New(rand.NewPCG(1, 2))
	scatter := figure.Figure{ID: "scatter", Title: "The first 300 draws at ε = 0.3", Columns: 2}
	for _, name := range []string{"pSGLD", "SGLD"} {
		s := figure.Series{Name: name, Of: strings.ToLower(name), Style: figure.Points}
		for range 300 {
			s.X, s.Y = append(s.X, 0.4*r.NormFloat64()), append(s.Y, r.NormFloat64())
		}
		p := figure.Panel{Title: name, X: figure.Axis{Label: "θ₁", Min: -4, Max: 4},
			Y: figure.Axis{Label: "θ₂", Min: -4, Max: 4}, Series: []figure.Series{s}}
		for k := range 3 {
			p.Contours = append(p.Contours, figure.Ellipse{A: 0.4 * float64(k+1), B: float64(k + 1)})
		}
		scatter.Panels = append(scatter.Panels, p)
	}
	eps := []float64{0.01, 0.03, 0.1, 0.3, 0.6}
	errors := figure.Figure{ID: "errors",
		Title: "Covariance error and autocorrelation time against the step size, and one against the other", Columns: 3,
		Panels: []figure.Panel{
			{
				Title: "covariance error",
				X:     figure.Axis{Label: "ε", Log: true},
				Y:     figure.Axis{Label: "Σ |error|", Log: true},
				Series: []figure.Series{
					{Name: "pSGLD", Of: "psgld", Style: figure.Both, X: eps,
						Y: []float64{0.539, 0.274, 0.136, 0.153, 0.259}, Err: []float64{0.1, 0.1, 0.05, 0.03, 0.5}},
					{Name: "SGLD", Of: "sgld", Style: figure.Both, X: eps,
						Y: []float64{0.085, 0.041, 0.054, 0.224, 2.598}},
					{Name: "SGLD, exact", Like: "SGLD", Style: figure.Line, X: eps,
						Y: []float64{0.005, 0.015, 0.052, 0.22, 2.5}, Paper: true},
				},
			},
			{
				Title: "autocorrelation time", X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: "τ"},
				Series: []figure.Series{
					{Name: "pSGLD", Of: "psgld", Style: figure.Both, X: eps,
						Y: []float64{160, 60, 20, 6.9, math.NaN()}},
					{Name: "pSGLD (paper)", Like: "pSGLD", Style: figure.Points, X: []float64{0.1, 0.3},
						Y: []float64{25, 9}, Paper: true},
				},
			},
			{Title: "nothing", X: figure.Axis{Label: "τ"}},
		}}
	learning := figure.Figure{ID: "learning", Title: "Learning curves", Columns: 1,
		Panels: []figure.Panel{{X: figure.Axis{Label: "epochs"},
			Y: figure.Axis{Label: "test error, %", Min: 1, Max: 5}}}}
	for k, name := range []string{"pSGLD, σ² = 100", "pSGLD, σ² = 1", "SGLD", "SGD"} {
		sampler, _, _ := strings.Cut(strings.ToLower(name), ",")
		s := figure.Series{Name: name, Of: sampler, Style: figure.Line}
		for i := range 100 {
			e := float64(i + 1)
			s.X, s.Y = append(s.X, e), append(s.Y, (1.3+0.3*float64(k))*(1+6*math.Exp(-e/9)))
		}
		learning.Panels[0].Series = append(learning.Panels[0].Series, s)
	}
	steps := figure.Figure{ID: "steps", Title: "Weights at the end", Columns: 1,
		Panels: []figure.Panel{{X: figure.Axis{Label: "weight"}, Y: figure.Axis{Label: "density"}}}}
	for k, name := range []string{"pSGLD", "SGD"} {
		s := figure.Series{Name: name, Of: strings.ToLower(name), Style: figure.Steps, X: []float64{-1}}
		for i := range 20 {
			x := (float64(i) - 9.5) / 10
			s.X = append(s.X, float64(i+1)/10-1)
			s.Y = append(s.Y, math.Exp(-x*x*float64(10-6*k)))
		}
		steps.Panels[0].Series = append(steps.Panels[0].Series, s)
	}
	return []figure.Figure{scatter, errors, learning, steps, {ID: "empty"}}
}

func TestFigureGolden(t *testing.T) {
	for _, f := range drawnFigures() {
		for _, width := range []int{80, 120} {
			goldentest.Text(t, fmt.Sprintf("figure-%s-%d", f.ID, width), Figure(f, width, planetest.Plain()))
		}
		goldentest.Text(t, fmt.Sprintf("figure-%s-80-ascii", f.ID), Figure(f, 80, planetest.ASCII()))
	}
}

// TestFigureWidth: at every width and in every theme no line is wider, ASCII is
// ASCII, and without colour there is no escape sequence.
func TestFigureWidth(t *testing.T) {
	for _, f := range drawnFigures() {
		for _, th := range planetest.Themes() {
			for width := -1; width < 200; width += 1 + width/7 {
				checkFigure(t, f, width, th)
			}
		}
	}
}

func checkFigure(t *testing.T, f figure.Figure, width int, th theme.Theme) {
	t.Helper()
	text := Figure(f, width, th)
	for i, line := range strings.Split(text, "\n") {
		if n := ansi.StringWidth(line); n > max(width, figureLeast) {
			t.Fatalf("%s at %d: line %d is %d cells: %q", f.ID, width, i, n, line)
		}
	}
	if th.NoColor && strings.ContainsRune(text, '\x1b') {
		t.Fatalf("%s: escape sequences without colour", f.ID)
	}
	if th.ASCII && strings.ContainsFunc(text, func(r rune) bool {
		return r > 0x7e || r < 0x20 && r != '\n' && r != '\x1b'
	}) {
		t.Fatalf("%s: not ASCII", f.ID)
	}
}

// TestFigureColours: samplers have the colours of the screen's lanes, in figure files
// too.
func TestFigureColours(t *testing.T) {
	light := theme.New(false, false, false)
	for i, lane := range light.Lane {
		c := figure.Hues()[i]
		if r, g, b := lane.Style.FG.Channels(); [3]uint8{r, g, b} != c {
			t.Errorf("hue %d is %x in files, lane %s %x", i, c, lane.Name, lane.Style.FG)
		}
		for _, th := range planetest.Themes() {
			if got := markRune(th, figure.Look{Hue: i}, false); got != th.Lane[i].Glyph {
				t.Errorf("hue %d has the mark %c, the lane %c", i, got, th.Lane[i].Glyph)
			}
		}
	}
	looks := drawnFigures()[1].Looks()[0]
	if looks[0].Hue != 0 || looks[1].Hue != 1 || looks[2] != looks[1] {
		t.Errorf("looks %v", looks)
	}
}

// hostileFigure is a figure with numbers, names and ranges that a broken run could
// produce.
func hostileFigure(r *rand.Rand) figure.Figure {
	styles := []figure.Style{figure.Line, figure.Points, figure.Both, figure.Steps, "?"}
	names := []string{"", "SGLD", "pSGLD", "世界 SGD", "a\x1b[31m\nb\xff", "x⁻⁵",
		"RMSprop, a very long name of a series, longer than a line is wide by a good deal"}
	axis := func() figure.Axis {
		a := figure.Axis{Label: names[r.IntN(len(names))], Log: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			a.Min, a.Max = planetest.Hostile(r), planetest.Hostile(r)
		}
		return a
	}
	f := figure.Figure{ID: "hostile", Title: names[r.IntN(len(names))], Columns: r.IntN(5) - 1}
	for range r.IntN(5) {
		p := figure.Panel{Title: names[r.IntN(len(names))], X: axis(), Y: axis()}
		for range r.IntN(9) {
			n := r.IntN(90)
			s := figure.Series{Name: names[r.IntN(len(names))], Style: styles[r.IntN(len(styles))],
				X: planetest.Floats(r, n), Y: planetest.Floats(r, max(n+r.IntN(3)-1, 0)), Paper: r.IntN(3) == 0}
			if r.IntN(2) == 0 {
				s.Err = planetest.Floats(r, r.IntN(100))
			}
			p.Series = append(p.Series, s)
		}
		for range r.IntN(3) {
			p.Contours = append(p.Contours, figure.Ellipse{A: planetest.Hostile(r), B: planetest.Hostile(r)})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

func FuzzFigure(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(seed, int(seed*7), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, width int, mode uint8) {
		checkFigure(t, hostileFigure(rand.New(rand.NewPCG(seed, 1))), width%300, planetest.Themes()[int(mode)%5])
	})
}
