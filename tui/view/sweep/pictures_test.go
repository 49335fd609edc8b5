package sweep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// epsParam is ε as every sampler has it.
func epsParam() param.Param {
	m, _ := catalog.Find("sgld")
	p, _ := m.Param(sampler.KeyEps)
	return p
}

// sweepOf is a grid over ε for the lanes of a snapshot, of cells whose numbers are
// those of a small formula: errors that fall with the number of effective draws and
// rise with the step, a bound beyond which lanes diverge, and cells at the small end
// that are too short.
func sweepOf(s *engine.Snapshot, n int) *Data {
	d := &Data{Known: scan.Known{Param: epsParam(), Base: n / 2, Steps: 20_000, Seed: 20, Seeds: 5, Done: 3 * n,
		Total: 5 * n}, State: Running}
	for i := range n {
		d.Values = append(d.Values, math.Pow(10, float64(i-n/2)*4/float64(max(n-1, 1))-0.5))
	}
	for k := range s.Lanes {
		v := &s.Lanes[k]
		l := scan.Lane{ID: v.ID, Title: v.Title, Has: v.Setting.Has("eps")}
		for i, eps := range d.Values {
			c := scan.Cell{Runs: 3}
			if i > n*4/5 && i%2 == 1 {
				c.Runs = 0
			}
			bound := 0.64 * float64(1+4*k)
			tau := 2/eps + 0.5
			for q := range c.Of {
				c.Of[q] = quantity.OverSeeds{Mean: math.NaN(), SE: math.NaN()}
			}
			switch {
			case c.Runs == 0:
			case eps >= 2*bound:
				c.Diverged, c.DivergedAt = 3, uint64(100/eps)+1
			default:
				if eps >= bound {
					c.Diverged, c.DivergedAt = 1, 19_000
				}
				short := 0
				if tau > 200 {
					short = 3
				} else {
					c.Of[quantity.MaxACT] = quantity.OverSeeds{Mean: tau, SE: tau / 20, N: 3 - c.Diverged, Untrusted: 0}
					c.Of[quantity.ESSPerStep] = quantity.OverSeeds{Mean: 1000 / (2 * tau), SE: 30 / tau,
						N: 3 - c.Diverged, Untrusted: 0}
				}
				for _, q := range [...]quantity.ID{quantity.MaxACT, quantity.ESSPerStep} {
					c.Of[q].Untrusted, c.Of[q].Why = short, metrics.TooShort
				}
				if f := epsError(eps, tau, bound); v.Kind != sampler.Optimising {
					c.Of[quantity.CovError] = quantity.OverSeeds{Mean: f, SE: f / 10, N: 3 - c.Diverged}
					if short > 0 {
						c.Of[quantity.CovError] = quantity.OverSeeds{Untrusted: short, Why: metrics.TooShort}
					}
				}
				if k < 2 {
					c.Of[quantity.CovBias] = quantity.OverSeeds{Mean: eps / (2*bound - eps), SE: 0, N: 3 - c.Diverged,
						Untrusted: 0}
				}
			}
			l.Cells = append(l.Cells, c)
		}
		d.Lanes = append(d.Lanes, l)
	}
	return d
}

func epsError(eps, tau, bound float64) float64 {
	return math.Sqrt(tau/5000) + eps/(2.01*bound-eps)
}

// asNetwork turns a grid's errors into those of a classifier.
func asNetwork(d *Data) *Data {
	d.Steps, d.Seed, d.Seeds, d.State = 500, 1, 3, Done
	d.Done = d.Total
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			c := &d.Lanes[i].Cells[k]
			e := c.Of[quantity.CovError]
			if e.Untrusted > 0 { // a chain's, but no score's reason
				eps := d.Values[k]
				e = quantity.OverSeeds{Mean: epsError(eps, 2/eps+0.5, 0.64*float64(1+4*i)), N: c.Runs - c.Diverged}
			}
			e.Mean, e.SE, e.Untrusted = min(0.02+0.05*e.Mean, 0.9), 0.004, 0
			c.Of[quantity.TestError] = e
			e.Mean *= 4
			c.Of[quantity.NLL] = e
			for _, q := range [...]quantity.ID{quantity.CovError, quantity.CovBias, quantity.MaxACT,
				quantity.ESSPerStep} {
				c.Of[q] = quantity.OverSeeds{Mean: math.NaN(), SE: math.NaN()}
			}
			c.Of[quantity.MaxACT].Untrusted, c.Of[quantity.MaxACT].Why = c.Runs-c.Diverged, metrics.TooShort
		}
	}
	return d
}

// A sweepFrame is a frame with a grid.
type sweepFrame struct {
	pane.Frame
	Grid Shown
}

// view is the view of the grid.
func (f *sweepFrame) view() pane.View { return New(&f.Grid) }

// text is the view of the grid.
func (f *sweepFrame) text(w, h int) string { return viewtest.Picture(f.Frame, f.view(), w, h) }

