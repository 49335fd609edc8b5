// Package sweep draws the view of a grid over one parameter, or of the pilots of a search of ε.
//
// How it works. The controller of the grid puts a [Data] into [Shown] whenever cells are done. Each quantity that the
// session has is a pane (grid.go): a chart against the parameter above a row of cells for each lane, in the same
// columns. Which panes there are does not hang on what has run, so that none changes its place. The last pane is the
// verdict (verdict.go): each lane's best value and those that cannot be told from it, once all cells are done.
package sweep

import (
	"cmp"
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Shown is the grid that runs beside the session, nil for none, and the cell under the
// cursor. The controller of the grid keeps it up to date.
type Shown struct {
	Data *Data
	At   int
}

// State is the state of a grid's job.
type State uint8

const (
	Waiting State = iota // about to begin
	Running
	Paused
	Done
)

// Data is what is known of a grid that runs beside the session, with the state of its job. It is never changed once it
// is published.
type Data struct {
	scan.Known
	State State
	Left  float64 // the forecast of the seconds left, 0 if unknown
	Each  float64 // seconds that a session of it takes, 0 if unknown
	Truth float64 // seconds that the truth by HMC takes, 0 if unknown
	Alone bool    // the grid has the cores for itself
	Note  string  // the reason why there are no values, or an error
	// Told is what a search of ε has found, in the place of a verdict of cells, and By what it goes by; empty for a grid.
	Told string
	By   quantity.ID
}

// cell is a lane's cell, nil where there is none or it has not run.
func cell(l *scan.Lane, i int) *scan.Cell {
	if i < 0 || i >= len(l.Cells) || l.Cells[i].Runs == 0 {
		return nil
	}
	return &l.Cells[i]
}

// has reports whether any cell has the quantity, and whether any has one that cannot be trusted.
func (d *Data) has(q quantity.ID) (known, untrusted bool) {
	for i := range d.Lanes {
		for k := range d.Lanes[i].Cells {
			v := &d.Lanes[i].Cells[k].Of[q]
			known, untrusted = known || v.N > 0, untrusted || v.Untrusted > 0
		}
	}
	return known, untrusted
}

// place is where a value of the parameter stands among the cells, in cells from the first
// and between two of them in proportion on the parameter's scale; NaN beyond the grid.
func (d *Data) place(x float64) float64 {
	f, a := d.Param.Frac(x), math.NaN()
	for i, v := range d.Values {
		b := d.Param.Frac(v)
		if v == x {
			return float64(i)
		} else if a < f && f < b || b < f && f < a {
			return float64(i-1) + (f-a)/(b-a)
		}
		a = b
	}
	return math.NaN()
}

// At is the place of the grid's value nearest to x, and whether x is within the grid.
func (d *Data) At(x float64) (i int, ok bool) {
	at := d.place(x)
	return int(math.Round(at)), !math.IsNaN(at)
}

// Text writes a value of the grid's parameter as the axis does.
func (d *Data) Text(i int) string { return pane.ParamText(d.Param, d.Values[i], 0) }

// words are those for the grid, with a symbol of its parameter.
func (d *Data) words(symbol string) wording.Grid {
	return wording.Grid{Known: &d.Known, Symbol: symbol, Text: d.Text, AskSteps: ":grid steps", AskSeeds: ":grid seeds",
		AskTruth: ":truth hmc", Each: d.Each, ForTruth: d.Truth, Failed: d.Note != ""}
}

// New returns view 6, a grid over the selected parameter, or no grid if shown is nil. On a wide screen the panes stand
// in two columns, and the last says what all of it comes to.
func New(shown *Shown) pane.View {
	v := &view{shown: cmp.Or(shown, new(Shown))}
	return pane.View{Name: "Sweep", Panes: v.panes, Around: v.around, Lacks: func(p *targets.Problem) string {
		if p.Source == nil {
			return ""
		}
		return "takes a target that is sampled here, not the draws of another program"
	}}
}

type view struct {
	shown *Shown

	of      *Data // of which the rest was worked out
	symbol  string
	words   wording.Grid
	verdict wording.Verdict
	seen    map[rune]bool // the marks of cells that have been drawn
}

// grid is the grid that is shown, nil while there is none.
func (v *view) grid(f *pane.Frame) *Data {
	d := v.shown.Data
	if d == nil || len(d.Values) == 0 || len(d.Lanes) == 0 {
		return nil
	}
	if symbol := pane.SymbolOf(&f.Theme, &d.Param); v.of != d || v.symbol != symbol {
		v.of, v.symbol, v.seen, v.words = d, symbol, map[rune]bool{}, d.words(symbol)
		if v.verdict = v.words.Verdict(); d.Told != "" {
			v.verdict.Why, v.verdict.More, v.verdict.Lanes = d.Told, "", nil
		}
	}
	return d
}

// quantities are those that have a chart, the most telling first: those that some lane of the session has, and what a
// search or a grid without a truth tells beside them. The bias is in the chart of the error.
func (d *Data) quantities(f *pane.Frame) (all []quantity.ID) {
	if d.Told != "" {
		return []quantity.ID{d.By}
	}
	for _, q := range quantity.Compared {
		known, _ := d.has(q)
		if q != quantity.CovBias && (known || f.Lists(q) || q == quantity.StepError && d.Bias) {
			all = append(all, q)
		}
	}
	return all
}

// The least rows of a chart above its cells.
const leastChart = 4

// panes are the quantities that fit, and on a wide screen the verdict behind them.
func (v *view) panes(f *pane.Frame, w, h int) (all []pane.Pane) {
	d := v.grid(f)
	if d == nil {
		why := "a grid over the selected parameter runs here beside the session"
		if d := v.shown.Data; d != nil && d.Note != "" {
			why = d.Note
		}
		return []pane.Pane{{Name: "grid", Lane: -1, Title: "grid", Why: why, At: plane.Rect{W: w, H: h}}}
	}
	for _, q := range d.quantities(f) {
		all = append(all, pane.Of(quantity.All[q].Name, func(g plane.Region, f *pane.Frame) { v.drawPane(g, f, d, q) }))
	}
	cols, n := 1, len(all)
	if w >= pane.WideStage {
		cols, n = 2, n+1
	}
	rows := max(min(h/(3+leastChart+len(d.Lanes)), (n+cols-1)/cols), 1)
	if n = min(n, rows*cols); cols > 1 {
		all = append(all[:n-1], pane.Of("verdict", func(g plane.Region, f *pane.Frame) { v.drawVerdict(g, f, d) }))
	}
	places := pane.Stack(plane.Rect{W: w, H: h}, rows)
	for k := range n {
		all[k] = all[k].In(pane.Beside(places[k/cols], cols)[k%cols])
	}
	return all[:n]
}

// around draws the headline, and below panes in one column what the grid says.
func (v *view) around(g plane.Region, f *pane.Frame, alone bool) plane.Region {
	d := v.grid(f)
	if d == nil || alone || g.H() < 8 {
		return g
	}
	head, rest := g.Bounds().CutTop(1)
	v.head(g.Sub(head), f, d)
	if rest.W < pane.WideStage {
		lines := plane.Wrap(v.verdict.Why, rest.W-2)
		foot, body := rest.CutBottom(min(max(len(lines), 1), rest.H/3))
		v.foot(g.Sub(foot), f, d, lines)
		rest = body
	}
	return g.Sub(rest)
}

func (v *view) head(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	if d.Note != "" {
		g.TextFit(1, 0, g.W()-2, *th, d.Note, th.Bad)
		return
	}
	var l pane.Line
	if d.Told != "" {
		l.Add(1, "search of", th.Dim, th.Accent, v.symbol)
		l.Add(2, "", th.Dim, th.Text, strconv.Itoa(d.Done)+plane.Plural(d.Done, " pilot", " pilots"))
	} else {
		l.Add(1, "grid over", th.Dim, th.Accent, v.symbol)
		l.Add(3, "", th.Dim, th.Text, plane.Count(uint64(len(d.Values)))+plane.Plural(len(d.Values), " cell", " cells")+
			" of "+plane.Commas(d.Steps)+" steps")
		l.Add(2, "", th.Dim, th.Text, plane.Count(uint64(max(d.Done, 0)))+" of "+plane.Count(uint64(max(d.Total, 0))))
		seeds := strconv.FormatUint(d.Seed, 10)
		if d.Seeds > 1 {
			seeds += " to " + strconv.FormatUint(d.Seed+uint64(d.Seeds-1), 10)
		}
		l.Add(4, plane.Plural(d.Seeds, "seed", "seeds"), th.Dim, th.Text, seeds)
	}
	state := min(d.State, Done)
	glyph := [...]rune{th.Glyphs.Ellipsis, th.Glyphs.Running, th.Glyphs.Paused, th.Glyphs.Done}[state]
	style := [...]plane.Style{th.Dim, th.Good, th.Warn, th.Dim}[state]
	word := [...]string{"about to begin", "running", "paused", "done"}[state]
	switch {
	case d.State == Running && d.Left > 0:
		word = wording.Duration(d.Left) + " left"
	case d.State == Paused && d.Told != "": // a search does not go on
		word = "stopped"
	}
	l.Add(0, "", th.Dim, style, string(glyph)+" "+word)
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// shares reports whether the grid shares the cores with the session.
func (d *Data) shares() bool { return d.State == Running && !d.Alone && d.Told == "" }

// at is the cell whose numbers are shown: the one under the mouse, else under the cursor.
func (v *view) at(f *pane.Frame, d *Data) int {
	at := v.shown.At
	if x, ok := f.Cross.On(pane.GridAxis); ok && !math.IsNaN(x) {
		at = int(math.Round(min(max(x, -1), float64(len(d.Values)))))
	}
	return min(max(at, 0), len(d.Values)-1)
}
