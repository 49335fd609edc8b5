// Package settings is the controller of what the screen looks like as far as that is kept between
// sessions: its colours, its characters, and how often it is drawn.
package settings

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Settings is the controller. What it sets is the desk's, and what the terminal says of itself
// decides where the user does not.
type Settings struct {
	*control.Desk
	control.Unseen
	ascii, lesson bool
	fixed         bool // the user has said on the screen what the background is
	drawsOctants  bool // the terminal is known to
}

// New makes the controller of a desk. With ascii an option asks for printable ASCII, and with
// lesson one begins, with a view and axes of its own.
func New(d *control.Desk, ascii, lesson bool) *Settings {
	return &Settings{Desk: d, ascii: ascii, lesson: lesson}
}

// Bindings implements control.Controller.
func (c *Settings) Bindings() []control.Binding {
	says := word("says", "the line under the header: on or off", prefs.Says(), c.keep(&c.Settings.Says,
		func(s prefs.Settings) any { return s.Says }, map[string]string{
			"on": "the line under the header says what matters most", "off": "no line under the header"}))
	says.Examples = []string{":says off: no line under the header"}
	return []control.Binding{
		says,
		control.Of("set", "colours, characters and frames of the screen", []control.Binding{
			word("theme", "colours: auto, dark, light", prefs.Themes(), c.setTheme),
			word("palette", "colours; okabe-ito and tol suit the colour-blind", theme.Palettes(), c.setPalette),
			word("octants", "dots as block octants, where the terminal draws them", prefs.Octants(), c.setOctants),
			word("graphics", "densities and images as pixels, where the terminal draws them", prefs.Graphics(),
				c.setGraphics),
			word("draws", "thinned by their autocorrelation, or the newest", prefs.Draws(), c.keep(&c.Settings.Draws,
				func(s prefs.Settings) any { return s.Draws }, map[string]string{
					"thinned": "scatter, histograms and traces reach as far back as the autocorrelation asks for",
					"newest":  "scatter, histograms and traces show the newest draws as they came"})),
			word("rest", "pause by itself where more draws change nothing", prefs.Rest(), c.keep(&c.Settings.Rest,
				func(s prefs.Settings) any { return s.Rest }, map[string]string{
					"auto": "the session pauses by itself where more draws would change no digit",
					"off":  "the session runs until it is paused"})),
			word("ascii", "printable ASCII only", []string{"on", "off"}, c.setASCII),
			{Name: "fps", Help: "frames a second, 1 to 60; fewer on a slow line", With: c.parseFPS},
		}, ":set palette tol: other colours for the colour-blind", ":set ascii on: printable ASCII only",
			":set fps 10: draw fewer frames, on a slow line"),
	}
}

// Update implements control.Controller.
func (c *Settings) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		return c.begin(), true
	case control.EndMsg:
		if err := c.write(); err != nil && msg.Failed != nil {
			msg.Failed(err)
		}
	case tea.BackgroundColorMsg:
		if !c.fixed {
			c.setDark(msg.IsDark())
		}
	case tea.ColorProfileMsg:
		c.Restyle(func(l *theme.Look) {
			l.NoColor = l.NoColor || msg.Profile <= colorprofile.ASCII
			switch msg.Profile {
			case colorprofile.ANSI:
				l.Depth = theme.Basic
			case colorprofile.ANSI256:
				l.Depth = theme.Indexed
			}
		})
	case tea.TerminalVersionMsg:
		c.drawsOctants = drawsOctants(msg.Name)
		c.drawDots()
	default:
		return nil, false
	}
	return nil, true
}

// begin gives a new screen what was kept, and says what is wrong with the file.
func (c *Settings) begin() tea.Cmd {
	k := &c.Settings.Kept
	p, _ := theme.ParsePalette(k.Palette)
	if c.Focus.Overlay = k.Overlay; k.Projector {
		c.Focus.Project(true)
	}
	c.Restyle(func(l *theme.Look) { l.Palette, l.Thick, l.Cell = p, k.Projector, k.Cell })
	c.Settings.Octants, c.Settings.Draws, c.Settings.Rest, c.Settings.Says = k.Octants, k.Draws, k.Rest, k.Says
	c.drawDots()
	if !c.lesson {
		c.Focus.Begin()
	}
	c.Settings.Start = c.Current()
	ascii, wrong := c.Settings.ASCII, c.Settings.WrongKeys
	switch {
	case c.Settings.Unread != nil:
		return c.Say(true, fmt.Sprintf("the settings file is ignored: %v", c.Settings.Unread))
	case len(wrong) > 0:
		return c.Say(true, filepath.Base(c.Settings.Path)+": keys: "+strings.Join(wrong, "; "))
	case k.Projector: // it was left on, and has no line of keys that says how to leave it
		return c.Say(false, c.Keys.Projecting())
	case k.Overlay && len(c.Feed.Newest.Lanes) > 1:
		return c.Say(false, "lanes overlaid, as they were left; :layout all sets them side by side")
	case ascii != "" && c.Theme.ASCII && !k.ASCII && !c.ascii:
		return c.Say(false, "printable ASCII only, because of "+ascii+"; "+c.Keys.First("set")+
			" ascii off draws in Unicode")
	}
	return nil
}

// write writes the file if the user has changed a setting. What an option of this session said is not kept.
func (c *Settings) write() error {
	out := c.Settings.Keeping(c.Current())
	if !c.Settings.Keepable() || reflect.DeepEqual(out, c.Settings.Kept) {
		return nil
	}
	if err := prefs.Merge(c.Settings.Path, c.Settings.Kept, out); err != nil {
		return fmt.Errorf("the settings are not kept: %w", err)
	}
	return nil
}
