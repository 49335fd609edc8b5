package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// TestLessons checks what is listed, played and refused without a screen.
func TestLessons(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	list := ok(t, "lesson")
	for _, l := range lesson.Builtin() {
		if !strings.Contains(list, l.Name+" ") || !strings.Contains(list, l.Title) {
			t.Errorf("the list lacks %s:\n%s", l.Name, list)
		}
	}
	if got := ok(t, "lesson", "quantities"); !strings.Contains(got, "\ntau * ") || !strings.Contains(got, "\nlanes ") ||
		!strings.Contains(got, "\nburn_in ") || widest(got) > 80 {
		t.Errorf("the quantities are\n%s", got)
	}
	if widest(list) > 80 {
		t.Errorf("the list is %d columns wide:\n%s", widest(list), list)
	}
	own := filepath.Join(t.TempDir(), "own.toml")
	write(t, own, ok(t, "lesson", "example"))
	if got, want := ok(t, "lesson", "test", own), "cold-and-narrow 1/1  step 100,000  goal reached: a quarter of the heat\n"; got != want {
		t.Errorf("lesson test says %q, want %q", got, want)
	}
	got := ok(t, "lesson", "test", "race-on-a9a", "--data", t.TempDir())
	if !strings.HasPrefix(got, "race-on-a9a  skipped: ") || strings.Count(got, "\n") != 1 {
		t.Errorf("without its data: %q", got)
	}

	wrong := write(t, filepath.Join(t.TempDir(), "wrong.toml"),
		strings.Replace(lesson.Example(), "var_y(A) < 0.3", "var_y(A) < 0.22", 1))
	r := runArgs(t, "lesson", "test", wrong, own)
	if r.status != console.ExitFailed || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "wrong.toml:") ||
		!strings.Contains(r.err, "var_y(A)") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if !strings.Contains(r.out, "1/1  step 100,000  failed") || !strings.Contains(r.out, "goal reached") ||
		!strings.Contains(r.out, "\ncold-and-narrow  failed     1/1 ") ||
		!strings.Contains(r.out, "\ncold-and-narrow  passed     1/1 ") ||
		!strings.HasSuffix(r.out, "\n\n1 passed, 1 failed, 0 skipped\n") {
		t.Errorf("it prints %q", r.out)
	}
	for _, c := range []struct {
		args string
		want string
		code int
	}{
		{"lesson two-curvature", `unknown lesson "two-curvature" (did you mean "two-curvatures"?)`, console.ExitUsage},
		{"lesson a b", "lesson plays one lesson, got 2", console.ExitUsage},
		{"lesson two-curvatures", "a lesson needs a terminal; lesson test two-curvatures plays it without one",
			console.ExitUsage},
		{"lesson two-curvatures --eps 1", "--eps is a flag of psgld-tui, not of psgld-tui lesson", console.ExitUsage},
		{"lesson two-curvatures --plain", "--plain is a flag of psgld-tui, not of psgld-tui lesson", console.ExitUsage},
		{"lesson nothing.toml", "open nothing.toml: no such file or directory", console.ExitFailed},
		{"lesson test nothing", `unknown lesson "nothing"`, console.ExitUsage},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != c.code || !strings.HasPrefix(r.err, "psgld-tui: "+c.want) || r.out != "" {
			t.Errorf("%s: status %d, %q, want %d and %q", c.args, r.status, r.err, c.code, c.want)
		}
	}
}

// widest is the width of the widest line.
func widest(text string) int {
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, lipgloss.Width(strings.TrimSuffix(line, "\n")))
	}
	return most
}

// TestOwnLessons checks that one's own lessons are found, and that a wrong one
// does not hide the others.
func TestOwnLessons(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	dir := filepath.Join(home, "psgld-tui", "lessons")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mine.toml"), lesson.Example())
	if got := ok(t, "lesson"); !strings.Contains(got, "\ncold-and-narrow ") {
		t.Errorf("the list lacks the own lesson:\n%s", got)
	}
	write(t, filepath.Join(dir, "broken.toml"), "name = 3")
	r := runArgs(t, "lesson")
	if r.status != console.ExitFailed || !strings.Contains(r.out, "\ncold-and-narrow ") ||
		!strings.Contains(r.err, "broken.toml:1") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q\n%s", r.status, r.err, r.out)
	}
	if r := runArgs(t, "lesson", "brokn"); r.status != console.ExitUsage || !strings.Contains(r.err, "broken.toml:1") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}
