package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// CastOptions are what a Cast says of itself. The zero value is good.
type CastOptions struct {
	Title string
	// Env are the variables of the terminal that players show, such as TERM.
	Env map[string]string
	// Ink and Ground are the colours of text and background that have none of their own; unset they are the player's.
	Ink, Ground theme.Color
}

const (
	castFPS   = 15      // the most frames that are recorded in a second
	castBytes = 100_000 // the most bytes in a second, beside what one frame takes beyond it
)

// Cast records frames as an asciicast of version 2 (docs.asciinema.org): a header, then one event a line, [seconds,
// kind, data]. Kinds are "o" for what goes to the terminal, the whole screen at first and later what differs from the
// frame before; and "r" for its size.
//
// A goroutine of its own writes. It takes the newest frame whenever the caps allow another one, so that a slow disk or
// a busy screen costs frames and not time. Each line is written by one call and is whole on the disk: whatever ends the
// program, a player reads all that came before. The first error ends the recording.
type Cast struct {
	out   io.Writer
	o     CastOptions
	start time.Time

	mu      sync.Mutex
	next    *castFrame // the newest frame that is not yet written
	closing bool
	err     error

	wake chan struct{} // something waits to be written
	quit chan struct{} // nothing more will
	done chan struct{}
}

type castFrame struct {
	grid *Grid
	at   time.Duration
}

// NewCast begins a cast of a screen of w×h cells. If out can be truncated, as a file can, half a line that a full disk
// has left is taken back. If it can be closed, it is when the cast ends.
func NewCast(out io.Writer, w, h int, o CastOptions) *Cast {
	c := &Cast{out: out, o: o, start: time.Now(), wake: make(chan struct{}, 1), quit: make(chan struct{}),
		done: make(chan struct{})}
	go c.run(max(w, 1), max(h, 1))
	return c
}

