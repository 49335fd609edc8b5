package engine

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// A Command asks a session for something. It is applied between two steps. The set of
// commands is closed.
type Command interface {
	// Kind is the command's name in a recording, or "" for a command that
	// changes no number and is not recorded.
	Kind() string
}

// InGesture is a command that goes on with the gesture of the one before, such as the next notch
// of a slider that is dragged: both have one mark, one undo and one window before them. It
// stands for Command alone where the one before did not set the same parameter.
type InGesture struct{ Command }

// Changes reports whether a command changes numbers. It then makes a branch where some
// of the tape is still ahead.
func Changes(c Command) bool { return c.Kind() != "" }

// Branches reports whether a command makes a branch where some of the tape is ahead.
func Branches(c Command) bool { return Changes(c) || c == Command(Branch{}) }

// FromNow stands for the step at which a lane is.
const FromNow = -math.MaxFloat64

// AllLanes in a command's Lane stands for every lane. Otherwise Lane is an
// index into the snapshot's lanes.
const AllLanes = -1

// The commands that change what is sampled. They are recorded with the step at
// which they took effect.
type (
	// SetParam sets a parameter of a lane. One that is a step of the chain takes FromNow too.
	SetParam struct {
		Lane  int     `json:"lane"`
		Key   string  `json:"key"`
		Value float64 `json:"value"`
	}
	// SetEach sets a parameter in every lane that has it, to Values[i] in lane i.
	SetEach struct {
		Key    string            `json:"key"`
		Values [MaxLanes]float64 `json:"values"`
	}
	// SetSampler gives a lane another update rule; θ and V stay.
	SetSampler struct {
		Lane int    `json:"lane"`
		Name string `json:"name"`
	}
	// SetSchedule gives a lane another step-size schedule.
	SetSchedule struct {
		Lane     int              `json:"lane"`
		Schedule sampler.Schedule `json:"schedule"`
	}
	// AddLane adds a lane, from the start, with the values of the lane Like where both
	// mean the same, so that both sample the same posterior. A sampler on another scale
	// of step sizes has its default one.
	AddLane struct {
		Name string `json:"name"`
		Like int    `json:"like,omitempty"`
	}
	// RemoveLane ends a lane.
	RemoveLane struct {
		Lane int `json:"lane"`
	}
	// SetTarget starts the session's samplers on another target with its
	// default settings.
	SetTarget struct {
		Target  string `json:"target"`
		Dataset string `json:"dataset,omitempty"` // as in Config
		// Problem is the opened target, if the sender has opened it already so
		// that the session need not.
		Problem *targets.Problem `json:"-"`
	}
	// Restart takes every lane back to step 0, on the same seed or a new one, with so
	// many chains or, with 0, as many as it has.
	Restart struct {
		Seed   uint64 `json:"seed"`
		Chains int    `json:"chains,omitempty"`
	}
	// Rewind takes a lane back by a number of steps and scales its ε. With AllLanes it
	// is for the diverged lanes, or for all if none has diverged.
	Rewind struct {
		Lane      int     `json:"lane"`
		Steps     uint64  `json:"steps"`
		EpsFactor float64 `json:"eps_factor"`
		// Mends says that Undo does not go back to the ε with which a lane diverged. Where
		// that stands among the settings before earlier changes, the new one takes its
		// place. The rewind itself is then no change to undo.
		Mends bool `json:"mends,omitempty"`
	}
	// Undo takes back the newest change of settings, and Redo makes it again.
	Undo struct{}
	Redo struct{}
	// SetUntil is another Config.Until, which may ask for nothing. The session looks at once whether it holds.
	SetUntil struct {
		Until quantity.Until `json:"until,omitzero"`
	}
	// SetRace lets lanes run as fast as each can, or step by step together.
	SetRace struct {
		On bool `json:"on"`
	}
)

// The commands that change no number.
type (
	Pause  struct{}
	Resume struct{}
	// StepBy runs so many steps, and pauses.
	StepBy struct{ N uint64 }
	// SetSpeed limits the steps a second; 0 is as fast as it goes.
	SetSpeed struct{ PerSecond float64 }
	// Watch chooses the two coordinates that are shown, or the draws' first two
	// principal directions in their place, and what else is.
	Watch struct {
		X, Y        int
		Principal   bool
		Weights     bool // histograms of θ and G
		Predictions bool // of single test images
		Discrepancy bool // from the target, by its gradient
		Rows        bool // estimates of many coordinates
	}
	// Save sends what can be written of the session as it stands. Nothing is sent if
	// the channel has no room.
	Save struct {
		Version string
		To      chan<- Saved
	}
)

// The commands that go along the tape or to another session.
type (
	// Load puts another session in the place of the present one: a Config on its
	// opened target and, of a recording, its Script. Return puts back what there was.
	Load struct {
		Config  Config
		Problem *targets.Problem // opened, and with its reference if the Config wants a truth
		Script  []Event          // Recording.Script, or nil
		Paused  bool             // it stands before its first step
		Passing bool             // what it replaces is not held for Return; what was held stays
		// Speed limits its steps a second from the first on. Nil leaves the limit as it is.
		Speed *float64
	}
	// Seek goes to a place of the tape and pauses there. It runs there from where it
	// stands, from a keyframe before the place, or else from the start. The numbers
	// there are the same to the bit, since noise is keyed by step. A command that
	// changes numbers makes a branch there, and Return puts back what was ahead.
	Seek struct{ To uint64 }
	// Branch has the session go on from where it stands, without what of the tape is ahead.
	// Return puts that back.
	Branch struct{}
	// Return puts back the session that the newest Load or branch has replaced. That
	// runs from one of its keyframes to where it stood, and pauses. The session that it
	// replaces goes behind the others, so that repeated Returns come round to all of
	// them.
	Return struct{}
)

