package session

import (
	"context"
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Recording returns the recording of a session whose Run has returned. One that
// has gone back on its tape is recorded as far as it had come.
func (s *Session) Recording(version string) engine.Recording {
	if len(s.line.Ahead()) > 0 && s.end != nil {
		r := *s.end
		r.Version = version
		return r
	}
	r := engine.NewRecording(version, s.start)
	r.Unrepeatable = s.unrepeatable
	if src := s.now.Problem.Source; src != nil && r.Config.Watched != nil {
		w := *r.Config.Watched
		w.Files, r.Config.Watched = src.Files(), &w
	}
	for _, t := range s.line.Done() {
		r.Events = append(r.Events, t.Event)
	}
	for _, l := range s.lanes {
		r.Digests = append(append(r.Digests, l.Standing().Digests...), l.Measures().Digest())
		r.End = append(r.End, l.Standing().Odometer)
	}
	r.Run = r.ID()
	return r
}

// Verify plays a recording and compares every digest. The error says which one differs
// first, or that they are engine.Recording.Incomparable.
func Verify(ctx context.Context, r engine.Recording, rt Runtime) error {
	if err := r.Incomparable(); err != nil {
		return err
	}
	p, err := r.Config.OpenWith(targets.Options{DataDir: rt.DataDir, Commands: rt.Commands})
	if err != nil {
		return err
	}
	rt.Sink, rt.Unseen = nil, true
	_, err = Play(ctx, r, p, rt)
	return err
}

// Play is Verify of a recording on its opened target, with rt's sinks. It compares no digests
// where these are Incomparable. It returns the session too, whose Run has returned.
func Play(ctx context.Context, r engine.Recording, p *targets.Problem, rt Runtime) (*Session, error) {
	rt.Interactive, rt.Replay = false, r.Script()
	s, err := New(r.Config, p, rt)
	if err != nil {
		return nil, err
	}
	if err := s.Run(ctx); err != nil {
		return s, err
	}
	if r.Incomparable() != nil {
		return s, nil
	}
	return s, compare(s.Recording(""), r)
}

// compare says where a replay that has ended differs from a recording.
func compare(replay, r engine.Recording) error {
	got := replay.Digests
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
	return fmt.Errorf("lane %s differs after %d steps: digest %s, the recording has %s", state.LaneLetter(lane), at, got, want)
}
