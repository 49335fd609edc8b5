package console

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

const progressEvery = 100 * time.Millisecond

// StartProgress draws a bar on one line if w is a terminal that can show one, ten times a
// second until stop is called. look says how much is done, from 0 to 1 or NaN where nobody
// knows. lines is how often w gets the label as a line where it is no terminal, 0 for never. A
// label that has lines says the time left itself, and is cut at its end where there is no room.
func StartProgress(w io.Writer, lines time.Duration, look func() (done float64, label string)) (stop func()) {
	switch {
	case IsTerminal(w):
	case lines == 0:
		return func() {}
	default:
		return repeat(lines, func() {
			_, label := look()
			_, _ = fmt.Fprintln(w, printable.Line(label)) // a broken standard error leaves nobody to tell
		})
	}
	start := time.Now()
	end := repeat(progressEvery, func() {
		elapsed := time.Since(start)
		width := columns(w) - 1 // for the cursor
		done, label := look()
		if lines > 0 {
			label, elapsed = ansi.Truncate(label, max(width-roomForBar, 0), "…"), 0
		}
		_, _ = io.WriteString(w, "\r"+BarLine(done, label, elapsed, width)+"\x1b[K") // nor does a terminal that is gone
	})
	return func() {
		end()
		_, _ = io.WriteString(w, "\r\x1b[K")
	}
}

// roomForBar is what a short bar and its percentage take beside a label.
const roomForBar = 18

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

// BarLine is a bar, the label and the time left, no wider than width.
func BarLine(done float64, label string, elapsed time.Duration, width int) string {
	label = printable.Line(label)
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

// IsTerminal reports whether w is a terminal that moves its cursor.
func IsTerminal(w any) bool {
	f, ok := w.(descriptor)
	return ok && term.IsTerminal(f.Fd()) && os.Getenv("TERM") != "dumb"
}

// columns is the width of a terminal, 80 where that is not known, and 0 of anything else.
func columns(w any) int {
	if !IsTerminal(w) {
		return 0
	}
	if width, _, err := term.GetSize(w.(descriptor).Fd()); err == nil && width > 0 {
		return width
	}
	return 80
}
