package measure

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// function reads what the draws are as functions.
type function[F sampler.Float] struct {
	kept    *kept[F]
	found   quantity.Function
	of      uint64             // the draws behind found
	by      *targets.Reference // the truth behind it
	parted  bool               // chains keep to different functions, see part
	compare metrics.Comparer
	shown   bool
	newest  *engine.FunctionView // nil where it is stale
	drawn   uint64               // the draws behind newest
}

func (f *function[F]) forget() { f.of, f.newest, f.parted = 0, nil, false }

// Function is how far the draws are from the truth as functions. While the lane runs it is of fewer draws, until these
// have grown by a quarter.
func (f *function[F]) Function() quantity.Function {
	w := f.kept.Functions
	if w == nil || w.Draws == 0 {
		f.parted = false
		none := metrics.Withheld(metrics.NoDraws, 0)
		return quantity.Function{Mean: none, Band: none, RHat: none, ESS: none, NLL: none, Coverage: none}
	}
	all := w.Draws
	if f.point() {
		all = f.kept.Kept // of which the newest counts
	}
	stale := f.of == 0 || f.of > all || f.by != f.kept.Problem.Function
	if moving := f.kept.now.Moving || f.kept.now.Point; !stale && (all == f.of || moving && all < f.of+f.of/4) {
		return f.found
	}
	f.of, f.by = all, f.kept.Problem.Function
	var widest int
	f.found, widest = f.distances()
	f.parted = f.part(widest)
	nll, covered := 0.0, 0
	for i, p := range w.Density {
		nll -= libm.Log(p/float64(w.Draws)) / float64(len(w.Density))
		// Of two classes the least set with 90% is the likelier one, or else both.
		within := p/float64(w.Draws) > 0.1
		if w.Target.Inputs() == 1 {
			u := w.Below[i] / float64(w.Draws)
			within = u >= 0.05 && u <= 0.95
		}
		if within {
			covered++
		}
	}
	share := float64(covered) / float64(len(w.Density))
	f.found.NLL, f.found.Coverage = metrics.Known(nll, math.NaN(), w.Draws), metrics.Known(share, math.NaN(), w.Draws)
	return f.found
}

// point reports whether the lane has a state and no draws: the mean and the band are those of what it predicts by, a
// network, a student or the members of an ensemble, and have no Monte Carlo error.
func (f *function[F]) point() bool { return f.kept.Run.Points() }

// distances are W_m = Σ|mean - mean*|/Σ sd*, W_s = Σ|sd - sd*|/Σ sd* over the places, each with the sum of its Monte
// Carlo errors, as if those of all places were one, the largest R-hat with its place, and the fewest effective draws. W_m
// and W_s are withheld where the chains of a place disagree or are too short.
func (f *function[F]) distances() (d quantity.Function, widest int) {
	point, keepers := f.point(), f.kept.Functions.Keepers
	if point { // of the first chain
		keepers = keepers[:1]
	}
	columns := make([][]float64, len(keepers))
	truth, all := f.by, f.kept.Functions.Draws
	sum := func(of func(i int) float64) float64 { return list.Sum(list.Upto(len(truth.SD)), of) }
	type place struct{ mean, sd, meanError, sdError float64 }
	var places []place
	status := metrics.OK
	for i := range len(f.kept.Functions.Target.Places()) / f.kept.Functions.Target.Inputs() {
		least := math.MaxInt
		for k, keeper := range keepers {
			columns[k], _ = keeper.Append(columns[k][:0], i, 0)
			if least = min(least, len(columns[k])); keeper.Every() != keepers[0].Every() {
				least = 0
			}
		}
		for k := range columns { // within a step the first chains have a draw more
			columns[k] = columns[k][:least]
		}
		if least < 4 && !point {
			none := metrics.Withheld(metrics.TooShort, all)
			return quantity.Function{Mean: none, Band: none, RHat: none, ESS: none}, 0
		}
		meanError, sdError := math.NaN(), math.NaN()
		if point {
			d.RHat = metrics.Withheld(metrics.NotSampled, all)
			d.ESS = d.RHat
		} else {
			c := f.compare.Compare(columns)
			if r := c.TellingRHat(); i == 0 || !r.OK() || d.RHat.OK() && r.Value > d.RHat.Value {
				d.RHat, widest = r, i
			}
			if i == 0 || !c.BulkESS.OK() || d.ESS.OK() && c.BulkESS.Value < d.ESS.Value {
				d.ESS = c.BulkESS
			}
			if !c.SD.OK() && c.SD.Status != metrics.Constant {
				status = c.SD.Status
			}
			meanError, sdError = c.Mean.Error, c.SD.Error
			d.Needed = max(d.Needed, c.Needed*all/uint64(least*len(columns))) // of which some are kept
		}
		n, mean, square := float64(least*len(columns)), 0.0, 0.0
		for _, column := range columns {
			for _, x := range column {
				mean += x / n
			}
		}
		for _, column := range columns {
			for _, x := range column {
				square += float64((x - mean) * (x - mean))
			}
		}
		places = append(places, place{mean, math.Sqrt(square / max(1, n-1)), meanError, sdError})
	}
	if truth == nil {
		status = metrics.Unknown
	}
	if status != metrics.OK {
		d.Mean = metrics.Withheld(status, all)
		d.Band = d.Mean
		return d, widest
	}
	spread := sum(func(i int) float64 { return truth.SD[i] })
	d.Mean = metrics.Known(sum(func(i int) float64 { return math.Abs(places[i].mean - truth.Mean[i]) })/spread,
		sum(func(i int) float64 { return places[i].meanError })/spread, all)
	d.Band = metrics.Known(sum(func(i int) float64 { return math.Abs(places[i].sd - truth.SD[i]) })/spread,
		sum(func(i int) float64 { return places[i].sdError })/spread, all)
	return d, widest
}

