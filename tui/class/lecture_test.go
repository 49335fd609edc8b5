package class

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"math"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// lectures has a lecturer at a screen of the room until the test ends.
func lectures(t testing.TB, r *Room, w, h int) *student {
	t.Helper()
	s := newStudent(t, w, h)
	in, keys := io.Pipe()
	s.keys = keys
	answers := make(chan struct{})
	go func() { // of the terminal to what it is asked
		defer close(answers)
		_, _ = io.Copy(keys, s.Display)
	}()
	ctx, cancel := context.WithCancel(t.Context())
	b := r.Board(Join{Line: "ssh -p 2222 room"})
	start := func(context.Context, *control.Loading) (*session.Session, error) {
		return session.New(r.Config, r.problem(r.Config, r.Problem), session.Runtime{Interactive: true, Threads: 1})
	}
	go func() {
		defer close(s.over)
		_, err := app.Run(ctx, start, app.Options{
			Output:  lines{s},
			Input:   in,
			Environ: []string{"TERM=xterm-256color", "LC_ALL=C.UTF-8"},
			Guest:   &app.Guest{Width: w, Height: h},
			Lesson:  r.Lesson, More: []app.More{b.At}, Class: b,
		})
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-s.over
		in.Close()
		s.Close()
		<-answers
	})
	return s
}

// lines begins lines as a terminal does that the system writes to.
type lines struct{ io.Writer }

// Write implements io.Writer.
func (l lines) Write(b []byte) (int, error) {
	_, err := l.Writer.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")))
	return len(b), err
}

// has waits until something is so of a room.
func has(t *testing.T, what string, is func() bool) {
	t.Helper()
	wait(t, is, func() string { return "not so: " + what })
}

// stands is the summary once every session has answered, which on a busy machine takes longer than a class waits.
func stands(t *testing.T, r *Room) (sum Summary) {
	t.Helper()
	has(t, "every session says how it stands", func() bool {
		sum = r.Summary()
		return !slices.ContainsFunc(sum.Students, func(l Leaver) bool { return len(l.Lanes) == 0 })
	})
	return sum
}

// A student sees the lecturer's screen as it would be on their own terminal, with what is turned
// and paused there, and goes back to their own with the same key. It is drawn once for each size.
func TestFollow(t *testing.T) {
	innerlooptest.Skip(t, "it waits for a screen that is drawn 10 times a second")
	quiet(t)
	r := open(t)
	l := lectures(t, r, 120, 36)
	l.sees("join: ssh")
	l.types("\x1b") // from the board to the screen
	l.sees("seed 1")
	a, b, c := sits(t, r, 100, 30), sits(t, r, 100, 30), sits(t, r, 80, 24)
	for _, s := range []*student{a, b, c} {
		s.sees("follow")
		s.types("j")
		s.sees("the lecturer's screen   j your own")
		s.sees("covariance error")
	}
	if n := len(r.screen.terminals()); n != 2 {
		t.Errorf("it is drawn for %d kinds of terminals", n)
	}
	l.types("2 ")
	for _, s := range []*student{a, b, c} {
		s.sees("paused")
		s.sees(" estimates ─") // the diagnostics
	}
	wait(t, func() bool { return a.screen() == b.screen() }, func() string {
		return "one size, two pictures:\n" + a.screen() + "\n" + b.screen()
	})
	eps := r.Seats()[0].Snapshot().Lanes[1].Setting.Value(sampler.KeyEps)
	a.types("\x1b[C\x1b[C") // turns nothing unseen
	a.types("j")
	a.sees("seed 2")
	if now := r.Seats()[0].Snapshot().Lanes[1].Setting.Value(sampler.KeyEps); now != eps {
		t.Errorf("ε went from %g to %g while the lecturer's screen was shown", eps, now)
	}
	has(t, "two follow", func() bool { return len(r.screen.terminals()) == 2 && followers(r) == 2 })
	// The lecturer's keys and notices are not theirs.
	l.types("q")
	l.sees("quits")
	time.Sleep(3 * showEvery)
	for _, of := range []string{"room", "quits", "q quit"} {
		if strings.Contains(b.screen(), of) {
			t.Errorf("who follows reads %q:\n%s", of, b.screen())
		}
	}
}

func followers(r *Room) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.seats {
		if s.follows {
			n++
		}
	}
	return n
}

