package state

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Truth asks for a reference of the posterior, to compare the lanes with. A method without bias draws it, or it is of
// draws in a file. The zero value asks for none.
type Truth struct {
	Sampler string `json:"sampler,omitempty"`
	File    string `json:"file,omitempty"`  // of draws that are known to be right, in the place of a method
	Draws   uint64 `json:"draws,omitempty"` // 0 for the usual number
	// Values are those of the method's own parameters that are not its default;
	// nil for none. It is never changed in place.
	Values map[string]float64 `json:"values,omitempty"`
}

// Wanted reports whether a truth is asked for.
func (t Truth) Wanted() bool { return t.By() != "" }

// By says what the truth is by.
func (t Truth) By() string {
	if t.File != "" {
		return "reference draws"
	}
	return t.Sampler
}

// MinTruthDraws gives every half of the chains that share a truth's draws enough to compare.
const MinTruthDraws = 400

// maxTruthDraws is beyond what any machine draws.
const maxTruthDraws = 1 << 53

// TruthMethods lists the methods that can find a truth: those that accept or reject.
func TruthMethods() []string {
	exact := func(m sampler.Method) bool { return m.Metropolis && m.Kind == sampler.Sampling }
	return list.Map(list.Filter(catalog.Methods(), exact), func(m sampler.Method) string { return m.Name })
}

// CheckTruth returns the Refusal of a method whose draws are no truth, nil for one of TruthMethods.
func CheckTruth(name string) *Refusal {
	if all := TruthMethods(); !slices.Contains(all, name) {
		return outside("truth", strconv.Quote(name), fmt.Sprintf("one of %s, which have no bias", strings.Join(all, ", ")))
	}
	return nil
}

// validateTruth checks what c wants as truth.
func (c Config) validateTruth(p *targets.Problem) error {
	if !c.Truth.Wanted() || p.Exact() != nil {
		return nil
	}
	if c.Truth.File != "" {
		if _, function := p.F64.(targets.Functional); function {
			return unfit("reference", c.Truth.File, "is of parameters, and the truth of "+p.Spec+" is one of its function")
		}
	} else if err := c.Truth.validateMethod(p); err != nil {
		return err
	}
	if p.Dim() > MaxTracked {
		return unfit("truth", "", fmt.Sprintf("is for at most %d coordinates, %s has %d", MaxTracked, p.Spec, p.Dim()))
	}
	return nil
}

// validateMethod checks the method of a truth.
func (t Truth) validateMethod(p *targets.Problem) error {
	if r := CheckTruth(t.Sampler); r != nil {
		return r
	}
	m, _ := catalog.Find(t.Sampler)
	if err := Misfit("truth", m, p); err != nil {
		return err
	}
	for _, q := range m.Params {
		if v, ok := t.Values[q.Key]; ok {
			if err := Check(q, v); err != nil {
				return err
			}
		}
	}
	if n := t.Draws; n != 0 && (n < MinTruthDraws || n > maxTruthDraws) {
		return outside("truth", fmt.Sprintf("%s:draws=%d", t.Sampler, n),
			fmt.Sprintf("%s:draws=%d or more", t.Sampler, MinTruthDraws))
	}
	return nil
}

// PriorVar is the prior variance σ² of the reference: that of the first lane that has one, or else the target's own.
// For a density, which has no prior, it is +Inf. Lanes with another σ² are not compared with the reference.
func (c Config) PriorVar(p *targets.Problem) float64 {
	if !p.HasData() || p.OwnPrior {
		return math.Inf(1)
	}
	for _, l := range c.Lanes {
		if l.Has(sampler.KeyPriorVar) {
			return l.Value(sampler.KeyPriorVar)
		}
	}
	return max(p.Defaults.PriorVar, 1)
}

// CovBias is the error of the covariance that a setting's discretisation alone has at a step size,
// however long the lane runs, given the covariance of the truth. It is NaN where that is not known.
func CovBias(p *targets.Problem, set Setting, eps float64, truth []float64) float64 {
	m, _ := catalog.Find(set.Sampler)
	if truth == nil || m.StationaryCov == nil || !set.Schedule.Constant() {
		return math.NaN()
	}
	q, cov := ValuesInForce(p, m, set.With(sampler.KeyEps, eps)), make([]float64, len(truth))
	if !m.StationaryCov(cov, p.Impl(), &q) {
		return math.NaN()
	}
	return metrics.CovError(cov, truth)
}
