package app

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/view"
)

// A second click on a cell jumps to it.
func TestClicksOnCells(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.grid().Size = scan.Size{Cells: 5, Steps: 5000, Seeds: 1}
	m.Update(press(gridKey))
	m.settle(t)
	m.View()
	p, ok := m.Screen.Panes.Find("covariance error")
	if !ok {
		t.Fatal("no pane")
	}
	at := p.Plot.Rect
	click := tea.MouseClickMsg{X: at.X + at.W/10, Y: at.Y, Button: tea.MouseLeft}
	m.Update(click)
	if m.grid().Shown.At != 0 {
		t.Errorf("a click on the first cell chooses %d", m.grid().Shown.At)
	}
	n := len(r.sent)
	m.Update(click)
	if len(r.sent) != n+2 {
		t.Errorf("a second click sent %#v", r.sent[n:])
	}
}

// The strip's "more" is opened by enter in the sweep too, and tab says why it does nothing.
func TestMoreInTheSweep(t *testing.T) {
	m, r := rest(t, "gaussian")
	typed(m, gridKey+" up")
	m.says(t, "enter shows the other parameters")
	n := len(r.sent)
	if typed(m, "enter"); len(r.sent) != n || !m.Focus.Whole {
		t.Errorf("sent %v", r.sent[n:])
	}
	s := *m.Feed.Newest
	s.Lanes = s.Lanes[:1]
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	typed(m, "tab")
	m.says(t, "there is one lane; a adds another")
}

// The draws of another program have no grid and no search, and whatever asks for one says so.
func TestDrawsAreNotSwept(t *testing.T) {
	m, _ := rest(t, "gaussian")
	s := *m.Feed.Newest
	p := *s.Problem
	p.Source, s.Problem = struct{ targets.Source }{}, &p
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	for _, asks := range []func(){
		func() { typed(m, gridKey) }, func() { m.command(t, "tune 1000") }, func() { m.command(t, "sweep eps=1,2") },
		func() { m.Keys.Do("sweep") }, func() { m.Keys.Do("tune") },
	} {
		m.Notices.Clear()
		asks()
		m.says(t, "Sweep takes a target that is sampled here, not the draws of another program")
		if m.grid().Shown.Data != nil || m.Focus.View == view.Sweep {
			t.Error("view 6 is shown")
		}
	}
}

// A still waits for the grid, so that its picture is the same every time.
func TestStillOfAGrid(t *testing.T) {
	innerlooptest.Skip(t, "two grids")
	picture := func() string {
		script := ": type=grid space type=steps space type=2000 enter : type=grid space type=cells space type=5 enter " + gridKey + " right"
		screen, _, err := Still(t.Context(), newSession(t, "gaussian"),
			Options{Dark: dark(), Environ: []string{"TERM=xterm-256color"}}, 120, 36, script)
		if err != nil {
			t.Fatal(err)
		}
		return screen.Render()
	}
	a, b := picture(), picture()
	if a != b {
		t.Error("two stills of a grid differ")
	}
	text := ansi.Strip(a)
	if !strings.Contains(text, "9 of 9") || !strings.Contains(text, "done") ||
		!strings.Contains(text, "covariance error") {
		t.Errorf("a still of a grid that is not whole:\n%s", text)
	}
}