// Frame offers a frame. It never waits: of frames that come faster than they can be written, the newest is.
func (c *Cast) Frame(g *Grid) {
	if g.W < 1 || g.H < 1 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing || c.err != nil {
		return
	}
	c.next = &castFrame{g, time.Since(c.start)}
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Close writes the newest frame and ends the cast. It returns the first error.
func (c *Cast) Close() error {
	c.mu.Lock()
	if !c.closing {
		c.closing = true
		close(c.quit)
	}
	c.mu.Unlock()
	return c.Wait()
}

// Wait waits until the cast has ended, closed or by an error, which it returns.
func (c *Cast) Wait() error {
	<-c.done
	return c.err
}

// take is the frame that waits to be written, nil for none.
func (c *Cast) take() *castFrame {
	c.mu.Lock()
	defer c.mu.Unlock()
	f := c.next
	c.next = nil
	return f
}

func (c *Cast) run(w, h int) {
	defer close(c.done)
	t := &tape{out: c.out, w: w, h: h}
	t.header(c.start, &c.o)
	for open := true; open && t.err == nil; {
		select {
		case <-c.wake:
		case <-c.quit:
			open = false
		}
		n := 0
		if f := c.take(); f != nil {
			n = t.frame(f)
		}
		if n > 0 && open && t.err == nil {
			c.rest(n)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.err = t.err
	c.next = nil
	if out, ok := c.out.(io.Closer); ok {
		if err := out.Close(); c.err == nil {
			c.err = err
		}
	}
}

// rest waits until another frame may be written after one of n bytes. It does not hold up Close.
func (c *Cast) rest(n int) {
	d := max(time.Second/castFPS, time.Duration(n)*time.Second/castBytes)
	select {
	case <-time.After(d):
	case <-c.quit:
	}
}

// tape writes the lines of a cast.
type tape struct {
	out  io.Writer
	size int64 // of the lines that are whole
	err  error

	w, h int
	last *Grid // the screen at the end of the tape; nil before the first frame
	at   time.Duration
	data []byte
}

// header writes the first line.
func (t *tape) header(start time.Time, o *CastOptions) {
	type colors struct {
		FG      string `json:"fg"`
		BG      string `json:"bg"`
		Palette string `json:"palette"`
	}
	head := struct {
		Version   int               `json:"version"`
		Width     int               `json:"width"`
		Height    int               `json:"height"`
		Timestamp int64             `json:"timestamp"`
		Title     string            `json:"title,omitempty"`
		Env       map[string]string `json:"env,omitempty"`
		Theme     *colors           `json:"theme,omitempty"`
	}{Version: 2, Width: t.w, Height: t.h, Timestamp: start.Unix(), Title: o.Title, Env: o.Env}
	if o.Ink.IsSet() && o.Ground.IsSet() {
		var palette [16]string
		for i := range palette {
			palette[i] = hex(theme.FromColor(ansi.IndexedColor(uint8(i))))
		}
		head.Theme = &colors{hex(o.Ink), hex(o.Ground), strings.Join(palette[:], ":")}
	}
	t.line(head)
}

// frame writes what differs from the screen at the end of the tape, and returns how many bytes that took.
func (t *tape) frame(f *castFrame) int {
	before := t.size
	g := f.grid
	t.data = t.data[:0]
	if t.last == nil || g.W != t.w || g.H != t.h {
		if g.W != t.w || g.H != t.h {
			t.event(f.at, "r", fmt.Appendf(nil, "%dx%d", g.W, g.H))
		}
		t.w, t.h, t.last = g.W, g.H, newGrid(g.W, g.H)
		t.data = append(t.data, "\x1b[?25l\x1b[m\x1b[2J"...)
	}
	t.data = g.appendChanges(t.data, t.last)
	if len(t.data) > 0 {
		t.event(f.at, "o", t.data)
	}
	t.last = g
	return int(t.size - before)
}

// event writes a line. Time does not go back.
func (t *tape) event(at time.Duration, kind string, data []byte) {
	t.at = max(t.at, at)
	t.line([]any{json.Number(strconv.FormatFloat(t.at.Seconds(), 'f', 3, 64)), kind, string(data)})
}

// line writes a value as JSON on a line, by one call.
func (t *tape) line(v any) {
	if t.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("record: " + err.Error()) // what a cast holds can be written
	}
	n, err := t.out.Write(b.Bytes())
	if err == nil && n < b.Len() {
		err = io.ErrShortWrite
	}
	if err != nil {
		t.err = err
		if f, ok := t.out.(interface{ Truncate(size int64) error }); ok && n > 0 {
			_ = f.Truncate(t.size) // the first error is the one to tell
		}
		return
	}
	t.size += int64(b.Len())
}

// nearCells is how many cells that are the same between two that differ are
// written again rather than jumped over: a jump takes about as many bytes.
const nearCells = 8

// appendChanges writes what makes a terminal that shows old show g: cursor positions, styles and characters. The grids
// have the same size. The terminal's style is plain before and after.
func (g *Grid) appendChanges(out []byte, old *Grid) []byte {
	for y := range g.H {
		row, was := g.Cells[y*g.W:][:g.W], old.Cells[y*g.W:][:g.W]
		for x := 0; x < g.W; {
			if row[x] == was[x] {
				x++
				continue
			}
			// A wide character is written, or erased, as a whole.
			for x > 0 && (row[x].Text == "" || was[x].Text == "") {
				x--
			}
			end := differs(row, was, x)
			out = appendRun(out, row[x:end], x, y)
			x = end
		}
	}
	return out
}

// differs is where a stretch of cells that begins at x ends: before a wide gap of
// cells that are the same, and not within a wide character.
func differs(row, was []Cell, x int) int {
	end, same := x+1, 0
	for i := x + 1; i < len(row) && same < nearCells; i++ {
		if row[i] == was[i] && row[i].Text != "" && was[i].Text != "" {
			same++
			continue
		}
		end, same = i+1, 0
	}
	return end
}

// appendRun writes cells from a place on.
func appendRun(out []byte, row []Cell, x, y int) []byte {
	out = fmt.Appendf(out, "\x1b[%d;%dH", y+1, x+1)
	var style theme.Style
	for _, c := range row {
		if c.Text == "" {
			continue
		}
		if c.Style != style {
			out = plane.AppendSGR(out, style, c.Style)
			style = c.Style
		}
		out = append(out, c.Text...)
	}
	if style != (theme.Style{}) {
		out = append(out, "\x1b[m"...)
	}
	return out
}
