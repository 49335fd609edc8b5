package engine

import (
	"slices"
	"testing"
)

// at goes to a place of the tape and waits until the session stands there.
func (l *live) at(to uint64) *Snapshot {
	l.t.Helper()
	return l.do(func(s *Snapshot) bool { return !s.Tape.Seeking && s.Phase != Running && s.Tape.At == to }, Seek{to})
}

func digestsOf(s *Session) []string {
	var all []string
	for _, r := range s.lanes {
		all = append(all, r.digest().Digest)
	}
	return all
}

// A session that was turned, rewound, restarted and given other lanes and
// targets is played back and forth: wherever it stands, it stands as it did when it
// was first there.
func TestSeek(t *testing.T) {
	for _, race := range []bool{false, true} {
		p := open(t, "gaussian")
		c := config(p, 0, nil, "psgld", "sgld")
		c.Race = race
		l := start(t, c, Runtime{})
		look := func(s *Snapshot) []float64 {
			var all []float64
			for _, v := range s.Lanes {
				all = append(all, v.Now[0], v.Now[1], float64(v.Step), v.Setting.Eps(), float64(v.Draws))
			}
			return all
		}
		been := map[uint64][]float64{}
		note := func() {
			s := l.do(in(Paused), Pause{})
			if s.Tape.At != s.Tape.End {
				t.Fatalf("a live session stands at %d of %d", s.Tape.At, s.Tape.End)
			}
			been[s.Tape.At] = look(s)
		}
		run := func(n uint64) {
			before := l.do(nil).Tape.At
			l.do(func(s *Snapshot) bool { return s.Phase == Paused && s.Tape.At == before+n }, StepBy{n})
			note()
		}
		l.do(in(Paused), Pause{})
		l.do(nil, Restart{1}) // whatever ran before the pause
		run(100)
		l.do(nil, SetParam{AllLanes, "eps", 0.2})
		run(57)
		l.do(nil, AddLane{Name: "sgld"})
		run(43)
		l.do(nil, Rewind{Lane: 0, Steps: 30, EpsFactor: 0.5})
		run(10)
		l.do(nil, Restart{7})
		run(200)
		l.do(nil, RemoveLane{0})
		run(90)
		l.do(nil, SetTarget{Target: "banana"})
		run(300)
		end := l.do(nil).Tape.End
		places := []uint64{}
		for at := range been {
			places = append(places, at)
		}
		slices.Sort(places)
		for _, at := range []int{0, 5, 2, 4, 1, 6, 3, 3, 0, 6} {
			s := l.at(places[at])
			// An event at the very place is applied on the way back: compare what was
			// there after it only where nothing was turned.
			if s.Tape.End != end || len(s.Tape.Events) != 7 {
				t.Errorf("race %v: the tape has %d steps and %d events, want %d and 7", race, s.Tape.End, len(s.Tape.Events), end)
			}
		}
		for _, at := range places {
			l.at(at - 1)
			s := l.do(func(s *Snapshot) bool { return s.Phase == Paused }, Pause{})
			if s.Tape.At != at-1 {
				t.Errorf("race %v: at %d, want %d", race, s.Tape.At, at-1)
			}
		}
		if s := l.at(end); !race && !slices.Equal(look(s), been[end]) {
			t.Errorf("race %v: at the end %v, was %v", race, look(s), been[end])
		}
		// A branch: what was to come is gone.
		l.at(places[1] - 20)
		s := l.do(nil, SetParam{AllLanes, "eps", 0.1})
		if s.Tape.End != places[1]-20 || s.Replaying != 0 {
			t.Errorf("race %v: a branch at %d has an end at %d and %d events to come", race, places[1]-20, s.Tape.End, s.Replaying)
		}
		_ = l.stop()
	}
}

// Load plays a recording in the place of the session that was there, and what is
// recorded from then on is the loaded session.
func TestLoad(t *testing.T) {
	p := open(t, "gaussian")
	played := script(t, config(p, 0, nil, "psgld"), p, 500, []Command{SetParam{0, "eps", 0.2}, Restart{3}, SetParam{0, "alpha", 0.9}})
	rec := played.Recording("test")
	l := start(t, config(p, 0, nil, "sgld", "psgld"), Runtime{})
	l.do(func(s *Snapshot) bool { return s.Lanes[0].Step > 1000 })
	s := l.do(func(s *Snapshot) bool { return s.Phase == Paused && s.Replaying == 0 }, Load{Config: rec.Config, Problem: p, Script: rec.Script()})
	if len(s.Lanes) != 1 || s.Tape.At != s.Tape.End {
		t.Fatalf("%d lanes, tape %+v", len(s.Lanes), s.Tape)
	}
	if err := l.stop(); err == nil {
		t.Fatal("the session ended by itself")
	}
	if got := l.Recording("test"); !slices.Equal(got.Digests, rec.Digests) || len(got.Events) != len(rec.Events) {
		t.Errorf("digests %v, want %v", got.Digests, rec.Digests)
	}
	if err := l.load(Load{Config: rec.Config}); err == nil {
		t.Error("no target was loaded")
	}
}
