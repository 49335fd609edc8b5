package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

// The gradients of a search, where they are more than 7 budgets.
const (
	gradients     = 1_400_000
	dataGradients = 3_000_000
)

// lastSteps is how many budgets the last run takes, which looks whether the chosen ε stays within all bounds, and the
// least of it where few gradients are left.
const (
	lastSteps = 10
	leastLast = 0.25
)

// An Answer is the ε that a search has found for a lane, or why there is none.
type Answer struct {
	Setting state.Setting // with that ε; as it was where none is found
	Found   bool
	// Error is that of a run of Budget steps, in posterior standard deviations, with the ends of its interval of about
	// 95%. Half and Twice are those at half and twice the ε, NaN where that is too large or cannot be told.
	// Where Criterion is another it is that, which has no interval.
	Error, Low, High, Half, Twice float64
	Criterion                     quantity.ID
	Bias, Noise                   float64 // the parts of Error
	BiasSE                        float64 // the standard error of Bias
	Budget                        uint64
	Gradients                     uint64  // that it took
	Steady                        uint64  // steps of the last run, which left no bound
	Pilots                        []Pilot // in the order in which they ran
	Missing                       Missing // where there is none
	Needed                        uint64  // steps after which the longest pilot might tell; 0 where that is not known
	Bound                         float64 // an ε that is too large, +Inf where none was met
}

// Share is the part of the squared error that is Monte Carlo error, from 0 to 1.
func (a *Answer) Share() float64 { return a.Noise * a.Noise / (a.Error * a.Error) }

// Missing is what a search lacks that has found no ε.
type Missing string

// The reasons.
const (
	NotSampling Missing = "not a sampler" // there is no posterior in its path
	Exact       Missing = "exact"         // what it accepts has no bias
	NoBias      Missing = "no bias"       // it cannot be told on this target
	Unlawful    Missing = "no law"        // the method's bias has no known law
	Scheduled   Missing = "scheduled"
	TooShort    Missing = "too short"
	Skewed      Missing = "skewed"
	Diverges    Missing = "diverges" // at every ε that was tried
	Hidden      Missing = "hidden"   // by minibatch noise
)

// Progress is called before each run of a search, with the lane's index and what is known so far.
type Progress func(lane int, s *Search)

// Criterion is what is least at the ε of an answer on a target: the negative log likelihood of held-out data of a
// network, the error of the function where its truth is known, and else the expected error in posterior standard
// deviations.
func Criterion(p *targets.Problem) quantity.ID {
	switch {
	case p.F32 != nil:
		return quantity.NLL
	case p.Function != nil:
		return quantity.FnError
	}
	return quantity.StepError
}

// Budget is the steps of a lane's run: as many data as in cfg.Steps of the first lane, so that batches are compared at
// equal cost.
func Budget(cfg state.Config, lane int, p *targets.Problem) uint64 {
	batch := func(i int) float64 {
		if b := cfg.Lanes[i].Or(sampler.KeyBatch, 0); b > 0 {
			return b
		}
		return float64(p.N())
	}
	return max(uint64(float64(cfg.Steps)*batch(0)/batch(lane)), 1)
}

// Run searches the ε of each lane of a config, by runs of it from its ε on, for runs of cfg.Steps steps of the first
// lane, and of others at the same cost. Minibatches are independent ones: under shuffled ones the bias cannot be told.
// The answers do not depend on the machine. The error is that of a session that fails, or of ctx.
func Run(ctx context.Context, cfg state.Config, p *targets.Problem, each Progress) ([]Answer, error) {
	var all []Answer
	for i := range cfg.Lanes {
		one := cfg.Unlimited()
		one.Lanes, one.Bias, one.Draw, one.Chains, one.Race = cfg.Lanes[i:i+1], true, noise.Subset, 0, false
		one.Truth = state.Truth{}
		find := search
		if Criterion(p) != quantity.StepError {
			find = score
		}
		a, err := find(ctx, one, p, Budget(cfg, i, p), func(s *Search) {
			if each != nil {
				each(i, s)
			}
		})
		if err != nil {
			return all, err
		}
		all = append(all, a)
	}
	return all, nil
}

// Rate is how many steps a second the first lane of a config makes, by a run of a second at most.
func Rate(ctx context.Context, cfg state.Config, p *targets.Problem) (float64, error) {
	one := cfg.Unlimited()
	one.Lanes, one.Seconds, one.Truth = cfg.Lanes[:1], min(1, cfg.Seconds), state.Truth{}
	r, err := run(ctx, one, p)
	return float64(r.StepsPerSecond), err
}

