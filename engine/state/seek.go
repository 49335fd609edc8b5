package state

type (
	// Seek goes to a place of the tape and pauses there. It runs there from where it stands, from a keyframe before the
	// place, or else from the start. The numbers there are the same to the bit, since noise is keyed by step. A command
	// that changes numbers makes a branch there, and Return puts back what was ahead.
	Seek struct{ To uint64 }
	// Branch has the session go on from where it stands, without what of the tape is ahead. Return puts that back.
	Branch struct{ Own }
	// Return puts back the session that the newest Load or branch has replaced. That runs from one of its keyframes to
	// where it stood, and pauses. The session that it replaces goes behind the others, so that repeated Returns come
	// round to all of them.
	Return struct{ Own }
)

func (Seek) Kind() string { return "" }

func (c Seek) apply(s *State) (Fact, error) {
	m := &s.Mode
	m.Phase, m.Seeking, m.To, m.StepBy = Running, true, c.To, 0
	return nil, nil
}
