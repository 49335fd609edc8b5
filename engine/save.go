package engine

import "github.com/psgld/psgld-tui/engine/quantity"

// Saved returns what can be written of a session whose Run has returned; Save asks
// one that runs.
func (s *Session) Saved(version string) Saved {
	saved := Saved{Recording: s.Recording(version), Result: s.Result(version)}
	for _, r := range s.lanes {
		saved.Draws = append(saved.Draws, r.newest())
	}
	return saved
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) Result {
	r := Result{Version: version, Config: s.config(), Truth: TruthOf(s.prob)}
	for _, l := range s.lanes {
		r.Lanes = append(r.Lanes, l.result())
	}
	return r
}

func (l *lane[F]) result() LaneResult {
	l.flush()
	l.finish()
	l.settle()
	eps := l.presentEps()
	of := quantity.Of(l)
	r := LaneResult{
		Lane: LaneLetter(l.id), Sampler: l.method.Name, Kind: l.method.Kind.String(), Steps: l.state.Step, Draws: l.draws, Seconds: l.busy.Seconds(),
		StepsPerSecond: Num(l.rate()), Values: of.Values(), Eps: Num(eps), LR: Num(LROfEps(eps, l.prob.N())),
		Diverged: l.div, Digest: l.digest().Digest,
	}
	for i, at := range l.tracked {
		r.Names = append(r.Names, l.name(at))
		r.Coords = append(r.Coords, of.Coordinate(i))
	}
	if n := len(l.tracked); l.chain.Cov(l.cov) {
		for i := range n {
			row := make([]Num, n)
			for j := range n {
				row[j] = Num(l.cov[i*n+j])
			}
			r.Cov = append(r.Cov, row)
		}
	}
	return r
}

// newest copies the ring.
func (l *lane[F]) newest() Draws {
	l.flush()
	d := Draws{Lane: LaneLetter(l.id), Sampler: l.method.Name}
	for i, at := range l.tracked {
		d.Names = append(d.Names, l.name(at))
		d.Columns = append(d.Columns, l.ring.appendTo(nil, i, l.ring.n))
	}
	return d
}
