package keep

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// begin gives a new screen what was kept, and says what is wrong with the file.
func (c *Keep) begin() tea.Cmd {
	c.seen = c.Now()
	k := &c.Settings.Kept
	p, _ := theme.ParsePalette(k.Palette)
	if c.Focus.Overlay = k.Overlay; k.Projector {
		c.Focus.Project(true)
	}
	c.Restyle(func(l *theme.Look) { l.Palette, l.Thick, l.Cell = p, k.Projector, k.Cell })
	c.Settings.Octants = k.Octants
	c.DrawDots()
	var cmd tea.Cmd
	if !c.screen.Lesson {
		c.Focus.Begin()
	}
	c.Settings.Start = c.Current()
	if why := c.Settings.ASCII; why != "" && c.Theme.ASCII && !k.ASCII && !c.screen.ASCII {
		cmd = tea.Batch(cmd, c.Say(false, "printable ASCII only, because of "+why+"; "+c.Key("set")+" ascii off draws in Unicode"))
	}
	if k.Overlay && len(c.Feed.Newest.Lanes) > 1 {
		cmd = tea.Batch(cmd, c.Say(false, "lanes overlaid, as they were left; :layout all sets them side by side"))
	}
	if k.Projector {
		// It was left on, and has no line of keys that says how to leave it.
		cmd = tea.Batch(cmd, c.Say(false, c.Projecting()))
	}
	if wrong := c.Settings.WrongKeys; len(wrong) > 0 {
		cmd = tea.Batch(cmd, c.Say(true, filepath.Base(c.Settings.Path)+": keys: "+strings.Join(wrong, "; ")))
	}
	if c.Settings.Unread != nil {
		cmd = tea.Batch(cmd, c.Say(true, fmt.Sprintf("the settings file is ignored: %v", c.Settings.Unread)))
	}
	return cmd
}

// writeSettings writes the file if the user has changed a setting. What an option of this
// session said is not kept.
func (c *Keep) writeSettings() error {
	out := c.Keeping()
	if !c.Settings.Keepable() || reflect.DeepEqual(out, c.Settings.Kept) {
		return nil
	}
	if err := prefs.Write(c.Settings.Path, out); err != nil {
		return fmt.Errorf("the settings are not kept: %w", err)
	}
	return nil
}

// setTheme sets the background for which colours are chosen.
func (c *Keep) setTheme(name string) tea.Cmd {
	c.Settings.Dark, c.Settings.Fixed = nil, name != "auto"
	var ask tea.Cmd
	if name == "auto" {
		ask = tea.RequestBackgroundColor
	} else {
		dark := name == "dark"
		c.Settings.Dark = &dark
		c.SetDark(dark)
	}
	text := "colours for a " + name + " background"
	switch {
	case name == "auto":
		text = "colours for the terminal's own background"
	case c.Theme.NoColor:
		text += ", where there is colour"
	}
	return tea.Batch(ask, c.SayKept(text, func(s prefs.Settings) any { return s.Theme }))
}

func (c *Keep) setASCII(word string) tea.Cmd {
	on := word == "on"
	c.Restyle(func(l *theme.Look) { l.ASCII = on })
	c.Plane.ASCII = on
	if on {
		return c.SayKept("printable ASCII only", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
	}
	return c.SayKept("Unicode", func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
}

func (c *Keep) setOctants(word string) tea.Cmd {
	c.Settings.Octants = word
	c.DrawDots()
	text := "dots are braille patterns"
	if c.Theme.Octants {
		text = "dots are octants: if they show as boxes or question marks, " + c.Key("set") + " octants off"
	}
	return c.SayKept(text, func(s prefs.Settings) any { return s.Octants })
}

func (c *Keep) setGraphics(word string) tea.Cmd {
	c.Plane.NoImages = word == "off"
	text := "images and densities of characters"
	switch {
	case c.Plane.NoImages:
	case c.Plane.Images != nil:
		text = "images and densities as pixels, where the terminal has Kitty's graphics protocol"
	default:
		text = "images and densities as pixels from the next start, where the terminal has Kitty's graphics protocol"
	}
	return c.SayKept(text, func(s prefs.Settings) any { return s.Graphics })
}

func (c *Keep) setPalette(name string) tea.Cmd {
	p, _ := theme.ParsePalette(name)
	c.Restyle(func(l *theme.Look) { l.Palette = p })
	return c.SayKept("palette "+name, func(s prefs.Settings) any { return s.Palette })
}

// word is the command that takes one of some words.
func word(name, help string, allowed []string, set func(string) tea.Cmd) control.Binding {
	return control.Binding{Name: name, Help: help, With: func(arg string) (func() tea.Cmd, error) {
		if !slices.Contains(allowed, arg) {
			return nil, fmt.Errorf("must be %s, got %q", strings.Join(allowed, ", "), arg)
		}
		return func() tea.Cmd { return set(arg) }, nil
	}, Offer: func() (all []control.Choice) {
		for _, w := range allowed {
			all = append(all, control.Choice{Name: w, Take: func() tea.Cmd { return set(w) }})
		}
		return all
	}}
}

// parseFPS reads how often the screen looks for a new snapshot.
func (c *Keep) parseFPS(text string) (func() tea.Cmd, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < prefs.MinFPS || n > prefs.MaxFPS {
		return nil, fmt.Errorf("must be %d to %d, got %q", prefs.MinFPS, prefs.MaxFPS, text)
	}
	return func() tea.Cmd {
		c.Feed.Interval = time.Second / time.Duration(n)
		return c.SayKept(fmt.Sprintf("%d frames a second", n), func(s prefs.Settings) any { return s.FPS })
	}, nil
}
