// Package sweep draws the view of a grid over one parameter.
//
// How it works. The controller of the grid puts a [Data] into [Shown] whenever cells are done.
// What is computed from it (derived) is computed once. Each quantity is a pane (rows.go): a chart
// against the parameter (curve.go) above a row of cells for each lane, in the same columns. A cell
// has a shade by its place on the quantity's scale, and a mark (heat.go). The last pane is the
// verdict (verdict.go): each lane's best value and those that cannot be told from it, once all cells
// are done.
package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Shown is the grid that runs beside the session, nil for none, and the cell under the
// cursor. The controller of the grid keeps it up to date.
type Shown struct {
	Data *Data
	At   int
}

// derived is computed from a grid once for each Data that is published.
type derived struct {
	of      *Data
	shown   []quantity.ID
	charts  []quantity.ID // those that have a chart: the bias is in that of the error
	scale   [quantity.N]heatScale
	best    [state.MaxLanes]scan.Best
	marks   [quantity.N][failedCell + 1]bool // of the cells
	verdict verdict
	symbol  string // the parameter's
}

func (k *derived) follow(f *pane.Frame, d *Data) {
	symbol := pane.SymbolOf(&f.Theme, &d.Param)
	if k.of == d && k.symbol == symbol {
		return
	}
	k.of, k.symbol = d, symbol
	k.shown = quantities(d, f.HasData())
	k.charts = slices.DeleteFunc(slices.Clone(k.shown), func(q quantity.ID) bool {
		return q == quantity.CovBias && slices.Contains(k.shown, quantity.CovError)
	})
	for _, q := range k.shown {
		k.scale[q] = d.scale(q)
	}
	k.best = d.bests()
	for _, q := range k.shown {
		k.marks[q] = d.marks(q, &k.scale[q], &k.best)
	}
	k.verdict = verdictOf(d, k.best[:len(d.lanes())], symbol)
}

// New returns view 6, a grid over the selected parameter, or no grid if shown is nil.
// Every quantity is a pane with a chart against the parameter and below it a row of cells
// for each lane. On a wide screen the panes stand in two columns, and the last says what
// all of it comes to.
func New(shown *Shown) pane.View {
	if shown == nil {
		shown = new(Shown)
	}
	v := &view{shown: shown}
	return pane.View{Name: "Sweep", Panes: v.panes, Around: v.around}
}

type view struct {
	shown *Shown
	known derived
}

// grid is the grid that is shown, nil while there is none.
func (v *view) grid(f *pane.Frame) *Data {
	d := v.shown.Data
	if d == nil || len(d.Values) == 0 || len(d.Lanes) == 0 {
		return nil
	}
	v.known.follow(f, d)
	return d
}

// axisRows are the rows of an axis: the lanes' present values, and labels.
const axisRows = 2

// panes are the quantities that fit. Rows left over make the lanes' rows taller, then go
// between them, then give every pane an axis.
func (v *view) panes(f *pane.Frame, w, h int) (all []pane.Pane) {
	d := v.grid(f)
	if d == nil {
		why := "a grid over the selected parameter runs here beside the session"
		if d := v.shown.Data; d != nil && d.Note != "" {
			why = d.Note
		}
		return []pane.Pane{{Name: "grid", Lane: -1, Title: "grid", Why: why, At: plane.Rect{W: w, H: h}}}
	}
	if cols, rows, said := v.layout(d, w, h); rows > 0 {
		shown := v.charted(cols, rows, said)
		places := pane.Stack(plane.Rect{W: w, H: h}, rows)
		for k := range cols * rows {
			at := pane.Beside(places[k/cols], cols)[k%cols]
			switch {
			case k < len(shown):
				all = append(all, pane.Of(quantity.All[shown[k]].Name, func(g plane.Region, f *pane.Frame) {
					v.drawPane(g, f, d, shown[k], rowStyle{thick: 1}, true, at.H)
				}).In(at))
			case said && k == len(shown):
				all = append(all,
					pane.Of(verdictPane, func(g plane.Region, f *pane.Frame) { v.drawVerdict(g, f, d, shown) }).In(at))
			}
		}
		return all
	}
	shown := v.fitting(d, h)
	n, lanes := len(shown), len(d.lanes())
	look, axes := rowStyle{thick: 1}, 1
	for _, better := range [...]func(){
		func() { look.thick = 2 }, func() { look.gap = 1 }, func() { axes = n },
	} {
		was, had := look, axes
		better()
		if n*(2+look.rows(lanes))+axes*axisRows > h {
			look, axes = was, had
			break
		}
	}
	y := 0
	for k, q := range shown {
		rows := 2 + look.rows(lanes)
		axis := axes == n || k == n-1
		if axis {
			rows += axisRows
		}
		at := plane.Rect{Y: y, W: w, H: min(rows, h-y)}
		all = append(all, pane.Of(quantity.All[q].Name, func(g plane.Region, f *pane.Frame) {
			v.drawPane(g, f, d, q, look, axis, at.H)
		}).In(at))
		y += rows
	}
	return all
}

