package study

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/reference"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// The bounds of what counts as a truth. R-hat is rank-normalised, folded and split (see [metrics.Comparison]). With
// fewer effective draws a mean's error is above a fiftieth of its standard deviation.
const (
	MaxRHat  = 1.05 // above, the chains have not found the same distribution
	GoodRHat = metrics.RHatBound
	GoodESS  = 2500
)

// TruthDraws is the usual number of draws.
const TruthDraws = 20_000

// truthChains is the number of chains that share the draws, of state.MinTruthDraws a hundred each. It is the same on
// every machine, and so is the truth.
const truthChains = 4

// A Truth finds the mean and covariance of a problem's posterior at T = 1, or of a targets.Functional the mean, the
// standard deviation and quantiles of its function at each of its places. Several chains of a method without bias are
// the jobs of a plan, which a Runner runs.
type Truth struct {
	Config  state.Config // of the lanes that are to be held to it
	Problem *targets.Problem
	Threads int    // chains at a time; 0 for all cores
	Cache   string // the folder of truths found before; empty for none

	done atomic.Uint64
}

// Total is the number of draws of all chains.
func (t *Truth) Total() uint64 { return truthChains * t.draws() }

// Done is the number of draws so far. It may be called at any time.
func (t *Truth) Done() uint64 { return t.done.Load() }

// Gradients is about how many gradients over all data it takes.
func (t *Truth) Gradients() float64 {
	l := t.lane()
	each := (l.Or("leapfrog", 1) + 1) / 2 // of a trajectory, on average
	return each * float64(t.Total()+uint64(truthChains*l.Or("warmup", 0)))
}

// function is the target as a function, nil for another.
func (t *Truth) function() targets.Functional {
	f, _ := t.Problem.F64.(targets.Functional)
	return f
}

// dim is of how many numbers the truth is.
func (t *Truth) dim() int {
	if f := t.function(); f != nil {
		return len(f.Places()) / f.Inputs()
	}
	return t.Problem.Dim()
}

// lane is the setting with which the truth is found.
func (t *Truth) lane() state.Setting {
	l := state.DefaultSetting(t.Problem, t.Config.Truth.Sampler)
	if t.Problem.HasData() && !t.Problem.OwnPrior {
		l = l.With(sampler.KeyPriorVar, t.Config.PriorVar(t.Problem))
	}
	m, _ := catalog.Find(l.Sampler)
	for _, q := range m.Params {
		if v, ok := t.Config.Truth.Values[q.Key]; ok {
			l = l.With(q.Key, v)
		}
	}
	return l.With(sampler.KeyTemp, 1)
}

// draws is how many each chain keeps, a multiple of 2.
func (t *Truth) draws() uint64 {
	n := cmp.Or(t.Config.Truth.Draws, TruthDraws)
	return (n + 2*truthChains - 1) / (2 * truthChains) * 2
}

// A TruthFault is the error of chains that are no truth: they do not agree, are too
// few to know their effective size, or have tails too heavy for a mean and a covariance.
type TruthFault struct {
	Sampler string
	Draws   uint64
	RHat    float64 // the largest
	Tails   float64 // Pareto's k of the heaviest tail
}

func (f *TruthFault) Error() string {
	if f.RHat <= MaxRHat && f.Tails > metrics.NoSD {
		return fmt.Sprintf("the tails are so heavy that there may be no mean and covariance (Pareto's k %.2f, want "+
			"at most %g)", f.Tails, metrics.NoSD)
	}
	if !(f.RHat <= MaxRHat) {
		return fmt.Sprintf("%d chains of %s have not found the same distribution in %d draws (R-hat %.3g, want at "+
			"most %g)", truthChains, f.Sampler, f.Draws, f.RHat, MaxRHat)
	}
	return fmt.Sprintf("%d draws of %s are too few to know their effective size", f.Draws, f.Sampler)
}

// A TruthNote is what a user should know of a truth.
type TruthNote struct {
	Exact  bool  // it is known without any chain
	Rough  bool  // its R-hat is above GoodRHat, or its effective size below GoodESS
	Unkept error // why the next run has to find it anew; nil where it has not
}