func (f *sweepFrame) golden(t *testing.T, name string, w, h int) {
	t.Helper()
	viewtest.Golden(t, name, f.Frame, f.view(), w, h)
}

func sweepFrameOf(scene string, n int) *sweepFrame {
	f := &sweepFrame{Frame: viewtest.Frame(scenetest.Of(scene))}
	f.Grid = Shown{Data: sweepOf(f.Snap, n), At: n/2 + n/16}
	return f
}

func TestSweepPictures(t *testing.T) {
	innerlooptest.Skip(t, "many pictures")
	for _, size := range viewtest.Sizes {
		sweepFrameOf("four", 41).golden(t, "four", size[0], size[1])
	}
	f := sweepFrameOf("mlp", 13)
	f.Grid.Data = asNetwork(f.Grid.Data)
	f.golden(t, "mlp", viewtest.W, viewtest.H)
	f = sweepFrameOf("turned", 41)
	viewtest.Looks(t, "turned", f.Frame, f.view(), viewtest.W, viewtest.H, theme.Look{Dark: true}, theme.Look{},
		theme.Look{NoColor: true})
	f.Theme = theme.New(true, true, true)
	f.golden(t, "ascii", viewtest.W, viewtest.H)
	f = sweepFrameOf("turned", 41)
	f.Panes, f.Pane, f.Full = new(pane.Panes), "covariance error", true
	f.golden(t, "full", viewtest.W, viewtest.H)
	f = sweepFrameOf("turned", 41)
	f.Grid.Data.State, f.Grid.Data.Done = Done, f.Grid.Data.Total
	f.golden(t, "done", 80, 20)
	f = sweepFrameOf("turned", 41)
	f.Cross = pane.Cross{AxisX: pane.GridAxis, X: 3}
	f.golden(t, "hover", viewtest.W, viewtest.H)
	f = sweepFrameOf("turned", 1)
	f.golden(t, "one", 80, 20)
	// In one column the cells fill the pane where they can be as wide again.
	sweepFrameOf("turned", 36).golden(t, "column", 100, 26)
	f = sweepFrameOf("turned", 1000)
	f.golden(t, "thousand", viewtest.W, viewtest.H)
	f = sweepFrameOf("turned", 41)
	divergeAll(f.Grid.Data)
	f.golden(t, "diverged", 80, 20)
	// Before the first run ends it shows what there will be, of a session that runs.
	for _, scene := range []string{"gaussian", "mlp"} {
		f := sweepFrameOf(scene, 13)
		f.Grid.Data.Done = 0
		for i := range f.Grid.Data.Lanes {
			clear(f.Grid.Data.Lanes[i].Cells)
		}
		f.golden(t, "begun-"+scene, 80, 20)
		f.golden(t, "begun-"+scene, viewtest.W, viewtest.H)
	}
	// Without a truth effective draws recommend nothing, and a forecast is told.
	f = sweepFrameOf("turned", 41)
	for i := range f.Grid.Data.Lanes {
		for k := range f.Grid.Data.Lanes[i].Cells {
			c := &f.Grid.Data.Lanes[i].Cells[k]
			for _, q := range [...]quantity.ID{quantity.CovError, quantity.CovBias} {
				c.Of[q] = quantity.OverSeeds{Mean: math.NaN(), SE: math.NaN()}
			}
		}
	}
	f.Grid.Data.Left = 95
	f.golden(t, "blind", 80, 20)
	f.Grid.Data.Alone = true
	f.golden(t, "alone", viewtest.W, viewtest.H)
	f.Grid.Data = &Data{Note: "a grid goes over a parameter of the focused lane or of the target: select one"}
	f.golden(t, "none", 80, 20)
}

