package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// settings are what is kept between sessions.
type settings struct {
	path   string // of the file, empty for none
	kept   prefs.Settings
	start  prefs.Settings // what the session began with
	broken error          // why the file was not read; it is then left as it is
	fixed  bool           // the user has said on the screen what the background is
}

// openSettings reads the settings and puts them where the options leave it to
// the user.
func openSettings(o *Options) settings {
	s := settings{path: o.Settings, kept: prefs.Default()}
	if s.path != "" {
		s.kept, s.broken = prefs.Read(s.path, viewNames())
	}
	if o.FPS <= 0 && s.path != "" {
		o.FPS = s.kept.FPS
	}
	if o.Dark == nil && s.kept.Theme != "auto" {
		dark := s.kept.Theme == "dark"
		o.Dark = &dark
	}
	o.ASCII = o.ASCII || s.kept.ASCII
	o.unicode = s.kept.Unicode
	return s
}

func viewNames() (names []string) {
	for _, v := range panel.Views(nil) {
		names = append(names, v.Name)
	}
	return names
}

// apply gives a new screen what was kept, and says what is wrong with the file.
func (m *model) apply() tea.Cmd {
	k := &m.settings.kept
	p, _ := theme.ParsePalette(k.Palette)
	if m.Focus.Overlay = k.Overlay; k.Projector {
		m.Focus.Project(true)
	}
	m.Restyle(func(l *theme.Look) { l.Palette, l.Thick = p, k.Projector })
	var cmd tea.Cmd
	if m.opts.Lesson == nil { // which begins with a view and axes of its own
		m.Focus.LogX, m.Focus.LinearY = k.LogX, !k.LogY
		m.Focus.X = pane.XAxis(max(slices.Index(prefs.XAxes(), k.XAxis), 0))
		cmd = m.show(max(slices.Index(viewNames(), k.View), 0))
		m.Focus.Begin()
	}
	if why := m.opts.asciiOnly(); why != "" && !m.opts.ASCII && !m.opts.unicode {
		cmd = tea.Batch(cmd, m.Say(false, "printable ASCII only, for "+why+"; "+m.Key("command …")+"ascii off draws in Unicode"))
	}
	m.settings.start = m.current()
	if k.Overlay && len(m.Feed.Snap.Lanes) > 1 {
		cmd = tea.Batch(cmd, m.Say(false, "lanes over each other, as they were left; "+m.Key("lanes over each other")+" sets them side by side"))
	}
	if k.Projector {
		// It was left on, and has no line of keys that says how to leave it.
		cmd = tea.Batch(cmd, m.Say(false, m.projecting()))
	}
	if err := m.settings.broken; err != nil {
		cmd = tea.Batch(cmd, m.Say(true, fmt.Sprintf("the settings are left out: %v", err)))
	}
	return cmd
}

// current are the settings of the screen as it is. The view at the start is the
// file's alone: whoever starts the program looks at the stage, unless they wrote
// otherwise there.
func (m *model) current() prefs.Settings {
	l := &m.Theme.Look
	background := "auto"
	if m.opts.Dark != nil {
		background = map[bool]string{true: "dark", false: "light"}[*m.opts.Dark]
	}
	return prefs.Settings{
		Theme: background, Palette: l.Palette.String(), ASCII: l.ASCII, Unicode: !l.ASCII && m.opts.asciiOnly() != "", Projector: m.Focus.Projector,
		FPS: int(time.Second / m.Feed.Interval), View: m.settings.kept.View, XAxis: prefs.XAxes()[m.Focus.X],
		LogX: m.Focus.LogX, LogY: !m.Focus.LinearY, Overlay: m.Focus.Overlay && !m.Focus.ForProjector,
	}
}

// keep writes the file if the user has changed a setting. What an option of this
// session said is not kept.
func (m *model) keep() error {
	s := &m.settings
	if s.path == "" || s.broken != nil {
		return nil
	}
	out := m.kept()
	if out == s.kept {
		return nil
	}
	if err := prefs.Write(s.path, out); err != nil {
		return fmt.Errorf("the settings are not kept: %w", err)
	}
	return nil
}

