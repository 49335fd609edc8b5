package lesson

import (
	"strconv"

	"github.com/psgld/psgld-tui/tui/plane"
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
	Hot      int // the choice under the mouse, counted from 1; 0 for none
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
	c = c.spelled(&th)
	in := c.inner(w)
	return max(c.rows(&th, in), 1) + 2
}

func (c *Card) inner(w int) int { return max(w-4, 1) }

// rows is the height of all blocks without dropping any.
func (c *Card) rows(th *theme.Theme, w int) int {
	if left, right, two := columns(w); two {
		return max(c.column(plane.Region{}, th, left, leftBlocks(), 0), c.column(plane.Region{}, th, right, rightBlocks(), 0))
	}
	return c.column(plane.Region{}, th, min(w, column), allBlocks(), 0)
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
func (c *Card) Draw(g plane.Region, th theme.Theme) {
	if g.Empty() {
		return
	}
	c = c.spelled(&th)
	g.Fill(' ', plane.Style{})
	title := c.Lesson
	if c.Title != "" {
		title += ": " + c.Title
	}
	place := ""
	if c.Of > 0 {
		place = "scene " + strconv.Itoa(c.At+1) + " of " + strconv.Itoa(c.Of)
	}
	g.Box(th, plane.Box{Title: title, Right: place, Foot: c.Keys, Focused: true})
	for _, s := range c.stacks(&th, g.W(), g.H()) {
		in := g.Sub(s.at)
		c.column(in, &th, s.at.W, s.set, -s.scroll)
		if s.more {
			in.Set(s.at.W-1, s.at.H-1, th.Glyphs.Ellipsis, th.Dim)
		}
	}
}

// A stack is the blocks of one column, and where it is on a card.
type stack struct {
	at     plane.Rect
	set    blockSet
	scroll int  // rows above it
	more   bool // rows below it
}

// stacks are the columns of a card of w columns and h rows.
func (c *Card) stacks(th *theme.Theme, w, h int) []stack {
	in := plane.Rect{W: w, H: h}
	if w >= 2 && h >= 2 {
		in = in.Pad(1, 1, 1, 1) // the border
	}
	if w >= 8 && h >= 3 {
		in = in.Pad(0, 1, 0, 1)
	}
	if in.W < 1 || in.H < 1 {
		return nil
	}
	if left, right, two := columns(in.W); two {
		return []stack{
			c.fit(th, plane.Rect{X: in.X, Y: in.Y, W: left, H: in.H}, leftBlocks()),
			c.fit(th, plane.Rect{X: in.X + left + gutter, Y: in.Y, W: right, H: in.H}, rightBlocks()),
		}
	}
	return []stack{c.fit(th, plane.Rect{X: in.X, Y: in.Y, W: min(in.W, column), H: in.H}, allBlocks())}
}

// Choice is the choice, counted from 1, at column x and row y of the card as Draw
// draws it over w columns and h rows; 0 for none.
func (c *Card) Choice(th theme.Theme, w, h, x, y int) int {
	if c.Phase != Asking || c.Question == "" {
		return 0
	}
	c = c.spelled(&th)
	for _, s := range c.stacks(&th, w, h) {
		if !s.set.has(questionBlock) || !s.at.Contains(x, y) {
			continue
		}
		y -= s.at.Y - s.scroll
		at := c.column(plane.Region{}, &th, s.at.W, s.set&(1<<questionBlock-1), 0)
		if at > 0 {
			at++
		}
		at = wrap(plane.Region{}, 0, at, s.at.W, c.Question, th.Title)
		for i, choice := range c.Choices {
			end := wrap(plane.Region{}, choiceIndent, at, s.at.W, choice, th.Text)
			if at <= y && y < end {
				return i + 1
			}
			at = end
		}
	}
	return 0
}

// choiceIndent is the column in which choices begin, after their numbers.
const choiceIndent = 4

// block is a part of a card.
type block uint8

const (
	captionBlock block = iota
	questionBlock
	saidBlock
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
func leftBlocks() blockSet  { return 1<<captionBlock | 1<<questionBlock | 1<<saidBlock }
func rightBlocks() blockSet { return allBlocks() &^ leftBlocks() }

// dropped lists the blocks in the order in which they go where there is no room.
func (c *Card) dropped() []block {
	switch c.Phase {
	case Asking:
		return []block{captionBlock}
	case Doing:
		return []block{captionBlock, questionBlock, saidBlock, hintsBlock}
	}
	return []block{doBlock, captionBlock, goalsBlock, questionBlock, saidBlock}
}

// fit is the stack of the blocks of a set for which there is room.
func (c *Card) fit(th *theme.Theme, at plane.Rect, set blockSet) stack {
	scroll := max(c.Scroll, 0)
	if scroll == 0 {
		set = c.fitting(th, at.W, at.H, set)
	}
	rows := c.column(plane.Region{}, th, at.W, set, 0)
	scroll = min(scroll, max(rows-at.H, 0))
	return stack{at: at, set: set, scroll: scroll, more: rows-scroll > at.H}
}

// fitting is the set without what there is no room for. What went early may come
// back where a large block that went later has left room.
func (c *Card) fitting(th *theme.Theme, w, h int, set blockSet) blockSet {
	var gone []block
	for _, b := range c.dropped() {
		if c.column(plane.Region{}, th, w, set, 0) <= h {
			break
		}
		if set.has(b) {
			gone = append(gone, b)
			set &^= 1 << b
		}
	}
	for i := len(gone) - 1; i >= 0; i-- {
		if gone[i] == questionBlock && c.Phase != Asking && !set.has(saidBlock) {
			continue // of a question alone nobody has anything
		}
		if with := set | 1<<gone[i]; c.column(plane.Region{}, th, w, with, 0) <= h {
			set = with
		}
	}
	return set
}

// column draws blocks below each other from row y, a blank row between two but for
// a question and what was said to it, and returns the row after the last. The zero Region only measures.
func (c *Card) column(g plane.Region, th *theme.Theme, w int, set blockSet, y int) int {
	start := y
	for b := range blocks {
		if !set.has(b) {
			continue
		}
		at := y
		if y > start && (b != saidBlock || !set.has(questionBlock)) {
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
func (c *Card) block(g plane.Region, th *theme.Theme, w int, b block, y int) int {
	switch b {
	case captionBlock:
		return wrap(g, 0, y, w, c.Caption, th.Text)
	case questionBlock:
		return c.question(g, th, w, y)
	case saidBlock:
		return c.said(g, th, w, y)
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

// question draws the question and, until it is answered, its choices.
func (c *Card) question(g plane.Region, th *theme.Theme, w, y int) int {
	if c.Question == "" {
		return y
	}
	y = wrap(g, 0, y, w, c.Question, th.Title)
	if c.Phase != Asking {
		return y
	}
	for i, choice := range c.Choices {
		style, key := th.Text, th.Key
		if c.Hot == i+1 {
			style, key = th.Highlight, th.Highlight
			end := wrap(plane.Region{}, choiceIndent, y, w, choice, style)
			g.Sub(plane.Rect{Y: y, W: w, H: end - y}).Fill(' ', style)
		}
		g.Text(1, y, strconv.Itoa(i+1), key)
		y = wrap(g, choiceIndent, y, w, choice, style)
	}
	return y
}

// said draws what was picked, whether that was right, and if not what is.
func (c *Card) said(g plane.Region, th *theme.Theme, w, y int) int {
	if c.Question == "" || c.Phase == Asking {
		return y
	}
	said := func(label, choice string, mark rune, s plane.Style) {
		g.Set(1, y, mark, s)
		x := g.Text(4, y, label, th.Dim)
		y = wrapFrom(g, 4, x+1, y, w, choice, s)
	}
	if c.Picked >= 0 && c.Picked < len(c.Choices) {
		mark, style := th.Glyphs.OK, th.Good
		if c.Picked != c.Answer {
			mark, style = th.Glyphs.Fail, th.Bad.Without(theme.Bold)
		}
		said("you said:", c.Choices[c.Picked], mark, style)
	}
	if c.Picked != c.Answer && c.Answer >= 0 && c.Answer < len(c.Choices) {
		said("it is:", c.Choices[c.Answer], th.Glyphs.OK, th.Good)
	}
	return y
}

// draw draws a goal's line: its mark, what it is about, the live value and what
// that must be.
func (l *GoalLine) draw(g plane.Region, th *theme.Theme, w, y int) int {
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
	if room := w - x - 1; plane.Width(value)+plane.Width(l.Demand)+3 > room && x > 4 { // on a row of its own
		y++
		x = 4
	}
	x = max(x+1, min(30, w-plane.Width(value)-plane.Width(l.Demand)-3))
	x = g.Text(x, y, value, style)
	g.Text(x+2, y, l.Demand, th.Dim)
	return y + 1
}
