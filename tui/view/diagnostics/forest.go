package diagnostics

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// forested reports whether the coordinates are shown as a forest: there are more than the
// two that are watched, θ itself converges, and some lane's draws have a distribution.
func forested(f *pane.Frame) bool {
	return f.Dim() > 2 && !network(f) && len(f.Focused().Rows) > 0 && !f.Focused().Principal &&
		f.Count(quantity.Optimising) < len(f.Lanes())
}

// The columns of a forest.
const (
	forestName = 10 // of the names, at most
	forestESS  = 9
	forestRHat = 7
	forestOff  = 14
	leastPlot  = 16
	forestW    = 60 // a forest beside the traces, at least
)

// forestPane is the forest's name as a pane.
const forestPane = "coefficients"

// PageSize is how many of how many coordinates the forest shows at once as it was drawn last, 0 without one.
func PageSize(f *pane.Frame) (size, of int) {
	if f.Panes == nil || f.Focused() == nil || !forested(f) {
		return 0, 0
	}
	p, ok := f.Panes.Find(forestPane)
	if !ok || p.Rect.Empty() {
		return 0, 0
	}
	return fitting(p.Rect.H, f), f.Snap.Config.Tracked(f.Dim())
}

// fitting is how many coordinates fit in a forest of a height.
func fitting(h int, f *pane.Frame) int { return max((h-3)/len(f.Lanes()), 1) }

// drawForest shows each lane's distribution of every coordinate in a row.
func drawForest(g plane.Region, f *pane.Frame) {
	v := f.Focused()
	box := plane.Box{Title: "coefficients: mean, 50% and 95%", Right: reference(f),
		Foot: f.Footnote(g.W()-5, v.Facts.Has(quantity.Truth))}
	if !f.HasData() {
		box.Title = "coordinates: mean, 50% and 95%"
	}
	lanes := f.Lanes()
	from, to := page(v, fitting(g.H(), f))
	if all := f.Snap.Config.Tracked(f.Dim()); to-from < max(all, len(v.Rows)) {
		box.Right = fmt.Sprintf("%d to %d of %d", v.Rows[from].At+1, v.Rows[to-1].At+1, all)
		if key := f.KeyOf("next page"); key != "" {
			box.Right = key + " more, " + box.Right
		}
		if plane.Width(box.Title)+plane.Width(box.Right)+6 > g.W() { // that there are more matters most
			box.Title, _, _ = strings.Cut(box.Title, ":")
		}
	}
	in := g.Box(f.Theme, box)
	g.Term(wording.Window)
	if box.Foot != "" {
		g.Term(wording.TooShort)
	}
	th := &f.Theme
	name := 0
	for i := from; i < to; i++ {
		name = max(name, plane.Width(in.Spell(pane.ShortName(th, v.Rows[i].Name))))
	}
	name = min(name, forestName)
	// Columns of numbers are left out from the right where the plot has no room.
	heads := columnsOf(f)
	numbers := func() int { return list.Sum(heads, func(c column) int { return c.width }) }
	for len(heads) > 0 && in.W()-name-3-numbers() < leastPlot {
		heads = heads[:len(heads)-1]
	}
	plot := in.Sub(plane.Rect{X: name + 2, W: in.W() - name - 3 - numbers(), H: min(1+(to-from)*len(lanes), in.H())})
	scale := chart.NewForest(extent(f, from, to), plot.W())
	scale.Axis(plot, f.Theme)
	x := in.W()
	for i := len(heads) - 1; i >= 0; i-- {
		g.Term(heads[i].term)
		in.TextRight(x-1, 0, heads[i].head, th.Dim)
		x -= heads[i].width
	}
	for i := from; i < to; i++ {
		y := 1 + (i-from)*len(lanes)
		style := th.Text
		if at := v.Rows[i].At; at == v.Watch[0] || at == v.Watch[1] {
			style = th.Accent
		}
		in.TextFit(1, y, name, f.Theme, pane.ShortName(th, v.Rows[i].Name), style)
		in.Zone(plane.Zone{Rect: plane.Rect{Y: y, W: in.W(), H: len(lanes)}, ID: "row:" + v.Rows[i].Name,
			Click: plane.Call(pane.DoWatch, strconv.Itoa(v.Rows[i].At)), Wheel: plane.Call(pane.DoPage)})
		rows := plot.Sub(plane.Rect{Y: y, W: plot.W(), H: len(lanes)})
		if mean, sd := v.Rows[i].Values[quantity.TrueMean], v.Rows[i].Values[quantity.TrueSD]; mean.OK() && sd.OK() {
			scale.Band(rows, f.Theme, mean.Value-2*sd.Value, mean.Value+2*sd.Value)
		}
		for k, u := range f.EachLane() {
			if i >= len(u.Rows) || y+k >= in.H() {
				continue
			}
			row, look := &u.Rows[i], f.LaneStyle(u)
			style, glyphStyle := look.Style, look.Style
			why := waiting(f, u, row)
			if why != "" {
				style, glyphStyle = th.Dim, look.Soft
			}
			q := &row.Quantiles
			mark := chart.Interval{Lo: q[0].Trusted(), LoMid: q[1].Trusted(), HiMid: q[2].Trusted(), Hi: q[3].Trusted(),
				Mean: row.Values[quantity.Mean].Trusted(), Glyph: look.Glyph, Style: glyphStyle}
			if u.Kind == sampler.Optimising { // its path is no distribution
				mark.Lo, mark.LoMid = math.NaN(), math.NaN()
			}
			scale.Draw(rows.Row(k), f.Theme, mark)
			if why != "" {
				if len(heads) == 0 { // the interval has all of the row
					continue
				}
				in.TextRight(in.W()-1, y+k, plane.FitTitle(in.Spell(why), numbers()), style)
				continue
			}
			x := in.W()
			for j := len(heads) - 1; j >= 0; j-- {
				in.TextRight(x-1, y+k, heads[j].write(row, u), style)
				x -= heads[j].width
			}
		}
	}
}

