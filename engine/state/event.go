package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Event is a command and where it took effect. At is how many steps each lane had
// executed since it was made, which unlike the step never goes back.
type Event struct {
	At      []uint64
	Digests []string // the lanes' at that place, before the command
	Command Command
	Gesture bool // the command was InGesture
	// Move is the text of the move that the command is of, where it was planned before the
	// session began; empty in a recording. The session's limits end it before such an event.
	Move string
}

type eventJSON struct {
	At      []uint64        `json:"at"`
	Digests []string        `json:"digests"`
	Kind    string          `json:"command"`
	With    json.RawMessage `json:"with"`
	Gesture bool            `json:"gesture,omitempty"`
}

// MarshalJSON writes the event with its command's name.
func (e Event) MarshalJSON() ([]byte, error) {
	with, err := json.Marshal(e.Command)
	if err != nil {
		return nil, err
	}
	return json.Marshal(eventJSON{At: e.At, Digests: e.Digests, Kind: e.Command.Kind(), With: with, Gesture: e.Gesture})
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Event) UnmarshalJSON(b []byte) error {
	var j eventJSON
	err := json.Unmarshal(b, &j)
	if err != nil {
		return err
	}
	decode, ok := decoders[j.Kind]
	if !ok {
		decode = func(json.RawMessage) (Command, error) { return nil, errors.New("is not one that this version knows") }
	}
	e.At, e.Digests, e.Gesture = j.At, j.Digests, j.Gesture
	if e.Command, err = decode(j.With); err != nil {
		return fmt.Errorf("command %q: %w", j.Kind, err)
	}
	return nil
}

// Asked is the event's command as it was sent.
func (e Event) Asked() Command {
	if e.Gesture {
		return InGesture{e.Command}
	}
	return e.Command
}

// After returns the lanes' ids and odometers after the event, given their ids before it.
func (e Event) After(ids []int) ([]int, []uint64) {
	if c, ok := e.Command.(moving); ok {
		return c.after(ids, e.At)
	}
	return ids, e.At
}

// again are the lanes after a command that has them begin again.
func again(ids []int, at []uint64) ([]int, []uint64) { return ids, make([]uint64, len(at)) }

// without is all but one of a list, all where it has no such place.
func without[T any](all []T, i int) []T {
	if i < 0 || i >= len(all) {
		return all
	}
	return slices.Delete(slices.Clone(all), i, i+1)
}

// Furthest is the most that an odometer has moved.
func Furthest(from, to []uint64) uint64 {
	return list.Max(list.Upto(min(len(from), len(to))), func(i int) uint64 { return to[i] - min(from[i], to[i]) })
}

// FreeID is the ID of the next lane.
func FreeID(ids []int) int {
	id := 0
	for slices.Contains(ids, id) {
		id++
	}
	return id
}
