package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A card is a scene as it is drawn: data alone, so that a picture of it is a function of a card, a size and a theme.
type card struct {
	lesson.Card
	// keys is the line at the foot that says what to press.
	keys string
	// scroll is one more than how many rows are above the card, for one that is higher than its room. At 0 it rests:
	// what is new is in sight, and skipped is how many rows are left out before it.
	scroll, skipped int
	hot             int // the choice under the mouse, counted from 1; 0 for none

	// laid is what lay has set for a width. What it is set from does not change any more.
	laid []stack
	wide int
}

const (
	// twoColumns is the inner width from which on a card has what was asked on the
	// left and what is done on the right, and while it asks the question there.
	twoColumns = 96
	gutter     = 3
	// column is how wide a column gets at most: longer lines are hard to read.
	column = 84
	// leastTitle is the fewest columns of a title beside what is left out.
	leastTitle = 14
	// choiceIndent is the column in which choices begin, after their numbers.
	choiceIndent = 4
)

// height is how many rows a card wants at a width, with its border.
func (c *card) height(th *theme.Theme, w int) int {
	return c.filled(th, w, math.MaxInt)
}

// filled is how many of h rows, its border among them, the card fills at a width: what has no room leaves none behind.
func (c *card) filled(th *theme.Theme, w, h int) int {
	most := 1
	for _, s := range c.lay(th, max(w-4, 1)) {
		rows, _ := c.shown(s, c.scroll, h-2)
		most = max(most, len(rows))
	}
	return min(most+2, h)
}

// A stack is one column of a card: where it is in the card's inside, and its blocks.
type stack struct {
	x, w   int
	set    blockSet
	blocks blockRows
}

// lay sets the card in columns for an inside of a width.
func (c *card) lay(th *theme.Theme, w int) []stack {
	if c.laid != nil && c.wide == w {
		return c.laid
	}
	c.wide = w
	if w < twoColumns {
		c.laid = []stack{{w: min(w, column), set: allBlocks}}
	} else {
		w = min(w, 2*column+gutter) - gutter
		left := leftBlocks
		if c.Phase == lesson.Asking && c.Caption != "" {
			left = 1 << captionBlock
		}
		c.laid = []stack{{w: w / 2, set: left}, {x: w/2 + gutter, w: w - w/2, set: allBlocks &^ left}}
	}
	for i := range c.laid {
		s := &c.laid[i]
		s.blocks = c.blocks(th, s.w)
	}
	return c.laid
}

// draw draws the card over all of g. What does not fit is left out from the least important part on: what was said
// before the user was asked to act goes first. Each choice is a zone that answers.
func (c *card) draw(g plane.Region, th *theme.Theme) {
	if g.Empty() {
		return
	}
	g.Fill(' ', plane.Style{})
	title := c.Lesson
	if c.Title != "" {
		title += ": " + c.Title
	}
	place := ""
	if c.Of > 0 {
		place = "scene " + strconv.Itoa(c.At+1) + " of " + strconv.Itoa(c.Of)
	}
	in := g.Bounds()
	if in.W >= 2 && in.H >= 2 {
		in = in.Pad(1, 1, 1, 1) // the border
	}
	if g.W() >= 8 && g.H() >= 3 {
		in = in.Pad(0, 1, 0, 1)
	}
	above := 0 // rows that are left out
	c.skipped = 0
	for _, s := range c.lay(th, max(in.W, 1)) {
		_, n := c.shown(s, c.scroll, in.H)
		above = max(above, n)
		_, n = c.shown(s, 0, in.H)
		c.skipped = max(c.skipped, n)
	}
	if above > 0 {
		text := fmt.Sprintf("%d more %s above, %s", above, plane.Plural(above, "line", "lines"), place)
		text = strings.TrimSuffix(text, ", ")
		if room := g.W() - 8 - plane.Width(text); room >= leastTitle {
			if place = text; plane.Width(g.Spell(title)) > room { // half a title says nothing
				title = c.Lesson
			}
			title = plane.FitTitle(g.Spell(title), room)
		}
	}
	g.Box(*th, plane.Box{Title: title, Right: place, Foot: c.keys, Focused: true})
	if in.W < 1 || in.H < 1 {
		return
	}
	for _, s := range c.lay(th, in.W) {
		rows, _ := c.shown(s, c.scroll, in.H)
		to := g.Sub(plane.Rect{X: in.X + s.x, Y: in.Y, W: s.w, H: in.H})
		for y := range rows[:min(len(rows), in.H)] {
			c.row(to.Row(y), th, &rows[y])
		}
		if len(rows) > in.H {
			to.Set(s.w-1, in.H-1, th.Glyphs.Ellipsis, th.Dim)
		}
	}
}