// Run returns the truth, from the cache if it is there and can be read. The error may be a *TruthFault.
func (t *Truth) Run(ctx context.Context) (ref *targets.Reference, note TruthNote, err error) {
	if ref := t.Problem.Exact(); ref != nil {
		return ref, TruthNote{Exact: true}, nil
	}
	if t.Config.Truth.File != "" {
		ref, err = t.given(ctx)
		return ref, TruthNote{Rough: err == nil && ref.MinESS < GoodESS}, err
	}
	// What a command answers can change without its command line, so that its truth is not kept.
	outside := t.Problem.Outside()
	var found *targets.Reference
	cached := false
	if !outside {
		found, cached = t.read()
	}
	if !cached {
		if found, err = t.find(ctx); err != nil {
			return nil, note, err
		}
	}
	if !(found.RHat <= MaxRHat && found.MinESS > 0 && found.Tails <= metrics.NoSD) {
		return nil, note, &TruthFault{t.Config.Truth.Sampler, found.Draws, found.RHat, found.Tails}
	}
	if !cached && !outside {
		note.Unkept = t.write(found)
	}
	note.Rough = found.RHat > GoodRHat || found.MinESS < GoodESS
	found.PriorVar, found.By, found.Cached = t.Config.PriorVar(t.Problem), t.Config.Truth.Sampler, cached
	return found, note, nil
}

// given is the truth by draws of a file.
func (t *Truth) given(ctx context.Context) (*targets.Reference, error) {
	file, names := t.Config.Truth.File, make([]string, t.Problem.Dim())
	for i := range names {
		names[i] = t.Problem.Name(i)
	}
	d, err := drawsfile.Read(ctx, []string{file}, drawsfile.Options{})
	if err != nil {
		return nil, err
	}
	ref, err := reference.Truth(d, names)
	if err == nil && !(ref.RHat <= MaxRHat && ref.MinESS < math.Inf(1)) {
		err = fmt.Errorf("%s is no reference: its chains are too short, or have not found the same distribution (R-hat "+
			"%.3g, want at most %g)", printable.Line(file), ref.RHat, MaxRHat)
	}
	if err == nil {
		ref.PriorVar = t.Config.PriorVar(t.Problem)
	}
	return ref, err
}

func (t *Truth) find(ctx context.Context) (*targets.Reference, error) {
	chains := make([]*truthChain, truthChains)
	plan := Plan{Name: "truth by " + t.Config.Truth.Sampler}
	for i := range chains {
		chains[i] = newTruthChain(t)
		plan.Jobs = append(plan.Jobs, t.job(i))
	}
	bare := *t.Problem
	bare.Reference = nil
	if !bare.Outside() { // that one has a process for each chain, and no predictions
		bare.F64 = likelihoodAlone{t.Problem.F64.(targets.LikelihoodGradient[float64])}
	}
	run := Runner{
		Jobs: plan.Part(All), Threads: t.Threads,
		Open: func(context.Context, Job) (*targets.Problem, error) { return &bare, nil },
		Sink: func(j Job) engine.Sink { return chains[j.at] },
	}
	outcomes, err := run.Run(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	for i, c := range chains {
		c.flush()
		if c.all.Draws() != c.want {
			why := ""
			if d := outcomes[i].Lanes[0].Diverged; d != nil {
				why = ": " + d.Reason()
			}
			return nil, fmt.Errorf("a chain of %s ended after %d of %d draws%s", t.Config.Truth.Sampler, c.all.Draws(),
				c.want, why)
		}
	}
	return pooled(chains), nil
}

// likelihoodAlone hides what a target offers beside its likelihood: nobody asks the
// truth's chains for predictions, nor for their error against a known truth.
type likelihoodAlone struct {
	targets.LikelihoodGradient[float64]
}

const (
	// firstTruthStream numbers the noise of the chains, beyond that of any lane.
	firstTruthStream = 0x8000
	// truthWidth is the chains' spread of starts over a lane's. R-hat shows that chains
	// have not mixed only if they started far from each other.
	truthWidth = 10
)

// job is the i-th chain, whose noise and start are its own.
func (t *Truth) job(i int) Job {
	c, p, l := t.Config, t.Problem, t.lane()
	c.Stream = firstTruthStream + i
	theta, z := make([]float64, p.Dim()), make([]float64, p.Dim())
	noise.Fill(noise.New(c.Seed, c.Stream, noise.Start), z)
	for k := range z {
		if t.function() == nil { // which starts at draws of the prior
			z[k] *= truthWidth
		}
	}
	p.InitOf(i, theta, z)
	start := list.Map(theta, func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) })
	first := l.Or(sampler.KeyBurnIn, 0)
	if l.Or("adapt", 0) != 0 { // the steps of a warm-up are no draws
		first = max(first, l.Or("warmup", 0))
	}
	return Job{ID: fmt.Sprintf("truth %d", i), Config: state.Config{
		Target: c.Target, Dataset: c.Dataset, Standardize: c.Standardize, Intercept: c.Intercept,
		Lanes:  []state.Setting{l.With(sampler.KeyThin, 1)},
		Seed:   c.Seed,
		Stream: c.Stream,
		Init:   strings.Join(start, ","), Stepped: true,
		Steps: uint64(first) + t.draws(),
	}}
}

