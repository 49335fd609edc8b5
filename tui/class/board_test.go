package class

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// board is that of a room whose lecturer's session stands at its start.
func board(t *testing.T, r *Room) *Board {
	t.Helper()
	s, err := session.New(r.Config, r.Problem, session.Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	d := &control.Desk{Feed: control.NewFeed(t.Context(), s, 0)}
	join := Join{Line: "ssh -p 2222 room", Web: "https://class.example.org:8443", URL: "https://class.example.org:8443"}
	return r.Board(join).At(d).(*Board)
}

// The curve is the bias that the session has at its ε, and the bound is 4σ² = 0.64 of SGLD. Of
// pSGLD neither is known.
func TestExactCurve(t *testing.T) {
	r := open(t)
	b := board(t, r)
	s := b.Feed.Newest
	lane := b.lane()
	if lane.Setting.Sampler != "sgld" {
		t.Fatalf("the lane is %s", lane.Setting.Sampler)
	}
	if got, want := exact(s, lane.Setting, lane.Setting.Eps()), lane.Values[quantity.CovBias].Value; got != want ||
		!(got > 0) {
		t.Errorf("the bias is %g, want %g", got, want)
	}
	if got := bound(s, lane.Setting); math.Abs(got-0.64) > 1e-12 { // the rounding of 4·0.16
		t.Errorf("the bound is %g", got)
	}
	psgld := state.DefaultSetting(s.Problem, "psgld")
	if !math.IsNaN(exact(s, psgld, 0.1)) || bound(s, psgld) != 0 {
		t.Error("something is known of pSGLD")
	}
}

// The board has everything at the size of a lecture's screen, and draws at any.
func TestBoardDraws(t *testing.T) {
	innerlooptest.Skip(t, "every size")
	r := open(t, func(o *Options) {
		o.Write = func(Summary) (string, error) { return "", errors.New("the disk is full") }
	})
	b := board(t, r)
	sits(t, r, 100, 24).sees("seed 2")
	sits(t, r, 100, 24).sees("seed 3")
	wait(t, func() bool { return r.Told().Unwritten != nil }, func() string {
		return "nothing is wrong with the summary"
	})
	text := map[int]string{}
	for _, size := range [][2]int{{140, 40}, {80, 24}, {40, 12}, {10, 3}, {300, 100}, {1, 1}} {
		for _, ascii := range []bool{false, true} {
			p := plane.NewPlane(size[0], size[1])
			p.ASCII = ascii
			(&sheet{b: b}).Draw(p.Region(), &pane.Frame{Theme: theme.New(true, false, ascii)})
			if !ascii {
				for y := range size[1] {
					for x := range size[0] {
						if c := p.Region().At(x, y); c != 0 {
							text[size[0]] += string(c)
						} else {
							text[size[0]] += " "
						}
					}
					text[size[0]] += "\n"
				}
			}
		}
	}
	for _, want := range []string{"2 of 4 here, 2 from one address", "no summary: the disk is full",
		"join: ssh -p 2222 room", "or https://class.example.org:8443", "code " + rightCode, "everyone's ε",
		"01  ε 0.300", "exact", "unstable from 0.640", "█▀"} {
		if !strings.Contains(text[140], want) {
			t.Errorf("no %q on\n%s", want, text[140])
		}
	}
	if want := "code " + rightCode; !strings.Contains(text[80], want) {
		t.Errorf("no %q on\n%s", want, text[80])
	}
}

// Beside a question there is no room for the QR code at 120×36: a key shows it in its place.
func TestCodeBesideAQuestion(t *testing.T) {
	r := open(t)
	b := board(t, r)
	r.lectures(&control.Scene{Lesson: &lesson.Lesson{Name: "l"},
		Card: lesson.Card{Phase: lesson.Asking, Question: strings.Repeat("Which is it? ", 30), Choices: make([]string, 4)}})
	for _, code := range []bool{false, true, false} {
		p := plane.NewPlane(120, 36)
		(&sheet{b: b}).Draw(p.Region(), &pane.Frame{Theme: theme.New(true, false, false)})
		text := p.RenderPlain()
		if strings.Contains(text, "██ ▄▄▄▄▄ █") != code || strings.Contains(text, "scene 1: open") == code {
			t.Errorf("code %v:\n%s", code, text)
		}
		control.ByKey((&sheet{b: b}).Bindings(), "c").Do()
	}
}

// What stands beside names is in columns, whoever has one.
func TestListInColumns(t *testing.T) {
	b := board(t, open(t))
	p, th := plane.NewPlane(44, 6), theme.New(true, false, false)
	b.list(p.Region(), &th, []standing{{number: 1, name: "Ada", eps: 0.9, y: metrics.Exact(0.25)},
		{number: 2, eps: 0.1, y: metrics.Exact(0.25)}, {number: 3, name: "Grace", eps: 0.3, y: metrics.Exact(0.25)}})
	lines := strings.Split(p.RenderPlain(), "\n")[1:4]
	for _, line := range lines {
		for _, of := range []string{"ε", "0.25"} {
			at := func(line string) int { return len([]rune(line[:max(strings.Index(line, of), 0)])) }
			if at(line) == 0 || at(line) != at(lines[0]) {
				t.Errorf("%s stands elsewhere in\n%s", of, strings.Join(lines, "\n"))
			}
		}
	}
}

// Who has diverged stands at the upper edge, who has too few draws nowhere, and who is on another
// target is of no account.
func TestPoints(t *testing.T) {
	all := []standing{
		{number: 1, eps: 0.1, y: metrics.Exact(0.2)},
		{number: 2, eps: 0.8, diverged: &state.Divergence{Step: 5}, y: metrics.Exact(1e9)},
		{number: 3, eps: 0.3, y: metrics.Withheld(metrics.TooShort, 3)},
		{number: 4, eps: 50, y: metrics.Exact(9), off: true},
	}
	x, y := extents(all)
	if x != (chart.Range{Lo: 0.1, Hi: 0.8}) || y != (chart.Range{Lo: 0.2, Hi: 0.2}) {
		t.Errorf("ε in %v, errors in %v", x, y)
	}
	if x, y := extents(nil); wide(x) != (chart.Range{Lo: 0.01, Hi: 1}) || wide(y) != (chart.Range{Lo: 0.01, Hi: 1}) {
		t.Error("an empty room has no axes")
	}
}

// Who has diverged stands at the ε at which they did, on the board and in the summary, whatever they have turned since.
func TestDivergedAtItsEps(t *testing.T) {
	innerlooptest.Skip(t, "a student in real time")
	r := open(t)
	a := sits(t, r, 100, 30)
	a.sees("running")
	lane := func() *engine.LaneView { return &r.Seats()[0].Snapshot().Lanes[1] }
	a.types(":eps 0.9\r")
	has(t, "SGLD has diverged", func() bool { return lane().Diverged != nil })
	a.types(":eps 0.2\r")
	has(t, "ε is turned back", func() bool { return lane().Setting.Eps() == 0.2 })
	if at := board(t, r).standings("sgld")[0]; at.eps != 0.9 || at.diverged == nil {
		t.Errorf("it stands at %+v", at)
	}
	if l := stands(t, r).Students[0].Lanes[1]; l.Diverged == nil || l.Eps != 0.9 || l.Values[quantity.CovBias].OK() {
		t.Errorf("the summary has ε %g, %+v", l.Eps, l.Values[quantity.CovBias])
	}
}

// The right answer is told from the others once the lecturer has played the scene, and not when the question closes.
func TestAnswerIsToldLast(t *testing.T) {
	th := theme.New(true, false, false)
	draw := func(phase lesson.Phase, answer int) string {
		at := &control.Scene{}
		at.Choices, at.Phase, at.Answer = []string{"up", "down"}, phase, answer
		on := plane.NewPlane(40, 12)
		(&Board{}).ask(on.Region(), &th, &Poll{At: at}, 0)
		return on.Render()
	}
	if draw(lesson.Revealed, 0) == draw(lesson.Revealed, 1) || draw(lesson.Doing, 0) != draw(lesson.Doing, 1) {
		t.Error("the answer is told while the scene is played, or not once it was")
	}
}
