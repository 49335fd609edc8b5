package predictive

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-14*max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestScoresByHand(t *testing.T) {
	p := New([]int32{0, 1, 2, 0}, 3)
	p.Add(0.5, []float64{
		0.7, 0.2, 0.1, // right, in the bin (10/15, 11/15]
		0.5, 0.4, 0.1, // wrong, in (7/15, 8/15]
		0.1, 0.1, 0.8, // right, in (11/15, 12/15]
		0.3, 0.5, 0.2, // wrong, in (7/15, 8/15]
	})
	for _, s := range []Scores{p.Scores(), p.Newest()} {
		near(t, "error", s.Error, 0.5)
		near(t, "NLL", s.NLL, -math.Log(0.7*0.4*0.8*0.3)/4)
		// 0.09+0.04+0.01, 0.25+0.36+0.01, 0.01+0.01+0.04, 0.49+0.25+0.04
		near(t, "Brier", s.Brier, (0.14+0.62+0.06+0.78)/4)
		// |1-0.7|/4 + 2/4·|0-0.5| + |1-0.8|/4
		near(t, "ECE", s.ECE, 0.075+0.25+0.05)
		if s.Draws != 1 {
			t.Errorf("%d draws, want 1", s.Draws)
		}
	}
}

// Two draws, weighted 3 to 1: (0.9, 0.1) and (0.1, 0.9) average to (0.7, 0.3). Averaging logits would
// give (0.75, 0.25).
func TestPredictiveAveragesProbabilities(t *testing.T) {
	p := New([]int32{0}, 2)
	p.Add(3, []float64{0.9, 0.1})
	p.Add(1, []float64{0.1, 0.9})
	var got [2]float64
	p.Mean(0, got[:])
	near(t, "p of class 0", got[0], 0.7)
	near(t, "p of class 1", got[1], 0.3)
	s := p.Scores()
	near(t, "error", s.Error, 0)
	near(t, "NLL", s.NLL, -math.Log(0.7))
	near(t, "Brier", s.Brier, 0.18)
	near(t, "ECE", s.ECE, 0.3)
	if s.Draws != 2 || p.Draws() != 2 {
		t.Errorf("%d and %d draws, want 2", s.Draws, p.Draws())
	}
	s = p.Newest()
	near(t, "newest error", s.Error, 1)
	near(t, "newest NLL", s.NLL, -math.Log(0.1))
	near(t, "newest ECE", s.ECE, 0.9)
	if s.Draws != 1 {
		t.Errorf("newest has %d draws", s.Draws)
	}
}

func TestReliabilityMatchesECE(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const rows = 500
	labels, probs := make([]int32, rows), make([]float64, 0, 3*rows)
	for i := range labels {
		labels[i] = int32(r.IntN(3))
		a, b, c := r.ExpFloat64(), r.ExpFloat64(), r.ExpFloat64()
		probs = append(probs, a/(a+b+c), b/(a+b+c), c/(a+b+c))
	}
	p := New(labels, 3)
	p.Add(2, probs)
	bins := make([]Bin, ECEBins)
	p.Reliability(bins)
	n, ece := uint64(0), 0.0
	for i, b := range bins {
		n += b.Count
		ece += float64(b.Count) / rows * math.Abs(b.Accuracy-b.Confidence)
		if b.Count > 0 && (b.Confidence <= float64(i)/ECEBins || b.Confidence > float64(i+1)/ECEBins) {
			t.Errorf("bin %d has confidence %v", i, b.Confidence)
		}
	}
	if n != rows {
		t.Errorf("%d rows in the bins, want %d", n, rows)
	}
	near(t, "ECE", ece, p.Scores().ECE)
}

func TestScoresAtTheEdges(t *testing.T) {
	p := New([]int32{1, 0}, 2)
	for _, s := range []Scores{p.Scores(), p.Newest()} {
		if !math.IsNaN(s.Error) || !math.IsNaN(s.NLL) || !math.IsNaN(s.Brier) || !math.IsNaN(s.ECE) || s.Draws != 0 {
			t.Errorf("without draws: %+v", s)
		}
	}
	p.Add(1, []float64{1, 0, 1, 0}) // sure and wrong, sure and right
	s := p.Scores()
	near(t, "NLL", s.NLL, 1022*math.Ln2/2)
	near(t, "Brier", s.Brier, 1)
	near(t, "ECE", s.ECE, 0.5)
	p.Add(1, []float64{math.NaN(), 0, 1, 0})
	if s := p.Scores(); !math.IsNaN(s.Error) || !math.IsNaN(s.NLL) || s.Draws != 2 {
		t.Errorf("with a NaN: %+v", s)
	}
	p.Reset()
	p.Add(0.1, []float64{0.5, 0.5, 0.5, 0.5})
	s = p.Scores()
	near(t, "error of a tie", s.Error, 0.5)
	near(t, "ECE of a tie", s.ECE, 0)
}

func TestPredictiveDoesNotAllocate(t *testing.T) {
	p := New(make([]int32, 100), 10)
	probs, bins := make([]float64, 1000), make([]Bin, ECEBins)
	if n := alloctest.PerRun(20, func() {
		p.Add(1, probs)
		p.Scores()
		p.Newest()
		p.Reliability(bins)
	}); n != 0 {
		t.Errorf("%v allocations a draw", n)
	}
}

func TestSet(t *testing.T) {
	p := New([]int32{0, 1}, 2)
	p.Add(2, []float64{0.9, 0.1, 0.4, 0.6})
	kept := p.Clone()
	p.Add(1, []float64{0.2, 0.8, 0.5, 0.5})
	want := p.Scores()
	p.Reset()
	p.Set(kept)
	if s := p.Scores(); math.Abs(s.NLL+(math.Log(0.9)+math.Log(0.6))/2) > 1e-15 || p.Draws() != 1 {
		t.Errorf("scores %+v of %d draws", s, p.Draws())
	}
	if p.Add(1, []float64{0.2, 0.8, 0.5, 0.5}); p.Scores() != want || kept.Draws() != 1 {
		t.Errorf("scores %+v, want %+v", p.Scores(), want)
	}
}
