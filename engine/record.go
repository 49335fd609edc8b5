package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// recordVersion is the version of a recording's form.
const recordVersion = 1

// Recording is a session that can be played again: what it began with, what its user did
// and when, and digests that prove a replay right.
type Recording struct {
	Form    int    `json:"psgld_recording"`
	Version string `json:"version"`       // of the program
	Run     string `json:"run,omitempty"` // the ID, which each file of a run has
	// Numerics is the numerics.Version of the digests.
	Numerics int `json:"numerics"`
	// OtherDigits says that networks had simd.OtherDigits.
	OtherDigits bool `json:"other_digits,omitempty"`
	// Unrepeatable says that a target was a child process which does not say that it repeats
	// itself, so that digests mean nothing.
	Unrepeatable bool          `json:"unrepeatable,omitempty"`
	Config       state.Config  `json:"config"` // at the start
	Events       []state.Event `json:"events"`
	Digests      []Digest      `json:"digests"` // of the lanes at the end, and at steps 1024, 2048, … since they were made
	End          []uint64      `json:"end"`     // steps executed by each lane at the end
}

// ID is a hash of all that a recording says but the program's version: runs have the same that went the same way.
func (r Recording) ID() string {
	r.Version, r.Run = "", ""
	b, _ := json.Marshal(r) // it can be written
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:IDLength/2])
}

// IDLength is how many characters an ID has.
const IDLength = 16

// A Digest is a 64-bit hash of the bits of a lane's θ, V and step, and of what else its method holds. Two runs with the
// same digest went through the same states, but for a chance of about 2⁻⁶⁴.
type Digest struct {
	Lane   int    `json:"lane"`
	At     uint64 `json:"at"` // steps executed since the lane was made
	Digest string `json:"digest"`
}

// NewRecording begins the recording of a session with a Config.
func NewRecording(version string, c state.Config) Recording {
	return Recording{Form: recordVersion, Version: version, Numerics: numerics.Version, OtherDigits: simd.OtherDigits(), Config: c, Events: []state.Event{}}
}

// MaxRecording bounds a recording, in bytes, and maxParts the objects and lists in it: some hundred thousand events.
const (
	MaxRecording = 16 << 20
	maxParts     = 1 << 19
)

// ReadRecording reads a recording of at most MaxRecording bytes and checks its form.
func ReadRecording(r io.Reader) (Recording, error) {
	rec := Recording{Numerics: 1} // of recordings from before it was written
	b, err := io.ReadAll(io.LimitReader(r, MaxRecording))
	if err != nil {
		return rec, fmt.Errorf("cannot read the recording: %w", err)
	}
	if n := bytes.Count(b, []byte("{")) + bytes.Count(b, []byte("[")); n > maxParts {
		return rec, fmt.Errorf("the recording has %d objects and lists, want at most %d", n, maxParts)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	if err := d.Decode(&rec); err != nil {
		if errors.Is(err, io.EOF) {
			return rec, errors.New("the recording is empty")
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return rec, errors.New("the recording is cut off")
		}
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return rec, fmt.Errorf("not a recording: %s is a JSON %s", cmp.Or(t.Field, "it"), t.Value)
		}
		if s, ok := errors.AsType[*json.SyntaxError](err); ok {
			if s.Offset <= 1 {
				return rec, errors.New("not a recording: it is no JSON")
			}
			return rec, fmt.Errorf("not a recording: at byte %d: %w", s.Offset, err)
		}
		return rec, fmt.Errorf("not a recording: %w", err)
	}
	if d.More() {
		return rec, errors.New("there is something after the recording")
	}
	if rec.Form != recordVersion {
		return rec, fmt.Errorf("not a recording of form %d, which this version reads (got %d)", recordVersion, rec.Form)
	}
	if len(rec.End) == 0 || len(rec.End) > state.MaxLanes {
		return rec, fmt.Errorf("the recording ends with %d lanes, want 1 to %d", len(rec.End), state.MaxLanes)
	}
	var from []uint64
	for i, e := range rec.Events {
		if len(e.At) == 0 || len(e.At) > state.MaxLanes || len(e.Digests) != len(e.At) {
			return rec, fmt.Errorf("event %d of the recording has %d places and %d digests, want one of each for 1 to %d lanes", i+1, len(e.At), len(e.Digests), state.MaxLanes)
		}
		if err := follows(fmt.Sprintf("event %d of the recording", i+1), from, e.At); err != nil {
			return rec, err
		}
		_, from = e.After(nil)
	}
	return rec, follows("the end of the recording", from, rec.End)
}

// follows refuses lanes' places that lie before those where the recording has come to.
func follows(what string, from, to []uint64) error {
	for i := range min(len(from), len(to)) {
		if to[i] < from[i] {
			return fmt.Errorf("%s is after %d steps of lane %s, want at least the %d of what stands before it", what, to[i], state.LaneLetter(i), from[i])
		}
	}
	return nil
}

// Incomparable says why this program's digests of the recorded session are others, or is nil where they are the same.
func (r Recording) Incomparable() error {
	if r.Unrepeatable {
		return errors.New("its digests cannot be compared: its model does not say that it repeats itself (\"repeats\": true)")
	}
	specs := r.Targets()
	for _, spec := range specs {
		if !numerics.Comparable(r.Numerics, spec) {
			return fmt.Errorf("its digests are of numerics version %d and cannot be compared with those of version %d", r.Numerics, numerics.Version)
		}
	}
	if slices.ContainsFunc(specs, targets.ReadsImages) && r.OtherDigits != simd.OtherDigits() {
		return errors.New("its digests cannot be compared: of the kernels that made them and those in use here, one fuses products with sums")
	}
	return nil
}

// Targets are the values of --target that the recording opens, in order.
func (r Recording) Targets() []string {
	specs := []string{r.Config.Target}
	for _, e := range r.Events {
		if c, ok := e.Command.(state.SetTarget); ok {
			specs = append(specs, c.Target)
		}
	}
	return specs
}

// Script is the recording's events with an end, as session.Runtime.Replay takes them. They
// have no digests where these are Incomparable.
func (r Recording) Script() []state.Event {
	all := append(append([]state.Event{}, r.Events...), state.Event{At: r.End, Command: state.Pause{}})
	if r.Incomparable() != nil {
		for i := range all {
			all[i].Digests = nil
		}
	}
	return all
}
