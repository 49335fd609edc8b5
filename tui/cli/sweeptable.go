package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/tui/plane"
)

// writeTable writes a sweep for people: a row for each point of the grid and
// lane, with means over the repeats and their standard errors.
func (s *sweep) writeTable(w io.Writer, cells []study.Cell) {
	fmt.Fprintf(w, "%s  seed %d  repeats %d\n\n", s.title, s.Config.Seed, s.Repeats)
	columns := s.columns(cells)
	t := table{left: len(s.Grid) + 1}
	var head []string
	for _, a := range s.Grid {
		head = append(head, a.Key)
	}
	head = append(head, "sampler")
	for _, c := range columns {
		head = append(head, c.head)
	}
	t.add(append(head, "diverged")...)
	for from := 0; from < len(cells); {
		to := from
		for to < len(cells) && cells[to].Point == cells[from].Point {
			to++
		}
		for lane := range s.Config.Lanes {
			t.add(s.row(cells[from:to], lane, columns)...)
		}
		from = to
	}
	t.write(w)
}

// sweepColumn is a quantity of the table.
type sweepColumn struct {
	head  string
	value func(engine.LaneResult) engine.Num
	scale float64
	who   who
}

// who has a quantity, and so what it means that it is missing.
type who uint8

const (
	sometimes who = iota // not every lane: it has none
	ofChains             // every chain: it is too short
)

func (s *sweep) columns(cells []study.Cell) []sweepColumn {
	var cov, mean, test, train, loss, elbo, accept, chain bool
	finite := func(x *engine.Num) bool { return x != nil && !math.IsNaN(float64(*x)) }
	for _, c := range cells {
		for _, l := range c.Lanes {
			cov, test, train = cov || l.CovError != nil && samples(l), test || l.TestError != nil, train || l.TrainError != nil
			cov, mean = cov || finite(l.CovError), mean || finite(l.MeanError) && !finite(l.CovError) && l.Diverged == nil
			loss, elbo, accept = loss || l.Loss != nil && !samples(l), elbo || l.ELBO != nil, accept || l.Acceptance != nil
			chain = chain || samples(l)
		}
	}
	maybe := func(x *engine.Num) engine.Num {
		if x == nil {
			return engine.Num(math.NaN())
		}
		return *x
	}
	var all []sweepColumn
	if cov {
		all = append(all, sweepColumn{"cov error", func(l engine.LaneResult) engine.Num { return maybe(l.CovError) }, 1, sometimes})
	}
	if mean {
		all = append(all, sweepColumn{"mean error", func(l engine.LaneResult) engine.Num { return maybe(l.MeanError) }, 1, sometimes})
	}
	if loss {
		all = append(all, sweepColumn{"loss", func(l engine.LaneResult) engine.Num {
			if samples(l) {
				return maybe(nil)
			}
			return maybe(l.Loss)
		}, 1, sometimes})
	}
	if elbo {
		all = append(all, sweepColumn{"ELBO", func(l engine.LaneResult) engine.Num { return maybe(l.ELBO) }, 1, sometimes})
	}
	switch {
	case test:
		all = append(all, sweepColumn{"test error %", func(l engine.LaneResult) engine.Num { return maybe(l.TestError) }, 100, sometimes})
	case train:
		all = append(all, sweepColumn{"train error %", func(l engine.LaneResult) engine.Num { return maybe(l.TrainError) }, 100, sometimes})
	}
	if accept {
		all = append(all, sweepColumn{"acceptance", func(l engine.LaneResult) engine.Num { return maybe(l.Acceptance) }, 1, sometimes})
	}
	if !chain {
		return all
	}
	return append(all,
		sweepColumn{"max τ", maxACT, 1, ofChains},
		sweepColumn{"min ESS", func(l engine.LaneResult) engine.Num { return l.MinESS }, 1, ofChains},
		sweepColumn{"ESS/s", func(l engine.LaneResult) engine.Num { return l.ESSPerSecond }, 1, ofChains},
	)
}

// row summarises the repeats of a point in one lane. Diverged repeats count in
// the last column alone.
func (s *sweep) row(repeats []study.Cell, lane int, columns []sweepColumn) []string {
	var row []string
	for k, j := range s.Grid.At(repeats[0].Point) {
		if s.Config.Lanes[lane].Has(s.Grid[k].Param.Key) {
			row = append(row, s.Grid[k].Text(j))
		} else {
			row = append(row, "–")
		}
	}
	row = append(row, engine.LaneLetter(lane)+" "+title(s.Config.Lanes[lane].Sampler))
	var kept []engine.LaneResult
	for _, c := range repeats {
		if l := c.Lanes[lane]; l.Diverged == nil {
			kept = append(kept, l)
		}
	}
	for _, c := range columns {
		row = append(row, meanOver(kept, c))
	}
	return append(row, fmt.Sprintf("%d of %d", len(repeats)-len(kept), len(repeats)))
}

// meanOver is a mean ± its standard error over the repeats that have a number,
// and says so if they are not all.
func meanOver(lanes []engine.LaneResult, c sweepColumn) string {
	n, mean, ss := 0.0, 0.0, 0.0
	for _, l := range lanes {
		x := float64(c.value(l)) * c.scale
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		n++
		d := x - mean
		mean += d / n
		ss += d * (x - mean)
	}
	switch {
	case len(lanes) == 0:
		return "–"
	case n == 0 && c.who == ofChains && samples(lanes[0]):
		return "too short"
	case n == 0:
		return "–"
	}
	text := plane.Number(mean, cellWidth)
	if n > 1 {
		text += " ± " + plane.Number(math.Sqrt(ss/(n-1)/n), 7)
	}
	if int(n) < len(lanes) {
		text += fmt.Sprintf(" (%.0f of %d)", n, len(lanes))
	}
	return text
}
