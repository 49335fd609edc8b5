package session

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// NewestThetas returns the lanes' θ of a session whose Run has returned. The
// caller does not change them.
func (s *Session) NewestThetas() []engine.NewestTheta {
	var all []engine.NewestTheta
	for i, r := range s.lanes {
		n := engine.NewestTheta{Lane: engine.LaneLetter(s.ids[i]), Sampler: r.setting().Sampler}
		switch l := r.(type) {
		case *lane[float32]:
			n.F32 = l.state.Theta
		case *lane[float64]:
			n.F64 = l.state.Theta
		default:
			panic(fmt.Sprintf("engine: a lane of type %T", r))
		}
		if t, ok := s.prob.Impl().(targets.Layered); ok {
			n.Layers = t.Layers()
		}
		all = append(all, n)
	}
	return all
}
