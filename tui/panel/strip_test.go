package panel

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// wide is the parameters of a method with many of its own, of every scale and
// with long names.
func wide() []param.Param {
	own := []param.Param{
		{Key: "keep-hidden", Symbol: "keep-hidden", Max: 1, Hi: 1, Default: 0.5},
		{Key: "target-accept", Symbol: "target-accept", Max: 1, Hi: 1, Default: 0.8},
		{Key: "student-lr", Symbol: "student-lr", Scale: param.Log, Max: math.Inf(1), Lo: 1e-6, Hi: 1, Default: 1e-3},
		{Key: "leapfrog", Symbol: "leapfrog", Scale: param.Integer, Min: 1, Max: 1e6, Lo: 1, Hi: 1000, Default: 8},
		{Key: "warmup", Symbol: "warmup", Scale: param.Integer, Max: 1e6, Hi: 1e4, Default: 1000},
		{Key: "mass", Symbol: "mass", Scale: param.Choice, Choices: []string{"unit", "diag"}, Default: 1},
		{Key: "curvature", Symbol: "curvature", Scale: param.Choice, Choices: []string{"gauss-newton", "hessian"}},
		{Key: "beta2", Symbol: "β₂", Scale: param.OneMinusLog, Max: 1, Hi: 0.99999, Default: 0.999},
		{Key: "prior-mix", Symbol: "π", Max: 1, Hi: 1, Default: 0.25},
		{Key: "sd-narrow", Symbol: "σ₂", Scale: param.Log, Max: math.Inf(1), Lo: 1e-4, Hi: 1, Default: 0.0025},
	}
	common := sampler.Common()
	return append(append(common[:1:1], own...), common[1:]...)
}

// However many parameters a method has, the selected one is in sight with its
// name and its value, and an ellipsis stands where there is more.
func TestStripOfManyParameters(t *testing.T) {
	s := frames.Copy(scenes.Of("blr"))
	params := wide()
	for i := range s.Lanes {
		values := map[string]float64{}
		for _, p := range params {
			values[p.Key] = p.Default
		}
		values["batch"] = 100
		s.Lanes[i].Setting = engine.Lane{Sampler: s.Lanes[i].Setting.Sampler, Values: values}
		s.Lanes[i].Eps = values["eps"]
	}
	f := frameOf(s)
	f.Params = params
	var shown strings.Builder
	for _, size := range [][2]int{{80, 2}, {120, 3}, {200, 3}, {40, 1}} {
		for k, p := range params {
			f.Param = k
			plane := plane.NewPlane(size[0], size[1])
			strip(plane.Region(), &f)
			got := plane.RenderPlain()
			want := p.Symbol + " " + pane.ParamText(p, s.Lanes[0].Setting.Values[p.Key], 0)
			if !strings.Contains(got, want) {
				t.Errorf("%v: %q is selected but not shown:\n%s", size, want, got)
			}
			at, _, _, ok := stripHit(plane, &f, column(got, want), strings.Count(got[:strings.Index(got+want, want)], "\n"))
			if strings.Contains(got, want) && (!ok || at != k) {
				t.Errorf("%v: a click on %q hits %d, %v, want %d", size, want, at, ok, k)
			}
			if size[0] <= 80 && !strings.Contains(got, "…") {
				t.Errorf("%v: nothing says that there is more:\n%s", size, got)
			}
			if size[0] == 80 {
				shown.WriteString(p.Key + "\n" + got + "\n")
			}
		}
	}
	golden.Text(t, "strip-wide", strings.TrimSuffix(shown.String(), "\n"))
}

// column is the column at which a text stands on its line.
func column(picture, text string) int {
	at := strings.Index(picture, text)
	if at < 0 {
		return -1
	}
	return plane.Width(picture[strings.LastIndexByte(picture[:at], '\n')+1 : at])
}

// Whole numbers and choices turn through all that they can be.
func TestTurnsOfWholeAndChoice(t *testing.T) {
	for _, p := range wide() {
		switch p.Scale {
		case param.Choice:
			if got := p.Turn(p.Turn(0, 1), 1); len(p.Choices) == 2 && got != 0 || p.Turn(0, -1) != float64(len(p.Choices)-1) {
				t.Errorf("%s turns to %v and %v", p.Key, got, p.Turn(0, -1))
			}
		case param.Integer:
			lo := max(p.Lo, p.Min)
			x := lo
			for range 200 {
				y := p.Turn(x, 1)
				if y < x || y == x && x < p.Hi || y != math.Trunc(y) {
					t.Fatalf("%s turns from %v to %v", p.Key, x, y)
				}
				x = y
			}
			for range 200 {
				x = p.Turn(x, -1)
			}
			if x != lo && p.Key != sampler.KeyBatch {
				t.Errorf("%s ends at %v, want %v", p.Key, x, lo)
			}
		}
	}
}
