package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/source"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/loading"
	"github.com/psgld/psgld-tui/tui/wording"
)

// watchOptions are the flags of watch beside the screen's.
type watchOptions struct {
	screenFlags
	from   sessionFlags
	claim  sessionFlags // what the draws are said to be
	what   state.Watched
	beside string
	idle   time.Duration
	json   bool
}

func (e *env) watchCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "watch FILE…",
		Short: "Watch draws that another program makes",
		Long: "Follow files of draws while another program writes them, each a chain: CSV with a header, CmdStan's " +
			"CSV, a JSON object a line, or .npy and .npz, also packed by gzip. - is standard input, and a quoted pattern " +
			"takes up new files. With --target the draws are held to the target's truth. Without a terminal a line a " +
			"second says how far they are, and --json prints the document of run when the writers are done. The exit " +
			"status is 0 where they are, 1 where a file cannot be read, 2 where its names match none of the target's, " +
			"and 130 after an interrupt.",
		Example: "psgld-tui watch output_1.csv output_2.csv output_3.csv output_4.csv\n" +
			"my-sampler | psgld-tui watch -\n" +
			"psgld-tui watch 'chain-*.csv' --target gaussian --beside hmc",
		Args:              needs("a FILE of draws, such as output.csv, or - for standard input"),
		ValidArgsFunction: completeDraws,
	}
	o := &watchOptions{from: sessionFlags{args: grammar.Args{}}, claim: sessionFlags{args: grammar.Args{}}}
	for _, f := range grammar.Flags() {
		if f.Name == "target" || f.Name == "reference" {
			f.Default = ""
			o.from.addOne(c, f)
		}
		if f.Name == sampler.KeyEps {
			f.Doc = "with --method: the step size that the draws are said to have"
			o.claim.addOne(c, f)
		}
	}
	method := grammar.Method()
	method.Doc = "with --target: what the draws are said to be of, and are held to as check does; " + method.Doc
	o.claim.addOne(c, method)
	addText(c, &o.beside, "beside", "LIST", "with --target: samplers as of --samplers, a lane each beside the draws")
	c.Flags().Var(readFlag{"NAMES", "", func(s string) error {
		o.what.Columns = strings.Split(s, ",")
		if slices.Contains(o.what.Columns, "") {
			return fmt.Errorf("must be names with commas between, got %q", s)
		}
		return nil
	}}, "columns", "the columns that are shown; by default all, or the first 30 of more than 200")
	addOrder(c, &o.what.Order)
	c.Flags().Var(timeFlag(&o.idle, "10s", "100ms", "24h"), "idle",
		"a file that has not grown for so long is taken to be finished, as one with CmdStan's closing comment")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document when the writers are done")
	o.screenFlags.add(c)
	o.from.surroundings.add(c)
	o.idle = 10 * time.Second
	c.RunE = func(c *cobra.Command, files []string) error {
		o.what.Patterns = files
		return e.watch(c.Context(), o)
	}
	return c
}

