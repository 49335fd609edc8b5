package wording

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
)

// findingWords are the words of a finding: its sentence, whose part before the colon stands alone where there is little
// room, and what :why says beside the numbers.
type findingWords struct {
	text    func(f *finding.Found, s *engine.Snapshot) string
	formula string
	source  string
}

var findings = map[string]findingWords{
	"diverged": {func(f *finding.Found, s *engine.Snapshot) string {
		d := s.Lanes[s.IndexOf(f.Lane)].Diverged
		return fmt.Sprintf("%s %s at step %s: %s", lane(f.Lane), Stopped(d), plane.Count(d.Step), d.Reason())
	}, "", ""},
	"unlearnt": {func(f *finding.Found, _ *engine.Snapshot) string {
		text, than := "%s predicts no better than a constant: its loss is %s, a constant's %s", f.Get("constant_loss")
		if !than.OK() {
			text, than = "%s has lost half of what it had learnt: its loss is %s, and was %s", f.Get("start_loss")
		}
		text = fmt.Sprintf(text, lane(f.Lane), plane.Number(f.Get("loss").Value, 6), plane.Number(than.Value, 6))
		if f.Proposes != "" {
			text += fmt.Sprintf(", and its ε is %s times the default", plane.Number(f.Get("eps_over_default").Value, 6))
		}
		return text
	}, "-Σ f ln f of the classes' shares f", ""},
	"stuck": {func(f *finding.Found, _ *engine.Snapshot) string {
		const too = "%s accepts %s of its proposals: its ε is too %s"
		a := f.Get("acceptance")
		return fmt.Sprintf(too, lane(f.Lane), Number(quantity.Share, a.Value, 9),
			map[bool]string{true: "small, and it hardly moves", false: "large, and it hardly moves"}[a.Value > 0.5])
	}, "accept with min(1, exp(-ΔH/T))", ""},
	"inconsistent": {func(f *finding.Found, s *engine.Snapshot) string {
		text := lane(f.Lane) + "'s draws are not what " + s.Config.Watched.Claim.Sampler + " gives"
		if len(s.Check.Faults) > 0 {
			what := strings.TrimSuffix(s.Check.Faults[0].What, ".")
			return text + ": " + strings.ToLower(what[:1]) + what[1:]
		}
		if fact, ok := s.Check.Shows(); ok {
			text += ": " + fact.Name
		}
		return text
	}, "noise of each step given the draws before, or transitions made again; the level is 0.001 over all facts", ""},
	"too-large": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("%s's step is too large: its drift adds %s T to its temperature, however long it runs",
			lane(f.Lane), withError(quantity.Number, f.Get("added_temperature")))
	}, "E‖drift‖²/E‖noise‖², at stationarity (θ - Eθ)·∇U/D less T", "5.1, Theorem 1"},
	"drifting": {func(f *finding.Found, s *engine.Snapshot) string {
		if at := s.IndexOf(f.Lane); at >= 0 {
			if chains := apart(&s.Lanes[at]); chains != "" {
				return lane(f.Lane) + "'s " + chains + ": " + further(f)
			}
		}
		return lane(f.Lane) + " has not settled, its parts disagree: " + further(f)
	}, "R̂ ≥ 1.01, or halves that differ; at least as many draws again tell", ""},
	"too-short": {func(f *finding.Found, _ *engine.Snapshot) string {
		if f.Get("draws").Value == 0 {
			return lane(f.Lane) + " has no draws yet: " + further(f)
		}
		return lane(f.Lane) + " is too short to trust: " + further(f)
	}, "150 τ draws at least, in the slowest coordinate", ""},
	"bias": {func(f *finding.Found, _ *engine.Snapshot) string {
		const consequence = ": a longer run does not lower it"
		if bias := f.Get("cov_bias"); bias.OK() {
			part, whole := plane.Measured(bias.Value, 4), f.Get("cov_error").Value
			if of := plane.Measured(whole, 4); whole >= bias.Value || of == part { // by chance it may be less
				part += " of " + of
			}
			return lane(f.Lane) + "'s error is its bias, " + part + consequence
		}
		if e := f.Get("fn_error"); e.OK() {
			return fmt.Sprintf("%s's function is off the truth's by %s of its band", lane(f.Lane),
				withError(quantity.Number, e)) + consequence
		}
		if text := offTruth(f); text != "" {
			return text + consequence
		}
		if !f.Get("temperature").OK() {
			return lane(f.Lane) + " is biased, its mean is more than half an sd off the truth" + consequence
		}
		return fmt.Sprintf("%s is biased, its temperature is %s", lane(f.Lane), temperature(f)) + consequence
	}, "", "5.1, Theorem 1"},
	"noise": {func(f *finding.Found, _ *engine.Snapshot) string {
		return lane(f.Lane) + "'s error is Monte Carlo error: half of it takes " + further(f)
	}, "sd √(2τ/draws)", "5.1, Theorem 1"},
	"slow": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("%s's τ of %s falls with a larger ε: its bias is small, %s", lane(f.Lane),
			plane.Number(f.Get("max_act").Value, 6), plane.Measured(f.Get("cov_bias").Value, 4))
	}, "τ ∝ 1/ε, bias ∝ ε", "5.1, Theorem 1"},
	"minibatch": {func(f *finding.Found, _ *engine.Snapshot) string {
		share := f.Get("excess_of_minibatches")
		return fmt.Sprintf("minibatches add %s T to %s's temperature, more than the step does: larger ones add less",
			withError(quantity.Number, share), lane(f.Lane))
	}, "excess of T = s + m (1/n - 1/N), of lanes with different n", "5.1, Theorem 1"},
	"gamma": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("most of %s's bias is of its preconditioner, which changes while Γ is left out: "+
			"its temperature is %s", lane(f.Lane), temperature(f))
	}, "drift ε/2 (G ∇log p + Γ), Γᵢ = Σⱼ ∂Gᵢⱼ/∂θⱼ; G remembers 1/(1 - α) gradients", "5.2, Corollary 2"},
	"cold": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("%s runs at T = %s, and not at 1: it does not sample the posterior", lane(f.Lane),
			plane.Number(f.Get("temp").Value, 8))
	}, "exp(-U/T)", ""},
	"no-spread": {func(f *finding.Found, _ *engine.Snapshot) string {
		return lane(f.Lane) + " is an optimiser: its path has no posterior in it, a sampler beside it has"
	}, "", ""},
	"mode": {func(f *finding.Found, _ *engine.Snapshot) string {
		if f.Get("fn_rhat").OK() {
			return lane(f.Lane) + "'s chains keep to different functions, each of them steady: more starts show more of them"
		}
		return lane(f.Lane) + " has missed a mode, by the target's own mean and quantiles: start several chains"
	}, "", ""},
	"bias-unknown": {func(f *finding.Found, _ *engine.Snapshot) string {
		by := "companions at smaller steps tell it"
		if f.Proposes != "bias on" {
			by = "draws of HMC tell it"
		}
		return fmt.Sprintf("%s's Monte Carlo error is known and its bias is not: %s", lane(f.Lane), by)
	}, "moments at ε, ε/2 and ε/4, extrapolated to 0, or less those of HMC", "5.1, Theorem 1"},
	"better": {func(f *finding.Found, _ *engine.Snapshot) string { return compared(f, "does better than") }, "", ""},
	"equal": {func(f *finding.Found, _ *engine.Snapshot) string {
		return compared(f, "does as well, within 10%, as")
	}, "two one-sided tests of five standard errors", ""},
	"enough": {func(f *finding.Found, _ *engine.Snapshot) string {
		return fmt.Sprintf("Enough is drawn for what is shown: Monte Carlo errors are below %s of an sd",
			Number(quantity.Share, f.Get("mcse").Value, 5))
	}, "sd √(2τ/draws), R̂ ≤ 1.01; it says nothing of bias", ""},
	"otherwise": {func(f *finding.Found, _ *engine.Snapshot) string {
		if text := offTruth(f); text != "" {
			return text + ": it misses a part, or the truth is of something else"
		}
		e, needs := f.Evidence[0], f.Get("steps_needed").OK()
		q := quantityOf(e.Key)
		text := fmt.Sprintf("%s's %s is %s", lane(f.Lane), q.Symbol, withError(q.Form, e.Estimate))
		switch {
		case e.Status == metrics.Divergent:
			return lane(f.Lane) + "'s trajectories diverge too often to trust it: a smaller step diverges less"
		case !e.OK():
		case e.Key == quantity.All[quantity.MinESS].Key:
			text += ", a Monte Carlo error of " + Number(quantity.Share, 1/math.Sqrt(e.Value), 5) + " of an sd"
		case needs:
			text += ", bias or chance"
		default:
			text += ": its bias is below 4%"
		}
		if needs {
			text += ": " + further(f)
		}
		return text
	}, "bias is told from five standard errors on", "5.1, Theorem 1"},
}

