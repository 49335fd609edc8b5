package sweep

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
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

// The best cell is the least error of those that are whole, if it is below the median
// one by more than the errors.
func TestBestCell(t *testing.T) {
	l := cellsOf(quantity.CovError, 0.1, 3, 2, 1, 4, 0.5)
	l.Cells[2].Lost = 1
	l.Cells[4].Of[quantity.CovError] = quantity.OverSeeds{Short: 3}
	if b := l.bests(2); b.at[quantity.CovError] != 1 || b.by != quantity.CovError || b.cells != 3 {
		t.Errorf("%+v, want cell 1 by the covariance error of 3 cells", b)
	}
	for i := range l.Cells {
		l.Cells[i].Of[quantity.CovError].SE = 0.4
	}
	if b := l.bests(2); b.at[quantity.CovError] != -1 || b.by != quantity.CovError {
		t.Errorf("%+v: a difference of 1 ± 0.57 makes a best cell", b)
	}
	one := cellsOf(quantity.CovError, math.NaN(), 3, 2, 1, 4, 0.5)
	for i := range one.Cells {
		one.Cells[i].Runs, one.Cells[i].Of[quantity.CovError].N = 1, 1
	}
	if b := one.bests(1); b.at[quantity.CovError] != -1 {
		t.Errorf("%+v: one repeat, of which no error is known, makes a best cell", b)
	}
}

// Effective draws have no best cell.
func TestEffectiveDrawsHaveNoBest(t *testing.T) {
	l := cellsOf(quantity.ESSPerStep, 1, 10, 20, 40, 80, 160)
	for range 2 {
		if b := l.bests(2); b.at[quantity.ESSPerStep] != -1 || b.at[quantity.MaxACT] != -1 {
			t.Errorf("%+v: effective draws make a best cell", b)
		}
		l.also(quantity.CovError, 0.1, 5, 4, 3, 2, 1)
	}
}

// Cells that do as well as the best one are told from those that do worse.
func TestCellsAsGoodAsTheBest(t *testing.T) {
	for _, c := range []struct {
		means    []float64
		from, to int
	}{
		{[]float64{9, 1.2, 1, 1.1, 1.3, 9, 1.1}, 1, 4},
		{[]float64{1, 1.2, 1.1, 1.3, 9}, 0, 3},
		{[]float64{9, 1.2, 1.1, 1.3, 1}, 1, 4},
		{[]float64{1, 1.2, 1.1, 1.3, 1.6}, -1, -1},
	} {
		l := cellsOf(quantity.TestError, 0.1, c.means...)
		if b := l.bests(2); b.from != c.from || b.to != c.to {
			t.Errorf("%v ± 0.1: cells %d to %d, want %d to %d", c.means, b.from, b.to, c.from, c.to)
		}
	}
}

// Of grids on which nothing depends few have a best cell, as the comment to apart
// says.
func TestNoiseHasNoBest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 10))
	const grids = 2000
	for _, c := range []struct {
		cells, repeats int
		most           float64 // of the grids; measured are 0.003, 0.007, 0.007 and 0.021
	}{{41, 5, 0.005}, {41, 3, 0.01}, {13, 3, 0.01}, {41, 2, 0.025}} {
		found, some := 0, 0
		for range grids {
			l := Lane{Has: true, Cells: make([]Cell, c.cells)}
			for i := range l.Cells {
				var sum, squares float64
				for range c.repeats {
					x := r.NormFloat64()
					sum, squares = sum+x, squares+x*x
				}
				n := float64(c.repeats)
				mean := sum / n
				l.Cells[i].Runs = c.repeats
				l.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Mean: 9 + mean, SE: math.Sqrt((squares - n*mean*mean) / (n - 1) / n), N: c.repeats}
			}
			if b := l.bests(2); b.at[quantity.CovError] >= 0 {
				found++
			}
			if b := l.bests(2); b.from >= 0 {
				some++
			}
		}
		if most := c.most * grids; float64(found) > most || float64(some) > most {
			t.Errorf("%d cells of %d repeats of noise: %d of %d grids have a best cell, %d cells that do better than others", c.cells, c.repeats, found, grids, some)
		}
	}
}

// What a grid recommends is said in one line, and so is why it does not.
func TestVerdicts(t *testing.T) {
	grid := func(seeds int, lanes ...Lane) (text, why string) {
		d := &Data{Param: stepSize(), Values: []float64{0.01, 0.1, 1, 2, 4}, Seeds: seeds, State: Done, Lanes: lanes}
		var best []sweepBest
		for i := range lanes {
			lanes[i].ID = i
			best = append(best, lanes[i].bests(min(seeds, judgedFrom)))
		}
		return sweepVerdict(&pane.Frame{Keys: planetest.Keys}, d, best, d.Param.Symbol)
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
		{"the cells are too short to compare: ) makes them longer", "", 3, []Lane{short}},
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

// A repeat without an error has none to be judged by: most cells being such, one that
// is worse is still told from them.
func TestBestOfExactZeros(t *testing.T) {
	l := cellsOf(quantity.TestError, 0, 0, 0, 0, 0, 9)
	l.Cells[4].Of[quantity.TestError].SE = 0.1
	if b := l.bests(3); b.from != 0 || b.to != 3 {
		t.Errorf("as good as the best: %d to %d", b.from, b.to)
	}
}

// The ends of a scale have a sign where there are values beyond them.
func TestScales(t *testing.T) {
	d := &Data{Lanes: []Lane{cellsOf(quantity.CovError, 0.01, 0.2, 0.3, 0.4, 0.5, 9, 20)}}
	d.Lanes[0].also(quantity.CovBias, 0, 0.0015, 0.1, 0.2, 0.5, 9, 30)
	if s := d.scale(quantity.CovBias); !s.less || !s.more || s.lo != 0.2 || s.hi != 20 {
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