// SetShift shifts test images before they are predicted, in the snapshot alone. Scores
// and curves stay those of the images as they are. From is the place in
// Snapshot.Predictions of the first image that is looked at. The images around it are
// predicted. A session that is not interactive refuses it.
type SetShift struct {
	Shift targets.Shift
	From  int
}

// Saved is what can be written of a session: its recording, its result and the
// newest draws of each chain.
type Saved struct {
	Recording Recording
	Result    Result
	Draws     []Draws
}

// Draws are the newest kept draws of a chain, oldest first.
type Draws struct {
	ChainID
	Sampler string
	Names   []string
	Columns [][]float64 // one a name
	Of      uint64      // how many draws the chain has kept in all
}

// Rows is how many draws the columns have.
func (d *Draws) Rows() int {
	if len(d.Columns) == 0 {
		return 0
	}
	return len(d.Columns[0])
}

// A ChainID says which chain of which lane is meant, both numbered from 0. The lane has Chains of them.
type ChainID struct{ Lane, Chain, Chains int }

func (SetParam) Kind() string    { return "set-param" }
func (SetEach) Kind() string     { return "set-each" }
func (SetSampler) Kind() string  { return "set-sampler" }
func (SetSchedule) Kind() string { return "set-schedule" }
func (AddLane) Kind() string     { return "add-lane" }
func (RemoveLane) Kind() string  { return "remove-lane" }
func (SetTarget) Kind() string   { return "set-target" }
func (Restart) Kind() string     { return "restart" }
func (Rewind) Kind() string      { return "rewind" }
func (Undo) Kind() string        { return "undo" }
func (Redo) Kind() string        { return "redo" }
func (SetUntil) Kind() string    { return "set-until" }
func (SetRace) Kind() string     { return "set-race" }
func (Pause) Kind() string       { return "" }
func (Resume) Kind() string      { return "" }
func (StepBy) Kind() string      { return "" }
func (SetSpeed) Kind() string    { return "" }
func (Watch) Kind() string       { return "" }
func (Save) Kind() string        { return "" }
func (Load) Kind() string        { return "" }
func (Seek) Kind() string        { return "" }
func (Branch) Kind() string      { return "" }
func (Return) Kind() string      { return "" }
func (SetShift) Kind() string    { return "" }

// An Event is a command and where it took effect. At is how many steps each lane had
// executed since it was made, which unlike the step never goes back.
type Event struct {
	At      []uint64
	Digests []string // the lanes' at that place, before the command
	Command Command
	// Gesture says that the command was InGesture. Joins is of older recordings, where it shares
	// the mark of the command before and nothing else.
	Gesture bool
	Joins   bool
	// Move is the text of the move that the command is of, where it was planned before the
	// session began; empty in a recording. The session's limits end it before such an event.
	Move string
}

type eventJSON struct {
	At      []uint64        `json:"at"`
	Digests []string        `json:"digests"`
	Kind    string          `json:"command"`
	With    json.RawMessage `json:"with"`
	Joins   bool            `json:"joins,omitempty"`
	Gesture bool            `json:"gesture,omitempty"`
}

// MarshalJSON writes the event with its command's name.
func (e Event) MarshalJSON() ([]byte, error) {
	with, err := json.Marshal(e.Command)
	if err != nil {
		return nil, err
	}
	return json.Marshal(eventJSON{At: e.At, Digests: e.Digests, Kind: e.Command.Kind(), With: with, Joins: e.Joins, Gesture: e.Gesture})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Event) UnmarshalJSON(b []byte) error {
	var j eventJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	e.At, e.Digests, e.Joins, e.Gesture = j.At, j.Digests, j.Joins, j.Gesture
	var err error
	if e.Command, err = decodeCommand(j.Kind, j.With); err != nil {
		return fmt.Errorf("command %q: %w", j.Kind, err)
	}
	return nil
}

func decodeCommand(kind string, with json.RawMessage) (Command, error) {
	for _, decode := range []func(string, json.RawMessage) (Command, bool, error){
		decodeAs[SetParam], decodeAs[SetEach], decodeAs[SetSampler], decodeAs[SetSchedule], decodeAs[AddLane],
		decodeAs[RemoveLane], decodeAs[SetTarget], decodeAs[Restart], decodeAs[Rewind], decodeAs[Undo], decodeAs[Redo], decodeAs[SetUntil], decodeAs[SetRace],
	} {
		if c, ok, err := decode(kind, with); ok {
			return c, err
		}
	}
	return nil, fmt.Errorf("is not one that this version knows")
}

func decodeAs[C Command](kind string, with json.RawMessage) (Command, bool, error) {
	var c C
	if c.Kind() != kind {
		return nil, false, nil
	}
	err := json.Unmarshal(with, &c)
	return c, true, err
}
