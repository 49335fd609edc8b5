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

const progressEvery = 100 * time.Millisecond

// startProgress draws a bar on one line if w is a terminal that can show one, ten times a
// second until stop is called. look says how much is done, from 0 to 1 or NaN where nobody
// knows.
func startProgress(w io.Writer, look func() (done float64, label string)) (stop func()) {
	if !isTerminal(w) {
		return func() {}
	}
	start := time.Now()
	return drawBar(w, func(width int) string {
		done, label := look()
		return barLine(done, label, time.Since(start), width)
	})
}

// roomForBar is what a short bar and its percentage take beside a label.
const roomForBar = 18

// startCells is startProgress for a label that says itself what time is left, and
// where there is no bar it writes a line every so often.
func startCells(w io.Writer, every time.Duration, look func() (done float64, label string)) (stop func()) {
	if !isTerminal(w) {
		return repeat(every, func() {
			_, label := look()
			_, _ = fmt.Fprintln(w, label) // a broken standard error leaves nobody to tell
		})
	}
	return drawBar(w, func(width int) string {
		done, label := look()
		label = ansi.Truncate(label, max(width-roomForBar, 0), "…") // what it ends with is the least of it
		return barLine(done, label, 0, width)
	})
}

// drawBar writes a line over and over, and clears it at the end. A terminal that is gone
// needs none.
func drawBar(w io.Writer, line func(width int) string) (stop func()) {
	end := repeat(progressEvery, func() { _, _ = io.WriteString(w, "\r"+line(terminalWidth(w)-1)+"\x1b[K") })
	return func() {
		end()
		_, _ = io.WriteString(w, "\r\x1b[K")
	}
}

// repeat does something every so often until stop is called, which waits for the last.
func repeat(every time.Duration, do func()) (stop func()) {
	quit, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-quit:
				return
			case <-tick.C:
				do()
			}
		}
	}()
	return func() {
		close(quit)
		<-ended
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
