// Package settings is the controller of what the screen looks like as far as that is kept between
// sessions: its colours, its characters, and how often it is drawn.
package settings

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

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

func (c *Settings) Bindings() []control.Binding {
	says := word("says", "the line under the header: on or off", c.keep(&c.Settings.Says,
		func(s prefs.Settings) any { return s.Says }, map[string]string{
			"on": "the line under the header says what matters most", "off": "no line under the header"}))
	says.Examples = []string{":says off: no line under the header"}
	return []control.Binding{
		says,
		control.Of("set", "colours, characters and frames of the screen", []control.Binding{
			word("theme", "colours: auto, dark, light", c.setTheme),
			word("palette", "colours; okabe-ito and tol suit the colour-blind", c.setPalette),
			word("octants", "dots as block octants, where the terminal draws them", c.setOctants),
			word("graphics", "densities and images as pixels, where the terminal draws them", c.setGraphics),
			word("draws", "thinned by their autocorrelation, or the newest", c.keep(&c.Settings.Draws,
				func(s prefs.Settings) any { return s.Draws }, map[string]string{
					"thinned": "scatter, histograms and traces reach as far back as the autocorrelation asks for",
					"newest":  "scatter, histograms and traces show the newest draws as they came"})),
			word("rest", "pause by itself where more draws change nothing", c.keep(&c.Settings.Rest,
				func(s prefs.Settings) any { return s.Rest }, map[string]string{
					"auto": "the session pauses by itself where more draws would change no digit",
					"off":  "the session runs until it is paused"})),
			word("ascii", "printable ASCII only", c.setASCII),
			{Name: "fps", Help: "frames a second, 1 to 60; fewer on a slow line", With: c.parseFPS},
		}, ":set palette tol: other colours for the colour-blind", ":set ascii on: printable ASCII only",
			":set fps 10: draw fewer frames, on a slow line"),
	}
}

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

// word is the command that takes one of the words of a setting.
func word(name, help string, set func(string) tea.Cmd) control.Binding {
	allowed := prefs.Words(name)
	if name == "ascii" { // which is true or false in the file
		allowed = []string{"on", "off"}
	}
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
