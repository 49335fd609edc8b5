package lesson

import (
	"errors"
	"fmt"
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
