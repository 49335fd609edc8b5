package lane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// After a rewind to a step, the state is the one that the lane had there, and
// running on leads where it led before.
func TestRewindIsExact(t *testing.T) {
	for _, spec := range []string{"gaussian:noise=0.1", "blr:synthetic"} {
		l := benchLane(t, spec, "psgld", engine.Config{})
		want := map[uint64]string{}
		set := l.Standing().Setting
		for l.Standing().Step < 6000 {
			want[l.Standing().Step] = l.Measures().Digest().Digest
			switch l.Standing().Step {
			case 2500:
				l.Change(set.With("alpha", 0.9), false)
			case 4000:
				l.Change(set.With("eps", set.Value("eps")/2), false)
			}
			l.Advance(50)
		}
		last := l.Standing().Setting
		for _, to := range []uint64{5950, 5900, 4050, 4000, 3950, 2500, 2450, 1000, 50, 0} {
			l.Rewind(to)
			if got := l.Measures().Digest().Digest; l.Standing().Step != to || got != want[to] {
				t.Errorf("%s: rewound to %d, at %d with digest %s, want %s", spec, to, l.Standing().Step, got, want[to])
			}
			if l.Standing().Setting.Value("eps") != last.Value("eps") {
				t.Errorf("%s: the rewind changed the setting", spec)
			}
		}
		l.Change(set, false)
		l.Advance(2500)
		if got := l.Measures().Digest().Digest; got != want[2500] {
			t.Errorf("%s: running on from 0 leads elsewhere at 2500", spec)
		}
	}
}
