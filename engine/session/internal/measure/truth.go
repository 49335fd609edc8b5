package measure

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/distance"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// truth reads how far the draws are from the truth.
type truth[F sampler.Float] struct {
	kept  *kept[F]
	known *distance.Truth // nil where there is none
	cov   []float64       // scratch; nil of too many coordinates
	apart distance.Found
	// farthest is what Farthest found, at a draw of the window.
	farthest   *engine.Farthest
	farthestAt uint64
	shares     [][]float64 // see [targets.Reference.Shares]
}

func newTruth[F sampler.Float](k *kept[F]) *truth[F] {
	t := &truth[F]{kept: k}
	if d := len(k.Tracked); d <= metrics.MaxCovDim {
		t.cov = make([]float64, d*d)
	}
	t.turned()
	return t
}

func (t *truth[F]) forget() { t.apart, t.farthest, t.farthestAt = distance.Found{}, nil, 0 }

// Farthest is the coordinate of which mean or sd is farthest off the truth, in standard errors; nil where none is
// known. While the lane runs it is kept until the draws have grown by a quarter.
func (t *truth[F]) Farthest(by *quantity.Reading) *engine.Farthest {
	draws := by.State.Draws
	trust := by.Trust[quantity.Chain]
	if t.known == nil || trust != metrics.OK && trust != metrics.Bias { // which is what is farthest off
		return nil
	}
	if at := t.farthestAt; t.kept.now.Moving && at > 0 && at <= draws && draws <= at+at/4 {
		return t.farthest
	}
	t.farthest, t.farthestAt = nil, draws
	pool, ofTruth := t.kept.pool, t.known.StandardError()
	var values quantity.CoordValues // by the chains alone: to compare all coordinates takes long
	var own quantity.CoordValues
	most, worst := 0.0, -1
	for i := range t.kept.Tracked {
		values[quantity.Mean] = metrics.Known(pool.Mean(i), pool.MCSEOf(i, pool.ACT(i)).Trusted(), draws)
		values[quantity.SD] = metrics.Known(math.Sqrt(pool.Var(i)), pool.SDError(i).Trusted(), draws)
		values[quantity.TrueMean] = metrics.Exact(t.known.Mean[i])
		values[quantity.TrueSD] = metrics.Exact(t.known.SD[i])
		if _, _, z := values.OffTruth(ofTruth); z > most {
			most, worst, own = z, i, values
		}
	}
	if worst >= 0 {
		if trust == metrics.OK {
			own = by.Coordinate(worst)
		}
		of, off, _ := own.OffTruth(ofTruth)
		t.farthest = &engine.Farthest{Name: t.kept.Problem.Name(t.kept.Tracked[worst]), Of: of, Off: off,
			TrueSD: t.known.SD[worst]}
	}
	return t.farthest
}

// turned takes the truth that is known of the target.
func (t *truth[F]) turned() {
	of, all := t.kept.Problem.Exact(), len(t.kept.Tracked) == t.kept.Target.Dim()
	switch {
	case of == nil && all:
		of = t.kept.Problem.Reference
	case of != nil && !all:
		at := func(x []float64) []float64 { return list.Map(t.kept.Tracked, func(k int) float64 { return x[k] }) }
		of.Mean, of.SD, of.Cov = at(of.Mean), at(of.SD), nil
	}
	t.known = nil
	if of != nil {
		t.known = &distance.Truth{Reference: of}
		t.known.Exact, _ = t.kept.Problem.Impl().(targets.Exact)
	}
	if t.shares = nil; t.known != nil && len(t.kept.Tracked) <= 2 {
		if t.shares = t.known.Shares; t.known.Exact != nil {
			draws := targets.Sample(t.known.Exact, len(t.kept.Tracked), 4096)
			t.shares = list.Map(draws, func(x []float64) (at []float64) {
				slices.Sort(x)
				for k := 1; k < targets.Shares; k++ {
					at = append(at, metrics.Quantile(x, float64(k)/targets.Shares))
				}
				return at
			})
		}
	}
}

// holds reports whether there is a truth, which is that of the lane's posterior. It is at T = 1, and a reference is of
// one prior.
func (t *truth[F]) holds() bool {
	ref := t.kept.Problem.Reference
	return t.known != nil && (t.kept.Params.Temp == 1 || !t.kept.Setting.Has(sampler.KeyTemp)) &&
		(ref == nil || t.known.Reference != ref || t.kept.Drawn() || t.kept.Params.PriorPrec == 1/ref.PriorVar)
}

// slabs is into how many a coordinate's quantiles part the truth, of inSlab shares each, and slabbed how many effective
// draws each of forty has one of, but for a chance of 5e-8.
const (
	slabs   = 20
	inSlab  = targets.Shares / slabs
	slabbed = 400
	thrown  = 2 // times the truth's variance, of draws that too large a step throws beyond it
)

