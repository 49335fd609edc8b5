package metrics

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// Of stationary chains hardly any may be called drifting, at any length from which a check is made.
func TestStationarityOfStationaryChains(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	alarms, all := 0, 0
	for _, k := range kinds() {
		if calibrationRuns < 200 && k.tau > 20 {
			continue
		}
		for _, m := range []float64{75, 150, 400, 1000} {
			x := make([]float64, int(m*max(k.tau, 0.5)))
			c := NewChain(1)
			bad, checked := 0, 0
			for s := range uint64(calibrationRuns) {
				clear(x)
				k.fill(rand.New(rand.NewPCG(s, 19)), x)
				c.NewWindow()
				c.Add(&Block{Dim: 1, Cap: len(x), N: len(x), X: x, W: ones(len(x))})
				switch c.stationarity(0) {
				case Drifting:
					bad++
					checked++
				case OK:
					checked++
				}
			}
			alarms, all = alarms+bad, all+calibrationRuns
			if bad > 0 {
				t.Logf("%-26s at %4v τ: %d of %d drift", k.name, m, bad, checked)
			}
			most := calibrationRuns/40 + 1
			if strings.HasPrefix(k.name, "banana θ₂") {
				// Its excursions look like drift, and those chains show the worst ESS as well.
				most = calibrationRuns/14 + 1
			}
			if bad > most {
				t.Errorf("%s: %d of %d stationary chains drift at %v τ", k.name, bad, calibrationRuns, m)
			}
		}
	}
	t.Logf("%d of %d", alarms, all)
	if calm := float64(all) / 200; float64(alarms) > calm+3*math.Sqrt(calm)*float64(200-calibrationRuns)/160 {
		t.Errorf("%d of %d stationary chains drift", alarms, all)
	}
}

// A start 30 standard deviations out, a trend and a jump show, with equal weights and under a schedule.
func TestStationarityOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("a calibration over many chains")
	}
	const n, rho = 20_000, 0.98 // 400 τ
	step := make([]float64, n)
	total := 0.0
	for i := range step {
		step[i] = schedules[0].step(i, n)
		total += step[i]
	}
	seen := map[string]int{}
	for run := range uint64(20) {
		even, uneven := ar1(rho, n, 30+run), langevin(step, rand.New(rand.NewPCG(run, 24)))
		time, start := 0.0, 30.0
		for what, f := range map[string]func(i int) float64{
			"start": func(i int) float64 { return start },
			"trend": func(i int) float64 { return 4 * time / total },
			"jump":  func(i int) float64 { return 2 * math.Floor(2*time/total) },
		} {
			check := func(w []float64, x []float64, decay func(i int) float64) {
				t.Helper()
				y := make([]float64, n)
				total = 0
				for _, v := range w {
					total += v
				}
				time, start = 0, 30
				for i, v := range x {
					y[i] = v + f(i)
					time += w[i]
					start *= decay(i)
				}
				switch s := chainOf(w, y).stationarity(0); s {
				case Drifting:
					seen[what]++
				case OK:
					t.Errorf("%s: %v", what, s)
				}
			}
			check(ones(n), even, func(int) float64 { return rho })
			check(step, uneven, func(i int) float64 { return math.Exp(-step[i] / 2) })
		}
	}
	// The rest is too short for a check, as is every chain with a trend: it is taken for a slow part.
	for _, what := range []string{"start", "jump"} {
		if k := seen[what]; k < 30 {
			t.Errorf("%s: %d of 40 drift", what, k)
		}
	}
	if s := chainOf(ones(40), ar1(0, 40, 1)).stationarity(0); s != TooShort {
		t.Errorf("40 draws: %v", s)
	}
	if s := chainOf(ones(400), ones(400)).stationarity(0); s != Constant {
		t.Errorf("a constant: %v", s)
	}
}
