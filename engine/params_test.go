package engine

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/param"
)

// The slider of every step size holds its default value with three decades below
// it and one above, wherever the target's step sizes lie.
func TestStepSizesAreWithinReach(t *testing.T) {
	for _, spec := range []string{"gaussian", "banana", "mixture", "funnel", "blr", "mlp:20", "cnn:5"} {
		p := open(t, spec)
		for _, m := range catalog.Methods() {
			if m.Misfit(p) != "" {
				continue
			}
			l := DefaultLane(p, m.Name)
			for _, q := range Params(p, m.Name) {
				x := l.Value(q.Key)
				switch {
				case q.Key == sampler.KeyEps && !(q.Lo <= x/1e3 && q.Hi >= 10*x && q.Hi/q.Lo < 1e8):
					t.Errorf("%s, %s: ε %g on a slider from %g to %g", spec, m.Name, x, q.Lo, q.Hi)
				case q.Scale != param.Choice && x != 0 && (x < q.Lo || x > q.Hi):
					t.Errorf("%s, %s: %s %g is not on its slider from %g to %g", spec, m.Name, q.Key, x, q.Lo, q.Hi)
				}
			}
		}
	}
}
