// Package prefs keeps what a user wants the screen to look like between
// sessions: a small TOML file in the XDG folder of configuration.
package prefs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/regular"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/tomlfile"
)

// Settings are what the file holds.
type Settings struct {
	Theme     string `toml:"theme" comment:"auto, dark or light"`
	Palette   string `toml:"palette" comment:"okabe-ito, tol or contrast; each is safe for colour-blind eyes"`
	ASCII     bool   `toml:"ascii" comment:"printable ASCII only"`
	Unicode   bool   `toml:"unicode" comment:"Unicode even where the terminal seems to draw ASCII alone"`
	Octants   string `toml:"octants" comment:"dots as block octants (Unicode 16): auto where the terminal is known to draw them, on or off"`
	Graphics  string `toml:"graphics" comment:"auto or off: images as pixels, where the terminal has Kitty's graphics protocol"`
	Draws     string `toml:"draws" comment:"thinned: what is shown reaches as far back as the autocorrelation asks for; newest: the newest draws"`
	Rest      string `toml:"rest" comment:"auto: pause where more draws would change no digit and no key was pressed for a minute; or off"`
	Says      string `toml:"says" comment:"on or off: the line under the header that says what matters most"`
	Projector bool   `toml:"projector" comment:"one big pane with thick lines"`
	FPS       int    `toml:"fps" comment:"frames a second, 1 to 60; fewer for a slow line"`
	Overlay   bool   `toml:"overlay" comment:"the stage's lanes over each other"`
	// Cell is what makes a circle round: planes of draws have equal units on both axes.
	Cell     float64 `toml:"cell" comment:"height of a character cell over its width, 1 to 4; measure a circle on the stage to set it"`
	Welcomed bool    `toml:"welcomed" comment:"the first start has said which keys to press"`
	// Formulas are those that were sampled last, the newest first.
	Formulas []string `toml:"formulas,omitempty" comment:"the formulas that were sampled last, with their values"`
	// Models are the commands of models that were sampled last, the newest first.
	Models []string `toml:"models,omitempty" comment:"the commands of models that were sampled last; each is shown and asked for before it starts"`
	// Keys are keys of commands by their names, apart by blanks as in Bubble Tea.
	Keys map[string]string `toml:"keys,omitempty" comment:"keys of commands by their names, such as pause = \"space p\""`
}

// The values that are allowed beside Words.
const (
	MinFPS, MaxFPS = 1, 60
	minCell        = 1
	maxCell        = 4
	maxFile        = 1 << 16 // bytes
	MostLast       = 8       // formulas, or models, that are kept
)

// Words are the words that a setting can have, by its key in the file. The first one is the default.
func Words(key string) []string {
	return map[string][]string{"theme": {"auto", "dark", "light"}, "palette": theme.Palettes(),
		"octants": {"auto", "on", "off"}, "graphics": {"auto", "off"}, "draws": {"thinned", "newest"},
		"rest": {"auto", "off"}, "says": {"on", "off"}}[key]
}

// Default are the settings without a file. FPS is the screen's own.
func Default() Settings {
	return Settings{Theme: "auto", Palette: theme.OkabeIto.String(), Octants: "auto", Graphics: "auto",
		Draws: "thinned", Rest: "auto", Says: "on", FPS: 30, Cell: theme.DefaultCell}
}

// Path is the settings' file, "" if the system has no place for it.
func Path() string { return ConfigPath("config.toml") }

// ConfigPath is a file or folder of the program's configuration: in psgld-tui below $XDG_CONFIG_HOME where that is an
// absolute path, else below what the system has for configuration; "" if it has nothing.
func ConfigPath(name string) string { return path("XDG_CONFIG_HOME", os.UserConfigDir, name) }

// CachePath is ConfigPath for what can be made again, with $XDG_CACHE_HOME.
func CachePath(name string) string { return path("XDG_CACHE_HOME", os.UserCacheDir, name) }

func path(variable string, system func() (string, error), name string) string {
	dir := os.Getenv(variable)
	if !filepath.IsAbs(dir) { // the XDG specification has relative paths ignored
		var err error
		if dir, err = system(); err != nil {
			return ""
		}
	}
	return filepath.Join(dir, "psgld-tui", name)
}

// Read reads a file: the defaults where there is none. The error names the file,
// the line, the value and what is allowed; the settings are then the defaults.
func Read(path string) (Settings, error) {
	data, err := regular.Read(path, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	if err != nil {
		return Default(), err
	}
	return Parse(data, path)
}

// Parse is Read for what is in a file.
func Parse(data []byte, source string) (Settings, error) {
	s := Default()
	lines, err := tomlfile.Decode(data, source, &s)
	if err != nil {
		return Default(), err
	}
	if key, err := s.check(); err != nil {
		return Default(), fmt.Errorf("%s:%d: %s %w", source, max(lines[key], 1), key, err)
	}
	return s, nil
}

// check says which setting has a value that is not allowed.
func (s *Settings) check() (key string, err error) {
	for i, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		key, value := f.Tag.Get("toml"), reflect.ValueOf(*s).Field(i)
		if words := Words(key); words != nil && !slices.Contains(words, value.String()) {
			return key, fmt.Errorf("must be %s, got %q", strings.Join(words, ", "), value)
		}
	}
	if !(s.Cell >= minCell && s.Cell <= maxCell) {
		return "cell", fmt.Errorf("must be %d to %d, got %v", minCell, maxCell, s.Cell)
	}
	if s.FPS < MinFPS || s.FPS > MaxFPS {
		return "fps", fmt.Errorf("must be %d to %d, got %d", MinFPS, MaxFPS, s.FPS)
	}
	return "", nil
}

// Merge writes what has changed from the settings that were read to those of now into a file, which may have
// others' changes by now. Of a list that others have changed too it has our new ones first.
func Merge(path string, was, now Settings) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Hold(path, func() error {
		s, err := Read(path)
		if err != nil {
			return err
		}
		old, ours, there := reflect.ValueOf(was), reflect.ValueOf(now), reflect.ValueOf(&s).Elem()
		for i := range there.NumField() {
			is := func(v reflect.Value) any { return v.Field(i).Interface() }
			if reflect.DeepEqual(is(old), is(ours)) {
				continue
			}
			added, isList := is(ours).([]string)
			if others := is(there); isList && !reflect.DeepEqual(others, is(old)) {
				added = slices.DeleteFunc(slices.Clone(added), func(s string) bool {
					return slices.Contains(is(old).([]string), s)
				})
				rest := slices.DeleteFunc(slices.Clone(others.([]string)),
					func(s string) bool { return slices.Contains(added, s) })
				all := append(added, rest...)
				there.Field(i).Set(reflect.ValueOf(all[:min(len(all), MostLast)]))
			} else {
				there.Field(i).Set(ours.Field(i))
			}
		}
		return Write(path, s)
	})
}

// Write writes a file as a whole: a reader sees the old one or the new one. A
// link stays one, and what it points to is written.
func Write(path string, s Settings) error {
	body, err := toml.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.Write(path,
		append([]byte("# What psgld-tui remembers; it writes this file on quitting.\n\n"), body...))
}
