package lane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// A copy of a lane keeps the settings that were in force, whatever the lane is
// given afterwards: at the same step, after a rewind, and after it was revived.
func TestCopiesKeepTheirSettings(t *testing.T) {
	l := benchLane(t, "gaussian", "psgld", engine.Config{}).(*lane[float64])
	turn := func(eps float64) { l.Change(l.Setting.With(sampler.KeyEps, eps), false) }
	l.Advance(300)
	turn(0.1)
	l.Advance(300)
	turn(0.2)
	k := l.Copy().(laneCopy[float64])
	intact := func(after string) {
		t.Helper()
		if len(k.Periods) != 3 || k.Periods[1].Setting.Eps() != 0.1 || k.Periods[2].Setting.Eps() != 0.2 {
			t.Errorf("after %s the copy has %+v", after, k.Periods)
		}
	}
	turn(0.3)
	intact("a turn at the same step")
	l.Restore(k)
	l.Advance(100)
	turn(0.4)
	l.Rewind(450)
	turn(0.5)
	l.Advance(10)
	turn(0.6)
	intact("a rewind")
	l.Restore(k)
	turn(0.7)
	intact("a turn of what was revived")
}
