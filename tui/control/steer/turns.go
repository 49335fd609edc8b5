package steer

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// turns remember from which values parameters were turned, so that as many notches
// back give the very value, which may lie off every notch. The zero value is empty.
type turns struct {
	problem *targets.Problem
	of      map[laneParam][]turn // the newest last; each begins where the one before ends
}

// laneParam is a parameter, by its key, of the lane with an ID.
type laneParam struct {
	lane int
	key  string
}

// turn is a turn by notches.
type turn struct{ notches, from, to float64 }

// mostTurns bounds what is remembered of a parameter.
const mostTurns = 100

// turn is a lane's value of a parameter after a turn: where that and the newest turns
// before it cancel out, the value from which they began.
func (t *turns) turn(s *engine.Snapshot, l *engine.LaneView, p param.Param, notches float64) float64 {
	if t.problem != s.Problem || t.of == nil {
		t.problem, t.of = s.Problem, map[laneParam][]turn{}
	}
	at, now := laneParam{l.ID, p.Key}, l.Setting.Value(p.Key)
	past := t.of[at]
	if n := len(past); n > 0 && past[n-1].to != now { // it has come there otherwise
		past = nil
	}
	sum := notches
	for i := len(past) - 1; i >= 0; i-- {
		// What an end of the scale has cut short may lie on the other side.
		if sum += past[i].notches; sum == 0 && (past[i].from > now) == (notches > 0) && past[i].from != now {
			t.of[at] = past[:i]
			return past[i].from
		}
	}
	to := p.Turn(now, notches)
	if to != now {
		t.of[at] = append(past[max(0, len(past)-mostTurns):], turn{notches, now, to})
	}
	return to
}
