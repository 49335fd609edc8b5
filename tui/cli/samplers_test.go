package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
)

var update = flag.Bool("update", false, "write the list of samplers of engine/sampler/README.md anew")

// The README of engine/sampler shows the registry as it is.
func TestReadmeListsTheSamplers(t *testing.T) {
	const file, from, to = "../../engine/sampler/README.md", "<!-- samplers -->\n", "<!-- /samplers -->"
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no engine/sampler/README.md")
	}
	before, rest, ok := strings.Cut(string(b), from)
	got, after, end := strings.Cut(rest, to)
	if !ok || !end {
		t.Fatalf("engine/sampler/README.md has no list between %q and %q", from, to)
	}
	want := samplersMarkdown()
	if *update {
		if err := os.WriteFile(file, []byte(before+from+want+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Error("engine/sampler/README.md's list of samplers differs from the registry; go test ./tui/cli -run " +
			"Readme -update writes it anew")
	}
}

// Every method has its place in the list, its explanation and the manual.
func TestSamplersCommand(t *testing.T) {
	innerlooptest.Skip(t, "the help of each method")
	list, manual := ok(t, "samplers", "--target", "mlp:4", "--dataset", "strokes"), samplersText()
	for _, m := range catalog.Methods() {
		if !strings.Contains(list, "  "+m.Name+" ") {
			t.Errorf("the list lacks %s:\n%s", m.Name, list)
		}
		if !strings.Contains(manual, m.Name+": "+m.Title+", ") {
			t.Errorf("the manual lacks %s", m.Name)
		}
		out := ok(t, "samplers", m.Name)
		for _, q := range m.All() {
			if !strings.Contains(out, "  "+q.Key+" ") || !strings.Contains(out, q.Doc) {
				t.Errorf("of %s's %s it says\n%s", m.Name, q.Key, out)
			}
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, "\x1b") || strings.HasSuffix(line, " \n") {
				t.Errorf("%s: a line is %q", m.Name, line)
			}
		}
	}
	out := ok(t, "samplers", "PSGLD", "--target", "blr:synthetic")
	if !strings.Contains(out, "settings on blr:synthetic") || !strings.Contains(out, "burn-in") {
		t.Errorf("it says\n%s", out)
	}
}

// The help names every flag and stays short.
func TestHelpIsReadable(t *testing.T) {
	out := ok(t, "run", "--help")
	for _, m := range catalog.Methods() {
		for _, q := range m.All() {
			if !strings.Contains(out, "--"+q.Key) {
				t.Errorf("the help lacks --%s", q.Key)
			}
		}
	}
	if n := strings.Count(out, "\n"); n > 75 {
		t.Errorf("the help has %d lines:\n%s", n, out)
	}
}

// A flag's name stands in one line of the help's text.
func TestHelpKeepsFlagsWhole(t *testing.T) {
	for _, c := range new(env).root().Commands() {
		if out := ok(t, c.Name(), "--help"); regexp.MustCompile(`--\s*\n`).MatchString(out) {
			t.Errorf("%s --help breaks a flag:\n%.1000s", c.Name(), out)
		}
	}
}

// On a terminal without UTF-8 tables are in ASCII, and their columns stand.
func TestTablesInASCII(t *testing.T) {
	var out bytes.Buffer
	w := console.NewOutput(&out, true)
	tab := text.Table{Left: 2}
	tab.Add("eps", "ε", "1")
	tab.Add("alpha", "α", "10")
	tab.Write(w)
	fmt.Fprintln(w, "σ²")
	if want := "eps    eps     1\nalpha  alpha  10\nsigma^2\n"; out.String() != want || w.Err != nil {
		t.Errorf("%q, %v; want %q", out.String(), w.Err, want)
	}
}

// samplersMarkdown is the README's table of the samplers, from the registry. Of
// methods made of another one, such as distill:psgld, all but the first are named
// alone.
func samplersMarkdown() string {
	cell := strings.NewReplacer("|", "\\|", "\n", " ").Replace
	var b strings.Builder
	for i, kind := range kinds {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| %s | what it is | its own settings |\n|---|---|---|\n", upperFirst(kind))
		all := ofKind(sampler.Kind(i))
		for j, m := range all {
			maker, _, made := strings.Cut(m.Name, ":")
			if made && j > 0 && strings.HasPrefix(all[j-1].Name, maker+":") {
				continue
			}
			names := "`" + m.Name + "`"
			for _, o := range all[j+1:] {
				if made && strings.HasPrefix(o.Name, maker+":") {
					names += ", `" + o.Name + "`"
				}
			}
			var own []string
			for _, q := range m.Params {
				own = append(own, "`"+q.Key+"`")
			}
			fmt.Fprintf(&b, "| %s | %s: %s (%s) | %s |\n", names, cell(m.Title), cell(m.Doc), cell(m.Source),
				cell(strings.Join(own, " ")))
		}
	}
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
