package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// progress draws a bar on one line of a terminal, ten times a second, until it
// is stopped.
type progress struct {
	w     io.Writer
	width func() int
	look  func() (done float64, label string)
	// timed is false where the label says itself what time is left.
	timed bool
	quit  chan struct{}
	ended chan struct{}
}

const progressEvery = 100 * time.Millisecond

// startProgress starts a bar if w is a terminal that can show one. look says
// how much is done, from 0 to 1 or NaN where nobody knows.
func startProgress(w io.Writer, look func() (done float64, label string)) *progress {
	if !isTerminal(w) {
		return nil
	}
	p := &progress{w: w, look: look, timed: true, quit: make(chan struct{}), ended: make(chan struct{}), width: func() int { return terminalWidth(w) }}
	go p.run()
	return p
}

// roomForBar is what a short bar and its percentage take beside a label.
const roomForBar = 18

// startCells is startProgress for a label that says itself what time is left, and
// where there is no bar it writes a line every so often.
func startCells(w io.Writer, every time.Duration, look func() (done float64, label string)) *progress {
	p := &progress{w: w, look: look, quit: make(chan struct{}), ended: make(chan struct{}), width: func() int { return terminalWidth(w) }}
	if isTerminal(w) {
		go p.run()
	} else {
		go p.lines(every)
	}
	return p
}

// lines writes a line every so often.
func (p *progress) lines(every time.Duration) {
	defer close(p.ended)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-p.quit:
			return
		case <-tick.C:
			_, label := p.look()
			_, _ = fmt.Fprintln(p.w, label) // a broken standard error leaves nobody to tell
		}
	}
}

func (p *progress) run() {
	defer close(p.ended)
	start := time.Now()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-p.quit:
			_, _ = io.WriteString(p.w, "\r\x1b[K") // a terminal that is gone needs no clearing
			return
		case <-tick.C:
			done, label := p.look()
			width := p.width() - 1
			if !p.timed { // what such a label ends with is the least of it
				label = ansi.Truncate(label, max(width-roomForBar, 0), "…")
			}
			_, _ = io.WriteString(p.w, "\r"+barLine(done, label, p.elapsed(start), width)+"\x1b[K")
		}
	}
}

// elapsed is the time since the start, or nothing where the label says it.
func (p *progress) elapsed(start time.Time) time.Duration {
	if !p.timed {
		return 0
	}
	return time.Since(start)
}

// stop clears the line. A nil progress has none.
func (p *progress) stop() {
	if p != nil {
		close(p.quit)
		<-p.ended
	}
}

// barLine is a bar, the label and the time left, no wider than width.
func barLine(done float64, label string, elapsed time.Duration, width int) string {
	tail := label
	if done >= 0 && done <= 1 {
		tail = fmt.Sprintf("%3.0f%%  %s", 100*done, label)
		if done > 0.01 && elapsed > progressEvery {
			left := time.Duration(float64(elapsed) * (1 - done) / done)
			tail += "  " + left.Round(time.Second).String() + " left"
		}
		if n := min(width-lipgloss.Width(tail)-1, 30); n >= 5 {
			full := int(done * float64(n))
			tail = strings.Repeat("█", full) + strings.Repeat("░", n-full) + " " + tail
		}
	}
	return ansi.Truncate(tail, max(width, 0), "")
}

type descriptor interface{ Fd() uintptr }

// isTerminal reports whether w is a terminal that moves its cursor.
func isTerminal(w any) bool {
	f, ok := w.(descriptor)
	return ok && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

func terminalWidth(w any) int {
	if f, ok := w.(descriptor); ok {
		if width, _, err := term.GetSize(f.Fd()); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
