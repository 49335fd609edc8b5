package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A curtain is what the terminal shows while the target is opened, before the screen has a
// session. It goes up only where that takes long. A nil curtain shows nothing.
type curtain struct {
	mu    sync.Mutex
	w     io.Writer
	timer *time.Timer
	up    bool
	ended bool
}

// curtainAfter is how long opening a target may take before the curtain goes up: shorter than
// a person notices. It is at once for one that reads images.
func curtainAfter(target string) time.Duration {
	if targets.ReadsImages(target) {
		return 0
	}
	return 30 * time.Millisecond
}

// The control sequences of a terminal: another screen, blank and without a cursor, and back.
const (
	curtainUp   = "\x1b[?1049h\x1b[?25l\x1b[2J"
	curtainDown = "\x1b[?25h\x1b[?1049l"
)

// raise shows after a time that something is being opened, if there will be a screen.
func (e *env) raise(f screenFlags, what string, after time.Duration) *curtain {
	if f.plain || !isTerminal(e.out.w) {
		return nil
	}
	width, height := terminalSize(e.out.w)
	e.curtain = newCurtain(e.out.w, what, width, height, after)
	return e.curtain
}

// newCurtain is a curtain of a size that goes up after a time.
func newCurtain(w io.Writer, what string, width, height int, after time.Duration) *curtain {
	c := &curtain{w: w}
	text := plane.FitTitle("opening "+what, max(width-2, 1))
	at := fmt.Sprintf("\x1b[1;2Hpsgld-tui\x1b[%d;%dH%s", max((height+1)/2, 2), max((width-plane.Width(text))/2, 0)+1, text)
	c.timer = time.AfterFunc(after, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.ended {
			c.up = true
			io.WriteString(c.w, curtainUp+at)
		}
	})
	return c
}

// end says that nothing more is to be shown, and whether the curtain was up.
func (c *curtain) end() bool {
	if c == nil {
		return false
	}
	c.timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	up := c.up && !c.ended
	c.ended = true
	return up
}

// drop takes the curtain away, if it has not been drawn yet.
func (c *curtain) drop() {
	if c.end() {
		io.WriteString(c.w, curtainDown)
	}
}

// draw leaves the terminal to the screen, which draws over the curtain and ends what it began.
func (c *curtain) draw() { c.end() }
