package lesson

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// drawn is a snapshot of two lanes with so many draws.
func drawn(n uint64, eps float64) *engine.Snapshot {
	lane := engine.LaneView{Step: n,
		Window: engine.Window{Draws: n, Setting: state.Setting{Values: map[string]float64{"eps": eps}}}}
	other := lane
	other.ID = 1
	for _, v := range []*engine.LaneView{&lane, &other} {
		v.Values[quantity.Draws] = metrics.Exact(float64(v.Draws))
	}
	return &engine.Snapshot{Lanes: []engine.LaneView{lane, other}}
}

func TestRun(t *testing.T) {
	l, err := Read([]byte(small), "small.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := Start(l)
	if r.Phase() != Asking {
		t.Fatal("the first scene does not ask")
	}
	if r = r.See(drawn(1000, 0.1)); r.Phase() != Asking {
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
	if r.Phase() != Doing || r.Answer(1).Card().Picked != 0 {
		t.Error("the answer does not stand")
	}
	if asked.Phase() != Asking {
		t.Error("answering changed the run before")
	}
	r = r.See(drawn(99, 0.1))
	if g := r.Card().Goals; r.Phase() != Doing || g[0].Value != "99" || g[0].State != False {
		t.Errorf("with 99 draws the goals are %+v", g)
	}
	if r = r.Hint(); len(r.Card().Hints) != 1 || r.Card().MoreHints != 1 {
		t.Error("a hint does not come")
	}
	if r = r.Hint().Hint().Hint(); len(r.Card().Hints) != 2 {
		t.Error("there are more hints than there are")
	}
	r = r.See(drawn(100, 0.1))
	if r.Phase() != Revealed || r.Card().Reveal != "A has 100 draws, {so to speak}. (At step 100.)" {
		t.Errorf("the goal is not reached: %+v", r.Card())
	}
	// Its numbers stand, however long the session runs on.
	r = r.See(drawn(200, 0.1)).See(drawn(3, 0.1))
	if r.Phase() != Revealed || r.Card().Reveal != "A has 100 draws, {so to speak}. (At step 100.)" ||
		r.Card().Goals[0].Value != "100" {
		t.Errorf("the numbers do not stand: %+v", r.Card())
	}
	if r.Done() {
		t.Error("done after the first scene")
	}
	told := r
	r, ok := r.Next()
	if !ok || r.At != 1 || r.Phase() != Doing || !r.Last() {
		t.Errorf("the next scene is %d", r.At)
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
	if again := r.Again(); again.At != 0 || again.Phase() != Asking || back.Phase() != Revealed {
		t.Error("starting again does not")
	}
}

// TestEnters checks what begins and what is set in each scene, from each place in the lesson: scenes 1 and 3 have a
// session of their own.
func TestEnters(t *testing.T) {
	l := goesOn(t, "draws(A) >= 1")
	l.Scenes = append(l.Scenes, l.Scenes...)
	for i := range l.Scenes {
		l.Scenes[i].Preset.Param = fmt.Sprint(i + 1)
	}
	at := Start(l)
	third, back := at.To(2), at.To(2).To(0)
	for name, c := range map[string]struct {
		r, from Run
		want    string
		reread  bool
	}{
		"the start":                      {at, Run{}, "begins 1, sets 1", false},
		"the second scene":               {at.To(1), at, "sets 2", false},
		"the third":                      {third, at.To(1), "begins 3, sets 3", false},
		"the fourth, of a class":         {at.To(3), Run{}, "begins 3, sets 3 4", false},
		"back":                           {back, third, "", true},
		"back, to where the session was": {back.To(2), back, "", false},
		"again, from the fourth":         {at.To(3).Again(), Run{}, "begins 3, sets 3", false},
		"again, of an earlier one":       {back.Again(), Run{}, "begins 1, sets 1", false},
	} {
		open, set := c.r.Enters(c.from)
		var got []string
		if open != nil {
			got = append(got, "begins "+open.Param)
		}
		if set != nil {
			got = append(got, "sets "+strings.Join(list.Map(set, func(p Preset) string { return p.Param }), " "))
		}
		if got := strings.Join(got, ", "); got != c.want || c.r.Reread() != c.reread {
			t.Errorf("%s: %q, read once more: %v; want %q, %v", name, got, c.r.Reread(), c.want, c.reread)
		}
	}
	// A scene that is read once more stays as it was left, whatever its goal is now.
	r := at.To(1).To(2).To(1)
	if seen := r.See(drawn(5, 0.1)); seen.Phase() != Doing || r.To(0).To(1).Live != 2 {
		t.Error("the session of the third scene reaches the goal of the second")
	}
}

// goesOn is a lesson whose second scene goes on with the session of the first.
func goesOn(t *testing.T, goal string) *Lesson {
	t.Helper()
	l, err := Read([]byte(small), "small.toml")
	if err != nil {
		t.Fatal(err)
	}
	c, err := parseCondition(goal)
	if err != nil {
		t.Fatal(err)
	}
	l.Scenes = []Scene{{Caption: "one", Preset: l.Scenes[0].Preset},
		{Caption: "two", Do: "wait", Goal: c, Reveal: text(t, "{new_draws(A)} and {draws(A)}")}}
	return l
}

// New draws are counted from the scene's beginning on, from the newest change if
// that is later, and from where a lane has gone back to.
func TestNewDraws(t *testing.T) {
	seen := func(draws, kept uint64) *engine.Snapshot {
		s := drawn(draws, 0.1)
		s.Lanes[0].Kept = kept
		return s
	}
	r := Start(goesOn(t, "new_draws(A) >= 100"))
	if r = r.See(seen(5000, 5000)); r.observed(seen(5000, 5000)).began[0] != 0 {
		t.Error("a scene that starts the session does not count from its first step")
	}
	r, _ = r.Next()
	for _, c := range []struct {
		draws, kept uint64
		want        string
	}{
		{6000, 6000, "0"}, {6040, 6040, "40"}, {3, 6050, "3"}, {60, 6107, "60"}, // changed at 6,047
		{10, 10, "0"}, {50, 50, "40"}, // restarted
	} {
		if r = r.See(seen(c.draws, c.kept)); r.Card().Goals[0].Value != c.want || r.Phase() != Doing {
			t.Errorf("with %d draws of %d kept, %s are new, want %s", c.draws, c.kept, r.Card().Goals[0].Value, c.want)
		}
	}
	if r = r.See(seen(110, 110)); r.Card().Reveal != "100 and 110 (At step 110.)" {
		t.Errorf("at the goal it tells %q", r.Card().Reveal)
	}
}

// What is told waits for the scores of the draws at the goal and for its numbers,
// and no longer.
func TestToldWaitsForItsNumbers(t *testing.T) {
	l := goesOn(t, "draws(A) >= 100")
	l.Scenes[1].Reveal = text(t, "{draws(A)} and {test_error(A)}")
	r, _ := Start(l).Next()
	for _, c := range []struct {
		draws, scored uint64
		err           float64
		want          string
	}{
		{99, 98, 0.4, ""},
		{100, 98, 0.4, "100 and 40.0%"}, {101, 99, 0.3, "101 and 30.0%"}, // without the newest draws
		{102, 101, math.NaN(), "102 and not known"},
		{103, 100, 0.2, "103 and 20.0%"},
		{104, 104, 0.1, "103 and 20.0%"},
	} {
		s := drawn(c.draws, 0.1)
		for i := range s.Lanes {
			s.Lanes[i].Kept, s.Lanes[i].Scored = c.draws, c.scored
		}
		s.Lanes[1].Diverged = &state.Divergence{}
		s.Lanes[1].Scored = 0 // and never will be
		s.Lanes[0].Values[quantity.TestError] = metrics.Exact(c.err)
		if r = r.See(s); !strings.HasPrefix(r.Card().Reveal, c.want) || (c.want == "") != (r.Card().Reveal == "") {
			t.Errorf("with %d draws, of which %d are scored, it tells %q, want %q", c.draws, c.scored,
				r.Card().Reveal, c.want)
		}
	}
}

// What is counted is not ticked while a setting is not as it should be.
func TestCountsWaitForSettings(t *testing.T) {
	l := goesOn(t, "eps(A) >= 0.3 and draws(A) >= 100 and tau(A) > 0")
	r, _ := Start(l).Next()
	r = r.See(drawn(5000, 0.1))
	if g := r.Card().Goals; g[0].State != False || g[1].State != Unknown || g[1].Value != notYet {
		t.Errorf("before the change the goals are %+v", g)
	}
	r = r.See(drawn(7, 0.3))
	if g := r.Card().Goals; g[0].State != True || g[1].State != False || g[1].Value != "7" {
		t.Errorf("after it they are %+v", g)
	}
}

// A skipped scene shows the right answer and what it tells without numbers; its goal can still be reached.
func TestSkip(t *testing.T) {
	l, err := Read([]byte(small), "small.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := Start(l).Skip()
	c := r.Card()
	if r.Phase() != Revealed || !r.Skipped() || c.Picked != -1 ||
		c.Reveal != "Skipped: sentences with measured numbers are left out." {
		t.Errorf("skipped: %+v", c)
	}
	if _, asked := r.Score(); asked != 0 {
		t.Error("a skipped question counts as answered")
	}
	if r = r.See(drawn(99, 0.1)); r.Card().Goals[0].Value != "99" || !r.Skipped() {
		t.Errorf("the goal is no longer looked at: %+v", r.Card())
	}
	if r = r.See(drawn(100, 0.1)); r.Skipped() || r.Phase() != Revealed ||
		r.Card().Reveal != "A has 100 draws, {so to speak}. (At step 100.)" {
		t.Errorf("the goal is reached after all: %+v", r.Card())
	}
	if r = Start(l).Answer(0).Skip(); r.Card().Picked != 0 || !r.Skipped() {
		t.Error("skipping forgets the answer")
	}
}

// Of a text with numbers the sentences without are left.
func TestPlainText(t *testing.T) {
	for from, want := range map[string]string{
		"A has {draws(A)} draws. 0.3 is ε (see “it.”) Then? {tau(A)} it is!\n\nNone: {tau(B)}.\n\nThe end.": "0.3 is ε (see “it.”) Then?\nThe end.",
		"{tau(A)}": "", "": "", "All {{of}} it. Is here.": "All {of} it. Is here.",
	} {
		if got := text(t, from).Plain(); got != want {
			t.Errorf("%q is %q without numbers, want %q", from, got, want)
		}
	}
}

// What is left of a text without the sentences that have numbers speaks of nothing that they named.
func TestPlainTextStands(t *testing.T) {
	for _, l := range Builtin() {
		for _, s := range l.Scenes {
			plain := s.Reveal.Plain()
			first, _, _ := strings.Cut(plain, " ")
			if slices.Contains([]string{"It", "They", "That", "Those", "But"}, first) && len(s.Reveal.places) > 0 {
				t.Errorf("%s, %s: %q", l.Name, s.Title, plain)
			}
		}
	}
}

// A scene that only asks is told once it is answered, and one that does neither at
// once.
func TestRunWithoutGoal(t *testing.T) {
	l := &Lesson{Title: "x", Scenes: []Scene{{Caption: "read"},
		{Caption: "c", Question: "q", Choices: []string{"a", "b"}, Reveal: text(t, "{draws(A)}")}}}
	r := Start(l)
	if r.Phase() != Revealed {
		t.Error("a scene to read waits for something")
	}
	r, _ = r.Next()
	if r = r.Answer(1); r.Phase() != Revealed {
		t.Error("an answered question waits for something")
	}
	if r = r.See(drawn(5, 1)); r.Card().Reveal != "5 (At step 5.)" || !r.Done() {
		t.Errorf("it tells %q", r.Card().Reveal)
	}
}

func text(t *testing.T, s string) Text {
	t.Helper()
	x, err := parseText(s)
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
			switch rng.IntN(7) {
			case 0:
				r = r.Answer(rng.IntN(12) - 1)
			case 1:
				r, _ = r.Next()
			case 2:
				r, _ = r.Back()
			case 3:
				r = r.Hint()
			case 4:
				r = r.See([]*engine.Snapshot{nil, {}, two(), drawn(1<<40, 0.3)}[rng.IntN(4)])
			case 5:
				if rng.IntN(10) == 0 {
					r = r.Again()
				}
			case 6:
				r = r.Skip()
			}
			if !reflect.DeepEqual(before.Card(), card) {
				t.Fatal("a run was changed in place")
			}
			if r.At < 0 || r.At >= len(l.Scenes) {
				t.Fatalf("%s: scene %d", l.Name, r.At)
			}
		}
	}
}
