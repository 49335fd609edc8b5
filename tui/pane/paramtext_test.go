package pane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

func TestAppendParam(t *testing.T) {
	alpha := param.Param{Key: "alpha", Scale: param.OneMinusLog}
	logp := param.Param{Key: "lambda", Scale: param.Log}
	whole := param.Param{Key: "thin", Scale: param.Integer}
	choice := param.Param{Key: "gamma", Scale: param.Choice, Choices: []string{"off", "on"}}
	for _, c := range []struct {
		p    param.Param
		x    float64
		want string
	}{
		{alpha, 0.99, "0.9900"}, {alpha, 0.9999, "0.9999"}, {alpha, 0.99999, "0.99999"}, {alpha, 0.999988, "0.999988"},
		{alpha, 0.975, "0.9750"}, {alpha, 0, "0.0000"}, {logp, 1e-5, "1.0e-5"}, {logp, 0.3, "0.300"}, {logp, 1, "1"},
		{whole, 12400, "12,400"}, {whole, 1, "1"}, {choice, 1, "on"}, {choice, 7, "7"},
		{param.Param{Key: sampler.KeyBatch, Scale: param.Integer, Zero: "full"}, 0, "full"}, {whole, 0, "0"},
	} {
		if got := ParamText(c.p, c.x, 0); got != c.want {
			t.Errorf("%s %v is written %q, want %q", c.p.Key, c.x, got, c.want)
		}
	}
}
