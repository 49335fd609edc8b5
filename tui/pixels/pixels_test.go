package pixels

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	"github.com/psgld/psgld-tui/tui/plane"
)

// desk is a terminal with graphics, and what is known of it.
type desk struct {
	*Terminal
	graphics ptytest.Kitty
	mu       sync.Mutex
	raw      []byte
}

// newDesk is a desk of a terminal with a name, in whose environment TMUX has a value.
func newDesk(name, tmux string) *desk {
	d := new(desk)
	d.graphics.Name = name
	d.Terminal = New(d, func() (int, int) { return 10, 20 }, func(key string) string {
		return map[string]string{"TMUX": tmux}[key]
	})
	d.first = 1 << 8
	var decoder uv.EventDecoder
	d.graphics.Answer = func(s string) {
		for len(s) > 0 {
			n, e := decoder.Decode([]byte(s))
			s = s[n:]
			switch e := e.(type) {
			case uv.TerminalVersionEvent:
				go d.Update(tea.TerminalVersionMsg(e))
			case uv.CapabilityEvent:
				go d.Update(tea.CapabilityMsg(e))
			default:
				go d.Update(e)
			}
		}
	}
	return d
}

// Write implements io.Writer.
func (d *desk) Write(b []byte) (int, error) {
	d.mu.Lock()
	d.raw = append(d.raw, b...)
	d.mu.Unlock()
	return d.graphics.Write(b)
}

// writer is called at every write.
type writer func()

func (w writer) Write(b []byte) (int, error) {
	w()
	return len(b), nil
}

// begin is the program's begin, up to the terminal's last answer.
func (d *desk) begin() {
	d.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
	d.Pass([]byte("\x1b[?1049h\x1b[>q"))
	synctest.Wait()
}

// noise is an image that does not compress.
func noise(w, h int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	r := rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32()) | 0xff*uint8(i%4/3)
	}
	return m
}

// frame shows images with keys in a frame, and returns how many the terminal has.
func (d *desk) frame(keys ...string) (shown int) {
	for _, k := range keys {
		if d.Show(k, 4, 3, noise).IsSet() {
			shown++
		}
	}
	d.Framed()
	return shown
}

func bubble(t *testing.T, name string, f func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, f) })
}

