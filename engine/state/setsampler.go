package state

// SetSampler gives a lane another update rule; θ and V stay.
type SetSampler struct {
	Lane int    `json:"lane"`
	Name string `json:"name"`
}

var _ = recorded[SetSampler]()

func (SetSampler) Kind() string { return "set-sampler" }
func (c SetSampler) lane() int  { return c.Lane }

func (c SetSampler) apply(s *State) (Fact, error) {
	if err := s.runs(c.Name); err != nil {
		return nil, err
	}
	return s.change(c.Lane, func(_ int, set Setting) (Setting, error) {
		if set.Sampler == c.Name {
			return set, nil
		}
		return Like(s.Problem, set, c.Name).on(s.Problem), nil
	})
}