// Everyone's session stands while the lecturer says so, also of those who come later, and goes on
// as it was.
func TestFreeze(t *testing.T) {
	innerlooptest.Skip(t, "students in real time")
	t.Parallel()
	r := open(t)
	l := lectures(t, r, 120, 36)
	l.sees("join: ssh")
	a, b := sits(t, r, 100, 30), sits(t, r, 100, 30)
	a.sees("running")
	b.sees("running")
	b.types(" ")
	b.sees("paused")
	l.types(" ")
	a.sees("until the lecturer goes on")
	b.sees("until the lecturer goes on")
	l.types("j")
	l.sees("frozen: the students' sessions stand")
	l.types("j")
	late := sits(t, r, 100, 30)
	late.sees("until the lecturer goes on")
	phase := func(i int) state.Phase { return r.Seats()[i].Snapshot().Phase }
	has(t, "all stand", func() bool {
		return phase(0) == state.Paused && phase(1) == state.Paused && phase(2) == state.Paused
	})
	a.types("j ") // nothing lets go of it
	a.Sized(102, 30, false)
	if err := a.session.WindowChange(30, 102); err != nil {
		t.Fatal(err)
	}
	has(t, "the terminal is drawn wider, after the keys before", func() bool {
		return len([]rune(strings.TrimRight(strings.Split(a.screen(), "\n")[2], " "))) > 100
	})
	time.Sleep(300 * time.Millisecond)
	if phase(0) != state.Paused {
		t.Error("a key has let it go on")
	}
	l.types(" ")
	a.sees("running")
	late.sees("running")
	b.sees("paused")
	if phase(1) != state.Paused {
		t.Error("it goes on though it was paused before")
	}
}

// The lecturer takes everyone to a target, with seeds of their own, and to a view, and looks over
// a shoulder.
func TestAllHere(t *testing.T) {
	innerlooptest.Skip(t, "students in real time")
	r := open(t)
	l := lectures(t, r, 120, 36)
	a := sits(t, r, 100, 30)
	a.sees("running")
	l.sees("1 of 4 here")
	l.types("\x1b")
	l.sees("seed 1")
	l.types(":target banana\r")
	l.sees("banana, b = 0.5")
	l.types("2j")
	l.sees("join: ssh")
	l.types("aa")
	a.sees("the lecturer's session, with seed 2")
	a.sees("banana")
	a.sees(" estimates ─")
	a.types("1")
	a.sees("noise ○ its sd")
	l.types("v")
	a.sees(" estimates ─")
	l.types("\x1b[Bl")
	l.sees("the screen of student 01")
	a.sees("the lecturer looks at your screen")
	l.sees("seed 2")
	a.types(":name Ada\r")
	l.sees("01 Ada")
	l.types("\x1b")
	l.sees("join: ssh")
}

// quickLesson is a lesson of two questions whose session is short.
const quickLesson = `name = "quick"
title = "A quick one"
caption = "c"
[[scene]]
caption = "first"
session = "--eps 0.1 --seed 5"
speed = 10000
question = "Which?"
choices = ["this one", "that one"]
answer = 2
do = "Wait."
goal = "draws(A) >= 1000"
moves = "run 2000"
reveal = "A has {draws(A)} draws."
[[scene]]
caption = "then"
question = "And now?"
choices = ["left", "right"]
answer = 1
do = "Wait again."
goal = "new_draws(A) >= 1000"
moves = "run 2000"
reveal = "ε is {eps(A)}."
`

