package app

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/view"
)

// sampled is a screen on a session that has taken some steps and does not run.
func sampled(t *testing.T, spec string, w, h int) *model {
	t.Helper()
	return sampledFor(t, spec, 3000, w, h)
}

func sampledFor(t *testing.T, spec string, steps uint64, w, h int) *model {
	t.Helper()
	s := newSession(t, spec)
	s.Send(state.StepBy{N: steps}) // before the first step
	running(t, s)
	for {
		if snap := s.Snapshot(); snap.Phase == state.Paused && snap.Lanes[0].Step >= steps {
			m := newScreenOn(t, &recorder{snap: snap}, w, h)
			m.View()
			return m
		}
		<-s.Changed()
	}
}

// Keys walk over all panes and back, maximise one and show all again.
func TestPanesByKeys(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	seen := map[string]bool{}
	n := len(m.Screen.Panes.All())
	if n != 4 {
		t.Fatalf("the stage has %d panes, want 4", n)
	}
	for range n {
		m.Update(press("o"))
		m.View()
		seen[m.Focus.Pane] = true
	}
	if len(seen) != n {
		t.Errorf("%d of %d panes can be reached: %v", len(seen), n, seen)
	}
	m.Focus.Pane = "lane A"
	for _, c := range []struct{ key, want string }{
		{"ctrl+right", "lane B"}, {"ctrl+down", "autocorrelation 2"}, {"ctrl+left", "covariance error"},
		{"ctrl+up", "lane A"}, {"ctrl+up", "lane A"},
	} {
		if c.want == "autocorrelation 2" {
			if p, ok := m.Screen.Panes.Find(c.want); !ok || p.Rect.Empty() {
				c.want = "autocorrelation 1"
			}
		}
		if m.Update(press(c.key)); m.Focus.Pane != c.want {
			t.Errorf("%s leads to %q, want %q", c.key, m.Focus.Pane, c.want)
		}
		m.View()
	}
	if m.Focus.Lane != 0 {
		t.Errorf("lane %d is focused with the pane of A", m.Focus.Lane)
	}
	m.Update(press("tab"))
	if m.View(); m.Focus.Pane != "lane B" {
		t.Errorf("tab leaves the attention at %q", m.Focus.Pane)
	}
	all := m.text()
	m.Update(press("f"))
	if one := m.text(); one == all || strings.Contains(one, "covariance error") {
		t.Errorf("f does not maximise the pane:\n%s", one)
	}
	m.Update(press("tab"))
	if m.View(); m.Focus.Pane != "lane A" || !m.Focus.Full {
		t.Error("tab does not go from lane to lane of a maximised pane")
	}
	m.Update(press("esc"))
	if m.Focus.Full || !strings.Contains(m.text(), "covariance error") {
		t.Error("esc does not show all panes again")
	}
	m.Update(press("f"))
	m.Update(press("2"))
	if m.Focus.Full || m.Focus.Pane != "" {
		m.View()
		if m.Focus.Full || m.Focus.Pane != "" {
			t.Error("another view begins with a pane of the one before")
		}
	}
}