// offTruth says how far the farthest coordinate is off the truth; empty where that is not known.
func offTruth(f *finding.Found) string {
	if e := f.Get("mean_off"); e.OK() {
		return fmt.Sprintf("%s's mean of %s is off the truth by %s sd", lane(f.Lane), f.Coordinate,
			withError(quantity.Number, e))
	}
	if e := f.Get("sd_off"); e.OK() {
		e.Value++
		return fmt.Sprintf("%s's sd of %s is %s times the truth's", lane(f.Lane), f.Coordinate,
			withError(quantity.Number, e))
	}
	return ""
}

func temperature(f *finding.Found) string {
	t := f.Get("temperature")
	return plane.PlusMinus(t.Value, t.Error, 16)
}

// compared says which of two lanes does how, in the quantity that is the first of the evidence.
func compared(f *finding.Found, how string) string {
	e, other := f.Evidence[0], f.Get("other")
	q := quantityOf(e.Key)
	return fmt.Sprintf("%s %s %s: %s %s against %s", lane(f.Lane), how, lane(f.Other), q.Name,
		withError(q.Form, e.Estimate), withError(q.Form, other))
}

// apart says which two chains of a lane have the mean ranks that differ most, by a tenth of all ranks at least, in a
// watched coordinate. It is empty where none do. Chains of a network one can see differ as functions.
func apart(v *engine.LaneView) (text string) {
	if v.Facts.Has(quantity.Functional) && len(v.Chains) > 1 {
		return "chains disagree as functions"
	}
	far := 0.1
	for k, name := range v.Names {
		mean := list.Map(v.Chains, func(c engine.ChainView) float64 {
			n, sum := 0, 0
			for bin, count := range c.Ranks[k] {
				n, sum = n+count, sum+bin*count
			}
			return float64(sum) / float64(n*len(c.Ranks[k]))
		})
		for i, a := range mean {
			for j, b := range mean[:i] {
				if by := math.Abs(a - b); by > far {
					far, text = by, fmt.Sprintf("chains %d and %d disagree in %s", j+1, i+1, name)
				}
			}
		}
	}
	return text
}

