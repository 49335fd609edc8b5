package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// spoil walks a value and replaces some of what it holds by what nobody expects.
func spoil(v reflect.Value, r *rand.Rand, odds float64) {
	switch v.Type() {
	case reflect.TypeFor[*targets.Problem](), reflect.TypeFor[engine.Config]():
		return
	}
	hit := r.Float64() < odds
	switch v.Kind() {
	case reflect.Float64:
		if hit {
			bad := [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, -1e308, 5e-324, 1e-9, 1e9}
			v.SetFloat(bad[r.IntN(len(bad))])
		}
	case reflect.Uint64, reflect.Uint32, reflect.Uint8:
		if hit {
			bad := [...]uint64{0, 1, 1e9, math.MaxUint64}
			v.SetUint(bad[r.IntN(len(bad))])
		}
	case reflect.Int:
		if hit {
			v.SetInt(int64(r.IntN(7) - 2))
		}
	case reflect.Bool:
		if hit {
			v.SetBool(!v.Bool())
		}
	case reflect.String:
		if hit {
			bad := [...]string{"", strings.Repeat("long name ", 40), "日本語\n\tβ", "\x1b[31mred", "e\u0301🏴‍☠️"}
			v.SetString(bad[r.IntN(len(bad))])
		}
	case reflect.Slice:
		if hit && v.CanSet() {
			v.Set(reflect.Zero(v.Type()))
			return
		}
		for i := range v.Len() {
			if v.Len() < 40 || r.IntN(v.Len()) < 40 {
				spoil(v.Index(i), r, odds)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			spoil(v.Index(i), r, odds)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			if hit {
				v.Set(reflect.Zero(v.Type()))
				return
			}
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			spoil(c.Elem(), r, odds)
			v.Set(c)
		}
	case reflect.Map:
		if v.Type() == reflect.TypeFor[map[string]float64]() {
			m := map[string]float64{}
			for k, x := range v.Interface().(map[string]float64) {
				if r.Float64() >= odds {
					e := reflect.ValueOf(&x).Elem()
					spoil(e, r, odds)
					m[k] = x
				}
			}
			v.Set(reflect.ValueOf(m))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				spoil(v.Field(i), r, odds)
			}
		}
	}
}

// deepLanes copies the slices of a snapshot that spoil changes in place.
func deepLanes(s *engine.Snapshot) *engine.Snapshot {
	c := *s
	c.Lanes = append([]engine.LaneView(nil), s.Lanes...)
	c.Marks = append([]engine.Mark(nil), s.Marks...)
	c.Predictions = append([]engine.Prediction(nil), s.Predictions...)
	for i := range c.Predictions {
		p := &c.Predictions[i]
		p.Lanes = append([]engine.LanePrediction(nil), p.Lanes...)
		for k := range p.Lanes {
			p.Lanes[k].Mean = append([]float64(nil), p.Lanes[k].Mean...)
			p.Lanes[k].SD = append([]float64(nil), p.Lanes[k].SD...)
		}
	}
	for i := range c.Lanes {
		v := &c.Lanes[i]
		v.TrailX = append([]float64(nil), v.TrailX...)
		v.TrailY = append([]float64(nil), v.TrailY...)
		v.History = append([]engine.Point(nil), v.History...)
		v.ACF[0] = append([]float64(nil), v.ACF[0]...)
		v.ACF[1] = append([]float64(nil), v.ACF[1]...)
		v.Reliability = append([]metrics.Bin(nil), v.Reliability...)
		v.Weights = append([]engine.LayerView(nil), v.Weights...)
		for k := range v.Weights {
			v.Weights[k].Theta.Counts = append([]uint32(nil), v.Weights[k].Theta.Counts...)
			v.Weights[k].Gain.Counts = append([]uint32(nil), v.Weights[k].Gain.Counts...)
		}
	}
	return &c
}