// run runs a session of one lane.
func run(ctx context.Context, cfg state.Config, p *targets.Problem) (l engine.LaneResult, err error) {
	s, err := session.New(cfg, p, session.Runtime{Threads: 1})
	if err == nil {
		err = s.Run(ctx)
	}
	if err = cmp.Or(err, ctx.Err()); err == nil {
		l = s.Result("").Lanes[0]
	}
	return l, err
}

// Best is the index of the answer of least error, -1 if none has found an ε.
func Best(all []Answer) int {
	best := -1
	for i := range all {
		if all[i].Found && (best < 0 || all[i].Error < all[best].Error) {
			best = i
		}
	}
	return best
}

// search searches the ε of a config's only lane.
func search(ctx context.Context, cfg state.Config, p *targets.Problem, budget uint64,
	each func(*Search)) (Answer, error) {
	l := cfg.Lanes[0]
	most := uint64(gradients)
	if p.HasData() {
		most = dataGradients
	}
	s := NewSearch(l.Eps(), budget, most)
	if m := catalog.Must(l.Sampler); m.Halve != nil { // what else goes with the step has a bias of its own
		half := state.ValuesInForce(p, m, l)
		own := slices.Clone(half.Own)
		m.Halve(&half)
		s.Rises = !slices.Equal(own, half.Own)
	}
	a := Answer{Setting: l, Budget: budget, Criterion: quantity.StepError, Bound: math.Inf(1), Missing: unfit(l)}
	if a.Missing == "" && (p.F64 == nil || p.Outside()) {
		a.Missing = NoBias
	}
	if a.Missing != "" {
		return a, nil
	}
	for {
		eps, steps, companions, ok := s.Next()
		if !ok {
			break
		}
		each(s)
		cfg.Bias = companions
		r, err := play(ctx, cfg, p, eps, steps, uint64(len(s.Pilots)))
		if err != nil {
			return a, err
		}
		s.Add(r)
		if r.Bias == metrics.NotHalved {
			a.Missing, a.Gradients, a.Pilots = Unlawful, s.Spent, s.Pilots
			return a, nil
		}
	}
	for m, known := s.model(); known; m, known = s.model() {
		if _, known = m.answer(); !known {
			break
		}
		a.tell(&m)
		left := float64(s.Cap) - float64(s.Spent)
		last := uint64(min(max(left, leastLast*float64(budget)), lastSteps*float64(budget)))
		each(s)
		cfg.Bias = false
		r, err := play(ctx, cfg, p, a.Setting.Eps(), last, uint64(len(s.Pilots)))
		if err != nil {
			return a, err
		}
		if s.Spent += r.Gradients; r.Bias != metrics.Diverged {
			a.Found, a.Steady = true, last
			break
		}
		s.Lost = r.Eps // the tails can still diverge
		s.Pilots = append(s.Pilots, r)
	}
	a.Gradients, a.Pilots, a.Bound = s.Spent, s.Pilots, s.Lost
	if !a.Found {
		a.Setting = l
		a.missing(s)
	}
	return a, nil
}

// score searches the ε at which a run itself has the least of another Criterion: at most mostScored runs, all of one
// seed so that they differ by ε alone.
func score(ctx context.Context, cfg state.Config, p *targets.Problem, budget uint64,
	each func(*Search)) (Answer, error) {
	const mostScored = 20
	l := cfg.Lanes[0]
	s := NewSearch(l.Eps(), budget, 0)
	s.Cap = mostScored * budget
	a := Answer{Setting: l, Budget: budget, Bound: math.Inf(1), Criterion: Criterion(p), Missing: unfit(l)}
	if a.Criterion == quantity.FnError && catalog.Student(l.Sampler) { // whose band is none at any ε
		a.Missing = NotSampling
	}
	cfg.Bias = false
	var err error
	of := func(eps float64) float64 { // +Inf where it diverges or cannot be told
		at := slices.IndexFunc(s.Pilots, func(q Pilot) bool { return math.Abs(libm.Log(q.Eps/eps)) < near })
		if at < 0 && err == nil && len(s.Pilots) < mostScored {
			each(s)
			var q Pilot
			if q, err = play(ctx, cfg, p, eps, budget, 0); err == nil {
				at, s.Spent = len(s.Pilots), s.Spent+q.Gradients
				s.Pilots = append(s.Pilots, q)
				if q.Bias == metrics.Diverged {
					s.Lost = min(s.Lost, eps)
				}
			}
		}
		if at < 0 || !s.Pilots[at].Score.OK() {
			return math.Inf(1)
		}
		return s.Pilots[at].Score.Value
	}
	if a.Missing != "" {
		return a, nil
	}
	best := l.Eps()
	for _, by := range [...]float64{4, 2} {
		for next := best; ; best = next {
			for _, eps := range [...]float64{best * by, best / by} {
				if of(eps) < of(next) || next >= s.Lost && eps < next {
					next = eps
				}
			}
			if next == best || err != nil || len(s.Pilots) >= mostScored {
				break
			}
		}
	}
	a.Gradients, a.Pilots, a.Bound = s.Spent, s.Pilots, s.Lost
	if a.Error, a.Half, a.Twice = of(best), of(best/2), of(2*best); math.IsInf(a.Error, 1) {
		switch {
		case best >= s.Lost:
			a.Missing = Diverges
		case a.Criterion == quantity.NLL:
			a.Missing = NoBias // nothing is held out
		default:
			a.Missing, a.Needed = TooShort, 4*budget
		}
		return a, err
	}
	a.Setting, a.Found, a.Steady = l.With(sampler.KeyEps, best), true, budget
	a.Low, a.High, a.Bias, a.Noise = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	for _, x := range [...]*float64{&a.Half, &a.Twice} {
		if math.IsInf(*x, 1) {
			*x = math.NaN()
		}
	}
	return a, err
}

