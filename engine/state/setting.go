package state

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A Setting is all that a lane is: its sampler, the values of its parameters, its schedule.
type Setting struct {
	Sampler string `json:"sampler"`
	// Values holds one number for each parameter of the sampler (Method.All), by key, and in a session for each of the
	// target, which are the same in all lanes. It is never changed in place.
	Values   map[string]float64 `json:"values"`
	Schedule sampler.Schedule   `json:"schedule,omitzero"`
	// Problem is the target with those values, in a session; nil elsewhere.
	Problem *targets.Problem `json:"-"`
}

// On returns the lane on a target, with the values of the target's parameters.
func (l Setting) On(p *targets.Problem) Setting {
	l.Problem, l.Values = p, maps.Clone(l.Values)
	for i, v := range p.Values() {
		l.Values[p.Params[i].Key] = v
	}
	return l
}

// on is On for a target that can be turned, and the setting as it is for another.
func (l Setting) on(p *targets.Problem) Setting {
	if p.Turns() {
		return l.On(p)
	}
	return l
}

// Off returns the lane without a target, as it is written: the target's spec has the values of its parameters.
func (l Setting) Off() Setting {
	l.Problem, l.Values = nil, maps.Clone(l.Values)
	maps.DeleteFunc(l.Values, func(key string, _ float64) bool { return OfTarget(key) })
	return l
}

// OfTarget reports whether a key is that of a target's parameter, which all lanes share.
func OfTarget(key string) bool { return strings.HasPrefix(key, targets.KeyPrefix) }

// Value returns the value of a parameter that the lane has.
func (l Setting) Value(key string) float64 {
	v, ok := l.Values[key]
	if !ok {
		panic("state: a lane of " + l.Sampler + " has no parameter " + strconv.Quote(key))
	}
	return v
}

// Or is Value for a parameter that the lane has, and v for any other.
func (l Setting) Or(key string, v float64) float64 {
	if x, ok := l.Values[key]; ok {
		return x
	}
	return v
}

// Eps is the lane's base step size, NaN for draws of which nobody knows it.
func (l Setting) Eps() float64 { return l.Or(sampler.KeyEps, math.NaN()) }

// Has reports whether the lane has a parameter.
func (l Setting) Has(key string) bool { _, ok := l.Values[key]; return ok }

// With returns the lane with one value changed.
func (l Setting) With(key string, v float64) Setting {
	l.Values = maps.Clone(l.Values)
	l.Values[key] = v
	return l
}

// Params lists the parameters that a sampler has on a target, in the order in
// which they are shown. It panics on an unknown sampler.
func Params(p *targets.Problem, name string) []param.Param {
	return list.Map(declared(p, name), func(q param.Param) param.Param { return fit(p, q, name) })
}

// declared is Params as the sampler declares them, without the ranges that fit the target.
func declared(p *targets.Problem, name string) []param.Param {
	return slices.DeleteFunc(catalog.Must(name).All(), func(q param.Param) bool { return Unfit(p, q) != "" })
}

// Turnable lists what can be turned while a sampler runs on a target: Params, and the target's own parameters.
func Turnable(p *targets.Problem, name string) []param.Param {
	return append(Params(p, name), p.Params...)
}

// KeyChains is the key of the number of chains a lane.
const KeyChains = "chains"

// Chains declares the number of chains a lane, which all lanes of a session share. Another
// number takes them back to step 0, see Restart.
func Chains() param.Param {
	return param.Param{
		Key: KeyChains, Symbol: "chains", Doc: "how many chains a lane has: the same settings, noise and starts of their own, further out than the first",
		Scale: param.Integer, Min: 1, Max: MaxChains, Lo: 1, Hi: MaxChains, Default: 1, AtStart: true,
	}
}

// Unfit says why a parameter has no meaning on a target, or "".
func Unfit(p *targets.Problem, q param.Param) string {
	switch {
	case q.NeedsData && !p.HasData():
		return needsData
	case q.Key == sampler.KeyPriorVar && p.OwnPrior:
		return "needs a target without a prior of its own"
	case q.Key == sampler.KeyBatch && p.Whole:
		return "needs a target that takes minibatches"
	case q.NeedsHessian && !hasHessian(p):
		return "needs a target that offers its Hessian's diagonal"
	case q.NeedsLayers && !hasLayers(p):
		return "needs a network of layers"
	}
	return ""
}

func hasLayers(p *targets.Problem) bool {
	_, ok := p.Impl().(targets.Layered)
	return ok
}

const needsData = "needs a target with data"

// fit narrows a parameter to a target and a sampler. Useful step sizes differ by ten decades between targets. The
// slider spans the decades about the default, more of them below it than above, where lanes diverge.
func fit(p *targets.Problem, q param.Param, name string) param.Param {
	switch q.Key {
	case sampler.KeyBatch:
		q.Max, q.Hi = float64(p.N()), float64(p.N())
	case sampler.KeyEps:
		eps := DefaultSetting(p.Opened(), name).Eps()
		q.Lo, q.Hi = math.Pow10(int(math.Floor(libm.Log10(eps/1e4)))), math.Pow10(int(math.Ceil(libm.Log10(eps*30))))
	}
	return q
}

func hasHessian(p *targets.Problem) bool {
	switch p.Impl().(type) {
	case targets.HessianDiag[float64], targets.HessianDiag[float32]:
		return true
	}
	return false
}