// check draws a screen and holds it to its size.
func check(t *testing.T, f Frame, v View, w, h int) {
	t.Helper()
	p := chart.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	Screen(p, v, f)
	lines := strings.Split(p.RenderPlain(), "\n")
	if h > 0 && len(lines) != h {
		t.Fatalf("%d lines on a screen of %d rows", len(lines), h)
	}
	for i, l := range lines {
		if n := chart.Width(l); n > w {
			t.Fatalf("line %d is %d wide on a screen of %d columns: %q", i, n, w, l)
		}
		if strings.ContainsAny(l, "\x1b\t\r") {
			t.Fatalf("line %d holds a control character: %q", i, l)
		}
	}
}

// Any snapshot at any size is drawn without a panic and within the screen.
func TestHostileSnapshots(t *testing.T) {
	var snaps []*engine.Snapshot
	for _, s := range scenes() {
		snaps = append(snaps, s.snap())
	}
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	for seed := range uint64(rounds) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := deepLanes(snaps[r.IntN(len(snaps))])
		odds := [...]float64{0, 0.01, 0.1, 0.5, 1}[r.IntN(5)]
		spoil(reflect.ValueOf(s).Elem(), r, odds)
		switch r.IntN(20) {
		case 0:
			s.Lanes = nil
		case 1:
			s.Problem = nil
		case 2:
			s.Problem = &targets.Problem{}
		}
		f := Frame{
			Snap: s, Theme: theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0),
			Lane: r.IntN(8) - 2, Param: r.IntN(30) - 4, Linked: r.IntN(2) == 0,
			Image: r.IntN(300) - 20, XAxis: XAxis(r.IntN(6)), LogX: r.IntN(2) == 0, LogY: r.IntN(2) == 0, Hint: "q quit · ? help",
		}
		if r.IntN(3) == 0 {
			text := strings.Repeat("1.5e-3▏", r.IntN(20))
			f.Input = &text
		}
		w, h := r.IntN(220), r.IntN(70)
		if r.IntN(4) == 0 {
			w, h = r.IntN(90), r.IntN(26)
		}
		views := Views()
		t.Run(fmt.Sprintf("%d/%dx%d", seed, w, h), func(t *testing.T) {
			for _, v := range views {
				check(t, f, v, w, h)
				check(t, f, v, w, h)
			}
			for range 20 {
				StripHit(r.IntN(130), r.IntN(4), f, r.IntN(130), r.IntN(4))
				LaneHit(views[r.IntN(len(views))], w, h, f, r.IntN(220), r.IntN(70))
				PageSize(views[r.IntN(len(views))], w, h, f)
			}
			p := chart.NewPlane(w, h)
			for i := -1; i < 5; i++ {
				TweakCard(p.Region(), f, i)
				DivergedCard(p.Region(), f, i)
			}
			Header(p.Region(), f)
			Footer(p.Region(), f)
			Strip(p.Region(), f)
			Compact(p.Region(), f)
		})
	}
	check(t, Frame{}, NewStage(), 80, 24)
	check(t, Frame{}, nil, 120, 36)
}

// The panels draw within the regions that they are given.
func TestNothingOutside(t *testing.T) {
	f := frameOf(sceneOf("tweaked"))
	data, net := frameOf(sceneOf("blr")), frameOf(sceneOf("mlp"))
	draws := map[string]func(chart.Region){
		"stage":       func(g chart.Region) { NewStage().Draw(g, f) },
		"diagnostics": func(g chart.Region) { NewDiagnostics().Draw(g, f) },
		"learning":    func(g chart.Region) { NewLearning().Draw(g, f) },
		"weights":     func(g chart.Region) { NewWeights().Draw(g, net) },
		"predictions": func(g chart.Region) { NewPredictions().Draw(g, net) },
		"reliability": func(g chart.Region) { NewPredictions().Draw(g, data) },
		"strip":       func(g chart.Region) { Strip(g, f) },
		"header":      func(g chart.Region) { Header(g, f) },
		"footer":      func(g chart.Region) { Footer(g, f) },
		"compact":     func(g chart.Region) { Compact(g, f) },
		"tweak":       func(g chart.Region) { TweakCard(g, f, 0) },
	}
	for name, draw := range draws {
		for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 2}, {17, 5}, {40, 12}, {110, 33}} {
			p := chart.NewPlane(120, 40)
			p.Region().Fill('~', chart.Style{})
			at := chart.Rect{X: 5, Y: 3, W: size[0], H: size[1]}
			draw(p.Sub(at))
			for y, l := range strings.Split(p.RenderPlain(), "\n") {
				x := 0
				for _, r := range l {
					if r != '~' && !at.Contains(x, y) {
						t.Fatalf("%s at %v draws %q at (%d, %d)", name, at, r, x, y)
					}
					x++
				}
			}
		}
	}
}

