package sweep

import (
	"math"
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
	// more is what would say more: of cells that are too short, below or beside the best.
	more string
}

// A laneVerdict is what a grid says of a lane: the best cell, and the first and the last of
// those that cannot be told from it.
type laneVerdict struct {
	lane     *scan.Lane
	by       quantity.ID
	at       int // -1 if no cell stands out
	from, to int
}

// verdictOf is what the grid says, or the reason why it says nothing. It waits for every
// cell, since those that come later can be better.
func verdictOf(d *Data, best []scan.Best, symbol string) (v verdict) {
	judged, mixing, short, some := false, false, false, false
	for i := range best {
		l, b := &d.Lanes[i], &best[i]
		if !l.Has {
			continue
		}
		for k := range l.Cells {
			mixing = mixing || l.Cells[k].Of[quantity.MaxACT].N > 0 || l.Cells[k].Of[quantity.ESSPerStep].N > 0
			for _, q := range scan.Judged {
				judged = judged || l.Cells[k].Of[q].N > 0
				short = short || l.Cells[k].Of[q].Why == metrics.TooShort
			}
		}
		lane := laneVerdict{lane: l, by: b.By, at: -1, from: b.From, to: b.To}
		if b.By < quantity.N {
			lane.at = b.At[b.By]
			if lane.at < 0 && b.From >= 0 && b.To < len(l.Cells) {
				lane.at = b.From + l.Cells[b.From:b.To+1].Least(b.By)
			}
			if lane.from < 0 {
				lane.from, lane.to = lane.at, lane.at
			}
		}
		some = some || lane.at >= 0
		v.lanes = append(v.lanes, lane)
	}
	if short && d.State == Done {
		v.more = d.longer(symbol)
	}
	switch {
	case d.Told != "":
		v.why, v.lanes, v.more = d.Told, nil, ""
	case d.State != Done:
		v.why = "the verdict waits for " + plane.Count(uint64(max(d.Total-d.Done, 0))) +
			pane.Plural(d.Total-d.Done, " more run", " more runs")
	case some:
	case mixing && !judged:
		v.why = "ESS cannot see bias: --truth hmc finds the error"
	case short && !judged:
		v.why = "the cells are too short to compare"
	case judged && d.Seeds == 1:
		v.why = "one seed gives no standard error, and so no best"
	default:
		v.why = noBest(symbol)
	}
	return v
}

// longer says which cells are too short, and how long they must be and how long that takes. The τ of a long one is in
// inverse proportion to ε.
func (d *Data) longer(symbol string) string {
	from, to, needed := -1, -1, 0.0
	for i := range d.Lanes {
		l, tau := &d.Lanes[i], math.NaN()
		for k := range l.Cells {
			if c := cell(l, k); c != nil && c.Of[quantity.MaxACT].N > 0 && math.IsNaN(tau) && d.Param.Key == sampler.KeyEps {
				tau = c.Of[quantity.MaxACT].Mean * d.Values[k]
			}
		}
		for k := range l.Cells {
			c := cell(l, k)
			if c == nil || !slices.ContainsFunc(scan.Judged, func(q quantity.ID) bool { return c.Of[q].Why == metrics.TooShort }) {
				continue
			}
			if from < 0 || k < from {
				from = k
			}
			to = max(to, k)
			if n := metrics.TrustedTimes * tau / d.Values[k]; n > needed {
				needed = n
			}
		}
	}
	steps := scan.Longer(d.Steps, 1)
	for float64(steps) < needed && steps < scan.MostSteps {
		steps = scan.Longer(steps, 1)
	}
	text := "too short at " + symbol + " " + d.span(from, to) + ": :grid steps " + strconv.FormatUint(steps, 10) + " is enough"
	if needed == 0 || needed > float64(steps) {
		text = "too short at " + symbol + " " + d.span(from, to) + ": :grid steps " + strconv.FormatUint(steps, 10) + " is longer"
	}
	if d.Each > 0 {
		text += ", " + about(d.Each*float64(d.Total)*float64(steps)/float64(max(d.Steps, 1)))
	}
	return text
}

// noBest says that no value of the parameter is best.
func noBest(symbol string) string {
	return "no " + symbol + " stands out: what differs is within the errors"
}

// lowest says where a lane is best.
func (l *laneVerdict) lowest(d *Data, symbol string) string {
	if l.at < 0 {
		return noBest(symbol)
	}
	word := "lowest "
	if quantity.All[l.by].Better == quantity.Higher {
		word = "highest "
	}
	return word + quantity.All[l.by].Name + " at " + symbol + " = " + ValueText(d, l.at)
}

