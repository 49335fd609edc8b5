// Package wording says in sentences what a session states as facts.
package wording

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Change is the text of a mark: "ε 0.1→0.3", or "ε back at 0.1" where a gesture has ended with the
// value with which it began.
func Change(c state.Change) string {
	switch c := c.(type) {
	case state.ParamChange:
		m, _ := catalog.Find(c.Sampler)
		q, _ := m.Param(c.Key)
		if name, ok := strings.CutPrefix(c.Key, targets.KeyPrefix); ok {
			q.Symbol = name
		}
		from, to := short(q, c.From), short(q, c.To)
		if from == to && c.From != c.To {
			from, to = q.Format(c.From), q.Format(c.To)
		}
		if c.From == c.To {
			return q.Symbol + " back at " + to
		}
		return q.Symbol + " " + from + "→" + to
	case state.DataChange:
		return fmt.Sprintf("data, N %s→%s", plane.Commas(uint64(c.From)), plane.Commas(uint64(c.N)))
	case state.SamplerChange:
		return "sampler " + Title(c.From) + "→" + Title(c.To)
	case state.ScheduleChange:
		return "schedule " + c.From.String(c.Eps) + "→" + c.To.String(c.Eps)
	case state.RewindChange:
		if c.Eps != c.FromEps {
			return fmt.Sprintf("%s, ε %.4g", back(c), c.Eps)
		}
		return back(c)
	}
	panic(fmt.Sprintf("wording: unknown change %T", c))
}

// OnScreen writes a note for where the command :truth is typed in the place of the flag --truth.
func OnScreen(note string) string { return strings.ReplaceAll(note, "--truth", ":truth") }

// Notice is a notice in a line; empty where there is nothing to tell.
func Notice(n engine.Notice) string {
	switch f := n.Fact.(type) {
	case nil:
		return ""
	case state.Changed:
		return changed(f)
	case state.LaneAdded:
		return "lane " + state.LaneLetter(f.Lane) + " added"
	case state.LaneRemoved:
		return "lane " + state.LaneLetter(f.Lane) + " removed"
	case state.TargetSet:
		parts := append([]string{f.Title}, list.Map(f.Unfit, func(u state.Unfitted) string {
			return fmt.Sprintf("%s is %s: %s %s", state.LaneLetter(u.Lane), Title(u.By), Title(u.Sampler), u.Why)
		})...)
		if f.Note != "" {
			parts = append(parts, OnScreen(f.Note))
		}
		return strings.Join(parts, "; ")
	case state.Restarted:
		return fmt.Sprintf("restarted with seed %d", f.Seed) + chains(f.Chains)
	case state.Rewound:
		return rewound(f.Lanes)
	case state.UntilSet:
		if !f.Until.Wanted() {
			return "runs on, however much is drawn"
		}
		return "runs until " + f.Until.String()
	case state.TruthSet:
		return strings.TrimLeft(f.By.String()+": ", ": ") + truthSet(f)
	case state.BiasSet:
		text := "bias: companions at half and a quarter of the step, 7 gradients a step"
		if !f.On {
			text = "bias: no companions"
		}
		return strings.TrimLeft(f.By.String()+": ", ": ") + text
	case state.Enough:
		return fmt.Sprintf("enough: %v at step %s, after %s s of sampling", f.Until, plane.Commas(f.Step),
			plane.Number(f.Seconds, 4))
	case state.Loaded:
		text := fmt.Sprintf("%s, seed %d", f.Title, f.Seed)
		if f.Back {
			text += ", as it was left"
		}
		if f.Note != "" {
			text += "; " + OnScreen(f.Note)
		}
		return text
	case state.Refused:
		return f.Err.Error()
	case state.ReplayEnded:
		return "the recording ends here: " + f.Err.Error()
	}
	panic(fmt.Sprintf("wording: unknown fact %T", n.Fact))
}

// truthSet says what the lanes are held to.
func truthSet(f state.TruthSet) string {
	switch r := f.Known; {
	case !f.Truth.Wanted():
		return "the lanes are held to no truth that was found"
	case r == nil:
		return "the truth by " + f.Truth.By() + " is not looked for here"
	default:
		return fmt.Sprintf("errors are against the truth by %s: R̂ %.4g, at least %s effective draws", f.Truth.By(),
			r.RHat, plane.Count(uint64(r.MinESS)))
	}
}

// chains tells a new number of chains a lane, 0 being none.
func chains(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", one chain a lane"
	}
	return fmt.Sprintf(", %d chains a lane", n)
}

