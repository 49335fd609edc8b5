// Package report draws the figures of a report in the cells of a terminal, for commands that print them.
package report

import (
	"strings"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Sizes of a figure's parts, in cells.
const (
	figureLeast = 24 // width below which nothing is drawn for less
	panelLeast  = 36 // width of a panel beside another
	panelGap    = 2
)

// Figure draws a figure of a report in so many columns: its title, a legend and its panels, as many beside each other
// as the figure has and the width holds. The height is what that takes. No line is wider than width, which counts as 24
// if it is less. Without colour the text has no escape sequences at all.
func Figure(f figure.Figure, width int, th theme.Theme) string {
	text, _ := Marked(f, width, th, nil)
	return text
}

// A Spot is a point of a figure that is of sessions: its place among the panels, their series
// and the points of these, and its cell.
type Spot struct {
	Panel, Series, Point int
	X, Y                 int
}

// Marked is Figure with a cross at a point, nil for none. It returns the points in sight that
// are of sessions too, series by series.
func Marked(f figure.Figure, width int, th theme.Theme, at *Spot) (text string, spots []Spot) {
	width = max(width, figureLeast)
	d := newFigureDrawing(f, width, th)
	d.at = at
	rows := (len(d.panels) + d.columns - 1) / d.columns
	p := plane.NewPlane(width, d.head()+rows*(d.panelH()+1))
	p.ASCII = th.ASCII
	d.draw(p.Region())
	if th.NoColor {
		return p.RenderPlain(), d.spots
	}
	return p.Render(), d.spots
}

// figureDrawing is a figure with its parts worked out.
type figureDrawing struct {
	th           theme.Theme
	title        []string
	legend       [][]figure.LegendKey // a row each
	panels       []figure.Panel
	looks        [][]figure.Look
	columns      int
	panelW, plot int // width of a panel, rows of its plot
	titled       bool
	labelled     bool
	at           *Spot
	spots        []Spot
}

func newFigureDrawing(f figure.Figure, width int, th theme.Theme) *figureDrawing {
	d := &figureDrawing{th: th, title: titleLines(plainText(th, f.Title), width), panels: f.Panels, looks: f.Looks()}
	if len(d.panels) == 0 {
		d.panels, d.looks = []figure.Panel{{}}, [][]figure.Look{nil}
	}
	d.columns = f.Columns
	if d.columns < 1 {
		d.columns = 2
	}
	d.columns = max(1, min(d.columns, len(d.panels), (width+panelGap)/(panelLeast+panelGap)))
	d.panelW = (width - panelGap*(d.columns-1)) / d.columns
	d.plot = min(max(d.panelW/4, 9), 20)
	for _, p := range d.panels {
		if len(p.Contours) > 0 {
			d.plot = min(max(d.panelW/3, 12), 30)
		}
		d.titled = d.titled || p.Title != ""
		d.labelled = d.labelled || p.X.Label != "" || p.Y.Label != ""
	}
	d.legend = legendRows(th, f.Legend(), width)
	return d
}

// panelH is the rows of a panel: title, label of Y, plot, axis, label of X.
func (d *figureDrawing) panelH() int {
	h := d.plot + 2
	if d.titled {
		h++
	}
	if d.labelled {
		h += 2
	}
	return h
}

func (d *figureDrawing) head() int { return len(d.title) + len(d.legend) }

func (d *figureDrawing) draw(g plane.Region) {
	y := 0
	for _, line := range d.title {
		g.TextCenter(y, line, d.th.Title)
		y++
	}
	for _, row := range d.legend {
		d.drawKeys(g.Row(y), row)
		y++
	}
	for i := range d.panels {
		at := plane.Rect{X: i % d.columns * (d.panelW + panelGap), Y: d.head() + 1 + i/d.columns*(d.panelH()+1),
			W: d.panelW, H: d.panelH()}
		d.panel(g.Sub(at), i)
	}
}

// keyWidth is the cells of a line of the legend: a piece of line or a mark, and the name.
func keyWidth(th theme.Theme, k figure.LegendKey) int {
	w := 1 + 1 + plane.Width(plainText(th, k.Name))
	if k.Style != figure.Points {
		w += keyLine - 1
	}
	return w
}

// The columns between two keys, and of a piece of line.
const (
	keyGap  = 3
	keyLine = 3
)

func legendRows(th theme.Theme, keys []figure.LegendKey, width int) [][]figure.LegendKey {
	var rows [][]figure.LegendKey
	left := 0
	for _, k := range keys {
		w := keyWidth(th, k)
		if len(rows) == 0 || left < w {
			rows = append(rows, nil)
			left = width
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		left -= w + keyGap
	}
	return rows
}

// drawKeys writes a row of the legend, centred.
func (d *figureDrawing) drawKeys(g plane.Region, row []figure.LegendKey) {
	total := list.Sum(row, func(k figure.LegendKey) int { return keyWidth(d.th, k) + keyGap }) - keyGap
	x := max((g.W()-total)/2, 0)
	for _, k := range row {
		style := lookStyle(d.th, k.Look)
		mark := markRune(d.th, k.Look, k.Paper)
		if k.Style == figure.Points {
			g.Set(x, 0, mark, style)
			x++
		} else {
			for i := range keyLine {
				g.Set(x+i, 0, chart.LineRune(d.th, lineGlyph(k.Look, k.Paper), i, keyLine), style)
			}
			if k.Style == figure.Both || !k.Paper {
				g.Set(x+1, 0, mark, style.With(theme.Bold))
			}
			x += keyLine
		}
		name := plainText(d.th, k.Name)
		g.TextFit(x+1, 0, g.W()-x-1, d.th, name, d.th.Text)
		x += 1 + plane.Width(name) + keyGap
	}
}

// plainText is a label as it is written: spelled out in ASCII.
func plainText(th theme.Theme, s string) string {
	if !th.ASCII {
		return s
	}
	return plane.Spell(s)
}

// titleLines breaks a title into at most three lines; what no line is left for is cut when it is drawn.
func titleLines(title string, width int) []string {
	lines := plane.Wrap(title, width)
	if len(lines) > 3 {
		lines = append(lines[:2], strings.Join(lines[2:], " "))
	}
	return lines
}

// lookStyle is a look's colour: the first hues are the lanes', so that a sampler looks as it does on the screen. Other
// shades of a hue go towards the ground and the text in turn.
func lookStyle(th theme.Theme, l figure.Look) plane.Style {
	if th.NoColor {
		return plane.Style{}
	}
	var s plane.Style
	switch {
	case l.Hue < theme.NumLanes:
		s = th.Lane[l.Hue].Style
	case th.Dark:
		s = plane.Style{FG: [...]plane.Color{theme.RGB(0xf0, 0xc6, 0x3e), theme.RGB(0xff, 0x7a, 0x45),
			theme.RGB(0xd7, 0xda, 0xe0), theme.RGB(0xb4, 0xa7, 0xf0)}[l.Hue-theme.NumLanes]}
	default:
		c := figure.Hues()[l.Hue]
		s = plane.Style{FG: theme.RGB(c[0], c[1], c[2])}
	}
	if l.Shade > 0 {
		to := th.Ground
		if l.Shade%2 == 0 {
			to = th.Text.FG
		}
		s.FG = s.FG.Blend(to, min(0.2+0.15*float64(l.Shade), 0.6))
	}
	return s
}

// markRune is a look's mark: the lanes' glyphs and four more, hollow for the paper's numbers.
func markRune(th theme.Theme, l figure.Look, paper bool) rune {
	marks := [2][figure.NumHues]rune{{'●', '▲', '■', '◆', '▼', '✚', '✖', '★'}, {'○', '△', '□', '◇', '▽', '┼', '╳', '☆'}}
	if th.ASCII {
		marks = [2][figure.NumHues]rune{{'o', '^', '#', '+', 'v', 'x', '*', '@'},
			{'O', 'A', 'H', 'T', 'V', 'X', '%', '&'}}
	}
	which := 0
	if paper {
		which = 1
	}
	return marks[which][l.Mark()]
}

// lineGlyph is the index of a look's characters among the theme's line glyphs; dashed for the paper's.
func lineGlyph(l figure.Look, paper bool) int {
	const dashed = 2
	if paper {
		return dashed
	}
	return l.Mark() % theme.NumLanes
}