// DefaultSetting returns the setting with which a sampler begins on a target: the target's
// defaults over those of the parameters. It panics on an unknown sampler.
func DefaultSetting(p *targets.Problem, name string) Setting {
	m := catalog.Must(name)
	l := Setting{Sampler: name, Values: map[string]float64{}}
	for _, q := range m.All() {
		l.Values[q.Key] = q.Default
	}
	d := p.Defaults
	set := func(key string, v float64) {
		if v != 0 && l.Has(key) {
			l.Values[key] = v
		}
	}
	set(sampler.KeyEps, d.Eps)
	set(sampler.KeyEps, EpsOfLR(d.LR, p.N()))
	if m.Plain {
		set(sampler.KeyEps, EpsOfLR(d.PlainLR, p.N()))
	}
	if m.Kind == sampler.Sampling { // the bound that a variational family is fitted by is of T = 1
		set(sampler.KeyTemp, d.Temp)
	}
	set(sampler.KeyBatch, float64(d.Batch))
	set(sampler.KeyThin, float64(d.Thin))
	set(sampler.KeyBurnIn, float64(d.BurnIn))
	set(sampler.KeyPriorVar, d.PriorVar)
	if m.Suit != nil {
		m.Suit(p, l.Values)
	}
	maps.Copy(l.Values, p.Own[name])
	return l
}

// Like returns the default lane of a sampler with the values of another lane, as far as they mean the same there: for
// parameters that have the same default for both samplers on the target.
func Like(p *targets.Problem, other Setting, name string) Setting {
	l, usual := DefaultSetting(p, name), DefaultSetting(p, other.Sampler)
	for k, v := range other.Values {
		if l.Has(k) && l.Values[k] == usual.Values[k] {
			l.Values[k] = v
		}
	}
	if m, _ := catalog.Find(name); !m.Metropolis {
		l.Schedule = other.Schedule
	}
	return l
}

// ValuesInForce are the values by which a kernel steps at a setting. Eps is that of step 0.
func ValuesInForce(p *targets.Problem, m sampler.Method, set Setting) sampler.Params {
	q := sampler.Params{Eps: set.Eps(), Temp: set.Or(sampler.KeyTemp, 0), N: float64(p.N())}
	if p.HasData() && !p.OwnPrior && set.Has(sampler.KeyPriorVar) {
		q.PriorPrec = 1 / set.Value(sampler.KeyPriorVar)
	}
	q.Own = list.Map(m.Params, func(own param.Param) float64 { return set.Value(own.Key) })
	return q
}

// EpochLock is how many batches an epoch has at whose one place all draws of a lane fall, 0 where they do not. There
// the noise of shuffled minibatches has cancelled, and draws are less spread out than the chain is.
func EpochLock(how noise.Draw, set Setting, p *targets.Problem) (batches float64) {
	batch, thin := set.Or(sampler.KeyBatch, 0), set.Or(sampler.KeyThin, 1)
	if how != noise.Shuffle || !p.HasData() || batch <= 0 || batch >= float64(p.N()) {
		return 0
	}
	epochs := thin * batch / float64(p.N())
	if epochs < 1 || epochs != math.Trunc(epochs) {
		return 0
	}
	return thin / epochs
}

// EpsOfLR is ε = 2h/N of a step h per mean gradient, the learning rate.
func EpsOfLR(lr float64, n int) float64 { return 2 * lr / float64(n) }

// LROfEps is h = εN/2.
func LROfEps(eps float64, n int) float64 { return eps * float64(n) / 2 }

// Validate checks a setting against its target.
func (l Setting) Validate(p *targets.Problem) error {
	m, ok := catalog.Find(l.Sampler)
	if !ok {
		return UnknownSampler(l.Sampler)
	}
	if err := Misfit("sampler", m, p); err != nil {
		return err
	}
	for _, q := range m.All() {
		v, ok := l.Values[q.Key]
		if !ok {
			return unfit(q.Key, "", "is missing")
		}
		if err := Check(q, v); err != nil {
			return err
		}
		strict := q.NeedsHessian || q.NeedsLayers || p.Whole && q.Key == sampler.KeyBatch
		if why := Unfit(p, q); why != "" && v != q.Default && strict {
			return unfit(q.Key, q.Format(v), fmt.Sprintf("%s, which %s does not", why, p.Spec))
		}
	}
	if b := l.Or(sampler.KeyBatch, 0); p.HasData() && b > float64(p.N()) {
		return outside(sampler.KeyBatch, fmt.Sprintf("%.0f", b), fmt.Sprintf("at most N = %d", p.N()))
	}
	if m.Metropolis && !l.Schedule.Constant() {
		return unfit("schedule", "", fmt.Sprintf("is not for %s, which adapts its own step size", m.Name))
	}
	if l.Schedule.Epochs && !p.HasData() {
		return unfit("schedule", "in epochs", needsData)
	}
	return nil
}

// Misfit is the Refusal, of a field, of a method that does not run on a target, nil for one that does.
func Misfit(field string, m sampler.Method, p *targets.Problem) error {
	if why := m.Misfit(p); why != "" {
		return unfit(field, m.Name, fmt.Sprintf("does not run on %s: it %s", p.Spec, why))
	}
	return nil
}

// UnknownSampler is the error for a name that no sampler has.
func UnknownSampler(name string) error {
	return fmt.Errorf("unknown sampler %q%s", name, list.Hint("%q", name, catalog.Names()))
}
