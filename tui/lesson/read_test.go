package lesson

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view"
)

const small = `name = "small"
title = "A small one"
caption = "For tests."

[[scene]]
caption = """
Two lines
of one paragraph.

And another."""
session = "--samplers 'sgld,psgld:alpha=0.9;gamma=on' --eps=0.1 --same-noise"
view = "diagnostics"
x_axis = "clock"
speed = 100
lane = "B"
param = "eps"
question = "Which?"
choices = ["this", "that"]
answer = 2
do = "Wait."
goal = """
  draws(A) >= 100
  and draws(B) >= 100
"""
hints = ["one", "two"]
reveal = "A has {draws(A)} draws, {{so to speak}}."
moves = "run 100"

[[scene]]
caption = "Go on."
do = "Turn."
goal = "eps(A) = 0.2 and lanes = 3"
moves = "A eps=0.2; A add sgld; run 10"
`

func TestRead(t *testing.T) {
	l, err := Read([]byte(small), "small.toml")
	if err != nil {
		t.Fatal(err)
	}
	s := l.Scenes[0]
	if s.Caption != "Two lines of one paragraph.\nAnd another." {
		t.Errorf("the caption is %q", s.Caption)
	}
	want := grammar.Args{"samplers": "sgld,psgld:alpha=0.9;gamma=on", "eps": "0.1", "same-noise": "true"}
	if !reflect.DeepEqual(s.Preset.Session, want) {
		t.Errorf("the session is %v, want %v", s.Preset.Session, want)
	}
	if *s.Preset.View != view.Diagnostics || *s.Preset.XAxis != pane.ByClock || *s.Preset.Lane != 1 || *s.Preset.Speed != 100 || s.Answer != 1 {
		t.Errorf("the preset is %+v", s.Preset)
	}
	if got := s.Reveal.With(nil); got != "A has not known draws, {so to speak}." {
		t.Errorf("the text is %q", got)
	}
	if l.Begins(1) != 0 || l.Scenes[1].Preset.Starts() {
		t.Error("the second scene starts a session")
	}
	r, err := Play(context.Background(), l, PlayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Scenes[0].Reveal != "A has 100 draws, {so to speak}. (At step 100.)" {
		t.Errorf("it told %q", r.Scenes[0].Reveal)
	}
}

// Errors name the file, the line, the value and what is allowed.
func TestReadErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`name = "small"`, `name = "No Good"`, `x.toml:1: name must be of small letters, digits and dashes, 1 to 40 of them, got "No Good"`},
		{`title = "A small one"`, ``, `x.toml:1: title is missing`},
		{`caption = "For tests."`, `captoin = "For tests."`, `x.toml:3: unknown key "captoin" (did you mean "caption"?)`},
		{`x_axis = "clock"`, `x-axis = "clock"`, `x.toml:13: unknown key "scene.x-axis" (did you mean "x_axis"?)`},
		{`x_axis = "clock"`, `x_axis = "time"`, `x.toml:13: scene 1: x_axis must be step, epoch, gradient, clock, got "time"`},
		{`view = "diagnostics"`, `view = "stag"`, `x.toml:12: scene 1: view must be Stage, `},
		{`speed = 100`, `speed = -1`, `x.toml:14: scene 1: speed must be steps a second, or 0 for as fast as it goes, got -1`},
		{`speed = 100`, `speed = "fast"`, `x.toml:14: speed takes a number, got the TOML kind string`},
		{`choices = ["this", "that"]`, `choices = ["this", 3]`, `x.toml:18: choices takes a text in quotes, got the TOML kind integer`},
		{`lane = "B"`, `lane = "E"`, `x.toml:15: scene 1: lane must be A, B, C or D, got "E"`},
		{`param = "eps"`, `param = "epsilon"`, `x.toml:16: scene 1: param must be a parameter's key such as eps, `},
		{`--same-noise"`, `--same-nose"`, `x.toml:11: scene 1: session unknown flag --same-nose (did you mean --same-noise?)`},
		{`--same-noise"`, `--seed"`, `x.toml:11: scene 1: session --seed has no value`},
		{`--same-noise"`, `--truth hmc"`, `x.toml:11: scene 1: session --truth is not for lessons`},
		{`--same-noise"`, `'oops"`, `x.toml:11: scene 1: session has a quote ' without its end`},
		{`question = "Which?"`, ``, `x.toml:5: scene 1: question is missing, where there are choices`},
		{`choices = ["this", "that"]`, `choices = ["this"]`, `x.toml:18: scene 1: choices must be 2 to 9, got 1`},
		{`answer = 2`, `answer = 3`, `x.toml:19: scene 1: answer must be the place of the right choice, 1 to 2, got 3`},
		{`answer = 2`, ``, `scene 1: answer must be the place of the right choice, 1 to 2, got none`},
		{`do = "Wait."`, ``, `scene 1: do and goal need each other`},
		{`and draws(B) >= 100`, `and drawn(B) >= 100`, `x.toml:21: scene 1: goal unknown quantity "drawn" (did you mean "draws"?)`},
		{`{draws(A)}`, `{draws(A) + 1}`, `x.toml:26: scene 1: reveal unexpected '+'`},
		{`{{so`, `{so`, `x.toml:26: scene 1: reveal `},
		{`moves = "run 100"`, `moves = "run 0"`, `x.toml:27: scene 1: moves run 0: must be a whole number, 1 or more, got 0`},
		{`moves = "run 100"`, `moves = "run 100; epsi=1"`, `x.toml:27: scene 1: moves epsi 1: is no parameter's key and none of run, `},
		{`moves = "run 100"`, `moves = 3`, `x.toml:27: moves takes a text in quotes, got the TOML kind integer`},
		{`A eps=0.2;`, `A epsi=0.2;`, `x.toml:33: scene 2: moves A epsi 0.2: is no parameter's key and none of run, `},
		{`add sgld`, `add sgdl`, `moves A add sgdl: unknown sampler "sgdl" (did you mean `},
		{`[[scene]]`, `[[scene]`, `x.toml:5: `},
		{`session = "--samplers 'sgld,psgld:alpha=0.9;gamma=on' --eps=0.1 --same-noise"`, ``, `scene 1: session is missing; the first scene starts one`},
	} {
		if !strings.Contains(small, c.old) {
			t.Fatalf("the test changes %q, which is not there", c.old)
		}
		_, err := Read([]byte(strings.Replace(small, c.old, c.new, 1)), "x.toml")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, c.want)
		}
	}
	if _, err := Read([]byte("\xff"), "x.toml"); err == nil {
		t.Error("takes what is no text")
	}
}

