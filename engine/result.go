package engine

import (
	"fmt"
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Num is a number in a result. In JSON, one that is not finite is null.
type Num float64

// MarshalJSON writes x in the fewest digits that read back as x.
func (x Num) MarshalJSON() ([]byte, error) {
	if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(x), 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON wrote, null as NaN.
func (x *Num) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*x = Num(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(b), 64)
	*x = Num(v)
	return err
}

// LaneResult is the end of a lane. Nil fields are those that the target does
// not have; Num fields that cannot be trusted are NaN, and Notes says why.
type LaneResult struct {
	Lane           string      `json:"lane"`
	Sampler        string      `json:"sampler"`
	Kind           string      `json:"kind"` // "sampler", "optimiser" or "variational family"
	Steps          uint64      `json:"steps"`
	Draws          uint64      `json:"draws"`
	Seconds        float64     `json:"seconds"` // sampling, without evaluation
	StepsPerSecond Num         `json:"steps_per_second"`
	Names          []string    `json:"names"`
	Mean           []Num       `json:"mean"` // step-weighted
	SD             []Num       `json:"sd"`
	MCSE           []Num       `json:"mcse"`
	ACT            []Num       `json:"act"` // τ = ½ + Σ ρ, in draws
	ESS            []Num       `json:"ess"`
	MinESS         Num         `json:"min_ess"`
	ESSPerSecond   Num         `json:"ess_per_second"`
	Cov            [][]Num     `json:"cov,omitempty"`
	CovError       *Num        `json:"cov_error,omitempty"`  // Σ|entry - truth|
	CovBias        *Num        `json:"cov_bias,omitempty"`   // of the discretisation alone, where known
	MeanError      *Num        `json:"mean_error,omitempty"` // root mean square of mean - truth
	Bias           []Num       `json:"bias,omitempty"`       // mean - truth, where a truth was asked for
	Loss           *Num        `json:"loss,omitempty"`       // mean negative log-likelihood at the end
	ELBO           *Num        `json:"elbo,omitempty"`
	ELBOSE         *Num        `json:"elbo_se,omitempty"` // its standard error
	Acceptance     *Num        `json:"acceptance,omitempty"`
	Divergences    *uint64     `json:"divergences,omitempty"` // trajectories given up
	TestError      *Num        `json:"test_error,omitempty"`
	NLL            *Num        `json:"nll,omitempty"`
	Brier          *Num        `json:"brier,omitempty"`
	ECE            *Num        `json:"ece,omitempty"`
	TrainError     *Num        `json:"train_error,omitempty"`
	Temperature    Num         `json:"temperature"`
	Eps            Num         `json:"eps"` // at the end
	LR             Num         `json:"lr"`
	Diverged       *Divergence `json:"diverged"`
	Digest         string      `json:"digest"`
	Notes          []string    `json:"notes,omitempty"`

	Values quantity.Values        `json:"-"`
	Coords []quantity.CoordValues `json:"-"`
}

// Result is the JSON document of a run.
type Result struct {
	Version string       `json:"version"`
	Config  Config       `json:"config"`
	Lanes   []LaneResult `json:"lanes"`
	Truth   *TruthResult `json:"truth,omitempty"`
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) Result {
	r := Result{Version: version, Config: s.config(), Truth: TruthOf(s.prob)}
	for _, l := range s.lanes {
		r.Lanes = append(r.Lanes, l.result())
	}
	return r
}

// distrusted gathers why numbers are missing, naming each reason once.
type distrusted struct {
	notes []string
	count map[string]int
}

func (d *distrusted) num(what, of string, e metrics.Estimate) Num {
	if e.OK() {
		return Num(e.Value)
	}
	key := what + ": " + e.Status.String()
	if d.count[key]++; d.count[key] == 1 {
		d.notes = append(d.notes, fmt.Sprintf("%s of %s: %v (%d draws)", what, of, e.Status, e.Draws))
	} else if d.count[key] == 2 {
		d.notes = append(d.notes, fmt.Sprintf("%s of further coordinates: %v", what, e.Status))
	}
	return Num(math.NaN())
}

func (l *lane[F]) result() LaneResult {
	l.flush()
	l.finish()
	l.settle()
	eps := l.epsNow()
	if l.method.Metropolis && l.info.Eps != 0 {
		eps = l.info.Eps // as it was adapted
	}
	r := LaneResult{
		Lane: LaneLetter(l.id), Sampler: l.method.Name, Kind: l.method.Kind.String(), Steps: l.state.Step, Draws: l.draws, Seconds: l.busy.Seconds(),
		StepsPerSecond: Num(l.rate()), Eps: Num(eps), LR: Num(LROfEps(eps, l.prob.N())),
		Diverged: l.div, Digest: l.digest().Digest, MinESS: Num(math.NaN()), ESSPerSecond: Num(math.NaN()),
	}
	reading := quantity.Of(l)
	r.Values = reading.Values()
	for i := range l.tracked {
		r.Coords = append(r.Coords, reading.Coordinate(i))
	}
	d := distrusted{count: map[string]int{}}
	switch {
	case l.div != nil:
		d.notes = append(d.notes, fmt.Sprintf("the lane diverged at step %d: its numbers estimate nothing", l.div.Step))
	case l.draws == 0:
		d.notes = append(d.notes, "no draw was kept: there is nothing to estimate from")
	}
	for i, at := range l.tracked {
		name := l.name(at)
		r.Names = append(r.Names, name)
		r.Mean = append(r.Mean, Num(l.chain.Mean(i)))
		r.SD = append(r.SD, Num(math.Sqrt(l.chain.Var(i))))
		r.MCSE = append(r.MCSE, d.num("mcse", name, l.sure(l.chain.MCSE(i))))
		r.ACT = append(r.ACT, d.num("act", name, l.sure(l.chain.ACT(i))))
		r.ESS = append(r.ESS, d.num("ess", name, l.sure(l.chain.ESS(i))))
	}
	_, act, ess := l.worst()
	if r.MinESS = d.num("min_ess", "all coordinates", ess); ess.OK() && l.busy > 0 {
		r.ESSPerSecond = Num(ess.Value / l.busy.Seconds())
	}
	temp, _ := l.virialMean(act)
	r.Temperature = d.num("temperature", "all coordinates", temp)
	if n := len(l.tracked); l.chain.Cov(l.cov) {
		for i := range n {
			row := make([]Num, n)
			for j := range n {
				row[j] = Num(l.cov[i*n+j])
			}
			r.Cov = append(r.Cov, row)
		}
	}
	if l.truth != nil {
		cov, mean := l.errors()
		r.CovError, r.MeanError = ptr(cov), ptr(mean)
		r.Bias = l.meanBias()
		if !l.truthHolds() {
			d.notes = append(d.notes, fmt.Sprintf("the truth is of --prior-var %g at --temp 1, and not of this lane", l.truth.PriorVar))
		}
		if b := l.bias(eps); !math.IsNaN(b) {
			r.CovBias = ptr(b)
		}
	}
	if n := len(l.history.points); n > 0 && !math.IsNaN(l.history.points[n-1].Loss) && l.prob.HasData() {
		r.Loss = ptr(l.history.points[n-1].Loss)
	}
	if l.method.Kind == sampler.Variational {
		elbo, se := l.seen.bound()
		if l.div != nil {
			elbo, se = math.NaN(), math.NaN()
		}
		r.ELBO, r.ELBOSE = ptr(elbo), ptr(se)
	}
	if l.method.Metropolis {
		n := l.seen.divergent
		r.Acceptance, r.Divergences = ptr(l.seen.acceptance()), &n
	}
	if e := l.evaluator; e != nil {
		at := l.Scores()
		if e.HasTest() {
			s := at.Test
			r.TestError, r.NLL, r.Brier, r.ECE = ptr(s.Error), ptr(s.NLL), ptr(s.Brier), ptr(s.ECE)
		}
		if e.HasTraining() {
			r.TrainError = ptr(at.Training.Error)
		}
	}
	r.Notes = d.notes
	return r
}

// newest copies the ring.
func (l *lane[F]) newest() Draws {
	l.flush()
	d := Draws{Lane: LaneLetter(l.id), Sampler: l.method.Name}
	for i, at := range l.tracked {
		d.Names = append(d.Names, l.name(at))
		d.Columns = append(d.Columns, l.ring.appendTo(nil, i, l.ring.n))
	}
	return d
}

func ptr(x float64) *Num { n := Num(x); return &n }
