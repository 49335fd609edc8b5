package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// frameOf writes a grid as the screen does, line by line.
func frameOf(g *Grid) string {
	var out []byte
	for y := range g.H {
		if y > 0 {
			out = append(out, '\n')
		}
		style := theme.Style{}
		for x := range g.W {
			c := g.At(x, y)
			if c.Style != style {
				out = plane.AppendSGR(out, style, c.Style)
				style = c.Style
			}
			out = append(out, c.Text...)
		}
		out = append(out, "\x1b[m"...)
	}
	return string(out)
}

type castEvent struct {
	at         float64
	kind, data string
}

// readCast reads a cast as a player does: every line must be whole.
func readCast(t testing.TB, cast []byte) (head map[string]any, events []castEvent) {
	t.Helper()
	if len(cast) > 0 && cast[len(cast)-1] != '\n' {
		t.Fatalf("the last line is cut: %q", cast[max(0, len(cast)-60):])
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(cast), "\n"), "\n") {
		if i == 0 {
			if err := json.Unmarshal([]byte(line), &head); err != nil {
				t.Fatalf("the header %q: %v", line, err)
			}
			continue
		}
		var e castEvent
		var fields []any
		if err := json.Unmarshal([]byte(line), &fields); err != nil || len(fields) != 3 {
			t.Fatalf("line %d is %q: %v", i+1, line, err)
		}
		e.at, e.kind, e.data = fields[0].(float64), fields[1].(string), fields[2].(string)
		if n := len(events); n > 0 && e.at < events[n-1].at {
			t.Errorf("time goes back at line %d", i+1)
		}
		events = append(events, e)
	}
	return head, events
}

// sameScreen plays a cast in a terminal, which is to show at its end what it shows of a
// grid that is drawn at once.
func sameScreen(t testing.TB, cast []byte, want *Grid) {
	t.Helper()
	head, events := readCast(t, cast)
	w, h := int(head["width"].(float64)), int(head["height"].(float64))
	emu := vt.NewEmulator(w, h)
	for _, e := range events {
		switch e.kind {
		case "o":
			if _, err := emu.WriteString(e.data); err != nil {
				t.Fatal(err)
			}
		case "r":
			if _, err := fmt.Sscanf(e.data, "%dx%d", &w, &h); err != nil {
				t.Fatal(err)
			}
			emu.Resize(w, h)
		}
	}
	if w != want.W || h != want.H {
		t.Fatalf("the screen has %d×%d cells, want %d×%d", w, h, want.W, want.H)
	}
	fresh := vt.NewEmulator(w, h)
	if _, err := fresh.WriteString(strings.ReplaceAll(frameOf(want), "\n", "\r\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := emu.Render(), fresh.Render(); got != want {
		t.Fatalf("the screen shows\n%s\nwant\n%s", got, want)
	}
}

// mutate changes a few stretches of a grid.
func mutate(rng *rand.Rand, g *Grid) *Grid {
	out := newGrid(g.W, g.H)
	copy(out.Cells, g.Cells)
	fresh := noise(rng, g.W, g.H)
	for range rng.IntN(6) {
		from := rng.IntN(len(out.Cells))
		to := min(len(out.Cells), from+rng.IntN(30))
		copy(out.Cells[from:to], fresh.Cells[from:to])
	}
	return out
}

// A cast played in a terminal ends with the last frame, through frames that
// change little, frames that change all, and other sizes.
func TestCastPlaysBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(9, 1))
		var out bytes.Buffer
		c := NewCast(&out, 40, 12, CastOptions{Title: "a <title>", Env: map[string]string{"TERM": "xterm-256color"}})
		defer c.Close()
		g := noise(rng, 40, 12)
		for i := range 60 {
			switch {
			case i%20 == 19:
				g = noise(rng, 10+rng.IntN(60), 5+rng.IntN(20))
			case i%7 == 6:
				g = noise(rng, g.W, g.H)
			default:
				g = mutate(rng, g)
			}
			c.Frame(g)
			time.Sleep(5 * time.Second) // the largest frame's share of the bytes
			synctest.Wait()
			sameScreen(t, out.Bytes(), g)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		head, events := readCast(t, out.Bytes())
		if head["version"] != 2.0 || head["width"] != 40.0 || head["height"] != 12.0 || head["title"] != "a <title>" ||
			head["timestamp"] != float64(time.Now().Unix()-300) {
			t.Errorf("the header is %v", head)
		}
		kinds := map[string]int{}
		for _, e := range events {
			kinds[e.kind]++
		}
		if kinds["r"] != 3 {
			t.Errorf("events by kind: %v", kinds)
		}
	})
}

