package class

import (
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A showing is a screen as others see it. It is drawn once for each size and look of terminal,
// however many people watch, and not at all while nobody does.
type showing struct {
	mu   sync.Mutex
	eyes []*eye
	come chan struct{} // an eye has come; capacity 1
}

// An eye is one who looks.
type eye struct {
	of   *showing
	at   control.Terminal
	seen *plane.Plane // the newest, which is not changed any more; nil before there is one
}

func newShowing() *showing { return &showing{come: make(chan struct{}, 1)} }

// look begins to look.
func (s *showing) look(at control.Terminal) *eye {
	e := &eye{of: s}
	e.turn(at)
	return e
}

// turn looks from another terminal from now on.
func (e *eye) turn(at control.Terminal) {
	s := e.of
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.at == at {
		return
	}
	if e.at = at; !slices.Contains(s.eyes, e) {
		s.eyes = append(s.eyes, e)
	}
	select {
	case s.come <- struct{}{}:
	default:
	}
}

// close ends looking.
func (e *eye) close() {
	s := e.of
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eyes = slices.DeleteFunc(s.eyes, func(o *eye) bool { return o == e })
}

func (e *eye) frame() *plane.Plane {
	e.of.mu.Lock()
	defer e.of.mu.Unlock()
	return e.seen
}

// terminals are those from which the screen is seen, each once.
func (s *showing) terminals() []control.Terminal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return list.Distinct(list.Map(s.eyes, func(e *eye) control.Terminal { return e.at }))
}

// show gives frames to those who look.
func (s *showing) show(terminals []control.Terminal, frames []*plane.Plane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range s.eyes {
		if i := slices.Index(terminals, e.at); i >= 0 {
			e.seen = frames[i]
		}
	}
}

// showEvery is how often a screen is drawn for others, and looked at.
const showEvery = time.Second / studentFPS

// A projector draws a screen for a showing. It is a part of a controller.
type projector struct {
	desk  *control.Desk
	to    *showing
	ended <-chan struct{}
	drawn int // frames of the screen so far
	shown int // drawn, of the newest frame that was shown
	at    []control.Terminal
}

// projectMsg is the time for a projector to draw.
type projectMsg struct{ *projector }

// wait waits until somebody looks.
func (p *projector) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-p.to.come:
			return projectMsg{p}
		case <-p.ended:
			return nil
		}
	}
}

// update handles a message, and reports whether it was the projector's alone.
func (p *projector) update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		return p.wait(), false
	case control.DrawnMsg:
		p.drawn++
	case projectMsg:
		if msg.projector != p {
			return nil, false
		}
		at := p.to.terminals()
		if len(at) == 0 {
			p.at = nil
			return p.wait(), true
		}
		select {
		case <-p.to.come: // somebody has no frame yet
			p.at = nil
		default:
		}
		if p.shown != p.drawn || !slices.Equal(at, p.at) {
			p.shown, p.at = p.drawn, at
			p.to.show(at, p.desk.Screen.DrawAs(at))
		}
		return tea.Tick(showEvery, func(time.Time) tea.Msg { return msg }), true
	}
	return nil, false
}

// A watching shows another screen in the place of one's own.
type watching struct {
	control.Unseen
	desk  *control.Desk
	eye   *eye
	shown *plane.Plane
	foot  func() (what, hint string) // says whose screen it is, and what to press
	keys  []control.Binding
}

// watchMsg is the time to look at another screen.
type watchMsg struct{ *watching }

// watch begins to look at a screen.
func watch(d *control.Desk, s *showing, foot func() (what, hint string), keys []control.Binding) (*watching, tea.Cmd) {
	w := &watching{desk: d, foot: foot, keys: keys}
	w.eye = s.look(w.terminal())
	return w, tea.Batch(d.Open(w), w.tick())
}

func (w *watching) terminal() control.Terminal {
	return control.Terminal{Width: w.desk.Screen.Width, Height: w.desk.Screen.Height, Look: w.desk.Theme.Look}
}

func (w *watching) tick() tea.Cmd {
	return tea.Tick(showEvery, func(time.Time) tea.Msg { return watchMsg{w} })
}

// open reports whether the screen is still looked at, and ends that if not.
func (w *watching) open() bool {
	if w.desk.Keys.Layer == control.Controller(w) {
		return true
	}
	w.eye.close()
	return false
}

func (w *watching) looked() tea.Cmd {
	if !w.open() {
		return nil
	}
	w.eye.turn(w.terminal())
	if f := w.eye.frame(); f != w.shown {
		w.shown, w.desk.Screen.Dirty = f, true
	}
	return w.tick()
}

func (w *watching) Bindings() []control.Binding { return w.keys }

func (w *watching) Update(msg tea.Msg) (tea.Cmd, bool) {
	_, key := msg.(tea.KeyPressMsg)
	return nil, key // what lies below is not turned unseen
}

func (w *watching) Slot(int) control.Slot { return control.Slot{At: control.Whole} }

func (w *watching) Draw(g plane.Region, f *pane.Frame) {
	th := &f.Theme
	if w.shown == nil {
		g.TextFit(1, 0, g.W()-2, *th, "the first picture is on its way", th.Dim)
	} else {
		g.Copy(w.shown)
	}
	what, hint := w.foot()
	row := g.Row(g.H() - 1) // in the place of the other's
	row.Fill(' ', th.Highlight)
	at := row.Text(1, 0, what, th.Highlight) + 3
	row.TextFit(at, 0, row.W()-at, *th, hint, th.Highlight)
}
