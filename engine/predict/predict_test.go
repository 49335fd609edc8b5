package predict

import (
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// digits is a network that the tests share.
var digits = sync.OnceValue(func() *targets.Problem {
	p, err := targets.Open("mlp:20", targets.Options{Dataset: "strokes"})
	if err != nil {
		panic(err)
	}
	return p
})

// some are n draws of a network, drawn from its prior.
func some(p *targets.Problem, seed uint64, n int) *Recent[float32] {
	r, z, theta := NewRecent[float32](p.Dim()), make([]float64, p.Dim()), make([]float32, p.Dim())
	for i := range n {
		noise.Fill(noise.New(seed, i, noise.Start), z)
		for k, x := range z {
			theta[k] = float32(x / 5)
		}
		r.Add(theta, float64(i+1))
	}
	return r
}

// What is said of shifted images is the weighted mean over the draws, evaluated one by
// one; and a shift by nothing or by a whole turn is none.
func TestShiftedPredictions(t *testing.T) {
	innerlooptest.Skip(t, "predictions of many draws")
	p := digits()
	fork := p.F32.(targets.Forker[float32]).Fork(1)
	defer fork.Close()
	predictor := fork.(targets.PicturePredictor[float32])
	labels := predictor.Labels(dataset.Test)
	h := NewShifts(p, "", func() {})
	defer h.Rest()
	q := &Question{Seed: 1, Lanes: []*Recent[float32]{some(p, 1, 17), nil, some(p, 2, 3)}}
	for row := range 100 {
		q.Shown = append(q.Shown, Prediction{Row: 7 * row})
	}
	view := func(s targets.Shift) *ShiftView {
		t.Helper()
		if err := h.Ask(s, 0); err != nil {
			t.Fatal(err)
		}
		for {
			v, err := h.View(q)
			if err != nil {
				t.Fatal(err)
			}
			if time.Sleep(time.Millisecond); v.Settled() && !h.News() {
				v, _ = h.View(q)
				return v
			}
		}
	}
	of := func(k int, pixels []uint8) *predictive.Uncertainty {
		r := q.Lanes[k]
		rows := len(pixels) / 784
		u, probs := predictive.NewUncertainty(rows, 10), make([]float64, 10*rows)
		for i := range r.n {
			predictor.PredictPictures(probs, r.theta[i], pixels)
			u.Add(r.weight[i], probs)
		}
		return u
	}
	for _, c := range []targets.Shift{
		{Kind: targets.ShiftRotate}, {Kind: targets.ShiftRotate, Amount: 360}, {Kind: targets.ShiftNoise},
		{Kind: targets.ShiftRotate, Amount: 90}, {Kind: targets.ShiftNoise, Amount: 50},
	} {
		v := view(c)
		if v.Asked != c || v.At != c || len(v.Images) != MaxShifted || v.Sample != mostSample || len(v.Lanes) != 3 {
			t.Fatalf("%+v: %d images at %+v, sample %d, %d lanes", c, len(v.Images), v.At, v.Sample, len(v.Lanes))
		}
		for i, m := range v.Images[:6] { // the draws are evaluated anew for each
			if m.Row != q.Shown[i].Row {
				t.Fatalf("image %d is row %d, not %d", i, m.Row, q.Shown[i].Row)
			}
			plain := predictor.Picture(dataset.Test, m.Row)
			if nothing := c.Amount == 0 || c.Amount == 360; nothing != slices.Equal(plain, m.Pixels) {
				t.Fatalf("%+v: the image is the plain one: %v", c, !nothing)
			}
			for _, k := range []int{0, 2} {
				u := of(k, m.Pixels)
				mean, sd := make([]float64, 10), make([]float64, 10)
				u.Mean(0, mean)
				u.Spread(0, sd)
				q := m.Lanes[k]
				if !slices.Equal(q.Mean, mean) || !slices.Equal(q.SD, sd) || q.Entropy != u.Entropy(0) ||
					q.Mutual != u.Mutual(0) {
					t.Fatalf("%+v, row %d, lane %d: %+v, want %v ± %v", c, m.Row, k, q, mean, sd)
				}
			}
			if m.Lanes[1].Mean != nil {
				t.Errorf("a lane without draws says %+v", m.Lanes[1])
			}
		}
	}

	// At amount 0 the sample is 256 of the test images, an eighth of them or so.
	v := view(targets.Shift{Kind: targets.ShiftRotate})
	var pixels []uint8
	var rows []int
	for i := range v.Sample {
		rows = append(rows, i*len(labels)/v.Sample)
		pixels = append(pixels, predictor.Picture(dataset.Test, rows[i])...)
	}
	for _, k := range []int{0, 2} {
		l := v.Lanes[k]
		want := overSample(of(k, pixels), 0, rows, labels)
		if l.Now != want || l.Curve[0] != want || l.Draws != q.Lanes[k].n || len(l.Curve) != 13 {
			t.Errorf("lane %d: %+v and %+v, want %+v", k, l.Now, l.Curve[0], want)
		}
		for _, q := range l.Curve {
			if !(q.Entropy >= q.Mutual && q.Mutual >= 0 && q.Entropy <= math.Log(10) && q.Confidence >= 0.1 &&
				q.Error >= 0 && q.Error <= 1) {
				t.Errorf("lane %d: %+v", k, q)
			}
		}
	}
	if l := v.Lanes[1]; l.Draws != 0 || !math.IsNaN(l.Now.Error) || !math.IsNaN(l.Curve[12].Error) {
		t.Errorf("a lane without draws: %+v", l)
	}
}

// A draw that waits for its evaluation is not among those scored.
func TestScoredWhileADrawWaits(t *testing.T) {
	p := digits()
	e := NewEvaluator(p.F32, 0, func() {})
	defer e.Close()
	theta := make([]float32, p.Dim())
	for n := range uint64(3) {
		e.Draw(Draw[float32]{Theta: theta, Weight: 1, Number: n + 1, Report: n == 1})
	}
	e.Wait()
	if got := e.Scored(3); got != 3 || e.Busy() {
		t.Errorf("%d of 3 draws are scored", got)
	}
	own := <-e.free // as while a draw waits
	if got := e.Scored(4); got != 3 || !e.Busy() {
		t.Errorf("while a draw waits %d are scored, want 3", got)
	}
	e.free <- own
	all := e.Reports()
	if len(all) != 1 || all[0].Test.Draws != 2 || math.IsNaN(all[0].Test.Error) || len(e.Reports()) != 0 {
		t.Errorf("reports %+v", all)
	}
}

// A new window knows nothing at once, and what is copied comes back.
func TestWindowsAndCopies(t *testing.T) {
	p := digits()
	e := NewEvaluator(p.F32, 0, func() {})
	defer e.Close()
	r := some(p, 3, 2)
	e.Draw(Draw[float32]{Theta: r.theta[0], Weight: 1, Number: 1})
	e.Wait()
	one, copied := e.Scores(), e.Averages().Clone()
	e.Draw(Draw[float32]{Theta: r.theta[1], Weight: 2, Number: 2})
	e.Wait()
	if e.Scores().Test == one.Test {
		t.Error("a second draw changes nothing")
	}
	e.Reset()
	if s := e.Scores(); !math.IsNaN(s.Test.Error) || e.Reliability(10) != nil {
		t.Errorf("a new window has %+v", s)
	}
	e.Wait()
	e.Averages().Set(copied)
	if e.Scores().Test != one.Test || copied.Bytes() == 0 {
		t.Errorf("copied %+v, came back as %+v", one, e.Scores())
	}
}

// The images on which two lanes differ most come first, and stay where they are when
// they are to be kept.
func TestImages(t *testing.T) {
	p := digits()
	n := len(p.F32.(targets.Predictor[float32]).Labels(dataset.Test))
	lane := func(k int) lane {
		l := lane{mean: make([]float64, 10*n), sd: make([]float64, 10*n)}
		for r := range n {
			l.mean[10*r+(k*r)%10] = 1
		}
		return l
	}
	var m Images
	blind := m.Show(p, []Source{none{}, none{}}, false, false)
	if len(blind) != MaxImages || blind[1].Row != 1 || blind[0].Lanes[0].Mean != nil {
		t.Fatalf("without a draw: %d images, %+v", len(blind), blind[1])
	}
	both := []Source{lane(0), lane(1)}
	kept := m.Show(p, both, true, false)
	if kept[0].Row != 0 || kept[0].Disagreement != 0 || kept[1].Disagreement != 1 {
		t.Errorf("kept: %+v", kept[0])
	}
	first := m.Show(p, both, false, true)
	if first[0].Row != 0 {
		t.Error("looked through anew at once")
	}
	m.Outdate()
	if first = m.Show(p, both, false, true); first[0].Row != 1 || first[0].Disagreement != 1 || first[0].Label < 0 {
		t.Errorf("the most disputed image is %+v", first[0])
	}
}

type none struct{}

func (none) Predictions() (mean, sd []float64) { return nil, nil }

type lane struct{ mean, sd []float64 }

func (l lane) Predictions() (mean, sd []float64) { return l.mean, l.sd }

// A ring of draws keeps the newest and does not allocate once it is full.
func TestRecentDraws(t *testing.T) {
	r := NewRecent[float32](100)
	x := make([]float32, 100)
	for i := range 3 * mostRecent / 2 {
		x[0] = float32(i)
		r.Add(x, 1)
	}
	if n := alloctest.PerRun(100, func() { r.Add(x, 1) }); n > 0 {
		t.Errorf("%g allocations", n)
	}
	if s := r.state(); s.n != mostRecent {
		t.Errorf("%d draws", s.n)
	}
	for dim, want := range map[int]int{1: mostRecent, 478_410: mostRecent, 2_395_210: 7, 1 << 25: leastRecent} {
		if n := NewRecent[float32](dim).size; n != want {
			t.Errorf("%d draws of %d parameters, want %d", n, dim, want)
		}
	}
}