func lane(id int) string { return state.LaneLetter(id) }

// further says how many further steps are needed at least, and how long they take at the present rate.
func further(f *finding.Found) string {
	text := plane.Number(f.Get("steps_needed").Value, 9) + "+ further steps"
	if t := f.Get("seconds_needed"); t.OK() {
		text += ", " + Duration(t.Value) + "+"
	}
	return text
}

// Finding is a finding in a sentence.
func Finding(f *finding.Found, s *engine.Snapshot) string {
	return plane.Exponents(findings[f.Key].text(f, s))
}

// Brief is the part of a finding's sentence that stands by itself.
func Brief(text string) string {
	text, _, _ = strings.Cut(text, ": ")
	return text
}

// evidenceFormulas are those of findings that rest on one thing or another, by the key of it.
var evidenceFormulas = map[string]string{
	"cov_bias":    "Σ|Cov(ε) - Cov|",
	"fn_error":    "Σ|sd - sd*|/Σ sd*, over the function's places",
	"temperature": "(θ - Eθ)·∇U/D, whose mean is T where draws have no bias",
	"mean_off":    "(mean - mean*)/sd*, of the coordinate where it is most errors off",
	"sd_off":      "sd/sd* - 1, of the coordinate where it is most errors off",
}

// Why is the evidence of a finding: names with numbers and their errors, a line each, and then the formula and the
// section of the paper, where there are some.
func Why(f *finding.Found) (lines [][2]string) {
	for _, e := range f.Evidence {
		name, form := strings.ReplaceAll(e.Key, "_", " "), quantity.Count
		if q := quantityOf(e.Key); q != nil {
			name, form = q.Name, q.Form
		}
		lines = append(lines, [2]string{name, withError(form, e.Estimate)})
	}
	w := findings[f.Key]
	if w.formula == "" && len(f.Evidence) > 0 {
		w.formula = evidenceFormulas[f.Evidence[len(f.Evidence)-1].Key]
	}
	for _, l := range [][2]string{{"formula", w.formula}, {"paper", w.source}} {
		if l[1] != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

func quantityOf(key string) *quantity.Quantity {
	for i := range quantity.All {
		if q := &quantity.All[i]; q.Key == key {
			return q
		}
	}
	return nil
}

func withError(form quantity.Form, e metrics.Estimate) string {
	if !e.OK() {
		return Withheld(e.Status)
	}
	return WithError(form, e.Value, e.Error, 24)
}

// Check says how the facts of watched draws stand, in so many words as a line has room for.
func Check(c *engine.Check) string {
	switch {
	case c.Verdict == check.TooFew && c.Needed > 0:
		return "too few draws, about " + plane.Count(uint64(c.Needed)) + " tell"
	case c.Verdict == check.TooFew:
		return "not tested"
	case c.Rejects():
		return fmt.Sprintf("%d of %d facts fail", Failing(c), len(c.Facts))
	}
	return fmt.Sprintf("%d facts hold", len(c.Facts))
}

// Failing is how many facts fail.
func Failing(c *engine.Check) int {
	return list.Count(c.Facts, func(f check.Fact) bool { return f.Fails })
}

// Facts are all facts of watched draws, those first that fail, and then the farthest: by how many standard errors one
// is off, and in what.
func Facts(c *engine.Check) [][2]string {
	far := func(f check.Fact) float64 {
		if f.Z != f.Z { // chance has no part in it
			return math.Inf(1)
		}
		return math.Abs(f.Z)
	}
	all := slices.Clone(c.Facts)
	slices.SortStableFunc(all, func(a, b check.Fact) int { return cmp.Compare(far(b), far(a)) })
	return list.Map(all, func(f check.Fact) [2]string {
		text := f.Name + ": " + plane.Measured(f.Found, 8)
		if f.SE > 0 {
			text = f.Name + ": " + plane.PlusMinus(f.Found, f.SE, 18)
		}
		return [2]string{plane.Measured(f.Z, 6), text + ", expected " + plane.Number(f.Expected, 8)}
	})
}

// Checked is what explains watched draws, how they were tested, and all facts.
func Checked(c *engine.Check) [][2]string {
	faults := list.Map(c.Faults, func(f check.Fault) [2]string {
		return [2]string{f.Key, f.What + " Right: " + f.Want}
	})
	notes := list.Map(c.Notes, func(note string) [2]string { return [2]string{"note", note} })
	return slices.Concat(faults, notes, Facts(c))
}

// Findings are what a document has of a session's findings.
func Findings(s *engine.Snapshot) (all []engine.Finding) {
	for _, f := range finding.Of(s) {
		letter := ""
		if f.Lane != finding.AllLanes {
			letter = lane(f.Lane)
		}
		all = append(all, engine.Finding{Key: f.Key, Lane: letter, Quantities: f.Quantities(), Proposes: f.Proposes,
			Text: Finding(&f, s)})
	}
	return all
}