// kept are the settings that the next start begins with.
func (m *model) kept() prefs.Settings {
	s := &m.settings
	now, out := m.current(), s.kept
	changed(&out.Theme, s.start.Theme, now.Theme)
	changed(&out.Palette, s.start.Palette, now.Palette)
	changed(&out.ASCII, s.start.ASCII, now.ASCII)
	changed(&out.Unicode, s.start.Unicode, now.Unicode)
	changed(&out.Projector, s.start.Projector, now.Projector)
	changed(&out.FPS, s.start.FPS, now.FPS)
	changed(&out.XAxis, s.start.XAxis, now.XAxis)
	changed(&out.LogX, s.start.LogX, now.LogX)
	changed(&out.LogY, s.start.LogY, now.LogY)
	changed(&out.Overlay, s.start.Overlay, now.Overlay)
	return out
}

// unkept takes what the view looks like for what the session began with.
func (m *model) unkept() {
	now, start := m.current(), &m.settings.start
	start.View, start.XAxis, start.LogX, start.LogY = now.View, now.XAxis, now.LogX, now.LogY
}

// sayKept says what a setting is, and whether the next start begins with it: what an
// option or the terminal has said is not kept.
func (m *model) sayKept(text string, setting func(prefs.Settings) any) tea.Cmd {
	if s := &m.settings; s.path != "" && s.broken == nil && setting(m.kept()) == setting(m.current()) {
		text += " (kept for the next start)"
	}
	return m.Say(false, text)
}

// changed sets dst if the session has changed a setting.
func changed[T comparable](dst *T, start, now T) {
	if start != now {
		*dst = now
	}
}

// nextTheme goes from what the terminal says to dark, to light and back.
func (m *model) nextTheme() tea.Cmd {
	all := prefs.Themes()
	return m.setTheme(all[(slices.Index(all, m.current().Theme)+1)%len(all)])
}

// setTheme sets the background for which colours are chosen.
func (m *model) setTheme(name string) tea.Cmd {
	m.opts.Dark, m.settings.fixed = nil, name != "auto"
	var ask tea.Cmd
	if name == "auto" {
		ask = tea.RequestBackgroundColor
	} else {
		dark := name == "dark"
		m.opts.Dark = &dark
		m.SetDark(dark)
	}
	text := "colours for a " + name + " background"
	switch {
	case name == "auto":
		text = "colours as the terminal's background is"
	case m.Theme.NoColor:
		text += ", where there is colour"
	}
	return tea.Batch(ask, m.sayKept(text, func(s prefs.Settings) any { return s.Theme }))
}

func (m *model) setASCII(on bool) tea.Cmd {
	m.Restyle(func(l *theme.Look) { l.ASCII = on })
	m.screen.plane.ASCII = on
	if on {
		return m.sayKept("printable ASCII only", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
	}
	return m.sayKept("Unicode", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
}

// setFPS sets how often the screen looks for a new snapshot.
func (m *model) setFPS(n int) tea.Cmd {
	m.Feed.Interval = time.Second / time.Duration(n)
	return m.sayKept(fmt.Sprintf("%d frames a second", n), func(s prefs.Settings) any { return s.FPS })
}

// lookVerbs are the palette's commands for what the screen looks like.
func (m *model) lookVerbs() []control.Binding {
	pane := func(p pane.Shown) func() tea.Cmd { return func() tea.Cmd { m.FocusPane(p); return nil } }
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
		{Name: "pane", Help: "give a pane of this view the attention", With: func(arg string) (func() tea.Cmd, error) {
			for _, p := range m.Panes.All() {
				if strings.EqualFold(p.Name, arg) || strings.EqualFold(m.titleOf(p), arg) {
					return pane(p), nil
				}
			}
			return nil, fmt.Errorf("this view has no pane %q", arg)
		}, Offer: func() (all []control.Choice) {
			for _, p := range m.Panes.All() {
				all = append(all, control.Choice{Name: m.titleOf(p), Take: pane(p)})
			}
			return all
		}},
	}
}

func onOff() []string { return []string{"on", "off"} }

func (m *model) turnASCII(word string) tea.Cmd { return m.setASCII(word == "on") }

func (m *model) setPalette(name string) tea.Cmd {
	p, _ := theme.ParsePalette(name)
	m.Restyle(func(l *theme.Look) { l.Palette = p })
	return m.sayKept("palette "+name, func(s prefs.Settings) any { return s.Palette })
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