// layout is how panes with charts stand on w×h cells, no rows if there is no room for any,
// and whether one of them has the verdict.
func (v *view) layout(d *Data, w, h int) (cols, rows int, said bool) {
	least := 2 + leastChart + 1 + len(d.lanes())
	n := len(v.known.charts)
	if w < pane.PaneW || h < least || n == 0 {
		return 1, 0, false
	}
	cols = 1
	if w >= pane.WideStage && n > 1 {
		cols, said = 2, true
		n++
	}
	return cols, min(h/least, (n+cols-1)/cols), said
}

// charted are the quantities that have a chart among so many panes.
func (v *view) charted(cols, rows int, said bool) []quantity.ID {
	n := cols * rows
	if said {
		n--
	}
	return v.known.charts[:min(n, len(v.known.charts))]
}

// fitting are the quantities that fit h rows without charts, at least one.
func (v *view) fitting(d *Data, h int) []quantity.ID {
	one := 2 + len(d.lanes())
	return v.known.shown[:max(min(len(v.known.shown), (h-axisRows)/one), 1)]
}

// around draws the headline, and below the panes the grid's verdict. The verdict may
// replace a pane, unless there is one pane only.
func (v *view) around(g plane.Region, f *pane.Frame, alone bool) plane.Region {
	d := v.grid(f)
	if d == nil || alone {
		return g
	}
	rest := g.Bounds()
	if g.H() >= 8 {
		var head plane.Rect
		head, rest = rest.CutTop(1)
		v.head(g.Sub(head), f, d)
	}
	if cols, rows, said := v.layout(d, rest.W, rest.H-1); rows > 0 {
		if !said {
			var foot plane.Rect
			foot, rest = rest.CutBottom(1)
			v.foot(g.Sub(foot), f, d, v.charted(cols, rows, said))
		}
		return g.Sub(rest)
	}
	shown := v.fitting(d, rest.H)
	one := 2 + len(d.lanes())
	if less := v.fitting(d, rest.H-1); (len(v.known.verdict.lanes) > 0 || d.shares()) && rest.H-1-axisRows >= one {
		shown = less
	}
	if rest.H-axisRows > len(shown)*one {
		var foot plane.Rect
		foot, rest = rest.CutBottom(1)
		v.foot(g.Sub(foot), f, d, shown)
	}
	return g.Sub(rest)
}

// rowStyle is how the rows of a pane stand.
type rowStyle struct {
	thick int // rows of a lane
	gap   int // between lanes
}

// rows is how many rows so many lanes take.
func (l rowStyle) rows(lanes int) int { return lanes*l.thick + max(lanes-1, 0)*l.gap }

// quantities lists the known quantities, then τ if every cell is too short for it: its
// cells say so. Before any cell is known it lists the expected ones.
func quantities(d *Data, data bool) (all []quantity.ID) {
	tooShort := false
	for _, q := range quantity.Compared {
		known, short := d.has(q)
		if known {
			all = append(all, q)
		} else if q == quantity.MaxACT {
			tooShort = short
		}
	}
	if tooShort {
		all = append(all, quantity.MaxACT)
	}
	switch {
	case all != nil:
		return all
	case data:
		all = []quantity.ID{quantity.TestError, quantity.MaxACT, quantity.NLL}
	default:
		all = []quantity.ID{quantity.CovError, quantity.MaxACT, quantity.ESSPerStep}
	}
	if d.Done > 0 {
		return all[:1] // every run has diverged
	}
	return all
}

