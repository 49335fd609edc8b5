package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/reference"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// howLong are the session's flags that say nothing about how a draw comes about.
var howLong = []string{
	"samplers", "steps", "epochs", "seconds", "until", "moves", state.KeyChains, "seed",
	"bias", "compare-weights", "ranked", "same-noise", "race", "truth", "reference",
}

func (e *env) checkCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check FILE…",
		Short: "Check whether somebody's sampler is right",
		Long: "Read draws that any program wrote, and say whether they are what a method gives on a target: what " +
			"is wrong, the fact that shows it best, and which known fault explains it. " +
			"The flags say how the draws were made, as if a session had made them. A file is CSV with a header of " +
			"parameter names (commas, semicolons or tabs), CmdStan's CSV, a JSON object a line, or .npy or .npz of " +
			"the shape (draws, D) or (chains, draws, D), also packed by gzip; - is standard input. " +
			"Several files are chains. How a file was read is said where it could mean something else. The exit " +
			"status is 0 where the draws are consistent with the method, 4 where they are not, and 3 where they " +
			"are too few to tell, or right step by step and not yet draws of the target. With --reference no method is " +
			"told: the draws are compared with those of a file that is known to be right.",
		Example: "psgld-tui check draws.csv --target gaussian --method sgld --eps 0.1\n" +
			"psgld-tui check chain-*.csv --target blr:australian --method psgld:alpha=0.99 --eps 1e-3 --batch 50 " +
			"--thin 1\n" +
			"psgld-tui check output_*.csv --reference kidiq-kidscore_momiq.json.zip\n" +
			"psgld-tui check draws.npy --target 'density:-x^4/4' --method sghmc --eps 0.01 --json",
		Args:              needs("a FILE of draws, such as draws.csv"),
		ValidArgsFunction: completeDraws,
	}
	from := sessionFlags{args: grammar.Args{}, tell: e.Tell}
	for _, f := range grammar.Flags() {
		switch {
		case slices.Contains(howLong, f.Name):
			continue
		case f.Name == "target":
			f.Default = ""
		case f.Name == sampler.KeyThin:
			f.Doc, f.Default = "steps from a draw to the next", "1"
		case f.Name == sampler.KeyBurnIn:
			f.Doc = "steps before the first draw"
		}
		from.addOne(c, f)
		if f.Name == "target" {
			from.addOne(c, grammar.Method())
		}
	}
	from.addOpening(c)
	var asJSON bool
	var ref string
	var order drawsfile.Order
	addOrder(c, &order)
	c.Flags().StringVar(&ref, "reference", "", "a FILE of draws that are known to be right, or posteriordb's zip: hold "+
		"the draws to them alone, in all parameters that both name")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.RunE = func(c *cobra.Command, files []string) error {
		for _, path := range files {
			if _, err := os.Stat(path); path != "-" && err != nil {
				return console.Failed(fmt.Errorf("cannot read %s: %w", printable.Line(path), atomicfile.Cause(err)))
			}
		}
		if ref != "" {
			return e.checkReference(c.Context(), &from, files, ref, order, asJSON)
		}
		claim, err := from.claim()
		if err != nil {
			return err
		}
		return e.check(c.Context(), claim, files, order, asJSON)
	}
	return c
}

// completeDraws completes files of draws.
var completeDraws = cobra.FixedCompletions([]string{"csv", "tsv", "jsonl", "npy", "npz", "gz"},
	cobra.ShellCompDirectiveFilterFileExt)

// addOrder adds the flag of how the axes of an array are ordered.
func addOrder[T ~string](c *cobra.Command, to *T) {
	c.Flags().Var(readFlag{"AXES", string(drawsfile.ByChains), func(text string) error {
		order, err := drawsfile.ParseOrder(text)
		*to = T(order)
		return err
	}}, "order", "the axes of an array, chains, steps and dim in their order; "+string(drawsfile.ByStep)+" is emcee's")
}

