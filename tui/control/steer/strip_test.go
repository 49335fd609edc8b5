package steer

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// wholeOf is a strip of all parameters of a frame, one of which is selected.
func wholeOf(f *pane.Frame, selected int, typed *string) shown {
	return shown{params: f.FocusedParams(), selected: selected, typed: typed, more: "less"}
}

// stripOf draws the strip of a frame on w×h cells.
func stripOf(f *pane.Frame, selected, w, h int) *plane.Plane {
	p := plane.NewPlane(w, h)
	newStrip(f, wholeOf(f, selected, nil)).draw(p.Region(), f)
	return p
}

// stripHit says which parameter answers at (x, y) of the plane, and where on its slider.
func stripHit(p *plane.Plane, f *pane.Frame, x, y int) (param int, frac float64, slider, ok bool) {
	z := p.ZoneAt(x, y)
	if len(z.Click.Args) == 0 {
		return 0, 0, false, false
	}
	for i, q := range f.FocusedParams() {
		if q.Key == z.Click.Args[0] {
			return i, chart.SliderFrac(x-z.Rect.X, z.Rect.W), z.Drag.IsSet(), true
		}
	}
	return 0, 0, false, false
}

// The strip has rows enough for all that it shows.
func TestStripHasRoom(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		whole bool
	}{{60, 20, false}, {60, 20, true}, {80, 24, false}, {80, 24, true}, {120, 36, true}} {
		f := viewtest.Frame(scenetest.Of("blr"))
		what := wholeOf(&f, 0, nil)
		if !c.whole {
			what.params = what.params[:3]
		}
		s := newStrip(&f, what)
		p := plane.NewPlane(c.w, s.rows(c.w, c.h, &f, c.whole))
		s.draw(p.Region(), &f)
		text := p.RenderPlain()
		if strings.Contains(text, "…") || !strings.Contains(text, "ε") || !strings.Contains(text, "less") {
			t.Errorf("%+v: not all is there:\n%s", c, text)
		}
	}
}

// What a click on the strip hits is what is drawn there.
func TestStripHit(t *testing.T) {
	snap := scenetest.All()[0].Snap()
	for _, w := range []int{20, 40, 80, 120, 200} {
		for h := 1; h <= 3; h++ {
			for param := range 9 {
				f := viewtest.Frame(snap)
				params := f.FocusedParams()
				p := stripOf(&f, param, w, h)
				rows := strings.Split(p.RenderPlain(), "\n")
				seen := false
				for y := range h {
					row := []rune(rows[y])
					for x := range w {
						i, frac, slider, ok := stripHit(p, &f, x, y)
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
							if d := math.Abs(frac - want); d > 1.0/8+1e-9 { // half a column of a track of 5
								t.Errorf("%d×%d: the knob of %s is at %.2f, its value at %.2f", w, h, params[i].Key,
									frac, want)
							}
						}
					}
				}
				if !seen {
					t.Errorf("%d×%d: parameter %d is selected but not on the strip:\n%s", w, h, param,
						strings.Join(rows, "\n"))
				}
			}
		}
	}
}

// A slider takes the room that there is, and the mouse sets what it points at.
func TestSlidersAreWide(t *testing.T) {
	for _, size := range [][2]int{{120, 2}, {240, 1}} {
		f := viewtest.Frame(scenetest.Of("gaussian"))
		p := stripOf(&f, 0, size[0], size[1])
		n := 0
		for _, z := range p.Zones() {
			if !z.Drag.IsSet() {
				continue
			}
			n++
			if z.Rect.W < 17 {
				t.Errorf("%v: the slider of %s has %d cells", size, z.ID, z.Rect.W)
			}
			for _, x := range []int{1, z.Rect.W / 2, z.Rect.W - 2} {
				_, frac, on, ok := stripHit(p, &f, z.Rect.X+x, z.Rect.Y)
				if !ok || !on || chart.SliderCell(frac, z.Rect.W) != x-1 {
					t.Errorf("%v, %s: column %d gives %v, %v", size, z.ID, x, frac, ok)
				}
			}
		}
		if n < 3 {
			t.Errorf("%v: %d sliders", size, n)
		}
	}
}

