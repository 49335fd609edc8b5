package stage

import (
	"math"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Sessions of targets that are functions, some thousand steps behind their burn-in.
var (
	regress  = sync.OnceValue(func() *engine.Snapshot { return scenetest.Play("regress", "sgld,psgld", 40_000) })
	classify = sync.OnceValue(func() *engine.Snapshot { return scenetest.Play("classify", "sgld,psgld", 12_000) })
)

// Functions at several sizes, over each other, at a cross, with each map, and without colours or dots.
func TestPicturesOfFunctions(t *testing.T) {
	for name, snap := range map[string]*engine.Snapshot{"regress": regress(), "classify": classify()} {
		f := viewtest.Frame(snap)
		viewtest.Golden(t, name, f, New(), viewtest.W, viewtest.H)
		viewtest.Golden(t, name, f, New(), 80, 20)
		viewtest.Golden(t, name, f, New(), 200, 56)
		viewtest.Looks(t, name+"-colour", f, New(), 80, 20, theme.Look{Dark: true}, theme.Look{},
			theme.Look{Dark: true, Palette: theme.Contrast}, theme.Look{Dark: true, Depth: theme.Basic})
		f.Cross = pane.Cross{AxisX: pane.CoordX, AxisY: pane.CoordY, X: 0.5, Y: 0.5}
		viewtest.Golden(t, name+"-cross", f, New(), viewtest.W, viewtest.H)
		f.Cross, f.Overlay, f.Heat = pane.Cross{}, true, pane.HeatOff
		viewtest.Golden(t, name+"-overlay", f, New(), viewtest.W, viewtest.H)
		f.Overlay, f.Theme = false, theme.New(true, true, true)
		viewtest.Golden(t, name+"-ascii", f, New(), 80, 20)
	}
	f := viewtest.Frame(classify())
	for name, heat := range map[string]pane.Heat{"sd": pane.HeatSD, "apart": pane.HeatApart} {
		f.Heat = heat
		viewtest.Golden(t, "classify-"+name, f, New(), 80, 20)
	}
}

// Sampled between its places, a function that is linear in each input is itself, and at its places any is.
func TestSample(t *testing.T) {
	p, err := targets.Open("classify", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := &function{t: pane.Function(p)}
	at := w.t.Places()
	plane, any := make([]float64, w.places()), make([]float64, w.places())
	for i := range plane {
		plane[i], any[i] = 1+at[2*i]-2*at[2*i+1]+at[2*i]*at[2*i+1], math.Sin(7*float64(i))
	}
	for i := range plane {
		if got := w.sample(any, at[2*i:][:1], at[2*i+1:][:1])[0]; math.Abs(got-any[i]) > 1e-12 {
			t.Errorf("at place %d %v, want %v", i, got, any[i])
		}
	}
	xs, ys := []float64{-1.9, 0.3, 1.7}, []float64{-0.2, 1.1}
	for i, got := range w.sample(plane, xs, ys) { // away from the edges, where the grid is continued
		x, y := xs[i%3], ys[i/3]
		if want := 1 + x - 2*y + x*y; math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v, %v it is %v, want %v", x, y, got, want)
		}
	}
	if got := w.sample(plane, []float64{2.6}, []float64{0})[0]; !math.IsNaN(got) {
		t.Errorf("outside of the grid it is %v", got)
	}
}

// A single lane has no difference to another, and without a truth there is none to it.
func TestHeats(t *testing.T) {
	for _, c := range []struct {
		lanes int
		truth bool
		want  []pane.Heat
	}{
		{2, true, []pane.Heat{pane.HeatSD, pane.HeatApart, pane.HeatOff, pane.HeatMean}},
		{1, true, []pane.Heat{pane.HeatSD, pane.HeatOff, pane.HeatMean}},
		{1, false, []pane.Heat{pane.HeatSD, pane.HeatMean}},
	} {
		h := pane.HeatMean
		for _, want := range c.want {
			if h = h.Next(c.lanes, c.truth); h != want {
				t.Errorf("of %d lanes, truth %v: %v, want %v", c.lanes, c.truth, h, want)
			}
		}
	}
}

// BenchmarkFunction is a frame of 200×60 in colour.
func BenchmarkFunction(b *testing.B) {
	viewtest.Bench(b, "regress", viewtest.Frame(regress()), New())
	viewtest.Bench(b, "classify", viewtest.Frame(classify()), New())
}
