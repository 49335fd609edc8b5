package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

// shiftedScene is the network's scene with its images turned by 90°, which is
// exact on every machine, and with numbers made up of simple fractions.
func shiftedScene(kind targets.ShiftKind, amount float64) *engine.Snapshot {
	s := *scenes.Of("mlp")
	t := s.Problem.Impl().(targets.Pictures)
	rows, cols, channels := t.PictureSize()
	shift := targets.Shift{Kind: kind, Amount: amount}
	v := &predict.ShiftView{
		Asked: shift, At: shift, Sample: 256, Foreign: "mnist",
		Kinds: []targets.ShiftKind{targets.NoShift, targets.ShiftRotate, targets.ShiftNoise, targets.ShiftBlur, targets.ShiftInvert, targets.ShiftForeign, targets.ShiftStatic},
	}
	s.Shift = v
	if kind == targets.NoShift {
		v.Sample = 0
		return &s
	}
	turned := targets.Shift{Kind: targets.ShiftRotate, Amount: 90}
	for k := range 24 {
		p := &s.Predictions[k]
		m := predict.ShiftedImage{Row: p.Row, Pixels: make([]uint8, rows*cols*channels)}
		turned.Apply(m.Pixels, t.Picture(targets.Test, p.Row), rows, cols, channels, nil, nil)
		for i := range p.Lanes {
			q := predict.ShiftedPrediction{Entropy: 0.5 + float64(k)/16, Mutual: 0.25 + float64(k)/64 + float64(i)/8}
			for c := range p.Lanes[i].Mean {
				q.Mean = append(q.Mean, p.Lanes[i].Mean[c]/2+0.05)
				q.SD = append(q.SD, p.Lanes[i].SD[c]/2+0.03)
			}
			m.Lanes = append(m.Lanes, q)
		}
		v.Images = append(v.Images, m)
	}
	point := func(i int, x float64) predict.ShiftPoint {
		grow := 4 * x * (1.25 - x)
		return predict.ShiftPoint{
			Amount: x * kind.Scale().Max, Error: 0.05 + 0.5*grow/(1+float64(i)), Entropy: 0.25 + grow, Mutual: 0.0625 + grow/(4+4*float64(i)),
			Confidence: 0.9375 - grow/4,
		}
	}
	for i := range s.Lanes {
		l := predict.ShiftLane{Draws: 32, Now: point(i, amount/kind.Scale().Max)}
		grid := kind.Scale().Grid()
		for _, a := range grid {
			l.Curve = append(l.Curve, point(i, a/kind.Scale().Max))
		}
		if i == 1 { // still on its way
			for k := len(grid) / 2; k < len(grid); k++ {
				nan := math.NaN()
				l.Curve[k] = predict.ShiftPoint{Amount: grid[k], Error: nan, Entropy: nan, Mutual: nan, Confidence: nan}
			}
		}
		v.Lanes = append(v.Lanes, l)
	}
	return &s
}

// The view of predictions while images are shifted, at the sizes of the design, in
// ASCII, and of the images as they are.
func TestShiftPictures(t *testing.T) {
	turned := frameOf(shiftedScene(targets.ShiftRotate, 90))
	for _, size := range [][2]int{{60, 20}, {80, 24}, {120, 36}, {200, 60}} {
		golden.Text(t, fmt.Sprintf("shift-Predictions-%dx%d", size[0], size[1]), picture(turned, predictions.New(), size[0], size[1]))
	}
	browse := turned
	browse.Browse, browse.Image = true, 3
	golden.Text(t, "shift-Predictions-chosen-120x36", picture(browse, predictions.New(), 120, 36))
	browse.Theme = theme.New(true, true, true)
	golden.Text(t, "shift-Predictions-ascii-120x36", picture(browse, predictions.New(), 120, 36))
	plain := turned
	plain.Snap = shiftedScene(targets.NoShift, 0)
	golden.Text(t, "shift-Predictions-none-80x24", picture(plain, predictions.New(), 80, 24))
	plain.Snap = shiftedScene(targets.ShiftForeign, 0.5)
	golden.Text(t, "shift-Predictions-foreign-120x36", picture(plain, predictions.New(), 120, 36))

	// After a turn there are images and a slider, and why there is no prediction.
	paused := turned
	s := shiftedScene(targets.ShiftRotate, 90)
	undrawn(s)
	paused.Snap = s
	golden.Text(t, "undrawn-Predictions-shifted-120x36", picture(paused, predictions.New(), 120, 36))
	plain.Snap = shiftedScene(targets.NoShift, 0)
	undrawn(plain.Snap)
	golden.Text(t, "undrawn-Predictions-80x24", picture(plain, predictions.New(), 80, 24))

	// A shift of which nothing is known yet.
	s = shiftedScene(targets.ShiftNoise, 80)
	s.Shift.Images, s.Shift.Lanes, s.Shift.Sample = nil, nil, 0
	plain.Snap = s
	if got := picture(plain, predictions.New(), 120, 36); !strings.Contains(got, "being worked out") || strings.Contains(got, "no draw") {
		t.Errorf("what is not known yet:\n%s", got)
	}
}