// head draws the headline: the grid and the state of its job.
func (v *view) head(g plane.Region, f *pane.Frame, d *Data) {
	th := &f.Theme
	var l pane.Line
	l.Add(1, "grid over", th.Dim, th.Accent).Text = pane.SymbolOf(th, &d.Param)
	l.Add(3, "", th.Dim, th.Text,
		plane.Count(uint64(len(d.Values)))+pane.Plural(len(d.Values), " cell", " cells")+" of "+plane.Commas(d.Steps)+
			" steps")
	l.Add(2, "", th.Dim, th.Text, plane.Count(uint64(max(d.Done, 0)))+" of "+plane.Count(uint64(max(d.Total, 0))))
	if d.Seeds > 1 {
		l.Add(4, "seeds", th.Dim, th.Text,
			strconv.FormatUint(d.Seed, 10)+" to "+strconv.FormatUint(d.Seed+uint64(d.Seeds-1), 10))
	} else {
		l.Add(4, "seed", th.Dim, th.Text, strconv.FormatUint(d.Seed, 10))
	}
	at := v.at(f, d)
	runs := 0
	for i := range d.Lanes {
		if c := d.Lanes[i].cell(at); c != nil {
			runs = max(runs, c.Runs)
		}
	}
	l.Add(5, "at", th.Dim, th.Accent,
		pane.ParamText(d.Param, d.Values[at], 0)+": "+plane.Count(uint64(runs))+pane.Plural(runs, " run", " runs"))
	glyph, style, word := th.Glyphs.Done, th.Dim, "done"
	switch d.State {
	case Waiting:
		glyph, word = th.Glyphs.Ellipsis, "about to begin"
	case Running:
		glyph, style, word = th.Glyphs.Running, th.Good, "running"
	case Paused:
		glyph, style, word = th.Glyphs.Paused, th.Warn, "paused"
	}
	p := l.Add(0, "", th.Dim, style, string(glyph)+" ")
	if d.State == Running && d.Left > 0 {
		p.Text += about(d.Left) + " left"
	} else {
		p.Text += word
	}
	if d.Note != "" {
		l.Add(0, "", th.Bad, th.Bad).Text = d.Note
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// shares reports whether the grid shares the cores with the session.
func (d *Data) shares() bool { return d.State == Running && !d.Alone }

// about is a forecast of seconds in one unit.
func about(seconds float64) string {
	switch n := math.Ceil(seconds); {
	case !(n < 1e9):
		return "long"
	case n <= 55:
		return fmt.Sprintf("about %.0f s", math.Ceil(n/5)*5)
	case n <= 90*60:
		return fmt.Sprintf("about %.0f min", math.Round(n/60))
	default:
		return fmt.Sprintf("about %.0f h", math.Round(n/3600))
	}
}

// marks reports which marks the cells of a quantity have. HeatPending is that of a cell
// that has not run.
func (d *Data) marks(q quantity.ID, scale *heatScale, best *[state.MaxLanes]scan.Best) (has [failedCell + 1]bool) {
	for i, l := range d.lanes() {
		if !l.Has || len(l.Cells) == 0 {
			continue
		}
		for k := range d.Values {
			mark := l.heat(q, k, scale, &best[i]).Mark
			has[mark] = has[mark] || mark != pendingCell || l.cell(k) == nil || l.cell(k).Runs == 0
		}
	}
	return has
}

// at is the cell whose numbers are shown: the one under the mouse, else under the cursor.
func (v *view) at(f *pane.Frame, d *Data) int {
	at := v.shown.At
	if x, ok := f.Cross.On(pane.GridAxis); ok && !math.IsNaN(x) {
		at = int(math.Round(min(max(x, -1), float64(len(d.Values)))))
	}
	return min(max(at, 0), len(d.Values)-1)
}

// CellAt is the cell at (x, y) of the plane in a pane of the view.
func CellAt(p pane.Shown, x, y int) (cell int, ok bool) {
	at := &p.Plot
	if at.AxisX != pane.GridAxis || !at.Rect.Contains(x, y) {
		return 0, false
	}
	return int(math.Round(at.Under(x, y).X)), true
}
