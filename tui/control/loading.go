package control

import (
	"cmp"
	"math"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Loading is something that is opened beside the screen.
type Loading = loading.Loading

// Opening says what is opened, with a bar of so many cells where it is known how far it is.
func Opening(l *Loading, th *theme.Theme, cells int) string {
	text := cmp.Or(l.Does, "opening") + " " + l.What
	if done, label := l.Told(); !math.IsNaN(done) {
		full := int(done * float64(cells))
		text += " " + strings.Repeat(string(th.Glyphs.Shade[4]), full) +
			strings.Repeat(string(th.Glyphs.Shade[1]), cells-full) + " " + label
	} else if label != "" {
		text += ": " + label
	}
	return text
}

// OpenedMsg says that what was opened beside the screen is there, or could not be.
type OpenedMsg struct {
	serial int
	take   func() tea.Cmd
}

// loadingEvery is how often the screen shows how far a Loading is.
const loadingEvery = 50 * time.Millisecond

// Fetch opens something beside the screen, such as a target, and then does what open returns,
// unless there was another Fetch meanwhile.
func (d *Desk) Fetch(what string, open func(at *Loading) (take func() tea.Cmd)) tea.Cmd {
	at := &Loading{What: what}
	d.Abandon()
	d.Loading = at
	serial := d.Fetches
	var wait func() tea.Cmd // shows at while it is under way
	wait = func() tea.Cmd {
		if d.Loading != at {
			return nil
		}
		d.Screen.Dirty = true
		return After(loadingEvery, wait)
	}
	return tea.Batch(func() tea.Msg { return OpenedMsg{serial, open(at)} }, wait())
}

// Fetched handles the end of a Fetch.
func (d *Desk) Fetched(msg OpenedMsg) tea.Cmd {
	if msg.serial != d.Fetches {
		return nil
	}
	d.Loading, d.Screen.Dirty = nil, true
	return msg.take()
}

// Abandon gives up what is being opened: nothing is done when it comes.
func (d *Desk) Abandon() {
	if d.Loading != nil {
		d.Loading.Quit()
	}
	d.Fetches++
	d.Loading, d.Screen.Dirty = nil, true
}
