package session

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// A step that is 2,000 times too large leaves a regression's state finite, and is told of, once. The default steps of
// regressions and networks are not.
func TestLanesThatDoNotLearn(t *testing.T) {
	for _, spec := range []string{"blr:synthetic", "mlp:16-8"} {
		p := open(t, spec)
		_, r := run(t, config(p, 3000, nil, "psgld", "sgld", "sghmc"), p, Runtime{})
		for _, l := range r.Lanes {
			if l.ConstantLoss != 0 {
				t.Errorf("%s: %s is said to learn nothing", spec, l.Sampler)
			}
		}
	}
	p := open(t, "blr:synthetic")
	cfg := config(p, 20_000, nil, "psgld", "sgld")
	cfg.Lanes[1] = cfg.Lanes[1].With("eps", 2000*cfg.Lanes[1].Eps())
	s, r := run(t, cfg, p, Runtime{})
	share := 0.0
	y := p.F64.(interface{ Labels(dataset.Split) []int32 }).Labels(dataset.Train)
	for _, c := range y {
		share += float64(c) / float64(len(y))
	}
	want := -share*math.Log(share) - (1-share)*math.Log(1-share)
	all := r.Lanes
	got := float64(all[1].ConstantLoss)
	if math.Abs(got-want) > 1e-12 || all[0].ConstantLoss != 0 || all[1].Diverged != nil {
		t.Errorf("a constant's loss is %g in lane B, want %g, and %g in lane A, want 0", got, want,
			float64(all[0].ConstantLoss))
	}
	f, ok := s.Snapshot().Notice.Fact.(state.Unlearnt)
	if !ok || f.Lane != 1 || f.Constant != float64(all[1].ConstantLoss) || !(f.Loss > f.Constant) {
		t.Errorf("the notice is %+v", s.Snapshot().Notice)
	}
	serial := s.pub.notice.Serial
	if s.publish(); s.pub.notice.Serial != serial {
		t.Error("it is told twice")
	}
}
