package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/tune"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

func (e *env) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "sweep",
		Short: "Run the session for every value of a grid",
		Long: "Run the session for every value of a grid, each several times on the seeds seed, seed + 1, …, " +
			"and print a table or, with --json, one JSON document. It ends with each lane's best value and those that " +
			"cannot be told from it, or with what is missing to tell it and the command for that. The numbers do not " +
			"depend on --threads. " +
			"With --out every cell is on disk when it is done, an interrupted sweep goes on where it stopped, " +
			"and several machines can run a part each (--shard), which merge joins.",
		Example: "psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10\n" +
			"psgld-tui sweep --samplers psgld --grid eps=0.1,0.3 --grid alpha=0.9,0.99,0.999 --json\n" +
			"psgld-tui sweep --grid eps=1e-3:1:log:20 --repeats 10 --out cells --shard 1/4",
	}
	from := sessionFlags{tell: e.Tell}
	from.add(c)
	var grid []string
	repeats := 1
	var asJSON bool
	var parts shardFlags
	c.Flags().StringArrayVar(&grid, "grid", nil,
		"values of a KEY: KEY=a,b,c or KEY=lo:hi:log:n or KEY=lo:hi:lin:n; may be given for several keys")
	addRepeats(c, &repeats, "sessions per value, each on its own seed; 1 by default")
	parts.add(c, "FILE|DIR", "keep every cell in FILE"+studies.ResultsExt+" or in a results file in DIR")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	console.Must(c.RegisterFlagCompletionFunc("grid", completeGrid))
	c.RunE = func(c *cobra.Command, _ []string) error {
		shard, variable, err := studies.ParseShard(parts.shard, os.Getenv)
		if err != nil {
			return err
		}
		if shard != study.All && parts.out == "" {
			if variable != "" {
				return fmt.Errorf("shard %v, which %s asks for, needs --out, where merge finds it; --shard 1/1 is "+
					"the whole sweep", shard, variable)
			}
			return fmt.Errorf("--shard %v needs --out, where merge finds it", shard)
		}
		if len(grid) == 0 { // before the data are read
			_, err := grammar.ParseGrid(nil, nil, nil)
			return err
		}
		cfg, p, rt, err := from.open()
		if err != nil {
			return err
		}
		if len(rt.Replay) > 0 {
			return errors.New("--moves is for one session, and a sweep runs many; --grid turns parameters from the start")
		}
		axes, err := grammar.ParseGrid(grid, p, cfg.Lanes)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(axes, func(a study.Axis) bool { return state.OfTarget(a.Key) }) {
			for i, l := range cfg.Lanes {
				cfg.Lanes[i] = l.On(p)
			}
		}
		s := &studies.Sweep{Sweep: study.Sweep{Config: limited(cfg, p, nil), Problem: p, Grid: axes, Repeats: repeats,
			Threads: rt.Threads, Truths: truths(rt.Threads)},
			Version: version.String(), Title: text.Header(p), Asked: grid}
		if err := s.Validate(); err != nil {
			return wording.Flag(err)
		}
		known, err := e.studies().Known(parts.from)
		if err != nil {
			return err
		}
		if err := e.findTruth(c.Context(), s.Config, p, s.Truths); err != nil {
			return err
		}
		s.Truth = engine.TruthOf(p)
		r := s.Runner(shard)
		r.Known = known
		path := ""
		if parts.out != "" {
			plan := s.Plan()
			plan.Request = study.NewRequest(study.RequestedSweep, s.Request(s.Title, s.Truth))
			path = studies.ResultsPath(parts.out, shard)
			if r.Store, err = studies.OpenResults(path, plan, shard); err != nil {
				return err
			}
			defer r.Store.Close() // each line was synced
			r.Command = studies.CellCommand(from.again())
		}
		return e.studies().Sweep(c.Context(), s, r, path, asJSON)
	}
	return c
}

func addRepeats(c *cobra.Command, to *int, doc string) {
	addCount(c, to, "repeats", "COUNT", study.MaxCells, fmt.Sprintf("a whole number from 1 to %d", study.MaxCells), doc)
}

// notTuned are the session's flags that a search has no use for.
var notTuned = []string{"epochs", "until", "moves", state.KeyChains, "bias", "compare-weights", "ranked", "same-noise",
	"race",
	"truth", "reference", "batching", "schedule"}