// The verdict tells the marks that the cells have, each once.
func TestSweepMarksAreThoseThatThereAre(t *testing.T) {
	lane := scan.Lane{Has: true, Cells: make(scan.Row, 6)}
	for i, x := range [...]float64{0.2, 0.3, 0.4, 0.5, 9, 20} {
		c := &lane.Cells[i]
		c.Runs = 3
		for k := range c.Of {
			c.Of[k].Mean, c.Of[k].SE = math.NaN(), math.NaN()
		}
		c.Of[quantity.CovError] = quantity.OverSeeds{Mean: x, SE: 0.01, N: 3}
	}
	d := &Data{Known: scan.Known{Lanes: []scan.Lane{lane}, Seeds: 5, Param: epsParam()}, State: Done}
	f := &sweepFrame{Frame: viewtest.Frame(scenetest.Of("one"))}
	d.Values = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5}
	d.Done, d.Total, f.Grid.Data = 30, 30, d
	has := func(want string, words ...string) {
		t.Helper()
		got := f.text(160, 40)
		for _, w := range []string{"✗ diverged", "cannot be trusted", "· not run",
			"best, or not distinguishable from it"} {
			if strings.Contains(got, w) != slices.Contains(words, w) {
				t.Errorf("%s: %q is told or not in\n%s", want, w, got)
			}
		}
	}
	has("all cells have run and are good", "best, or not distinguishable from it")
	gone := *d
	gone.Lanes = []scan.Lane{{ID: d.Lanes[0].ID, Has: true, Cells: slices.Clone(d.Lanes[0].Cells)}}
	gone.Lanes[0].Cells[5] = scan.Cell{Runs: 5, Diverged: 5, DivergedAt: 3}
	f.Grid.Data = &gone
	has("one has diverged", "✗ diverged", "best, or not distinguishable from it")
	adrift := gone
	adrift.Lanes = []scan.Lane{{ID: d.Lanes[0].ID, Has: true, Cells: slices.Clone(d.Lanes[0].Cells)}}
	adrift.Lanes[0].Cells[5] = scan.Cell{Runs: 5}
	adrift.Lanes[0].Cells[5].Of[quantity.CovError].Add(metrics.Withheld(metrics.Drifting, 9))
	f.Grid.Data, f.Grid.At = &adrift, 5
	has("the chains of one drift", "cannot be trusted", "best, or not distinguishable from it")
	if got := f.text(160, 40); !strings.Contains(got, "drifting") {
		t.Errorf("the reason is not told\n%s", got)
	}
	again := gone
	again.Lanes = []scan.Lane{{ID: d.Lanes[0].ID, Has: true, Cells: slices.Clone(d.Lanes[0].Cells)}}
	again.Lanes[0].Cells[5] = scan.Cell{}
	again.State, again.Done = Running, 25
	f.Grid.Data = &again
	has("one has not run", "· not run")
}

// divergeAll has every cell diverge.
func divergeAll(d *Data) {
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			c := scan.Cell{Runs: 2, Diverged: 2, DivergedAt: 9}
			for q := range c.Of {
				c.Of[q].Mean, c.Of[q].SE = math.NaN(), math.NaN()
			}
			d.Lanes[i].Cells[k] = c
		}
	}
}

// Any grid at any size is drawn without a panic and within the screen, and every cell
// that a click finds is one of the grid's.
func TestHostileGrids(t *testing.T) {
	scenes := []string{"turned", "four", "mlp", "one", "diverged"}
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 6))
		f := sweepFrameOf(scenes[r.IntN(len(scenes))], [...]int{0, 1, 2, 41, 1000}[r.IntN(5)])
		odds := [...]float64{0, 0.01, 0.1, 0.5, 1}[r.IntN(5)]
		params := f.Grid.Data.Param
		frametest.Spoil(reflect.ValueOf(f.Grid.Data).Elem(), r, odds)
		if f.Grid.Data.By = quantity.NLL; r.IntN(2) == 0 {
			f.Grid.Data.Param = params
		}
		f.Grid.Data.Steps = min(f.Grid.Data.Steps, math.MaxInt64)
		f.Grid.At = r.IntN(1200) - 100
		f.Theme = theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0)
		f.Panes = new(pane.Panes)
		if r.IntN(3) == 0 {
			f.Cross = pane.Cross{AxisX: pane.GridAxis,
				X: [...]float64{math.NaN(), math.Inf(1), -1e300, 4, 0.5}[r.IntN(5)]}
		}
		if r.IntN(4) == 0 {
			f.Pane, f.Full = "covariance error", true
		}
		w, h := r.IntN(220), r.IntN(70)
		t.Run(fmt.Sprintf("%d/%dx%d", seed, w, h), func(t *testing.T) {
			v := f.view()
			viewtest.Check(t, f.Frame, v, w, h)
			viewtest.Check(t, f.Frame, v, w, h)
		})
	}
}

// A click on a cell finds the cell that is drawn there.
func TestSweepCellAt(t *testing.T) {
	for _, n := range []int{1, 13, 41, 1000} {
		f := sweepFrameOf("turned", n)
		f.Panes = new(pane.Panes)
		f.text(viewtest.W, viewtest.H)
		p, ok := f.Panes.Find("covariance error")
		if !ok || p.Plot.Rect.Empty() {
			t.Fatalf("%d cells: no pane of the error", n)
		}
		for x := range p.Plot.Rect.W {
			i, want := CellAt(x, p.Plot.Rect.W, n), int(math.Round(p.Plot.Under(p.Plot.Rect.X+x, p.Plot.Rect.Y).X))
			if i != want && (n <= p.Plot.Rect.W || max(i-want, want-i) > n/p.Plot.Rect.W+1) {
				t.Errorf("%d cells: column %d finds %d, want %d", n, x, i, want)
			}
		}
	}
}

// BenchmarkFrame is the view of a grid, of 200×60 in colour.
func BenchmarkFrame(b *testing.B) {
	for _, n := range []int{41, 1000} {
		f := sweepFrameOf("four", n)
		viewtest.Bench(b, strconv.Itoa(n), f.Frame, f.view())
	}
}
