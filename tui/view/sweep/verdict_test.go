package sweep

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/internal/planetest"
	"github.com/psgld/psgld-tui/tui/pane"
)

// cellsOf is a lane whose cells have these means of a quantity, of three repeats with
// this standard error.
func cellsOf(q quantity.ID, se float64, means ...float64) Lane {
	l := Lane{Has: true, Cells: make([]Cell, len(means))}
	for i, x := range means {
		c := &l.Cells[i]
		c.Runs = 3
		for k := range c.Of {
			c.Of[k].Mean, c.Of[k].SE = math.NaN(), math.NaN()
		}
		c.Of[q] = quantity.OverSeeds{Mean: x, SE: se, N: 3}
	}
	return l
}

func (l *Lane) also(q quantity.ID, se float64, means ...float64) {
	for i, x := range means {
		l.Cells[i].Of[q] = quantity.OverSeeds{Mean: x, SE: se, N: 3}
	}
}

// What a grid recommends is said in one line, and so is why it does not.
func TestVerdicts(t *testing.T) {
	grid := func(seeds int, lanes ...Lane) (text, why string) {
		d := &Data{Param: stepSize(), Values: []float64{0.01, 0.1, 1, 2, 4}, Seeds: seeds, State: Done, Lanes: lanes}
		var best []scan.Best
		for i := range lanes {
			lanes[i].ID = i
			best = append(best, lanes[i].Cells.Best(seeds))
		}
		return verdict(&pane.Frame{Keys: planetest.Keys}, d, best, d.Param.Symbol)
	}
	short := cellsOf(quantity.CovError, 0.1, 0.5, 1, 5, 6, 7)
	for i := range short.Cells {
		short.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Short: 3}
	}
	for _, c := range []struct {
		text, why string
		seeds     int
		lanes     []Lane
	}{
		{"ε A 0.100, B 1", "best by covariance error", 3,
			[]Lane{cellsOf(quantity.CovError, 0.1, 9, 1, 5, 6, 7), cellsOf(quantity.CovError, 0.1, 9, 5, 1, 6, 7)}},
		{"ε A 0.100, B 1", "best by what each is judged by", 3,
			[]Lane{cellsOf(quantity.CovError, 0.1, 9, 1, 5, 6, 7), cellsOf(quantity.TestError, 0.1, 9, 5, 1, 6, 7)}},
		{"ε A ≤ 1, B 0.100–2", "best by test error", 3,
			[]Lane{cellsOf(quantity.TestError, 0.1, 1, 1.1, 1.2, 9, 9), cellsOf(quantity.TestError, 0.3, 7, 1.2, 1, 1.1, 7)}},
		{"ε A ≥ 4", "best by ELBO", 3, []Lane{cellsOf(quantity.ELBO, 0.1, 1, 2, 3, 4, 9), {}}},
		{"the cells are too short to compare: :grid steps 100000 makes them longer", "", 3, []Lane{short}},
		{"no ε stands out: what differs is within the errors", "", 3, []Lane{cellsOf(quantity.TestError, 3, 9, 8, 7, 6, 7)}},
		{"ESS cannot see bias: --truth hmc finds the error", "", 3, []Lane{cellsOf(quantity.ESSPerStep, 1, 1, 2, 3, 40, 90)}},
		{"one seed tells no error, and so no best", "", 1, []Lane{cellsOf(quantity.TestError, math.NaN(), 1, 2, 3, 40, 90)}},
		{"", "", 3, []Lane{{Has: true, Cells: make([]Cell, 5)}}},
	} {
		if text, why := grid(c.seeds, c.lanes...); text != c.text || why != c.why {
			t.Errorf("%q, %q; want %q, %q", text, why, c.text, c.why)
		}
	}
}

// An end of the grid is told as a bound, unless the parameter has no values beyond.
func TestRangesOfCells(t *testing.T) {
	bounded, free := stepSize(), stepSize()
	bounded.Min, bounded.Max = 1, 8
	for _, c := range []struct {
		from, to             int
		want, wantAtItsLimit string
	}{
		{1, 2, "2–4", "2–4"}, {1, 1, "2", "2"}, {0, 0, "≤ 1", "1"}, {0, 2, "≤ 4", "1–4"}, {3, 3, "≥ 8", "8"}, {1, 3, "≥ 2", "2–8"}, {0, 3, "1–8", "1–8"},
	} {
		for p, want := range map[*param.Param]string{&free: c.want, &bounded: c.wantAtItsLimit} {
			d := &Data{Param: *p, Values: []float64{1, 2, 4, 8}}
			if got := d.span(c.from, c.to); got != want {
				t.Errorf("cells %d to %d: %q, want %q", c.from, c.to, got, want)
			}
		}
	}
}

func TestForecasts(t *testing.T) {
	for x, want := range map[float64]string{
		0.1: "about 5 s", 5: "about 5 s", 5.1: "about 10 s", 55: "about 55 s", 56: "about 1 min", 100: "about 2 min",
		5400: "about 90 min", 5401: "about 2 h", math.Inf(1): "long",
	} {
		if got := about(x); got != want {
			t.Errorf("%g s: %q, want %q", x, got, want)
		}
	}
}

// The ends of a scale have a sign where there are values beyond them.
func TestScales(t *testing.T) {
	d := &Data{Lanes: []Lane{cellsOf(quantity.CovError, 0.01, 0.2, 0.3, 0.4, 0.5, 9, 20)}}
	d.Lanes[0].also(quantity.CovBias, 0, 0.0015, 0.1, 0.2, 0.5, 9, 30)
	if s := d.scale(quantity.CovBias); !s.less || !s.more || s.Lo != 0.2 || s.Hi != 20 {
		t.Errorf("the scale of the bias is %+v", s)
	}
	if s := d.scale(quantity.CovError); s.less || s.more {
		t.Errorf("the scale of the error is %+v", s)
	}
}

// stepSize is ε as every sampler has it.
func stepSize() param.Param {
	m, _ := catalog.Find("sgld")
	p, _ := m.Param(sampler.KeyEps)
	return p
}
