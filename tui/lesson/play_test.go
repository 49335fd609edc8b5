package lesson

import (
	"context"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// long are the lessons whose sessions take longest.
var long = []string{
	"race-on-a9a", "race-on-mnist", "reshuffled-batches", "dead-pixels", "dropping-gamma", "your-own-regression",
	"a-band-of-curves", "step-size-decay", "what-gamma-costs", "temperature", "turning-the-target",
	"one-draw-or-many", "minibatch-noise", "a-boundary-in-doubt",
}

// Every lesson of the program plays: goals are reached by the moves and not
// before, and what the texts claim holds.
func TestBuiltinPlay(t *testing.T) {
	for i, l := range Builtin() {
		t.Run(l.Name, func(t *testing.T) {
			if testing.Short() && heavy(l) {
				t.Skip("a classifier")
			}
			if i%9 > 0 {
				innerlooptest.Skip(t, "a ninth of the lessons is played")
			}
			if slices.Contains(long, l.Name) {
				innerlooptest.Later(t, "it takes as long as several others")
			}
			start := time.Now()
			r, err := Play(context.Background(), l, PlayOptions{DataDir: os.Getenv("PSGLD_DATA"), begun: func(r Run, s *engine.Snapshot) { opensUnmet(t, r, s) }})
			for i, s := range r.Scenes {
				t.Logf("%d %s, %d steps: %s\n  %s", i+1, s.Title, s.Steps, describe(s.Goals), s.Reveal)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%v", time.Since(start))
			if r.Skipped != nil {
				t.Skip(r.Skipped)
			}
		})
	}
}

// opensUnmet checks that no part of a scene's goal holds where the scene begins, nor once its
// number is known: all that is measured is above 0.
func opensUnmet(t *testing.T, r Run, s *engine.Snapshot) {
	r = r.See(s)
	for _, part := range r.Scene().Goal.ands() {
		if got := part.eval(r.observed(s)); got == True || got == Unknown && strings.HasSuffix(part.String(), "> 0") {
			t.Errorf("scene %d begins with the goal %q %v, want false", r.At+1, part, got)
		}
	}
}

// heavy reports whether a lesson classifies, which takes most of the time.
func heavy(l *Lesson) bool {
	return slices.ContainsFunc(l.Scenes, func(s Scene) bool {
		return strings.HasPrefix(s.Preset.Session["target"], "mlp:") || strings.HasPrefix(s.Preset.Session["target"], "blr:")
	})
}

// Where a scene wants something done, waiting alone does not reach its goal.
func TestBuiltinGoalsNeedTheirMoves(t *testing.T) {
	innerlooptest.Later(t, "it plays all lessons once more")
	for _, l := range Builtin() {
		for i := range l.Scenes {
			s := l.Scenes[i]
			waits := slices.DeleteFunc(slices.Clone(s.Moves), func(m grammar.Move) bool { return m.Name != grammar.Run })
			if len(waits) == len(s.Moves) || heavy(l) {
				continue
			}
			s.Moves = waits
			idle := *l
			idle.Scenes = append(slices.Clone(l.Scenes[l.Begins(i):i]), s)
			_, err := Play(context.Background(), &idle, PlayOptions{DataDir: os.Getenv("PSGLD_DATA")})
			if err == nil || !strings.Contains(err.Error(), "is not reached by the moves") {
				t.Errorf("%s, scene %d: without its moves: %v", l.Name, i+1, err)
			}
		}
	}
}

// A goal that old draws reach is found, also where the moves before it leave too
// few of them.
func TestPlayFindsOldDraws(t *testing.T) {
	for _, c := range []struct{ goal, want string }{
		{"draws(A) >= 2000", "is reached before anything is done"},
		{"eps(A) >= 0 and draws(A) >= 2000", "is reached before anything is done"},
		{"draws(A) >= 2000 and tau(A) < 0.1", `"draws(A) >= 2000" also counts what was there before the scene`},
		{"steps(A) >= 2000 and diverged(A)", `"steps(A) >= 2000" also counts what was there before the scene`},
		{"new_draws(A) >= 2000", ""},
		{"eps(A) >= 0 and new_draws(A) >= 2000", ""},
	} {
		l := goesOn(t, c.goal)
		l.Scenes[0].Moves = moves(t, "run 10")
		l.Scenes[1].Moves = moves(t, "run 2000")
		_, err := Play(context.Background(), l, PlayOptions{})
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.goal, err, c.want)
		}
	}
}

// Playing twice gives the same numbers.
func TestPlayIsDeterministic(t *testing.T) {
	innerlooptest.Skip(t, "two lessons, each twice")
	for _, name := range []string{"too-large-a-step", "thinning"} {
		l, err := Find(Builtin(), name)
		if err != nil {
			t.Fatal(err)
		}
		var told [2][]SceneReport
		for k := range told {
			r, err := Play(context.Background(), l, PlayOptions{Threads: 1 + k})
			if err != nil {
				t.Fatal(err)
			}
			told[k] = r.Scenes
		}
		if !reflect.DeepEqual(told[0], told[1]) {
			t.Errorf("%s tells\n%v and then\n%v", name, told[0], told[1])
		}
	}
}

// The example for authors plays.
func TestExample(t *testing.T) {
	l, err := Read([]byte(Example()), "example.toml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Play(context.Background(), l, PlayOptions{}); err != nil {
		t.Error(err)
	}
}

// moves reads a scene's moves.
func moves(t *testing.T, text string) []grammar.Move {
	t.Helper()
	all, err := grammar.Moves(text)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