// unfit is why no ε of a lane is searched, whatever the target.
func unfit(l state.Setting) Missing {
	switch m := catalog.Must(l.Sampler); {
	case m.Kind != sampler.Sampling || l.Or(sampler.KeyTemp, 1) == 0:
		return NotSampling
	case m.Metropolis:
		return Exact
	case !l.Schedule.Constant():
		return Scheduled
	}
	return ""
}

// play runs a pilot of its own seed.
func play(ctx context.Context, cfg state.Config, p *targets.Problem, eps float64, steps, number uint64) (Pilot, error) {
	l := cfg.Lanes[0].With(sampler.KeyEps, eps)
	burn := uint64(l.Or(sampler.KeyBurnIn, 0))
	cfg.Lanes = []state.Setting{l}
	cfg.Seed += number
	cfg.Steps = burn + steps
	r, err := run(ctx, cfg, p)
	if err != nil {
		return Pilot{}, err
	}
	q := Pilot{Eps: eps, Steps: r.Steps - min(burn, r.Steps), Gradients: r.Steps, Draws: r.Draws, Companions: cfg.Bias,
		Expected: r.Expected()}
	if cfg.Bias {
		q.Gradients *= gradientsPerStep
	} else {
		q.Bias = metrics.OK // as it was
	}
	if r.Diverged != nil {
		q.Bias = metrics.Diverged
	}
	if by := Criterion(p); by != quantity.StepError {
		q.Score, q.Noise = r.Values[by], metrics.Absent
		if q.Bias == metrics.Diverged {
			q.Score = metrics.Withheld(metrics.Diverged, q.Draws)
		}
	}
	return q, nil
}

// tell fills in what a model says of its best ε.
func (a *Answer) tell(m *model) {
	best, _ := m.answer()
	// Of a line that is typed three digits are enough: the error is flat at its least.
	eps, _ := strconv.ParseFloat(strconv.FormatFloat(best, 'g', 3, 64), 64)
	a.Setting = a.Setting.With(sampler.KeyEps, eps)
	a.Error, a.Half, a.Twice = m.error(eps), m.error(eps/2), m.error(2*eps)
	if m.rises && len(m.pilots) == 1 { // nobody tells how far it rises below
		a.Half = math.NaN()
	}
	bias2, noise2, p := m.bias2(eps), m.noise2(eps), m.nearest(eps)
	a.Bias, a.Noise = math.Sqrt(bias2), math.Sqrt(noise2)
	// The standard error of a variance from n draws worth 1/Noise2 independent ones, as that of τ by its window.
	biasSE := p.BiasSE * bias2 / p.Bias2
	a.BiasSE = biasSE / (2 * a.Bias)
	se := libm.Hypot(biasSE, noise2*math.Sqrt(min(10*p.Noise2, 0.25)))
	a.Low, a.High = math.Sqrt(max(bias2+noise2-2*se, 0)), math.Sqrt(bias2+noise2+2*se)
}

