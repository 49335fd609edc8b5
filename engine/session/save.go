package session

import (
	"github.com/psgld/psgld-tui/engine/quantity"

	"github.com/psgld/psgld-tui/engine"
)

// Saved returns what can be written of a session whose Run has returned. The command
// Save asks one that runs.
func (s *Session) Saved(version string) engine.Saved {
	saved := engine.Saved{Recording: s.Recording(version), Result: s.Result(version)}
	for _, r := range s.lanes {
		saved.Draws = append(saved.Draws, r.newest())
	}
	return saved
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) engine.Result {
	r := engine.Result{Version: version, Config: s.config(), Truth: engine.TruthOf(s.prob)}
	for _, l := range s.lanes {
		r.Lanes = append(r.Lanes, l.result())
	}
	return r
}

func (l *lane[F]) result() engine.LaneResult {
	l.flush()
	l.finish()
	l.settle()
	eps := l.presentEps()
	of := quantity.Of(l)
	r := engine.LaneResult{
		Lane: engine.LaneLetter(l.id), Sampler: l.method.Name, Kind: l.method.Kind.String(), Steps: l.state.Step, Draws: l.draws, Seconds: l.busy.Seconds(),
		StepsPerSecond: engine.Num(l.rate()), Values: of.Values(), Eps: engine.Num(eps), LR: engine.Num(engine.LROfEps(eps, l.prob.N())),
		Diverged: l.div, Digest: l.digest().Digest,
	}
	for i, at := range l.tracked {
		r.Names = append(r.Names, l.name(at))
		r.Coords = append(r.Coords, of.Coordinate(i))
	}
	if n := len(l.tracked); l.chain.Cov(l.cov) {
		for i := range n {
			row := make([]engine.Num, n)
			for j := range n {
				row[j] = engine.Num(l.cov[i*n+j])
			}
			r.Cov = append(r.Cov, row)
		}
	}
	return r
}

// newest copies the draws of the ring.
func (l *lane[F]) newest() engine.Draws {
	l.flush()
	d := engine.Draws{Lane: engine.LaneLetter(l.id), Sampler: l.method.Name}
	for i, at := range l.tracked {
		d.Names = append(d.Names, l.name(at))
		d.Columns = append(d.Columns, l.ring.appendTo(nil, i, l.ring.n))
	}
	return d
}
