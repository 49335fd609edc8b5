package app

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/tui/control"
)

// memory is where files go in tests.
type memory struct {
	mu    sync.Mutex
	files map[string]*bytes.Buffer
	full  bool
}

func (f *memory) Whole(name, ext string, write func(io.Writer) error) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.full {
		return "", errors.New("cannot write " + name + ext + ": the disk is full")
	}
	if name == "" {
		name = "dated"
	}
	if !strings.Contains(name, ".") {
		name += ext
	}
	b := &bytes.Buffer{}
	f.files[name] = b
	return name, write(b)
}

func (f *memory) Stream(name, ext string) (io.WriteCloser, string, error) {
	if name == "" {
		name = "dated" + ext
	}
	b := &bytes.Buffer{}
	f.mu.Lock()
	f.files[name] = b
	f.mu.Unlock()
	return &stream{f, b}, name, nil
}

func (f *memory) text(name string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if b := f.files[name]; b != nil {
		return b.String()
	}
	return ""
}

type stream struct {
	f *memory
	b *bytes.Buffer
}

func (s *stream) Write(b []byte) (int, error) {
	s.f.mu.Lock()
	defer s.f.mu.Unlock()
	if s.f.full {
		return 0, errors.New("no space left on device")
	}
	return s.b.Write(b)
}
func (s *stream) Close() error { return nil }

// carry carries out a command and gives the model what came of it.
func carry(m *model, cmd tea.Cmd) {
	for _, msg := range messages(cmd) {
		m.Update(msg)
	}
}

func filmScreen(t *testing.T) (*model, *recorder, *memory) {
	m, r := rest(t, "gaussian")
	f := &memory{files: map[string]*bytes.Buffer{}}
	m.keeper().Outside.Files = f
	return m, r, f
}

func TestFilm(t *testing.T) {
	m, r, f := filmScreen(t)
	cmd := m.command(t, "save cast")
	if !m.Screen.Filming {
		t.Fatal("nothing is recorded")
	}
	go messages(cmd)
	if got := m.text(); !strings.Contains(got, "● rec") {
		t.Errorf("the header does not say so:\n%s", got)
	}
	c := *r.snap
	c.Version++
	r.snap = &c
	look(m)
	m.View()
	cmd = m.command(t, "save cast")
	carry(m, cmd)
	if m.Screen.Filming {
		t.Error("it is still recorded")
	}
	if n := m.Notices.Text(m.Feed.Newest); n.Text != "recorded dated.cast" {
		t.Errorf("it says %q", n.Text)
	}
	got := f.text("dated.cast")
	for _, want := range []string{`{"version":2,"width":120,"height":36,`, `"o","`, "pSGLD"} {
		if !strings.Contains(got, want) {
			t.Errorf("the cast lacks %q: %.200s", want, got)
		}
	}
}

// A disk that is full ends the recording and nothing else.
func TestFilmEnds(t *testing.T) {
	m, _, f := filmScreen(t)
	f.full = true
	cmd := m.command(t, "save cast out.cast")
	m.View()
	carry(m, cmd)
	n := m.Notices.Text(m.Feed.Newest)
	if !n.Bad || !strings.Contains(n.Text, "no space left on device") || m.Screen.Filming {
		t.Errorf("it says %q", n.Text)
	}
}

// With the option the screen is recorded as soon as it has a size, and the end of
// the program ends the recording.
func TestFilmFromStart(t *testing.T) {
	r := &recorder{snap: newSession(t, "gaussian").Snapshot()}
	f := &memory{files: map[string]*bytes.Buffer{}}
	m := newModel(t.Context(), r,
		Options{Dark: dark(), Environ: []string{"TERM=xterm"}, Outside: control.Outside{Files: f, Cast: "start.cast"}})
	m.Init()
	if m.Screen.Filming {
		t.Error("a screen without a size is recorded")
	}
	m.Update(tea.WindowSizeMsg{Width: 80, Height: 24})
	m.View()
	m.tell(control.EndMsg{Failed: func(err error) { t.Error(err) }})
	if got := f.text("start.cast"); !strings.Contains(got, `"width":80`) || !strings.Contains(got, "pSGLD") {
		t.Errorf("the cast is %s", got)
	}
}

func TestPicturesAndTables(t *testing.T) {
	m, _, f := filmScreen(t)
	m.Update(press("?"))
	m.Update(press("esc"))
	m.View()
	carry(m, m.command(t, "save picture"))
	carry(m, m.command(t, "save picture a.png"))
	carry(m, m.command(t, "save pane b.svg"))
	carry(m, m.command(t, "save table c"))
	for name, want := range map[string]string{
		"dated.svg": "<svg", "a.png": "\x89PNG", "b.svg": "<svg",
		"c.csv": "lane,sampler,step", "c-draws.csv": "lane,sampler,draw",
	} {
		if got := f.text(name); !strings.HasPrefix(got, want) && !strings.Contains(got[:min(len(got), 200)], want) {
			t.Errorf("%s is %.100q", name, got)
		}
	}
	if a, b := f.text("dated.svg"), f.text("b.svg"); len(b) >= len(a) {
		t.Errorf("the pane's picture has %d bytes, the screen's %d", len(b), len(a))
	}
	f.full = true
	carry(m, m.command(t, "save picture e"))
	if n := m.Notices.Text(m.Feed.Newest); !n.Bad || !strings.Contains(n.Text, "the disk is full") {
		t.Errorf("it says %q", n.Text)
	}
	f.full = false
	m.grid().Size = scan.Size{Cells: 3, Steps: 300, Seeds: 2}
	m.Update(press(gridKey))
	m.settle(t)
	carry(m, m.command(t, "save table g"))
	if got := f.text("g.csv"); !strings.HasPrefix(got, "lane,sampler,eps,runs,diverged,") ||
		strings.Count(got, "\n") != 7 || !strings.Contains(got, "B,sgld,") {
		t.Errorf("the table of the sweep is\n%s", got)
	}
	m.keeper().Outside.Files = nil
	for _, do := range []string{"save cast x", "save pane x", "save table x"} {
		if m.command(t, do); !m.Notices.Own.Bad {
			t.Error("without files nothing is said")
		}
	}
}
