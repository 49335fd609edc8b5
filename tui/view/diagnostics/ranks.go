package diagnostics

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// largest is the course of the largest R-hat, with the bound from which chains disagree. Its points are of fewer draws
// than the numbers beside it.
var largest = pane.Curve{
	ID:      quantity.MaxRHat,
	Linear:  true,
	Settled: true,
	Note:    "of " + plane.Count(agreement.Live) + " draws a chain at most",
	References: func(*pane.Frame) []chart.Reference {
		return []chart.Reference{{Y: metrics.RHatBound, Label: strconv.FormatFloat(metrics.RHatBound, 'g', -1, 64)}}
	},
}

// ranked reports whether draws of several chains are ranked, which a network's are only where that is asked for.
func ranked(f *pane.Frame) bool {
	return f.Any(quantity.Several|quantity.Ranked) && f.Problem() != nil && (!network(f) || f.Any(quantity.Identified))
}

// ranks are the ranks of the draws of each of the focused lane's chains among those of all, in watched coordinate k.
func ranks(k int) pane.Pane {
	return pane.Of([...]string{"ranks 1", "ranks 2"}[k], func(g plane.Region, f *pane.Frame) { drawRanks(g, f, k) })
}

// The least rows of the curves below the bars, and of a chain's bars beside them.
const (
	leastECDF = 8
	tallBar   = 3
)

// drawRanks draws a histogram of ranks a chain, and below it, where there is room, how far the
// distribution of each chain's ranks is from uniform.
func drawRanks(g plane.Region, f *pane.Frame, k int) {
	v := f.Focused()
	look := f.LaneStyle(v)
	title := "ranks of " + pane.ShortName(&f.Theme, v.Names[k])
	if len(f.Lanes()) > 1 {
		title += " in " + pane.Letter(v.ID)
	}
	box := plane.Box{Title: title, Mark: look.Glyph, MarkStyle: look.Style, Foot: "even where chains agree"}
	if r := v.Coords[k].Values[quantity.RHat]; r.OK() {
		q := &quantity.Coordinates[quantity.RHat]
		g.Term(wording.Of(q))
		box.Right = q.Symbol + " " + wording.Number(q.Form, r.Value, pane.NumberWidth)
	}
	if v.RanksEvery > 1 {
		box.Foot = "on every " + wording.Ordinal(v.RanksEvery) + " draw"
	}
	chains := v.Chains[:min(len(v.Chains), max(g.H()-2, 0))]
	if n := len(v.Chains); len(chains) < n {
		box.Foot = fmt.Sprintf("%d of %d chains", len(chains), n)
	}
	g.Term(wording.Ranks)
	in := g.Box(f.Theme, box)
	empty := !slices.ContainsFunc(chains, func(c engine.ChainView) bool { return total(c.Ranks[k]) > 0 })
	switch {
	case empty && v.Principal:
		in.TextCenter(in.H()/2, "of coordinates alone", f.Theme.Dim)
		return
	case empty:
		in.TextCenter(in.H()/2, f.Reason("no draws yet"), f.Theme.Dim)
		return
	}
	in = in.Pad(0, 1, 0, 1)
	tall, rest := in.H()/len(chains), plane.Rect{}
	if below := in.H() - tallBar*len(chains); below >= leastECDF {
		tall = tallBar
		rest = plane.Rect{Y: tall * len(chains), W: in.W(), H: below}
	}
	tall = min(max(tall, 1), tallBar)
	for i := range chains {
		at := in.Sub(plane.Rect{Y: i * tall, W: in.W(), H: tall})
		style := f.ChainStyle(v, i)
		x := at.Text(0, tall-1, strconv.Itoa(i+1), f.Theme.Badge(style))
		rankBars(at.Pad(0, 0, 0, max(x+1, 3)), f, chains[i].Ranks[k], style)
	}
	switch y := tall * len(chains); {
	case !rest.Empty():
		drawECDF(in.Sub(rest), f, v, k)
	case y < in.H():
		in.Text(3, y, "low", f.Theme.Dim)
		in.TextRight(in.W(), y, "high", f.Theme.Dim)
	}
}

func total(counts []int) int { return list.Sum(counts, func(c int) int { return max(c, 0) }) }

// rankBars draws counts as bars. The expected count is half the height.
func rankBars(g plane.Region, f *pane.Frame, counts []int, style plane.Style) {
	n, w := len(counts), g.W()
	full := 2 * float64(total(counts)) / float64(n)
	if !(full > 0) {
		return
	}
	for x := range w {
		from := x * n / w
		some := counts[from:max((x+1)*n/w, from+1)]
		share := float64(total(some)) / float64(len(some)) / full
		eighths := int(math.Round(min(share, 1) * float64(8*g.H())))
		if share > 0 {
			eighths = max(eighths, 1)
		}
		for y := g.H() - 1; eighths > 0; y, eighths = y-1, eighths-8 {
			g.Set(x, y, f.Theme.Glyphs.VBlock[min(eighths, 8)], style)
		}
	}
}

// drawECDF draws the difference of the distribution function of each chain's ranks from that of
// a uniform one and, where the effective draws are known, the band that chains that agree leave at one place in 20.
func drawECDF(g plane.Region, f *pane.Frame, v *engine.LaneView, k int) {
	lines := chart.Lines{X: chart.Scale{Fix: true, Range: pane.Range{Hi: 1}}, References: []chart.Reference{{}}}
	most := 0.0
	for i := range min(len(v.Chains), chart.MaxSeries) {
		counts := v.Chains[i].Ranks[k]
		n, sum := float64(total(counts)), 0.0
		s := chart.Series{X: []float64{0}, Y: []float64{0}, Style: f.ChainStyle(v, i), Glyph: '1' + rune(i)}
		for j, c := range counts {
			sum += float64(max(c, 0))
			u := float64(j+1) / float64(len(counts))
			s.X, s.Y = append(s.X, u), append(s.Y, sum/n-u)
			most = max(most, math.Abs(sum/n-u))
		}
		lines.Series = append(lines.Series, s)
	}
	title := "share of a chain's draws whose rank is at most u, minus u"
	ess := v.Coords[k].Values[quantity.BulkESS]
	if ess.OK() && len(lines.Series) > 0 && len(lines.Series)+2 <= chart.MaxSeries {
		n := len(v.Chains)
		above := chart.Series{X: lines.Series[0].X, Style: f.Theme.Dim, Line: 2}
		below := above
		for _, u := range above.X {
			w := metrics.Band(u, ess.Value/float64(n), n)
			above.Y, below.Y = append(above.Y, w), append(below.Y, -w)
			most = max(most, w)
		}
		lines.Series = append(lines.Series, above, below)
		title += "; dotted: 95% if chains agree"
	}
	g.TextCenter(0, title, f.Theme.Dim)
	lines.Y = chart.Scale{Fix: most > 0, Range: pane.Range{Lo: -most, Hi: most}}
	lines.Draw(g.Pad(1, 0, 0, 0), f.Theme)
}
