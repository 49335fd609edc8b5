// Package pixels shows images on terminals with Kitty's graphics protocol.
//
// An image is sent once, with a virtual placement. Its cells show Unicode placeholders: U+10EEEE, a mark for the row
// and one for the column, in a colour that is the image's number. To a renderer of cells that is text like any other.
// See https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders
//
// Only terminals whose own name says that they know placeholders are asked, since others
// know the protocol without them and show boxes. An image shows once the terminal has said
// that it has it; until then, and for ever where no answer comes, its cells are text.
package pixels

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/kitty"

	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

const (
	// mostCells is the number of rows and of columns for which there are marks.
	mostCells = 297
	// mostHeld is how many images the terminal holds at a time.
	mostHeld = 64
	// cellWidth is the most pixels that are sent for the width of a cell. The terminal
	// magnifies the image where its cells are larger.
	cellWidth = 12
	// settle is how long an image is asked for before it is sent, so that none is sent of what passes by.
	settle = 200 * time.Millisecond
	// again is the time after which what has no answer is sent anew in tmux, which drops what is passed through while
	// it redraws or shows another window. It doubles each time, up to seldom.
	again  = 2 * time.Second
	seldom = time.Minute
)

// Terminal is what is known of a terminal, and the images that it holds.
type Terminal struct {
	out  io.Writer
	size func() (w, h int) // of a cell in pixels, 0 where it is unknown
	mux  bool              // the environment says that tmux is between

	// wire is held while something is written, for as long as the terminal takes it. Whoever
	// needs mu too takes wire first and gives mu back before it writes, since a frame needs mu.
	wire sync.Mutex
	left bool // the terminal is the shell's; guarded by wire

	mu              sync.Mutex
	tmux            bool // what is for the terminal goes through tmux
	named, answered bool // the terminal knows placeholders; it has answered the query
	colours         bool // 24 bits
	cellW, cellH    int
	first, next     int // the numbers of images are first+1 to first+255
	held            []*held
	probed          chan struct{} // closed when named and answered
}

// held is an image that the terminal is to have.
type held struct {
	key   any
	w, h  int
	draw  func(w, h int) image.Image
	id    int
	shown bool          // the terminal has said that it has it
	asked bool          // in the present frame
	sent  bool          // guarded by Terminal.wire
	done  chan struct{} // closed when it was answered or is not needed
}

var _ plane.Images = (*Terminal)(nil)

// New is a terminal that out writes to. Its cells have the size in pixels that size returns.
// Getenv reads the environment.
func New(out io.Writer, size func() (w, h int), getenv func(string) string) *Terminal {
	return &Terminal{
		out: out, size: size, mux: getenv("TMUX") != "", probed: make(chan struct{}),
		// In a terminal that several programs share through tmux the numbers must differ.
		first: (os.Getpid()&0xffff | 1) << 8,
	}
}

// query asks whether the protocol is known, by a pixel that is not kept. The answer has the
// number first, which no image has.
func (t *Terminal) query() string {
	return ansi.KittyGraphics([]byte("AAAA"), fmt.Sprintf("i=%d", t.first), "s=1", "v=1", "a=q", "t=d", "f=24")
}

// knowsPlaceholders reports whether a terminal's name is that of one with placeholders.
func knowsPlaceholders(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "kitty") || strings.Contains(name, "ghostty")
}

// Update takes what the terminal answers, its version first, and reports whether images have
// come or can come, so that a new frame differs.
func (t *Terminal) Update(msg tea.Msg) (changed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch msg := msg.(type) {
	case tea.ColorProfileMsg:
		t.colours = msg.Profile == colorprofile.TrueColor
		return true
	case tea.WindowSizeMsg:
		t.measure()
	case tea.TerminalVersionMsg:
		switch {
		case knowsPlaceholders(msg.Name):
			t.named = true
			go t.deliver(t.query(), t.probed, nil)
		case t.mux && strings.HasPrefix(msg.Name, "tmux"):
			// TN is the outer terminal's name for terminfo.
			t.tmux = true
			go t.deliver(ansi.XTGETTCAP("TN")+t.query(), t.probed, nil)
		}
	case tea.CapabilityMsg:
		if name, ok := strings.CutPrefix(msg.Content, "TN="); ok && knowsPlaceholders(name) {
			t.named = true
			t.known()
			return true
		}
	case uv.KittyGraphicsEvent:
		return t.answer(msg.Options.ID, string(msg.Payload) == "OK")
	}
	return false
}

// answer takes the terminal's word on an image.
func (t *Terminal) answer(id int, ok bool) (changed bool) {
	if id == t.first && ok && !t.answered {
		t.answered = true
		t.known()
		t.measure()
		return true
	}
	for _, i := range t.held {
		if i.id == id {
			finish(i.done)
			changed = i.shown != ok
			i.shown = ok
		}
	}
	return changed
}

// known ends the questions to the terminal when it has answered them.
func (t *Terminal) known() {
	if t.named && t.answered {
		finish(t.probed)
	}
}

func (t *Terminal) measure() {
	w, h := t.size()
	if w < 1 || h < 1 {
		w, h = 0, 0
	}
	t.cellW, t.cellH = w, h
}

