// Package engine is the plain data that a session of samplers takes in or hands out.
//
// In go a [Config] and, while it runs, each [Command]. Out come a [Snapshot] for the
// screen, and at the end a [Result] and a [Recording], which plays the same session
// again. Package session, below this one, runs it.
package engine

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/nets/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/targets/param"
)

const (
	// MaxLanes is how many lanes a session can have.
	MaxLanes = 4
	// MaxChains is how many chains a lane can have.
	MaxChains = 64
	// MaxTracked is how many coordinates of a lane of one chain have statistics of their own.
	MaxTracked = 1000
)

// A Setting is all that a lane is: its sampler, the values of its parameters, its schedule.
type Setting struct {
	Sampler string `json:"sampler"`
	// Values holds one number for each parameter of the sampler (Method.All), by
	// key, and in a session for each of the target, which are the same in all lanes.
	// It is never changed in place.
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

// Off returns the lane without a target, as it is written: the target's spec has the values of
// its parameters.
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
		panic("engine: a lane of " + l.Sampler + " has no parameter " + strconv.Quote(key))
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

// Eps is the lane's base step size.
func (l Setting) Eps() float64 { return l.Value(sampler.KeyEps) }

// Has reports whether the lane has a parameter.
func (l Setting) Has(key string) bool { _, ok := l.Values[key]; return ok }

// With returns the lane with one value changed.
func (l Setting) With(key string, v float64) Setting {
	l.Values = maps.Clone(l.Values)
	l.Values[key] = v
	return l
}

// Config is what a session begins with. The Config and the commands together determine
// every number of the session.
type Config struct {
	Target      string      `json:"target"`
	Dataset     string      `json:"dataset,omitempty"`
	Standardize targets.Tri `json:"standardize,omitempty"`
	Intercept   targets.Tri `json:"intercept,omitempty"`
	Lanes       []Setting   `json:"lanes"`
	Seed        uint64      `json:"seed"`
	// Stream is the number of lane A's noise; the other lanes' numbers follow it.
	Stream int `json:"stream,omitempty"`
	// Init is "random", "zero" or the coordinates of the start, comma-separated. One
	// number stands for all coordinates.
	Init string `json:"init"`
	// Draw says how minibatches are drawn.
	Draw noise.Draw `json:"draw"`
	// Chains is how many chains a lane has, each with noise and a start of its own;
	// 0 stands for 1.
	Chains int `json:"chains,omitempty"`
	// Bias asks for an estimate of the bias that the step size causes, by companions of each
	// lane's first chain at smaller steps. They take six gradients beside one of the chain's.
	Bias bool `json:"bias,omitempty"`
	// CompareWeights asks for R-hat and effective sizes of a network's tracked weights too,
	// which need not converge.
	CompareWeights bool `json:"compare_weights,omitempty"`
	// SameNoise gives every lane the noise of lane A.
	SameNoise bool `json:"same_noise,omitempty"`
	// Race lets lanes run as fast as each can, and not step by step together.
	Race bool `json:"race,omitempty"`
	// The run ends at the first of these limits. 0 is no limit.
	Steps   uint64  `json:"steps,omitempty"`
	Epochs  float64 `json:"epochs,omitempty"`
	Seconds float64 `json:"seconds,omitempty"`
	// Until ends the run where every lane that samples has drawn enough. Lanes in a race each end there.
	Until quantity.Until `json:"until,omitzero"`
	// Truth asks for a reference where the target's own truth is not known. Whoever
	// opens the target finds it and sets Problem.Reference before a session begins.
	Truth Truth `json:"truth,omitzero"`
}

// Open opens the target of c. It starts no command.
func (c Config) Open(dataDir string) (*targets.Problem, error) {
	return c.OpenWith(targets.Options{DataDir: dataDir})
}

// OpenWith is Open with what c does not say taken from o.
func (c Config) OpenWith(o targets.Options) (*targets.Problem, error) {
	o.Dataset, o.Standardize, o.Intercept = c.Dataset, c.Standardize, c.Intercept
	return targets.Open(c.Target, o)
}

// Params lists the parameters that a sampler has on a target, in the order in
// which they are shown. It panics on an unknown sampler.
func Params(p *targets.Problem, name string) []param.Param {
	m, ok := catalog.Find(name)
	if !ok {
		panic("engine: unknown sampler " + name)
	}
	var all []param.Param
	for _, q := range m.All() {
		if Unfit(p, q) == "" {
			all = append(all, fit(p, q, name))
		}
	}
	return all
}

// Turnable lists what can be turned while a sampler runs on a target: Params, and the target's
// own parameters.
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
	case q.Key == sampler.KeyBatch && p.Whole:
		return "needs a target that takes minibatches"
	case q.NeedsHessian && !hasHessian(p):
		return "needs a target that offers its Hessian's diagonal"
	}
	return ""
}

