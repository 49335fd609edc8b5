package chart

import (
	"math"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A fitting is what an axis is fitted to: so many cells, a tick about every per of them,
// and labels of a width. A raised one begins with a tick where that costs little, so that
// its ends stand still while the data grow; otherwise the axis begins where its data do.
type fitting struct {
	cells, per, width int
	raised            bool
}

// A log axis whose ends have a smaller ratio is a linear one: no value stands further than
// a twentieth of its length from where it would, and round labels have their places.
const nearlyEven = 1.5

// mostEven is the ratio up to which a log axis is a linear one if no round values stand on it.
const mostEven = 100

// The waste, as a ratio, for which an axis of rows begins with a tick or has
// ticks off the multiples of their step, a log axis gets
// labels at round values, and a linear one shorter labels.
const (
	widest      = 4
	raisedCost  = 1.1
	shiftedCost = 1.2
	roundCost   = 1.6
)

// fitAxis widens a range to an axis whose ticks stand in the middle of cells. On a linear axis they are equally many
// cells apart; on a log axis a decade is a whole number of cells, or a cell a whole number of decades. Cell i, counted
// from the lower end, is about the value (first+i)·u, or its power of ten, with a unit u of the axis's own. Ranges that
// float64 cannot divide so finely are left as they are, with labels at the ends.
func fitAxis(r Range, log bool, f fitting) Axis {
	if r.Set() && f.cells >= 2 && (!log || r.Lo > 0) {
		if log && r.Hi > nearlyEven*r.Lo {
			if a, ok := f.log(r); ok {
				a.fitted = true
				return a
			}
		}
		if a, ok := f.linear(r); ok && (!log || r.Hi < mostEven*r.Lo) {
			a.fitted = true
			return a
		}
	}
	return endsOf(r, log, f.width)
}

// shortAxis is the most rows of an axis with more kinds of steps. Its ticks may be half a step off
// the multiples of one, such as -1 and 1.
const shortAxis = 5

// place is the first cell's number of an axis with a unit, so that lo and hi, in units,
// lie on it, and whether it begins with a tick, one of which stands in every per cells;
// false if the axis is too short. What is left over is at both ends, or above a range from near zero.
func (f *fitting) place(lo, hi float64, per int) (first float64, onTick, ok bool) {
	const most = 1 << 50
	last := math.Floor(lo + 0.5 + 1e-9)
	least := math.Ceil(hi + 0.5 - float64(f.cells) - 1e-9)
	if !(least <= last) || max(math.Abs(last), math.Abs(least)) > most {
		return 0, false, false
	}
	tick := math.Floor(last/float64(per)) * float64(per)
	switch {
	case f.raised && tick >= least:
		return tick, true, true
	case f.raised || !(lo >= 0 && lo < 0.05*hi):
		return math.Floor(least/2 + last/2), false, true
	}
	return last, false, true
}

// linear fits a linear axis: of the steps 1, 2, 5 times a power of ten and the numbers of
// cells that one can take, those that waste least.
func (f *fitting) linear(r Range) (best Axis, ok bool) {
	length := r.Len()
	if !(length > 1e-9*max(-r.Lo, r.Hi)/float64(f.cells)) || math.IsInf(length, 0) {
		return best, false
	}
	for least := 0.0; ; {
		best, ok = f.cheapest(r, least)
		if !ok || best.Len() > widest*length {
			break // no digits are few enough
		}
		if best.distinct(f.width, true) {
			return best, true
		}
		least = 1.5 * best.Len() / float64(f.cells) * float64(best.per) // fewer decimals
	}
	if best, ok = f.cheapest(r, 0); ok && !best.distinct(f.width, false) {
		best.countFrom(f.cells)
	}
	return best, ok
}

// cheapest is the axis of least waste with steps from a least one on.
func (f *fitting) cheapest(r Range, least float64) (best Axis, ok bool) {
	cost, dear := math.Inf(1), 0.03
	// The best one's ticks are count multiples of a step, from the first on, so far off.
	var tick, apart, off float64
	count := 0
	if f.raised {
		dear = 0.1
	}
	steps, shifts := mantissas, []float64{0}
	if f.raised && f.cells <= shortAxis {
		steps, shifts = shortMantissas, []float64{0, 0.5}
	}
	for per := max(f.per/2, 1); per <= min(2*f.per, f.cells-1); per++ {
		step := stepOf(max(float64(per)*r.Len()/float64(f.cells), least), steps)
		far := 1 + dear*math.Abs(math.Log2(float64(per)/float64(f.per)))
		for range len(steps) + 1 {
			u := step / float64(per)
			if u*float64(f.cells)/r.Len() >= cost {
				break // as is all that is wider
			}
			for _, shift := range shifts {
				if shift > 0 && (per > 1 || stepOf(u*shift, steps) > u*shift*(1+1e-9)) { // not round
					continue
				}
				first, onTick, fits := f.place(r.Lo/u-shift, r.Hi/u-shift, per)
				n := float64(f.cells)
				waste := u * n / r.Len()
				if waste > 1+1e-6 { // a range that was fitted stays as it is
					waste *= far
				}
				if f.raised && !onTick {
					waste *= raisedCost
				}
				if shift > 0 {
					waste *= shiftedCost
					if f.cells > 2 && r.Contains(0) { // which is no tick then
						waste *= shiftedCost
					}
				}
				from, to := math.Ceil(first/float64(per)), math.Floor((first+n-1)/float64(per))
				if !fits || waste >= cost || to <= from {
					continue
				}
				first += shift
				a := Axis{Range: Range{(first - 0.5) * u, (first - 0.5 + n) * u}, step: step, per: per}
				if shift > 0 {
					a.step = u * shift // which has the decimals
				}
				if to = min(to, from+maxTicks-1); a.Set() && f.apart(&a, from*step, to*step) {
					best, cost, ok = a, waste, true
					tick, apart, off, count = from, step, shift*u, int(to-from)+1
				}
			}
			step = stepOf(1.01*step, steps)
		}
	}
	best.ticks = make([]float64, 0, count)
	for i := range count {
		best.ticks = append(best.ticks, (tick+float64(i))*apart+off)
	}
	return best, ok
}

// apart reports whether the labels of a linear axis of columns leave room for each other,
// the first and the last of which may stand off their ticks.
func (f *fitting) apart(a *Axis, first, last float64) bool {
	if f.raised {
		return true
	}
	w := max(plane.Width(a.label(first, a.step, f.width)), plane.Width(a.label(last, a.step, f.width)))
	return a.per > w+w/2
}

// countFrom counts the ticks of a fitted axis from its lowest cell, whose value alone is written whole.
func (a *Axis) countFrom(cells int) {
	u := a.Len() / float64(cells)
	a.base, a.counted = a.Lo+u/2, true
	a.ticks = a.ticks[:0]
	for i := 0; i*a.per < cells && len(a.ticks) < maxTicks; i++ {
		a.ticks = append(a.ticks, a.base+float64(i*a.per)*u)
	}
}

// A tickSet is ticks that a log axis may have, with their logarithms.
type tickSet struct {
	t, log []float64
	step   float64
}

// log fits a log axis: of the units that divide a decade, or are several decades, the one
// with which little is wasted and enough labels stand in their places.
func (f *fitting) log(r Range) (best Axis, ok bool) {
	lo, hi := math.Log10(r.Lo), math.Log10(r.Hi)
	if !(hi-lo > 1e-9) {
		return Axis{}, false
	}
	sets := tickSets(r)
	cost, cheapest := math.Inf(1), math.Inf(1)
	most := float64(f.cells) / (hi - lo) // cells a decade; a whole number if the range was fitted
	if whole := math.Round(most); math.Abs(most-whole) < 1e-6*whole {
		most = whole
	}
	for k := math.Floor(most); ; k -= max(1, math.Floor(k/64)) {
		// So many cells a decade, then so many decades a cell.
		u := 1 / k
		if k < 1 {
			u = 2 - k
		}
		if u > min(roundCost*cheapest, 2*(hi-lo)+2) {
			break
		}
		first, _, fits := f.place(lo/u, hi/u, max(int(k), 1))
		if !fits {
			continue
		}
		end := func(cell float64) float64 { return math.Pow(10, (first+cell-0.5)*u) }
		a := Axis{Range: Range{end(0), end(float64(f.cells))}, Log: true}
		if !(a.Lo > 0) || !a.Set() {
			continue
		}
		cheapest = min(cheapest, u)
		for i := range sets {
			from, to := f.stand(&sets[i], first, u)
			if c := u * (1 + missing*float64(max(f.enough()-(to-from), 0))); to-from > 1 && c < cost {
				a.ticks, a.step = sets[i].t[from:to], sets[i].step
				if a.distinct(f.width, true) {
					best, cost = a, c
				}
			}
		}
	}
	if len(best.ticks) > 1 {
		return best, true
	}
	return f.pair(r)
}

// pair fits a log axis to two round values that stand in the middle of cells: of all pairs the one
// with which least is wasted. Other round values that stand there too are ticks as well.
func (f *fitting) pair(r Range) (best Axis, ok bool) {
	lo, hi := math.Log10(r.Lo), math.Log10(r.Hi)
	n, length := float64(f.cells), hi-lo
	if length > 6 {
		return best, false
	}
	values := powers(max(r.Lo/2, math.SmallestNonzeroFloat64), min(2*r.Hi, math.MaxFloat64), 1, "12357")
	apart := f.least()
	cost := float64(widest)
	for i, v := range values {
		for _, w := range values[i+1:] {
			at, ratio := math.Log10(v), math.Log10(w/v)
			for cells := math.Ceil(apart); cells < n; cells++ {
				u := ratio / cells
				waste := u * n / length
				if waste < 1 {
					break
				}
				from := math.Ceil(max(0, (at-lo)/u-0.5))
				to := math.Floor(min(n-1-cells, n-0.5-(hi-at)/u))
				if waste >= cost || from > to {
					continue
				}
				end := at - (math.Floor((from+to)/2)+0.5)*u
				a := Axis{Range: Range{math.Pow(10, end), math.Pow(10, end+n*u)}, Log: true}
				last := math.Inf(-1)
				for _, x := range values {
					c := (math.Log10(x)-end)/u - 0.5
					if c > -0.5 && c < n-0.5 && math.Abs(c-math.Round(c)) < 0.1 && c-last > apart-0.3 {
						a.ticks, last = append(a.ticks, x), c
					}
				}
				if a.Set() && a.Lo > 0 && len(a.ticks) > 1 && a.distinct(f.width, true) {
					best, cost, ok = a, waste, true
				}
			}
		}
	}
	return best, ok
}

// least is the least cells between ticks of a log axis.
func (f *fitting) least() float64 {
	if f.raised {
		return max(float64(f.per)/2, 1)
	}
	return 0.7 * float64(f.per)
}

// missing is the waste that a label is worth, up to the labels that are enough.
const missing = 0.12

func (f *fitting) enough() int { return min(max(f.cells/max(f.per, 1), 2), 4) }

// tickSets are decades, 1, 3 and 1, 2, 5 times them, and multiples of round steps, in a range and somewhat beyond.
func tickSets(r Range) (sets []tickSet) {
	more := math.Pow(r.Hi/r.Lo, roundCost-1)
	lo, hi := max(r.Lo/more, math.SmallestNonzeroFloat64), min(r.Hi*more, math.MaxFloat64)
	add := func(t []float64, step float64) {
		if len(t) < 2 || len(t) > maxTicks {
			return
		}
		sets = append(sets, tickSet{t: t, step: step, log: list.Map(t, math.Log10)})
	}
	decades := math.Log10(hi) - math.Log10(lo)
	for _, every := range [...]float64{1, 2, 3, 4, 5, 6, 10, 20, 50, 100} {
		if decades < maxTicks*every {
			add(powers(lo, hi, every, "1"), 0)
		}
	}
	if decades > 8 {
		return sets
	}
	add(powers(lo, hi, 1, "13"), 0)
	add(powers(lo, hi, 1, "125"), 0)
	for step := NiceStep(r.Len() / 10); r.Hi < 20*r.Lo && step < r.Hi; step = NiceStep(1.5 * step) {
		add(multiples(step, max(lo, step/2), hi), step)
	}
	return sets
}

// stand is which ticks of a set are on a log axis if those stand in cells of their own,
// each so near to the middle of one that it is read right; none otherwise.
func (f *fitting) stand(s *tickSet, first, u float64) (from, to int) {
	for from = 0; from < len(s.t) && s.log[from]/u-first < -0.5; from++ {
	}
	for to = from; to < len(s.t) && s.log[to]/u-first < float64(f.cells)-0.5; to++ {
	}
	off := 0.1 // of the way to the next tick
	if to-from < 3 {
		off /= 2 // the eye goes on beyond both
	}
	apart := f.least()
	for i := from; i < to; i++ {
		gap := math.Inf(1)
		if i > from {
			gap = (s.log[i] - s.log[i-1]) / u
		}
		if i+1 < to {
			gap = min(gap, (s.log[i+1]-s.log[i])/u)
		}
		if at := s.log[i] / u; gap < apart-0.3 || math.Abs(at-math.Round(at)) > off*min(gap, 5) {
			return 0, 0
		}
	}
	return from, to
}
