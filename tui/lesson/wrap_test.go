package lesson

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A formula stays on one row where a row has room for it, and is broken like any
// other text where none has.
func TestFormulasStayWhole(t *testing.T) {
	// The widths are of rows with many words, of one with a formula and little else, and of less than a formula.
	const text = "steps correlate by 1 - ε/(2σ²): at ε = 0.1 by 0.95, T - 1 is small"
	for w, want := range map[int]string{
		29: "steps correlate by\n1 - ε/(2σ²): at ε = 0.1 by\n0.95, T - 1 is small",
		20: "steps correlate by\n1 - ε/(2σ²): at\nε = 0.1 by 0.95,\nT - 1 is small",
		9:  "steps\ncorrelate\nby 1 -\nε/(2σ²):\nat\nε = 0.1\nby 0.95,\nT - 1 is\nsmall",
	} {
		p := plane.NewPlane(w, 12)
		rows := wrap(p.Region(), 0, 0, w, text, plane.Style{})
		var lines []string
		for line := range strings.SplitSeq(p.RenderPlain(), "\n") {
			lines = append(lines, strings.TrimRight(line, " "))
		}
		if got := strings.Join(lines[:rows], "\n"); got != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", w, got, want)
		}
	}
}

// Whoever guessed wrong sees what is right beside what came of it, on the card of
// the smallest screen with charts too.
func TestVerdictsFit(t *testing.T) {
	th := theme.New(true, true, false)
	for _, l := range Builtin() {
		r := Start(l)
		for {
			if s := r.Scene(); s.Question != "" {
				wrong := (s.Answer + 1) % len(s.Choices)
				told := r.Answer(wrong)
				c := told.Card()
				if c.Phase == Doing {
					c.Phase, c.Reveal = Told, s.Reveal.With(two())
				}
				p := plane.NewPlane(80, 12)
				c.Draw(p.Region(), th)
				if text := p.RenderPlain(); !strings.Contains(text, "you said:") || !strings.Contains(text, "it is:") {
					t.Errorf("%s, scene %d, does not say what is right:\n%s", l.Name, r.At()+1, text)
				}
			}
			next, ok := r.Next()
			if !ok {
				break
			}
			r = next
		}
	}
}