// A column is a number beside the intervals.
type column struct {
	head  string
	width int
	term  plane.Term
	write func(row *engine.CoordRow, v *engine.LaneView) string
}

// columnsOf are the columns that the lanes have, the most important first.
func columnsOf(f *pane.Frame) (all []column) {
	v := f.Focused()
	if f.Any(quantity.Sampling) {
		ess, rhat := &quantity.Coordinates[effective(v)], &quantity.Coordinates[quantity.RHat]
		all = append(all, column{ess.Symbol, forestESS, wording.Of(ess), essText},
			column{rhat.Name, forestRHat, wording.Of(rhat), rhatText})
	}
	if v.Facts.Has(quantity.Truth) {
		all = append(all, column{"off truth", forestOff, wording.PlusMinus,
			func(row *engine.CoordRow, _ *engine.LaneView) string { return offText(f, row) }})
	}
	return all
}

// page are the rows that are shown where so many fit: those with the first watched coordinate.
func page(v *engine.LaneView, fit int) (from, to int) {
	n := len(v.Rows)
	if fit >= n {
		return 0, n
	}
	at := min(max(v.Watch[0]-v.Rows[0].At, 0), n-1)
	from = min(at/fit*fit, n-fit)
	return from, from + fit
}

// extent is the range of the intervals of some rows and of the truth.
func extent(f *pane.Frame, from, to int) chart.Range {
	r := chart.NoValues()
	for _, v := range f.EachLane() {
		if v.Diverged != nil {
			continue
		}
		for i := from; i < min(to, len(v.Rows)); i++ {
			row := &v.Rows[i]
			r.Add(row.Quantiles[0].Trusted())
			r.Add(row.Quantiles[3].Trusted())
			if mean, sd := row.Values[quantity.TrueMean], row.Values[quantity.TrueSD]; mean.OK() && sd.OK() {
				r.Add(mean.Value - 2*sd.Value)
				r.Add(mean.Value + 2*sd.Value)
			}
		}
	}
	if !(r.Lo <= r.Hi) {
		return chart.Range{Lo: -1, Hi: 1}
	}
	return r
}

// waiting says why a coordinate of a lane is not trusted and how long that takes at least; it is empty for one that is.
func waiting(f *pane.Frame, v *engine.LaneView, row *engine.CoordRow) string {
	e := row.Values[effective(v)]
	if e.OK() || e.Status == metrics.NotSampled {
		return ""
	}
	if e.Status == metrics.TooShort { // which the foot says
		return wording.None
	}
	return wording.Withheld(e.Status)
}

// effective is the effective size that a lane's rows show.
func effective(v *engine.LaneView) quantity.CoordID {
	if v.Facts.Has(quantity.Several) {
		return quantity.BulkESS
	}
	return quantity.ESS
}

func essText(row *engine.CoordRow, v *engine.LaneView) string {
	if e := row.Values[effective(v)]; e.OK() {
		return plane.Count(uint64(e.Value))
	}
	return wording.None
}

func rhatText(row *engine.CoordRow, _ *engine.LaneView) string {
	if r := row.Values[quantity.RHat]; r.OK() {
		return strconv.FormatFloat(r.Value, 'f', 3, 64)
	}
	return wording.None
}

// offText is how far the mean is from the true one in true standard deviations, with its
// standard error. That of a truth which was drawn counts too.
func offText(f *pane.Frame, row *engine.CoordRow) string {
	mean, truth, sd := row.Values[quantity.Mean], row.Values[quantity.TrueMean], row.Values[quantity.TrueSD]
	if !mean.OK() || !truth.OK() || !(sd.Value > 0) {
		return wording.None
	}
	se := mean.Error / sd.Value
	if r := f.Problem().Reference; r != nil && r.MinESS > 0 {
		se = math.Sqrt(se*se + 1/r.MinESS)
	}
	return fmt.Sprintf("%+.2f ± %.2f", (mean.Value-truth.Value)/sd.Value, se)
}

// reference names where the truth comes from.
func reference(f *pane.Frame) string {
	r := f.Problem().Reference
	if r == nil || r.Draws == 0 {
		return ""
	}
	return "truth: " + r.By + ", " + plane.Count(r.Draws) + " draws"
}
