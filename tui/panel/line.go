package panel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A part is a piece of a line that is shown whole or not at all: a label and a
// text, each in its style.
type part struct {
	label      string
	labelStyle plane.Style
	text       string
	style      plane.Style
	does       keymap.Action // what a click on it does
	rank       int           // when the line is too narrow the highest rank goes first
	least      int           // the width that it has at least, so that what follows stands still
}

// line is a row of parts, or several rows of them.
type line struct {
	parts []*part
}

// add appends a part with a text in pieces.
func (l *line) add(rank int, label string, labelStyle, style plane.Style, text ...string) *part {
	p := &part{label: label, labelStyle: labelStyle, style: style, rank: rank, text: strings.Join(text, "")}
	l.parts = append(l.parts, p)
	return p
}

// whole writes a whole number.
func whole(n uint64) string { return strconv.FormatUint(n, 10) }

// duration writes a time in seconds in its two largest units: 1m40s, 2h05m.
func duration(seconds float64) string {
	if !(seconds >= 0 && seconds < 1e9) {
		return "–"
	}
	switch n := uint64(math.Ceil(seconds)); {
	case n < 60:
		return fmt.Sprintf("%ds", n)
	case n < 3600:
		return fmt.Sprintf("%dm%02ds", n/60, n%60)
	case n < 86400:
		return fmt.Sprintf("%dh%02dm", n/3600, n/60%60)
	default:
		return fmt.Sprintf("%dd%02dh", n/86400, n/3600%24)
	}
}

// countIn is a count with fewer digits where a width has no room for all.
func countIn(n uint64, width int) string {
	if s := plane.Count(n); plane.Width(s) <= width {
		return s
	}
	return plane.Number(float64(n), width)
}

// shorten cuts a text that is wider than a width, and marks that.
func (p *part) shorten(th *theme.Theme, width int) {
	if width >= 1 {
		p.text = ansi.Truncate(p.text, width, string(th.Glyphs.Ellipsis))
	}
}

// drawsText writes a number of draws.
func drawsText(n uint64) string { return plane.Count(n) + plural(int(n), " draw", " draws") }

// percent writes a share as a percentage with two decimals at most.
func percent(v float64) string {
	s := plane.Measured(v*100, 5)
	if !math.IsNaN(v) {
		s += " %"
	}
	return s
}

// spell writes the parts with ASCII alone where that is all the region has. What
// is measured before it is drawn is spelled first.
func (l *line) spell(g plane.Region) {
	for _, p := range l.parts {
		p.label, p.text = g.Spell(p.label), g.Spell(p.text)
	}
}

func (p *part) width() int {
	w := plane.Width(p.label) + plane.Width(p.text)
	if p.label != "" && p.text != "" {
		w++
	}
	return max(w, p.least)
}

// draw writes a part at (x, y) and returns the column after it.
func (p *part) draw(g plane.Region, x, y int) int {
	end := x + p.least
	if p.label != "" {
		if x = g.Text(x, y, p.label, p.labelStyle); p.text != "" {
			g.Set(x, y, ' ', p.labelStyle)
			x++
		}
	}
	return max(g.Text(x, y, p.text, p.style), end)
}

// right writes a part so that it ends before column x.
func (p *part) right(g plane.Region, x, y int) {
	p.label, p.text = g.Spell(p.label), g.Spell(p.text)
	p.draw(g, x-p.width(), y)
}

// place gives every part a row, filling rows of width w in order with gap
// columns between parts. The parts of highest rank get none, which is -1, until the
// rest fits into rows.
func (l *line) place(w, rows, gap int) (row []int, used int) {
	row = make([]int, len(l.parts))
	limit := math.MaxInt
	for {
		x, y, worst := 0, 0, -1
		fits := true
		for i, p := range l.parts {
			row[i] = -1
			if p.rank >= limit {
				continue
			}
			worst = max(worst, p.rank)
			n := p.width()
			if x > 0 && x+gap+n > w {
				x, y = 0, y+1
			}
			if n > w || y >= rows {
				fits = false
			}
			if x > 0 {
				x += gap
			}
			x += n
			row[i] = y
		}
		if fits || worst < 0 {
			return row, y + 1
		}
		limit = worst
	}
}

// actionAt is what a click does on column x of a line that is drawn on one row of
// width w with gap columns between parts.
func (l *line) actionAt(ascii bool, w, gap, x int) keymap.Action {
	if ascii {
		for _, p := range l.parts {
			p.label, p.text = plane.Spell(p.label), plane.Spell(p.text)
		}
	}
	row, _ := l.place(w, 1, gap)
	for i, p := range l.parts {
		if row[i] != 0 {
			continue
		}
		n := p.width()
		if x >= 0 && x < n {
			return p.does
		}
		x -= n + gap
	}
	return keymap.None
}

// drawSome is draw for a line of which something must show: where not even the first
// part has room, what there is of it.
func (l *line) drawSome(g plane.Region, th theme.Theme, gap int) {
	if _, x := l.draw(g, gap); x > 0 || len(l.parts) == 0 {
		return
	}
	p := l.parts[0]
	x := 0
	if p.label != "" {
		x = g.TextFit(0, 0, g.W(), th, p.label, p.labelStyle) + 1
	}
	p.shorten(&th, g.W()-x)
	g.Text(x, 0, p.text, p.style)
}

// draw writes the parts from the upper left of g and returns the number of rows
// used and the column after the last part.
func (l *line) draw(g plane.Region, gap int) (rows, x int) {
	l.spell(g)
	row, used := l.place(g.W(), g.H(), gap)
	y := 0
	for i, p := range l.parts {
		if row[i] < 0 {
			continue
		}
		if row[i] != y {
			x, y = 0, row[i]
		}
		if x > 0 {
			x += gap
		}
		x = p.draw(g, x, y)
	}
	return used, x
}
