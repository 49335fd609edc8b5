package control

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/prefs"
)

// Settings are what the screen looks like, as far as that is kept between sessions.
type Settings struct {
	Kept  prefs.Settings // what was kept
	Start prefs.Settings // what the session began with
	Path  string         // of their file, empty for none
	// Unread is why the file was not read. It is then left as it is; else a change is kept at the end.
	Unread error
	// WrongKeys is what is wrong with the keys of the settings.
	WrongKeys []string
	// Dark says whether the background is dark, as an option or the user has it; nil where the terminal says so.
	Dark *bool
	// Formulas, and Models, which are commands, are those that were sampled last, the newest first.
	Formulas, Models []string
	// Welcomed says that this start has said which keys to press.
	Welcomed bool
	Octants  string // auto, on or off
	Draws    string // thinned or newest
	Rest     string // auto or off
	Says     string // on or off
	// ASCII is why the terminal is taken to draw printable ASCII alone, empty where it is not.
	ASCII string
}

// Keepable reports whether there is a file where a change is kept.
func (s *Settings) Keepable() bool { return s.Path != "" && s.Unread == nil }

// Current are the settings of the screen as it is.
func (d *Desk) Current() prefs.Settings {
	s, l, f := &d.Settings, &d.Theme.Look, &d.Focus
	background := "auto"
	if s.Dark != nil {
		background = map[bool]string{true: "dark", false: "light"}[*s.Dark]
	}
	graphics := prefs.Words("graphics")[0]
	if d.Screen.Plane.NoImages {
		graphics = "off"
	}
	return prefs.Settings{
		Theme:     background,
		Palette:   l.Palette.String(),
		ASCII:     l.ASCII,
		Unicode:   !l.ASCII && s.ASCII != "",
		Projector: f.Projector,
		FPS:       int(time.Second / d.Feed.Interval),
		Overlay:   f.Overlay && !f.ForProjector,
		Cell:      l.CellRatio(),
		Octants:   s.Octants,
		Draws:     s.Draws,
		Rest:      s.Rest,
		Says:      s.Says,
		Graphics:  graphics,
		Keys:      s.Kept.Keys,
	}
}

// Keeping are the settings that the next start begins with where the present ones are current: those that the user has
// changed, and not what an option of this session said.
func (s *Settings) Keeping(current prefs.Settings) prefs.Settings {
	out := s.Kept
	start, now, kept := reflect.ValueOf(s.Start), reflect.ValueOf(current), reflect.ValueOf(&out).Elem()
	for i := range now.NumField() {
		if !reflect.DeepEqual(start.Field(i).Interface(), now.Field(i).Interface()) {
			kept.Field(i).Set(now.Field(i))
		}
	}
	out.Welcomed = out.Welcomed || s.Welcomed
	out.Formulas, out.Models = s.Formulas, s.Models
	return out
}

// longLast is the longest formula, or command of a model, that is remembered.
const longLast = 1000

// Remember puts a text before the others of a list of the last ones.
func Remember(list *[]string, text string) {
	if len(text) <= longLast {
		all := append([]string{text},
			slices.DeleteFunc(slices.Clone(*list), func(s string) bool { return s == text })...)
		*list = all[:min(len(all), prefs.MostLast)]
	}
}

// SayKept says what a setting is, and whether the next start begins with it: what an
// option or the terminal has said is not kept.
func (d *Desk) SayKept(text string, setting func(prefs.Settings) any) tea.Cmd {
	if now := d.Current(); d.Settings.Keepable() && setting(d.Settings.Keeping(now)) == setting(now) {
		text += " (kept for the next start)"
	}
	return d.Say(false, text)
}