const needsData = "needs a target with data"

// fit narrows a parameter to a target and a sampler. Useful step sizes differ by ten
// decades between targets. The slider spans the decades about the default, more of them
// below it than above, where lanes diverge.
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
	m, ok := catalog.Find(name)
	if !ok {
		panic("engine: unknown sampler " + name)
	}
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
	return l
}

// Like returns the default lane of a sampler with the values of another lane, as far as
// they mean the same there: for parameters that have the same default for both samplers
// on the target.
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
	if p.HasData() && set.Has(sampler.KeyPriorVar) {
		q.PriorPrec = 1 / set.Value(sampler.KeyPriorVar)
	}
	q.Own = list.Map(m.Params, func(own param.Param) float64 { return set.Value(own.Key) })
	return q
}

// EpochLock is how many batches an epoch has at whose one place all draws of a lane fall, 0
// where they do not. There the noise of shuffled minibatches has cancelled, and draws are less
// spread out than the chain is.
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

// Validate checks c against its target. The error is a *Refusal, or that of
// UnknownSampler.
func (c Config) Validate(p *targets.Problem) error {
	if len(c.Lanes) < 1 || len(c.Lanes) > MaxLanes {
		return outside("lanes", strconv.Itoa(len(c.Lanes)), fmt.Sprintf("1 to %d of them", MaxLanes))
	}
	for i, l := range c.Lanes {
		err := l.Validate(p)
		if r, ok := errors.AsType[*Refusal](err); ok && len(c.Lanes) > 1 && !c.sameEverywhere(l, i) {
			r.Lane, r.Sampler = i, l.Sampler
		}
		if err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		v    float64
	}{{"epochs", c.Epochs}, {"seconds", c.Seconds}} {
		if !(f.v >= 0) || math.IsInf(f.v, 0) {
			return outside(f.name, strconv.FormatFloat(f.v, 'g', -1, 64), "positive")
		}
	}
	if c.Chains < 0 || c.Chains > MaxChains {
		return outside(KeyChains, strconv.Itoa(c.Chains), Chains().Allowed())
	}
	if _, outside := p.F64.(targets.Outside[float64]); outside && c.Bias {
		return unfit("bias", "", "needs a target within the program")
	}
	if c.Epochs > 0 && !p.HasData() {
		return unfit("epochs", "", needsData)
	}
	if err := c.validateUntil(p); err != nil {
		return err
	}
	if err := c.validateTruth(p); err != nil {
		return err
	}
	for _, q := range p.Params {
		if name := strings.TrimPrefix(q.Key, targets.KeyPrefix); reserved(name) {
			return unfit("target", strconv.Quote(p.Spec), fmt.Sprintf("has a parameter %q, which is the name of a setting of samplers; want another name", name))
		}
	}
	if c.RandomStart() && p.HasData() {
		return nil // it cannot fail, and that of a large network takes a while
	}
	_, err := c.Start(p, 0)
	return err
}

// reserved reports whether a name is that of a setting of the session or of a sampler.
func reserved(name string) bool {
	return slices.Contains([]string{KeyChains, "lr", "schedule", "sampler", "seed", "init"}, name) || slices.ContainsFunc(catalog.Methods(), func(m sampler.Method) bool {
		_, ok := m.Param(name)
		return ok
	})
}

// validateUntil refuses an Until that can never hold.
func (c Config) validateUntil(p *targets.Problem) error {
	samples := slices.ContainsFunc(c.Lanes, func(l Setting) bool {
		m, _ := catalog.Find(l.Sampler)
		return m.Kind == sampler.Sampling && l.Or(sampler.KeyTemp, 1) > 0
	})
	switch {
	case c.Until.Wanted() && !samples:
		return unfit("until", c.Until.String(), "needs a lane that samples, by a sampler at a temperature above 0")
	case c.Until[quantity.RHat] > 0 && p.F64 == nil && !c.CompareWeights:
		return unfit("until", c.Until.String(), "needs compare-weights on a network, whose weights need not converge")
	}
	return nil
}

// Unlimited is c without limits.
func (c Config) Unlimited() Config {
	c.Steps, c.Epochs, c.Seconds, c.Until = 0, 0, 0, quantity.Until{}
	return c
}

// Limited reports whether c has a limit.
func (c Config) Limited() bool {
	return c.Steps > 0 || c.Epochs > 0 || c.Seconds > 0 || c.Until.Wanted()
}

