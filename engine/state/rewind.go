package state

import (
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
)

// Rewind takes a lane back by a number of steps and scales its ε. With AllLanes it
// is for the diverged lanes, or for all if none has diverged.
type Rewind struct {
	Lane      int     `json:"lane"`
	Steps     uint64  `json:"steps"`
	EpsFactor float64 `json:"eps_factor"`
	// Mends says that Undo does not go back to the ε with which a lane diverged. Where that stands among the settings
	// before earlier changes, the new one takes its place. The rewind itself is then no change to undo.
	Mends bool `json:"mends,omitempty"`
}

var _ = recorded[Rewind]()

func (Rewind) Kind() string { return "rewind" }
func (c Rewind) lane() int  { return c.Lane }

// apply says where the lanes go back to. One on a target outside of the process may fall short: see CameTo.
func (c Rewind) apply(s *State) (Fact, error) {
	picked, err := s.pick(c.Lane)
	if err != nil {
		return nil, err
	}
	if !(c.EpsFactor > 0) || math.IsInf(c.EpsFactor, 0) {
		return nil, outside("eps_factor", strconv.FormatFloat(c.EpsFactor, 'g', -1, 64), "positive")
	}
	if stopped := slices.DeleteFunc(slices.Clone(picked), func(i int) bool { return s.Lanes[i].Place.Diverged == nil }); len(stopped) > 0 {
		picked = stopped
	}
	if !c.Mends {
		s.Undo.Change(s.turned())
	}
	s.Lanes = slices.Clone(s.Lanes)
	var went Rewound
	for _, i := range picked {
		l := &s.Lanes[i]
		eps, div := l.Setting.Or(sampler.KeyEps, 0), l.Place.Diverged // watched draws have no ε
		back := RewindChange{Step: l.Place.Step - min(l.Place.Step, c.Steps), FromEps: eps, Eps: eps * c.EpsFactor}
		if l.Returns++; c.EpsFactor != 1 {
			l.Setting = l.Setting.With(sampler.KeyEps, back.Eps)
		}
		l.Place.Step, l.Place.Diverged = back.Step, nil
		s.markRewind(l, back)
		went.Lanes = append(went.Lanes, LaneRewind{Lane: l.ID, RewindChange: back, Diverged: div})
		if c.Mends {
			s.mend(i, eps, div)
		}
	}
	return went, nil
}

// markRewind marks where a lane went back to, in the place of the marks behind that.
func (s *State) markRewind(l *Lane, back RewindChange) {
	s.Marks = slices.DeleteFunc(slices.Clone(s.Marks), func(m Mark) bool { return m.Lane == l.ID && m.Step > back.Step })
	s.mark(l, back)
}

// CameTo is the state after a rewind, and what there is to tell of it, where lane i has not come back as far as that
// said: its gradients failed on the way.
func (s State) CameTo(went Rewound, i int, at Place) (State, Rewound) {
	s.Lanes, s.Marks, went.Lanes = slices.Clone(s.Lanes), slices.Clone(s.Marks), slices.Clone(went.Lanes)
	s.Lanes[i].Place = at
	for k := range went.Lanes {
		if w := &went.Lanes[k]; w.Lane == s.Lanes[i].ID {
			s.Marks = slices.DeleteFunc(s.Marks, func(m Mark) bool { return m.Lane == w.Lane && m.Change == Change(w.RewindChange) })
			w.Step = at.Step
			s.markRewind(&s.Lanes[i], w.RewindChange)
		}
	}
	return s, went
}

// mend changes the settings that Undo would go back to. Where lane i has the ε from before a
// rewind, the ε with which it diverged, or one not below the bound crossed, it gets its present ε.
func (s *State) mend(i int, before float64, div *Divergence) {
	now := s.turned()
	s.Undo.Mend(func(all Turned) Turned {
		eps := all.Lanes[i].Eps()
		if eps != before && (div == nil || eps != div.Eps && !(div.Bound.Eps > 0 && eps >= div.Bound.Eps)) {
			return all
		}
		all.Lanes = slices.Clone(all.Lanes)
		all.Lanes[i] = all.Lanes[i].With(sampler.KeyEps, now.Lanes[i].Eps())
		return all
	}, func(all Turned) bool {
		return reflect.DeepEqual(all.Comparison, now.Comparison) && slices.EqualFunc(all.Lanes, now.Lanes,
			func(a, b Setting) bool { return Difference(s.Problem, a, b) == nil })
	})
}

// RewindSteps is the number of steps that a user goes back at a key.
const RewindSteps = 200

// farAbove is how many times the target's own ε is so far above it that halving is no way down.
const farAbove = 32

// RescueFactor is the factor of a diverged lane's ε for the way back: a half, or less to the target's own ε from far
// above it, or 1 if ε has been turned down since the divergence, or had no part in it.
func RescueFactor(p *targets.Problem, set Setting, d *Divergence) float64 {
	if d != nil && (d.Failed != "" || set.Or(sampler.KeyEps, d.Eps) < d.Eps) {
		return 1
	}
	if _, known := catalog.Find(set.Sampler); known && p != nil && p.Impl() != nil && set.Has(sampler.KeyEps) {
		if own := DefaultSetting(p, set.Sampler).Eps(); set.Eps() > farAbove*own {
			return own / set.Eps()
		}
	}
	return 0.5
}