// shown are the rows of a stack for h of them and those that follow, and how many are left out before these.
func (c *card) shown(s stack, scroll, h int) (rows []row, above int) {
	all := s.blocks.rows(s.set)
	if scroll > 0 {
		above = min(scroll-1, max(len(all)-max(h, 0), 0))
		return all[above:], above
	}
	set := c.fitting(s.blocks, h, s.set)
	if rows = s.blocks.rows(set); c.Phase == lesson.Revealed && !set.has(doBlock) { // it is done
		all = s.blocks.rows(s.set &^ (1 << doBlock))
	}
	return rows, len(all) - len(rows)
}

// goalRows is how many rows of the folded card goals get at most.
const goalRows = 3

// foldedRows is how many rows the folded card has at a width: one for the task, and as
// many more as the goals that are not met need.
func (c *card) foldedRows(th *theme.Theme, w int) int {
	if len(c.Goals) == 0 {
		return 1
	}
	l, _ := c.goalsInLine(th, false)
	_, used := l.Place(w-goalInset, goalRows, goalGap)
	return 1 + used
}

const (
	goalInset = 4 // columns of the folded card beside its goals
	goalGap   = 3 // columns between two goals
)

// goalsInLine are the goals beside each other, with those that are met or without them, and how many are met. Where
// there is no room the met ones go first, then the counts that do not run yet.
func (c *card) goalsInLine(th *theme.Theme, met bool) (l pane.Line, done int) {
	t := text{th: th}
	for i := range c.Goals {
		g := &c.Goals[i]
		mark, style := goalMark(th, g)
		rank := i
		switch {
		case g.State == lesson.True:
			done++
			if !met {
				continue
			}
			rank += 2 * len(c.Goals)
		case g.Waits():
			rank += len(c.Goals)
		}
		p := l.Add(rank, t.spell(string(mark)+" "+g.Label), style, style, t.spell(strings.TrimSpace(g.Value+"  "+g.Aim())))
		if g.Least != "" { // as wide as it gets
			p.Least = plane.Width(p.Label) + len(" ") + plane.Width(g.Least+"  "+g.Aim())
		}
	}
	return l, done
}

// drawFolded writes the first sentence of what is to be done, or the question or the title, and the goals side by side.
// Where they have no room together those that are met are left out, and it says how many are met and how many open.
func (c *card) drawFolded(g plane.Region, th *theme.Theme) {
	g.Fill(' ', plane.Style{})
	in := g.Sub(plane.Rect{X: 3, Y: 1, W: g.W() - goalInset, H: g.H() - 1})
	goals, done := c.goalsInLine(th, true)
	count := ""
	if row, _ := goals.Place(in.W(), in.H(), goalGap); slices.Contains(row, -1) {
		count = fmt.Sprintf("  %d met, %d open", done, len(c.Goals)-done)
		if done < len(c.Goals) {
			goals, _ = c.goalsInLine(th, false)
		}
	}
	task := c.Title
	switch {
	case c.Phase == lesson.Asking && c.Question != "":
		task = c.Question
	case c.Phase == lesson.Doing:
		task = c.task(g.W() - 4 - len(count))
	}
	g.Set(1, 0, th.Glyphs.Pointer, th.Accent)
	end := g.TextFit(3, 0, g.W()-4-len(count), *th, strings.TrimSuffix(task, "."), th.Accent)
	if place := count + "  scene " + strconv.Itoa(c.At+1) + " of " + strconv.Itoa(c.Of); c.Of > 0 && end+len(place) < g.W() {
		count = place
	}
	g.TextRight(g.W()-1, 0, count, th.Dim)
	if g.H() > 1 {
		goals.Draw(in, goalGap)
	}
}

// task is what is to be done, or as much of it as is whole in so many columns: all of it, its
// first sentence, or that up to a colon.
func (c *card) task(w int) (task string) {
	task = c.Do
	for _, end := range []string{". ", ": "} {
		if plane.Width(task) <= w {
			break
		}
		task, _, _ = strings.Cut(task, end)
	}
	return task
}