// A truthChain sums up the draws of one chain.
type truthChain struct {
	want  uint64         // draws
	done  *atomic.Uint64 // of all chains
	all   *metrics.Chain
	kept  *metrics.Keeper
	block *metrics.Block // of draws that are in neither yet
	of    targets.Functional
	value []float64 // of the function, nil where the truth is of θ
}

var _ engine.Sink = (*truthChain)(nil)

func newTruthChain(t *Truth) *truthChain {
	const blockCap = 128
	d := t.dim()
	kept := metrics.NewKeeper(d, min(metrics.DefaultKept/truthChains, truthValues/d))
	c := &truthChain{want: t.draws(), done: &t.done, all: metrics.NewChain(d), kept: kept,
		block: metrics.NewBlock(d, blockCap), of: t.function()}
	if c.of != nil {
		c.value = make([]float64, d)
	}
	return c
}

// truthValues is how many numbers of a chain are kept for R-hat at most.
const truthValues = 1 << 21

func (c *truthChain) Draw(_ engine.Drawn, theta []float64) error {
	c.done.Add(1)
	if c.of != nil {
		c.of.Function(c.value, theta)
		theta = c.value
	}
	if c.block.Push(theta) {
		c.flush()
	}
	return nil
}

func (c *truthChain) flush() {
	c.all.Add(c.block)
	c.kept.Add(c.block)
	c.block.Reset()
}

// pooled puts chains of the same length together.
func pooled(chains []*truthChain) *targets.Reference {
	all := metrics.Chains(list.Map(chains, func(c *truthChain) *metrics.Chain { return c.all }))
	t := &targets.Reference{MinESS: math.Inf(1), Draws: all.Draws()}
	columns := make([][]float64, len(chains))
	var compare metrics.Comparer
	for i := range all[0].Dim() {
		t.Mean, t.SD = append(t.Mean, all.Mean(i)), append(t.SD, math.Sqrt(all.Var(i)))
		act := all.ACT(i)
		t.MinESS = min(t.MinESS, metrics.ESSOf(act).Value)
		var apart []float64
		for k, c := range chains {
			var every uint64
			columns[k], every = c.kept.Append(columns[k][:0], i, 0)
			if act.OK() {
				apart = c.kept.Newest(apart, i, c.kept.Len(), int(math.Ceil(max(1, 2*act.Value/float64(every)))))
			}
		}
		if k := metrics.ParetoK(apart); k.OK() && chains[0].of == nil { // a function's draws have all moments
			t.Tails = max(t.Tails, k.Value)
		}
		if chains[0].of != nil {
			pool := slices.Sorted(slices.Values(slices.Concat(columns...)))
			t.Quantiles = append(t.Quantiles, [3]float64{metrics.Quantile(pool, 0.05), metrics.Quantile(pool, 0.5),
				metrics.Quantile(pool, 0.95)})
		}
		rhat := compare.Compare(columns).RHat.Value
		if math.IsNaN(rhat) {
			rhat = math.Inf(1) // none of the chains moves, or they are too short to compare
		}
		t.RHat = max(t.RHat, rhat)
	}
	if d := all[0].Dim(); d <= metrics.MaxCovDim && chains[0].of == nil {
		t.Cov = make([]float64, d*d)
		all.Cov(t.Cov)
	}
	return t
}

