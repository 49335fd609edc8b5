package sweep

import (
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

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
	if v.verdict.Why != "" {
		line(0, v.verdict.Why, th.Text)
		y++
	}
	for _, l := range v.verdict.Lanes {
		look := &th.Lane[pane.Slot(l.ID)]
		in.Set(0, y, look.Glyph, look.Style.With(theme.Bold))
		in.TextFit(2, y, w-2, *th, pane.Letter(l.ID)+" "+l.Title, look.Style)
		x := 16
		if x > w/3 {
			x, y = 4, y+1
		}
		if v.verdict.Why == "" {
			line(x, v.words.Best(&l), th.Text)
		}
		line(x, l.Bound, th.Dim)
	}
	if v.verdict.More != "" {
		line(0, v.verdict.More, th.Text)
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
		{th.Glyphs.Vertical, th.Accent, "the selected cell", nil, true},
		{th.Rune('⡇', '|'), th.Text, "± 2 standard errors over " + strconv.Itoa(d.Seeds) + " seeds", nil, d.Seeds > 1},
		{th.Glyphs.Mark, th.Mark, v.symbol + " of the live session", nil, true},
		{th.Rune('⠒', ':'), th.Bias, "exact bias", nil, f.Has(quantity.CovBias) && d.Told == ""},
		{th.Glyphs.Cross, th.Bad, "diverged", nil, v.seen[th.Glyphs.Cross]},
		{th.Glyphs.Shade[4], th.HeatAt(1), "a good value, beside the others of its pane", nil, d.Told == ""},
		{hatchMark(th), th.Dim, "cannot be trusted", wording.TooShort, v.seen[hatchMark(th)]},
		{bestMark(th), th.Accent, "best, or not distinguishable from it", nil, v.seen[bestMark(th)]},
		{pendingMark(th), th.Dim, "not run", nil, v.seen[pendingMark(th)]},
	} {
		if s.is && y < in.H() {
			in.Set(0, y, s.r, s.style)
			in.TextFit(2, y, w-2, *th, s.text, th.Dim)
			in.Row(y).Term(s.why)
			y++
		}
	}
}

// foot draws the verdict in a row, and how to run the grid faster; or why there is none in rows of its own.
func (v *view) foot(g plane.Region, f *pane.Frame, d *Data, why []string) {
	th := &f.Theme
	if len(why) > 1 {
		for y, line := range why {
			g.TextFit(1, y, g.W()-2, *th, line, th.Text)
		}
		return
	}
	var l pane.Line
	if v.verdict.Why != "" {
		l.Add(0, "", th.Dim, th.Text, v.verdict.Why)
	} else {
		l.Add(0, "", th.Dim, th.Dim, "best "+v.symbol)
		for _, lane := range v.verdict.Lanes {
			look := &th.Lane[pane.Slot(lane.ID)]
			l.Add(0, string(look.Glyph), look.Style, th.Text, lane.Value)
		}
	}
	if v.verdict.More != "" {
		l.Add(2, "", th.Dim, th.Text, v.verdict.More)
	}
	if d.shares() {
		l.Add(1, aloneKeys(f), th.Key, th.Dim, "runs the grid alone")
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// aloneKeys are what pauses the session with its grid, and then has the grid go on.
func aloneKeys(f *pane.Frame) string { return f.KeyOf("pause") + ", then " + f.KeyOf("sweep: pause") }
