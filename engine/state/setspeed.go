package state

// SetSpeed limits the steps a second; 0 is as fast as it goes.
type SetSpeed struct{ PerSecond float64 }

func (SetSpeed) Kind() string { return "" }

func (c SetSpeed) apply(s *State) (Fact, error) {
	s.Mode.Speed = s.Bounds.Speed(c.PerSecond)
	return nil, nil
}

// Speed is the limit in force where so many steps a second were asked for.
func (b *Bounds) Speed(asked float64) float64 {
	if most := b.StepsPerSecond; most > 0 && !(asked > 0 && asked <= most) {
		return most
	}
	return max(0, asked)
}
