package lesson

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func picture(c card, w, h int, th theme.Theme) string {
	p := plane.NewPlane(w, h)
	p.ASCII = th.ASCII
	c.draw(p.Region(), &th)
	return p.RenderPlain()
}

// played returns a lesson's cards as a user sees them, scene by scene and phase by
// phase, with numbers that do not depend on the machine.
func played(t *testing.T, name string) map[string]lesson.Card {
	t.Helper()
	l, err := lesson.Find(lesson.Builtin(), name)
	if err != nil {
		t.Fatal(err)
	}
	cards := map[string]lesson.Card{}
	run := lesson.Start(l)
	var before *engine.Snapshot
	_, err = lesson.Play(context.Background(), l, lesson.PlayOptions{Seen: func(scene int, s *engine.Snapshot) {
		take := func(phase string) { cards[fmt.Sprintf("%d-%s", scene+1, phase)] = run.Card() }
		if run.Phase() == lesson.Asking {
			take("asking")
			// A wrong answer in the first scene, right ones from there on.
			run = run.Answer((run.Scene().Answer + min(1-min(scene, 1), 1)) % len(run.Scene().Choices))
		}
		if !run.Scene().Preset.Starts() {
			run = run.See(before)
		}
		before = s
		if run.Phase() == lesson.Doing {
			take("doing")
			run = run.Hint()
			take("hinted")
		}
		run = run.See(s)
		take("told")
		run, _ = run.Next()
	}})
	if err != nil {
		t.Fatal(err)
	}
	return cards
}

func TestPictures(t *testing.T) {
	cards := played(t, "two-curvatures")
	plain, ascii := theme.New(true, true, false), theme.New(true, true, true)
	for _, s := range []struct {
		card string
		w, h int // h 0 is the height that the card wants
		th   theme.Theme
		name string
	}{
		{"1-asking", 80, 0, plain, ""}, {"1-doing", 80, 0, plain, ""}, {"1-told", 80, 0, plain, ""},
		{"2-asking", 80, 0, plain, ""}, {"2-hinted", 80, 0, plain, ""}, {"2-told", 80, 0, plain, ""},
		{"1-asking", 120, 0, plain, ""}, {"2-hinted", 120, 0, plain, ""}, {"1-told", 120, 0, plain, ""}, {"4-told", 120, 0, plain, ""},
		{"2-told", 200, 0, plain, ""},
		{"1-asking", 80, 8, plain, ""}, {"1-told", 80, 8, plain, ""}, {"2-hinted", 80, 7, plain, ""}, {"1-told", 40, 12, plain, ""},
		{"1-told", 120, 7, plain, ""}, {"2-hinted", 12, 5, plain, ""},
		{"2-told", 80, 0, ascii, "-ascii"}, {"1-asking", 120, 0, ascii, "-ascii"},
	} {
		c := card{Card: cards[s.card], keys: "1-3 answer, esc leave"}
		h, name := s.h, fmt.Sprintf("%s-%dx%d%s", s.card, s.w, s.h, s.name)
		if h == 0 {
			h, name = c.height(&s.th, s.w), fmt.Sprintf("%s-%d%s", s.card, s.w, s.name)
		}
		goldentest.Text(t, name, picture(c, s.w, h, s.th))
	}
}