// claim reads what draws are said to be. Nothing is guessed that would accuse right draws.
func (f *sessionFlags) claim() (check.Claim, error) {
	var missing []string
	if _, ok := f.args["target"]; !ok {
		missing = append(missing, "--target, what the draws are of, such as --target gaussian or --target "+
			"'density:-x^2/2'")
	}
	if _, ok := f.args["method"]; !ok {
		missing = append(missing, "--method, an entry of --samplers, such as --method sgld or --method "+
			"'psgld:alpha=0.9999;gamma=on' ("+grammar.ListCommand+" lists them)")
	}
	if missing != nil {
		if !f.gives(f.args["method"], sampler.KeyEps, "lr", "schedule") {
			missing = append(missing, "--eps or --lr, the step size of the draws")
		}
		return check.Claim{}, fmt.Errorf("check needs %s", strings.Join(missing, "; "))
	}
	c, p, _, err := f.openTelling(new(loading.Loading))
	if err != nil {
		return check.Claim{}, err
	}
	lane := &c.Lanes[0]
	if lane.Has(sampler.KeyEps) && !f.gives(f.args["method"], sampler.KeyEps, "lr", "schedule") {
		return check.Claim{}, errors.New("--method needs --eps or --lr, the step size of the draws")
	}
	// A target's own values are for a session from its start. Draws without a word of them are all that
	// a sampler made, by the ε that is given.
	f.unlessGiven(lane, f.args["method"],
		map[string]float64{sampler.KeyBurnIn: 0, sampler.KeyThin: 1, "adapt": 0, "warmup": 0, "mass": 0})
	claim := check.Claim{Config: c, Problem: p, Unsaid: map[string]float64{}}
	m, _ := catalog.Find(lane.Sampler) // of a lane that was read
	for _, q := range m.Params {
		if q.ByTarget && lane.Value(q.Key) != q.Default && !f.gives(f.args["method"], q.Key) {
			claim.Unsaid[q.Key] = q.Default
		}
	}
	return claim, nil
}

// gives reports whether a flag or an entry of --samplers sets one of the keys.
func (f *sessionFlags) gives(entry string, keys ...string) bool {
	lanes, err := grammar.ParseLanes(entry)
	return slices.ContainsFunc(keys, func(key string) bool { _, ok := f.args[key]; return ok }) ||
		err == nil && slices.ContainsFunc(lanes[0].Assignments,
			func(s grammar.Assignment) bool { return slices.Contains(keys, s.Key) })
}

// unlessGiven sets the values of parameters that the lane has, and that neither flags nor its entry set.
func (f *sessionFlags) unlessGiven(lane *state.Setting, entry string, values map[string]float64) {
	for key, v := range values {
		if lane.Has(key) && !f.gives(entry, key) {
			*lane = lane.With(key, v)
		}
	}
}

// check reads draws and writes what they are found to be.
func (e *env) check(ctx context.Context, c check.Claim, files []string, order drawsfile.Order, asJSON bool) error {
	names := list.Map(list.Upto(c.Problem.Dim()), c.Problem.Name)
	draws, err := e.readDraws(ctx, files, drawsfile.Options{Names: names, Order: order})
	var r *check.Report
	if err == nil {
		stop := console.StartProgress(e.Err, 0, func() (float64, string) {
			return math.NaN(), "checking " + plane.Count(uint64(draws.Count())) + " draws"
		})
		r, err = verdict(ctx, c, draws)
		stop()
		if ctx.Err() == nil && err != nil {
			return wording.Flag(err)
		}
	}
	if err := console.Ended(ctx, err, "interrupted before the draws were checked"); err != nil {
		return err
	}
	if asJSON {
		console.WriteJSON(e.Out, engine.CheckOf(r))
	} else {
		text.WriteCheck(e.Out, r, c)
	}
	return exitOf(r.Verdict == check.TooFew, r.Verdict == check.Inconsistent)
}

// readDraws reads files of draws, or standard input, and tells what is to be known of them.
func (e *env) readDraws(ctx context.Context, files []string, o drawsfile.Options) (*drawsfile.Draws, error) {
	o.Stdin = e.In
	draws, err := drawsfile.Read(ctx, files, o)
	if err == nil {
		for _, note := range draws.Notes {
			e.Tell(note)
		}
	}
	return draws, err
}

// exitOf is the exit status of a verdict.
func exitOf(tooFew, accused bool) error {
	switch {
	case accused:
		return console.Exit(console.ExitAccused, nil)
	case tooFew:
		return console.Exit(console.ExitTooFew, nil)
	}
	return nil
}