func (e *env) tuneCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tune",
		Short: "Find the step size of least error",
		Long: "Search the ε at which a run of --steps steps has the least error of means and variances, without a " +
			"known truth, and print it with the command that runs it. Short pilots weigh the bias of the step, by " +
			"companions at half and a quarter of it, against the Monte Carlo error that the run would have. Of " +
			"several samplers it chooses the one of least error, and of several batches, as in --batch 10,30,120, " +
			"at equal cost: --steps are those of the first. With --batch auto it goes on to four times the data " +
			"of the usual batch while the error falls. A network has no posterior to be held to, and goes by the " +
			"negative log likelihood of the test data; where the truth of a function is known, as on regress and " +
			"classify, runs go by their error of it. It takes 7 gradients for each of the steps, or 1.4 million " +
			"(regressions 3 million) if that is more. Minibatches are independent subsets. The exit status is 3 " +
			"where it finds no ε, and it then says what is missing.",
		Example: "psgld-tui tune --target banana --samplers sgld --steps 20000\n" +
			"psgld-tui tune --target blr:australian --samplers sgld,psgld --json",
	}
	from := sessionFlags{args: grammar.Args{}, tell: e.Tell}
	for _, f := range grammar.Flags() {
		switch f.Name {
		case "steps":
			f.Doc = "the steps of the run that ε is for"
		case "seconds":
			f.Doc = "the seconds of that run, instead of --steps; the answer then hangs on the machine"
		}
		if !slices.Contains(notTuned, f.Name) {
			from.addOne(c, f)
		}
	}
	from.surroundings.add(c)
	var asJSON bool
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	c.RunE = func(c *cobra.Command, _ []string) error {
		batches, find := strings.Split(from.args[sampler.KeyBatch], ","), tune.Run
		if len(batches) > 1 {
			from.args[sampler.KeyBatch] = batches[0]
		} else if batches[0] == "auto" {
			delete(from.args, sampler.KeyBatch)
			find = tune.RunBatches
		}
		cfg, p, _, err := from.open()
		if err != nil {
			return err
		}
		if len(batches) > 1 {
			if cfg.Lanes, err = withBatches(cfg.Lanes, batches, p); err != nil {
				return fmt.Errorf("--batch %w", err)
			}
		}
		if cfg.Seconds > 0 {
			if cfg.Steps > 0 {
				return errors.New("--seconds and --steps are both the length of the run: give one of them")
			}
			rate, err := tune.Rate(c.Context(), cfg, p)
			if err != nil {
				return console.Failed(err)
			}
			cfg.Steps, cfg.Seconds = max(uint64(rate*cfg.Seconds), 1), 0
		}
		return e.tune(c.Context(), limited(cfg, p, nil), p, find, asJSON)
	}
	return c
}

// withBatches are the lanes with each of several batches, those of one batch beside each other, and lanes without
// batches once.
func withBatches(lanes []state.Setting, batches []string, p *targets.Problem) (all []state.Setting, err error) {
	for i, batch := range batches {
		for _, l := range lanes {
			if l.Has(sampler.KeyBatch) {
				if l, err = grammar.Set(l, grammar.Assignment{Key: sampler.KeyBatch, Text: batch}, p); err != nil {
					return nil, err
				}
			} else if i > 0 {
				continue
			}
			all = append(all, l)
		}
	}
	return all, nil
}

func (e *env) tune(ctx context.Context, cfg state.Config, p *targets.Problem, find func(context.Context, state.Config,
	*targets.Problem, tune.Progress) ([]tune.Answer, error), asJSON bool) error {
	var done atomic.Uint64 // in bits of a float64
	stop := console.StartProgress(e.Err, 0, func() (float64, string) {
		return math.Float64frombits(done.Load()), "searching ε"
	})
	all, err := find(ctx, cfg, p, func(lane int, s *tune.Search) {
		part := min(float64(s.Spent)/float64(s.Cap), 1)
		done.Store(math.Float64bits((float64(lane) + part) / float64(len(cfg.Lanes))))
	})
	stop()
	if err := console.Ended(ctx, err, "interrupted before an ε was found"); err != nil {
		return err
	}
	best := tune.Best(all)
	docs := list.Map(all, func(a tune.Answer) tuneDoc { return tuneDocOf(&a, cfg, p) })
	chosen := docs[max(best, 0)]
	if len(docs) > 1 {
		chosen.Lanes, chosen.Batches = docs, wording.Batches(all, p)
		chosen.Gradients = list.Sum(docs, func(d tuneDoc) uint64 { return d.Gradients })
	}
	if asJSON {
		console.WriteJSON(e.Out, chosen)
	} else {
		writeTune(e.Out, p, all, docs, best)
	}
	if best < 0 {
		return console.Exit(console.ExitDiverged,
			errors.New("no ε found: "+strings.TrimPrefix(*chosen.Missing, "no search: ")))
	}
	return nil
}

