package lesson

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/tomlfile"
	"github.com/psgld/psgld-tui/tui/view"
)

// lessonFile and sceneFile are what a file holds.
type lessonFile struct {
	Name    string      `toml:"name"`
	Title   string      `toml:"title"`
	Caption string      `toml:"caption"`
	Scenes  []sceneFile `toml:"scene"`
}

type sceneFile struct {
	Title   string `toml:"title"`
	Caption string `toml:"caption"`

	Session *string  `toml:"session"`
	View    string   `toml:"view"`
	XAxis   *string  `toml:"x_axis"`
	LogX    *bool    `toml:"log_x"`
	LogY    *bool    `toml:"log_y"`
	Linked  *bool    `toml:"linked"`
	Speed   *float64 `toml:"speed"`
	Lane    *string  `toml:"lane"`
	Param   string   `toml:"param"`
	Shift   *string  `toml:"shift"`

	Question string   `toml:"question"`
	Choices  []string `toml:"choices"`
	Answer   *int     `toml:"answer"`

	Do     string   `toml:"do"`
	Goal   string   `toml:"goal"`
	Hints  []string `toml:"hints"`
	Reveal string   `toml:"reveal"`
	Moves  string   `toml:"moves"`
	Claims string   `toml:"claims"`
}

const (
	maxFile   = 1 << 20 // bytes of a lesson
	maxScenes = 32
	maxChoice = 9 // choices, which one key each picks
)

var legalName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Read reads a lesson. The source names its file in errors, which say the line,
// the value and what is allowed, and in the lesson.
func Read(data []byte, source string) (*Lesson, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("%s: is not UTF-8 text", source)
	}
	var f lessonFile
	lines, err := tomlfile.Decode(data, source, &f)
	if err != nil {
		return nil, err
	}
	l := &Lesson{Name: f.Name, Title: flow(f.Title), Caption: flow(f.Caption), Source: source}
	top := func(key, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s %s", source, max(lines[key], 1), key, fmt.Sprintf(format, args...))
	}
	switch {
	case !legalName.MatchString(f.Name):
		return nil, top("name", "must be of small letters, digits and dashes, 1 to 40 of them, got %q", f.Name)
	case l.Title == "":
		return nil, top("title", "is missing")
	case l.Caption == "":
		return nil, top("caption", "is missing")
	case len(f.Scenes) == 0 || len(f.Scenes) > maxScenes:
		return nil, top("scene", "must be there 1 to %d times, got %d", maxScenes, len(f.Scenes))
	}
	for i := range f.Scenes {
		prefix := fmt.Sprintf("scene[%d]", i)
		own := map[string]int{}
		for path, line := range lines {
			if key, ok := strings.CutPrefix(path, prefix+"."); ok {
				own[key] = line
			}
		}
		s, key, err := f.Scenes[i].scene()
		s.line, s.lines = max(lines[prefix], 1), own
		if p := &s.Preset; i > 0 && !p.Starts() && p.Speed == nil {
			p.Speed = l.Scenes[i-1].Preset.Speed
		}
		l.Scenes = append(l.Scenes, s)
		if err == nil && i == 0 && !s.Preset.Starts() {
			key, err = "session", errors.New("is missing; the first scene starts one")
		}
		if err != nil {
			return nil, fmt.Errorf("%s %w", l.at(i, key), err)
		}
	}
	return l, nil
}

// scene checks a scene. The error is about the value of a key.
func (f *sceneFile) scene() (s Scene, key string, err error) {
	s = Scene{Title: flow(f.Title), Caption: flow(f.Caption), Question: flow(f.Question), Do: flow(f.Do)}
	if s.Caption == "" {
		return s, "caption", errors.New("is missing")
	}
	if s.Preset, key, err = f.preset(); err != nil {
		return s, key, err
	}
	s.Choices, s.Hints = list.Map(f.Choices, flow), list.Map(f.Hints, flow)
	switch n := len(s.Choices); {
	case s.Question == "" && n > 0:
		return s, "question", errors.New("is missing, where there are choices")
	case s.Question != "" && (n < 2 || n > maxChoice):
		return s, "choices", fmt.Errorf("must be 2 to %d, got %d", maxChoice, n)
	case slices.Contains(s.Choices, ""):
		return s, "choices", errors.New("must not be empty")
	case n > 0 && (f.Answer == nil || *f.Answer < 1 || *f.Answer > n):
		got := "none"
		if f.Answer != nil {
			got = fmt.Sprint(*f.Answer)
		}
		return s, "answer", fmt.Errorf("must be the place of the right choice, 1 to %d, got %s", n, got)
	case n == 0 && f.Answer != nil:
		return s, "answer", fmt.Errorf("needs a question, got %d", *f.Answer)
	case n > 0:
		s.Answer = *f.Answer - 1
	}
	if s.Reveal, err = parseText(f.Reveal); err != nil {
		return s, "reveal", err
	}
	if s.Question != "" && s.Reveal.Empty() {
		return s, "reveal", errors.New("is missing, where there is a question")
	}
	for _, c := range []struct {
		key, text string
		to        *Condition
	}{{"goal", f.Goal, &s.Goal}, {"claims", f.Claims, &s.Claims}} {
		if strings.TrimSpace(c.text) == "" {
			continue
		}
		if *c.to, err = parseCondition(flow(c.text)); err != nil {
			return s, c.key, err
		}
	}
	if s.Goal.Empty() != (s.Do == "") {
		return s, "do", errors.New("and goal need each other")
	}
	if s.Moves, err = grammar.Moves(f.Moves); err != nil {
		return s, "moves", err
	}
	return s, "", nil
}

