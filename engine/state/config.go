package state

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	// MaxLanes is how many lanes a session can have.
	MaxLanes = 4
	// MaxChains is how many chains a lane can have.
	MaxChains = 64
	// MaxTracked is how many coordinates of a lane of one chain have statistics of their own.
	MaxTracked = 1000
)

// Config is what a session begins with. The Config and the commands together determine every number of the session.
type Config struct {
	Target      string      `json:"target"`
	Dataset     string      `json:"dataset,omitempty"`
	Standardize targets.Tri `json:"standardize,omitempty"`
	Intercept   targets.Tri `json:"intercept,omitempty"`
	Lanes       []Setting   `json:"lanes"`
	Seed        uint64      `json:"seed"`
	// Stream is the number of lane A's noise; the other lanes' numbers follow it.
	Stream int `json:"stream,omitempty"`
	// Init is "random", "zero" or the coordinates of the start, comma-separated. One number stands for all coordinates.
	// Zero is where samplers step.
	Init string `json:"init"`
	// Stepped says that Init has where samplers step, of a target whose parameters have bounds, and not the parameters.
	Stepped bool `json:"-"`
	// Draw says how minibatches are drawn.
	Draw noise.Draw `json:"draw"`
	// Chains is how many chains a lane has, each with noise and a start of its own; 0 stands for 1.
	Chains int `json:"chains,omitempty"`
	// Bias asks for an estimate of the bias that the step size causes, by companions of each
	// lane's first chain at smaller steps. They take six gradients beside one of the chain's.
	Bias bool `json:"bias,omitempty"`
	// Ranked is how many values of a coordinate, of all chains of a lane, R-hat and effective sizes are worked out from
	// at most, at least 1,024. 0 stands for [metrics.DefaultKept].
	Ranked uint64 `json:"ranked,omitempty"`
	// CompareWeights asks for R-hat and effective sizes of a network's tracked weights too, which need not converge.
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
	// Truth asks for a reference where the target's own truth is not known. Whoever opens the target finds it and sets
	// Problem.Reference before a session begins. SetTruth brings another.
	Truth Truth `json:"truth,omitzero"`
	// Watched says where draws come from that another program makes; nil without.
	Watched *Watched `json:"watched,omitempty"`
}

// Watched is where another program's draws come from: patterns, or - for standard input, and what they are read as. Of
// a recording it has the files as far as they were read.
type Watched struct {
	Patterns []string             `json:"patterns"`
	Columns  []string             `json:"columns,omitempty"` // those that are shown
	Order    string               `json:"order,omitempty"`   // of an array's axes
	Claim    *Setting             `json:"claim,omitempty"`   // the method that they are said to be of
	Unsaid   map[string]float64   `json:"unsaid,omitempty"`  // check.Claim's, of that
	Files    []targets.SourceFile `json:"files,omitempty"`
}

// UsualDraw is how minibatches are drawn on a target unless it is said. Those of a regression are drawn anew at each
// step, so that the bias of a step can be told. A network goes through its data by epochs.
func UsualDraw(p *targets.Problem) noise.Draw {
	if p.F64 != nil && p.HasData() {
		return noise.Subset
	}
	return noise.Shuffle
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

// Validate checks c against its target. The error is a *Refusal, or that of UnknownSampler.
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
	if p.Source != nil && c.ChainCount() != p.Source.Chains() {
		return unfit(KeyChains, strconv.Itoa(c.ChainCount()), fmt.Sprintf("are those of the draws, %d", p.Source.Chains()))
	}
	if p.Outside() && c.Bias {
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
			return unfit("target", strconv.Quote(p.Spec),
				fmt.Sprintf("has a parameter %q, which is the name of a setting of samplers; want another name", name))
		}
	}
	if c.RandomStart() && p.F32 != nil {
		return nil // it cannot fail, and that of a large network takes a while
	}
	_, err := c.Start(p, 0)
	return err
}

// reserved reports whether a name is that of a setting of the session or of a sampler.
func reserved(name string) bool {
	return slices.Contains([]string{KeyChains, "lr", "schedule", "sampler", "seed", "init"}, name) ||
		slices.ContainsFunc(catalog.Methods(), func(m sampler.Method) bool {
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

// sameEverywhere reports whether no other lane differs from l in its values, so that a fault is not one lane's alone.
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

// RandomStart reports whether chains start at random places, and not at one that is given.
func (c Config) RandomStart() bool { return c.Init == "random" || c.Init == "" }

// ChainCount is how many chains each lane has.
func (c Config) ChainCount() int { return max(c.Chains, 1) }

// RankedDraws is Ranked, or what 0 stands for.
func (c Config) RankedDraws() int { return int(cmp.Or(min(c.Ranked, 1<<30), metrics.DefaultKept)) }

// Of ManyChains chains or more each GroupedChains begin at one place, for the nested R-hat.
const ManyChains, GroupedChains = 16, 4

// Tracked is how many of a target's coordinates have statistics of their own: the chains of a lane share MaxTracked.
func (c Config) Tracked(dim int) int { return min(dim, MaxTracked/c.ChainCount()) }

// Start returns the θ at which a chain of any lane starts, or a *Refusal of Init. Random starts of all chains but the
// first are further out, by Problem.Disperse. Those of each second chain mirror those of the chain before, so that no
// pair begins on one side. Where a target is known to have several modes, chains begin at one after the other. A
// density is finite there; one outside of the program is not asked, since it may take long.
func (c Config) Start(p *targets.Problem, chain int) ([]float64, error) {
	theta, err := c.startAt(p, chain)
	if t, ok := p.Impl().(targets.LogDensity[float64]); ok && err == nil && !p.Outside() {
		if y := t.LogLik(theta); y-y != 0 {
			if p.Scale != nil {
				p.Scale.Show(theta, theta)
			}
			return nil, unfit("init", "",
				fmt.Sprintf("is needed: the log density is %g at the start %s; want numbers, one a coordinate, "+
					"where it is finite, or bounds of the target, such as s > 0", y, place(p, theta)))
		}
	}
	return theta, err
}

// place names a point by its first coordinates.
func place(p *targets.Problem, theta []float64) string {
	const most = 3
	first := list.Map(list.Upto(min(len(theta), most)), func(i int) string {
		return fmt.Sprintf("%s = %.4g", p.Names[i], theta[i])
	})
	if len(theta) > most {
		first = append(first, "…")
	}
	return strings.Join(first, ", ")
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
		p.InitOf(chain, theta, z)
		return theta, nil
	}
	f := strings.Split(c.Init, ",")
	if len(f) != 1 && len(f) != len(theta) {
		return nil, outside("init", fmt.Sprintf("%d of them", len(f)),
			fmt.Sprintf("random, zero, one number or %d numbers", len(theta)))
	}
	for i := range theta {
		s := f[min(i, len(f)-1)]
		x, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(math.Abs(x) < sampler.Limit) {
			return nil, outside("init", strconv.Quote(s),
				fmt.Sprintf("random, zero or numbers within ±%.0e", sampler.Limit))
		}
		theta[i] = x
	}
	if p.Scale == nil || c.Stepped {
		return theta, nil
	}
	at := make([]float64, len(theta))
	if err := p.Scale.Step(at, theta); err != nil {
		return nil, unfit("init", "", err.Error())
	}
	return at, nil
}

// LaneLetter is how a lane is called on the screen: A to D.
func LaneLetter(id int) string { return string(rune('A' + id)) }