// pixels are those of an image of w×h cells, in the proportions that it has on the terminal,
// since that would else leave a margin.
func (t *Terminal) pixels(w, h int) (int, int) {
	k := (t.cellW + cellWidth - 1) / cellWidth
	return max(w*t.cellW/k, 1), max(h*t.cellH/k, 1)
}

// finish ends a wait for an answer. The caller holds mu.
func finish(done chan struct{}) {
	select {
	case <-done:
	default:
		close(done)
	}
}

// Show implements plane.Images.
func (t *Terminal) Show(key any, w, h int, draw func(w, h int) image.Image) plane.Color {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.named || !t.answered || !t.colours || t.cellW == 0 || max(w, h) > mostCells {
		return 0
	}
	for _, i := range t.held {
		if i.w == w && i.h == h && i.key == key {
			i.asked = true
			if i.shown {
				return theme.RGB(uint8(i.id>>16), uint8(i.id>>8), uint8(i.id))
			}
			return 0
		}
	}
	if len(t.held) < mostHeld {
		t.next = t.next%255 + 1
		i := &held{key: key, w: w, h: h, draw: draw, id: t.first + t.next, asked: true}
		t.held = append(t.held, i)
		t.send(i)
	}
	return 0
}

// send sends an image once it has settled.
func (t *Terminal) send(i *held) {
	i.done = make(chan struct{})
	done := i.done
	w, h := t.pixels(i.w, i.h)
	go func() {
		select {
		case <-done:
			return
		case <-time.After(settle):
		}
		var out bytes.Buffer
		var err error
		if caught.In("an image", func() { err = encode(&out, i, i.draw(w, h)) }) == nil && err == nil {
			t.deliver(out.String(), done, i)
		}
	}()
}

// encode writes an image with its virtual placement.
func encode(out io.Writer, i *held, m image.Image) error {
	return kitty.EncodeGraphics(out, m, &kitty.Options{
		Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.PNG,
		ID: i.id, Columns: i.w, Rows: i.h, VirtualPlacement: true, Chunk: true,
	})
}

// deliver writes sequences: once, and in tmux until they are done. They are those of an image unless that is nil.
func (t *Terminal) deliver(sequences string, done <-chan struct{}, of *held) {
	for wait := again; ; wait = min(2*wait, seldom) {
		t.mu.Lock()
		tmux := t.tmux
		t.mu.Unlock()
		t.wire.Lock()
		select {
		case <-done:
			t.wire.Unlock()
			return
		default:
		}
		if !t.left {
			io.WriteString(t.out, through(sequences, tmux))
			if of != nil {
				of.sent = true
			}
		}
		t.wire.Unlock()
		if !tmux {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(wait):
		}
	}
}

// through wraps each of several sequences for tmux, if that is between.
func through(sequences string, tmux bool) string {
	if !tmux {
		return sequences
	}
	const end = "\x1b\\"
	var b strings.Builder
	for part := range strings.SplitAfterSeq(sequences, end) {
		if part != "" {
			b.WriteString(ansi.TmuxPassthrough(part))
		}
	}
	return b.String()
}

// forget deletes an image from the terminal. The caller holds wire.
func (t *Terminal) forget(i *held, tmux bool) {
	if i.sent && !t.left {
		io.WriteString(t.out, through(ansi.KittyGraphics(nil, "a=d", "d=I", fmt.Sprintf("i=%d", i.id), "q=2"), tmux))
	}
	i.sent = false
}

// AppendPiece implements plane.Images.
func (t *Terminal) AppendPiece(out []byte, x, y int) []byte {
	out = utf8.AppendRune(out, kitty.Placeholder)
	return utf8.AppendRune(utf8.AppendRune(out, kitty.Diacritic(y)), kitty.Diacritic(x))
}

// Framed implements plane.Images: it deletes the images that were not asked for.
func (t *Terminal) Framed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, i := range t.held {
		if i.asked {
			i.asked = false
			t.held[n] = i
			n++
			continue
		}
		finish(i.done)
		go func(tmux bool) { // a frame does not wait for the terminal
			t.wire.Lock()
			defer t.wire.Unlock()
			t.forget(i, tmux)
		}(t.tmux)
	}
	clear(t.held[n:])
	t.held = t.held[:n]
}

// Pass writes b, which the screen has to say, to the terminal. Before the screen leaves the
// terminal to the shell its images are deleted; after it has come back, and after it has
// cleared the terminal, which in some deletes them, they are sent anew.
func (t *Terminal) Pass(b []byte) (int, error) {
	leave, enter := bytes.LastIndex(b, []byte(ansi.ResetModeAltScreenSaveCursor)),
		bytes.LastIndex(b, []byte(ansi.SetModeAltScreenSaveCursor))
	lost := enter >= 0 || bytes.Contains(b, []byte(ansi.EraseEntireScreen))
	t.wire.Lock()
	defer t.wire.Unlock()
	if leave > enter {
		t.mu.Lock()
		held, tmux := slices.Clone(t.held), t.tmux
		t.mu.Unlock()
		for _, i := range held {
			t.forget(i, tmux)
		}
	}
	n, err := t.out.Write(b)
	if max(leave, enter) >= 0 {
		t.left = leave > enter
	}
	if lost && !t.left {
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, i := range t.held {
			finish(i.done)
			t.send(i)
		}
	}
	return n, err
}
