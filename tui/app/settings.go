package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/tui/control/layout"
	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// openSettings reads the settings and puts them where the options leave it to
// the user. The error says why they were not read.
func openSettings(o *Options) (s control.Settings, broken error) {
	s.Kept = prefs.Default()
	if o.Settings != "" {
		s.Kept, broken = prefs.Read(o.Settings, viewNames())
		s.File = broken == nil // else it is left as it is
		if o.FPS <= 0 {
			o.FPS = s.Kept.FPS
		}
	}
	if o.Dark == nil && s.Kept.Theme != "auto" {
		dark := s.Kept.Theme == "dark"
		o.Dark = &dark
	}
	o.ASCII = o.ASCII || s.Kept.ASCII
	o.unicode = s.Kept.Unicode
	s.Dark, s.ASCII = o.Dark, o.asciiOnly()
	return s, broken
}

func viewNames() (names []string) {
	for _, v := range panel.Views(nil) {
		names = append(names, v.Name)
	}
	return names
}

// apply gives a new screen what was kept, and says what is wrong with the file.
func (m *model) apply() tea.Cmd {
	k := &m.Settings.Kept
	p, _ := theme.ParsePalette(k.Palette)
	if m.Focus.Overlay = k.Overlay; k.Projector {
		m.Focus.Project(true)
	}
	m.Restyle(func(l *theme.Look) { l.Palette, l.Thick = p, k.Projector })
	var cmd tea.Cmd
	if m.opts.Lesson == nil { // which begins with a view and axes of its own
		m.Focus.LogX, m.Focus.LinearY = k.LogX, !k.LogY
		m.Focus.X = pane.XAxis(max(slices.Index(prefs.XAxes(), k.XAxis), 0))
		cmd = m.Show(max(slices.Index(viewNames(), k.View), 0))
		m.Focus.Begin()
	}
	if why := m.Settings.ASCII; why != "" && !m.opts.ASCII && !m.opts.unicode {
		cmd = tea.Batch(cmd, m.Say(false, "printable ASCII only, for "+why+"; "+m.Key("command …")+"ascii off draws in Unicode"))
	}
	m.Settings.Start = m.Current()
	if k.Overlay && len(m.Feed.Snap.Lanes) > 1 {
		cmd = tea.Batch(cmd, m.Say(false, "lanes over each other, as they were left; "+m.Key("lanes over each other")+" sets them side by side"))
	}
	if k.Projector {
		// It was left on, and has no line of keys that says how to leave it.
		cmd = tea.Batch(cmd, m.Say(false, layout.Projecting(m.Desk)))
	}
	if err := m.broken; err != nil {
		cmd = tea.Batch(cmd, m.Say(true, fmt.Sprintf("the settings are left out: %v", err)))
	}
	return cmd
}

// keep writes the file if the user has changed a setting. What an option of this
// session said is not kept.
func (m *model) keep() error {
	out := m.Keeping()
	if !m.Settings.File || out == m.Settings.Kept {
		return nil
	}
	if err := prefs.Write(m.opts.Settings, out); err != nil {
		return fmt.Errorf("the settings are not kept: %w", err)
	}
	return nil
}

// nextTheme goes from what the terminal says to dark, to light and back.
func (m *model) nextTheme() tea.Cmd {
	all := prefs.Themes()
	return m.setTheme(all[(slices.Index(all, m.Current().Theme)+1)%len(all)])
}

// setTheme sets the background for which colours are chosen.
func (m *model) setTheme(name string) tea.Cmd {
	m.Settings.Dark, m.Settings.Fixed = nil, name != "auto"
	var ask tea.Cmd
	if name == "auto" {
		ask = tea.RequestBackgroundColor
	} else {
		dark := name == "dark"
		m.Settings.Dark = &dark
		m.SetDark(dark)
	}
	text := "colours for a " + name + " background"
	switch {
	case name == "auto":
		text = "colours as the terminal's background is"
	case m.Theme.NoColor:
		text += ", where there is colour"
	}
	return tea.Batch(ask, m.SayKept(text, func(s prefs.Settings) any { return s.Theme }))
}

func (m *model) setASCII(on bool) tea.Cmd {
	m.Restyle(func(l *theme.Look) { l.ASCII = on })
	m.Plane.ASCII = on
	if on {
		return m.SayKept("printable ASCII only", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
	}
	return m.SayKept("Unicode", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
}

// setFPS sets how often the screen looks for a new snapshot.
func (m *model) setFPS(n int) tea.Cmd {
	m.Feed.Interval = time.Second / time.Duration(n)
	return m.SayKept(fmt.Sprintf("%d frames a second", n), func(s prefs.Settings) any { return s.FPS })
}

// lookVerbs are the palette's commands for what the screen looks like.
func (m *model) lookVerbs() []control.Binding {
	return []control.Binding{
		word("palette", "colours: okabe-ito and tol for the colour-blind, contrast", theme.Palettes(), m.setPalette),
		word("ascii", "on or off: printable ASCII only", onOff(), m.turnASCII),
		{Name: "fps", Help: "frames a second, 1 to 60; fewer for a slow line", With: func(arg string) (func() tea.Cmd, error) {
			n, err := strconv.Atoi(arg)
			if err != nil || n < prefs.MinFPS || n > prefs.MaxFPS {
				return nil, fmt.Errorf("must be %d to %d, got %q", prefs.MinFPS, prefs.MaxFPS, arg)
			}
			return func() tea.Cmd { return m.setFPS(n) }, nil
		}},
	}
}

func onOff() []string { return []string{"on", "off"} }

func (m *model) turnASCII(word string) tea.Cmd { return m.setASCII(word == "on") }

func (m *model) setPalette(name string) tea.Cmd {
	p, _ := theme.ParsePalette(name)
	m.Restyle(func(l *theme.Look) { l.Palette = p })
	return m.SayKept("palette "+name, func(s prefs.Settings) any { return s.Palette })
}

// word is the command that takes one of some words.
func word(name, help string, allowed []string, set func(string) tea.Cmd) control.Binding {
	return control.Binding{Name: name, Help: help, With: func(arg string) (func() tea.Cmd, error) {
		if !slices.Contains(allowed, arg) {
			return nil, fmt.Errorf("%s must be %s, got %q", name, strings.Join(allowed, ", "), arg)
		}
		return func() tea.Cmd { return set(arg) }, nil
	}, Offer: func() (all []control.Choice) {
		for _, w := range allowed {
			all = append(all, control.Choice{Name: w, Take: func() tea.Cmd { return set(w) }})
		}
		return all
	}}
}
