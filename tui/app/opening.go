package app

import (
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Until there is a session the screen is empty but for a bar, and has the keys that help and that end the program.

// opens is what opens the session of a screen.
func (o *Options) opens(m *model) func(at *control.Loading) func() tea.Cmd {
	return func(at *control.Loading) func() tea.Cmd {
		s, err := o.start(at)
		return func() tea.Cmd {
			again := func() tea.Cmd { return m.Fetch(o.Opening, o.opens(m)) }
			cmd, asks := dialog.Permit(m.Desk, err, again, func() tea.Cmd { m.failed = err; return tea.Quit })
			if asks {
				return cmd
			}
			if m.failed = err; err != nil {
				return tea.Quit
			}
			m.attach(s)
			var size tea.Cmd
			if m.Screen.Width > 0 {
				size = m.tell(tea.WindowSizeMsg{Width: m.Screen.Width, Height: m.Screen.Height})
			}
			m.Keys.Layer = nil
			return tea.Batch(size, m.begin())
		}
	}
}

// ofOpening are the bindings that hold before there is a session.
func (m *model) ofOpening() []control.Binding {
	return list.Filter(m.Keys.Bindings, func(b control.Binding) bool {
		return b.Always || b.When == nil && (b.Name == "help" || b.Name == "quit")
	})
}

// drawOpening composes the frame of a screen without a session.
func (m *model) drawOpening() {
	m.Screen.Dirty = false
	p := m.Screen.Plane
	w, h := p.Size()
	if w == 0 || h == 0 {
		m.drawn = ""
		return
	}
	p.Clear()
	g, th := p.Region(), &m.Theme
	f := &frame{Frame: pane.Frame{Theme: m.Theme, Keys: m.Keys.First, Panes: &m.Screen.Panes}}
	keys := m.ofOpening()
	if m.Keys.Layer != nil {
		keys = m.Keys.Layer.Bindings()
	}
	f.hints, f.Covered = control.Fit(control.Hints(keys), w-2, th.ASCII), m.Keys.Layer != nil
	all := g.Bounds()
	head, all := all.CutTop(1)
	header(g.Sub(head), f)
	foot, all := all.CutBottom(1)
	footer(g.Sub(foot), f)
	strip, all := all.CutBottom(1)
	for i, symbol := range [...]string{"ε", "α", "λ"} {
		at := g.Sub(strip).Sub(plane.Rect{X: 1 + i*w/3, W: w/3 - 2, H: 1})
		chart.Slider(at.Pad(0, 0, 0, at.Text(0, 0, symbol, th.Dim)+1), *th, math.NaN(), plane.Style{})
	}
	m.drawBar(g.Sub(all))
	if m.Keys.Layer != nil {
		m.Keys.Layer.Draw(m.stage(), &f.Frame)
	}
	m.drawn = p.Render()
}

// leastPane is the rows of a pane with a bar.
const leastPane = 4

// drawBar draws a pane that says what is opened, and how far that is.
func (m *model) drawBar(g plane.Region) {
	if m.Loading == nil {
		return
	}
	th, gl := &m.Theme, &m.Theme.Glyphs
	if g.H() < leastPane {
		g.TextFit(1, 0, g.W()-1, *th, control.Opening(m.Loading, th, loadingCells), th.Text)
		return
	}
	g = g.Box(*th, plane.Box{Title: "opening " + m.Loading.What})
	w, h := g.Size()
	done, label := m.Loading.Told()
	g.TextCenter(h/2+1, label, th.Dim)
	if cells := min(w-4, 60); !math.IsNaN(done) && cells > 0 {
		bar := g.Sub(plane.Rect{X: (w - cells) / 2, Y: h / 2, W: cells, H: 1})
		eighths := int(done * float64(8*cells))
		bar.Text(0, 0, strings.Repeat(string(gl.Shade[1]), cells), th.Faint)
		bar.Text(0, 0, strings.Repeat(string(gl.HBlock[8]), eighths/8), th.Accent)
		if rest := eighths % 8; rest > 0 {
			bar.Set(eighths/8, 0, gl.HBlock[rest], th.Accent)
		}
	}
}

// bindings lists what can be done, concern by concern. Those for a state of the screen
// come in the order in which keys are asked of them.
func (m *model) bindings() []control.Binding {
	all := list.Flat(m.controllers, control.Controller.Bindings)
	all = append(all, control.In(control.General, nil, []control.Binding{
		{Name: "suspend", Keys: "ctrl+z", Help: "suspend the program; the shell's fg resumes it", Always: true,
			Do: m.stop},
		{Name: "quit", Keys: "q", Help: "quit", Hint: "quit", Rank: 2, Do: m.quit},
		{Keys: "ctrl+c", Help: "quit", Always: true, Do: m.quit},
		{Name: "notice.clear", At: func(control.Hit) tea.Cmd { m.Notices.Clear(); return nil },
			Examples: []string{"click a hint: do what its key does", "click a notice: put it away",
				"click the header: target, history, pause, together or race"}},
	})...)
	return append(all, dialog.Keys()...)
}

// quit ends the program. Where something of worth would be lost it says so first,
// and ends at the next key that asks for it.
func (m *model) quit() tea.Cmd {
	lost, keys := m.Losses.All()
	if m.asked > 0 && m.asked+1 == m.Keys.Press || len(lost) == 0 {
		return tea.Quit
	}
	m.asked = m.Keys.Press
	m.Close()
	keys = append(keys, m.Keys.First("quit")+" again quits")
	return m.Say(true, strings.Join(lost, ", ")+"; "+strings.Join(keys, ", "))
}
