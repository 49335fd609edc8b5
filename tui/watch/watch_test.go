package watch

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// drawn is a figure of so many sessions.
func drawn(n int) figure.Figure {
	s := figure.Series{Name: "pSGLD", Of: "psgld", Style: figure.Both}
	for i := range n {
		s.X, s.Y = append(s.X, 0.1*float64(i+1)), append(s.Y, 1/float64(i+1))
	}
	p := figure.Panel{Title: "covariance error", X: figure.Axis{Label: "ε"},
		Y: figure.Axis{Label: "Σ |error|", Min: 0, Max: 1}, Series: []figure.Series{s}}
	return figure.Figure{ID: "errors", Title: "Error against the step size", Columns: 2, Panels: []figure.Panel{p, p}}
}

// watched is a watch of ten sessions, of which n points at first, at a size.
func watched(n *int, th theme.Theme, width, height int) *Watch {
	w := New(Options{
		Title: "reproduce quick: fig1a", Theme: th,
		Look: func() State {
			s := State{Done: float64(*n) / 10, Label: fmt.Sprintf("%d of 10 cells, %ds left", *n, 10-*n),
				Over: *n == 10}
			for i := range *n {
				s.Points = append(s.Points,
					Point{ID: fmt.Sprintf("gaussian psgld eps=%.1f", 0.1*float64(i+1)),
						Score: "psgld covariance error 0.5"})
			}
			return s
		},
		Figures: func() ([]figure.Figure, string) { return []figure.Figure{drawn(*n)}, "a table: τ of all\n" },
	})
	w.Update(tea.WindowSizeMsg{Width: width, Height: height})
	look(w)
	return w
}

// look does what a tick does, and brings the figures that are being made.
func look(w *Watch) {
	w.Update(lookMsg{})
	if w.making {
		all, rest := w.o.Figures()
		w.Update(figuresMsg{all, rest, len(w.state.Points), 0})
	}
}

// chosen is the place of the selected session.
func chosen(w *Watch) int {
	at, of := w.session()
	return of[at]
}

func press(w *Watch, code rune) tea.Cmd {
	_, cmd := w.Update(tea.KeyPressMsg{Code: code})
	return cmd
}

// The figures grow with the sessions, at any size.
func TestScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {28, 11}} {
		n := 4
		w := watched(&n, theme.New(true, true, false), size[0], size[1])
		goldentest.Text(t, fmt.Sprintf("running-%dx%d", size[0], size[1]), w.text())
		n = 10
		look(w)
		goldentest.Text(t, fmt.Sprintf("over-%dx%d", size[0], size[1]), w.text())
	}
	n := 4
	text := watched(&n, theme.New(true, true, true), 80, 24).text()
	for _, r := range text {
		if r > '~' {
			t.Fatalf("ASCII has %q in\n%s", r, text)
		}
	}
	for width := range 40 {
		for height := range 16 {
			lines := strings.Split(watched(&n, theme.New(true, true, false), width, height).text(), "\n")
			for _, line := range lines {
				if len(lines) > height && height > 0 || plane.Width(line) > max(width, 24) { // no figure is narrower
					t.Fatalf("%d×%d: %d lines, %q", width, height, len(lines), line)
				}
			}
		}
	}
}

// A session is selected among those that are done and stays so while others come; without a
// choice it is the newest. Figures are made only when there is something new.
func TestSelection(t *testing.T) {
	n := 0
	w := watched(&n, theme.New(true, true, false), 80, 24)
	if cmd := press(w, tea.KeyEnter); cmd != nil || w.opened {
		t.Error("a session is opened where none is done")
	}
	for n = 1; n < 4; n++ {
		look(w)
		if chosen(w) != n-1 || w.of != n {
			t.Errorf("of %d sessions %d is selected, and %d are drawn", n, chosen(w), w.of)
		}
	}
	press(w, tea.KeyLeft)
	n = 6
	look(w)
	if chosen(w) != 1 {
		t.Errorf("after others came the selected session is %d", chosen(w))
	}
	if w.Update(lookMsg{}); w.making {
		t.Error("figures are made anew of the same sessions")
	}
	for _, to := range []struct {
		code rune
		want int
	}{{tea.KeyHome, 0}, {tea.KeyEnd, 5}} {
		press(w, to.code)
		press(w, to.code)
		if chosen(w) != to.want {
			t.Errorf("%c selects %d, want %d", to.code, chosen(w), to.want)
		}
	}
	if cmd := press(w, tea.KeyEnter); cmd == nil || !w.opened ||
		w.state.Points[chosen(w)].ID != "gaussian psgld eps=0.6" {
		t.Error("enter does not open the session")
	}
	for range 50 {
		press(w, tea.KeyDown)
	}
	if most := max(0, len(w.drawn)-w.room()); w.top != most {
		t.Errorf("the figures scroll to line %d, want %d", w.top, most)
	}
}