func (f *sceneFile) preset() (p Preset, key string, err error) {
	p = Preset{LogX: f.LogX, LogY: f.LogY, Linked: f.Linked, Speed: f.Speed, Param: f.Param}
	if f.Session != nil {
		if p.Session, err = parseFlags(*f.Session); err != nil {
			return p, "session", err
		}
	}
	if f.View != "" {
		names := view.Names()
		i := slices.IndexFunc(names, func(name string) bool { return strings.EqualFold(name, f.View) })
		if i < 0 {
			return p, "view", fmt.Errorf("must be %s, got %q", strings.Join(names, ", "), f.View)
		}
		p.View = &i
	}
	if f.XAxis != nil {
		axes := [...]string{pane.ByStep: "step", pane.ByEpoch: "epoch", pane.ByGradient: "gradient", pane.ByClock: "clock"}
		i := slices.Index(axes[:], *f.XAxis)
		if i < 0 {
			return p, "x_axis", fmt.Errorf("must be %s, got %q", strings.Join(axes[:], ", "), *f.XAxis)
		}
		x := pane.XAxis(i)
		p.XAxis = &x
	}
	if f.Speed != nil && !(*f.Speed >= 0 && *f.Speed <= 1e9) {
		return p, "speed", fmt.Errorf("must be steps a second, or 0 for as fast as it goes, got %g", *f.Speed)
	}
	if f.Lane != nil {
		id, ok := grammar.Lane(*f.Lane)
		if !ok {
			return p, "lane", fmt.Errorf("must be A, B, C or D, got %q", *f.Lane)
		}
		p.Lane = &id
	}
	if keys := grammar.ParamKeys(); f.Param != "" && !slices.Contains(keys, f.Param) && !state.OfTarget(f.Param) {
		return p, "param", fmt.Errorf("must be a parameter's key such as %s, got %q", strings.Join(keys[:3], ", "), f.Param)
	}
	if f.Shift != nil {
		s, err := targets.ParseShift(*f.Shift)
		if err != nil {
			return p, "shift", err
		}
		p.Shift = &s
	}
	return p, "", nil
}

// parseFlags reads a session's flags as they are typed in a shell, without the
// program's name. Values are read where the target is known.
func parseFlags(line string) (grammar.Args, error) {
	words, err := split(line)
	if err != nil {
		return nil, err
	}
	flags := map[string]grammar.Flag{}
	for _, f := range grammar.Flags() {
		flags[f.Name] = f
	}
	args := grammar.Args{}
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			return nil, fmt.Errorf("%q is no flag; want flags of the command line, such as --eps 0.3", words[i])
		}
		name, value, given := strings.Cut(word, "=")
		f, known := flags[name]
		if !known {
			return nil, fmt.Errorf("unknown flag --%s%s", name, list.Hint("--%s", name, slices.Sorted(maps.Keys(flags))))
		}
		if name == "moves" {
			return nil, errors.New("--moves is not for lessons: a scene has moves of its own")
		}
		if name == "truth" {
			return nil, errors.New("--truth is not for lessons, which would wait for it for minutes; " +
				"take a target whose truth is known, or a lane of hmc to compare with")
		}
		if _, twice := args[name]; twice {
			return nil, fmt.Errorf("--%s is given twice", name)
		}
		switch {
		case given:
		case f.Switch():
			value = "true"
		case i+1 == len(words):
			return nil, fmt.Errorf("--%s has no value", name)
		default:
			i++
			value = words[i]
		}
		args[name] = value
	}
	return args, nil
}

// split cuts a line into words as a POSIX shell does, without expanding anything.
// It reads what grammar.Quote writes, but for characters that are not printable.
func split(line string) (words []string, err error) {
	inside := false // of a word
	for _, m := range pieces.FindAllStringSubmatch(line, -1) {
		blank, single, double, escaped, plain, open := m[1], m[2], m[3], m[4], m[5], m[6]
		switch {
		case blank != "":
			inside = false
			continue
		case open == `\`:
			return nil, errors.New("ends with a backslash")
		case open != "":
			return nil, fmt.Errorf("has a quote %s without its end", open)
		case !inside:
			words, inside = append(words, ""), true
		}
		words[len(words)-1] += single + unescape.Replace(double) + escaped + plain
	}
	return words, nil
}

// pieces matches blanks, what is in quotes, what stands behind a backslash, other text, and a
// quote or a backslash behind which nothing more comes.
var pieces = regexp.MustCompile(`(?s)([ \t\n\r]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^ \t\n\r'"\\]+)|(.)`)

// unescape reads the escapes between double quotes.
var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`)