// Wide characters are written and erased whole.
func TestCastOfWideCharacters(t *testing.T) {
	innerlooptest.Skip(t, "a film in real time")
	rng := rand.New(rand.NewPCG(2, 2))
	texts := []string{"日", "a", " ", "本", "·"}
	line := func() string {
		var b strings.Builder
		for range 12 {
			b.WriteString(texts[rng.IntN(len(texts))])
		}
		return b.String()
	}
	var out bytes.Buffer
	tp := &tape{out: &out, w: 14, h: 3}
	tp.header(time.Unix(0, 0), &CastOptions{})
	for range 200 {
		g := drawn(line()+"\n"+line()+"\n"+line(), 14, 3)
		tp.frame(&castFrame{grid: g})
		sameScreen(t, out.Bytes(), g)
	}
}

// The screen may draw as fast as it likes: the cast keeps to its frames and bytes
// a second, and ends with the newest frame.
func TestCastKeepsToItsCaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(3, 3))
		var out bytes.Buffer
		c := NewCast(&out, 80, 24, CastOptions{})
		synctest.Wait() // its head is written
		start := time.Now()
		largest := 0
		var g *Grid
		for time.Since(start) < 10*time.Second {
			before := out.Len()
			g = noise(rng, 80, 24) // about 50 kB
			c.Frame(g)
			time.Sleep(time.Second / 60)
			synctest.Wait()
			largest = max(largest, out.Len()-before)
		}
		if n := out.Len(); n > 10*castBytes+largest {
			t.Errorf("%d bytes in 10 s, with a cap of %d a second", n, castBytes)
		}
		// Small frames meet the cap of frames.
		_, events := readCast(t, out.Bytes())
		before := len(events)
		time.Sleep(2 * time.Second)
		for i := range 600 {
			g = drawn(fmt.Sprint(i), 80, 24)
			c.Frame(g)
			time.Sleep(time.Second / 60)
			synctest.Wait()
		}
		_, events = readCast(t, out.Bytes())
		if n := len(events) - before; n > 10*castFPS+2 || n < 8*castFPS {
			t.Errorf("%d frames in 10 s, with a cap of %d a second", n, castFPS)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		sameScreen(t, out.Bytes(), g)
		n := out.Len()
		c.Frame(drawn("x", 80, 24))
		if c.Close() != nil || out.Len() != n {
			t.Error("a closed cast goes on")
		}
	})
}

// A cast of a screen that does not change takes no bytes.
func TestCastOfAScreenAtRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		c := NewCast(&out, 9, 2, CastOptions{})
		c.Frame(drawn("at rest", 9, 2))
		time.Sleep(time.Second)
		synctest.Wait()
		n := out.Len()
		for range 50 {
			c.Frame(drawn("at rest", 9, 2))
			time.Sleep(time.Second)
		}
		if synctest.Wait(); out.Len() != n {
			t.Errorf("50 frames that are the same took %d bytes", out.Len()-n)
		}
		c.Close()
	})
}

// disk takes so many bytes and can be truncated.
type disk struct {
	bytes.Buffer
	room int
}

var errFull = errors.New("no space left on device")

func (d *disk) Write(b []byte) (int, error) {
	n := min(len(b), d.room-d.Len())
	d.Buffer.Write(b[:n])
	if n < len(b) {
		return n, errFull
	}
	return n, nil
}

func (d *disk) Truncate(size int64) error { d.Buffer.Truncate(int(size)); return nil }

// A full disk ends the cast with an error, and leaves what a player can read.
func TestCastOnAFullDisk(t *testing.T) {
	for _, room := range []int{0, 10, 200, 3000, 20_000} {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(4, uint64(room)))
			d := &disk{room: room}
			c := NewCast(d, 40, 12, CastOptions{})
			ended := make(chan struct{})
			go func() {
				_ = c.Wait()
				close(ended)
			}()
			for i := 0; ; i++ {
				c.Frame(noise(rng, 40, 12))
				time.Sleep(time.Second)
				synctest.Wait()
				select {
				case <-ended:
				default:
					if i < 100 {
						continue
					}
					t.Error("the cast goes on")
				}
				break
			}
			c.Frame(newGrid(2, 2))
			if err := c.Close(); !errors.Is(err, errFull) || !errors.Is(c.Wait(), errFull) {
				t.Errorf("the error is %v", err)
			}
			if d.Len() > 0 {
				readCast(t, d.Bytes())
			}
		})
	}
}

// stuck is a disk that does not answer until it is let go.
type stuck struct{ sync.Mutex }

func (s *stuck) Write(b []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	return len(b), nil
}

// A disk that does not answer never holds up the screen.
func TestCastNeverBlocks(t *testing.T) {
	var s stuck
	s.Lock()
	c := NewCast(&s, 80, 24, CastOptions{})
	frame := newGrid(80, 24)
	for range 20_000 { // one that waited for the disk would wait for ever
		c.Frame(frame)
	}
	s.Unlock()
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
