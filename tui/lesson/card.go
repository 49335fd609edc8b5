package lesson

import (
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Card is a scene as it is drawn: data alone, so that a picture of it is a
// function of a Card, a size and a theme.
type Card struct {
	Lesson, Title string
	At, Of        int // the scene, from 0, and how many there are
	Phase         Phase

	Caption  string
	Question string
	Choices  []string
	Picked   int // the user's choice, -1 for none
	Answer   int // the right one

	Do        string
	Goals     []GoalLine
	Hints     []string // those that are shown
	MoreHints int      // those that are not
	Reveal    string

	// Keys is the line at the foot that says what to press; Scroll is how many rows
	// are above the card, for one that is higher than its room. Both are the
	// screen's to set.
	Keys   string
	Scroll int
}

const (
	// twoColumns is the inner width from which on a card has what was asked on the
	// left and what is done on the right.
	twoColumns = 96
	gutter     = 3
	// column is how wide a column gets at most: longer lines are hard to read.
	column = 84
)

// Height is how many rows a card wants at a width, with its border.
func (c *Card) Height(th theme.Theme, w int) int {
	in := c.inner(w)
	return max(c.rows(&th, in), 1) + 2
}

func (c *Card) inner(w int) int { return max(w-4, 1) }

// rows is the height of all blocks without dropping any.
func (c *Card) rows(th *theme.Theme, w int) int {
	if left, right, two := columns(w); two {
		return max(c.column(chart.Region{}, th, left, leftBlocks(), 0), c.column(chart.Region{}, th, right, rightBlocks(), 0))
	}
	return c.column(chart.Region{}, th, min(w, column), allBlocks(), 0)
}

func columns(w int) (left, right int, two bool) {
	if w < twoColumns {
		return 0, 0, false
	}
	w = min(w, 2*column+gutter)
	left = (w - gutter) / 2
	return left, w - gutter - left, true
}

// Draw draws the card over all of g. What does not fit is left out from the least
// important part on: what was said before the user was asked to act goes first.
func (c *Card) Draw(g chart.Region, th theme.Theme) {
	if g.Empty() {
		return
	}
	g.Fill(' ', chart.Style{})
	title := c.Lesson
	if c.Title != "" {
		title += ": " + c.Title
	}
	place := ""
	if c.Of > 0 {
		place = "scene " + strconv.Itoa(c.At+1) + " of " + strconv.Itoa(c.Of)
	}
	in := g.Box(th, chart.Box{Title: title, Right: place, Foot: c.Keys, Focused: true})
	if g.W() >= 8 && g.H() >= 3 {
		in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	}
	w, h := in.Size()
	if w < 1 || h < 1 {
		return
	}
	if left, right, two := columns(w); two {
		c.fit(in.Sub(chart.Rect{W: left, H: h}), &th, leftBlocks())
		c.fit(in.Sub(chart.Rect{X: left + gutter, W: right, H: h}), &th, rightBlocks())
		return
	}
	c.fit(in.Sub(chart.Rect{W: min(w, column), H: h}), &th, allBlocks())
}

// block is a part of a card.
type block uint8

const (
	captionBlock block = iota
	questionBlock
	doBlock
	goalsBlock
	hintsBlock
	revealBlock
	blocks
)

// blockSet is a set of blocks.
type blockSet uint8

func (s blockSet) has(b block) bool { return s>>b&1 != 0 }

func allBlocks() blockSet   { return 1<<blocks - 1 }
func leftBlocks() blockSet  { return 1<<captionBlock | 1<<questionBlock }
func rightBlocks() blockSet { return allBlocks() &^ leftBlocks() }

// dropped lists the blocks in the order in which they go where there is no room.
func (c *Card) dropped() []block {
	switch c.Phase {
	case Asking:
		return []block{captionBlock}
	case Doing:
		return []block{captionBlock, questionBlock, hintsBlock}
	}
	return []block{doBlock, captionBlock, goalsBlock, questionBlock}
}

// fit draws the blocks for which there is room.
func (c *Card) fit(g chart.Region, th *theme.Theme, set blockSet) {
	w, h := g.Size()
	scroll := max(c.Scroll, 0)
	if scroll == 0 {
		set = c.fitting(th, w, h, set)
	}
	rows := c.column(chart.Region{}, th, w, set, 0)
	scroll = min(scroll, max(rows-h, 0))
	c.column(g, th, w, set, -scroll)
	if rows-scroll > h {
		g.Set(w-1, h-1, th.Glyphs.Ellipsis, th.Dim)
	}
}

// fitting is the set without what there is no room for. What went early may come
// back where a large block that went later has left room.
func (c *Card) fitting(th *theme.Theme, w, h int, set blockSet) blockSet {
	var gone []block
	for _, b := range c.dropped() {
		if c.column(chart.Region{}, th, w, set, 0) <= h {
			break
		}
		if set.has(b) {
			gone = append(gone, b)
			set &^= 1 << b
		}
	}
	for i := len(gone) - 1; i >= 0; i-- {
		if with := set | 1<<gone[i]; c.column(chart.Region{}, th, w, with, 0) <= h {
			set = with
		}
	}
	return set
}

// column draws blocks below each other from row y, a blank row between two, and
// returns the row after the last. The zero Region only measures.
func (c *Card) column(g chart.Region, th *theme.Theme, w int, set blockSet, y int) int {
	start := y
	for b := range blocks {
		if !set.has(b) {
			continue
		}
		at := y
		if y > start {
			at++
		}
		if end := c.block(g, th, w, b, at); end > at {
			y = end
		}
	}
	return y
}

// block draws one block from row y and returns the row after it: y itself for one
// that is empty.
func (c *Card) block(g chart.Region, th *theme.Theme, w int, b block, y int) int {
	switch b {
	case captionBlock:
		return wrap(g, 0, y, w, c.Caption, th.Text)
	case questionBlock:
		return c.question(g, th, w, y)
	case doBlock:
		if c.Do == "" || c.Phase == Asking {
			return y
		}
		g.Set(0, y, th.Glyphs.Pointer, th.Accent)
		return wrap(g, 2, y, w, c.Do, th.Accent)
	case goalsBlock:
		for i := range c.Goals {
			y = c.Goals[i].draw(g, th, w, y)
		}
		return y
	case hintsBlock:
		for _, h := range c.Hints {
			x := min(6, w)
			g.Text(0, y, "hint:", th.Dim)
			y = wrap(g, x, y, w, h, th.Dim)
		}
		return y
	case revealBlock:
		return wrap(g, 0, y, w, c.Reveal, th.Text)
	}
	return y
}

// question draws the question and its choices, or, once it is answered, what was
// picked and, when all is told, whether that was right.
func (c *Card) question(g chart.Region, th *theme.Theme, w, y int) int {
	if c.Question == "" {
		return y
	}
	y = wrap(g, 0, y, w, c.Question, th.Title)
	if c.Phase == Asking {
		for i, choice := range c.Choices {
			g.Text(1, y, strconv.Itoa(i+1), th.Key)
			y = wrap(g, 4, y, w, choice, th.Text)
		}
		return y
	}
	said := func(label, choice string, mark rune, s chart.Style) {
		if mark != 0 {
			g.Set(1, y, mark, s)
		}
		x := g.Text(4, y, label, th.Dim)
		y = wrapFrom(g, 4, x+1, y, w, choice, s)
	}
	if c.Picked >= 0 && c.Picked < len(c.Choices) {
		mark, style := rune(0), th.Text
		if c.Phase == Told {
			if mark, style = th.Glyphs.OK, th.Good; c.Picked != c.Answer {
				mark, style = th.Glyphs.Fail, th.Bad.Without(theme.Bold)
			}
		}
		said("you said:", c.Choices[c.Picked], mark, style)
	}
	if c.Phase == Told && c.Picked != c.Answer && c.Answer >= 0 && c.Answer < len(c.Choices) {
		said("it is:", c.Choices[c.Answer], th.Glyphs.OK, th.Good)
	}
	return y
}

// draw draws a goal's line: its mark, what it is about, the live value and what
// that must be.
func (l *GoalLine) draw(g chart.Region, th *theme.Theme, w, y int) int {
	mark, style := th.Glyphs.Bullet, th.Dim
	switch l.State {
	case True:
		mark, style = th.Glyphs.OK, th.Good
	case False:
		style = th.Text
	}
	g.Set(1, y, mark, style)
	if l.Demand == "" {
		return wrap(g, 4, y, w, l.Label, style)
	}
	value := l.Value
	x := g.Text(4, y, l.Label, th.Text)
	if room := w - x - 1; chart.Width(value)+chart.Width(l.Demand)+3 > room && x > 4 { // on a row of its own
		y++
		x = 4
	}
	x = max(x+1, min(30, w-chart.Width(value)-chart.Width(l.Demand)-3))
	x = g.Text(x, y, value, style)
	g.Text(x+2, y, l.Demand, th.Dim)
	return y + 1
}

// wrap writes text over rows from column x up to column w, broken at blanks and
// line breaks, and returns the row after it: y itself for an empty text.
func wrap(g chart.Region, x, y, w int, text string, s chart.Style) int {
	return wrapFrom(g, x, x, y, w, text, s)
}

// wrapFrom is wrap with the first row begun at column at.
func wrapFrom(g chart.Region, x, at, y, w int, text string, s chart.Style) int {
	if text == "" {
		return y
	}
	for text != "" {
		i := strings.IndexAny(text, " \n")
		word, end := text, byte(0)
		if i >= 0 {
			word, end, text = text[:i], text[i], text[i+1:]
		} else {
			text = ""
		}
		if n := chart.Width(word); at > x && at+n > w {
			at, y = x, y+1
		}
		at = g.Text(at, y, word, s) + 1
		if end == '\n' {
			at, y = x, y+1
		}
	}
	return y + 1
}
