package session

// passage holds the states of the burn-in and of a method's own warm-up, up to the first
// draw. They are shown, and count in no statistic.
type passage struct {
	shown bool   // somebody looks; else nothing is held
	until uint64 // the last step of the burn-in
	every uint64 // one in so many of its steps is held
	held  ring   // without memory while there is nothing in it
}

// passageLen is the most states that a passage holds. They are spread over the whole
// burn-in.
const passageLen = 1024

// burnIn makes the burn-in last until a step.
func (p *passage) burnIn(until uint64) {
	p.until, p.every = until, max(1, (until+passageLen-1)/passageLen)
}

// due is the next step at which a state is held, or draw, the step of the first draw,
// behind the last of them.
func (p *passage) due(step, draw uint64) uint64 {
	if next := (step/p.every + 1) * p.every; next <= p.until {
		return next
	}
	return draw
}

// end forgets what was held.
func (p *passage) end() {
	if p.held.x != nil {
		p.held = ring{}
	}
}

// hold adds the present state to the passage, if anybody looks.
func (l *lane[F]) hold() {
	r := &l.passage.held
	if !l.passage.shown {
		return
	}
	if r.x == nil {
		r.n = passageLen
		r.x = make([]float64, len(l.tracked)*r.n)
	}
	for i, k := range l.tracked {
		r.x[i*r.n+r.next] = float64(l.state.Theta[k])
	}
	r.advance(1)
}

// passing is the passage in a coordinate, oldest first. It is nil once there is a draw.
func (l *lane[F]) passing(i int) []float64 {
	r := &l.passage.held
	if r.x == nil {
		return nil
	}
	return r.appendTo(make([]float64, 0, passageLen), i, passageLen)
}