// What a lesson says is held against what happens.
func TestPlayErrors(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`moves = "run 100"`, `moves = "run 99"`, `x.toml:21: scene 1: goal: is not reached by the moves: A draws is 99, want ≥ 100 (false); `},
		{`draws(A) >= 100`, `draws(A) >= 0`, ``},
		{`goal = "eps(A) = 0.2 and lanes = 3"`, `goal = "lanes = 2"`, `x.toml:32: scene 2: goal: "lanes = 2" is reached before anything is done`},
		{`{draws(A)}`, `{tau(A)}`, `x.toml:26: scene 1: reveal: has numbers that are not known: tau(A) is too short`},
		{`hints = ["one", "two"]`, `claims = "draws(A) > 100"`, `x.toml:25: scene 1: claims: "draws(A) > 100" is false: A draws is 100, want > 100 (false)`},
		{`A eps=0.2;`, `D eps=0.2;`, `x.toml:33: scene 2: moves: number 1, D eps=0.2: there is no lane D`},
		{`A eps=0.2;`, `A eps=-0.2;`, `number 1, A eps=-0.2: must be positive, got -0.2`},
		{`--eps=0.1`, `--eps=-1`, `x.toml:11: scene 1: session: --eps must be positive, got -1`},
		{`param = "eps"`, `param = "friction"`, `scene 1: param`},
	} {
		l, err := Read([]byte(strings.Replace(small, c.old, c.new, 1)), "x.toml")
		if err == nil {
			_, err = Play(context.Background(), l, PlayOptions{})
		}
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.new, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.new, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	l, err := Read([]byte(small), "x.toml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Play(ctx, l, PlayOptions{}); err == nil {
		t.Error("plays on after its context ended")
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("small.toml", small)
	write("thinning.toml", strings.Replace(small, `"small"`, `"thinning"`, 1))
	write("notes.txt", "no lesson")
	builtin := Builtin()
	all, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(builtin)+1 || all[len(all)-1].Name != "small" {
		t.Errorf("%d lessons, want one more than %d, at the end", len(all), len(builtin))
	}
	at := slices.IndexFunc(builtin, func(l *Lesson) bool { return l.Name == "thinning" })
	if got := all[at]; got.Title != "A small one" || got.Source != filepath.Join(dir, "thinning.toml") {
		t.Errorf("one's own lesson does not take the place of the program's: %q", got.Title)
	}
	write("again.toml", small)
	write("bad.toml", "title = 3")
	all, err = Load(dir)
	if err == nil || !strings.Contains(err.Error(), "bad.toml:1: ") || !strings.Contains(err.Error(), `small.toml: name "small" is that of `) {
		t.Errorf("the faults are %v", err)
	}
	if len(all) != len(builtin)+1 {
		t.Errorf("%d lessons beside the faulty ones, want %d", len(all), len(builtin)+1)
	}
	if all, err := Load(filepath.Join(dir, "none")); err != nil || len(all) != len(builtin) {
		t.Errorf("a folder that is not there: %d lessons, %v", len(all), err)
	}
	if l, err := ReadFile(filepath.Join(dir, "small.toml")); err != nil || l.Name != "small" {
		t.Errorf("a single file: %v", err)
	}
	if _, err := Find(all, "thining"); err == nil || !strings.Contains(err.Error(), `did you mean "thinning"?`) {
		t.Errorf("an unknown name: %v", err)
	}
	t.Setenv("XDG_CONFIG_HOME", dir)
	if got := Folder(); got != filepath.Join(dir, "psgld-tui", "lessons") {
		t.Errorf("the folder is %s", got)
	}
}

func TestSplit(t *testing.T) {
	for _, words := range [][]string{{}, {"a"}, {"it's", "", "two words", `back\slash`, "a\nb", "--target", "gaussian:a=2;noise=0.1"}} {
		if got, err := split(grammar.Quote(words...)); err != nil || !slices.Equal(got, words) {
			t.Errorf("%q: %q, %v", words, got, err)
		}
	}
	for text, want := range map[string]string{`a"b c"d`: "ab cd", `"\"\\\n"`: `"\\n`, `a\ b`: "a b"} {
		if got, err := split(text); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, %v, want %q", text, got, err, want)
		}
	}
}

