package control

import (
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
	text := "opening " + l.What
	if done, label := l.Told(); !math.IsNaN(done) {
		full := int(done * float64(cells))
		text += " " + strings.Repeat(string(th.Glyphs.Shade[4]), full) + strings.Repeat(string(th.Glyphs.Shade[1]), cells-full) + " " + label
	}
	return text
}

type (
	// OpenedMsg says that what was opened beside the screen is there, or could not be.
	OpenedMsg struct {
		serial int
		take   func() tea.Cmd
	}
	// LoadingMsg is the time to show how far a Loading is.
	LoadingMsg struct{ of *Loading }
)

// loadingEvery is how often the screen shows how far a Loading is.
const loadingEvery = 50 * time.Millisecond

// Fetch opens something beside the screen, such as a target, and does what open returns
// unless something else was to be opened since.
func (d *Desk) Fetch(what string, open func(at *Loading) (take func() tea.Cmd)) tea.Cmd {
	at := &Loading{What: what}
	d.Abandon()
	d.Loading = at
	serial := d.Fetches
	return tea.Batch(func() tea.Msg { return OpenedMsg{serial, open(at)} }, d.OnLoading(LoadingMsg{at}))
}

// Fetched handles the end of a Fetch.
func (d *Desk) Fetched(msg OpenedMsg) tea.Cmd {
	if msg.serial != d.Fetches {
		return nil
	}
	d.Loading, d.Dirty = nil, true
	return msg.take()
}

// Abandon has what is being opened come too late.
func (d *Desk) Abandon() {
	d.Fetches++
	d.Loading, d.Dirty = nil, true
}

// OnLoading has a Loading that is under way shown, and waits for the next time.
func (d *Desk) OnLoading(msg LoadingMsg) tea.Cmd {
	if d.Loading != msg.of {
		return nil
	}
	d.Dirty = true
	return tea.Tick(loadingEvery, func(time.Time) tea.Msg { return msg })
}