// The embedded lessons fit an 80×24 screen with room to spare for the view above
// the card, and their words can be shown in ASCII.
func TestBuiltinCards(t *testing.T) {
	const (
		rows     = 15
		maxWords = 62
	)
	th := theme.New(true, true, false)
	for _, l := range lesson.Builtin() {
		if n := len(l.Scenes); n < 3 || n > 6 {
			t.Errorf("%s has %d scenes, want 3 to 6 of a lesson of the program", l.Name, n)
		}
		r := lesson.Start(l)
		for {
			s := r.Scene()
			if !s.Goal.Empty() && len(s.Hints) == 0 {
				t.Errorf("%s, scene %d, has a goal and no hint", l.Name, r.At+1)
			}
			texts := append([]string{l.Title, l.Caption, s.Title, s.Caption, s.Question, s.Do, s.Reveal.With(nil)}, append(s.Choices, s.Hints...)...)
			for _, text := range texts {
				if !plane.HasASCII(text) {
					t.Errorf("%s: %q has characters that ASCII does not stand for", l.Name, text)
				}
			}
			for _, text := range []string{s.Caption, strings.ReplaceAll(s.Reveal.With(nil), "not known", "…")} {
				if n := len(strings.Fields(text)); n > maxWords {
					t.Errorf("%s, scene %d: %d words, want at most %d: %s", l.Name, r.At+1, n, maxWords, text)
				}
			}
			for _, phase := range []lesson.Phase{lesson.Asking, lesson.Doing, lesson.Revealed} {
				c := card{Card: r.Card()}
				c.Phase, c.Picked = phase, 0
				if phase != lesson.Asking {
					c.Do, c.Goals = s.Do, r.Answer(0).Card().Goals
				}
				if phase == lesson.Revealed {
					c.Reveal = s.Reveal.With(nil)
				} else {
					c.Reveal = ""
				}
				p := plane.NewPlane(80, rows)
				c.draw(p.Region(), &th)
				if text := p.RenderPlain(); strings.Contains(text, "…") {
					t.Errorf("%s, scene %d: the card does not fit 80×%d:\n%s", l.Name, r.At+1, rows, text)
				}
			}
			var more bool
			if r, more = r.Next(); !more {
				break
			}
		}
	}
}

// Any card at any size draws within its region and closes its border.
func TestCardSizes(t *testing.T) {
	innerlooptest.Skip(t, "many sizes")
	rng := rand.New(rand.NewPCG(1, 2))
	words := []string{"", "a", "long-word-without-any-blank-in-it-that-goes-on", "日本語", "é\u0301", "x\x00y", "ε", "tau is {tau(A)}"}
	text := func() string {
		var all []string
		for range rng.IntN(30) {
			all = append(all, words[rng.IntN(len(words))])
		}
		return strings.Join(all, []string{" ", "\n"}[rng.IntN(2)])
	}
	n := 3000
	if testing.Short() {
		n = 400
	}
	for range n {
		w, h := 1+rng.IntN(140), 1+rng.IntN(40)
		c := card{Card: lesson.Card{
			Lesson: text(), Title: text(), At: rng.IntN(3), Of: rng.IntN(4), Phase: lesson.Phase(rng.IntN(3)), Caption: text(), Question: text(),
			Picked: rng.IntN(5) - 1, Answer: rng.IntN(5), Do: text(), Reveal: text(),
		}, keys: text(), scroll: rng.IntN(9) - 1}
		for range rng.IntN(5) {
			c.Choices = append(c.Choices, text())
			c.Hints = append(c.Hints, text())
			c.Goals = append(c.Goals, lesson.GoalLine{Label: text(), Value: text(), Demand: text(), State: lesson.Truth(rng.IntN(3))})
		}
		th := theme.New(true, true, rng.IntN(2) == 0)
		p := plane.NewPlane(w+2, h+2)
		p.ASCII = th.ASCII
		p.Region().Fill('~', plane.Style{})
		c.draw(p.Sub(plane.Rect{X: 1, Y: 1, W: w, H: h}), &th)
		lines := strings.Split(p.RenderPlain(), "\n")
		for y, line := range lines {
			if y == 0 || y == h+1 {
				if line != strings.Repeat("~", w+2) {
					t.Fatalf("%d×%d: a row outside was drawn on: %q", w, h, line)
				}
			} else if !strings.HasPrefix(line, "~") || !strings.HasSuffix(line, "~") {
				t.Fatalf("%d×%d: a column outside was drawn on: %q", w, h, line)
			}
		}
		if w >= 2 && h >= 2 {
			g := th.Glyphs
			for y, want := range map[int]string{1: string(g.TopLeft), h: string(g.BottomLeft)} {
				if !strings.HasPrefix(lines[y][1:], want) {
					t.Fatalf("%d×%d: the border is open: %q", w, h, lines[y])
				}
			}
		}
		if got := c.height(&th, w); got < 3 {
			t.Fatalf("%d columns: a height of %d", w, got)
		}
	}
}

func BenchmarkCard(b *testing.B) {
	th := theme.New(true, false, false)
	l, err := lesson.Find(lesson.Builtin(), "two-curvatures")
	if err != nil {
		b.Fatal(err)
	}
	c := card{Card: lesson.Start(l).Answer(0).Card()}
	p := plane.NewPlane(120, 14)
	b.ReportAllocs()
	for b.Loop() {
		p.Clear()
		c.draw(p.Region(), &th)
	}
}
