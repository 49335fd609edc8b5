package sweep

import (
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A verdict is what a whole grid says.
type verdict struct {
	lanes []laneVerdict
	why   string // there is none, if not empty
	more  string // what would say more: of cells that are too short
}

// A laneVerdict is what a grid says of a lane.
type laneVerdict struct {
	lane  *scan.Lane
	by    string // by what a value is best, such as "lowest error"; empty if none stands out
	best  string // the value, and those that cannot be told from it; why there is none
	bound string // from where on it diverges
}

// verdictOf is what the grid says, or the reason why it says nothing. It waits for every
// cell, since those that come later can be better.
func verdictOf(d *Data, best []scan.Best, symbol string) (v verdict) {
	judged, mixing, short, some := 0, false, false, false
	for i := range best {
		l, b := &d.Lanes[i], &best[i]
		if !l.Has {
			continue
		}
		for k := range l.Cells {
			of := &l.Cells[k].Of
			mixing = mixing || of[quantity.MaxACT].N > 0 || of[quantity.ESSPerStep].N > 0
			short = short || isShort(&l.Cells[k])
			if slices.ContainsFunc(scan.Judged, func(q quantity.ID) bool { return of[q].N > 0 }) {
				judged++
			}
		}
		lane := laneVerdict{lane: l, best: noBest(symbol), bound: bounds(l, d, symbol)}
		if b.At >= 0 {
			some = true
			lane.by, lane.best = "lowest "+quantity.All[b.By].Name, ValueText(d, b.At)
			if quantity.All[b.By].Better == quantity.Higher {
				lane.by = "highest " + quantity.All[b.By].Name
			}
			if b.From < b.To {
				lane.best += ", alike " + d.span(b.From, b.To)
			}
		}
		v.lanes = append(v.lanes, lane)
	}
	if short && d.State == Done {
		v.more = d.longer(symbol)
	}
	switch {
	case d.Told != "":
		return verdict{why: d.Told}
	case d.State != Done:
		v.why = "the verdict waits for " + plane.Count(uint64(max(d.Total-d.Done, 0))) +
			pane.Plural(d.Total-d.Done, " more run", " more runs")
	case some:
	case mixing && judged == 0:
		v.why = "ESS cannot see bias: :truth hmc finds the error"
		if d.Truth > 0 {
			v.why += ", in about " + wording.Duration(d.Truth)
		}
	case short && judged < 2:
		v.why = "the cells are too short to compare"
	case judged > 0 && d.Seeds == 1:
		v.why = "one seed gives no standard error, and so no best"
	default:
		v.why = noBest(symbol)
	}
	return v
}

// noBest says that no value of the parameter is best.
func noBest(symbol string) string {
	return "no " + symbol + " stands out: what differs is within the errors"
}

// isShort reports whether a longer run would tell of a cell by what it is judged.
func isShort(c *scan.Cell) bool {
	return slices.ContainsFunc(scan.Judged, func(q quantity.ID) bool { return c.Of[q].Why == metrics.TooShort })
}

// longer says which cells are too short, how long the one of the largest value must be, and how long that takes. The τ
// of a cell that is long enough is in inverse proportion to ε.
func (d *Data) longer(symbol string) string {
	from, to, product := -1, -1, 0.0
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			c := &d.Lanes[i].Cells[k]
			if v := &c.Of[quantity.MaxACT]; v.N > 0 && d.Param.Key == sampler.KeyEps {
				product = max(product, v.Mean*d.Values[k])
			}
			if isShort(c) && (from < 0 || k < from) {
				from = k
			}
			if isShort(c) {
				to = max(to, k)
			}
		}
	}
	steps := scan.Longer(d.Steps, 1)
	for float64(steps) < metrics.TrustedTimes*product/d.Values[to] && steps < scan.MostSteps {
		steps = scan.Longer(steps, 1)
	}
	text := "too short at " + symbol + " " + d.span(from, to) + ": :grid steps " + strconv.FormatUint(steps, 10) +
		" is longer"
	if d.Each > 0 {
		text += ", " + wording.Duration(d.Each*float64(d.Total)*float64(steps)/float64(max(d.Steps, 1)))
	}
	return text
}

