package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// recordVersion is the version of a recording's form.
const recordVersion = 1

// Recording is a session that can be played again: what it was configured to
// be, what its user did and when, and digests that prove a replay right.
type Recording struct {
	Form    int      `json:"psgld_recording"`
	Version string   `json:"version"` // of the program
	Config  Config   `json:"config"`  // at the start
	Events  []Event  `json:"events"`
	Digests []Digest `json:"digests"` // of the lanes at the end, and at steps 1024, 2048, … since they were made
	End     []uint64 `json:"end"`     // steps executed by each lane at the end
}

// Recording returns the recording of a session whose Run has returned. One that
// has gone back on its tape is recorded as far as it had come.
func (s *Session) Recording(version string) Recording {
	if len(s.line.Ahead()) > 0 && s.end != nil {
		r := *s.end
		r.Version = version
		return r
	}
	r := Recording{Form: recordVersion, Version: version, Config: s.start, Events: []Event{}}
	for _, t := range s.line.Done() {
		r.Events = append(r.Events, t.event())
	}
	for _, l := range s.lanes {
		r.Digests = append(append(r.Digests, l.digests()...), l.digest())
		r.End = append(r.End, l.odo())
	}
	return r
}

// ReadRecording reads a recording and checks its form.
func ReadRecording(r io.Reader) (Recording, error) {
	var rec Recording
	d := json.NewDecoder(r)
	if err := d.Decode(&rec); err != nil {
		if errors.Is(err, io.EOF) {
			return rec, errors.New("the recording is empty")
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return rec, errors.New("the recording is cut off")
		}
		if t := (*json.UnmarshalTypeError)(nil); errors.As(err, &t) {
			return rec, fmt.Errorf("not a recording: %s is a JSON %s", cmp.Or(t.Field, "it"), t.Value)
		}
		return rec, fmt.Errorf("not a recording: %w", err)
	}
	if d.More() {
		return rec, errors.New("there is something after the recording")
	}
	if rec.Form != recordVersion {
		return rec, fmt.Errorf("not a recording of form %d, which this version reads (got %d)", recordVersion, rec.Form)
	}
	if len(rec.End) == 0 || len(rec.End) > MaxLanes {
		return rec, fmt.Errorf("the recording ends with %d lanes, want 1 to %d", len(rec.End), MaxLanes)
	}
	for i, e := range rec.Events {
		if len(e.At) == 0 || len(e.At) > MaxLanes || len(e.Digests) != len(e.At) {
			return rec, fmt.Errorf("event %d of the recording has %d places and %d digests, want one of each for 1 to %d lanes", i+1, len(e.At), len(e.Digests), MaxLanes)
		}
	}
	return rec, nil
}

// Script is the recording's events with an end: what Runtime.Replay takes.
func (r Recording) Script() []Event {
	return append(append([]Event{}, r.Events...), Event{At: r.End, Command: Pause{}})
}

// Verify plays the recording and compares every digest. The error says which
// one differs first.
func (r Recording) Verify(ctx context.Context, rt Runtime) error {
	p, err := r.Config.Open(rt.DataDir)
	if err != nil {
		return err
	}
	rt.Interactive, rt.Replay, rt.Sink = false, r.Script(), nil
	s, err := NewSession(r.Config, p, rt)
	if err != nil {
		return err
	}
	if err := s.Run(ctx); err != nil {
		return err
	}
	got := s.Recording("").Digests
	if len(got) != len(r.Digests) {
		return fmt.Errorf("the replay has %d digests and the recording %d", len(got), len(r.Digests))
	}
	for i, d := range r.Digests {
		switch {
		case got[i].Lane != d.Lane || got[i].At != d.At:
			return fmt.Errorf("digest %d of the recording is of lane %d after %d steps, the replay has one of lane %d after %d", i+1, d.Lane, d.At, got[i].Lane, got[i].At)
		case got[i] != d:
			return differs(d.Lane, d.At, got[i].Digest, d.Digest)
		}
	}
	return nil
}

func differs(lane int, at uint64, got, want string) error {
	return fmt.Errorf("lane %s differs after %d steps: digest %s, the recording has %s", LaneLetter(lane), at, got, want)
}