// A tuneDoc is the JSON document of a search: of the lane of least error, or of a lane.
type tuneDoc struct {
	Target    string       `json:"target"`
	Sampler   string       `json:"sampler"`
	Eps       engine.Num   `json:"eps"` // null where none is found
	Batch     *float64     `json:"batch,omitempty"`
	Steps     uint64       `json:"steps"`     // of the run that ε is for
	Criterion string       `json:"criterion"` // the key of what Error is
	Error     []engine.Num `json:"error"`     // with its interval, in posterior standard deviations; or a score
	Half      engine.Num   `json:"error_half"`
	Twice     engine.Num   `json:"error_twice"` // null where that ε is too large
	Bias      engine.Num   `json:"bias"`
	Noise     engine.Num   `json:"noise"`
	Gradients uint64       `json:"gradients"`
	Command   string       `json:"command,omitempty"`
	Reason    string       `json:"reason"`
	Tried     []tried      `json:"tried"`
	Missing   *string      `json:"missing"`
	Lanes     []tuneDoc    `json:"lanes,omitempty"`       // of several samplers, all
	Batches   string       `json:"minibatches,omitempty"` // what they cost, where it is told
}

// tried is a pilot in a document.
type tried struct {
	Eps     engine.Num `json:"eps"`
	Error   engine.Num `json:"error"` // of the run that ε is for
	Bias    engine.Num `json:"bias"`
	Noise   engine.Num `json:"noise"`
	Draws   uint64     `json:"draws"`
	Settled bool       `json:"settled"`
	Why     string     `json:"why"`
}

func tuneDocOf(a *tune.Answer, cfg state.Config, p *targets.Problem) tuneDoc {
	nan := engine.Num(math.NaN())
	d := tuneDoc{Target: p.Spec, Sampler: a.Setting.Sampler, Steps: a.Budget, Gradients: a.Gradients, Eps: nan,
		Criterion: quantity.All[tune.Criterion(p)].Key,
		Error:     []engine.Num{nan, nan, nan}, Half: nan, Twice: nan, Bias: nan, Noise: nan, Tried: []tried{}}
	if p.HasData() && a.Setting.Has(sampler.KeyBatch) {
		batch := a.Setting.Value(sampler.KeyBatch)
		d.Batch = &batch
	}
	for i := range a.Pilots {
		q := &a.Pilots[i]
		bias, noise := q.BiasOf(), q.NoiseOf(a.Budget)
		d.Tried = append(d.Tried, tried{engine.Num(q.Eps), engine.Num(q.ErrorOf(a.Budget).Trusted()), engine.Num(bias),
			engine.Num(noise), q.Draws, q.Resolved(), wording.Tried(a, q)})
	}
	if !a.Found {
		d.Reason = wording.NotTuned(a)
		d.Missing = &d.Reason
		return d
	}
	d.Eps, d.Half, d.Twice = engine.Num(a.Setting.Eps()), engine.Num(a.Half), engine.Num(a.Twice)
	d.Error = []engine.Num{engine.Num(a.Error), engine.Num(a.Low), engine.Num(a.High)}
	d.Bias, d.Noise = engine.Num(a.Bias), engine.Num(a.Noise)
	d.Command, d.Reason = tuneCommand(a, cfg, p), wording.Tuned(a)
	return d
}

// tuneCommand is the line that runs what a search has found.
func tuneCommand(a *tune.Answer, cfg state.Config, p *targets.Problem) string {
	cfg.Lanes, cfg.Steps = []state.Setting{a.Setting}, a.Budget
	if a.Setting.Or(sampler.KeyBatch, 0) > 0 {
		cfg.Draw = noise.Subset
	}
	return grammar.CommandLine(cfg, p, "run")
}

// writeTune writes the pilots of each lane and what they come to.
func writeTune(w io.Writer, p *targets.Problem, all []tune.Answer, docs []tuneDoc, best int) {
	text.Line(w, text.Header(p), "")
	num := func(x engine.Num) string { return plane.Number(float64(x), text.CellWidth) }
	for i := range all {
		fmt.Fprintln(w)
		if len(docs[i].Tried) > 0 {
			t := text.Table{Left: 1}
			t.Add(wording.Title(docs[i].Sampler), "ε", "draws", "bias", "noise", "error", "")
			for k, r := range docs[i].Tried {
				t.Add(fmt.Sprintf("pilot %d", k+1), num(r.Eps), plane.Count(r.Draws), num(r.Bias), num(r.Noise),
					num(r.Error), r.Why)
			}
			t.Write(w)
		}
		text.Line(w, docs[i].Reason, "")
		if docs[i].Command != "" {
			text.Line(w, docs[i].Command, "")
		}
		text.Line(w, fmt.Sprintf("%s gradients", plane.Count(all[i].Gradients)), "")
	}
	if best >= 0 && len(all) > 1 {
		fmt.Fprintln(w)
		said := "The least error is that of " + wording.Title(docs[best].Sampler)
		if docs[best].Batch != nil {
			said += fmt.Sprintf(" with minibatches of %g, at equal cost", *docs[best].Batch)
		}
		text.Line(w, strings.TrimSpace(said+". "+wording.Batches(all, p)), "")
	}
}
