package record

import (
	"encoding/csv"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
)

// Curves writes the points of the lanes' curves, those of the lanes with the IDs
// given, or of all without any, as CSV (RFC 4180): a header, then a row a point,
// lane by lane and oldest first. A number that is not known, that cannot be trusted,
// or that the target does not have, is empty; an infinite one is Inf or -Inf. The
// columns:
//
//	lane           A to D
//	sampler        the method's name, as in --samplers
//	step           steps since the start or the last restart
//	epoch          passes over the data; empty without data
//	gradients      gradients of single data; without data, steps
//	seconds        of sampling, without evaluation
//	draws          kept since the last tweak, from which the estimates are
//	eps            the step size ε
//	x, y           the first two coordinates of the newest draw
//
// and then every charted quantity of [quantity.All], in its order and by its key. The
// table says what each is.
func Curves(w io.Writer, s *engine.Snapshot, lanes ...int) error {
	t := newTable(w)
	t.text("lane", "sampler", "step", "epoch", "gradients", "seconds", "draws", "eps", "x", "y")
	for i := range quantity.All {
		if q := &quantity.All[i]; q.Charted {
			t.text(q.Key)
		}
	}
	t.end()
	for _, l := range chosen(s, lanes) {
		for i := range l.History {
			p := &l.History[i]
			gradients := float64(p.Step)
			if !math.IsNaN(p.Epoch) && s.Problem != nil {
				gradients = p.Epoch * float64(s.Problem.N())
			}
			t.text(engine.LaneLetter(l.ID), l.Setting.Sampler)
			t.count(p.Step)
			t.numbers(p.Epoch, gradients, p.Seconds)
			t.count(p.Draws)
			t.numbers(p.Eps, p.X, p.Y)
			for id := range quantity.All {
				if quantity.All[id].Charted {
					t.numbers(p.Of(quantity.ID(id)))
				}
			}
			t.end()
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
func Trace(w io.Writer, s *engine.Snapshot, lanes ...int) error {
	all := chosen(s, lanes)
	x, y := "x", "y"
	if len(all) > 0 {
		first := all[0].Names
		if first[0] != "" && first[1] != "" && !slices.ContainsFunc(all, func(l engine.LaneView) bool { return l.Names != first }) {
			x, y = first[0], first[1]
		}
	}
	t := newTable(w)
	t.text("lane", "sampler", "draw", x, y)
	t.end()
	for _, l := range all {
		n := min(len(l.TrailX), len(l.TrailY))
		for i := range n {
			t.text(engine.LaneLetter(l.ID), l.Setting.Sampler)
			t.count(l.Kept - min(l.Kept, uint64(n-i)) + 1)
			t.numbers(l.TrailX[i], l.TrailY[i])
			t.end()
		}
	}
	return t.close()
}

// chosen are the lanes with the IDs, in the snapshot's order; all without IDs.
func chosen(s *engine.Snapshot, ids []int) []engine.LaneView {
	if len(ids) == 0 {
		return s.Lanes
	}
	var out []engine.LaneView
	for _, l := range s.Lanes {
		if slices.Contains(ids, l.ID) {
			out = append(out, l)
		}
	}
	return out
}

// table writes rows field by field.
type table struct {
	w   *csv.Writer
	row []string
}

func newTable(w io.Writer) *table {
	t := &table{w: csv.NewWriter(w)}
	t.w.UseCRLF = true // as RFC 4180 has it
	return t
}

func (t *table) text(fields ...string) { t.row = append(t.row, fields...) }
func (t *table) count(n uint64)        { t.row = append(t.row, strconv.FormatUint(n, 10)) }

func (t *table) numbers(all ...float64) {
	for _, v := range all {
		field := ""
		switch {
		case math.IsNaN(v):
		case math.IsInf(v, 1):
			field = "Inf"
		case math.IsInf(v, -1):
			field = "-Inf"
		default:
			field = strconv.FormatFloat(v, 'g', -1, 64)
		}
		t.row = append(t.row, field)
	}
}

// end ends the row. The writer remembers its error until close.
func (t *table) end() {
	_ = t.w.Write(t.row)
	t.row = t.row[:0]
}

func (t *table) close() error {
	t.w.Flush()
	return t.w.Error()
}