// off says whether draws of one or two dimensions are off the truth. They are Mode where, of so many that are not
// thrown about, one of a coordinate's slabs has none and is no mere tail. Else they are Bias where the mean of a
// coordinate with a standard error is off by more than ten of these and more than half a standard deviation. A share w
// of the mass that is missed moves the mean by at most √(w/(1-w)) sd. A Metropolis method has no bias, so that a mode
// is missed where its mean is off by less, but for a truth of draws, which may be the one that is wrong.
func (t *truth[F]) off(i int, mcse float64) metrics.Status {
	if !t.holds() || t.kept.Target.Dim() > 2 {
		return metrics.Absent
	}
	d := math.Abs(t.kept.pool.Mean(i) - t.known.Mean[i])
	least, status := t.known.SD[i]/2, metrics.Bias
	if t.kept.Method.Metropolis && t.known.Draws == 0 {
		least, status = float64(10*t.known.Error*t.known.SD[i]), metrics.Mode
	}
	off := d > 10*mcse && d > least
	if !off && (i > 0 || !(t.kept.pool.Var(i) >= slabbed*mcse*mcse)) { // the slabs are of all coordinates
		return metrics.Absent
	}
	var x []float64
	for j, at := range t.shares {
		var draws [slabs]int
		for _, k := range t.kept.keepers {
			if x = x[:0]; k != nil {
				x, _ = k.Append(x, j, 1<<14)
			}
			for _, v := range x {
				share, _ := slices.BinarySearch(at, v)
				draws[share/inSlab]++
			}
		}
		if t.kept.pool.Var(j) < float64(thrown*t.known.SD[j]*t.known.SD[j]) && missed(draws, at) {
			return metrics.Mode
		}
	}
	if off {
		return status
	}
	return metrics.Absent
}

// missed reports whether a slab has no draw and is no mere tail, which too large a step may cut off: at most two slabs
// at an end, where the shares that the quantiles part do not narrow threefold outwards, as those of a mode do.
func missed(draws [slabs]int, at []float64) bool {
	has := func(n int) bool { return n > 0 }
	lo, hi := slices.IndexFunc(draws[:], has), slabs
	for hi > 0 && draws[hi-1] == 0 {
		hi--
	}
	narrows := func(from, to, by int) bool {
		for k, widest := from, 0.0; k != to; k += by {
			w := at[k] - at[k-1]
			if widest = max(widest, w); float64(3*w) < widest {
				return true
			}
		}
		return false
	}
	return lo > 2 || hi < slabs-2 || slices.Contains(draws[max(lo, 0):hi], 0) ||
		hi < slabs && narrows((hi-1)*inSlab, len(at), 1) || lo > 0 && narrows((lo+1)*inSlab-1, 0, -1)
}

// Errors are those of the window's draws against the truth, see [distance.Truth.Errors]. They are NaN without a
// truth, and that of an optimiser's covariance also.
func (t *truth[F]) Errors() (cov, mean float64) {
	if !t.holds() {
		return math.NaN(), math.NaN()
	}
	if cov, mean = t.known.Errors(t.kept.pool, t.cov); t.kept.Method.Kind == sampler.Optimising {
		cov = math.NaN()
	}
	return cov, mean
}

// Distances are those of the window's draws from the truth, see [distance.Truth.Distances]. A lane at rest has those
// of its result, until a draw comes. Points of the curves have distances of fewer draws, until these have grown by a
// quarter. Views of a running lane take those of the points.
func (t *truth[F]) Distances() quantity.Distances {
	if !t.holds() {
		return quantity.Distances{W2: math.NaN(), Sliced: math.NaN()}
	}
	d, rough, draws := &t.apart, t.kept.now.Moving, t.kept.Window.Draws
	if t.kept.now.Point || rough && !t.kept.reached.Stale(draws) {
		d, rough = &t.kept.reached, true
	}
	if d.Stale(draws) || !rough && (d.Draws != draws || !d.Whole) {
		*d = t.known.Distances(t.kept.pool, t.kept.keepers, t.cov, !rough)
		d.Draws = draws
	}
	return d.Distances
}

// Bias is that at the present step size.
func (t *truth[F]) Bias() float64 {
	if t.known == nil || t.cov == nil {
		return math.NaN()
	}
	return state.CovBias(t.kept.Problem, t.kept.Setting, t.kept.PresentEps(), t.known.Cov)
}

// TrueMoments are those of the truth, if it is that of the lane's posterior.
func (t *truth[F]) TrueMoments(i int) (mean, sd float64) {
	if !t.holds() {
		return math.NaN(), math.NaN()
	}
	return t.known.Mean[i], t.known.SD[i]
}

// covs are the covariances of the draws and of the truth in two coordinates: variance, covariance, variance. They are
// NaN where they are not known.
func (t *truth[F]) covs(x, y int) (drawn, true [3]float64) {
	nan, d := math.NaN(), len(t.kept.Tracked)
	of := func(cov []float64) [3]float64 {
		if cov == nil {
			return [3]float64{nan, nan, nan}
		}
		return [3]float64{cov[x*d+x], cov[x*d+y], cov[y*d+y]}
	}
	if true = of(nil); t.holds() {
		true = of(t.known.Cov)
	}
	if !t.kept.pool.Cov(t.cov) {
		return of(nil), true
	}
	return of(t.cov), true
}
