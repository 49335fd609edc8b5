package ptytest

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// A Display is what a terminal shows of what is written to it, and the record of all that it has shown since a test
// last typed, or saw something. A notice stands for some seconds, and a test on a busy machine may look later: it looks
// in the record.
type Display struct {
	t    testing.TB
	emu  *vt.Emulator
	over <-chan struct{} // nothing more will be written
	mu   sync.Mutex
	raw  []byte // all that was written
	show bool   // the cursor is visible
	// drawing says that a frame has begun and not ended, and resized where in raw the
	// terminal got its size: before the program has drawn all anew, there is nothing to see.
	drawing bool
	resized int
	// frames are the record, oldest first: each differs from the one before. The first is frame number `first` of all.
	frames []string
	first  int
	// came is called at the end of each frame, until it reports that what a test waits for
	// is there; nil where no test waits.
	came func() bool
}

// NewDisplay makes a display of w×h cells to which nothing is written any more once over is closed.
func NewDisplay(t testing.TB, w, h int, over <-chan struct{}) *Display {
	d := &Display{t: t, emu: vt.NewEmulator(w, h), over: over, show: true}
	// It says where frames begin and end, once it says that it can.
	d.emu.WriteString(ansi.ResetModeSynchronizedOutput)
	d.emu.SetCallbacks(vt.Callbacks{
		CursorVisibility: func(v bool) { d.show = v },
		EnableMode:       func(m ansi.Mode) { d.drawing = d.drawing || m == ansi.ModeSynchronizedOutput },
		DisableMode: func(m ansi.Mode) {
			if m == ansi.ModeSynchronizedOutput {
				d.drawing = false
				d.shown()
			}
		},
	})
	return d
}

// Write shows what a program writes.
func (d *Display) Write(b []byte) (int, error) {
	d.write(b, b)
	return len(b), nil
}

// write shows a part of what was written, of which the rest comes with the next.
func (d *Display) write(raw, part []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.raw = append(d.raw, raw...)
	d.emu.Write(part)
	d.shown()
}

// shown records what is shown where that is a whole frame, and asks whether what a test waits for is there. The lock
// is held.
func (d *Display) shown() {
	if d.drawing {
		return
	}
	if d.resized > 0 {
		if !bytes.Contains(d.raw[d.resized:], []byte(ansi.EraseEntireScreen)) {
			return
		}
		d.resized = 0
	}
	if s := d.emu.String(); len(d.frames) == 0 || s != d.frames[len(d.frames)-1] {
		d.frames = append(d.frames, s)
	}
	if d.came != nil && d.came() {
		d.came = nil
	}
}

// from drops the frames before a number.
func (d *Display) from(n int) {
	d.frames, d.first = slices.Clone(d.frames[max(n-d.first, 0):]), max(n, d.first)
}

// Typed begins the record anew, with the frame that stands: what a test sees next is no older.
func (d *Display) Typed() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.from(d.first + len(d.frames) - 1)
}

// Read reads what the terminal answers to the program's questions.
func (d *Display) Read(b []byte) (int, error) { return d.emu.Read(b) }

// Close ends the answers.
func (d *Display) Close() error { return d.emu.InputPipe().(io.Closer).Close() }

// Screen is what the terminal shows.
func (d *Display) Screen() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.emu.String()
}

// Raw is all that was written.
func (d *Display) Raw() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.raw)
}

// Forget drops all that was written and shown before.
func (d *Display) Forget() {
	d.Typed()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.raw = nil
}

// Sized gives the display another size. What is seen next was drawn for it, if all is to be drawn anew.
func (d *Display) Sized(w, h int, anew bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.emu.Resize(w, h)
	if anew {
		d.resized = len(d.raw)
	}
	d.from(d.first + len(d.frames))
}

// See waits until a frame of the record holds every text, which may go on in the next row, and returns the first that
// does. What is seen next is no older. What is not there for longer than a frame is seen, however busy the machine is.
func (d *Display) See(texts ...string) string {
	d.t.Helper()
	return d.SeeIn(func(frame string) string { return frame }, texts...)
}

// SeeAtFoot waits until the last rows of a frame hold a text.
func (d *Display) SeeAtFoot(rows int, text string) {
	d.t.Helper()
	d.SeeIn(func(frame string) string {
		lines := strings.Split(frame, "\n")
		return strings.Join(lines[max(len(lines)-rows, 0):], "\n")
	}, text)
}

// SeeIn is See of a part of each frame.
func (d *Display) SeeIn(part func(frame string) string, texts ...string) (seen string) {
	d.t.Helper()
	return d.Until(func(frame string) string {
		s := part(frame)
		for _, text := range texts {
			if !strings.Contains(s, text) && !strings.Contains(strings.ReplaceAll(s, "\n", ""), text) {
				return fmt.Sprintf("does not show %q", text)
			}
		}
		return ""
	})
}

// Miss waits until a frame does not hold a text. What is seen next is no older.
func (d *Display) Miss(text string) {
	d.t.Helper()
	d.Until(func(frame string) string {
		if strings.Contains(frame, text) {
			return fmt.Sprintf("still shows %q", text)
		}
		return ""
	})
}

// Until waits until nothing is wrong with a frame of the record, and returns it.
func (d *Display) Until(wrong func(frame string) string) (seen string) {
	d.t.Helper()
	why, came, next := "", make(chan struct{}), 0
	d.mu.Lock()
	d.came = func() bool {
		for next = max(next, d.first); next < d.first+len(d.frames); next++ {
			seen = d.frames[next-d.first]
			if why = wrong(seen); why == "" {
				d.from(next)
				close(came)
				return true
			}
		}
		return false
	}
	d.shown()
	d.mu.Unlock()
	select {
	case <-came:
		return seen
	case <-d.over:
	case <-time.After(Patience):
	}
	select {
	case <-came:
	default:
		d.mu.Lock()
		defer d.mu.Unlock()
		d.came = nil
		d.t.Fatalf("the screen %s:\n%s", cmp.Or(why, "was not drawn to its end"), d.emu.String())
	}
	return seen
}