// A room predicts together: its predictions wait until the lecturer closes the question, and the
// outcome has the room's and the lecturer's numbers. Whoever is behind is taken to the scene.
func TestPoll(t *testing.T) {
	innerlooptest.Skip(t, "a class of five screens")
	t.Parallel()
	les, err := lesson.Read([]byte(quickLesson), "quick.toml")
	if err != nil {
		t.Fatal(err)
	}
	r := open(t, func(o *Options) {
		o.Lesson = les
		o.Config, o.Problem, err = les.Scenes[0].Preset.Session.Config(func(c state.Config) (*targets.Problem,
			error) {
			return c.OpenWith(targets.Options{})
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	l := lectures(t, r, 120, 36)
	l.sees("scene 1: open")
	a, b, c := sits(t, r, 100, 30), sits(t, r, 100, 30), sits(t, r, 100, 30)
	for _, s := range []*student{a, b, c} {
		s.sees("Which?")
	}
	a.types("1")
	a.sees("you predict 1")
	a.types("2")
	a.sees("you predict 2")
	b.types("1")
	b.sees("you predict 1")
	has(t, "two predictions", func() bool { p := r.Polls(); return len(p) == 1 && len(p[0].Choice) == 2 })
	l.sees("2 predicted")
	for _, shown := range []bool{true, false, true} { // the lecturer may hide the bars
		has(t, "the tally comes and goes", func() bool { return strings.Contains(l.screen(), "████") == shown })
		l.types("h")
	}
	if got := r.Polls()[0].Counts(); got[0] != 1 || got[1] != 1 {
		t.Errorf("the counts are %v", got)
	}
	if s := r.Seats()[0].Snapshot(); s.Lanes[0].Step != 0 {
		t.Errorf("the session has made %d steps before the question was closed", s.Lanes[0].Step)
	}
	l.types("\r")
	l.sees("scene 1: closed")
	for _, s := range []*student{a, b, c} {
		s.sees("Of the room 1 predicted answer 1, 1 answer 2.")
		s.sees("numbers: A draws")
	}
	a.sees("as you predicted")
	b.sees("you predicted: this one")
	l.types("\x1b")
	l.sees("n next")
	l.types("n") // the lecturer goes on
	l.sees("And now?")
	a.types("n")
	a.sees("And now?")
	l.types("j")
	l.sees("scene 2: open")
	l.types("aa")
	c.sees("And now?")
	late := sits(t, r, 100, 30) // who comes late comes to where the others are
	late.sees("And now?")
	a.types("1")
	c.types("1")
	l.sees("2 predicted")
	l.types("\r")
	a.sees("predicted answer 1, 0 answer 2")

	sum := stands(t, r)
	if len(sum.Students) != 4 || len(sum.Polls) != 2 {
		t.Fatalf("a summary of %d students and %d questions", len(sum.Students), len(sum.Polls))
	}
	rows, err := csv.NewReader(bytes.NewReader(sum.CSV()["answers.csv"])).ReadAll()
	if err != nil || len(rows) != 5 || strings.Join(rows[1], ",") != "quick,1,Which?,1,this one,false,1" {
		t.Errorf("answers %v, %v", rows, err)
	}
	text := string(sum.Markdown())
	if !strings.Contains(text, "| 2 | **that one** | 1 |") || strings.Count(text, "\n| 0") != 8 {
		t.Errorf("the summary is\n%s", text)
	}
}

// The digest in a summary is that of the session that its command makes, to the step where it
// stood.
func TestSummaryRepeats(t *testing.T) {
	r := open(t)
	a := sits(t, r, 100, 30)
	a.sees("running")
	a.types("\x1b[C")
	a.types(":name <b>|Ada\r") // whose line shows it before the seat has it
	has(t, "it is named", func() bool { return strings.Contains(r.called(r.Seats()[0]), "<b>|Ada") })
	has(t, "it is steered", func() bool { return len(r.Seats()[0].Snapshot().Lanes[0].Periods) > 1 })
	sum := stands(t, r)
	rows, err := csv.NewReader(bytes.NewReader(sum.CSV()["students.csv"])).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v, %v", rows, err)
	}
	if text := string(sum.Markdown()); !strings.Contains(text, `01 &lt;b>\|Ada`) {
		t.Errorf("the name breaks the table:\n%s", text)
	}
	cell := func(name string) string {
		for i, n := range rows[0] {
			if n == name {
				return rows[1][i]
			}
		}
		t.Fatalf("no column %s in %v", name, rows[0])
		return ""
	}
	if eps, err := strconv.ParseFloat(cell("eps"), 64); err != nil || !(eps > 0) || math.IsInf(eps, 0) {
		t.Errorf("ε is %q", cell("eps"))
	}
	r.says = 0 // what does not answer stands as it did
	if again := r.Summary().Students[0]; len(again.Lanes) != 2 || again.Command == "" || again.Name != "<b>|Ada" {
		t.Errorf("a session that does not answer: %+v", again)
	}
	// Lanes that stood at different steps have each a command for its own.
	apart := Summary{Students: []Leaver{{Number: 1, Command: "psgld-tui --seed 2",
		Lanes: []engine.LaneResult{{Lane: "A", Steps: 40}, {Lane: "B", Steps: 70}, {Lane: "C", Steps: 40}}}}}
	csvText := string(apart.CSV()["students.csv"])
	for steps, n := range map[string]int{"psgld-tui run --seed 2 --steps 40\n": 2, "run --seed 2 --steps 70\n": 1} {
		if got := strings.Count(csvText, steps); got != n {
			t.Errorf("%d of %q in\n%s", got, steps, csvText)
		}
		if got := strings.Count(string(apart.Markdown()), steps); got != 1 {
			t.Errorf("%d of %q in\n%s", got, steps, apart.Markdown())
		}
	}
	line := strings.TrimPrefix(cell("command"), "psgld-tui ") + " --json"
	if testing.Short() {
		t.Skip("the program is not built in short tests")
	}
	out, err := exec.Command("sh", "-c", "exec go run github.com/psgld/psgld-tui "+line).Output()
	if err != nil || !strings.Contains(string(out), `"digest":"`+cell("digest")+`"`) {
		t.Errorf("%s gives %.300s, want %s, %v", line, out, cell("digest"), err)
	}
}

// The lecturer puts a student out by a key that is pressed twice, and the seat is free.
func TestPutOut(t *testing.T) {
	innerlooptest.Skip(t, "students in real time")
	r := open(t)
	l := lectures(t, r, 120, 36)
	l.sees("join: ssh")
	a := sits(t, r, 100, 30)
	a.sees("running")
	l.types("x")
	l.sees("select a student first")
	l.types("\x1b[Bx")
	l.sees("x again ends the seat of student 01")
	if len(r.Seats()) != 1 {
		t.Error("once ends the seat")
	}
	l.types("x")
	has(t, "the seat is free", func() bool { return len(r.Seats()) == 0 })
	has(t, "the student is told", func() bool { return strings.Contains(a.said(), "the lecturer has ended your seat") })
}

// A seat whose line is lost stands still until its student comes back, to the very session and
// screen, of another size. Who has left it does not come back to it.
func TestLostLine(t *testing.T) {
	innerlooptest.Skip(t, "a line that is lost")
	quiet(t)
	r := open(t)
	a := sits(t, r, 100, 30)
	a.sees("running")
	a.types("\x1b[C2")
	a.sees(" estimates ─")
	seat := r.Seats()[0]
	a.client.Close()
	has(t, "the line is lost", seat.Lost)
	has(t, "it stands", func() bool { return seat.Snapshot().Phase == state.Paused })
	b := sits(t, r, 120, 36)
	b.sees("seat 1 is as you left it")
	b.sees(" estimates ─")
	b.sees("running")
	if all := r.Seats(); len(all) != 1 || all[0] != seat {
		t.Errorf("there are %d seats", len(all))
	}
	if !strings.Contains(b.said(), "\x1b[?1049h") {
		t.Error("the new terminal's other screen is not shown")
	}
	b.types("1qq")
	b.leaves()
	c := sits(t, r, 100, 30)
	c.sees("seed 3")
}

// A room that is full gives the seat of who is away for the longest time.
func TestSeatIsGiven(t *testing.T) {
	r := open(t, func(o *Options) { o.Students = 1 })
	a := sits(t, r, 100, 30)
	a.sees("running")
	a.client.Close()
	has(t, "the line is lost", r.Seats()[0].Lost)
	b := sitsAs(t, r, "somebody-else", 100, 30)
	b.sees("seed 3")
	if got := r.Told(); got.Full != 0 || got.Came != 2 {
		t.Errorf("the door tells %+v", got)
	}
}

// What a screen has set of its terminal is set again on the next.
func TestModes(t *testing.T) {
	var m modes
	for _, text := range []string{"\x1b[?1049h\x1b[?25l", "text\x1b[?1003;1006h", "\x1b[31mred\x1b[?2026h\x1b[?2026l",
		"\x1b[>1u", "\x1b[?25h\x1b[", "\x1b[?", ""} {
		m.see(text)
	}
	if got, want := m.all(), "\x1b[?1049h\x1b[?25h\x1b[?1003h\x1b[?1006h\x1b[>1u"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

var _ control.Class = (*Board)(nil)

// What the lecturer does reaches those who are frozen too, and does not set them free. Nor does a
// click.
func TestFrozenStandStill(t *testing.T) {
	innerlooptest.Skip(t, "sessions in real time")
	t.Parallel()
	r := open(t)
	l := lectures(t, r, 120, 36)
	l.sees("join: ssh")
	a := sits(t, r, 100, 30)
	a.sees("running")
	l.types(" ")
	a.sees("until the lecturer goes on")
	a.types("\x1b[<0;5;5M\x1b[<0;5;5m") // a click
	l.types("aa")
	seat := r.Seats()[0]
	has(t, "the lecturer's session is there, and stands", func() bool {
		s := seat.Snapshot()
		return s.Lanes[0].Step == 0 && s.Phase == state.Paused
	})
	time.Sleep(300 * time.Millisecond)
	if now := seat.Snapshot().Lanes[0].Step; now != 0 || !strings.Contains(a.screen(), "until the lecturer goes on") {
		t.Errorf("it went to step %d on\n%s", now, a.screen())
	}
	if followers(r) != 1 {
		t.Error("the board does not say that they follow")
	}
	l.types(" ")
	a.sees("running")
}

// Another who follows from the same kind of terminal sees the lecturer's screen at once, though
// nothing changes on it.
func TestFollowAStillScreen(t *testing.T) {
	innerlooptest.Skip(t, "a class of three screens")
	r := open(t)
	l := lectures(t, r, 120, 36)
	l.sees("join: ssh")
	l.types("\x1b")
	l.sees("seed 1")
	l.types(" ")
	l.sees("paused")
	for range 2 {
		a := sits(t, r, 100, 30)
		a.sees("running")
		a.types("j")
		a.sees("paused")
	}
}

// A question that the lecturer asks again is open again. One of the same lesson's name and scene
// with other choices is another.
func TestPollAgain(t *testing.T) {
	r := open(t)
	at := func(name string, phase lesson.Phase, choices ...string) *control.Scene {
		return &control.Scene{Lesson: &lesson.Lesson{Name: name},
			Card: lesson.Card{Phase: phase, Question: "q", Choices: choices}}
	}
	s := &Seat{Number: 1}
	r.predict(s, at("l", lesson.Asking, "a", "b"), 1) // ahead of the lecturer
	r.lectures(at("l", lesson.Asking, "a", "b"))
	r.predict(s, at("l", lesson.Asking, "a", "b", "c"), 2)
	if p := r.Polls(); len(p) != 2 || !p[0].Open || p[0].Counts()[1] != 1 || p[1].Open {
		t.Fatalf("the polls are %+v", p)
	}
	r.lectures(at("l", lesson.Doing, "a", "b"))
	if r.open(at("l", lesson.Asking, "a", "b")) {
		t.Error("the question is still open")
	}
	r.lectures(at("l", lesson.Asking, "a", "b"))
	if !r.open(at("l", lesson.Asking, "a", "b")) {
		t.Error("the question is not open again")
	}
	r.lectures(nil)
	if r.open(at("l", lesson.Asking, "a", "b")) {
		t.Error("the question of a lesson that was left is open")
	}
}

// A name is no formula of a spreadsheet and no Markdown.
func TestNamesAreText(t *testing.T) {
	s := Summary{Students: []Leaver{{Number: 1, Name: "=1+1", Lanes: make([]engine.LaneResult, 1)},
		{Number: 2, Name: "![](//x)", Lanes: make([]engine.LaneResult, 1)}}}
	if csv := string(s.CSV()["students.csv"]); !strings.Contains(csv, "1,'=1+1,") {
		t.Errorf("the table is\n%s", csv)
	}
	if text := string(s.Markdown()); !strings.Contains(text, `02 \!\[\]\(//x\)`) {
		t.Errorf("the summary is\n%s", text)
	}
}

// The summary is written from the first student on, again and again, one after the other, and says how
// everybody stands by then.
func TestSummaryIsKeptUp(t *testing.T) {
	var writing atomic.Bool
	var newest atomic.Pointer[Summary]
	var written atomic.Int64
	r := open(t, func(o *Options) {
		o.Write = func(s Summary) (string, error) {
			if !writing.CompareAndSwap(false, true) {
				t.Error("two are written at once")
			}
			newest.Store(&s)
			written.Add(1)
			writing.Store(false)
			return "here", nil
		}
	})
	r.rewrite = time.Millisecond
	if where, err := r.WriteSummary(); where != "here" || err != nil {
		t.Errorf("it is written to %s, %v", where, err)
	}
	a := sits(t, r, 100, 24)
	a.sees("seed 2")
	a.types(":name Ada\r")
	wait(t, func() bool {
		s := newest.Load()
		return written.Load() > 2 && len(s.Students) == 1 && s.Students[0].Name == "Ada" &&
			len(s.Students[0].Lanes) == 2
	}, func() string { return "the summary is not kept up" })
}