// verdict checks draws. It accuses none, and calls none too few, that are right when the axes of their arrays
// are read in the other order.
func verdict(ctx context.Context, c check.Claim, draws *drawsfile.Draws) (*check.Report, error) {
	of := func(d *drawsfile.Draws) (*check.Report, error) {
		return check.Check(ctx, c, check.Draws{Dim: d.Dim, Chains: d.Chains})
	}
	r, err := of(draws)
	other, ok := draws.Otherwise()
	if err != nil || !ok || r.Verdict == check.Consistent {
		return r, err
	}
	turned, err := of(other)
	if err == nil && turned.Verdict == check.Consistent {
		found := "not what " + c.Config.Lanes[0].Sampler + " gives"
		if r.Verdict == check.TooFew {
			found = "too few to tell"
		}
		err = console.Failed(fmt.Errorf("these draws are %s as %s, and consistent as %s: say with --order %s or "+
			"--order %s which they are",
			found, draws.Shape(), other.Shape(), drawsfile.ByChains, drawsfile.ByStep))
	}
	return r, err
}

// The JSON document of check --reference.
type (
	referenceJSON struct {
		Consistent *bool      `json:"consistent"` // null where there are too few draws
		Draws      int        `json:"draws"`
		Needed     int        `json:"needed"`
		Reference  int        `json:"reference_draws"`
		Tests      []testJSON `json:"tests"`
		Unpaired   []string   `json:"unpaired,omitempty"` // names of one side alone
	}
	testJSON struct {
		Coordinate string     `json:"coordinate"` // empty for all together
		Of         string     `json:"of"`
		Expected   engine.Num `json:"expected"`
		Found      engine.Num `json:"found"`
		SE         engine.Num `json:"se"`
		Z          engine.Num `json:"z"`
		Fails      bool       `json:"fails"`
	}
)

// checkReference reads draws and the reference's, and writes how they compare. Of a target that is given both are read
// by its names.
func (e *env) checkReference(ctx context.Context, f *sessionFlags, files []string, ref string, order drawsfile.Order,
	asJSON bool) error {
	for _, name := range slices.Sorted(maps.Keys(f.args)) {
		if name != "target" {
			return fmt.Errorf("--%s is about how draws were made, and --reference asks only what they are of: give "+
				"one of them", name)
		}
	}
	o := drawsfile.Options{Order: order}
	if len(f.args) > 0 {
		_, p, _, err := f.openTelling(new(loading.Loading))
		if err != nil {
			return err
		}
		o.Names = list.Map(list.Upto(p.Dim()), p.Name)
	}
	if ref == "-" && slices.Contains(files, "-") {
		return errors.New("standard input cannot be the draws and the reference")
	}
	right, err := e.readDraws(ctx, []string{ref}, o)
	var draws *drawsfile.Draws
	if err == nil {
		draws, err = e.readDraws(ctx, files, o)
	}
	var r *reference.Report
	if err == nil {
		if of, _, mine, theirs := draws.Common(right); len(of) == 0 {
			names := func(all []string) string { return list.Some(list.Map(all, printable.Line), 8) }
			return console.Failed(fmt.Errorf("the draws have the parameters %s and the reference has %s, want a name "+
				"that both have", names(mine), names(theirs)))
		}
		stop := console.StartProgress(e.Err, 0, func() (float64, string) {
			return math.NaN(), "comparing " + plane.Count(uint64(draws.Count())) + " draws"
		})
		r, err = reference.Compare(ctx, draws, right)
		stop()
	}
	if err := console.Ended(ctx, err, "interrupted before the draws were compared"); err != nil {
		return err
	}
	if asJSON {
		d := referenceJSON{Draws: r.Draws, Needed: r.Needed, Reference: r.Reference,
			Unpaired: slices.Concat(r.Unpaired, r.Unmatched)}
		if r.Verdict != reference.TooFew {
			d.Consistent = new(r.Verdict == reference.Consistent)
		}
		d.Tests = list.Map(r.Tests, func(t reference.Test) testJSON {
			return testJSON{t.Coordinate, t.Of, engine.Num(t.Expected), engine.Num(t.Found), engine.Num(t.SE),
				engine.Num(t.Z), t.Fails}
		})
		console.WriteJSON(e.Out, d)
	} else {
		text.WriteReference(e.Out, r)
	}
	return exitOf(r.Verdict == reference.TooFew, r.Verdict == reference.Inconsistent)
}
