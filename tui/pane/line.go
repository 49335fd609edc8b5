package pane

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Part is a label and a text, each in its style. A line shows it whole or not at all.
type Part struct {
	Label      string
	LabelStyle plane.Style
	Text       string
	Style      plane.Style
	Does       plane.Do // on a click
	Rank       int      // the highest rank is dropped first from a narrow line
	Least      int      // the least width, so that the next part does not move
	// Term is what the part is of, and Why a word in its text, such as why there is no
	// number. Both are nil if they need no explanation.
	Term, Why plane.Term
}

// Line is a row of parts, or several rows of them.
type Line struct{ Parts []*Part }

// Add appends a part with a text in pieces.
func (l *Line) Add(rank int, label string, labelStyle, style plane.Style, text ...string) *Part {
	p := &Part{Label: label, LabelStyle: labelStyle, Style: style, Rank: rank, Text: strings.Join(text, "")}
	l.Parts = append(l.Parts, p)
	return p
}

// Shorten cuts a text to a width and marks the cut.
func (p *Part) Shorten(th *theme.Theme, width int) {
	if width >= 1 {
		p.Text = ansi.Truncate(p.Text, width, string(th.Glyphs.Ellipsis))
	}
}

// DrawsText writes a number of draws.
func DrawsText(n uint64) string { return plane.Count(n) + plane.Plural(int(n), " draw", " draws") }

// Spell spells the parts out on an ASCII plane. Call it before measuring them.
func (l *Line) Spell(g plane.Region) {
	for _, p := range l.Parts {
		p.Label, p.Text = g.Spell(p.Label), g.Spell(p.Text)
	}
}

func (p *Part) Width() int {
	w := plane.Width(p.Label) + plane.Width(p.Text)
	if p.Label != "" && p.Text != "" {
		w++
	}
	return max(w, p.Least)
}

// Draw writes a part at (x, y) and returns the column after it.
func (p *Part) Draw(g plane.Region, x, y int) int {
	if p.Term != nil || p.Why != nil {
		g.Sub(plane.Rect{X: x, Y: y, W: max(p.Width(), 1), H: 1}).Term(p.Term, p.Why)
	}
	end := x + p.Least
	if p.Label != "" {
		if x = g.Text(x, y, p.Label, p.LabelStyle); p.Text != "" {
			g.Set(x, y, ' ', p.LabelStyle)
			x++
		}
	}
	return max(g.Text(x, y, p.Text, p.Style), end)
}

// Right writes a part so that it ends before column x.
func (p *Part) Right(g plane.Region, x, y int) {
	p.Label, p.Text = g.Spell(p.Label), g.Spell(p.Text)
	p.Draw(g, x-p.Width(), y)
}

// Place gives every part a row, filling rows of width w in order with gap columns between parts. It drops parts of the
// highest rank, whose row is -1, until the rest fits.
func (l *Line) Place(w, rows, gap int) (row []int, used int) {
	row = make([]int, len(l.Parts))
	limit := math.MaxInt
	for {
		x, y, worst := 0, 0, -1
		fits := true
		for i, p := range l.Parts {
			row[i] = -1
			if p.Rank >= limit {
				continue
			}
			worst = max(worst, p.Rank)
			n := p.Width()
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

// Fill leaves out what does not fit in rows of width w with gap columns between parts. It
// takes each part that fits beside those of lower ranks, and of its own rank before it. If
// the first of them does not fit it leaves the line as it is.
func (l *Line) Fill(w, rows, gap int) {
	fits := func() bool {
		row, _ := l.Place(w, rows, gap)
		return !slices.Contains(row, -1)
	}
	if fits() {
		return
	}
	all := l.Parts
	byRank := slices.Clone(all)
	slices.SortStableFunc(byRank, func(a, b *Part) int { return a.Rank - b.Rank })
	l.Parts = nil
	for _, p := range byRank {
		before := l.Parts
		l.Parts = slices.DeleteFunc(slices.Clone(all), func(q *Part) bool {
			return q != p && !slices.Contains(before, q)
		})
		if fits() {
			continue
		}
		if l.Parts = before; before == nil {
			l.Parts = all
			return
		}
	}
}

// DrawSome is Draw for a line that must show something: if not even one part fits, it cuts the first.
func (l *Line) DrawSome(g plane.Region, th theme.Theme, gap int) {
	if _, x := l.Draw(g, gap); x > 0 || len(l.Parts) == 0 {
		return
	}
	p := l.Parts[0]
	x := 0
	if p.Label != "" {
		x = g.TextFit(0, 0, g.W(), th, p.Label, p.LabelStyle) + 1
	}
	p.Shorten(&th, g.W()-x)
	g.Text(x, 0, p.Text, p.Style)
}

// Draw writes the parts from the upper left of g and returns the number of rows
// used and the column after the last part.
func (l *Line) Draw(g plane.Region, gap int) (rows, x int) {
	l.Spell(g)
	row, used := l.Place(g.W(), g.H(), gap)
	y := 0
	for i, p := range l.Parts {
		if row[i] < 0 {
			continue
		}
		if row[i] != y {
			x, y = 0, row[i]
		}
		if x > 0 {
			x += gap
		}
		if p.Does.IsSet() {
			g.Zone(plane.Zone{Rect: plane.Rect{X: x, Y: y, W: p.Width(), H: 1}, ID: p.Does.Name, Click: p.Does})
		}
		x = p.Draw(g, x, y)
	}
	return used, x
}

// KeyOf is the key of a binding by its name.
func (f *Frame) KeyOf(name string) string {
	if f.Keys == nil {
		return name
	}
	return f.Keys(name)
}
