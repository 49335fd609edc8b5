package state

// Restart takes every lane back to step 0, on the same seed or a new one, with so
// many chains or, with 0, as many as it has. The settings stay, and their changes can still be undone.
type Restart struct {
	Seed   uint64 `json:"seed"`
	Chains int    `json:"chains,omitempty"`
}

var _ = recorded[Restart]()

func (Restart) Kind() string                                   { return "restart" }
func (Restart) after(ids []int, at []uint64) ([]int, []uint64) { return again(ids, at) }

func (c Restart) apply(s *State) (Fact, error) {
	had, cfg := s.Config.ChainCount(), s.Whole()
	if cfg.Seed = c.Seed; c.Chains > 0 {
		cfg.Chains = c.Chains
	}
	if c.Chains == had {
		c.Chains = 0 // that is told where it is another
	}
	return Restarted(c), s.begin(cfg, s.Problem, s.IDs())
}