// changed says what was changed, and in which lanes unless it is the same in all.
func changed(f state.Changed) string {
	each := make([]string, len(f.Lanes))
	differ := f.By != state.Forward
	for i, l := range f.Lanes {
		each[i] = Change(l.Change)
		differ = differ || each[i] != each[0]
	}
	text := ""
	switch {
	case differ:
		for i, l := range f.Lanes {
			each[i] = state.LaneLetter(l.Lane) + " " + each[i]
		}
		text = strings.Join(each, "; ")
	case f.Of > 1 && len(each) == 1:
		text = state.LaneLetter(f.Lanes[0].Lane) + ": " + each[0]
	case len(each) > 0:
		text = each[0]
	}
	if f.By != state.Forward {
		return f.By.String() + ": " + text
	}
	text += " @" + plane.Commas(f.Step)
	if c, ok := f.Lanes[0].Change.(state.DataChange); ok && c.N > c.From {
		text += "; the truth is out of date: :truth hmc finds it"
	}
	if f.Locked > 0 {
		text += fmt.Sprintf("; every draw falls on one place of an epoch of %g batches, where their noise has cancelled",
			f.Locked)
	}
	return text
}

// rewound says where lanes that went back stand, those that stand alike together.
func rewound(lanes []state.LaneRewind) string {
	var letters, texts []string
	for _, l := range lanes {
		letter, text := state.LaneLetter(l.Lane), stands(l)
		if n := len(texts); n > 0 && texts[n-1] == text {
			letters[n-1] += ", " + letter
		} else {
			letters, texts = append(letters, letter), append(texts, text)
		}
	}
	for i := range texts {
		texts[i] = letters[i] + ": " + texts[i]
	}
	return strings.Join(texts, "; ")
}

// stands says where a lane that went back stands, and how its step size is to the bound that was crossed.
func stands(f state.LaneRewind) string {
	text, d := back(f.RewindChange), f.Diverged
	switch {
	case f.Eps != f.FromEps:
		text += fmt.Sprintf(", ε %.4g→%.4g", f.FromEps, f.Eps)
	case d == nil || f.Eps == d.Eps:
		return text
	default:
		text += fmt.Sprintf(", ε %.4g", f.Eps)
	}
	switch {
	case d == nil || d.Bound.Kind == sampler.NoBound:
		return text
	case f.Eps < d.Bound.Eps:
		return text + ", below " + bound(d.Bound)
	}
	return text + ", still not below " + bound(d.Bound)
}

func back(c state.RewindChange) string { return "back to step " + plane.Commas(c.Step) }

func bound(b sampler.Bound) string { return fmt.Sprintf("%s = %.4g", b.Kind.Formula(), b.Eps) }

// Title is what a method is called on the screen; its name if there is no such method.
func Title(name string) string {
	m, _ := catalog.Find(name)
	return cmp.Or(m.Title, name)
}

// mostDigits is how many significant digits a number has that somebody has typed.
const mostDigits = 8

// short writes a value as it is if it was typed or is round, else with three significant digits, of 1-α for an α.
func short(q param.Param, x float64) string {
	exact := q.Format(x)
	digits, _, _ := strings.Cut(exact, "e")
	digits = strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "-0")
	switch {
	case q.Step && x > 0:
		return plane.Commas(uint64(x))
	case q.Scale == param.Choice || q.Scale == param.Integer || x == 0 || len(digits) <= mostDigits:
		return exact
	case q.Scale == param.OneMinusLog && x < 1:
		return strconv.FormatFloat(x, 'f', min(max(2-int(math.Floor(math.Log10(1-x))), 3), 15), 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// flags are the flags of the fields that are not called as their flag is.
var flags = map[string]string{"lanes": "samplers", "sampler": "samplers"}

// Flag names the flag in an error that is about a setting, so that it reads
// "--eps must be positive, got -1". It returns any other error as it is.
func Flag(err error) error {
	switch r := err.(type) {
	case *state.Refusal:
		return fmt.Errorf("%s--%s %s", r.Prefix(), cmp.Or(flags[r.Field], r.Field), r.Demand())
	case *study.TruthFault:
		return fmt.Errorf("--truth: %w; %s", err, MoreDraws(r.Sampler, r.Draws))
	case *targets.SpecError:
		return fmt.Errorf("--%s %w", r.Field, r.Err)
	}
	return err
}

// MoreDraws says how to ask for a truth with ten times as many draws.
func MoreDraws(sampler string, draws uint64) string {
	return fmt.Sprintf("ask for more with --truth %s:draws=%d", sampler, 10*draws)
}

// Stopped is what became of a lane that has stopped: it diverged, or there was no gradient.
func Stopped(d *state.Divergence) string { return cmp.Or(d.Status(), metrics.Diverged).String() }

// Rescue says what the key does that takes a diverged lane back.
func Rescue(p *targets.Problem, v *engine.LaneView) string {
	with := " with half the ε"
	switch factor := state.RescueFactor(p, v.Setting, v.Diverged); {
	case v.Diverged != nil && v.Diverged.Failed != "":
		with = ", and ask again"
	case factor == 1:
		with = " with the new ε"
	case factor < 0.5:
		with = " with the target's own ε"
	}
	return fmt.Sprintf("back %d steps", state.RewindSteps) + with
}