// An image is sent once it has settled, shows when the terminal has it, and is deleted when
// it is not asked for.
func TestImages(t *testing.T) {
	bubble(t, "life", func(t *testing.T) {
		d := newDesk("kitty(0.40.0)", "")
		d.begin()
		for range 3 {
			if n := d.frame("a", "b"); n != 0 {
				t.Errorf("%d images are shown before they are sent", n)
			}
		}
		time.Sleep(2 * settle)
		all, sent := d.graphics.Images()
		d.frame("b", "c")
		if len(all) != 2 || sent != 2 {
			t.Errorf("the terminal holds %d images, of %d", len(all), sent)
		}
		for id, m := range all {
			if m.Cols != 4 || m.Rows != 3 || m.Bounds() != image.Rect(0, 0, 40, 60) || id>>8 != 1 {
				t.Errorf("image %d has %d×%d cells and %v pixels", id, m.Cols, m.Rows, m.Bounds())
			}
		}
		if n := d.frame("b"); n != 1 {
			t.Errorf("%d images are shown", n)
		}
		time.Sleep(2 * settle) // c has passed by
		if all, sent := d.graphics.Images(); len(all) != 1 || sent != 2 {
			t.Errorf("the terminal holds %d images, of %d", len(all), sent)
		}
	})
	bubble(t, "large cells", func(t *testing.T) {
		d := newDesk("kitty(0.40.0)", "")
		d.size = func() (int, int) { return 17, 37 }
		d.begin()
		d.frame("a")
		time.Sleep(2 * settle)
		all, _ := d.graphics.Images()
		for _, m := range all { // half the size
			if m.Bounds() != image.Rect(0, 0, 34, 55) {
				t.Errorf("%v pixels", m.Bounds())
			}
		}
	})
	bubble(t, "cleared", func(t *testing.T) {
		d := newDesk("ghostty 1.2.0", "")
		d.begin()
		d.frame("a")
		time.Sleep(2 * settle)
		d.Pass([]byte("\x1b[H\x1b[2Ja frame"))
		time.Sleep(2 * settle)
		if _, sent := d.graphics.Images(); sent != 2 {
			t.Errorf("sent %d times", sent)
		}
		d.Pass([]byte("\x1b[?1049l"))
		d.frame("a", "b")
		time.Sleep(2 * settle)
		if all, sent := d.graphics.Images(); len(all) != 0 || sent != 2 {
			t.Errorf("the shell's terminal holds %d images, %d were sent", len(all), sent)
		}
		d.Pass([]byte("\x1b[?1049h\x1b[2J"))
		time.Sleep(2 * settle)
		if all, sent := d.graphics.Images(); len(all) != 2 || sent != 4 {
			t.Errorf("then it holds %d, %d were sent", len(all), sent)
		}
	})
	bubble(t, "a terminal that waits", func(t *testing.T) {
		d := newDesk("kitty(0.40.0)", "")
		d.begin()
		d.frame("a")
		time.Sleep(2 * settle)
		synctest.Wait() // what sent the image reads d.out before this
		var writes atomic.Int64
		d.out = writer(func() {
			writes.Add(1)
			if !d.Terminal.mu.TryLock() {
				t.Error("a frame waits for what is written")
				return
			}
			d.Terminal.mu.Unlock()
		})
		d.Pass([]byte("\x1b[H\x1b[2Ja frame"))
		d.Pass([]byte("\x1b[?1049l")) // and a deletion
		d.Pass([]byte("\x1b[?1049h"))
		if n := writes.Load(); n != 4 {
			t.Errorf("%d writes", n)
		}
		time.Sleep(2 * settle)
	})
	bubble(t, "tmux", func(t *testing.T) {
		d := newDesk("tmux 3.4", "/tmp/tmux-0/default,1,0")
		d.begin()
		d.frame("a")
		time.Sleep(2 * settle)
		if all, _ := d.graphics.Images(); len(all) != 1 || d.frame("a") != 1 {
			t.Errorf("the terminal behind tmux holds %d images", len(all))
		}
		d.Pass([]byte("\x1b[?1049l"))
		if all, _ := d.graphics.Images(); len(all) != 0 {
			t.Errorf("%d images are left", len(all))
		}
	})
	bubble(t, "tmux drops", func(t *testing.T) {
		d := newDesk("tmux 3.4", "/tmp/tmux-0/default,1,0")
		d.begin()
		d.graphics.Deaf.Store(true)
		d.frame("a")
		time.Sleep(again + settle/2)
		d.graphics.Deaf.Store(false)
		time.Sleep(again)
		if d.frame("a") != 1 {
			t.Error("what tmux dropped is not sent again")
		}
		d.graphics.Deaf.Store(true)
		d.frame("b") // the last one of a paused session
		time.Sleep(12 * again)
		d.graphics.Deaf.Store(false)
		time.Sleep(6 * again)
		if d.frame("b") != 1 {
			t.Error("what tmux dropped for long is not sent again")
		}
	})
	for _, lost := range []string{"+r544e", "_G"} {
		bubble(t, "an answer of two is lost: "+lost, func(t *testing.T) {
			d := newDesk("tmux 3.4", "/tmp/tmux-0/default,1,0")
			answer := d.graphics.Answer
			d.graphics.Answer = func(s string) {
				if strings.Contains(s, lost) {
					lost = "none"
					return
				}
				answer(s)
			}
			d.begin()
			time.Sleep(again + settle)
			d.frame("a")
			time.Sleep(2 * settle)
			if d.frame("a") != 1 {
				t.Error("the terminal is not asked again")
			}
			d.frame()
		})
	}
}

// Terminals without the protocol, without placeholders, without colours, or of unknown cells
// are sent no image, and asked as little as may be.
func TestWithoutImages(t *testing.T) {
	for name, c := range map[string]struct {
		terminal, tmux string
		asked          int // graphics commands
		change         func(*desk)
	}{
		"no name":      {"", "", 0, nil},
		"another":      {"WezTerm 20240203", "", 0, nil},
		"others' tmux": {"tmux 3.4", "", 0, nil},
		"closed tmux":  {"tmux 3.4", "/tmp/tmux-0/default,1,0", 4, func(d *desk) { d.graphics.Deaf.Store(true) }},
		"few colours": {"kitty(0.40.0)", "", 1, func(d *desk) {
			d.Update(tea.ColorProfileMsg{Profile: colorprofile.ANSI256})
		}},
		"cells":   {"kitty(0.40.0)", "", 1, func(d *desk) { d.size = func() (int, int) { return 0, 0 } }},
		"refused": {"kitty(0.40.0)", "", 1, func(d *desk) { d.graphics.Name = "kitty"; d.Update(tea.WindowSizeMsg{}) }},
	} {
		bubble(t, name, func(t *testing.T) {
			d := newDesk(c.terminal, c.tmux)
			if c.change != nil {
				d.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
				c.change(d)
			}
			if name == "refused" {
				answer := d.graphics.Answer
				d.graphics.Answer = func(s string) { answer(strings.Replace(s, "OK", "ENOTSUPPORTED:off", 1)) }
			}
			d.Pass([]byte("\x1b[?1049h\x1b[>q"))
			if c.change == nil {
				d.Update(tea.ColorProfileMsg{Profile: colorprofile.TrueColor})
			}
			for range 10 {
				d.frame("a")
				time.Sleep(again)
			}
			synctest.Wait() // the last write of raw is before this
			_, sent := d.graphics.Images()
			if sent > 0 || bytes.Count(d.raw, []byte("_G")) != c.asked || d.frame("a") > 0 {
				t.Errorf("%d images, and %q", sent, d.raw)
			}
			finish(d.probed)
		})
	}
}