// undrawn takes the draws of a paused snapshot's window away.
func undrawn(s *engine.Snapshot) {
	s.Phase = engine.Paused
	s.Lanes = slices.Clone(s.Lanes)
	for i := range s.Lanes {
		s.Lanes[i].Previous = &engine.Window{Draws: 100}
	}
	s.Predictions = slices.Clone(s.Predictions)
	for i := range s.Predictions {
		p := &s.Predictions[i]
		p.Disagreement, p.Lanes = 0, make([]predict.LanePrediction, len(p.Lanes))
	}
	nan := math.NaN()
	for k := range s.Shift.Images {
		s.Shift.Images[k].Lanes = make([]predict.ShiftedPrediction, len(s.Lanes))
	}
	for i := range s.Shift.Lanes {
		l := &s.Shift.Lanes[i]
		l.Draws = 0
		for k := range l.Curve {
			l.Curve[k] = predict.ShiftPoint{Amount: l.Curve[k].Amount, Error: nan, Entropy: nan, Mutual: nan, Confidence: nan}
		}
		l.Now = predict.ShiftPoint{Amount: l.Now.Amount, Error: nan, Entropy: nan, Mutual: nan, Confidence: nan}
	}
}

// What a click hits is what is drawn there.
func TestShiftHit(t *testing.T) {
	f := frameOf(shiftedScene(targets.ShiftRotate, 45))
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		v := predictions.New()
		rows := strings.Split(picture(f, v, size[0], size[1]), "\n")
		seen := false
		for y, row := range rows {
			for x, r := range []rune(row) {
				frac, ok := ShiftHit(v, size[0], size[1], f, x, y)
				if seen = seen || ok; ok && r == f.Theme.Glyphs.SliderKnob {
					// Half a column of a track of 21.
					if math.Abs(frac-0.25) > 0.5/20+1e-9 {
						t.Errorf("%v: the knob at 45 of 180 is at %g", size, frac)
					}
				}
			}
		}
		if !seen {
			t.Errorf("%v: there is no slider", size)
		}
		page := PageSize(v, size[0], size[1], f)
		found := map[int]bool{}
		for y := range size[1] {
			for x := range size[0] {
				if i, ok := ImageAtCell(v, size[0], size[1], f, x, y); ok {
					found[i] = true
				}
			}
		}
		if len(found) != min(page, len(f.Snap.Predictions)) || !found[0] {
			t.Errorf("%v: %d images can be clicked of %d on the page", size, len(found), page)
		}
	}
	if _, ok := ShiftHit(stage.New(), 120, 36, f, 30, 30); ok {
		t.Error("the stage has the slider of view 5")
	}
}

// The slider goes along the notches of its grid and stays on it.
func TestTurnShift(t *testing.T) {
	at := func(k targets.ShiftKind, a float64) pane.Frame { return frameOf(shiftedScene(k, a)) }
	for _, c := range []struct {
		from    targets.Shift
		notches int
		want    targets.Shift
	}{
		{targets.Shift{}, 1, targets.Shift{Kind: targets.ShiftRotate, Amount: 15}},
		{targets.Shift{Kind: targets.ShiftRotate, Amount: 45}, 1, targets.Shift{Kind: targets.ShiftRotate, Amount: 60}},
		{targets.Shift{Kind: targets.ShiftRotate, Amount: 50}, 1, targets.Shift{Kind: targets.ShiftRotate, Amount: 60}},
		{targets.Shift{Kind: targets.ShiftRotate, Amount: 50}, -1, targets.Shift{Kind: targets.ShiftRotate, Amount: 45}},
		{targets.Shift{Kind: targets.ShiftRotate, Amount: 180}, 1, targets.Shift{Kind: targets.ShiftRotate, Amount: 180}},
		{targets.Shift{Kind: targets.ShiftStatic, Amount: 0.3}, -1 << 20, targets.Shift{Kind: targets.ShiftStatic}},
		{targets.Shift{Kind: targets.ShiftNoise, Amount: 60}, 1 << 20, targets.Shift{Kind: targets.ShiftNoise, Amount: 240}},
	} {
		if got, ok := predictions.TurnShift(at(c.from.Kind, c.from.Amount), c.notches); !ok || got != c.want {
			t.Errorf("%+v by %d is %+v, want %+v", c.from, c.notches, got, c.want)
		}
	}
	if s, ok := predictions.SlideShift(at(targets.ShiftRotate, 0), 0.25); !ok || s.Amount != 45 {
		t.Errorf("a quarter of the slider is %+v", s)
	}
	s, ok := predictions.NextShift(at(targets.NoShift, 0), -1)
	if !ok || s.Kind != targets.ShiftStatic || s.Amount != 0.2 {
		t.Errorf("before none comes %+v", s)
	}
	plain := frameOf(scenes.Of("mlp"))
	if _, ok := predictions.TurnShift(plain, 1); ok {
		t.Error("a snapshot without shifts can be turned")
	}
}

