package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/plane"
)

// hostile is text that a terminal would obey: sequences in C0 and in C1, as characters and as
// bytes, DEL and what turns the direction of writing.
const hostile = "x\x1b[31m\u009b2J\u009d52pwned\u009c\x9b5n\x7f\a\u202egnp"

// shownOnly fails for text that a terminal would obey.
func shownOnly(t *testing.T, what, text string) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if bad := frametest.Obeyed(strings.ReplaceAll(line, "\t", " "), false); bad != "" {
			t.Errorf("%s holds %s: %q", what, bad, line)
		}
	}
}

// TestForeignText gives hostile text by every way in that prints it.
func TestForeignText(t *testing.T) {
	if testing.Short() {
		t.Skip("many command lines")
	}
	dir := t.TempDir()
	home := filepath.Join(dir, hostile)
	lessons := filepath.Join(home, "psgld-tui", "lessons")
	if err := os.MkdirAll(lessons, 0o777); err != nil {
		t.Skip("no such name here:", err)
	}
	t.Setenv("XDG_CONFIG_HOME", home)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	data := write(hostile+".csv", "a"+hostile+",b,y\n1,2,0\n2,1,1\n3,3,0\n4,1,1\n")
	recording := write(hostile+".json",
		strings.NewReplacer("gaussian",
			"blr:/"+string(quoted[1:len(quoted)-1])).Replace(`{"psgld_recording":1,"version":"v","config":{"target":"gaussian"},"end":[1]}`))
	digests := write("digests.json",
		`{"psgld_recording":1,"version":`+string(quoted)+
			`,"numerics":99,"config":{"target":"gaussian","lanes":[{"sampler":`+string(quoted)+
			`}]},"digests":[{"lane":0,"at":1,"digest":`+string(quoted)+
			`}],"events":[{"at":[1],"digests":["x"],"command":{"kind":`+string(quoted)+`}}],"end":[1]}`)
	results := write("hostile.jsonl",
		`{"psgld_results":1,"version":`+string(quoted)+`,"plan":`+string(quoted)+`,"hash":`+string(quoted)+
			`,"shard":"1/2","jobs":0}`+"\n")
	lesson := write(hostile+".toml", "name = \""+strings.ReplaceAll(hostile, "\\", "")+"\"\n")
	title, err := os.ReadFile(filepath.Join("..", "lesson", "example.toml"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(title)
	at := strings.Index(text, "\ntitle = \"") + len("\ntitle = \"")
	text = text[:at] + `\u009b2J\u001b[31m\u202e` + text[at:]
	if err := os.WriteFile(filepath.Join(lessons, "own.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"run", "--target", "blr:" + data, "--steps", "20", "--batch", "2"},
		{"run", "--target", "blr:" + data, "--steps", "20", "--batch", "2", "--json"},
		{"sweep", "--target", "blr:" + data, "--steps", "20", "--batch", "2", "--grid", "eps=1e-3,1e-2", "--out", home},
		{"sweep", "--target", "blr:" + data, "--steps", "20", "--batch", "2", "--grid", "eps=1e-3,1e-2", "--shard",
			"1/2", "--out", filepath.Join(dir, hostile+".jsonl")},
		{"run", "--target", "blr:" + data + hostile},
		{"run", "--target", hostile},
		{"run", "--target", "gaussian:" + hostile + "=1"},
		{"run", "--samplers", hostile},
		{"run", "--" + hostile},
		{"run", "--eps", hostile},
		{"run", "--dataset", hostile, "--target", "mlp:20"},
		{hostile},
		{"replay", recording},
		{"replay", "--verify", recording},
		{"replay", digests},
		{"replay", "--verify", digests},
		{"merge", results},
		{"merge", results, hostile},
		{"sweep", "--grid", "eps=1,2", "--from", results, "--out", filepath.Join(dir, "swept")},
		{"reproduce", hostile},
		{"data", "list", "--data", home},
		{"data", "verify", "--data", home},
		{"data", "fetch", hostile},
		{"lesson"},
		{"lesson", "--help"},
		{"lesson", hostile},
		{"lesson", "test", lesson},
		{"__complete", "lesson", ""},
		{"check", data, "--target", "gaussian", "--method", "sgld", "--eps", "1"},
		{"check", hostile, "--target", "gaussian", "--method", hostile, "--eps", "1"},
		{"picture", filepath.Join(dir, hostile+".txt"), "--target", "blr:" + data, "--keys", "steps=10",
			"--batch", "2"},
		{"picture", filepath.Join(dir, "a.txt"), "--keys", hostile},
	} {
		var out, errs bytes.Buffer
		App{}.Run(t.Context(), args, strings.NewReader(""), &out, &errs)
		what := grammar.Quote(args...)
		shownOnly(t, "the output of "+what, out.String())
		shownOnly(t, "the error of "+what, errs.String())
		if len(args) > 0 && args[0] != "__complete" && strings.Count(errs.String(), "\n") > 1 {
			t.Errorf("%s: more than a line of errors: %q", what, errs.String())
		}
	}
	picture, err := os.ReadFile(filepath.Join(dir, hostile+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	shownOnly(t, "the picture", string(picture))
}

// FuzzForeignText writes any text wherever foreign text is written: a terminal shows it, and
// obeys nothing of it.
func FuzzForeignText(f *testing.F) {
	f.Add(hostile)
	f.Add("\xc2")
	f.Add("\x9b\xc2\x9bm\u2028\U000e0041\x1b")
	f.Fuzz(func(t *testing.T, s string) {
		for _, ascii := range []bool{false, true} {
			var out, errs bytes.Buffer
			e := &console.Console{Out: console.NewOutput(&out, ascii), Err: &errs}
			e.Report(console.Failed(errors.New(s)))
			e.Out.Line("%s", s)
			console.WriteJSON(e.Out, s)
			t1 := text.Table{Left: 1}
			t1.Add(s, s)
			t1.Write(e.Out)
			if n := strings.Count(out.String(), "\n"); n != 3 {
				t.Errorf("%d lines for 3: %q", n, out.String())
			}
			e.Out.Write([]byte(s))
			shownOnly(t, "standard output", out.String())
			shownOnly(t, "standard error", errs.String())
			shownOnly(t, "a bar", console.BarLine(0.5, s, 0, 60))
			shownOnly(t, "a command line", grammar.Quote(s))
			p := plane.NewPlane(40, 3)
			p.ASCII = ascii
			p.Region().Text(0, 0, s, plane.Style{})
			p.Region().Row(1).TextWrapped(s, plane.Style{})
			for _, r := range s {
				p.Region().Set(1, 2, r, plane.Style{})
			}
			for _, screen := range []string{p.Render(), p.RenderPlain()} {
				shownOnly(t, "the screen", screen)
			}
		}
	})
}
