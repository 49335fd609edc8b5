package lesson

import (
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// A stand is the room that a lesson's card has on the screen.
type stand struct {
	*scene
	// The newest frame has this card, with room rows for it and the view, of which it wants rows, and these keys.
	shown      card
	room, rows int
	keys       []control.Hint
}

// CardSize is how much of the screen a lesson's card takes.
type CardSize uint8

// The sizes.
const (
	// Beside; Folded while something is to be done that followed a question, and the view needs the room
	Natural CardSize = iota
	Beside           // at most half, with the view above it
	Whole            // all that it needs
	Folded           // the task in a line and the goals below it
)

// size is how much of the screen the card takes now.
func (p *stand) size() CardSize {
	switch {
	case p.Card != Natural:
		return p.Card
	case p.Run.Phase() == lesson.Doing && p.Run.Scene().Question != "" && !p.Screen.Compact() &&
		p.room-min(p.rows, p.most(Beside)) < roomy:
		return Folded
	}
	return Beside
}

const (
	roomy = 14 // the fewest rows of a view in which a target is seen well
	// least is the fewest rows that a view keeps beside a card, if there are as many. The whole card
	// leaves it as many or none.
	least = 7
	// scrollRows is how many rows a key scrolls a card.
	scrollRows = 4
)

// most is how many rows the card can have in a size, of those that it shares with the view.
func (p *stand) most(size CardSize) int {
	switch {
	case size == Folded && p.Screen.Compact():
		return 0
	case size == Folded:
		return p.shown.foldedRows(&p.Theme, p.Screen.Width)
	case size == Whole || p.Screen.Compact():
		return p.room
	}
	return min(max(p.Screen.Height/2, 3), max(p.room-least, 0))
}

// slot is the card's place among so many rows. On a screen too small for charts it lies over all but the footer.
func (p *stand) slot(room int) control.Slot {
	if p.room = room; !p.Playing {
		return control.Slot{}
	}
	compact := p.Screen.Compact()
	if !compact {
		p.rows = p.shown.height(&p.Theme, p.Screen.Width)
	}
	size := p.size()
	most := p.most(size)
	switch {
	case compact && size == Folded:
		return control.Slot{}
	case compact:
		return control.Slot{At: control.Over}
	case size == Whole && p.room-min(p.rows, most) < least:
		return control.Slot{At: control.Below, Rows: p.room}
	case size == Beside:
		most = p.shown.filled(&p.Theme, p.Screen.Width, most)
	}
	return control.Slot{At: control.Below, Rows: min(p.rows, most)}
}

// grows reports whether the card has more to say than fits beside the view, and can have more room.
func (p *stand) grows() bool {
	return p.size() == Beside && !p.Screen.Compact() && min(p.rows, p.most(Whole)) > p.most(Beside)
}

// bare reports whether the card has no room for an edge, so that its keys are the footer's.
func (p *stand) bare() bool {
	return !p.Screen.Compact() && (p.size() == Folded || p.most(p.size()) < 2)
}

// resize goes to the next size of the card that makes a difference.
func (p *stand) resize() {
	p.scroll = 0
	switch {
	case p.size() == Folded:
		p.Card = Beside
	case p.grows():
		p.Card = Whole
	default:
		p.Card = Folded
	}
}

// unseen is how many of the card's rows its place has no room for.
func (p *stand) unseen() int {
	if most := p.most(p.size()); most > 0 {
		return max(p.rows-most, 0)
	}
	return 0
}

// scrollBy scrolls the card by so many rows, and reports whether it moves. Where it rests it is at
// its end if rows are left out before what is in sight, else at its beginning.
func (p *stand) scrollBy(by int) bool {
	before, below, rest := p.scroll, p.unseen(), 0
	if p.shown.skipped > 0 {
		rest = below
	}
	from := rest
	if p.scroll > 0 {
		from = p.scroll - 1
	}
	if p.scroll = min(max(from+by, 0), below) + 1; p.scroll == rest+1 {
		p.scroll = 0
	}
	return p.scroll != before
}
