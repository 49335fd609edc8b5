package lesson

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A formula stays on one row where a row has room for it, and is broken like any
// other text where none has.
func TestFormulasStayWhole(t *testing.T) {
	// The widths are of rows with many words, of one with a formula and little else, and of less than a formula.
	th := theme.New(true, true, false)
	const formula = "steps correlate by 1 - ε/(2σ²): at ε = 0.1 by 0.95, T - 1 is small"
	for w, want := range map[int]string{
		29: "steps correlate by\n1 - ε/(2σ²): at ε = 0.1 by\n0.95, T - 1 is small",
		20: "steps correlate by\n1 - ε/(2σ²): at\nε = 0.1 by 0.95,\nT - 1 is small",
		9:  "steps\ncorrelate\nby 1 -\nε/(2σ²):\nat\nε = 0.1\nby 0.95,\nT - 1 is\nsmall",
	} {
		words := text{&th, w}
		var lines []string
		for _, row := range words.wrap(0, formula, plane.Style{}) {
			var line []string
			for _, s := range row.spans {
				line = append(line, s.text)
			}
			lines = append(lines, strings.Join(line, " "))
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("%d columns:\n%s\nwant\n%s", w, got, want)
		}
	}
}

// known is a snapshot of two lanes of which everything is known.
func known() *engine.Snapshot {
	s := &engine.Snapshot{Lanes: []engine.LaneView{{ID: 0, Step: 5000}, {ID: 1, Step: 5000}}}
	for i := range s.Lanes {
		for id := range s.Lanes[i].Values {
			s.Lanes[i].Values[id] = metrics.Known(0.1234, math.NaN(), 5000)
		}
	}
	return s
}

// Whoever guessed wrong sees what is right beside what came of it, on the card of
// the smallest screen with charts too.
func TestVerdictsFit(t *testing.T) {
	th := theme.New(true, true, false)
	for _, l := range lesson.Builtin() {
		r := lesson.Start(l)
		for {
			if s := r.Scene(); s.Question != "" {
				wrong := (s.Answer + 1) % len(s.Choices)
				told := r.Answer(wrong)
				c := card{Card: told.Card()}
				if c.Phase == lesson.Doing {
					c.Phase, c.Reveal = lesson.Revealed, s.Reveal.With(known())
				}
				p := plane.NewPlane(80, 12)
				c.draw(p.Region(), &th)
				if text := p.RenderPlain(); !strings.Contains(text, "you predicted:") || !strings.Contains(text, "the answer:") {
					t.Errorf("%s, scene %d, does not say what is right:\n%s", l.Name, r.At+1, text)
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
