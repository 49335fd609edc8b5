package wording

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study/tune"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
)

// tuneWidth is the room for a number in a sentence.
const tuneWidth = 7

// Tuned says what a search of ε has found, and why that ε.
func Tuned(a *tune.Answer) string {
	num := func(x float64) string { return plane.Number(x, tuneWidth) }
	// of is the error at half the ε: "the error would be 0.1", or nobody tells it.
	of, twice := func(what, is string) string { return what + " " + is + " " + num(a.Half) }, "at twice "+num(a.Twice)
	if math.IsNaN(a.Half) {
		of = func(what, _ string) string { return what + " cannot be told" }
	}
	if math.IsNaN(a.Twice) {
		if twice = "and twice is too large"; 2*a.Setting.Eps() < a.Bound {
			twice = "and at twice it cannot be told"
		}
	}
	steps, at := plane.Count(a.Budget), fmt.Sprintf("%s at ε = %s: ", Title(a.Setting.Sampler), num(a.Setting.Eps()))
	if a.Criterion != quantity.StepError {
		why := "A network is tuned by the negative log likelihood of the test data, since its posterior is not " +
			"known: on these data the run looks a little better than it is."
		if a.Criterion == quantity.FnError {
			why = "It is the run's own error against the known function, bias and Monte Carlo error in one."
		}
		name := scoreName(a.Criterion)
		return at + fmt.Sprintf("%s %s after %s steps. At half of it the %s, %s. %s", name, num(a.Error), steps,
			of(strings.TrimPrefix(name, "held-out "), "is"), twice, why)
	}
	text := at + fmt.Sprintf("error %s (%s to %s) of a posterior sd after %s steps, %.0f%% of its square from "+
		"the step's bias and the rest Monte Carlo error. At half of it the %s, %s.", num(a.Error),
		num(a.Low), num(a.High), steps, 100*(1-a.Share()), of("error", "would be"), twice)
	return text + fmt.Sprintf(" A run of %s steps at it stayed within all bounds.", plane.Count(a.Steady))
}

// scoreName is what a run is tuned by that has a score of its own.
func scoreName(by quantity.ID) string {
	if by == quantity.FnError {
		return "function error"
	}
	return "held-out NLL"
}

// Batches says what minibatches cost, where a search of several tells it; else nothing.
func Batches(all []tune.Answer, p *targets.Problem) string {
	c, ok := tune.Compare(all, p)
	if !ok {
		return ""
	}
	num := func(x float64) string { return plane.Number(x, tuneWidth) }
	return fmt.Sprintf("Minibatch noise is %.0f%% of the squared error at %s: %s has %s for its %s at equal cost.",
		100*c.Part, num(c.Small.Batch(p)), num(c.Large.Batch(p)), num(c.Large.Error), num(c.Small.Error))
}

// NotTuned says which of the reasons it is that a search has found no ε, and what would resolve it.
func NotTuned(a *tune.Answer) string {
	longest := list.Max(a.Pilots, func(p tune.Pilot) uint64 { return p.Steps })
	bound := ""
	if !math.IsInf(a.Bound, 1) {
		bound = fmt.Sprintf(" ε = %s and above is too large.", plane.Number(a.Bound, tuneWidth))
	}
	short := "too short at every ε below divergence"
	if at := slices.IndexFunc(a.Pilots, func(p tune.Pilot) bool { return p.Resolved() && p.Eps < a.Bound }); at >= 0 {
		short = "a smaller ε than those that were told has a smaller error, and its pilots are too short"
	}
	longer := "; the search for a run of " + plane.Count(a.Needed) + " steps has pilots of about as many"
	cold, grid := "", "; a sweep compares runs at the steps of its grid"
	if a.Setting.Or(sampler.KeyTemp, 1) == 0 {
		cold = " at T = 0"
	}
	return map[tune.Missing]string{
		tune.NotSampling: "no search: " + Title(a.Setting.Sampler) + " does not sample" + cold + grid,
		tune.Exact: "no search: " + Title(a.Setting.Sampler) +
			" accepts or rejects its steps, so that none has a bias" + grid,
		tune.NoBias: "no search: the bias of a step cannot be told on this target; a sweep compares scores at the steps " +
			"of its grid",
		tune.Unlawful:  "no search: " + NoStepBias(metrics.NotHalved),
		tune.Scheduled: "no search: " + NoStepBias(metrics.Uneven) + ", which has no one ε",
		tune.TooShort:  fmt.Sprintf("%s: the longest pilot took %s steps%s", short, plane.Count(longest), longer),
		tune.Skewed: fmt.Sprintf("draws too skewed to tell the error: the longest pilot took %s steps%s",
			plane.Count(longest), longer),
		tune.Diverges: "no ε at which the draws are stationary: another start or prior may help",
		tune.Hidden:   "minibatch noise hides the bias: a larger batch shows it",
	}[a.Missing] + "." + bound
}

// Tried says what a pilot of an answer came to, in a word or two.
func Tried(a *tune.Answer, p *tune.Pilot) string {
	switch why := p.Status(); {
	case p.Score.OK():
		return scoreName(a.Criterion)
	case a.Criterion != quantity.StepError:
		return strings.TrimSpace(Withheld(p.Score.Status))
	case p.Resolved():
		return "resolved"
	case !p.Companions && why == metrics.OK:
		return "noise alone"
	case why == metrics.OK:
		return "bias within its error"
	default:
		return strings.TrimSpace(Withheld(why))
	}
}
