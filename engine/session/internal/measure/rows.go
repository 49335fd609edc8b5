package measure

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// rows reads what is shown of many coordinates, and how long the chain must be.
type rows[F sampler.Float] struct {
	kept   *kept[F]
	shown  bool
	newest []engine.CoordRow
	from   int    // the first of newest
	drawn  int    // the first with draws
	at     uint64 // kept draws
	made   time.Time
	sorted []float64 // scratch

	needed     uint64
	neededAt   uint64 // draws
	neededFrom time.Time
}

func (t *rows[F]) forget() { t.newest, t.neededAt = nil, 0 }

const (
	// renewRows is how often the table is worked out while the lane runs.
	renewRows = 400 * time.Millisecond
	// quantilesOf is how many kept draws of a chain quantiles are taken from.
	quantilesOf = 1 << 11
)

// of are the estimates of the tracked coordinates of the page with a coordinate. They are nil unless they are
// watched, and of a network.
func (t *rows[F]) of(r *quantity.Reading, coord int) []engine.CoordRow {
	if !t.shown || !t.kept.Converges() {
		return nil
	}
	from := coord / agreement.PageLen * agreement.PageLen
	to := min(from+agreement.PageLen, len(t.kept.Tracked))
	drawn := max(from, min(coord, to-engine.PairedRows))
	moment := t.kept.now.Moving && t.kept.Kept > t.at && time.Since(t.made) < renewRows
	if t.from == from && t.drawn == drawn && t.newest != nil && (t.at == t.kept.Kept || moment) {
		return t.newest
	}
	t.from, t.drawn, t.at, t.made = from, drawn, t.kept.Kept, time.Now()
	t.newest = make([]engine.CoordRow, 0, to-from)
	for i := from; i < to; i++ {
		row := engine.CoordRow{At: i, Values: r.Coordinate(i)}
		row.Name = t.kept.Problem.Name(t.kept.Tracked[i])
		t.quantiles(i, &row)
		t.newest = append(t.newest, row)
	}
	return t.newest
}

// quantiles fills in the quantiles of the kept draws of all chains, of R's type 7.
func (t *rows[F]) quantiles(i int, row *engine.CoordRow) {
	x := t.sorted[:0]
	for _, c := range t.kept.Chains {
		x, _ = c.Keeper.Append(x, i, quantilesOf/len(t.kept.Chains))
	}
	if i >= t.drawn && i < t.drawn+engine.PairedRows {
		row.Draws = slices.Clone(x)
	}
	slices.Sort(x)
	t.sorted = x
	for k, p := range engine.RowQuantiles {
		row.Quantiles[k] = metrics.Withheld(metrics.NoDraws, 0)
		if n := len(x); n > 0 && t.kept.Diverged == nil {
			row.Quantiles[k] = metrics.Known(metrics.Quantile(x, p), math.NaN(), uint64(n))
		}
	}
}

// leastRough is how many draws of a chain a first impression of τ takes at least (Box and Jenkins 1976, Time Series
// Analysis, section 2.1.6: at least 50 for autocorrelations).
const leastRough = 50

// rough is a first impression of τ of a tracked coordinate, of chains that are too short for one that can be trusted.
func (t *rows[F]) rough(i int) metrics.Estimate {
	if draws := t.kept.Window.Draws; draws < leastRough*uint64(len(t.kept.Chains)) {
		return metrics.Withheld(metrics.TooShort, draws)
	}
	return t.kept.pool.ACTLoose(i)
}

// need is how many draws the lane's window must have at least until its slowest coordinate is trusted, see
// [metrics.DrawsNeeded]. It is 0 where that is not known. why is what can be trusted of the chain.
func (t *rows[F]) need(why metrics.Status) uint64 {
	draws := t.kept.Window.Draws
	if why != metrics.TooShort || draws == 0 {
		t.neededAt = 0
		return 0
	}
	moment := t.kept.now.Moving && time.Since(t.neededFrom) < slowestEvery
	if t.neededAt == 0 || t.neededAt > draws || t.neededAt < draws && !moment {
		t.neededAt, t.neededFrom, t.needed = draws, time.Now(), 0
		for i := range t.kept.Tracked {
			t.needed = max(t.needed, metrics.DrawsNeeded(t.rough(i))*uint64(len(t.kept.Chains)))
		}
	}
	if t.needed <= draws {
		return 0
	}
	return t.needed
}