// part reports whether chains keep to different functions: R-hat is 1.1 at least at the place where it is largest, and
// they stay apart there. More steps do not cure that.
func (f *function[F]) part(widest int) bool {
	const apart = 1.1
	return len(f.kept.Functions.Keepers) > 1 && f.found.RHat.OK() && f.found.RHat.Value >= apart &&
		f.compare.Parted(list.Map(f.kept.Functions.Keepers, func(k *metrics.Keeper) []float64 {
			column, _ := k.Append(nil, widest, 0)
			return column
		}))
}

// other reports whether the truth of the function is that of another posterior than the lane's, or of other data.
func (f *function[F]) other() bool {
	ref := f.kept.Problem.Function
	if ref == nil {
		return len(f.kept.Problem.Added) > 0
	}
	cold := f.kept.Params.Temp != 1 && f.kept.Method.Kind != sampler.Optimising
	return cold || f.kept.Params.PriorPrec != 1/ref.PriorVar
}

// What is shown of the draws as functions: their quantiles are of so many draws of a chain at most, and so many of the
// newest are there.
const quantileDraws, newestFunctions = 512, 3

// view is what is shown of the draws. While the lane runs it is of fewer draws, until these have grown by a sixteenth.
func (f *function[F]) view() *engine.FunctionView {
	w := f.kept.Functions
	if !f.shown || w == nil || w.Draws == 0 {
		return nil
	}
	if f.newest != nil && f.drawn <= w.Draws && (w.Draws == f.drawn ||
		f.kept.now.Moving && w.Draws < f.drawn+f.drawn/16) {
		return f.newest
	}
	places := len(w.Target.Places()) / w.Target.Inputs()
	v := &engine.FunctionView{Mean: make([]float64, places), SD: make([]float64, places)}
	for q := range v.Quantiles {
		v.Quantiles[q] = make([]float64, places)
	}
	first := w.Keepers[0]
	for range min(newestFunctions, first.Len()) {
		v.Newest = append(v.Newest, make([]float64, places))
	}
	var all, some []float64
	for i := range places {
		all, some = all[:0], some[:0]
		for _, k := range w.Keepers {
			all, _ = k.Append(all, i, 0)
			some, _ = k.Append(some, i, quantileDraws)
		}
		if len(some) == 0 { // a chain's first draws may be in no block yet
			return nil
		}
		n, mean, square := float64(len(all)), 0.0, 0.0
		for _, x := range all {
			mean += x / n
		}
		for _, x := range all {
			square += float64((x - mean) * (x - mean))
		}
		v.Mean[i], v.SD[i] = mean, math.Sqrt(square/max(n-1, 1))
		slices.Sort(some)
		for q, p := range engine.FunctionQuantiles {
			v.Quantiles[q][i] = metrics.Quantile(some, p)
		}
		for k, x := range first.Newest(some[:0], i, newestFunctions, 1) {
			v.Newest[k][i] = x
		}
	}
	f.newest, f.drawn = v, w.Draws
	return v
}
