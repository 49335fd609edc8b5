//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// A whole lesson with three students who join with OpenSSH's client: they predict, the lecturer
// sees the counts and closes the question, one follows the lecturer's screen, one loses the line
// and comes back, everyone has the outcome with the room's numbers. SIGTERM ends the class with a
// word to everyone, and the summary is written.
func TestLessonWithOpenSSH(t *testing.T) {
	innerlooptest.Later(t, "it takes half a minute")
	c := playClass(t, "3", "--lesson", "two-curvatures")
	lecturer := c.lecturer
	lecturer.See("scene 1: open")
	ada := c.client("ada@localhost")
	bob, line := c.start("bob@localhost")
	cyd := c.client("cyd@localhost")
	for i, x := range []*ptytest.Terminal{ada, bob, cyd} {
		shows(t, x, "Along which axis")
		if i == 0 {
			x.Press(":")
			x.Type("name Ada")
			lecturer.See("01 Ada")
		}
		x.Press([]string{"2", "1", "2"}[i])
		shows(t, x, "you predict")
	}
	lecturer.See("3 predicted")
	lecturer.Press("enter")
	lecturer.See("scene 1: closed")
	shows(t, bob, "your prediction: θ₁")

	cyd.Press("j")
	shows(t, cyd, "the lecturer's screen")
	lecturer.Press("esc")
	lecturer.See("seed 35")
	shows(t, cyd, "seed 35")

	_ = line.Process.Kill()
	time.Sleep(500 * time.Millisecond)
	bob = c.client("bob@localhost")
	shows(t, bob, "seat 2 is as you left it")

	for _, x := range []*ptytest.Terminal{ada, bob} {
		flowed(t, x, "Of the room 1 predicted answer 1, 2 answer 2, 0 answer 3.")
		flowed(t, x, "The lecturer's numbers: B τ")
	}
	flowed(t, cyd, "Of the room 1 predicted answer 1, 2 answer 2, 0 answer 3.") // on the lecturer's screen
	lecturer.Signal(syscall.SIGTERM)
	lecturer.Ends(console.ExitInterrupted, "class: 3 students took a seat, 0 wrong codes", "the summary is in summary")
	for _, x := range []*ptytest.Terminal{ada, bob, cyd} {
		shows(t, x, "psgld-tui class: the class is over")
	}
	for name, want := range map[string]string{"summary.md": "| 2 | **θ₂, the wide one** | 2 |",
		"students.csv": "1,Ada,", "answers.csv": "θ₁, the narrow one"} {
		b, err := os.ReadFile(filepath.Join(c.home, "summary", name))
		if err != nil || !strings.Contains(string(b), want) {
			t.Errorf("%s: no %q in\n%s%v", name, want, b, err)
		}
	}
}

// edges are what stands between the lines of a text in a box.
var edges = regexp.MustCompile(`[│\s]+`)

// flowed waits until a terminal shows a text, over however many lines of a column at the right.
func flowed(t *testing.T, x *ptytest.Terminal, text string) {
	t.Helper()
	t.Helper()
	x.SeeIn(func(frame string) string {
		var right strings.Builder
		for line := range strings.Lines(frame) {
			if r := []rune(line); len(r) > 50 {
				right.WriteString(string(r[50:]))
			}
		}
		return edges.ReplaceAllString(right.String(), " ")
	}, text)
}
