package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// setTheme sets the background for which colours are chosen.
func (c *Settings) setTheme(name string) tea.Cmd {
	kept := func(s prefs.Settings) any { return s.Theme }
	c.Settings.Dark, c.fixed = nil, name != "auto"
	if !c.fixed {
		return tea.Batch(tea.RequestBackgroundColor, c.SayKept("colours for the terminal's own background", kept))
	}
	dark := name == "dark"
	c.Settings.Dark = &dark
	c.setDark(dark)
	text := "colours for a " + name + " background"
	if c.Theme.NoColor {
		text += ", where there is colour"
	}
	return c.SayKept(text, kept)
}

func (c *Settings) setDark(dark bool) { c.Restyle(func(l *theme.Look) { l.Dark = dark }) }

func (c *Settings) setASCII(word string) tea.Cmd {
	on := word == "on"
	c.Restyle(func(l *theme.Look) { l.ASCII = on })
	c.Screen.Plane.ASCII = on
	return c.SayKept(map[bool]string{true: "printable ASCII only", false: "Unicode"}[on],
		func(s prefs.Settings) any { return [2]bool{s.ASCII, s.Unicode} })
}

// drawDots draws dots as octants or as braille patterns, as the settings and the terminal have it.
func (c *Settings) drawDots() {
	on := c.Settings.Octants == "on" || c.Settings.Octants == "auto" && c.drawsOctants
	c.Restyle(func(l *theme.Look) { l.Octants = on })
	c.Screen.Plane.Octants = on
}

func (c *Settings) setOctants(word string) tea.Cmd {
	c.Settings.Octants = word
	c.drawDots()
	text := "dots are braille patterns"
	if c.Theme.Octants {
		text = "dots are octants: if they show as boxes or question marks, " + c.Keys.First("set") + " octants off"
	}
	return c.SayKept(text, func(s prefs.Settings) any { return s.Octants })
}

func (c *Settings) setGraphics(word string) tea.Cmd {
	c.Screen.Plane.NoImages = word == "off"
	text := "images and densities of characters"
	switch {
	case c.Screen.Plane.NoImages:
	case c.Screen.Plane.Images != nil:
		text = "images and densities as pixels, where the terminal has Kitty's graphics protocol"
	default:
		text = "images and densities as pixels from the next start, where the terminal has Kitty's graphics protocol"
	}
	return c.SayKept(text, func(s prefs.Settings) any { return s.Graphics })
}

// keep sets a setting to a word, and says what each means.
func (c *Settings) keep(it *string, kept func(prefs.Settings) any, says map[string]string) func(string) tea.Cmd {
	return func(word string) tea.Cmd {
		*it = word
		return c.SayKept(says[word], kept)
	}
}

func (c *Settings) setPalette(name string) tea.Cmd {
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
		return control.By(set, arg), nil
	}, Offer: control.Words(allowed, set)}
}

// parseFPS reads how often the screen looks for a new snapshot.
func (c *Settings) parseFPS(text string) (func() tea.Cmd, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < prefs.MinFPS || n > prefs.MaxFPS {
		return nil, fmt.Errorf("must be %d to %d, got %q", prefs.MinFPS, prefs.MaxFPS, text)
	}
	return func() tea.Cmd {
		c.Feed.Interval = time.Second / time.Duration(n)
		return c.SayKept(fmt.Sprintf("%d frames a second", n), func(s prefs.Settings) any { return s.FPS })
	}, nil
}

// ofOctants are the first versions of terminals that draw block octants themselves, whatever
// their font has: each terminal's release notes.
var ofOctants = map[string][2]int{"kitty": {0, 40}, "foot": {1, 20}, "ghostty": {1, 2}, "VTE": {7800, 0}}

// drawsOctants reports whether a terminal of a version, such as kitty(0.40.1), is known to.
func drawsOctants(version string) bool {
	name, numbers, _ := strings.Cut(strings.TrimRight(version, ")"), "(")
	if numbers == "" {
		name, numbers, _ = strings.Cut(version, " ")
	}
	least, known := ofOctants[name]
	var got [2]int
	n, _ := fmt.Sscanf(strings.ReplaceAll(numbers, ".", " "), "%d %d", &got[0], &got[1])
	return known && n > 0 && slices.Compare(got[:], least[:]) >= 0
}
