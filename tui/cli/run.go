package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/wording"
)

// runOptions are the flags of run beside the session's.
type runOptions struct {
	json                   bool
	draws, record, weights string
	format                 export.Format
	began                  func(*session.Session) // is told of the session; nil where nobody asks
}

func (e *env) runCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "run",
		Short: "Run the session without a screen",
		Long: "Run the session without a screen and print a table, or with --json one JSON document. Progress " +
			"goes to standard error.",
		Example: "psgld-tui run --eps 0.3 --steps 200000\n" +
			"psgld-tui run --target blr:a9a --lr 0.05 --json\n" +
			"psgld-tui run --samplers 'psgld:alpha=0.9999;gamma=on,sgld:eps=0.1' --draws out",
	}
	from := sessionFlags{tell: e.Tell}
	from.add(c)
	var o runOptions
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	addText(c, &o.draws, "draws", "DIR", "write the kept draws to DIR/<lane>-<sampler>.csv, in CmdStan's form")
	addFormat(c, &o.format)
	addText(c, &o.record, "record", "FILE", "write the session to FILE, for replay")
	addText(c, &o.weights, "weights", "DIR",
		"write the newest θ as .npy: DIR/<lane>-<sampler>/<layer>.weight.npy (units × inputs) and .bias.npy, or "+
			"theta.npy")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := formatAlone(c, o.draws); err != nil {
			return err
		}
		cfg, p, rt, err := from.open()
		if err != nil {
			return err
		}
		if o.draws != "" && p.Dim() > maxDrawn {
			return tooWide(p)
		}
		return e.run(c.Context(), limited(cfg, p, rt.Replay), p, rt, o)
	}
	return c
}

// maxDrawn bounds the columns of --draws: a row is a draw, and a line of text.
const maxDrawn = 100_000

func tooWide(p *targets.Problem) error {
	return fmt.Errorf("--draws writes every coordinate, at most %s, and %s has %s", plane.Count(maxDrawn), p.Spec,
		plane.Count(uint64(p.Dim())))
}

func (e *env) run(ctx context.Context, cfg state.Config, p *targets.Problem, rt session.Runtime, o runOptions) error {
	if o.record != "" {
		if err := atomicfile.Check(o.record); err != nil {
			return console.Failed(fmt.Errorf("--record: %w", err))
		}
	}
	if err := e.findTruth(ctx, cfg, p, truths(rt.Threads)); err != nil {
		return err
	}
	var out export.Output
	defer out.Abort()
	if o.draws != "" {
		var err error
		if rt.Sink, err = export.DrawsTo(&out, o.draws, o.format, cfg.Seed); err != nil {
			return console.Failed(err)
		}
	}
	if o.weights != "" {
		if err := export.Weights(&out, o.weights, cfg.Lanes, p); err != nil {
			return console.Failed(err)
		}
	}
	s, err := session.New(cfg, p, rt)
	if err != nil {
		return console.Failed(err)
	}
	if o.began != nil {
		o.began(s)
	}
	stop := console.StartProgress(e.Err, 0, func() (float64, string) { return runProgress(s.Snapshot()) })
	err = s.Run(ctx)
	stop()
	if err != nil && ctx.Err() == nil {
		return console.Failed(err)
	}
	if err := out.Commit(s); err != nil {
		return console.Failed(err)
	}
	if err := saveRecording(s, o.record); err != nil {
		return console.Failed(err)
	}
	r := s.Result(version.String())
	if len(rt.Replay) > 0 {
		if line, err := grammar.SteeredLine(s.Snapshot(), "run"); err == nil {
			r.Command = line
		}
	}
	r.Findings = wording.Findings(s.Snapshot())
	for i := range r.Lanes {
		r.Lanes[i].Notes = text.SettingNotes(&r.Config, r.Lanes[i], r.Config.Lanes[i], p)
	}
	if o.json {
		text.NoteMissing(r.Lanes, p)
		console.WriteJSON(e.Out, r)
	} else {
		text.WriteRun(e.Out, r, p)
	}
	if ctx.Err() != nil {
		return stoppedAt(list.Map(r.Lanes, func(l engine.LaneResult) uint64 { return l.Steps }))
	}
	return outcome(r.Lanes)
}

// saveRecording writes a session's recording, if a file is named for it.
func saveRecording(s *session.Session, path string) error {
	if path == "" {
		return nil
	}
	if err := atomicfile.Write(path, indented(s.Recording(version.String()))); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return nil
}

// indented is a JSON document for people too.
func indented(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	console.Must(err)
	return append(b, '\n')
}

// stoppedAt is the error of a run that is interrupted, after so many steps of its lanes.
func stoppedAt(steps []uint64) error {
	return console.Interrupted("interrupted at step %s", plane.Count(slices.Max(steps)))
}

// outcome is the error with which a run without a screen ends by itself.
func outcome(lanes []engine.LaneResult) error {
	var lost []string
	what := "stopped"
	for _, l := range lanes {
		if l.Diverged == nil {
			return nil
		}
		if l.Diverged.Failed == "" {
			what = "diverged"
		}
		lost = append(lost, fmt.Sprintf("%s (%s) at step %s: %s", l.Lane, l.Sampler, plane.Count(l.Diverged.Step),
			l.Diverged.Reason()))
	}
	return console.Exit(console.ExitDiverged, errors.New("every lane "+what+": "+strings.Join(lost, "; ")))
}

