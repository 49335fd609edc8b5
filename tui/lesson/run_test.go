package lesson

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// drawn is a snapshot of two lanes with so many draws.
func drawn(n uint64, eps float64) *engine.Snapshot {
	lane := engine.LaneView{Step: n, Draws: n, Setting: engine.Lane{Values: map[string]float64{"eps": eps}}}
	other := lane
	other.ID = 1
	return &engine.Snapshot{Lanes: []engine.LaneView{lane, other}}
}

func TestRun(t *testing.T) {
	l, err := Read([]byte(small), "small.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := Start(l)
	if r.Phase() != Asking || !r.Hold() {
		t.Fatal("the first scene does not ask")
	}
	if r = r.Look(drawn(1000, 0.1)); r.Phase() != Asking {
		t.Error("a goal is reached before the question is answered")
	}
	if c := r.Card(); c.Do != "" || c.Reveal != "" || len(c.Goals) != 0 {
		t.Errorf("the card tells before the answer: %+v", c)
	}
	for _, i := range []int{-1, 2} {
		if r.Answer(i).Phase() != Asking {
			t.Errorf("takes choice %d of 2", i)
		}
	}
	asked := r
	r = r.Answer(0)
	if r.Phase() != Doing || r.Hold() || r.Answer(1).Card().Picked != 0 {
		t.Error("the answer does not stand")
	}
	if asked.Phase() != Asking {
		t.Error("answering changed the run before")
	}
	r = r.Look(drawn(99, 0.1))
	if g := r.Card().Goals; r.Phase() != Doing || g[0].Value != "99" || g[0].State != False {
		t.Errorf("with 99 draws the goals are %+v", g)
	}
	if r = r.Hint(); len(r.Card().Hints) != 1 || r.Card().MoreHints != 1 {
		t.Error("a hint does not come")
	}
	if r = r.Hint().Hint().Hint(); len(r.Card().Hints) != 2 {
		t.Error("there are more hints than there are")
	}
	r = r.Look(drawn(100, 0.1))
	if r.Phase() != Told || r.Card().Reveal != "A has 100 draws, {so to speak}." {
		t.Errorf("the goal is not reached: %+v", r.Card())
	}
	// The numbers follow while the goal holds, and then stand.
	r = r.Look(drawn(200, 0.1)).Look(drawn(3, 0.1))
	if r.Phase() != Told || r.Card().Reveal != "A has 200 draws, {so to speak}." || r.Card().Goals[0].Value != "200" {
		t.Errorf("the numbers do not stand: %+v", r.Card())
	}
	if r.Done() {
		t.Error("done after the first scene")
	}
	told := r
	r, ok := r.Next()
	if !ok || r.At() != 1 || r.Phase() != Doing || !r.Last() {
		t.Errorf("the next scene is %d", r.At())
	}
	if _, ok := r.Next(); ok {
		t.Error("goes on after the last scene")
	}
	back, ok := r.Back()
	if !ok || !reflect.DeepEqual(back.Card(), told.Card()) {
		t.Error("the scene before is not as it was left")
	}
	if _, ok := back.Back(); ok {
		t.Error("goes back before the first scene")
	}
	if again := r.Again(); again.At() != 0 || again.Phase() != Asking || back.Phase() != Told {
		t.Error("starting again does not")
	}
}

// A scene that only asks is told once it is answered, and one that does neither at
// once.
func TestRunWithoutGoal(t *testing.T) {
	l := &Lesson{Title: "x", Scenes: []Scene{{Caption: "read"}, {Caption: "c", Question: "q", Choices: []string{"a", "b"}, Reveal: text(t, "{draws(A)}")}}}
	r := Start(l)
	if r.Phase() != Told {
		t.Error("a scene to read waits for something")
	}
	r, _ = r.Next()
	if r = r.Answer(1); r.Phase() != Told {
		t.Error("an answered question waits for something")
	}
	if r = r.Look(drawn(5, 1)); r.Card().Reveal != "5" || !r.Done() {
		t.Errorf("it tells %q", r.Card().Reveal)
	}
}

func text(t *testing.T, s string) Text {
	t.Helper()
	x, err := ParseText(s)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Whatever is done in whatever order, nothing breaks, and no earlier run changes.
func TestRunAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, l := range Builtin() {
		r := Start(l)
		for range 300 {
			before, card := r, r.Card()
			switch rng.IntN(6) {
			case 0:
				r = r.Answer(rng.IntN(12) - 1)
			case 1:
				r, _ = r.Next()
			case 2:
				r, _ = r.Back()
			case 3:
				r = r.Hint()
			case 4:
				r = r.Look([]*engine.Snapshot{nil, {}, two(), drawn(1<<40, 0.3)}[rng.IntN(4)])
			case 5:
				if rng.IntN(10) == 0 {
					r = r.Again()
				}
			}
			if !reflect.DeepEqual(before.Card(), card) {
				t.Fatal("a run was changed in place")
			}
			if r.Hold() != (r.Phase() == Asking) || r.At() < 0 || r.At() >= len(l.Scenes) {
				t.Fatalf("%s: scene %d", l.Name, r.At())
			}
		}
	}
}
