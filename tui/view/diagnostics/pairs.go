package diagnostics

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// The measures of the pairs.
const (
	pairW, pairH = 10, 3 // the least of a panel in cells
	pairBins     = 24    // of a marginal, and of a density along each axis
	leastPaired  = 50    // draws for a density
	leveledBy    = 512   // draws that say where its levels are, at most
)

// pairs keeps the contours of the newest frame, by the first draw of either coordinate.
type pairs map[[2]*float64]*chart.ContourSet

// draw draws a corner plot of the coordinates with draws, as many as there is room for: the marginals on its
// diagonal, and below it the regions of highest density with half and with 95% of each pair's draws.
func (p *pairs) draw(g plane.Region, f *pane.Frame) {
	const title = "pairs: 50% and 95%"
	in := g.Box(f.Theme, plane.Box{Title: title})
	var lanes []*engine.LaneView
	var keys []chart.Series
	for _, i := range pane.DrawingLanes(f) {
		if v := &f.Snap.Lanes[i]; len(paired(v)) > 1 {
			lanes, keys = append(lanes, v), append(keys, f.Series(v, pane.Letter(v.ID)))
		}
	}
	pane.Legend(g, f, title, keys)
	n := min(in.W()/pairW, in.H()/pairH, engine.PairedRows)
	for _, v := range lanes {
		n = min(n, len(paired(v)))
	}
	if len(lanes) == 0 || n < 2 {
		text := f.Reason("")
		if len(lanes) > 0 {
			text = "too small for pairs; " + f.KeyOf("layout") + " shows one pane"
		}
		in.TextWrapped(text, f.Theme.Dim)
		return
	}
	shown := make([]pane.Range, n) // of each coordinate
	var canvas chart.Braille
	sets := pairs{}
	defer func() { *p = sets }()
	for i, row := range pane.Stack(in.Bounds(), n) {
		for j, at := range pane.Beside(row, n)[:i+1] {
			if i == j {
				shown[i] = drawMarginalOf(in.Sub(at), f, lanes, i)
				continue
			}
			plot := in.Sub(at).Pad(0, 1, 0, 0)
			win := chart.Window{X: shown[j], Y: pairRange(lanes, i)}
			canvas.Reset(f.Theme, plot.W(), plot.H(), win)
			for _, v := range lanes {
				xs, ys := paired(v)[j].Draws, paired(v)[i].Draws
				if len(xs) == 0 || len(ys) == 0 {
					continue
				}
				key := [2]*float64{&xs[0], &ys[0]}
				set := (*p)[key]
				if !set.Fits(f.Theme, plot.W(), plot.H(), win) {
					d := newDensity(xs, ys, win)
					set = chart.NewContours(f.Theme, plot.W(), plot.H(), win, d.levels(0.95, 0.5), d.at)
				}
				sets[key] = set
				canvas.Contours(set, []plane.Style{f.LaneStyle(v).Soft, f.LaneStyle(v).Style}, nil)
			}
			canvas.Draw(plot, f.Theme)
		}
	}
}

// paired are a lane's coordinates with draws.
func paired(v *engine.LaneView) []engine.CoordRow {
	from := slices.IndexFunc(v.Rows, func(r engine.CoordRow) bool { return r.Draws != nil })
	to := from
	for to >= 0 && to < len(v.Rows) && v.Rows[to].Draws != nil {
		to++
	}
	return v.Rows[max(from, 0):max(to, 0)]
}

// pairRange is the range of the lanes' draws of a coordinate, but for the outermost.
func pairRange(lanes []*engine.LaneView, i int) (r pane.Range) {
	for k, v := range lanes {
		if own := shared.Middle(paired(v)[i].Draws, 100); k == 0 {
			r = own
		} else {
			r = r.Union(own)
		}
	}
	return r.Grow(0.2)
}

// drawMarginalOf draws the lanes' histograms of a coordinate below its name, and returns what of its axis is shown.
func drawMarginalOf(g plane.Region, f *pane.Frame, lanes []*engine.LaneView, i int) pane.Range {
	r := pairRange(lanes, i)
	g.TextFit(1, 0, g.W()-1, f.Theme, pane.ShortName(&f.Theme, paired(lanes[0])[i].Name), f.Theme.Text)
	hist := chart.Histogram{Range: r, Axis: true}
	for _, v := range lanes {
		bins := shared.CountDensity(pairBins, paired(v)[i].Draws, r)
		hist.Lanes = append(hist.Lanes, chart.LaneHist(f.LaneStyle(v), bins))
	}
	if at := hist.Draw(g.Pad(1, 1, 0, 0), f.Theme); at.OK {
		return at.Range
	}
	return r
}

// A density is an estimate of the density of draws in a plane, up to a factor: counts in pairBins² bins of a window,
// smoothed by a normal kernel of Scott's bandwidth sd·n^(-1/6) (Scott 1992, Multivariate Density Estimation, section
// 6.3.1), with the sd that the draws have if the window is six of theirs and a half.
type density struct {
	win  chart.Window
	bins []float64
	some []float64 // the density at some of the draws, from the least
}

func newDensity(xs, ys []float64, win chart.Window) density {
	d := density{win: win, bins: make([]float64, pairBins*pairBins)}
	if len(xs) < leastPaired || len(xs) != len(ys) || !win.Valid() {
		return d
	}
	for k, x := range xs {
		i, j := int(win.X.Frac(x, false)*pairBins), int(win.Y.Frac(ys[k], false)*pairBins)
		if i >= 0 && i < pairBins && j >= 0 && j < pairBins {
			d.bins[j*pairBins+i]++
		}
	}
	h := pairBins / 6.5 * math.Pow(float64(len(xs)), -1.0/6)
	for range max(int(math.Round(2*h*h)), 1) { // each pass has the variance ½ of a bin
		for line := range pairBins {
			smooth(d.bins[line*pairBins:], 1)
			smooth(d.bins[line:], pairBins)
		}
	}
	for k := 0; k < len(xs); k += len(xs)/leveledBy + 1 {
		d.some = append(d.some, d.at(xs[k], ys[k]))
	}
	slices.Sort(d.some)
	return d
}

// smooth weighs pairBins values, so far apart, by ¼, ½, ¼ with their neighbours.
func smooth(v []float64, apart int) {
	last := 0.0
	for k := range pairBins {
		at, next := v[k*apart], 0.0
		if k+1 < pairBins {
			next = v[(k+1)*apart]
		}
		v[k*apart], last = last/4+at/2+next/4, at
	}
}

// levels are the densities above which parts of the draws lie, by those of some of them (Hyndman 1996, Computing and
// graphing highest density regions); infinite where there is no density.
func (d density) levels(parts ...float64) []float64 {
	out := make([]float64, len(parts))
	for k, part := range parts {
		out[k] = math.Inf(1)
		if n := len(d.some); n > 0 {
			out[k] = d.some[int((1-part)*float64(n-1))]
		}
	}
	return out
}

// at is the density at a place, linear between the middles of bins and 0 beyond them.
func (d density) at(x, y float64) float64 {
	u, v := d.win.X.Frac(x, false)*pairBins-0.5, d.win.Y.Frac(y, false)*pairBins-0.5
	i, j := math.Floor(u), math.Floor(v)
	sum := 0.0
	for k := range 4 {
		a, b := int(i)+k%2, int(j)+k/2
		if a >= 0 && a < pairBins && b >= 0 && b < pairBins {
			sum += (1 - math.Abs(u-float64(a))) * (1 - math.Abs(v-float64(b))) * d.bins[b*pairBins+a]
		}
	}
	return sum
}