// A click focuses, a double click maximises, the wheel zooms about the mouse, a
// drag moves along, and the mouse over a chart tells values.
func TestPanesByMouse(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	p, _ := m.Screen.Panes.Find("covariance error")
	r := p.Plot.Rect
	x, y := r.X+r.W/2, r.Y+r.H/2
	click := func() {
		m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
		m.Update(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
		m.View()
	}
	click()
	if m.Focus.Pane != p.Name || m.Focus.Full {
		t.Errorf("a click focuses %q", m.Focus.Pane)
	}
	click()
	if !m.Focus.Full {
		t.Error("a double click does not maximise")
	}
	m.Update(press("esc"))
	m.View()
	m.later(time.Second)

	p, _ = m.Screen.Panes.Find("covariance error") // an axis that has grown since moves the plot
	before, column := p.Plot.Under(x, y), p.Plot.X.Len()/float64(p.Plot.Rect.W)
	m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	m.View()
	p, _ = m.Screen.Panes.Find("covariance error")
	if z := m.Focus.Zoom[pane.Progress]; !z.Set() || p.Plot.Asked != z {
		t.Fatalf("the wheel zooms to %v, shown is %v", z, p.Plot.X)
	}
	if now := p.Plot.Under(x, y); math.Abs(now.X-before.X) > column {
		t.Errorf("step %v was under the mouse, now %v", before.X, now.X)
	}
	from := p.Plot.X
	m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseMotionMsg{X: x - 5, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseReleaseMsg{X: x - 5, Y: y, Button: tea.MouseLeft})
	if z := m.Focus.Zoom[pane.Progress]; !(z.Lo > from.Lo) {
		t.Errorf("a drag to the left moves from %v to %v", from, z)
	}
	m.Update(press("0"))
	m.Update(control.ThenMsg(m.hovered)) // of clicks and drags
	m.View()

	_, cmd := m.Update(tea.MouseMotionMsg{X: x, Y: y})
	if m.Screen.Dirty {
		t.Error("a motion draws at once")
	}
	for range 100 {
		if _, more := m.Update(tea.MouseMotionMsg{X: x + 1, Y: y}); more != nil {
			t.Fatal("each motion asks for a frame of its own")
		}
	}
	if cmd == nil {
		t.Fatal("a motion asks for no frame")
	}
	m.Update(control.ThenMsg(m.hovered))
	if !m.Screen.Dirty || !strings.Contains(m.text(), "━ step ") {
		t.Errorf("the mouse over a chart tells no values:\n%s", m.text())
	}
	m.Update(tea.MouseMotionMsg{X: 0, Y: 0})
	m.Update(control.ThenMsg(m.hovered))
	if m.Focus.Cross != (pane.Cross{}) {
		t.Error("the values stay when the mouse has left")
	}
}

// The cross that keys move goes from point to point, zooms about itself, and
// leaves with esc.
func TestValuesByKeys(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	m.Focus.Pane = "covariance error"
	m.Update(press("v"))
	last := m.Focus.Cross.X
	if h := m.Lane().History; last != float64(h[len(h)-1].Step) {
		t.Errorf("the cross begins at %v", last)
	}
	m.Update(press("left"))
	if c := m.Focus.Cross.X; c >= last {
		t.Errorf("left leads from %v to %v", last, c)
	}
	if got := m.Lane().Setting.Value("eps"); got != m.Feed.Newest.Lanes[0].Setting.Value("eps") {
		t.Error("left turns a parameter too")
	}
	m.Update(press("home"))
	m.Update(press("+"))
	if z := m.Focus.Zoom[pane.Progress]; !z.Set() {
		t.Error("+ does not zoom")
	}
	m.Update(press("-"))
	m.Update(press("-"))
	if m.Focus.Zoom != (pane.Zoom{}) {
		t.Errorf("zoomed out, %v is left", m.Focus.Zoom)
	}
	m.command(t, "axes seconds")
	m.Update(press("esc"))
	if m.Focus.Read || m.Focus.Cross != (pane.Cross{}) {
		t.Error("esc leaves the cross")
	}
}

// The card of a change waits for its key, which the footer has then.
func TestCard(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	if m.Update(press("d")); !strings.Contains(m.text(), "nothing was changed") {
		t.Error("without a change the card does not say why it is missing")
	}
	s := *m.Feed.Newest
	s.Version++
	s.Lanes = append([]engine.LaneView(nil), s.Lanes...)
	w := s.Lanes[0].Window
	s.Lanes[0].Previous = &w
	s.Marks = []state.Mark{{Lane: s.Lanes[0].ID, Step: 2000,
		Change: state.ParamChange{Sampler: "psgld", Key: "eps", From: 0.1, To: 0.2}}}
	s.Notice = engine.Notice{Serial: s.Notice.Serial + 1,
		Fact: state.Changed{Step: 2000, Of: 2,
			Lanes: []state.LaneChange{{Lane: s.Lanes[0].ID, Change: s.Marks[0].Change}}}}
	m.Notices.Clear()
	m.Feed.Session.(*recorder).snap = &s
	m.Update(control.ChangedMsg{})
	if !strings.Contains(m.text(), "d compares before with after") {
		t.Errorf("the notice does not offer the card:\n%s", m.text())
	}
	m.Update(tea.WindowSizeMsg{Width: 40, Height: 10})
	m.Update(press("d"))
	m.says(t, "on a larger screen")
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Notices.Clear()
	m.Screen.Dirty = true
	if !strings.Contains(m.text(), "d before, after") {
		t.Errorf("the footer does not offer the card:\n%s", m.text())
	}
	for _, c := range []struct {
		key  string
		want bool
	}{{"", false}, {"d", true}, {"d", false}, {"d", true}, {"esc", false}, {"d", true}} {
		if c.key != "" {
			m.Update(press(c.key))
		}
		if got := strings.Contains(m.text(), "before and after"); got != c.want {
			t.Errorf("after %q the card shows: %v", c.key, got)
		}
	}
	// It is of what was turned in this view, and does not cover another one.
	for _, key := range []string{gridKey, "1"} {
		if typed(m, key); strings.Contains(m.text(), "before and after") {
			t.Errorf("after %q it is over the other view", key)
		}
	}
	if typed(m, "d"); !strings.Contains(m.text(), "before and after") {
		t.Error("d does not bring it back")
	}
	// In the diagnostics it takes the place of a chart, and waits for its key too.
	if typed(m, "2"); strings.Contains(m.text(), "before and after") || !strings.Contains(m.text(), "╭ efficiency ") {
		t.Errorf("in the diagnostics it does not wait:\n%s", m.text())
	}
	if typed(m, "d"); !strings.Contains(m.text(), "before and after") {
		t.Error("d does not show it in the diagnostics")
	}
}

// Projector mode leaves the header, what it says below, one pane, a line of parameters and one of keys,
// with thick lines.
func TestProjector(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	m.command(t, "layout projector")
	m.Notices.Clear()
	m.Screen.Dirty = true
	text := m.text()
	lines := strings.Split(text, "\n")
	if !m.Theme.Thick || !strings.Contains(lines[0], "psgld-tui") || !strings.HasPrefix(lines[2], "╭") ||
		!strings.HasPrefix(lines[33], "╰") || !strings.Contains(lines[34], "ε") ||
		!strings.Contains(lines[35], "space") {
		t.Errorf("projector mode:\n%s", text)
	}
	x, y := at(t, m, "ε ")
	m.Update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
	if m.Feed.Sent == m.Feed.Newest.Applied {
		t.Error("the parameters of the one line cannot be turned")
	}
	m.Update(press("esc"))
	if m.Focus.Projector || m.Theme.Thick {
		t.Error("esc does not leave projector mode")
	}
}

// What the user sets is kept and there again; what an option says is not kept,
// and a bad file is told of and left as it is.
func TestSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "psgld-tui", "config.toml")
	open := func(o Options) *model {
		o.Settings, o.Environ = path, []string{"TERM=xterm-256color"}
		m := newModel(t.Context(), &recorder{snap: newSession(t, "gaussian").Snapshot()}, o)
		m.Init()
		m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
		return m
	}
	m := open(Options{FPS: 11, ASCII: true})
	if err := m.end(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file is written although nothing was changed")
	}
	for _, text := range []string{"set theme dark", "says off", "layout together", "layout projector"} {
		m.command(t, text)
		m.says(t, " (kept for the next start)")
	}
	for _, text := range []string{"axes log x", "axes seconds"} { // they are the session's
		if m.command(t, text); strings.Contains(m.text(), "kept") {
			t.Errorf("%s is kept:\n%s", text, m.text())
		}
	}
	// An option is not kept, though it is said again.
	for _, c := range []string{"set fps 11", "set ascii on"} {
		m.Update(press(":"))
		typeKeys(m, c)
		if m.Update(press("enter")); strings.Contains(m.text(), "kept") {
			t.Errorf("after :%s it says that it is kept:\n%s", c, m.text())
		}
	}
	m.Update(press("3"))
	m.Update(press(":"))
	typeKeys(m, "set palette tol")
	m.Update(press("enter"))
	if err := m.end(); err != nil {
		t.Fatal(err)
	}
	want := prefs.Default()
	want.Theme, want.Says, want.Overlay, want.Projector, want.Palette = "dark", "off", true, true, "tol"
	got, err := prefs.Read(path)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("kept %+v, %v\nwant %+v", got, err, want)
	}
	m = open(Options{})
	if now := m.Current(); !reflect.DeepEqual(now, want) {
		t.Errorf("again there is %+v\nwant %+v", now, want)
	}
	if m.Focus.View != view.Stage {
		t.Errorf("it begins with view %d, which was looked at last", m.Focus.View)
	}

	// A terminal that is taken to draw ASCII alone may have more: that is kept too.
	poor := func() *model {
		return newModel(t.Context(), &recorder{snap: newSession(t, "gaussian").Snapshot()},
			Options{Settings: path, Environ: []string{"TERM=linux"}})
	}
	for i, unicode := range []bool{true, true, false, false} {
		m := poor()
		m.Init()
		if was := i == 1 || i == 2; m.Theme.ASCII == was || m.Screen.Plane.ASCII == was {
			t.Errorf("start %d on the console: ASCII is %v", i, m.Theme.ASCII)
		}
		m.command(t, map[bool]string{true: "set ascii off", false: "set ascii on"}[unicode])
		if err := m.end(); err != nil {
			t.Fatal(err)
		}
	}
	if got, err = prefs.Read(path); err != nil || !got.ASCII || got.Unicode {
		t.Errorf("after Unicode and ASCII again %+v, %v are kept", got, err)
	}
	if m := open(Options{}); !m.Theme.ASCII {
		t.Error("ASCII that was chosen on the console is not kept elsewhere")
	} else if m.command(t, "set ascii off"); m.end() != nil {
		t.Error("the settings are not kept")
	}

	bad := []byte("fps = 1000\n")
	if err := os.WriteFile(path, bad, 0o644); err != nil {
		t.Fatal(err)
	}
	m = open(Options{})
	if !strings.Contains(m.text(), "config.toml:1: fps must be 1 to 60, got 1000") {
		t.Errorf("a bad file is not told of:\n%s", m.text())
	}
	m.command(t, "set theme light")
	if err := m.end(); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(path); string(b) != string(bad) {
		t.Errorf("a bad file was written over: %s", b)
	}
}