// goalMark is a goal's mark, and the style of its value.
func goalMark(th *theme.Theme, l *lesson.GoalLine) (rune, plane.Style) {
	switch l.State {
	case lesson.True:
		return th.Glyphs.OK, th.Good
	case lesson.False:
		return th.Glyphs.Bullet, th.Text
	}
	return th.Glyphs.Bullet, th.Dim
}

func (c *card) row(g plane.Region, th *theme.Theme, r *row) {
	hot := r.choice > 0 && r.choice == c.hot
	if r.choice > 0 {
		key := strconv.Itoa(r.choice)
		g.Zone(plane.Zone{ID: choiceZone + key, Click: plane.Call(answerName + key)})
	}
	if hot {
		g.Fill(' ', th.Highlight)
	}
	for _, s := range r.spans {
		if hot {
			s.style = th.Highlight
		}
		g.Text(s.x, 0, s.text, s.style)
	}
}

// A row is a line of a card.
type row struct {
	spans  []span
	choice int // the one that it belongs to, counted from 1; 0 for none
}

// A span is text from a column on.
type span struct {
	x     int
	text  string
	style plane.Style
}

// A block is a part of a card.
type block uint8

const (
	captionBlock block = iota
	questionBlock
	predictedBlock
	doBlock
	goalsBlock
	hintsBlock
	verdictBlock // with the outcome, and not before
	revealBlock
	numBlocks
)

// A blockSet is a set of blocks.
type blockSet uint8

const (
	allBlocks  blockSet = 1<<numBlocks - 1
	leftBlocks blockSet = 1<<captionBlock | 1<<questionBlock | 1<<predictedBlock
)

func (s blockSet) has(b block) bool { return s>>b&1 != 0 }

// dropped lists the blocks in the order in which they go where there is no room.
func (c *card) dropped() []block {
	switch c.Phase {
	case lesson.Asking:
		return []block{captionBlock}
	case lesson.Doing:
		return []block{captionBlock, questionBlock, predictedBlock, hintsBlock}
	}
	return []block{doBlock, captionBlock, goalsBlock, questionBlock, verdictBlock}
}

// fitting is the set without what h rows have no room for. What went early may come
// back where a large block that went later has left room.
func (c *card) fitting(blocks blockRows, h int, set blockSet) blockSet {
	var gone []block
	for _, b := range c.dropped() {
		if len(blocks.rows(set)) <= h {
			break
		}
		if set.has(b) {
			gone = append(gone, b)
			set &^= 1 << b
		}
	}
	for i := len(gone) - 1; i >= 0; i-- {
		if gone[i] == questionBlock && !set.has(predictedBlock) && !set.has(verdictBlock) {
			continue // a question without an answer says nothing
		}
		if with := set | 1<<gone[i]; len(blocks.rows(with)) <= h {
			set = with
		}
	}
	return set
}

// blockRows are the rows of each block.
type blockRows [numBlocks][]row

// rows are those of a set of blocks below each other. A blank row parts two, but for those that belong together.
func (b blockRows) rows(set blockSet) (all []row) {
	last := numBlocks
	for k, rows := range b {
		if !set.has(block(k)) || len(rows) == 0 {
			continue
		}
		now := block(k)
		together := last == questionBlock && (now == predictedBlock || now == verdictBlock) || last == verdictBlock
		if len(all) > 0 && !together {
			all = append(all, row{})
		}
		all, last = append(all, rows...), now
	}
	return all
}