// Typing, the strip shows the text in place of the value.
func TestStripInput(t *testing.T) {
	f := viewtest.Frame(scenetest.All()[0].Snap())
	text := "3e-2"
	for i, q := range f.FocusedParams() {
		p := plane.NewPlane(100, 2)
		newStrip(&f, wholeOf(&f, i, &text)).draw(p.Region(), &f)
		if got := p.RenderPlain(); !strings.Contains(got, q.Symbol+" 3e-2") {
			t.Errorf("typing %s does not show:\n%s", q.Key, got)
		}
	}
}

// setLane changes one lane's setting in a copy of a scene.
func setLane(s *engine.Snapshot, lane int, key string, x float64) {
	v := &s.Lanes[lane]
	v.Setting = v.Setting.With(key, x)
}

// What is selected stands out as a whole: a parameter with its value and slider, and what
// shows the others.
func TestStripHighlightsTheSelected(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("gaussian"))
	for _, more := range []bool{false, true} {
		p, what := plane.NewPlane(120, 3), wholeOf(&f, 0, nil)
		what.onMore = more
		s := newStrip(&f, what)
		s.draw(p.Region(), &f)
		for i, it := range s.items {
			for x := it.x; x < it.x+it.w; x++ {
				style := p.Region().StyleAt(x, it.y)
				if on := style == style.On(f.Theme.Highlight); on != (i == s.at()) {
					t.Errorf("column %d of %q is highlighted: %v", x-it.x, it.symbol, on)
				}
			}
		}
	}
}

// The strip marks the parameters on which lanes differ, of whatever sampler.
func TestStripMarksDifferences(t *testing.T) {
	s := frametest.Copy(scenetest.Of("gaussian")) // psgld, sgld
	shown := func() string {
		f := viewtest.Frame(s)
		f.Params = nil
		return stripOf(&f, 0, 120, 3).RenderPlain()
	}
	if strings.Contains(shown(), "≠") {
		t.Error("lanes that agree are marked")
	}
	setLane(s, 1, "eps", 0.1)
	if text := shown(); !strings.Contains(text, "≠ε") || strings.Count(text, "≠") != 1 {
		t.Errorf("ε differs:\n%s", text)
	}
}

// A turn of a later digit than the strip shows is seen on the card, on the strip and
// in the titles of lanes that differ by it.
func TestSmallTurnsShow(t *testing.T) {
	s := frametest.Copy(scenetest.Of("turned"))
	before := *s.Lanes[0].Previous
	before.Setting = before.Setting.With(sampler.KeyEps, 1.0/6e7)
	s.Lanes[0].Previous = &before
	s.Lanes[0].Setting = s.Lanes[0].Setting.With(sampler.KeyEps, 1.66e-8)
	s.Lanes[0].Window.Setting = s.Lanes[0].Setting
	s.Lanes[1].Setting = s.Lanes[0].Setting.With(sampler.KeyEps, 1.0/6e7)
	s.Lanes[1].Title = s.Lanes[0].Title
	f := viewtest.Frame(s)
	v := f.Focused()
	drawn := plane.NewPlane(40, 10)
	pane.CardOf().Draw(drawn.Region(), &f)
	card := drawn.RenderPlain()
	if !strings.Contains(card, "1.67e-8") || !strings.Contains(card, "1.66e-8") {
		t.Errorf("the card tells no difference:\n%s", card)
	}
	if got := stripOf(&f, 0, 80, 2).RenderPlain(); !strings.Contains(got, "ε 1.66e-8") {
		t.Errorf("the strip does not show the turn:\n%s", got)
	}
	if got := f.LaneTitle(v); !strings.HasSuffix(got, "ε 1.66e-8") {
		t.Errorf("the title is %q", got)
	}
}

