package state

// SetRace lets lanes run as fast as each can, or step by step together.
type SetRace struct {
	On bool `json:"on"`
}

var _ = recorded[SetRace]()

func (SetRace) Kind() string { return "set-race" }

func (c SetRace) apply(s *State) (Fact, error) {
	s.Config.Race = c.On
	return nil, nil
}