// blocks breaks all blocks into rows of a width.
func (c *card) blocks(th *theme.Theme, w int) (b blockRows) {
	t := text{th, w}
	asking := c.Phase == lesson.Asking
	b[captionBlock] = t.wrap(0, c.Caption, th.Text)
	b[revealBlock] = t.wrap(0, c.Reveal, th.Text)
	b[questionBlock] = t.wrap(0, c.Question, th.Title)
	for i, choice := range c.Choices {
		if !asking || c.Question == "" {
			break
		}
		style := th.Text
		if i == c.Picked { // it waits until the question is closed
			style = th.Accent
		}
		rows := t.wrap(choiceIndent, choice, style, span{1, strconv.Itoa(i + 1), th.Key})
		for k := range rows {
			rows[k].choice = i + 1
		}
		b[questionBlock] = append(b[questionBlock], rows...)
	}
	if !asking {
		b[doBlock] = t.wrap(2, c.Do, th.Accent, span{0, string(th.Glyphs.Pointer), th.Accent})
	}
	switch {
	case asking || c.Question == "":
	case c.Phase == lesson.Doing:
		b[predictedBlock] = c.said(&t, "your prediction:", c.Picked, th.Glyphs.Bullet, th.Text)
	case c.Picked == c.Answer:
		b[verdictBlock] = c.said(&t, "as you predicted:", c.Answer, th.Glyphs.OK, th.Good)
	default:
		b[verdictBlock] = append(
			c.said(&t, "you predicted:", c.Picked, th.Glyphs.Fail, th.Bad.Without(theme.Bold)),
			c.said(&t, "the answer:", c.Answer, th.Glyphs.OK, th.Good)...)
	}
	for i := range c.Goals {
		b[goalsBlock] = append(b[goalsBlock], goal(&t, &c.Goals[i])...)
	}
	for _, h := range c.Hints {
		b[hintsBlock] = append(b[hintsBlock], t.wrap(min(6, w), h, th.Dim, span{0, "hint:", th.Dim})...)
	}
	return b
}

// said is a choice after a mark and a label. There are no rows of no choice.
func (c *card) said(t *text, label string, choice int, mark rune, s plane.Style) []row {
	if choice < 0 || choice >= len(c.Choices) || c.Choices[choice] == "" {
		return nil
	}
	text := strings.ReplaceAll(label, " ", glue) + " " + c.Choices[choice]
	return t.wrap(4, text, s, span{1, string(mark), s}, span{4, label, t.th.Dim})
}

// goal is a goal's line: its mark, what it is about, the live value and what that must be.
func goal(t *text, l *lesson.GoalLine) []row {
	th := t.th
	mark, style := goalMark(th, l)
	if l.Demand == "" {
		return t.wrap(4, l.Label, style, span{1, string(mark), style})
	}
	label, value, demand := t.spell(l.Label), t.spell(l.Value), t.spell(l.Aim())
	rows := []row{{spans: []span{{1, string(mark), style}, {4, label, th.Text}}}}
	x, wide := 4+plane.Width(label), plane.Width(value)+plane.Width(demand)+3
	if wide > t.w-x-1 && x > 4 { // on a row of its own
		rows = append(rows, row{})
		x = 4
	}
	x = max(x+1, min(30, t.w-wide))
	last := &rows[len(rows)-1]
	last.spans = append(last.spans, span{x, value, style}, span{x + plane.Width(value) + 2, demand, th.Dim})
	return rows
}

// A text breaks texts into rows of a width. In ASCII ε is a word, so texts are spelled before they are broken.
type text struct {
	th *theme.Theme
	w  int
}

func (t *text) spell(s string) string {
	if t.th.ASCII {
		return plane.Spell(s)
	}
	return s
}

// wrap breaks the paragraphs of a text into rows from column x on, with a mark before
// the first. There are no rows of an empty text.
func (t *text) wrap(x int, s string, style plane.Style, marks ...span) (rows []row) {
	if s == "" {
		return nil
	}
	for part := range strings.SplitSeq(t.spell(s), "\n") {
		for _, line := range plane.Wrap(glued(part, t.w-x), t.w-x) {
			rows = append(rows, row{spans: []span{{x, strings.ReplaceAll(line, glue, " "), style}}})
		}
	}
	if len(rows) > 0 {
		rows[0].spans = append(rows[0].spans, marks...)
	}
	return rows
}

// glue stands for a blank at which no row ends.
const glue = "\x1f"

// glued puts glue around the signs of a formula such as 1 - ε/2, which is hard to read
// over two rows, as far as it is no wider than room.
func glued(s string, room int) string {
	var b strings.Builder
	wide, sign := 0, false // of what is glued together
	for _, word := range strings.Fields(s) {
		n, is := plane.Width(word), strings.Contains(" - + ± = < > ≤ ≥ ≈ · <= >= +- ", " "+word+" ")
		switch {
		case b.Len() > 0 && (is || sign) && wide+1+n <= room:
			b.WriteString(glue)
			wide += 1 + n
		case b.Len() > 0:
			b.WriteByte(' ')
			fallthrough
		default:
			wide = n
		}
		b.WriteString(word)
		sign = is
	}
	return b.String()
}