// The bytes of an image: chunks of at most 4096, of which the first says what it is.
func TestBytes(t *testing.T) {
	var out bytes.Buffer
	want := noise(40, 60)
	if err := encode(&out, &held{id: 0x010203, w: 4, h: 3}, want); err != nil {
		t.Fatal(err)
	}
	chunks := regexp.MustCompile(`\x1b_G([^;]*);([A-Za-z0-9+/=]*)\x1b\\`).FindAllStringSubmatch(out.String(), -1)
	var payload, whole strings.Builder
	for i, c := range chunks {
		control := "m=1"
		switch i {
		case 0:
			control = "f=100,i=66051,U=1,c=4,r=3,a=T,m=1"
		case len(chunks) - 1:
			control = "m=0"
		}
		if c[1] != control || len(c[2]) > 4096 {
			t.Errorf("chunk %d has %q, want %q, and %d bytes", i, c[1], control, len(c[2]))
		}
		payload.WriteString(c[2])
		whole.WriteString(c[0])
	}
	if len(chunks) < 3 || whole.String() != out.String() {
		t.Fatalf("%d chunks in %q", len(chunks), out.String())
	}
	data, err := base64.StdEncoding.DecodeString(payload.String())
	if err != nil {
		t.Fatal(err)
	}
	got, err := png.Decode(bytes.NewReader(data))
	if err != nil || got.Bounds() != want.Bounds() {
		t.Fatal(err, got.Bounds())
	}
	for y := range 60 {
		for x := range 40 {
			if color.RGBAModel.Convert(got.At(x, y)) != want.At(x, y) {
				t.Fatalf("pixel (%d, %d) differs", x, y)
			}
		}
	}
	if got, want := through("\x1b_Ga\x1b\\\x1b_Gb\x1b\\", true), "\x1bPtmux;\x1b\x1b_Ga\x1b\x1b\\\x1b\\\x1bPtmux;\x1b\x1b_Gb\x1b\x1b\\\x1b\\"; got != want {
		t.Errorf("through tmux %q, want %q", got, want)
	}
}

// Of images under and over each other each cell that is a piece shows the image's part at
// that place, one cell wide, and a cell with a character shows that.
func TestPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk("kitty(0.40.0)", "")
		d.begin()
		p := plane.NewPlane(310, 40)
		p.Images = d
		draw := func() string {
			r := rand.New(rand.NewPCG(3, 4))
			p.Clear()
			for i := range 30 {
				g := p.Sub(plane.Rect{X: r.IntN(300), Y: r.IntN(39), W: 1 + r.IntN(310), H: 1 + r.IntN(40)})
				m := g.Image(i, func(int, int) image.Image { return noise(1, 1) })
				for range 200 {
					x, y := r.IntN(g.W()+2)-1, r.IntN(g.H()+2)-1
					if r.IntN(4) == 0 {
						g.Set(x, y, []rune("x⣿界")[r.IntN(3)], plane.Style{FG: plane.Color(1<<24 | r.Uint32N(1<<24))})
					}
					m.Piece(x, y)
				}
			}
			return p.Render()
		}
		plain := draw()
		time.Sleep(2 * settle)
		frame := draw()
		if frame == plain {
			t.Fatal("no image is shown")
		}
		screen := uv.NewScreenBuffer(310, 40)
		uv.NewStyledString(frame).Draw(screen, screen.Bounds())
		if n, wrong := ptytest.Pieces(screen, &d.graphics); n < 1000 || wrong != "" {
			t.Errorf("%d pieces: %s", n, wrong)
		}
		p.NoImages = true
		if got := draw(); got != plain {
			t.Error("images are shown in spite of NoImages")
		}
		p.NoImages, p.ASCII = false, true
		if draw(); strings.ContainsRune(p.Render(), '\U0010EEEE') {
			t.Error("images are shown among ASCII")
		}
		time.Sleep(time.Second)
		if all, _ := d.graphics.Images(); len(all) > 0 {
			t.Errorf("%d images are left", len(all))
		}
	})
}

// Answers that nobody asked for change nothing.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{"i=256;OK", "i=257;OK", "i=-1;ENOENT", "i=256;", ";", "i=9999999999999999999;OK",
		"a=T,i=257;OK;OK"} {
		f.Add("\x1b_G" + s + "\x1b\\")
	}
	f.Fuzz(func(t *testing.T, s string) {
		d := newDesk("kitty", "")
		var decoder uv.EventDecoder
		for len(s) > 0 {
			n, e := decoder.Decode([]byte(s))
			if n < 1 {
				return
			}
			if s = s[n:]; e != nil {
				d.Update(e)
			}
		}
		if d.Show("a", 4, 3, noise).IsSet() || len(d.held) > 0 || len(d.raw) > 0 {
			t.Errorf("%d images, %q", len(d.held), d.raw)
		}
	})
}
