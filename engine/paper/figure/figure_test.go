package figure

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
)

// scatterDrawing is like figure 1(b): draws over the contours of N(0, diag(0.16, 1)).
func scatterDrawing() Figure {
	r := rand.New(rand.NewPCG(1, 2))
	f := Figure{ID: "fig1b", Title: "The first 600 draws at ε = 0.3 over N(0, diag(0.16, 1))", Columns: 2}
	for _, name := range []string{"pSGLD", "SGLD"} {
		s := Series{Name: name, Of: strings.ToLower(name), Style: Points}
		for range 600 {
			s.X = append(s.X, 0.4*r.NormFloat64())
			s.Y = append(s.Y, r.NormFloat64())
		}
		p := Panel{Title: name, X: Axis{Label: "θ₁"}, Y: Axis{Label: "θ₂"}, Series: []Series{s}}
		for k := range 3 {
			p.Contours = append(p.Contours, Ellipse{0.4 * float64(k+1), float64(k + 1)})
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// errorDrawing is like figure 1(a): error bars on two logarithmic axes, with the
// paper's curve and a theoretical one.
func errorDrawing() Figure {
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
	return Figure{ID: "fig1a", Title: "Covariance error and autocorrelation time against the step size", Columns: 2, Panels: []Panel{{
		Title: "covariance error", X: Axis{Label: "step size ε", Log: true}, Y: Axis{Label: "Σ |error|", Log: true},
		Series: []Series{
			{Name: "pSGLD", Of: "psgld", Style: Both, X: eps, Y: psgld, Err: err},
			{Name: "pSGLD + Γ", Of: "psgld", Style: Both, X: eps, Y: gamma},
			{Name: "SGLD", Of: "sgld", Style: Both, X: eps, Y: sgld, Err: err},
			{Name: "SGLD, exact", Like: "SGLD", Style: Line, X: eps, Y: exact, Paper: true},
		},
	}, {
		Title: "autocorrelation time", X: Axis{Label: "step size ε", Log: true}, Y: Axis{Label: "τ (draws)"},
		Series: []Series{
			{Name: "pSGLD", Of: "psgld", Style: Both, X: eps, Y: []float64{160, 60, 20, 10, 6.9, 5.2, 4.1, 3.5}},
			{Name: "SGLD", Of: "sgld", Style: Both, X: eps, Y: []float64{196, 65, 19.5, 9.5, 6.1, 4.5, 3.5, math.NaN()}},
			{Name: "pSGLD (paper)", Like: "pSGLD", Style: Points, Paper: true, X: []float64{0.1, 0.3}, Y: []float64{25, 9}},
		},
	}}}
}

// learningDrawing is like figure 4: noisy falling curves, one of which stops.
func learningDrawing() Figure {
	r := rand.New(rand.NewPCG(3, 4))
	f := Figure{ID: "fig4", Title: "Test error of the averaged prediction against the epoch: MLP 784-400-400-10 on MNIST", Columns: 1}
	p := Panel{X: Axis{Label: "epoch"}, Y: Axis{Label: "test error (%)", Log: true}}
	for k, name := range []string{"pSGLD, σ² = 100", "pSGLD, σ² = 1", "SGLD", "RMSprop", "RMSspectral", "SGD", "BBB, Gaussian prior", "SGD, dropout"} {
		s := Series{Name: name, Of: firstWord(name), Style: Line}
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
	p.Series = append(p.Series, Series{Name: "pSGLD, σ² = 1 (paper)", Like: "pSGLD, σ² = 1", Style: Line, Paper: true, X: []float64{0, 100}, Y: []float64{1.45, 1.45}})
	f.Panels = []Panel{p}
	return f
}

// stepsDrawing has histograms.
func stepsDrawing() Figure {
	f := Figure{ID: "weights", Title: "Weights at the end", Columns: 3}
	for k, layer := range []string{"784 × 400", "400 × 400", "400 × 10"} {
		p := Panel{Title: layer, X: Axis{Label: "weight"}, Y: Axis{Label: "density"}}
		for i, name := range []string{"pSGLD", "SGLD", "SGD"} {
			s := Series{Name: name, Of: firstWord(name), Style: Steps, X: []float64{-0.5}}
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
func bareDrawing() Figure {
	nan := math.NaN()
	return Figure{ID: "bare", Title: "Little to <draw> & \"more\"", Columns: 3, Panels: []Panel{
		{Title: "no series"},
		{Title: "one point", Series: []Series{{Name: "SGLD", Style: Line, X: []float64{3}, Y: []float64{5}}}},
		{Title: "not a number", Series: []Series{{Name: "pSGLD", Of: "psgld", Style: Both, X: []float64{1, 2}, Y: []float64{nan, nan}}}},
		{Title: "not positive", Y: Axis{Log: true}, Series: []Series{{Name: "SGD", Style: Both, X: []float64{1, 2, 3}, Y: []float64{0, -1, math.Inf(1)}}}},
		{Title: "gaps", Series: []Series{{Name: "SGLD", Style: Line, X: []float64{1, 2, 3, 4, 5, 6}, Y: []float64{1, 2, nan, 4, nan, 1}}}},
	}}
}

func drawings() []Figure {
	return []Figure{scatterDrawing(), errorDrawing(), learningDrawing(), stepsDrawing(), bareDrawing(), {}}
}

// TestFigureFiles: the drawing of every kind of figure is a whole document, and the same again
// byte for byte. With FIGURES set they are left in that folder to be looked at.
func TestFigureFiles(t *testing.T) {
	for _, f := range drawings() {
		b, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		again, err := f.SVG()
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
	for _, hue := range Hues() {
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

// TestLooks: samplers keep their hue in every company, settings of one differ in
// shade, and the paper's series look like those that they are compared with.
func TestLooks(t *testing.T) {
	of := func(paper Series, all ...Series) Figure {
		paper.Paper = true
		return Figure{Panels: []Panel{{Series: append([]Series{paper}, all...)}}}
	}
	for _, c := range []struct {
		f    Figure
		want []Look
	}{
		{of(Series{Name: "paper", Like: "b"}, Series{Name: "a", Of: "sgld"}, Series{Name: "b", Of: "psgld"}), []Look{{0, 0}, {1, 0}, {0, 0}}},
		{of(Series{Name: "paper", Like: "b", Of: "sgd"}, Series{Name: "a", Of: "psgld"}, Series{Name: "b", Of: "psgld"}, Series{Name: "c", Of: "sgd"}, Series{Name: "d", Of: "psgld"}), []Look{{0, 1}, {0, 0}, {0, 1}, {3, 0}, {0, 2}}},
		{of(Series{Name: "the rate of theorem 1"}, Series{Name: "a", Of: "sgld"}, Series{Name: "b"}, Series{Name: "c"}), []Look{{6, 0}, {1, 0}, {4, 0}, {5, 0}}},
		{of(Series{Name: "rate"}, Series{Name: "a"}, Series{Name: "b"}), []Look{{6, 0}, {0, 0}, {1, 0}}},
		{of(Series{Name: "exact", Like: "none", Of: "sgld"}, Series{Name: "a", Of: "hmc"}), []Look{{1, 0}, {7, 0}}},
	} {
		for i, got := range c.f.Looks()[0] {
			if got != c.want[i] {
				t.Errorf("%q is %v, want %v", c.f.Panels[0].Series[i].Name, got, c.want[i])
			}
		}
	}
}

// TestSpans: what axes show of data that are not all there.
func TestSpans(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		p      Panel
		yLo    float64
		yHi    float64
		margin bool // of 4%
	}{
		{"gaps", Panel{Series: []Series{{X: []float64{1, 2, 3, nan}, Y: []float64{5, nan, 15, 99}}}}, 5, 15, true},
		{"asked for", Panel{Y: Axis{Min: 1, Max: 2}, Series: []Series{{X: []float64{1}, Y: []float64{50}}}}, 1, 2, false},
		{"one value", Panel{Series: []Series{{X: []float64{1, 2}, Y: []float64{5, 5}}}}, 4.5, 5.5, false},
		{"logarithmic", Panel{Y: Axis{Log: true}, Series: []Series{{X: []float64{1, 2, 3}, Y: []float64{0, 4, inf}}}}, 2, 8, false},
		{"error bars", Panel{Series: []Series{{X: []float64{1, 2}, Y: []float64{5, 6}, Err: []float64{5, 4}}}}, 0, 10, true},
		{"x out of sight", Panel{X: Axis{Min: 0, Max: 1}, Series: []Series{{X: []float64{0, 1, 2}, Y: []float64{1, 2, 1000}}}}, 1, 2, true},
	} {
		_, y := c.p.Spans()
		lo, hi := c.yLo, c.yHi
		if d := 0.04 * (hi - lo); c.margin {
			hi += d
			if lo != 0 {
				lo -= d
			}
		}
		if math.Abs(y.Lo-lo) > 1e-12 || math.Abs(y.Hi-hi) > 1e-12 || y.Empty {
			t.Errorf("%s: %v to %v, want %v to %v", c.name, y.Lo, y.Hi, lo, hi)
		}
	}
	if x, y := (Panel{Series: []Series{{X: []float64{nan}, Y: []float64{1}}}}).Spans(); !x.Empty || !y.Empty {
		t.Error("a panel without a point is not empty")
	}
}

// TestTicks: labels are where their numbers are and as many as asked for or so.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		s    Span
		want string
	}{
		{Span{Lo: 0, Hi: 10}, "0 2 4 6 8 10"},
		{Span{Lo: -0.3, Hi: 0.3}, "−0.2 0 0.2"},
		{Span{Lo: 0, Hi: 8e6}, "0 2×10⁶ 4×10⁶ 6×10⁶ 8×10⁶"},
		{Span{Lo: 0.01, Hi: 1, Log: true}, "0.01 0.02 0.05 0.1 0.2 0.5 1"},
		{Span{Lo: 1e-8, Hi: 1e-2, Log: true}, "10⁻⁸ 10⁻⁶ 10⁻⁴ 10⁻²"},
		{Span{Lo: 1.4, Hi: 4.5, Log: true}, "2 3 4"}, // over half a decade, with 2 alone of 1, 2 and 5
		{Span{Lo: 1.2, Hi: 2.4, Log: true}, "1.25 1.50 1.75 2.00 2.25"},
		{Span{Lo: 1e15, Hi: 1e15 + 1}, ""},
	} {
		var labels []string
		for _, k := range c.s.ticks(5) {
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
	all := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 0, math.Copysign(0, -1), 1e300, -1e300, 1e-300, 1e15 + r.Float64(), math.Exp(300 * r.NormFloat64())}
	if k := r.IntN(2 * len(all)); k < len(all) {
		return all[k]
	}
	return r.NormFloat64()
}

// hostileDrawing is a figure of such numbers, with names to match.
func hostileDrawing(r *rand.Rand) Figure {
	styles := []Style{Line, Points, Both, Steps, "?"}
	names := []string{"", "SGLD", "pSGLD", "世界 SGD", "a\x00<b>&\n\xff\ufffe", "x⁻⁵", strings.Repeat("RMSprop and more ", 20), strings.Repeat("W", 300)}
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
	axis := func() Axis {
		a := Axis{Label: name(), Log: r.IntN(2) == 0}
		if r.IntN(3) == 0 {
			a.Min, a.Max = hostileNumber(r), hostileNumber(r)
		}
		return a
	}
	f := Figure{ID: "hostile", Title: name(), Columns: r.IntN(5) - 1}
	for range r.IntN(4) {
		p := Panel{Title: name(), X: axis(), Y: axis()}
		for range r.IntN(9) {
			n := r.IntN(130)
			s := Series{Name: name(), Style: styles[r.IntN(len(styles))], X: many(n), Y: many(max(n+r.IntN(3)-1, 0)), Paper: r.IntN(3) == 0}
			if r.IntN(2) == 0 {
				s.Err = many(r.IntN(140))
			}
			p.Series = append(p.Series, s)
		}
		for range r.IntN(3) {
			p.Contours = append(p.Contours, Ellipse{hostileNumber(r), hostileNumber(r)})
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
		b, err := hostileDrawing(rand.New(rand.NewPCG(seed, 1))).SVG()
		if err != nil {
			t.Fatal(err)
		}
		checkDrawing(t, "a drawing", b)
	})
}
