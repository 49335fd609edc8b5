package engine

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
)

// A copy of a lane keeps the settings that were in force, whatever the lane is
// given afterwards: at the same step, after a rewind, and after it was revived.
func TestCopiesKeepTheirSettings(t *testing.T) {
	l := benchLane(t, "gaussian", "psgld").(*lane[float64])
	turn := func(eps float64) { l.tweak(l.setting().With(sampler.KeyEps, eps)) }
	l.advance(300)
	turn(0.1)
	l.advance(300)
	turn(0.2)
	k := l.copied().(*keptLane[float64])
	intact := func(after string) {
		t.Helper()
		if len(k.tweaks) != 3 || k.tweaks[1].set.Eps() != 0.1 || k.tweaks[2].set.Eps() != 0.2 {
			t.Errorf("after %s the copy has %+v", after, k.tweaks)
		}
	}
	turn(0.3)
	intact("a turn at the same step")
	l.revive(k)
	l.advance(100)
	turn(0.4)
	l.rewind(450)
	turn(0.5)
	l.advance(10)
	turn(0.6)
	intact("a rewind")
	l.revive(k)
	turn(0.7)
	intact("a turn of what was revived")
}

// What the footer says of a value is what was typed, or as many digits of a computed
// one as the strip has.
func TestShortValues(t *testing.T) {
	for _, c := range []struct {
		scale param.Scale
		x     float64
		want  string
	}{
		{param.Log, 1. / 300_000, "3.33e-06"},
		{param.Log, 0.3, "0.3"},
		{param.Log, 0.12345, "0.12345"},
		{param.Log, 2. / 3, "0.667"},
		{param.Log, 0.1 + 0.2, "0.3"},
		{param.Integer, 123_456_789, "1.23456789e+08"},
		{param.OneMinusLog, 0.99995, "0.99995"},
		{param.OneMinusLog, 1 - 1./30_000, "0.9999667"},
		{param.OneMinusLog, 1. / 3, "0.333"},
		{param.Linear, -1. / 3, "-0.333"},
	} {
		if got := short(param.Param{Scale: c.scale}, c.x); got != c.want {
			t.Errorf("%v is written %s, want %s", c.x, got, c.want)
		}
	}
}