// What a click on the strip hits is what is drawn there.
func TestStripHit(t *testing.T) {
	snap := scenes()[0].snap()
	for _, w := range []int{20, 40, 80, 120, 200} {
		for h := 1; h <= 3; h++ {
			for param := range 9 {
				f := frameOf(snap)
				f.Param = param
				params := Params(f)
				p := chart.NewPlane(w, h)
				Strip(p.Region(), f)
				rows := strings.Split(p.RenderPlain(), "\n")
				seen := false
				for y := range h {
					row := []rune(rows[y])
					for x := range w {
						i, frac, slider, ok := StripHit(w, h, f, x, y)
						if !ok {
							continue
						}
						seen = seen || i == param
						if slider && (frac < 0 || frac > 1) {
							t.Fatalf("frac %g", frac)
						}
						// The knob is where its own fraction says.
						if slider && x < len(row) && row[x] == f.Theme.Glyphs.SliderKnob {
							want := params[i].Frac(f.Snap.Lanes[0].Setting.Value(params[i].Key))
							if d := math.Abs(frac - want); d > 1.0/12+1e-9 { // half a column of a track of 7
								t.Errorf("%d×%d: the knob of %s is at %.2f, its value at %.2f", w, h, params[i].Key, frac, want)
							}
						}
					}
				}
				if !seen {
					t.Errorf("%d×%d: parameter %d is selected but not on the strip:\n%s", w, h, param, strings.Join(rows, "\n"))
				}
			}
		}
	}
}

// A click in a lane's pane finds the lane.
func TestLaneHit(t *testing.T) {
	for _, s := range scenes() {
		f := frameOf(s.snap())
		for _, size := range [][2]int{{40, 12}, {80, 24}, {120, 36}} {
			found := map[int]bool{}
			v := NewStage()
			for y := range size[1] {
				for x := range size[0] {
					if i, ok := LaneHit(v, size[0], size[1], f, x, y); ok {
						found[i] = true
					}
				}
			}
			if len(found) != len(f.Snap.Lanes) {
				t.Errorf("%s at %v: %d of %d lanes can be clicked", s.name, size, len(found), len(f.Snap.Lanes))
			}
		}
	}
}

func TestAppendParam(t *testing.T) {
	alpha := sampler.Param{Key: "alpha", Scale: sampler.OneMinusLog}
	logp := sampler.Param{Key: "lambda", Scale: sampler.Log}
	whole := sampler.Param{Key: "thin", Scale: sampler.Whole}
	choice := sampler.Param{Key: "gamma", Scale: sampler.Choice, Choices: []string{"off", "on"}}
	for _, c := range []struct {
		p    sampler.Param
		x    float64
		want string
	}{
		{alpha, 0.99, "0.9900"}, {alpha, 0.9999, "0.9999"}, {alpha, 0.99999, "0.99999"}, {alpha, 0.999988, "0.999988"},
		{alpha, 0.975, "0.9750"}, {alpha, 0, "0.0000"}, {logp, 1e-5, "1.0e-5"}, {logp, 0.3, "0.300"}, {logp, 1, "1"},
		{whole, 12400, "12,400"}, {whole, 1, "1"}, {choice, 1, "on"}, {choice, 7, "7"},
		{sampler.Param{Key: sampler.KeyBatch, Scale: sampler.Whole, Zero: "full"}, 0, "full"}, {whole, 0, "0"},
	} {
		if got := string(appendParam(nil, c.p, c.x)); got != c.want {
			t.Errorf("%s %v is written %q, want %q", c.p.Key, c.x, got, c.want)
		}
	}
}
