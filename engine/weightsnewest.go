package engine

import (
	"fmt"

	"github.com/psgld/psgld-tui/targets"
)

// NewestTheta is where a lane stands at the end, in the arithmetic in which it
// was sampled: one of F32 and F64 is set. Of a lane that diverged it is the last
// θ that could be used, of a variational family a draw of its newest member, and
// of a distilled student its teacher.
type NewestTheta struct {
	Lane, Sampler string
	F32           []float32
	F64           []float64
	Layers        []targets.Layer // which part is what; nil for a target without layers
}

// NewestThetas returns the lanes' θ of a session whose Run has returned. The
// caller does not change them.
func (s *Session) NewestThetas() []NewestTheta {
	var all []NewestTheta
	for i, r := range s.lanes {
		n := NewestTheta{Lane: LaneLetter(s.ids[i]), Sampler: r.setting().Sampler}
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