// missing says what a search lacks that has found nothing.
func (a *Answer) missing(s *Search) {
	longest := s.Pilots[0]
	for _, p := range s.Pilots { // the last of those that could have told
		if p.Steps >= longest.Steps && !quantity.TooLarge(p.Status()) || quantity.TooLarge(longest.Status()) {
			longest = p
		}
	}
	_, known := s.model()
	switch why := longest.Status(); {
	case known: // and says that a smaller ε is better, which none tells
		a.Missing = TooShort
	case why == metrics.Skewed:
		a.Missing = Skewed
	case why == metrics.OK && a.Setting.Or(sampler.KeyBatch, 0) > 0:
		a.Missing = Hidden
	case why == metrics.OK || why == metrics.TooShort:
		a.Missing = TooShort
	default:
		a.Missing = Diverges
	}
	a.Needed = 4 * longest.Steps
	if !known && longest.Status() == metrics.OK && longest.Bias2 > 0 {
		// Standard errors shrink with the root of the steps, and those of a square as the square where it is small.
		a.Needed = uint64(float64(longest.Steps) * min(max(told*longest.BiasSE/longest.Bias2, 2), 100))
	}
}

// A Comparison tells what minibatches cost one method: the answers for a smaller and a larger one, at equal cost.
type Comparison struct {
	Small, Large *Answer
	Part         float64 // by which Small's squared error would be less at its ε without the noise of minibatches
}

// Batch is an answer's minibatch, of N data where it has all of them.
func (a *Answer) Batch(p *targets.Problem) float64 {
	if n := a.Setting.Or(sampler.KeyBatch, 0); n > 0 {
		return n
	}
	return float64(p.N())
}

// RunBatches is [Run] over minibatches too. From each lane's own it goes to four times as many data, at equal cost, for
// as long as the error falls or minibatch noise hides the bias. The answers of a lane stand beside each other.
func RunBatches(ctx context.Context, cfg state.Config, p *targets.Problem, each Progress) (all []Answer, err error) {
	own, err := Run(ctx, cfg, p, each)
	for i, a := range own {
		all = append(all, a)
		for better := true; better && err == nil && a.larger(&cfg, p); {
			var next []Answer
			next, err = Run(ctx, cfg, p, func(_ int, s *Search) { each(i, s) })
			if all = append(all, next...); err == nil {
				better = next[0].Missing == Hidden || next[0].Found && !(a.Found && next[0].Error >= a.Error)
				a = next[0]
			}
		}
	}
	return all, err
}

// larger makes a config that of a search with four times an answer's minibatch at equal cost. It is false where that
// has all data already, and where something else than minibatch noise is in the way.
func (a *Answer) larger(cfg *state.Config, p *targets.Problem) bool {
	all, was := float64(p.N()), a.Batch(p)
	if !a.Setting.Has(sampler.KeyBatch) || was >= all || !a.Found && a.Missing != Hidden {
		return false
	}
	n := 4 * was
	cfg.Steps = max(uint64(float64(a.Budget)*was/min(n, all)), 1)
	if n >= all {
		n = 0 // which stands for all data
	}
	cfg.Lanes = []state.Setting{a.Setting.With(sampler.KeyBatch, n)}
	return true
}

// Compare compares the best answer with that of the most different minibatch of the same method. Minibatches of n of N
// data have a bias of ε(s + m(1/n - 1/N)) in first order, s of the step. Both follow from two of them. ok is false
// where m is not two standard errors from 0: then it is not told what minibatches cost.
func Compare(all []Answer, p *targets.Problem) (c Comparison, ok bool) {
	best := Best(all)
	if best < 0 || all[best].Criterion != quantity.StepError {
		return c, false
	}
	a, ratio := &all[best], 1.0
	for i := range all {
		b := &all[i]
		n, m := a.Batch(p), b.Batch(p)
		if r := max(n/m, m/n); b.Found && b.Setting.Sampler == a.Setting.Sampler && r > ratio {
			if ratio, c.Small, c.Large = r, a, b; m < n {
				c.Small, c.Large = b, a
			}
		}
	}
	if ratio == 1 {
		return c, false
	}
	all1 := 1 / float64(p.N())
	small, large := 1/c.Small.Batch(p)-all1, 1/c.Large.Batch(p)-all1
	per, perLarge := c.Small.Bias/c.Small.Setting.Eps(), c.Large.Bias/c.Large.Setting.Eps()
	se := libm.Hypot(c.Small.BiasSE/c.Small.Setting.Eps(), c.Large.BiasSE/c.Large.Setting.Eps())
	if !(per-perLarge >= told*se) {
		return c, false
	}
	noise := min((per-perLarge)*small/(small-large)/per, 1) // the part of the bias
	c.Part = (1 - float64((1-noise)*(1-noise))) * (1 - c.Small.Share())
	return c, true
}
