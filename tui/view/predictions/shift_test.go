package predictions

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// shiftedScene is the network's scene with its images turned by 90°, which is
// exact on every machine, and with numbers made up of simple fractions.
func shiftedScene(kind targets.ShiftKind, amount float64) *engine.Snapshot {
	s := *scenetest.Of("mlp")
	t := s.Problem.Impl().(targets.Pictures)
	rows, cols, channels := t.PictureSize()
	shift := targets.Shift{Kind: kind, Amount: amount}
	v := &predict.ShiftView{
		Asked: shift, At: shift, Sample: 256, Foreign: "mnist",
		Kinds: []targets.ShiftKind{targets.NoShift, targets.ShiftRotate, targets.ShiftNoise,
			targets.ShiftForeign},
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
		turned.Apply(m.Pixels, t.Picture(dataset.Test, p.Row), rows, cols, channels, nil, nil)
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
			Amount:     x * kind.Scale().Max,
			Error:      0.05 + 0.5*grow/(1+float64(i)),
			Entropy:    0.25 + grow,
			Mutual:     0.0625 + grow/(4+4*float64(i)),
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
	turned := viewtest.Frame(shiftedScene(targets.ShiftRotate, 90))
	for _, size := range [][2]int{{60, 17}, {120, 32}} {
		viewtest.Golden(t, "shift", turned, New(), size[0], size[1])
	}
	browse := turned
	browse.Browse, browse.Image = true, 3
	viewtest.Golden(t, "shift-chosen", browse, New(), viewtest.W, viewtest.H)
	browse.Theme = theme.New(true, true, true)
	viewtest.Golden(t, "shift-ascii", browse, New(), viewtest.W, viewtest.H)
	plain := turned
	plain.Snap = shiftedScene(targets.NoShift, 0)
	viewtest.Golden(t, "shift-none", plain, New(), 80, 20)
	plain.Snap = shiftedScene(targets.ShiftForeign, 0.5)
	viewtest.Golden(t, "shift-foreign", plain, New(), viewtest.W, viewtest.H)

	// After a turn there are images and a slider, and why there is no prediction.
	paused := turned
	s := shiftedScene(targets.ShiftRotate, 90)
	undrawn(s)
	paused.Snap = s
	viewtest.Golden(t, "undrawn-shifted", paused, New(), viewtest.W, viewtest.H)
	plain.Snap = shiftedScene(targets.NoShift, 0)
	undrawn(plain.Snap)
	viewtest.Golden(t, "undrawn", plain, New(), 80, 20)

	// A shift of which nothing is known yet.
	s = shiftedScene(targets.ShiftNoise, 80)
	s.Shift.Images, s.Shift.Lanes, s.Shift.Sample = nil, nil, 0
	plain.Snap = s
	got := viewtest.Picture(plain, New(), viewtest.W, viewtest.H)
	if !strings.Contains(got, "being computed") || strings.Contains(got, "no draw") {
		t.Errorf("what is not known yet:\n%s", got)
	}
}

// undrawn takes the draws of a paused snapshot's window away.
func undrawn(s *engine.Snapshot) {
	s.Phase = state.Paused
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
			l.Curve[k] = predict.ShiftPoint{Amount: l.Curve[k].Amount, Error: nan, Entropy: nan, Mutual: nan,
				Confidence: nan}
		}
		l.Now = predict.ShiftPoint{Amount: l.Now.Amount, Error: nan, Entropy: nan, Mutual: nan, Confidence: nan}
	}
}

// What a click hits is what is drawn there: the slider, and each image of the page.
func TestZones(t *testing.T) {
	f := viewtest.Frame(shiftedScene(targets.ShiftRotate, 45))
	for _, size := range viewtest.Sizes {
		p := viewtest.Draw(f, New(), size[0], size[1])
		rows := strings.Split(p.RenderPlain(), "\n")
		images, slider := map[string]bool{}, false
		for _, z := range p.Zones() {
			switch z.Click.Name {
			case DoChoose:
				images[z.Click.Args[0]] = true
			case DoSlide:
				slider = true
				for x := z.Rect.X; x < z.Rect.X+z.Rect.W; x++ {
					frac := chart.SliderFrac(x-z.Rect.X, z.Rect.W)
					// Half a column of a track of 21.
					r := []rune(rows[z.Rect.Y])[x]
					if r == f.Theme.Glyphs.SliderKnob && math.Abs(frac-0.25) > 0.5/20+1e-9 {
						t.Errorf("%v: the knob at 45 of 180 is at %g", size, frac)
					}
				}
			}
		}
		if !slider {
			t.Errorf("%v: there is no slider", size)
		}
		if page := PageSize(size[0], size[1], &f); len(images) != min(page, len(f.Snap.Predictions)) || !images["0"] {
			t.Errorf("%v: %d images can be clicked of %d on the page", size, len(images), page)
		}
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
				q.Amount, q.Error, q.Entropy, q.Mutual, q.Confidence = any(q.Amount), any(q.Error), any(q.Entropy),
					any(q.Mutual), any(q.Confidence)
			}
		}
		f := viewtest.Frame(s)
		f.Theme = theme.New(r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2) == 0)
		f.Image, f.Browse, f.Projector = r.IntN(40)-4, r.IntN(2) == 0, r.IntN(6) == 0
		f.Cross = pane.Cross{AxisX: pane.ShiftAxis, X: any(30)}
		f.Zoom[pane.ShiftAxis] = pane.Range{Lo: any(10), Hi: any(20)}
		w, h := r.IntN(220), r.IntN(70)
		view := New()
		viewtest.Check(t, f, view, w, h)
	}
}

// BenchmarkFrame is the view with shifted images, of 200×60 in colour.
func BenchmarkFrame(b *testing.B) {
	f := viewtest.Frame(shiftedScene(targets.ShiftRotate, 90))
	f.Browse = true
	viewtest.Bench(b, "shift", f, New())
}