var update = flag.Bool("update", false, "write the list of lessons of README.md anew")

// The README beside the lessons lists them as they are.
func TestReadmeListsTheLessons(t *testing.T) {
	const file, from, to = "README.md", "| lesson | what it is about |\n|---|---|\n", "<!-- /lessons -->"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no README.md")
	}
	before, rest, ok := strings.Cut(string(b), from)
	got, after, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("README.md has no list between %q and %q", from, to)
	}
	var want strings.Builder
	for _, l := range Builtin() {
		want.WriteString("| `" + l.Name + "` | " + l.Caption + " |\n")
	}
	switch {
	case got == want.String():
	case *update:
		if err := os.WriteFile(file, []byte(before+from+want.String()+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Error("README.md's list of lessons differs; go test ./tui/lesson -run Readme -update writes it anew")
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("name = 1\n[[scene]]\n[scene.x]\n"))
	f.Add([]byte("[[scene]]\nmoves = 'run 1; eps=1.5'\n'goal' = '('"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Read(data, "x.toml")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.toml:") || strings.Contains(err.Error(), "\n") {
				t.Fatalf("an error that does not say where, or of several lines: %q", err)
			}
			return
		}
		r := Start(l)
		for more := true; more; r, more = r.Next() {
			r.Answer(0).See(two())
		}
	})
}
