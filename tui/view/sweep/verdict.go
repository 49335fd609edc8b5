package sweep

import (
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A verdict is what a whole grid says.
type verdict struct {
	lanes []laneVerdict
	why   string // there is none, if not empty
}

// A laneVerdict is what a grid says of a lane: the best cell, and the first and the last of
// those that cannot be told from it.
type laneVerdict struct {
	lane     *LaneCells
	by       quantity.ID
	at       int // -1 if no cell stands out
	from, to int
}

// verdictOf is what the grid says, or the reason why it says nothing. It waits for every
// cell, since those that come later can be better.
func verdictOf(d *Data, best []scan.Best, symbol string) (v verdict) {
	judged, mixing, short, compared, some := false, false, false, 0, false
	for i := range best {
		l, b := &d.Lanes[i], &best[i]
		if !l.Has {
			continue
		}
		for k := range l.Cells {
			mixing = mixing || l.Cells[k].Of[quantity.MaxACT].N > 0 || l.Cells[k].Of[quantity.ESSPerStep].N > 0
			for _, q := range scan.Judged {
				judged = judged || l.Cells[k].Of[q].N > 0
				short = short || l.Cells[k].Of[q].Untrusted > 0
			}
		}
		compared = max(compared, b.Compared)
		lane := laneVerdict{lane: l, by: b.By, at: -1, from: b.From, to: b.To}
		if b.By < quantity.N {
			lane.at = b.At[b.By]
			if lane.at < 0 && b.From >= 0 && b.To < len(l.Cells) {
				lane.at = l.best(b.By, b.From, b.To)
			}
			if lane.from < 0 {
				lane.from, lane.to = lane.at, lane.at
			}
		}
		some = some || lane.at >= 0
		v.lanes = append(v.lanes, lane)
	}
	switch {
	case !d.whole():
		v.why = "the verdict waits for " + plane.Count(uint64(max(d.Total-d.Done, 0))) +
			pane.Plural(d.Total-d.Done, " more run", " more runs")
	case some:
	case mixing && !judged:
		v.why = "ESS cannot see bias: --truth hmc finds the error"
	case short && compared == 0:
		v.why = "the cells are too short to compare: :grid steps " + strconv.FormatUint(scan.Longer(d.Steps, 1), 10) +
			" makes them longer"
	case judged && d.Seeds == 1:
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

// best is the best of the trusted cells from one to another, -1 if there is none.
func (l *LaneCells) best(q quantity.ID, from, to int) (at int) {
	at, value := -1, math.Inf(1)
	for i := from; i <= to; i++ {
		c := &l.Cells[i]
		x := c.Of[q].Mean
		if quantity.All[q].Better == quantity.Higher {
			x = -x
		}
		if c.Diverged == 0 && c.Of[q].N > 0 && x < value {
			at, value = i, x
		}
	}
	return at
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
func (l *LaneCells) bounds(d *Data, symbol string) string {
	first, last, some, whole, missing := -1, -1, false, true, false // the diverged cells after the last that did not
	for i := range l.Cells {
		switch c := &l.Cells[i]; {
		case c.Runs == 0:
			missing = true
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

// signs are the marks that the cells of the shown quantities have, and with charts those
// on them.
func (v *view) signs(f *pane.Frame, d *Data, shown []quantity.ID, charts bool) (all []sign) {
	th := &f.Theme
	symbol := v.known.symbol
	if charts {
		all = append(all, sign{th.Glyphs.Vertical, th.Text,
			"± 2 standard errors over " + strconv.Itoa(d.Seeds) + " seeds", nil})
		all = append(all, sign{th.Glyphs.Mark, th.Mark, symbol + " of the live session", nil})
		if known, _ := d.has(quantity.CovBias); known && slices.Contains(shown, quantity.CovError) {
			all = append(all, sign{th.Rune('⠒', ':'), th.Truth, "exact bias", nil})
		}
	}
	for _, m := range [...]struct {
		mark heatMark
		sign
	}{
		{failedCell, sign{th.Glyphs.Cross, th.Bad, "diverged", nil}},
		{untrustedCell, sign{hatch(f.Theme), th.Dim, "cannot be trusted", wording.TooShort}},
		{bestCell, sign{bestRune(f.Theme), th.Accent, "best, or not distinguishable from it", nil}},
		{pendingCell, sign{pendingRune(f.Theme), th.Dim, "not run yet", nil}},
	} {
		if slices.ContainsFunc(shown, func(q quantity.ID) bool { return v.known.marks[q][m.mark] }) {
			all = append(all, m.sign)
		}
	}
	return all
}

// verdictPane is the name of the pane with what the grid says.
const verdictPane = "verdict"

// drawVerdict draws what the grid says of each lane, and the meaning of the marks.
func (v *view) drawVerdict(g plane.Region, f *pane.Frame, d *Data, shown []quantity.ID) {
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "what the sweep says"}).Pad(0, 1, 0, 1)
	w := in.W()
	y := 0
	line := func(x int, text string, style plane.Style) {
		for _, part := range plane.Wrap(text, max(w-x, 1)) {
			in.TextFit(x, y, w-x, *th, part, style)
			y++
		}
	}
	known := &v.known.verdict
	if known.why != "" {
		line(0, known.why, th.Text)
		y++
	}
	x := 0
	for i := range known.lanes {
		x = max(x, plane.Width(known.lanes[i].lane.Title)+6)
	}
	for i := range known.lanes {
		l := &known.lanes[i]
		look := &th.Lane[pane.Slot(l.lane.ID)]
		in.Set(0, y, look.Glyph, look.Style.With(theme.Bold))
		in.TextFit(2, y, w-2, *th, pane.Letter(l.lane.ID)+" "+l.lane.Title, look.Style)
		if x > w/3 {
			x, y = 4, y+1
		}
		if known.why == "" {
			line(x, l.lowest(d, v.known.symbol), th.Text)
			if text := l.alike(d, v.known.symbol); text != "" {
				line(x, text, th.Dim)
			}
		}
		line(x, l.lane.bounds(d, v.known.symbol), th.Dim)
	}
	y++
	if d.shares() {
		line(0, aloneKeys(f)+" runs the grid alone, on all cores", th.Dim)
	}
	for _, s := range v.signs(f, d, shown, true) {
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

// foot draws the verdict in a row, how to run the grid faster, and the meaning of the
// marks.
func (v *view) foot(g plane.Region, f *pane.Frame, d *Data, shown []quantity.ID) {
	th := &f.Theme
	var l pane.Line
	if known := &v.known.verdict; known.why != "" {
		l.Add(0, string(th.Glyphs.Warning), th.Warn, th.Text, known.why)
	} else {
		l.Add(0, "", th.Dim, th.Dim, "best "+v.known.symbol)
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
		if by := known.by(); by < quantity.N {
			l.Add(2, "", th.Dim, th.Dim, "by ", quantity.All[by].Name)
		}
	}
	if d.shares() {
		hint := l.Add(1, aloneKeys(f), th.Key, th.Dim)
		if hint.Text = "the grid alone"; g.W() >= wide {
			hint.Text = "runs the grid alone, on all cores"
		}
	}
	for i, s := range v.signs(f, d, shown, false) {
		l.Add(3+i, "", th.Dim, s.style, string(s.r), " ", s.text).Why = s.why
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// aloneKeys are what pauses the session with its grid, and then has the grid go on.
func aloneKeys(f *pane.Frame) string { return f.KeyOf("pause") + " " + f.KeyOf("sweep: pause") }

// by is the quantity by which every lane is judged, quantity.N if they differ.
func (v *verdict) by() quantity.ID {
	by := quantity.N
	for i := range v.lanes {
		if l := &v.lanes[i]; l.at >= 0 {
			if by != quantity.N && by != l.by {
				return quantity.N
			}
			by = l.by
		}
	}
	return by
}

// bests are the best cells of each lane. While cells are missing none is.
func (d *Data) bests() (best [state.MaxLanes]scan.Best) {
	for i := range best {
		var row scan.Row
		if i < len(d.Lanes) && d.whole() {
			row = d.Lanes[i].Cells
		}
		best[i] = row.Best(d.Seeds)
	}
	return best
}
