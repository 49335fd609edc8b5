package lane

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
)

// coordTable is what is shown of many coordinates, and how long the chain must be.
type coordTable struct {
	on         bool
	rows       []engine.CoordRow
	from       int
	kept       uint64
	made       time.Time
	needed     uint64
	neededAt   uint64 // draws
	neededFrom time.Time
	sorted     []float64
}

const (
	// renewRows is how often the table is worked out while the lane runs.
	renewRows = 400 * time.Millisecond
	// quantilesOf is how many kept draws of a chain quantiles are taken from.
	quantilesOf = 1 << 11
)

// rowsView are the estimates of the tracked coordinates of the page with the first watched
// one. They are nil unless they are watched, and of a network.
func (l *lane[F]) rowsView(r *quantity.Reading, running bool) []engine.CoordRow {
	t := &l.table
	if !t.on || !l.converges() {
		return nil
	}
	from := l.x / agreement.PageLen * agreement.PageLen
	fresh := t.from == from && t.rows != nil && (t.kept == l.kept || running && l.kept > t.kept && time.Since(t.made) < renewRows)
	if fresh {
		return t.rows
	}
	t.from, t.kept, t.made = from, l.kept, time.Now()
	t.rows = make([]engine.CoordRow, 0, min(agreement.PageLen, len(l.tracked)-from))
	for i := from; i < min(from+agreement.PageLen, len(l.tracked)); i++ {
		row := engine.CoordRow{At: i, Name: l.prob.Name(l.tracked[i]), Values: r.Coordinate(i), Rough: l.rough(i)}
		l.quantiles(i, &row)
		t.rows = append(t.rows, row)
	}
	return t.rows
}

// quantiles fills in the quantiles of the kept draws of all chains, of R's type 7.
func (l *lane[F]) quantiles(i int, row *engine.CoordRow) {
	x := l.table.sorted[:0]
	for _, c := range l.chains {
		x, _ = c.keeper.Append(x, i, quantilesOf/len(l.chains))
	}
	slices.Sort(x)
	l.table.sorted = x
	for k, p := range engine.RowQuantiles {
		row.Quantiles[k] = metrics.Withheld(metrics.NoDraws, 0)
		if n := len(x); n > 0 && l.div == nil {
			row.Quantiles[k] = metrics.Known(metrics.Quantile(x, p), math.NaN(), uint64(n))
		}
	}
}

// leastRough is how many draws τ is estimated from at least, to be marked as a first impression (Box and Jenkins 1976, Time
// Series Analysis, section 2.1.6: at least 50 for autocorrelations).
const leastRough = 50

// rough is a first impression of τ of a tracked coordinate, of chains that are too short for one that can be trusted.
func (l *lane[F]) rough(i int) metrics.Estimate {
	if l.draws < leastRough*uint64(len(l.chains)) {
		return metrics.Withheld(metrics.TooShort, l.draws)
	}
	return l.pool.ACTLoose(i)
}

// neededView is how many draws the lane's window must have at least until its slowest coordinate is
// trusted, see [metrics.DrawsNeeded]; 0 where that is not known.
func (l *lane[F]) neededView(s metrics.Status, running bool) uint64 {
	t := &l.table
	if s != metrics.TooShort || l.draws == 0 {
		t.neededAt = 0
		return 0
	}
	if t.neededAt == 0 || t.neededAt > l.draws || t.neededAt < l.draws && !(running && time.Since(t.neededFrom) < slowestEvery) {
		t.neededAt, t.neededFrom, t.needed = l.draws, time.Now(), 0
		for i := range l.tracked {
			t.needed = max(t.needed, metrics.DrawsNeeded(l.rough(i))*uint64(len(l.chains)))
		}
	}
	if t.needed <= l.draws {
		return 0
	}
	return t.needed
}