// TestASCIIKeys finds words for the arrow keys where arrows cannot be drawn: < and
// > are keys too.
func TestASCIIKeys(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	m.command(t, "set ascii on")
	m.Notices.Clear()
	m.Screen.Dirty = true
	if s := m.text(); !strings.Contains(s, "left/right turn") || strings.Contains(s, "<> turn") ||
		!strings.Contains(s, "q quit") {
		t.Errorf("the line of keys is\n%s", s)
	}
	typed(m, "? ?")
	if s := m.text(); !strings.Contains(s, "left right, - + ") || !strings.Contains(s, "up down") {
		t.Errorf("the help is\n%s", s)
	}
}

// TestZoomedSays finds the word that tells that the newest may be out of sight.
func TestZoomedSays(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	if s := m.text(); strings.Contains(s, "zoomed") {
		t.Errorf("nothing is zoomed\n%s", s)
	}
	for _, key := range []string{"o", "o", "o", "v", "+"} {
		m.Update(press(key))
		m.View()
	}
	if s := m.text(); !strings.Contains(s, "zoomed") {
		t.Errorf("a zoomed pane is not told\n%s", s)
	}
	m.Update(press("esc")) // the cross goes, the zoom stays
	m.Notices.Clear()
	if s := m.text(); !strings.Contains(s, "zoomed") || !strings.Contains(s, "0 whole axes") {
		t.Errorf("without a cross the way back is not told\n%s", s)
	}
	if s := m.text(); !strings.Contains(s, "←→ turn") || !strings.Contains(s, "tab lane") {
		t.Errorf("the keys that hold all the same are not told\n%s", s)
	}
	m.Update(press("0"))
	if s := m.text(); strings.Contains(s, "zoomed") || strings.Contains(s, "0 whole axes") {
		t.Errorf("all is shown again\n%s", s)
	}
}
