package state

import "github.com/psgld/psgld-tui/engine/quantity"

// A Fact is what a Notice tells. The set of facts is closed.
type Fact interface{ fact() }

type (
	// Changed says that settings were changed, or that a change was undone or made again.
	Changed struct {
		By    Reversal
		Step  uint64 // of the first lane that was changed
		Lanes []LaneChange
		Of    int // lanes of the session
		// Locked is EpochLock of the first lane that was changed.
		Locked float64
	}
	// LaneAdded and LaneRemoved have the lane's ID.
	LaneAdded   struct{ Lane int }
	LaneRemoved struct{ Lane int }
	// TargetSet says that the lanes are on another target.
	TargetSet struct {
		Title, Note string // of targets.Problem
		Unfit       []Unfitted
	}
	// Restarted says that the lanes are at step 0 again, with so many chains each where
	// their number was changed, else 0.
	Restarted struct {
		Seed   uint64
		Chains int
	}
	// Rewound says which lanes went back.
	Rewound struct{ Lanes []LaneRewind }
	// UntilSet has the session's new Until, which may ask for nothing.
	UntilSet struct{ Until quantity.Until }
	// TruthSet has the truth that the lanes are held to from now on, which may be none, and BiasSet whether they have
	// companions. Known is nil where nobody has looked for it.
	TruthSet struct {
		By Reversal
		Comparison
	}
	BiasSet struct {
		By Reversal
		On bool
	}
	// Enough says that all that was asked for has been drawn at a step of the furthest lane, after so many seconds of
	// sampling.
	Enough struct {
		Until   quantity.Until
		Step    uint64
		Seconds float64
	}
	// Loaded says that another session has taken the place of the one before. Back says that it is one that was left.
	Loaded struct {
		Title string // of its target
		Note  string // the target's
		Seed  uint64
		Back  bool
	}
	// Refused says that a command was refused, or what has failed beside the sampling.
	Refused struct{ Err error }
	// ReplayEnded says where a replay is not what was recorded, and so ends.
	ReplayEnded struct{ Err error }
)

// Reversal is whether a change was undone or made again.
type Reversal uint8

// The reversals.
const (
	Forward Reversal = iota
	Undone
	Redone
)

func (r Reversal) String() string { return [...]string{"", "undo", "redo"}[r] }

// LaneChange is a change of the lane with an ID.
type LaneChange struct {
	Lane   int
	Change Change
}

// LaneRewind is how the lane with an ID went back. Diverged is where it had stopped, nil if it had not.
type LaneRewind struct {
	Lane int
	RewindChange
	Diverged *Divergence
}

// Unfitted is a lane whose sampler does not run on a target, and what has taken its place there.
type Unfitted struct {
	Lane        int    // its ID
	Sampler, By string // methods' names
	Why         string // as Method.Misfit says it
}

func (Changed) fact()     {}
func (LaneAdded) fact()   {}
func (LaneRemoved) fact() {}
func (TargetSet) fact()   {}
func (Restarted) fact()   {}
func (Rewound) fact()     {}
func (UntilSet) fact()    {}
func (TruthSet) fact()    {}
func (BiasSet) fact()     {}
func (Enough) fact()      {}
func (Loaded) fact()      {}
func (Refused) fact()     {}
func (ReplayEnded) fact() {}