// runProgress is how far a session is on its way to the limit it will reach first.
func runProgress(snap *engine.Snapshot) (done float64, label string) {
	done = math.NaN()
	step, most := uint64(math.MaxUint64), 0.0
	for _, l := range snap.Lanes {
		if l.Diverged == nil {
			step = min(step, l.Step)
			most = max(most, l.Values[quantity.Seconds].Value)
		}
	}
	if step == math.MaxUint64 {
		return done, "every lane has diverged"
	}
	closer := func(x float64) {
		if !(x <= done) {
			done = min(x, 1)
		}
	}
	c := snap.Config
	label = "step " + plane.Count(step)
	if c.Steps > 0 {
		closer(float64(step) / float64(c.Steps))
		label += " of " + plane.Count(c.Steps)
	}
	if c.Epochs > 0 {
		for _, l := range snap.Lanes {
			if l.Diverged == nil && l.Setting.Has(sampler.KeyBatch) {
				closer(l.Epoch / c.Epochs)
				break
			}
		}
	}
	if c.Seconds > 0 {
		closer(most / c.Seconds)
	}
	return done, label + "  " + plane.Number(snap.Rate, 7) + " steps/s"
}

// findTruth finds what --truth asks for, before there is a session, and gives it
// to the problem. Standard error says how far it is.
func (e *env) findTruth(ctx context.Context, cfg state.Config, p *targets.Problem, all *study.Truths) error {
	stop := func() {}
	notes, err := truthOf(ctx, cfg, p, nil, all, func(look func() (float64, string)) {
		stop = console.StartProgress(e.Err, 0, look)
	})
	stop()
	for _, note := range notes {
		e.Tell(note)
	}
	return err
}

// truthOf is findTruth where tell is given what says how far it is. What is to be said of the truth is in notes. Those
// that a script asks for later on the same target are looked for as well, so that the session need not wait for them.
func truthOf(ctx context.Context, cfg state.Config, p *targets.Problem, script []state.Event, all *study.Truths,
	tell func(look func() (float64, string))) (notes []string, err error) {
	plain := tell
	tell = func(look func() (float64, string)) {
		plain(func() (float64, string) {
			done, label := look()
			return done, strings.TrimSuffix("truth by "+cfg.Truth.By()+", "+label, ", ")
		})
	}
	ref, notes, err := lookFor(ctx, cfg, p, all, tell)
	if err != nil {
		return nil, notFound(ctx, err)
	}
	p.Hold(ref)
	for _, e := range script {
		switch c := e.Command.(type) {
		case state.SetTarget:
			return notes, nil
		case state.SetTruth:
			cfg.Truth = c.Truth
			if _, _, err := lookFor(ctx, cfg, p, all, tell); err != nil {
				return nil, notFound(ctx, err)
			}
		}
	}
	return notes, nil
}

func notFound(ctx context.Context, err error) error {
	return console.Ended(ctx, wording.Flag(err), "interrupted before the truth was found")
}

// lookFor finds the truth that a Config asks for, and what is to be said of it.
func lookFor(ctx context.Context, cfg state.Config, p *targets.Problem, all *study.Truths,
	tell func(look func() (float64, string))) (ref *targets.Reference, notes []string, err error) {
	if !cfg.Truth.Wanted() {
		return p.Known(), nil, nil
	}
	var look atomic.Pointer[study.Truth]
	tell(func() (float64, string) {
		t := look.Load()
		if t == nil {
			return math.NaN(), ""
		}
		done, total := t.Done(), t.Total()
		return float64(done) / float64(total),
			fmt.Sprintf("draw %s of %s", plane.Count(done), plane.Count(total))
	})
	ref, note, err := all.Of(ctx, cfg, p, look.Store)
	switch {
	case err != nil:
		return nil, nil, err
	case note.Exact:
		notes = append(notes, fmt.Sprintf("the truth of %s is known exactly, without %s", p.Spec,
			cfg.Truth.By()))
	case note.Rough:
		notes = append(notes, fmt.Sprintf("the truth is rough: R-hat %.3g (want %g), least effective size %.0f "+
			"(want %d)",
			ref.RHat, study.GoodRHat, ref.MinESS, study.GoodESS))
		if cfg.Truth.File == "" {
			notes[0] += "; " + wording.MoreDraws(cfg.Truth.Sampler, ref.Draws)
		}
	}
	if note.Unkept != nil {
		notes = append(notes, fmt.Sprintf("the truth is not kept for the next time: %v", note.Unkept))
	}
	return ref, notes, nil
}

// onReplay finds the truths that recordings ask for.
func onReplay(ctx context.Context, all *study.Truths) func(state.Config, *targets.Problem) (*targets.Reference, error) {
	return func(c state.Config, p *targets.Problem) (*targets.Reference, error) {
		ref, _, err := all.Of(ctx, c, p, nil)
		return ref, err
	}
}

// truths finds what sessions ask for as truth, and keeps it for the next time.
func truths(threads int) *study.Truths {
	return &study.Truths{Cache: prefs.CachePath("truth"), Threads: threads}
}
