package app

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/sweep"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// longer makes cells longer or shorter, by 1, 2, 5, 10, …
func (m *model) longer(by int) tea.Cmd {
	s := &m.sweep
	if s.grid == nil {
		return m.Say(false, "no grid is shown yet")
	}
	now := float64(s.grid.sweep.Config.Steps)
	z := s.size
	if by > 0 {
		z.steps = max(round125(2*now), round125(2.5*now))
	} else {
		z.steps = round125(0.99999 * now)
	}
	if z.steps = min(max(z.steps, leastSteps), mostSteps); float64(z.steps) == now {
		return m.Say(false, fmt.Sprintf("cells have from %s to %s steps", plane.Count(leastSteps), plane.Count(mostSteps)))
	}
	return m.resizeGrid(z)
}

// moveCell moves the cursor.
func (m *model) moveCell(by int) tea.Cmd {
	s := &m.sweep
	if s.data == nil || len(s.data.Values) == 0 {
		return m.Say(false, "no grid is shown yet")
	}
	s.at = min(max(s.at+by, 0), len(s.data.Values)-1)
	m.Focus.Cross = pane.Cross{} // the cursor's numbers, and not those under the mouse
	return nil
}

// clickCell puts the cursor on a cell, and jumps to it at the second of two clicks.
func (m *model) clickCell(x, y int, twice bool) (tea.Cmd, bool) {
	s := &m.sweep
	if m.Focus.View != control.Sweep || s.data == nil {
		return nil, false
	}
	p, ok := m.Panes.At(x, y)
	if !ok {
		return nil, false
	}
	i, ok := sweep.CellAt(p, x, y)
	if !ok {
		return nil, false
	}
	m.FocusPane(p)
	if twice && i == s.at {
		return m.jump(), true
	}
	m.Dirty = true
	s.at = min(max(i, 0), len(s.data.Values)-1)
	return nil, true
}

// jump takes the session to the cell under the cursor: it gets the cell's value and
// begins again on its seed, which makes it that very session. A session that is
// paused runs as far as the cell did.
func (m *model) jump() tea.Cmd {
	s := &m.sweep
	if s.grid == nil || s.data == nil || s.at >= len(s.data.Values) {
		return m.Say(false, "no grid is shown yet")
	}
	p, c := s.grid.param, &s.grid.sweep.Config
	x := s.data.Values[s.at]
	snap := m.Feed.Shown
	paused := snap.Phase == engine.Paused
	turned := false
	for i := range snap.Lanes {
		if l := &snap.Lanes[i].Setting; l.Has(p.Key) && l.Value(p.Key) != x {
			turned = true
		}
	}
	var set, run tea.Cmd
	if turned {
		set = m.Feed.Send(engine.SetParam{Lane: engine.AllLanes, Key: p.Key, Value: x}, func(s *engine.Snapshot) {
			for i := range s.Lanes {
				if l := &s.Lanes[i]; l.Setting.Has(p.Key) {
					l.Setting = l.Setting.With(p.Key, x)
				}
			}
		})
	}
	again := m.Feed.Restart(c.Seed)
	text := fmt.Sprintf("the session is the cell's: %s %s, seed %d", p.Symbol, sweep.ValueText(s.data, s.at), c.Seed)
	if paused {
		run = m.Feed.Send(engine.StepBy{N: c.Steps}, nil)
		text += ", " + plane.Count(c.Steps) + " steps"
	}
	sep := "; "
	if m.Feed.Snap.Tape.At > 0 {
		text += fmt.Sprintf("; %s %s goes back to what ran", m.Key("tape: go along the session"), m.Key("tape: the last turn"))
		sep = ", "
	}
	if turned {
		text += sep + m.Key("undo") + " turns " + p.Symbol + " back"
	}
	return tea.Batch(set, again, run, m.Say(false, text))
}

// sweepVerb is the palette's command for the size of a grid.
func (m *model) sweepVerb() control.Binding {
	return control.Binding{
		Name: "grid", Help: "of view 6: cells N, steps N or seeds N; 0 for the usual",
		With: func(arg string) (func() tea.Cmd, error) {
			what, n, _ := strings.Cut(arg, " ")
			z := m.sweep.size
			var least, most int
			var set func(int)
			switch what {
			case "cells":
				least, most, set = leastPoints, mostPoints, func(n int) { z.points = n }
			case "steps":
				least, most, set = leastSteps, mostSteps, func(n int) { z.steps = uint64(n) }
			case "seeds":
				least, most, set = 1, mostSeeds, func(n int) { z.seeds = n }
			default:
				return nil, fmt.Errorf("must be cells N, steps N or seeds N, got %q", arg)
			}
			k, err := strconv.Atoi(strings.TrimSpace(n))
			if err != nil || k != 0 && (k < least || k > most) {
				return nil, fmt.Errorf("%s must be %d to %d, or 0 for the usual, got %q", what, least, most, n)
			}
			set(k)
			return func() tea.Cmd { return m.resizeGrid(z) }, nil
		},
	}
}