// pointed is a watch of two series in two panels, of three sessions a point of which n in all
// are done.
func pointed(t *testing.T, n int) *Watch {
	var all []Point
	panel := figure.Panel{Title: "error", X: figure.Axis{Label: "ε"}, Y: figure.Axis{Label: "error"}}
	for _, name := range []string{"pSGLD", "SGLD"} {
		s := figure.Series{Name: name, Style: figure.Both}
		for i := range 4 {
			var ids []string
			for seed := range 3 {
				ids = append(ids, fmt.Sprintf("%s eps=%d seed=%d", name, i+1, seed+1))
			}
			for _, id := range ids {
				all = append(all, Point{ID: id, Score: "error 0.5"})
			}
			s.X, s.Y, s.Sessions = append(s.X, float64(i+1)), append(s.Y, 1/float64(i+1)), append(s.Sessions, ids)
		}
		panel.Series = append(panel.Series, s)
	}
	panel.Series = append(panel.Series,
		figure.Series{Name: "exact", Style: figure.Line, Paper: true, X: []float64{1, 4}, Y: []float64{1, 0.2}})
	w := New(Options{
		Title: "reproduce quick: fig1a", Theme: theme.New(true, true, false),
		Look: func() State { return State{Label: "some cells", Points: all[:n]} },
		Figures: func() ([]figure.Figure, string) {
			return []figure.Figure{{ID: "errors", Title: "Errors", Columns: 2, Panels: []figure.Panel{panel, panel}}},
				""
		},
	})
	w.Update(tea.WindowSizeMsg{Width: 100, Height: 24})
	look(w)
	return w
}

// The arrows go from point to point along a series and from series to series, tab from session to
// session of a point, and enter opens it. Points of which no session is done are passed over.
func TestPoints(t *testing.T) {
	w := pointed(t, 17) // of SGLD's second point two
	here := func(panel int, series string, x float64, id string) {
		t.Helper()
		at, of := w.session()
		m := w.mark(w.stops[w.stop()])
		if got := w.state.Points[of[at]].ID; m != (mark{0, panel, series, x}) || got != id {
			t.Errorf("selected is %+v with %q, want panel %d, %s at %g with %q", m, got, panel, series, x, id)
		}
	}
	here(0, "SGLD", 2, "SGLD eps=2 seed=1")
	press(w, tea.KeyRight)
	here(0, "SGLD", 2, "SGLD eps=2 seed=1")
	press(w, tea.KeyLeft)
	here(0, "SGLD", 1, "SGLD eps=1 seed=1")
	press(w, tea.KeyUp)
	here(0, "pSGLD", 1, "pSGLD eps=1 seed=1")
	press(w, tea.KeyEnd)
	here(0, "pSGLD", 4, "pSGLD eps=4 seed=1")
	press(w, tea.KeyDown)
	here(0, "SGLD", 2, "SGLD eps=2 seed=1")
	press(w, tea.KeyDown)
	here(1, "pSGLD", 2, "pSGLD eps=2 seed=1")
	goldentest.Text(t, "points", w.text())
	press(w, tea.KeyTab)
	press(w, tea.KeyTab)
	here(1, "pSGLD", 2, "pSGLD eps=2 seed=3")
	w.Update(tea.KeyPressMsg{Text: "?", Code: '?'})
	goldentest.Text(t, "keys", w.text())
	w.Update(tea.KeyPressMsg{Text: "?", Code: '?'})
	s := w.stops[0]
	w.Update(tea.MouseClickMsg{X: s.X + 1, Y: s.Y + headRows - w.top, Button: tea.MouseLeft})
	here(0, "pSGLD", 1, "pSGLD eps=1 seed=1")
	press(w, tea.KeyTab)
	if cmd := press(w, tea.KeyEnter); cmd == nil || !w.opened || w.id != "pSGLD eps=1 seed=2" {
		t.Errorf("enter opens %q", w.id)
	}
}