// bounds says from where on a lane diverges. Where that is is known of the cells that have run, so
// that before all have it says what they did.
func bounds(l *scan.Lane, d *Data, symbol string) string {
	first, last, some, whole, missing := -1, -1, false, true, false // the diverged cells after the last that did not
	for i := range l.Cells {
		switch c := &l.Cells[i]; {
		case c.Runs == 0:
			missing = d.State != Done
		case c.Diverged == 0:
			whole = whole && !some
			first, last = -1, i
		default:
			if some = true; first < 0 {
				first = i
			}
		}
	}
	switch {
	case !some && last < 0:
		return "has not run yet"
	case missing && !some:
		return "has not diverged so far"
	case missing:
		return "has diverged"
	case !some:
		return "diverges nowhere"
	case last < 0:
		return "diverges everywhere"
	case !whole || first < 0:
		return "diverges in some cells"
	}
	return "diverges from " + symbol + " = " + ValueText(d, first) + " on"
}

// drawVerdict draws what the grid says of each lane, and the meaning of the marks that stand in the other panes.
func (v *view) drawVerdict(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	title := "what the sweep says"
	if d.Told != "" {
		title = "what the search says"
	}
	in := g.Box(f.Theme, plane.Box{Title: title}).Pad(0, 1, 0, 1)
	w, y := in.W(), 0
	line := func(x int, text string, style plane.Style) {
		for _, part := range plane.Wrap(text, max(w-x, 1)) {
			in.TextFit(x, y, w-x, *th, part, style)
			y++
		}
	}
	if v.verdict.why != "" {
		line(0, v.verdict.why, th.Text)
		y++
	}
	for _, l := range v.verdict.lanes {
		look := &th.Lane[pane.Slot(l.lane.ID)]
		in.Set(0, y, look.Glyph, look.Style.With(theme.Bold))
		in.TextFit(2, y, w-2, *th, pane.Letter(l.lane.ID)+" "+l.lane.Title, look.Style)
		x := 16
		if x > w/3 {
			x, y = 4, y+1
		}
		switch {
		case v.verdict.why == "" && l.by != "":
			line(x, l.by+" at "+v.symbol+" = "+l.best, th.Text)
		case v.verdict.why == "":
			line(x, l.best, th.Text)
		}
		line(x, l.bound, th.Dim)
	}
	if v.verdict.more != "" {
		line(0, v.verdict.more, th.Text)
	}
	y++
	if d.shares() {
		line(0, aloneKeys(f)+" runs the grid alone, on all cores", th.Dim)
	}
	for _, s := range [...]struct {
		r     rune
		style plane.Style
		text  string
		why   plane.Term
		is    bool
	}{
		{th.Glyphs.Vertical, th.Text, "± 2 standard errors over " + strconv.Itoa(d.Seeds) + " seeds", nil, d.Seeds > 1},
		{th.Glyphs.Mark, th.Mark, v.symbol + " of the live session", nil, true},
		{th.Rune('⠒', ':'), th.Truth, "exact bias", nil, f.Has(quantity.CovBias) && d.Told == ""},
		{th.Glyphs.Cross, th.Bad, "diverged", nil, v.seen[th.Glyphs.Cross]},
		{hatch(*th), th.Dim, "cannot be trusted", wording.TooShort, v.seen[hatch(*th)]},
		{best(*th), th.Accent, "best, or not distinguishable from it", nil, v.seen[best(*th)]},
		{pending(*th), th.Dim, "not run", nil, v.seen[pending(*th)]},
	} {
		if s.is && y < in.H() {
			in.Set(0, y, s.r, s.style)
			in.TextFit(2, y, w-2, *th, s.text, th.Dim)
			in.Row(y).Term(s.why)
			y++
		}
	}
}

// foot draws the verdict in a row, and how to run the grid faster.
func (v *view) foot(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	var l pane.Line
	if v.verdict.why != "" {
		l.Add(0, string(th.Glyphs.Warning), th.Warn, th.Text, v.verdict.why)
	} else {
		l.Add(0, "", th.Dim, th.Dim, "best "+v.symbol)
		for _, lane := range v.verdict.lanes {
			look := &th.Lane[pane.Slot(lane.lane.ID)]
			l.Add(0, string(look.Glyph), look.Style, th.Text, lane.best)
		}
	}
	if v.verdict.more != "" {
		l.Add(2, "", th.Dim, th.Text, v.verdict.more)
	}
	if d.shares() {
		l.Add(1, aloneKeys(f), th.Key, th.Dim, "the grid alone")
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// aloneKeys are what pauses the session with its grid, and then has the grid go on.
func aloneKeys(f *pane.Frame) string { return f.KeyOf("pause") + " " + f.KeyOf("sweep: pause") }

// bests are the best cells of each lane. While cells are missing none is.
func (d *Data) bests() (best [state.MaxLanes]scan.Best) {
	for i := range best {
		var row scan.Row
		if i < len(d.Lanes) && d.State == Done && d.Told == "" {
			row = d.Lanes[i].Cells
		}
		best[i] = row.Best(d.Seeds)
	}
	return best
}