// Room for sliders is kept only where they are drawn.
func TestStripWithoutHoles(t *testing.T) {
	f := viewtest.Frame(scenetest.Of("turned"))
	got := stripOf(&f, 0, 40, 2).RenderPlain()
	for row := range strings.Lines(got) {
		if row = strings.TrimSpace(row); !strings.Contains(row, "▕") &&
			strings.Contains(strings.TrimRight(row, "… "), strings.Repeat(" ", leastSlider+1)) {
			t.Errorf("a hole in\n%s", got)
		}
	}
}

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
	s := frametest.Copy(scenetest.Of("blr"))
	params := wide()
	for i := range s.Lanes {
		values := map[string]float64{}
		for _, p := range params {
			values[p.Key] = p.Default
		}
		values["batch"] = 100
		s.Lanes[i].Setting = state.Setting{Sampler: s.Lanes[i].Setting.Sampler, Values: values}
		s.Lanes[i].Eps = values["eps"]
	}
	f := viewtest.Frame(s)
	f.Params = params
	var shown strings.Builder
	for _, size := range [][2]int{{80, 2}, {120, 3}, {200, 3}, {40, 1}} {
		for k, p := range params {
			drawn := stripOf(&f, k, size[0], size[1])
			got := drawn.RenderPlain()
			want := p.Symbol + " " + pane.ParamText(p, s.Lanes[0].Setting.Values[p.Key], 0)
			if !strings.Contains(got, want) {
				t.Errorf("%v: %q is selected but not shown:\n%s", size, want, got)
			}
			at, _, _, ok := stripHit(drawn, &f, column(got, want),
				strings.Count(got[:strings.Index(got+want, want)], "\n"))
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
	goldentest.Text(t, "strip-wide", strings.TrimSuffix(shown.String(), "\n"))
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
			got := p.Turn(p.Turn(0, 1), 1)
			if len(p.Choices) == 2 && got != 0 || p.Turn(0, -1) != float64(len(p.Choices)-1) {
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

// The strip in its states, one below the other.
func TestStripPictures(t *testing.T) {
	var out strings.Builder
	show := func(title string, w, h int, f *pane.Frame, selected int, typed *string) {
		p := plane.NewPlane(w, h)
		newStrip(f, wholeOf(f, selected, typed)).draw(p.Region(), f)
		out.WriteString("== " + title + "\n" + p.RenderPlain() + "\n")
	}
	typing := viewtest.Frame(scenetest.Of("turned"))
	text := "0.0125▏"
	typing.Linked = false
	show("strip, typing, one lane", 120, 2, &typing, 0, &text)
	data := viewtest.Frame(scenetest.Of("blr"))
	for _, size := range [][2]int{{120, 2}, {80, 2}, {60, 1}, {40, 1}, {12, 1}} {
		show("strip with data", size[0], size[1], &data, 1, nil)
	}
	halved := frametest.Copy(scenetest.Of("blr"))
	halved.Lanes[0].Eps /= 2
	scheduled := viewtest.Frame(halved)
	show("strip, step halved by a schedule", 120, 2, &scheduled, 0, nil)
	last := viewtest.Frame(scenetest.Of("blr"))
	show("strip, the last one selected", 40, 1, &last, len(last.FocusedParams())-1, nil)
	goldentest.Text(t, "strip", strings.TrimSuffix(out.String(), "\n"))
}

// No item moves while a slider is turned from one end to the other.
func TestStripStandsStill(t *testing.T) {
	for _, scene := range []string{"turned", "blr"} {
		for _, w := range []int{80, 120, 200} {
			s := frametest.Copy(scenetest.Of(scene))
			f := viewtest.Frame(s)
			for _, p := range f.FocusedParams() {
				if !control.Sliding(&p) {
					continue
				}
				var first []item
				for k := range 101 {
					x := p.At(float64(k) / 100)
					if p.Check(x) != nil {
						continue
					}
					v := &s.Lanes[f.Lane]
					v.Setting, v.Previous = v.Setting.With(p.Key, x), nil
					if p.Key == sampler.KeyEps {
						v.Eps = x
					}
					strip := newStrip(&f, wholeOf(&f, 0, nil))
					strip.lay(w, 2)
					for i, it := range strip.items {
						if first != nil && (it.x != first[i].x || it.y != first[i].y || it.slider != first[i].slider) {
							t.Fatalf("%s at %d columns: %s moves at %s = %v, %v", scene, w, it.symbol, p.Symbol, x,
								strip.items)
						}
					}
					if first == nil {
						first = strip.items
					}
				}
			}
		}
	}
}
