package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// scatterDrawing is like figure 1(b): draws over the contours of N(0, diag(0.16, 1)).
func scatterDrawing() figure.Figure {
	r := rand.New(rand.NewPCG(1, 2))
	f := figure.Figure{ID: "fig1b", Title: "The first 600 draws at ε = 0.3 over N(0, diag(0.16, 1))", Columns: 2}
	for _, name := range []string{"pSGLD", "SGLD"} {
		s := figure.Series{Name: name, Of: strings.ToLower(name), Style: figure.Points}
		for range 600 {
			s.X = append(s.X, 0.4*r.NormFloat64())
			s.Y = append(s.Y, r.NormFloat64())
		}
		p := figure.Panel{Title: name, X: figure.Axis{Label: "θ₁"}, Y: figure.Axis{Label: "θ₂"},
			Series: []figure.Series{s}}
		for k := range 3 {
			p.Contours = append(p.Contours, figure.Ellipse{A: 0.4 * float64(k+1), B: float64(k + 1)})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// errorDrawing is like figure 1(a): error bars on two logarithmic axes, with the
// paper's curve and a theoretical one.
func errorDrawing() figure.Figure {
	eps := []float64{0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	sgld := []float64{0.085, 0.041, 0.054, 0.127, 0.224, 0.380, 0.717, 2.598}
	psgld := []float64{0.539, 0.274, 0.136, 0.130, 0.153, 0.184, 0.220, 0.259}
	gamma := []float64{0.524, 0.260, 0.124, 0.119, 0.142, 0.174, 0.211, 0.251}
	var err, exact []float64
	for i, e := range eps {
		err = append(err, 0.1*sgld[i])
		v := func(s float64) float64 { return s*s/(1-e/(4*s*s)) - s*s }
		exact = append(exact, v(0.4)+v(1))
	}
	return figure.Figure{ID: "fig1a", Title: "Covariance error and autocorrelation time against the step size",
		Columns: 2, Panels: []figure.Panel{{
			Title: "covariance error",
			X:     figure.Axis{Label: "step size ε", Log: true},
			Y:     figure.Axis{Label: "Σ |error|", Log: true},
			Series: []figure.Series{
				{Name: "pSGLD", Of: "psgld", Style: figure.Both, X: eps, Y: psgld, Err: err},
				{Name: "pSGLD + Γ", Of: "psgld", Style: figure.Both, X: eps, Y: gamma},
				{Name: "SGLD", Of: "sgld", Style: figure.Both, X: eps, Y: sgld, Err: err},
				{Name: "SGLD, exact", Like: "SGLD", Style: figure.Line, X: eps, Y: exact, Paper: true},
			},
		}, {
			Title: "autocorrelation time",
			X:     figure.Axis{Label: "step size ε", Log: true},
			Y:     figure.Axis{Label: "τ (draws)"},
			Series: []figure.Series{
				{Name: "pSGLD", Of: "psgld", Style: figure.Both, X: eps,
					Y: []float64{160, 60, 20, 10, 6.9, 5.2, 4.1, 3.5}},
				{Name: "SGLD", Of: "sgld", Style: figure.Both, X: eps,
					Y: []float64{196, 65, 19.5, 9.5, 6.1, 4.5, 3.5, math.NaN()}},
				{Name: "pSGLD (paper)", Like: "pSGLD", Style: figure.Points, Paper: true, X: []float64{0.1, 0.3},
					Y: []float64{25, 9}},
			},
		}}}
}

// learningDrawing is like figure 4: noisy falling curves, one of which stops.
func learningDrawing() figure.Figure {
	r := rand.New(rand.NewPCG(3, 4))
	f := figure.Figure{ID: "fig4",
		Title: "Test error of the averaged prediction against the epoch: MLP 784-400-400-10 on MNIST", Columns: 1}
	p := figure.Panel{X: figure.Axis{Label: "epoch"}, Y: figure.Axis{Label: "test error (%)", Log: true}}
	for k, name := range []string{"pSGLD, σ² = 100", "pSGLD, σ² = 1", "SGLD", "RMSprop", "RMSspectral", "SGD",
		"BBB, Gaussian prior", "SGD, dropout"} {
		s := figure.Series{Name: name, Of: firstWord(name), Style: figure.Line}
		for i := range 200 {
			e := float64(i+1) / 2
			y := (1.3 + 0.1*float64(k)) * (1 + 6*math.Exp(-e/6)) * (1 + 0.02*r.NormFloat64())
			if name == "SGD" && i > 120 {
				y = math.NaN()
			}
			s.X, s.Y = append(s.X, e), append(s.Y, y)
		}
		p.Series = append(p.Series, s)
	}
	p.Series = append(p.Series,
		figure.Series{Name: "pSGLD, σ² = 1 (paper)", Like: "pSGLD, σ² = 1", Style: figure.Line, Paper: true,
			X: []float64{0, 100}, Y: []float64{1.45, 1.45}})
	f.Panels = []figure.Panel{p}
	return f
}

// stepsDrawing has histograms.
func stepsDrawing() figure.Figure {
	f := figure.Figure{ID: "weights", Title: "Weights at the end", Columns: 3}
	for k, layer := range []string{"784 × 400", "400 × 400", "400 × 10"} {
		p := figure.Panel{Title: layer, X: figure.Axis{Label: "weight"}, Y: figure.Axis{Label: "density"}}
		for i, name := range []string{"pSGLD", "SGLD", "SGD"} {
			s := figure.Series{Name: name, Of: firstWord(name), Style: figure.Steps, X: []float64{-0.5}}
			width := 0.05 * float64(i+k+1)
			for b := range 40 {
				x := -0.5 + float64(b)/40
				s.X = append(s.X, x+1./40)
				s.Y = append(s.Y, math.Exp(-x*x/2/width/width)/width/math.Sqrt(2*math.Pi))
			}
			p.Series = append(p.Series, s)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// firstWord is a sampler's key.
func firstWord(name string) string {
	word, _, _ := strings.Cut(strings.ToLower(name), ",")
	return word
}

// bareDrawing has the panels that there is little to draw in.
func bareDrawing() figure.Figure {
	nan := math.NaN()
	return figure.Figure{ID: "bare", Title: "Little to <draw> & \"more\"", Columns: 3, Panels: []figure.Panel{
		{Title: "no series"},
		{Title: "one point", Series: []figure.Series{{Name: "SGLD", Style: figure.Line, X: []float64{3},
			Y: []float64{5}}}},
		{Title: "not a number",
			Series: []figure.Series{{Name: "pSGLD", Of: "psgld", Style: figure.Both, X: []float64{1, 2},
				Y: []float64{nan, nan}}}},
		{Title: "not positive", Y: figure.Axis{Log: true},
			Series: []figure.Series{{Name: "SGD", Style: figure.Both, X: []float64{1, 2, 3},
				Y: []float64{0, -1, math.Inf(1)}}}},
		{Title: "gaps", Series: []figure.Series{{Name: "SGLD", Style: figure.Line, X: []float64{1, 2, 3, 4, 5, 6},
			Y: []float64{1, 2, nan, 4, nan, 1}}}},
	}}
}

func drawings() []figure.Figure {
	return []figure.Figure{scatterDrawing(), errorDrawing(), learningDrawing(), stepsDrawing(), bareDrawing(), {}}
}

// TestFigureFiles: the drawing of every kind of figure is a whole document, and the same again
// byte for byte. With FIGURES set they are left in that folder to be looked at.
func TestFigureFiles(t *testing.T) {
	for _, f := range drawings() {
		b, err := Draw(f)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Draw(f)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b, again) {
			t.Errorf("%s is not the same twice", f.ID)
		}
		if dir := os.Getenv("FIGURES"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, f.ID+".svg"), b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		checkDrawing(t, f.ID, b)
		for _, m := range painted.FindAll(b[bytes.Index(b, []byte("</style>")):], -1) {
			if !bytes.Contains(b, fmt.Appendf(nil, "[style*=\"%s\"]", m)) {
				t.Errorf("%s has no colour on a dark page for %s", f.ID, m)
			}
		}
	}
}

// On a dark page white is the page, ink is light, and no colour is darker than it was.
func TestOnDark(t *testing.T) {
	luminance := func(hex string) float64 {
		v, err := strconv.ParseUint(hex, 16, 24)
		if err != nil {
			t.Fatal(err)
		}
		return 0.2126*float64(v>>16) + 0.7152*float64(v>>8&0xff) + 0.0722*float64(v&0xff)
	}
	for hex, want := range map[string]string{"FFFFFF": "#171717", "000000": "#ffffff"} {
		if got := onDark(hex); got[:3] != want[:3] {
			t.Errorf("%s is %s, want %s", hex, got, want)
		}
	}
	for _, hue := range figure.Hues() {
		hex := fmt.Sprintf("%02X%02X%02X", hue[0], hue[1], hue[2])
		if got := onDark(hex); luminance(got[1:]) < max(luminance(hex), 90) {
			t.Errorf("%s is %s, which is dark", hex, got)
		}
	}
}

// checkDrawing fails unless b is a whole picture without a number that is none.
func checkDrawing(t *testing.T, name string, b []byte) {
	t.Helper()
	for in := xml.NewDecoder(bytes.NewReader(b)); ; {
		_, err := in.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
	for _, bad := range []string{"NaN", "Inf"} {
		if bytes.Contains(b, []byte(bad)) {
			t.Errorf("%s has %s in it", name, bad)
		}
	}
}

// TestTicks: labels are where their numbers are and as many as asked for or so.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s    figure.Span
		want string
	}{
		{figure.Span{Lo: 0, Hi: 10}, "0 2 4 6 8 10"},
		{figure.Span{Lo: -0.3, Hi: 0.3}, "−0.2 0 0.2"},
		{figure.Span{Lo: 0, Hi: 8e6}, "0 2×10⁶ 4×10⁶ 6×10⁶ 8×10⁶"},
		{figure.Span{Lo: 0.01, Hi: 1, Log: true}, "0.01 0.02 0.05 0.1 0.2 0.5 1"},
		{figure.Span{Lo: 1e-8, Hi: 1e-2, Log: true}, "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻²"},
		{figure.Span{Lo: 1.4, Hi: 4.5, Log: true}, "2 3 4"}, // over half a decade, with 2 alone of 1, 2 and 5
		{figure.Span{Lo: 1.2, Hi: 2.4, Log: true}, "1.25 1.50 1.75 2.00 2.25"},
		{figure.Span{Lo: 1e15, Hi: 1e15 + 1}, ""},
	} {
		var labels []string
		for _, k := range ticks(c.s, 5) {
			if k.Label != "" {
				labels = append(labels, k.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.s, got, c.want)
		}
	}
}

// hostileNumber is a number that a broken run could produce.
func hostileNumber(r *rand.Rand) float64 {
	all := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64,
		math.SmallestNonzeroFloat64, 0, math.Copysign(0, -1), 1e300, -1e300, 1e-300, 1e15 + r.Float64(),
		math.Exp(300 * r.NormFloat64())}
	if k := r.IntN(2 * len(all)); k < len(all) {
		return all[k]
	}
	return r.NormFloat64()
}

// hostileDrawing is a figure of such numbers, with names to match.
func hostileDrawing(r *rand.Rand) figure.Figure {
	styles := []figure.Style{figure.Line, figure.Points, figure.Both, figure.Steps, "?"}
	names := []string{"", "SGLD", "pSGLD", "世界 SGD", "a\x00<b>&\n\xff\ufffe", "x⁻⁵",
		strings.Repeat("RMSprop and more ", 20), strings.Repeat("W", 300)}
	name := func() string { return names[r.IntN(len(names))] }
	many := func(n int) []float64 {
		all := make([]float64, n)
		tame := r.IntN(3) == 0
		for i := range all {
			if all[i] = hostileNumber(r); tame {
				all[i] = r.NormFloat64()
			}
		}
		return all
	}
	axis := func() figure.Axis {
		a := figure.Axis{Label: name(), Log: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			a.Min, a.Max = hostileNumber(r), hostileNumber(r)
		}
		return a
	}
	f := figure.Figure{ID: "hostile", Title: name(), Columns: r.IntN(5) - 1}
	for range r.IntN(4) {
		p := figure.Panel{Title: name(), X: axis(), Y: axis()}
		for range r.IntN(9) {
			n := r.IntN(130)
			s := figure.Series{Name: name(), Style: styles[r.IntN(len(styles))], X: many(n),
				Y: many(max(n+r.IntN(3)-1, 0)), Paper: r.IntN(3) == 0}
			if r.IntN(2) == 0 {
				s.Err = many(r.IntN(140))
			}
			p.Series = append(p.Series, s)
		}
		for range r.IntN(3) {
			p.Contours = append(p.Contours, figure.Ellipse{A: hostileNumber(r), B: hostileNumber(r)})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// FuzzFigureFiles: no figure makes the drawing panic, and what comes out is whole.
func FuzzFigureFiles(f *testing.F) {
	for seed := range uint64(30) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		b, err := Draw(hostileDrawing(rand.New(rand.NewPCG(seed, 1))))
		if err != nil {
			t.Fatal(err)
		}
		checkDrawing(t, "a drawing", b)
	})
}
