package record

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
)

// Curves writes the points of the lanes' curves, as CSV (RFC 4180): a header, then a row a point, lane by lane and
// oldest first. A number that is not known, that cannot be trusted, or that the target does not have, is empty; an
// infinite one is Inf or -Inf. The columns:
//
//	lane           A to D
//	sampler        the method's name, as in --samplers
//	step           steps since the start or the last restart
//	epoch          passes over the data; empty without data
//	gradients      gradients of single data; without data, steps
//	seconds        of sampling, without evaluation
//	draws          kept since the last change, from which the estimates are
//	eps            the step size ε
//	x, y           the first two coordinates of the newest draw
//
// and then every charted quantity of [quantity.All], in its order and by its key. The table says what each is.
func Curves(w io.Writer, s *engine.Snapshot) error {
	t := newTable(w)
	row := []any{"lane", "sampler", "step", "epoch", "gradients", "seconds", "draws", "eps", "x", "y"}
	for i := range quantity.All {
		if q := &quantity.All[i]; q.Charted {
			row = append(row, q.Key)
		}
	}
	t.add(row...)
	for _, l := range s.Lanes {
		for i := range l.History {
			p := &l.History[i]
			gradients := float64(p.Step)
			if !math.IsNaN(p.Epoch) && s.Problem != nil {
				gradients = p.Epoch * float64(s.Problem.N())
			}
			row = append(row[:0], state.LaneLetter(l.ID), l.Setting.Sampler, p.Step, p.Epoch, gradients, p.Seconds,
				p.Draws, p.Eps, p.X, p.Y)
			for id := range quantity.All {
				if quantity.All[id].Charted {
					row = append(row, p.Of(quantity.ID(id)))
				}
			}
			t.add(row...)
		}
	}
	return t.close()
}

// Trace writes the newest kept draws of the two coordinates that are watched, in
// the form of Curves: a row a draw, lane by lane and oldest first. The columns:
//
//	lane, sampler  as in Curves
//	draw           its place among the lane's kept draws since the start, from 1
//	x, y           the coordinates, in units of θ, or along the draws' principal
//	               directions where those are watched; the header has their names
//	               if every lane shows the same
func Trace(w io.Writer, s *engine.Snapshot) error {
	all := s.Lanes
	x, y := "x", "y"
	if len(all) > 0 {
		first := all[0].Names
		if first[0] != "" && first[1] != "" &&
			!slices.ContainsFunc(all, func(l engine.LaneView) bool { return l.Names != first }) {
			x, y = first[0], first[1]
		}
	}
	t := newTable(w)
	t.add("lane", "sampler", "draw", x, y)
	for _, l := range all {
		n := min(len(l.TrailX), len(l.TrailY))
		for i := range n {
			t.add(state.LaneLetter(l.ID), l.Setting.Sampler, l.Kept-min(l.Kept, uint64(n-i))+1, l.TrailX[i],
				l.TrailY[i])
		}
	}
	return t.close()
}

// Sweep writes what the lanes that have the parameter of a sweep came to, in the form of
// Curves: a row a value of the parameter, lane by lane. The columns:
//
//	lane, sampler   as in Curves
//	eps             the parameter's value; the column has the parameter's key
//	runs, diverged  repeats that are done, and those of them that diverged
//
// and then two columns for every quantity of [quantity.Compared]: by its key the mean over the repeats that have a
// number for it, and by KEY_se the standard error of that mean, which is empty for fewer than two.
func Sweep(w io.Writer, g *scan.Scan) error {
	t := newTable(w)
	row := []any{"lane", "sampler", g.Param.Key, "runs", "diverged"}
	for _, q := range quantity.Compared {
		key := quantity.All[q].Key
		row = append(row, key, key+"_se")
	}
	t.add(row...)
	for i, l := range g.Known().Lanes {
		if !l.Has {
			continue
		}
		for k, x := range g.Values() {
			c := &l.Cells[k]
			row = append(row[:0], state.LaneLetter(l.ID), g.Sweep.Config.Lanes[i].Sampler, x, c.Runs, c.Diverged)
			for _, q := range quantity.Compared {
				mean, se := math.NaN(), math.NaN()
				if o := &c.Of[q]; o.N > 0 {
					mean, se = o.Mean, o.SE
				}
				row = append(row, mean, se)
			}
			t.add(row...)
		}
	}
	return t.close()
}

// table writes rows of words and numbers. It remembers the first error until close.
type table struct{ *csv.Writer }

func newTable(w io.Writer) table {
	t := table{csv.NewWriter(w)}
	t.UseCRLF = true // as RFC 4180 has it
	return t
}

func (t table) add(row ...any) {
	fields := make([]string, len(row))
	for i, v := range row {
		x, ok := v.(float64)
		switch {
		case !ok:
			fields[i] = fmt.Sprint(v)
		case !math.IsNaN(x):
			fields[i] = strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+") // of +Inf
		}
	}
	_ = t.Write(fields)
}

func (t table) close() error {
	t.Flush()
	return t.Error()
}
