package experiment

import (
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// The errors that the tables print (PAPER §2), typed once more.
func TestPrintedErrors(t *testing.T) {
	for _, c := range []struct {
		table *networkTable
		want  map[string][]float64
	}{
		{table2(), map[string][]float64{
			"pSGLD (σ² = 100)": {1.40, 1.26, 1.14}, "pSGLD (σ² = 1)": {1.45, 1.32, 1.24}, "distilled pSGLD": {1.44, 1.40, 1.41},
			"SGLD": {1.64, 1.41, 1.40}, "RMSprop": {1.59, 1.43, 1.39}, "RMSspectral": {1.65, 1.56, 1.46}, "SGD": {1.72, 1.47, 1.47},
			"BBB (Gaussian prior)": {1.82, 1.99, 2.04}, "BBB (scale mixture)": {1.32, 1.34, 1.32}, "SGD with dropout": {1.51, 1.33, 1.36},
		}},
		{table3(), map[string][]float64{
			"pSGLD": {0.45}, "SGLD": {0.71}, "RMSprop": {0.65}, "RMSspectral": {0.78}, "SGD": {0.82},
			"stochastic pooling": {0.47}, "NIN + dropout": {0.47}, "maxout + dropout": {0.45},
		}},
		{suppTable1(), map[string][]float64{"pSGLD": {0.56}, "SGLD": {0.76}, "RMSprop": {0.64}, "SGD": {0.81}}},
	} {
		if len(c.table.rows) != len(c.want) {
			t.Errorf("%d rows, want %d", len(c.table.rows), len(c.want))
		}
		for _, r := range c.table.rows {
			if !slices.Equal(r.printed, c.want[r.name]) {
				t.Errorf("%s prints %v, want %v", r.name, r.printed, c.want[r.name])
			}
		}
	}
	want := map[string]float64{"pSGLD": 14.85, "SGLD": 14.85, "DSVI": 15.20, "L-BFGS-SGVI": 14.91, "HFSGVI": 15.16}
	for _, read := range []Reading{Authors, Paper} {
		for _, r := range adultRows(read) {
			if name, _, _ := strings.Cut(r.name, ", "); r.printed != want[name] {
				t.Errorf("%s prints %v, want %v", r.name, r.printed, want[name])
			}
		}
	}
}

// The numbers of the text's protocols (PAPER §2) in the sessions of full runs: of figure
// 2, table 1 and figure 1(a).
func TestRegressionProtocols(t *testing.T) {
	o := Options{Reading: Paper, Scale: Full, Seed: 1, Targets: withoutData()}
	jobs, err := creditJobs(o)
	if err != nil {
		t.Fatal(err)
	}
	short, draws := map[float64]int{}, uint64(0)
	for _, j := range jobs {
		l := j.Config.Lanes[0]
		if l.Value(sampler.KeyPriorVar) != 100 || l.Value(sampler.KeyTemp) != 1 {
			t.Errorf("%s: %+v", j.ID, l)
		}
		switch {
		case l.Sampler == "hmc":
			draws += j.Config.Steps - uint64(l.Value(sampler.KeyBurnIn))
		case l.Value(sampler.KeyBatch) != 5:
			t.Errorf("%s: %+v", j.ID, l)
		case j.Config.Steps == 5000:
			short[l.Eps()]++
		}
	}
	if draws != 1_000_000 || short[1e-7] != 2*50 || short[1e-4] != 2*50 {
		t.Errorf("%d draws of HMC, runs at each ε %v", draws, short)
	}
	for read, rows := range map[Reading]int{Authors: 5, Paper: 7} {
		o.Reading = read
		jobs, err := adultJobs(o)
		if err != nil {
			t.Fatal(err)
		}
		if len(jobs) != 10*rows {
			t.Errorf("%s: %d sessions, want 10 seeds of %d rows", read, len(jobs), rows)
		}
		for _, j := range jobs {
			l := j.Config.Lanes[0]
			if j.Config.Steps != 15_000 || l.Value(sampler.KeyBatch) != 50 || l.Value(sampler.KeyPriorVar) != 10 || l.Value(sampler.KeyBurnIn) != 500 || l.Value(sampler.KeyThin) != 50 {
				t.Errorf("%s: %d steps of %+v", j.ID, j.Config.Steps, l)
			}
			if strings.Contains(j.ID, " sgld eps=0.05 temp=1 ") && (l.Eps() != 0.05 || l.Value(sampler.KeyTemp) != 1) {
				t.Errorf("%s: %+v", j.ID, l)
			}
		}
	}
	for read, want := range map[Reading]uint64{Paper: 200_000, Authors: 20_000} {
		o.Reading = read
		jobs, err := planeJobs(o, fig1aChains(o))
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range jobs {
			l := j.Config.Lanes[0]
			if j.Config.Steps != want || l.Value(sampler.KeyThin) != 1 || l.Value(sampler.KeyBurnIn) != 0 {
				t.Errorf("%s: %d steps of %+v", j.ID, j.Config.Steps, l)
			}
			alpha, lambda := 0.99, 1e-5
			if read == Authors {
				alpha, lambda = 0.9999, 1e-4
			}
			if l.Sampler == "psgld" && (l.Value(theoryAlpha) != alpha || l.Value("lambda") != lambda) {
				t.Errorf("%s: %+v", j.ID, l)
			}
		}
	}
	// 600 draws of τ = 6 hold 600/(2·6).
	if got := (scatterNumbers{act: overSeeds{Mean: 6, N: 5}}).held(); got != 50 {
		t.Errorf("%v effective draws", got)
	}
}