// truthVersion is that of the chains and of the file. A truth of another version is found anew.
const truthVersion = 4

// key is a hash of everything that a truth depends on.
func (t *Truth) key() string {
	h := sha256.New()
	l, c := t.lane(), t.Config
	fmt.Fprintf(h, "truth %d\n%s\n%s %v %v\n%s\n%d chains of %d\nseed %d\n",
		truthVersion, c.Target, c.Dataset, c.Standardize, c.Intercept, l.Sampler, truthChains, t.draws(), c.Seed)
	m, _ := catalog.Find(l.Sampler)
	for _, q := range m.All() {
		fmt.Fprintf(h, "%s=%x\n", q.Key, math.Float64bits(l.Value(q.Key)))
	}
	_ = binary.Write(h, binary.LittleEndian, t.data()) // a hash takes all
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// data identifies the data by what a sampler sees of them: the log-likelihood of all data
// and its gradient at three random places.
func (t *Truth) data() (seen []float64) {
	p := t.Problem
	target, ok := p.F64.(targets.LikelihoodGradient[float64])
	if !ok {
		return nil
	}
	theta, grad := make([]float64, p.Dim()), make([]float64, p.Dim())
	s := noise.New(0, 0, noise.Start)
	for i := range uint64(3) {
		noise.Fill(s.At(i), theta)
		for j := range theta {
			theta[j] *= 0.1
		}
		seen = append(seen, target.GradLogLik(grad, theta, nil))
		seen = append(seen, grad...)
	}
	return append(seen, float64(p.N()), float64(p.Dim()))
}

// file is the form of a file in the cache.
type file struct {
	Sum   string          `json:"sha256"`
	Truth json.RawMessage `json:"truth"`
}

func (t *Truth) path() string { return filepath.Join(t.Cache, t.key()+".json") }

// maxTruth bounds a file in the cache, in bytes: a covariance of 1,000 coordinates takes 20 MB.
const maxTruth = 64 << 20

// read returns the truth from the cache. It is false if the file is missing, damaged or of other draws.
func (t *Truth) read() (found *targets.Reference, ok bool) {
	if t.Cache == "" {
		return found, false
	}
	b, err := regular.Read(t.path(), maxTruth)
	if err != nil {
		return found, false
	}
	var f file
	if json.Unmarshal(b, &f) != nil || f.Sum != checksum(f.Truth) || json.Unmarshal(f.Truth, &found) != nil {
		return nil, false
	}
	d, quantiles := t.dim(), 0
	if t.function() != nil {
		quantiles = d
	}
	return found, found != nil && len(found.Quantiles) == quantiles && len(found.Mean) == d && len(found.SD) == d &&
		(found.Cov == nil || len(found.Cov) == d*d) && found.Draws == t.Total()
}

func (t *Truth) write(found *targets.Reference) error {
	if t.Cache == "" {
		return errors.New("there is no folder for it")
	}
	raw, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("cannot write it: %w", err)
	}
	b, err := json.Marshal(file{Sum: checksum(raw), Truth: raw})
	if err != nil {
		return fmt.Errorf("cannot write it: %w", err)
	}
	if err := os.MkdirAll(t.Cache, 0o777); err != nil {
		return atomicfile.CannotWrite(t.Cache, err)
	}
	return atomicfile.Write(t.path(), append(b, '\n'))
}

// checksum is that of JSON whatever its indentation.
func checksum(raw []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return ""
	}
	sum := sha256.Sum256(b.Bytes())
	return hex.EncodeToString(sum[:])
}