// alike says which cells cannot be told from the best.
func (l *laneVerdict) alike(d *Data, symbol string) string {
	switch {
	case l.at < 0:
		return ""
	case l.from == l.to:
		return "every other " + symbol + " is worse"
	}
	return "these cannot be told from it: " + symbol + " " + d.span(l.from, l.to)
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

// A sign is a mark on the charts or in the cells, and its meaning.
type sign struct {
	r     rune
	style plane.Style
	text  string
	why   plane.Term
}

// signs are the marks that the cells of the shown quantities have, and with charts those on them.
func (v *view) signs(f *pane.Frame, d *Data, charts bool) (all []sign) {
	th := &f.Theme
	if charts && d.Seeds > 1 {
		all = append(all, sign{th.Glyphs.Vertical, th.Text,
			"± 2 standard errors over " + strconv.Itoa(d.Seeds) + " seeds", nil})
	}
	if charts {
		all = append(all, sign{th.Glyphs.Mark, th.Mark, v.symbol + " of the live session", nil})
		if known, _ := d.has(quantity.CovBias); known {
			all = append(all, sign{th.Rune('⠒', ':'), th.Truth, "exact bias", nil})
		}
	}
	var has [4]bool // diverged, cannot be trusted, best, has not run
	for _, q := range d.quantities(f) {
		for i, l := range d.lanes() {
			for k := range d.Values {
				if c := cell(&l, k); l.Has && c == nil {
					has[3] = true
				} else if l.Has {
					has[0] = has[0] || c.Of[q].N == 0 && c.Diverged > 0
					has[1] = has[1] || c.Of[q].Untrusted > 0
					has[2] = has[2] || c.Of[q].N > 0 && v.best[i].Has(q, k)
				}
			}
		}
	}
	for i, s := range [...]sign{
		{th.Glyphs.Cross, th.Bad, "diverged", nil},
		{hatch(*th), th.Dim, "cannot be trusted", wording.TooShort},
		{best(*th), th.Accent, "best, or not distinguishable from it", nil},
		{pending(*th), th.Dim, "not run", nil},
	} {
		if has[i] {
			all = append(all, s)
		}
	}
	return all
}

// drawVerdict draws what the grid says of each lane, and the meaning of the marks.
func (v *view) drawVerdict(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "what the sweep says"}).Pad(0, 1, 0, 1)
	w, y := in.W(), 0
	line := func(x int, text string, style plane.Style) {
		for _, part := range plane.Wrap(text, max(w-x, 1)) {
			in.TextFit(x, y, w-x, *th, part, style)
			y++
		}
	}
	known := &v.verdict
	if known.why != "" {
		line(0, known.why, th.Text)
		y++
	}
	for i := range known.lanes {
		l := &known.lanes[i]
		look := &th.Lane[pane.Slot(l.lane.ID)]
		in.Set(0, y, look.Glyph, look.Style.With(theme.Bold))
		in.TextFit(2, y, w-2, *th, pane.Letter(l.lane.ID)+" "+l.lane.Title, look.Style)
		x := 16
		if x > w/3 {
			x, y = 4, y+1
		}
		if known.why == "" {
			line(x, l.lowest(d, v.symbol), th.Text)
			line(x, l.alike(d, v.symbol), th.Dim)
		}
		line(x, bounds(l.lane, d, v.symbol), th.Dim)
	}
	if known.more != "" {
		line(0, known.more, th.Text)
	}
	y++
	if d.shares() {
		line(0, aloneKeys(f)+" runs the grid alone, on all cores", th.Dim)
	}
	for _, s := range v.signs(f, d, true) {
		if y >= in.H() {
			break
		}
		in.Set(0, y, s.r, s.style)
		in.TextFit(2, y, w-2, *th, s.text, th.Dim)
		in.Row(y).Term(s.why)
		y++
	}
}

// footLane is the room for a lane's verdict in a row: the best value, and those alike.
const footLane = 34

// foot draws the verdict in a row, how to run the grid faster, and the meaning of the marks.
func (v *view) foot(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	var l pane.Line
	if known := &v.verdict; known.why != "" {
		l.Add(0, string(th.Glyphs.Warning), th.Warn, th.Text, known.why)
	} else {
		l.Add(0, "", th.Dim, th.Dim, "best "+v.symbol)
		for i := range known.lanes {
			lane := &known.lanes[i]
			look := &th.Lane[pane.Slot(lane.lane.ID)]
			text := "none stands out"
			if lane.at >= 0 {
				text = ValueText(d, lane.at)
				if lane.from != lane.to && g.W() >= footLane*len(known.lanes) {
					text += ", alike " + d.span(lane.from, lane.to)
				}
			}
			l.Add(0, string(look.Glyph), look.Style, th.Text, text)
		}
	}
	if v.verdict.more != "" {
		l.Add(1, "", th.Dim, th.Text, v.verdict.more)
	}
	if d.shares() {
		l.Add(1, aloneKeys(f), th.Key, th.Dim, "the grid alone")
	}
	for i, s := range v.signs(f, d, false) {
		l.Add(3+i, "", th.Dim, s.style, string(s.r), " ", s.text).Why = s.why
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// aloneKeys are what pauses the session with its grid, and then has the grid go on.
func aloneKeys(f *pane.Frame) string { return f.KeyOf("pause") + " " + f.KeyOf("sweep: pause") }

// bests are the best cells of each lane. While cells are missing none is.
func (d *Data) bests() (best [state.MaxLanes]scan.Best) {
	for i := range best {
		var row scan.Row
		if i < len(d.Lanes) && d.State == Done {
			row = d.Lanes[i].Cells
		}
		best[i] = row.Best(d.Seeds)
	}
	return best
}