// Snapshots whose shifts hold anything are drawn within the screen.
func TestHostileShifts(t *testing.T) {
	nan := math.NaN()
	bad := [...]float64{nan, math.Inf(1), math.Inf(-1), -1, 1e308, 5e-324, 0, 1e9}
	r := rand.New(rand.NewPCG(9, 9))
	any := func(x float64) float64 {
		if r.IntN(4) == 0 {
			return bad[r.IntN(len(bad))]
		}
		return x
	}
	rounds := 120
	if testing.Short() {
		rounds = 30
	}
	for range rounds {
		s := shiftedScene(targets.ShiftKind(r.IntN(7)), any(1))
		v := s.Shift
		v.Asked.Amount = any(v.Asked.Amount)
		if r.IntN(5) == 0 {
			v.Asked.Kind = targets.ShiftKind(r.IntN(256))
			v.At.Kind = v.Asked.Kind
		}
		if r.IntN(5) == 0 {
			v.Kinds = []targets.ShiftKind{200, 0, 7}
		}
		v.Foreign = strings.Repeat("日本", r.IntN(30))
		for i := range v.Images {
			m := &v.Images[i]
			m.Pixels = m.Pixels[:r.IntN(len(m.Pixels)+1)]
			m.Lanes = m.Lanes[:r.IntN(len(m.Lanes)+1)]
			for k := range m.Lanes {
				m.Lanes[k].Entropy, m.Lanes[k].Mutual = any(1), any(1)
				m.Lanes[k].Mean = m.Lanes[k].Mean[:r.IntN(11)]
			}
		}
		v.Lanes = v.Lanes[:r.IntN(len(v.Lanes)+1)]
		for i := range v.Lanes {
			l := &v.Lanes[i]
			l.Now.Entropy, l.Draws = any(1), r.IntN(40)-3
			for k := range l.Curve {
				q := &l.Curve[k]
				q.Amount, q.Error, q.Entropy, q.Mutual, q.Confidence = any(q.Amount), any(q.Error), any(q.Entropy), any(q.Mutual), any(q.Confidence)
			}
		}
		f := frameOf(s)
		f.Theme = theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0)
		f.Image, f.Browse, f.Projector = r.IntN(40)-4, r.IntN(2) == 0, r.IntN(6) == 0
		f.Cross = pane.Cross{AxisX: pane.ShiftAxis, X: any(30)}
		f.Zoom[pane.ShiftAxis] = pane.Range{Lo: any(10), Hi: any(20)}
		w, h := r.IntN(220), r.IntN(70)
		view := predictions.New()
		check(t, f, view, w, h)
		for range 20 {
			ShiftHit(view, w, h, f, r.IntN(220), r.IntN(70))
			ImageAtCell(view, w, h, f, r.IntN(220), r.IntN(70))
		}
		predictions.TurnShift(f, r.IntN(5)-2)
		predictions.SlideShift(f, any(0.5))
		predictions.NextShift(f, r.IntN(5)-2)
	}
}

// A frame of 200×60 with shifted images costs what any does.
func BenchmarkShiftedScreen(b *testing.B) {
	f := frameOf(shiftedScene(targets.ShiftRotate, 90))
	f.Theme = theme.New(true, false, false)
	f.Params = pane.Params(f)
	v, p := predictions.New(), plane.NewPlane(200, 60)
	Screen(p, v, f, someHints)
	b.ReportAllocs()
	for b.Loop() {
		Screen(p, v, f, someHints)
		_ = p.Render()
	}
}
