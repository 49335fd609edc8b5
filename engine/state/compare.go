package state

import (
	"reflect"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// SetTruth is another Config.Truth, which may ask for none. The lanes go on, and are held to it from then on.
type SetTruth struct {
	Truth Truth `json:"truth,omitzero"`
	// Found is what it asks for. Resolve looks for it where the sender has not.
	Found *targets.Reference `json:"-"`
}

// SetBias turns Config.Bias on or off. Companions that begin in mid-run begin where the chain stands, since a draw of
// the chain is closer to a draw of theirs than any start is.
type SetBias struct {
	On bool `json:"on"`
}

var _, _ = recorded[SetTruth](), recorded[SetBias]()

func (SetTruth) Kind() string { return "set-truth" }
func (SetBias) Kind() string  { return "set-bias" }

func (c SetTruth) resolve(s *State, with Opener) (_, logged Command, err error) {
	if c.Truth.Wanted() && c.Found == nil && with.Truth != nil {
		cfg := s.Whole()
		if cfg.Truth = c.Truth; s.Problem.Turns() {
			cfg.Target = s.Problem.Spec // with their present values
		}
		c.Found, err = with.Truth(cfg, s.Problem)
	}
	return c, c, err // with what was found, so that going back does not look for it again
}

func (c SetTruth) apply(s *State) (Fact, error) {
	if !c.Truth.Wanted() {
		c.Found = s.Problem.Held(nil).Known()
	}
	return s.compare(Comparison{c.Truth, c.Found, s.Config.Bias})
}

func (c SetBias) apply(s *State) (Fact, error) {
	if c.On && s.Problem.F64 == nil {
		return nil, unfit("bias", "", "is not for networks, whose gradients take too long")
	}
	return s.compare(Comparison{s.Config.Truth, s.Problem.Known(), c.On})
}

// A Comparison is with what lanes are compared. It changes no number of theirs.
type Comparison struct {
	Truth Truth
	Known *targets.Reference // what Truth asks for; nil where nobody has looked for it
	Bias  bool               // Config.Bias
}

func (s *State) comparison() Comparison {
	return Comparison{s.Config.Truth, s.Problem.Known(), s.Config.Bias}
}

// compare has the lanes compared with something else, which can be undone.
func (s *State) compare(with Comparison) (Fact, error) {
	before := s.turned()
	fact := s.hold(with, Forward)
	if fact != nil {
		s.Undo.Change(before)
	}
	return fact, s.Whole().Validate(s.Problem)
}

// hold has the lanes compared with something, and returns nil where they are.
func (s *State) hold(with Comparison, by Reversal) (fact Fact) {
	if s.Config.Bias != with.Bias {
		s.Config.Bias, fact = with.Bias, BiasSet{By: by, On: with.Bias}
	}
	if was := s.comparison(); reflect.DeepEqual(was, with) {
		return fact
	}
	s.Config.Truth, s.Problem = with.Truth, s.Problem.Held(with.Known)
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		if set := &s.Lanes[i].Setting; set.Problem != nil {
			set.Problem = s.Problem
		}
	}
	return TruthSet{By: by, Comparison: with}
}
