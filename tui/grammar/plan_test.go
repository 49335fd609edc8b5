package grammar

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// A plan's events have each lane wait at its own step, and at no step behind its next move.
func TestPlanOfLanes(t *testing.T) {
	c, p, err := Args{"samplers": "psgld,sgld,sgld"}.Config(open)
	if err != nil {
		t.Fatal(err)
	}
	text := "100 lambda=1; 150 B eps=0.2; 200/300/250 target.a=2; 260 A eps=0.1; 300 C remove; 400 freeze=now"
	events, err := Args{"moves": text}.Events(c, p)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]uint64{{100, 100, 100}, {150, 150, 150}, {200, 300, 250}, {260, 300, 260}, {300, 300, 300}, {400, 400}}
	for i, e := range events {
		if !slices.Equal(e.At, want[i]) {
			t.Errorf("%s is at %v, want %v", e.Move, e.At, want[i])
		}
	}
	got := events[5].Command
	if !reflect.DeepEqual(got, state.SetEach{Key: "freeze", Values: [state.MaxLanes]float64{400, 300}}) {
		t.Errorf("now is %+v", got)
	}
	if got := LastMove(events); got != 400 {
		t.Errorf("the last is at %d", got)
	}
}

// Beyond 4,000 characters a line has the present values, and the error says why.
func TestLineOfManyMoves(t *testing.T) {
	c, p, err := Args{}.Config(open)
	if err != nil {
		t.Fatal(err)
	}
	s := &engine.Snapshot{Config: c, Problem: p}
	for i, l := range c.Lanes {
		v := engine.LaneView{ID: i, Begun: p, Periods: []engine.Period{{Setting: l, Begins: true}}}
		for k := range 300 {
			l = l.With(sampler.KeyEps, 0.1+float64(k)/1000)
			v.Periods = append(v.Periods, engine.Period{Step: uint64(1000 + k), Setting: l})
		}
		s.Lanes, s.Config.Lanes = append(s.Lanes, v),
			append(slices.Clip(s.Config.Lanes[:i]), append([]state.Setting{l}, c.Lanes[i+1:]...)...)
	}
	line, err := SteeredLine(s)
	want := fmt.Sprintf("psgld-tui --eps %v", 0.1+299./1000)
	if err == nil || !strings.Contains(err.Error(), "characters, more than 4000") || line != want {
		t.Errorf("%s, %v, want %s", line, err, want)
	}
	for i := range s.Lanes {
		s.Lanes[i].Periods = s.Lanes[i].Periods[:3]
	}
	if line, err = SteeredLine(s); err != nil || line != "psgld-tui --moves '1000 eps=0.1; 1001 eps=0.101'" {
		t.Errorf("%s, %v", line, err)
	}
}

// A plan reads back as it is written, its events are at steps that do not go back, and nothing
// that is typed crashes.
func FuzzPlan(f *testing.F) {
	f.Add("12400 eps=0.3; 15000 B alpha=0.999; 20000 target.a=2")
	f.Add("1/2 target.noise=0.5;3 A sampler hmc; 4 schedule=poly:0.1,1,0.5; 5 B remove; 5 until ess=5")
	f.Add("10 point x=1 y=2; 20 point clear; 30 A point x=1 x=2")
	f.Add("0 freeze=now;; 1e5 temp=1/N;-1 eps=1; / eps=2; 9 lr")
	c, p, err := Args{}.Config(open)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := Plan(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		for _, m := range all {
			again, err := Plan(m.String())
			if err != nil || len(again) != 1 || again[0].Move != m.Move || !slices.Equal(again[0].At, m.At) {
				t.Fatalf("%s is read as %v (%v)", m, again, err)
			}
		}
		events, err := Args{"moves": text}.Events(c, p)
		if err != nil {
			return
		}
		last := [state.MaxLanes]uint64{}
		for _, e := range events {
			for i, at := range e.At {
				if len(e.At) == len(c.Lanes) && at < last[i] || at == math.MaxUint64 {
					t.Errorf("%q: %s is at %v behind %v", text, e.Move, e.At, last)
				}
				if len(e.At) == len(c.Lanes) {
					last[i] = at
				}
			}
		}
	})
}

// What is wrong with a move is said by what a plan can hold.
func TestWrongMoves(t *testing.T) {
	allowed := "want KEY=VALUE, " + strings.Join(planned, ", ")
	for text, want := range map[string]string{
		"12":                `item 1, "12": it has a step alone, want a move behind it as in 12400 eps=0.3`,
		"12 eps":            `item 1, "12 eps": eps has no value, want one as in 12400 eps=0.3`,
		"1 eps=1; 2 epss=2": `item 2, "2 epss=2": epss cannot be planned (did you mean "eps"?), ` + allowed,
		"2 chains=2":        `item 1, "2 chains=2": chains cannot be planned, ` + allowed,
		"0 0\n0":            `item 1, "0 0\n0": 0 0 cannot be planned, ` + allowed,
		"2 sampelr hmc":     `item 1, "2 sampelr hmc": sampelr cannot be planned (did you mean "sampler"?), ` + allowed,
		"2 undo":            `item 1, "2 undo": undo cannot be planned, ` + allowed,
	} {
		if _, err := Plan(text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
