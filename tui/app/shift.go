package app

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/view/predictions"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/panel"
)

// images reports whether view 5 shows images that can be shifted.
func (m *model) images() bool {
	s := m.Feed.Shown
	return m.Focus.View == predictionsView && s.Shift != nil && len(s.Shift.Kinds) > 0
}

// browsing reports whether keys choose images and shift them.
func (m *model) browsing() bool { return m.Focus.Browse && m.images() }

// browseHint names the keys of that for the view.
func (m *model) browseHint() string {
	return m.Key("browse and shift images") + " arrows choose and shift images · " + m.Key("shift the inputs") + " what to shift by"
}

// toBrowse goes into view 5 where images are chosen and shifted by arrows, or
// out of it.
func (m *model) toBrowse() tea.Cmd {
	if m.browsing() {
		return m.leaveBrowse()
	}
	if m.Feed.Shown.Shift == nil {
		return m.Say(false, "images are browsed of a network: choose one as the target ("+m.Key("target …")+")")
	}
	show := m.show(predictionsView)
	m.Focus.Browse, m.Focus.Read = true, false
	return tea.Batch(show, m.Say(false, "images: "+strings.Join([]string{
		m.Key("images: choose the one before") + m.Key("images: choose the next") + " choose",
		m.Key("images: shift less") + m.Key("images: shift more") + " shift",
		m.Key("shift the inputs") + " by what",
		m.Key("images: leave") + " back",
	}, ", ")))
}

func (m *model) leaveBrowse() tea.Cmd {
	m.Focus.Browse = false
	m.Notices.Clear()
	return nil
}

// imageBy chooses the image that is by places away, around the end.
func (m *model) imageBy(by int) tea.Cmd {
	n := len(m.Feed.Shown.Predictions)
	if n == 0 {
		return m.Say(false, "no prediction yet")
	}
	at := min(max(m.Focus.Image, 0), n-1)
	m.Focus.Image = ((at+by)%n + n) % n
	return m.lookAt()
}

// lookAt has the images around the chosen one shifted, if any are.
func (m *model) lookAt() tea.Cmd {
	v := m.Feed.Shown.Shift
	if v == nil || v.Asked.Kind == targets.NoShift {
		return nil
	}
	return m.shift(v.Asked)
}

// shift has images shifted.
func (m *model) shift(s targets.Shift) tea.Cmd {
	return m.Feed.Send(engine.SetShift{Shift: s, From: m.Focus.Image}, func(snap *engine.Snapshot) {
		if snap.Shift != nil {
			v := *snap.Shift
			v.Asked = s
			snap.Shift = &v
		}
	})
}

// shiftKind goes to the next kind of shift, in view 5.
func (m *model) shiftKind(by int) tea.Cmd {
	s, ok := predictions.NextShift(m.looked(), by)
	if !ok {
		return m.noShift()
	}
	show := m.show(predictionsView)
	c := s.Kind.Scale()
	return tea.Batch(show, m.shift(s), m.Say(false, "inputs: "+c.Name+", "+c.Doc))
}

// shiftBy turns the amount by notches.
func (m *model) shiftBy(notches int) tea.Cmd {
	s, ok := predictions.TurnShift(m.looked(), notches)
	if !ok {
		return m.noShift()
	}
	if s == m.Feed.Shown.Shift.Asked {
		return m.Say(false, fmt.Sprintf("%s %g%s is the end of its scale", s.Kind.Scale().Name, s.Amount, s.Kind.Scale().Unit))
	}
	return m.shift(s)
}

func (m *model) noShift() tea.Cmd {
	return m.Say(false, "only the images of a network can be shifted")
}

// grabShift takes the knob of the shift's slider, if that is at a cell, or
// chooses the image that is there while images are chosen.
func (m *model) grabShift(x, y int) (tea.Cmd, bool) {
	if !m.images() {
		return nil, false
	}
	w, h := m.Width, m.Height
	f, v := m.looked(), m.screen.views[m.Focus.View]
	if _, ok := panel.ShiftHit(v, w, h, f, x, y); ok {
		m.over.shift = true
		return m.slideShift(x, y), true
	}
	if i, ok := panel.ImageAtCell(v, w, h, f, x, y); ok && m.browsing() {
		m.Dirty = true
		m.Focus.Image = i
		return m.lookAt(), true
	}
	return nil, false
}

// slideShift moves the held knob to the place under the mouse.
func (m *model) slideShift(x, y int) tea.Cmd {
	w, h := m.Width, m.Height
	f := m.looked()
	frac, ok := panel.ShiftHit(m.screen.views[m.Focus.View], w, h, f, x, y)
	if !ok {
		return nil
	}
	s, ok := predictions.SlideShift(f, frac)
	if !ok || s == m.Feed.Shown.Shift.Asked {
		return nil
	}
	m.Dirty = true
	return m.shift(s)
}

// wheelImages turns the shift with the wheel over its slider, and browses with it
// over the images.
func (m *model) wheelImages(e tea.Mouse) (tea.Cmd, bool) {
	by := map[tea.MouseButton]int{tea.MouseWheelUp: 1, tea.MouseWheelDown: -1}[e.Button]
	if by == 0 || !m.images() {
		return nil, false
	}
	w, h := m.Width, m.Height
	f, v := m.looked(), m.screen.views[m.Focus.View]
	m.Dirty = true
	if _, ok := panel.ShiftHit(v, w, h, f, e.X, e.Y); ok {
		return m.shiftBy(by), true
	}
	if _, ok := panel.ImageAtCell(v, w, h, f, e.X, e.Y); ok {
		if m.browsing() {
			return m.imageBy(-by), true
		}
		return m.browse(-by), true
	}
	return nil, false
}

// parseShift reads a kind of shift and an amount.
func (m *model) parseShift(arg string) (func() tea.Cmd, error) {
	v := m.Feed.Shown.Shift
	if v == nil {
		return nil, fmt.Errorf("needs a network: only its images can be shifted")
	}
	name, amount, _ := strings.Cut(arg, " ")
	var names []string
	for _, k := range v.Kinds {
		c := k.Scale()
		names = append(names, c.Name)
		if !strings.EqualFold(c.Name, name) {
			continue
		}
		s := predictions.FirstShift(k)
		if amount = strings.TrimSpace(amount); amount != "" {
			x, err := strconv.ParseFloat(amount, 64)
			if err != nil {
				return nil, fmt.Errorf("needs a number, got %q", amount)
			}
			s.Amount = x
			if err := s.Check(); err != nil {
				return nil, err
			}
		}
		return func() tea.Cmd { return tea.Batch(m.show(predictionsView), m.shift(s)) }, nil
	}
	return nil, fmt.Errorf("must be one of %s, and an amount, got %q", strings.Join(names, ", "), arg)
}