// sameEverywhere reports whether no other lane differs from l in its values, so
// that a fault is not one lane's alone.
func (c Config) sameEverywhere(l Setting, i int) bool {
	for j, o := range c.Lanes {
		for k, v := range o.Values {
			if w, ok := l.Values[k]; j != i && ok && w != v {
				return false
			}
		}
	}
	return true
}

// Validate checks a setting against its target.
func (l Setting) Validate(p *targets.Problem) error {
	m, ok := catalog.Find(l.Sampler)
	if !ok {
		return UnknownSampler(l.Sampler)
	}
	if err := Misfit(m, p); err != nil {
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
		if why := Unfit(p, q); why != "" && v != q.Default && (q.NeedsHessian || p.Whole && q.Key == sampler.KeyBatch) {
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

// Misfit is the Refusal of a sampler that does not run on a target, nil for one
// that does.
func Misfit(m sampler.Method, p *targets.Problem) error {
	return misfit("sampler", m, p)
}

func misfit(field string, m sampler.Method, p *targets.Problem) error {
	if why := m.Misfit(p); why != "" {
		return unfit(field, m.Name, fmt.Sprintf("does not run on %s: it %s", p.Spec, why))
	}
	return nil
}

// UnknownSampler is the error for a name that no sampler has.
func UnknownSampler(name string) error {
	return fmt.Errorf("unknown sampler %q%s", name, targets.Hint("%q", name, catalog.Names()))
}

// RandomStart reports whether chains start at random places, and not at one that is given.
func (c Config) RandomStart() bool { return c.Init == "random" || c.Init == "" }

// ChainCount is how many chains each lane has.
func (c Config) ChainCount() int { return max(c.Chains, 1) }

// Of ManyChains chains or more each GroupedChains begin at one place, for the nested R-hat.
const ManyChains, GroupedChains = 16, 4

// Tracked is how many of a target's coordinates have statistics of their own: the chains of a
// lane share MaxTracked.
func (c Config) Tracked(dim int) int { return min(dim, MaxTracked/c.ChainCount()) }

// Start returns the θ at which a chain of any lane starts, or a *Refusal of Init. Random
// starts of all chains but the first are further out, by Problem.Disperse. Those of each
// second chain mirror those of the chain before, so that no pair begins on one side. A density
// is finite there; one outside of the program is not asked, since it may take long.
func (c Config) Start(p *targets.Problem, chain int) ([]float64, error) {
	theta, err := c.startAt(p, chain)
	_, outside := p.F64.(targets.Outside[float64])
	if t, ok := p.Impl().(targets.LogDensity[float64]); ok && err == nil && !p.HasData() && !outside {
		if y := t.LogLik(theta); y-y != 0 {
			return nil, unfit("init", "", fmt.Sprintf("is needed: the log density is %g at the start %s; want numbers, one a coordinate, where it is finite", y, place(p, theta)))
		}
	}
	return theta, err
}

// place names a point by its first coordinates.
func place(p *targets.Problem, theta []float64) string {
	const most = 3
	text := ""
	for i, x := range theta {
		if i == most {
			return text + ", …"
		}
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s = %.4g", p.Names[i], x)
	}
	return text
}

func (c Config) startAt(p *targets.Problem, chain int) ([]float64, error) {
	if c.Chains >= ManyChains {
		chain /= GroupedChains
	}
	theta := make([]float64, p.Dim())
	switch c.Init {
	case "zero":
		return theta, nil
	case "random", "":
		z := make([]float64, p.Dim())
		noise.Fill(noise.New(c.Seed, 0, noise.Start).Chain(chain&^1), z)
		if chain > 0 {
			scale := cmp.Or(p.Disperse, 1)
			if chain%2 == 1 {
				scale = -scale
			}
			for i := range z {
				z[i] *= scale
			}
		}
		p.Init(theta, z)
		return theta, nil
	}
	f := strings.Split(c.Init, ",")
	if len(f) != 1 && len(f) != len(theta) {
		return nil, outside("init", fmt.Sprintf("%d of them", len(f)), fmt.Sprintf("random, zero, one number or %d numbers", len(theta)))
	}
	for i := range theta {
		s := f[min(i, len(f)-1)]
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(math.Abs(x) < sampler.Limit) {
			return nil, outside("init", strconv.Quote(s), fmt.Sprintf("random, zero or numbers within ±%.0e", sampler.Limit))
		}
		theta[i] = x
	}
	return theta, nil
}

// LaneLetter is how a lane is called on the screen: A to D.
func LaneLetter(id int) string { return string(rune('A' + id)) }
