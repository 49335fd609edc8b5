package engine

// Saved returns what can be written of a session whose Run has returned; Save asks
// one that runs.
func (s *Session) Saved(version string) Saved {
	saved := Saved{Recording: s.Recording(version), Result: s.Result(version)}
	for _, r := range s.lanes {
		saved.Draws = append(saved.Draws, r.newest())
	}
	return saved
}
