package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/wording"
)

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
	if ctx.Err() != nil {
		return console.Exit(console.ExitInterrupted, errors.New("interrupted before the truth was found"))
	}
	return console.Failed(wording.Flag(err))
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