// watch follows files, and shows them as a session.
func (e *env) watch(ctx context.Context, o *watchOptions) error {
	if o.beside != "" && o.from.args["target"] == "" {
		return errors.New("--beside needs --target, what its samplers sample")
	}
	if len(o.claim.args) > 0 {
		switch o.claim.args["target"] = o.from.args["target"]; {
		case o.claim.args["method"] == "":
			return errors.New("--eps needs --method, what the draws are said to be of")
		case o.from.args["target"] == "":
			return errors.New("--method needs --target, what its draws are of")
		}
		args := o.from.args
		o.from.args = o.claim.args
		c, err := o.from.claim()
		o.from.args = args
		if err == nil {
			_, err = check.Follow(c, 1)
		}
		if err != nil {
			return wording.Flag(err)
		}
		o.what.Claim, o.what.Unsaid = &c.Config.Lanes[0], c.Unsaid
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var live atomic.Pointer[session.Session]
	w := watching{watchOptions: o, live: &live}
	w.source.Watched, w.source.Idle, w.source.Stdin = o.what, o.idle, e.In
	w.source.Tell = func(line string) {
		if live.Load() == nil || o.json || o.plain || !console.IsTerminal(e.Out.W) {
			e.Tell(line)
		}
	}
	var err error
	if o.json {
		var cfg state.Config
		var p *targets.Problem
		if cfg, p, err = w.open(ctx, new(loading.Loading)); err == nil {
			err = e.run(ctx, cfg, p, o.from.runtime(), runOptions{json: true, record: o.record, began: live.Store})
		}
	} else {
		err = e.show(ctx, opening{
			what: strings.Join(o.what.Patterns, " "), patience: patience(""), rt: o.from.runtime(), began: live.Store,
			line: w.line(),
			open: func(at *loading.Loading, _ *session.Runtime) (state.Config, *targets.Problem, error) {
				return w.open(ctx, at)
			},
		}, o.screenFlags)
	}
	if w.watch == nil {
		return err
	}
	for _, line := range w.watch.Remarks() {
		e.Tell(line)
	}
	if failed := w.watch.Failed(); failed != nil && ctx.Err() == nil && err == nil {
		return watchError(failed)
	}
	return err
}

// watchError gives an error of a Watch its exit status.
func watchError(err error) error {
	if usage := (*source.UsageError)(nil); errors.As(err, &usage) {
		return err
	}
	return console.Failed(err)
}

// watching is a session of draws that are followed.
type watching struct {
	*watchOptions
	source source.Options
	watch  *source.Watch
	live   *atomic.Pointer[session.Session]
	cfg    state.Config
	of     *targets.Problem // the target's, nil without
	first  *targets.Problem // of the draws, which gets the truth that is found for it
}

// line is the command line of the session.
func (w *watching) line() string {
	args := append([]string{grammar.Program, "watch"}, w.what.Patterns...)
	for _, f := range []struct{ name, value string }{
		{"--target", w.from.args["target"]}, {"--beside", w.beside}, {"--columns", strings.Join(w.what.Columns, ",")},
		{"--order", w.what.Order}, {"--reference", w.from.args["reference"]},
		{"--method", w.claim.args["method"]}, {"--eps", w.claim.args[sampler.KeyEps]},
	} {
		if f.value != "" {
			args = append(args, f.name, f.value)
		}
	}
	return grammar.Quote(append(args, w.from.again()...)...)
}

// open waits for the first draws, and makes the session of them.
func (w *watching) open(ctx context.Context, at *loading.Loading) (state.Config, *targets.Problem, error) {
	w.cfg = state.Config{Seed: grammar.DefaultSeed, Init: "random"}
	var beside []state.Setting
	if w.from.args["target"] != "" {
		if w.from.args["samplers"] = w.beside; w.beside == "" {
			delete(w.from.args, "samplers")
		}
		var err error
		if w.cfg, w.of, _, err = w.from.openTelling(at); err != nil {
			return w.cfg, nil, err
		}
		if w.beside != "" {
			beside = w.cfg.Lanes
		}
		w.source.Names, w.source.Place = list.Map(list.Upto(w.of.Dim()), w.of.Name), true
	}
	if w.cfg.Truth.File = w.from.args["reference"]; w.cfg.Truth.File != "" && w.of == nil && w.what.Columns == nil {
		if right, err := drawsfile.Read(ctx, []string{w.cfg.Truth.File}, drawsfile.Options{}); err == nil {
			w.source.Among = right.Names // what it cannot be read for is told with the truth
		}
	}
	w.cfg.Watched = &w.what
	at.Tell(func() (float64, string) {
		missing := slices.DeleteFunc(slices.Clone(w.what.Patterns), func(name string) bool {
			found, err := filepath.Glob(name)
			return name == "-" || err != nil || len(found) > 0
		})
		if len(missing) > 0 {
			return math.NaN(), "waiting until there is " + strings.Join(missing, " ")
		}
		return math.NaN(), "waiting for the first draws of " + strings.Join(w.what.Patterns, " ")
	})
	var err error
	if w.watch, err = source.Open(ctx, w.source); err != nil {
		return w.cfg, nil, err
	}
	feed, err := w.watch.First(w.changed)
	switch {
	case ctx.Err() != nil:
		return w.cfg, nil, console.Interrupted("interrupted before there was a draw")
	case err != nil:
		return w.cfg, nil, watchError(err)
	}
	if w.source.Among != nil {
		w.what.Columns = feed.Names()
	}
	p := drawnOf(w.of, &w.what, feed)
	w.first = p
	w.cfg.Lanes = append([]state.Setting{state.DefaultSetting(p, catalog.Source.Name).With(sampler.KeyThin, 1)}, beside...)
	w.cfg.Chains = feed.Chains()
	return w.cfg, p, wording.Flag(w.cfg.Validate(p))
}

// drawnOf is the problem of the draws of a feed, of a target or, where that is nil, of parameters alone.
func drawnOf(of *targets.Problem, what *state.Watched, feed *source.Feed) *targets.Problem {
	if of == nil {
		of = targets.OfColumns("draws of "+strings.Join(list.Map(what.Patterns, filepath.Base), " "), feed.Names())
	}
	p := *of
	p.Source = feed
	return &p
}

// watchedAgain opens what a recording of watched draws is about.
func watchedAgain(cfg state.Config, with targets.Options, at *loading.Loading) (p *targets.Problem, err error) {
	var of *targets.Problem
	if cfg.Target != "" {
		if of, err = at.Target(cfg, with); err != nil {
			return nil, err
		}
	}
	return drawnAgain(context.Background(), cfg.Watched, of) // the files are whole
}

// drawnAgain reads files to their ends.
func drawnAgain(ctx context.Context, what *state.Watched, of *targets.Problem) (*targets.Problem, error) {
	var names []string
	if of != nil {
		names = list.Map(list.Upto(of.Dim()), of.Name)
	}
	feed, err := source.Again(ctx, *what, names)
	if err != nil {
		return nil, err
	}
	return drawnOf(of, what, feed), nil
}

// drawsOf is a session of the draws in a file, of a target.
func drawsOf(ctx context.Context, path string, of *targets.Problem) (l state.Load, err error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() { // for which one would wait
		return l, cmp.Or(atomicfile.Cause(err), errors.New("it is no file"))
	}
	l.Config = state.Config{Seed: grammar.DefaultSeed, Init: "random", Watched: &state.Watched{Patterns: []string{path}}}
	if l.Problem, err = drawnAgain(ctx, l.Config.Watched, of); err != nil {
		return l, err
	}
	l.Config.Target, l.Config.Chains = of.Spec, l.Problem.Source.(*source.Feed).Chains()
	l.Config.Lanes = []state.Setting{state.DefaultSetting(l.Problem, catalog.Source.Name).With(sampler.KeyThin, 1)}
	return l, l.Config.Validate(l.Problem)
}

// changed has the session begin anew with the chains that there are now.
func (w *watching) changed() {
	s := w.live.Load()
	if s == nil {
		return // it is about to begin, and asks again
	}
	feed, err := w.watch.Feed()
	if err != nil {
		w.source.Tell(err.Error())
		return
	}
	cfg := w.cfg
	cfg.Chains = feed.Chains()
	p := *w.first
	p.Source = feed
	s.Send(state.Load{Config: cfg, Problem: &p, Passing: true})
}
