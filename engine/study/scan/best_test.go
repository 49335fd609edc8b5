package scan

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
)

// cellsOf is a row whose cells have these means of a quantity, of three repeats with
// this standard error.
func cellsOf(q quantity.ID, se float64, means ...float64) Row {
	l := make(Row, len(means))
	for i, x := range means {
		c := &l[i]
		c.Runs = 3
		for k := range c.Of {
			c.Of[k].Mean, c.Of[k].SE = math.NaN(), math.NaN()
		}
		c.Of[q] = quantity.OverSeeds{Mean: x, SE: se, N: 3}
	}
	return l
}

func (l Row) also(q quantity.ID, se float64, means ...float64) {
	for i, x := range means {
		l[i].Of[q] = quantity.OverSeeds{Mean: x, SE: se, N: 3}
	}
}

// The best cell is the least error of those that are whole, if it is below the median
// one by more than the errors.
func TestBestCell(t *testing.T) {
	l := cellsOf(quantity.CovError, 0.1, 3, 2, 1, 4, 0.5)
	l[2].Diverged = 1
	l[4].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3}
	if b := l.Best(2); b.At != 1 || b.By != quantity.CovError {
		t.Errorf("%+v, want cell 1 by the covariance error", b)
	}
	for i := range l {
		l[i].Of[quantity.CovError].SE = 0.4
	}
	if b := l.Best(2); b.At != -1 || b.By != quantity.CovError {
		t.Errorf("%+v: a difference of 1 ± 0.57 makes a best cell", b)
	}
	one := cellsOf(quantity.CovError, math.NaN(), 3, 2, 1, 4, 0.5)
	for i := range one {
		one[i].Runs, one[i].Of[quantity.CovError].N = 1, 1
	}
	if b := one.Best(1); b.At != -1 {
		t.Errorf("%+v: one repeat, of which no error is known, makes a best cell", b)
	}
}

// Effective draws have no best cell.
func TestEffectiveDrawsHaveNoBest(t *testing.T) {
	l := cellsOf(quantity.ESSPerStep, 1, 10, 20, 40, 80, 160)
	for range 2 {
		if b := l.Best(2); b.By == quantity.ESSPerStep || b.By == quantity.MaxACT {
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
		if b := l.Best(2); b.From != c.from || b.To != c.to {
			t.Errorf("%v ± 0.1: cells %d to %d, want %d to %d", c.means, b.From, b.To, c.from, c.to)
		}
	}
}

// Of grids on which nothing depends few have a best cell, as the comment to
// clearBy says.
func TestNoiseHasNoBest(t *testing.T) {
	innerlooptest.Skip(t, "a whole scan")
	r := rand.New(rand.NewPCG(3, 10))
	const grids = 2000
	for _, c := range []struct {
		cells, repeats int
		most           float64 // of the grids; measured are 0.004, 0.008, 0.008 and 0.0275
	}{{41, 5, 0.005}, {41, 3, 0.01}, {13, 3, 0.01}, {41, 2, 0.03}} {
		found := 0
		for range grids {
			l := make(Row, c.cells)
			for i := range l {
				var sum, squares float64
				for range c.repeats {
					x := r.NormFloat64()
					sum, squares = sum+x, squares+x*x
				}
				n := float64(c.repeats)
				mean := sum / n
				l[i].Runs = c.repeats
				l[i].Of[quantity.CovError] = quantity.OverSeeds{Mean: 9 + mean, SE: math.Sqrt((squares - n*mean*mean) / (n - 1) / n), N: c.repeats}
			}
			if l.Best(2).At >= 0 {
				found++
			}
		}
		if most := c.most * grids; float64(found) > most {
			t.Errorf("%d cells of %d repeats of noise: %d of %d grids have a best cell", c.cells, c.repeats, found, grids)
		}
	}
}

// A repeat without an error has none to be judged by: most cells being such, one that
// is worse is still told from them.
func TestBestOfExactZeros(t *testing.T) {
	l := cellsOf(quantity.TestError, 0, 0, 0, 0, 0, 9)
	l[4].Of[quantity.TestError].SE = 0.1
	if b := l.Best(3); b.From != 0 || b.To != 3 {
		t.Errorf("as good as the best: %d to %d", b.From, b.To)
	}
}
