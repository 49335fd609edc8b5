package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
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
	notes, err := truthOf(ctx, cfg, p, all, func(look func() (float64, string)) {
		stop = console.StartProgress(e.Err, 0, look)
	})
	stop()
	for _, note := range notes {
		e.Tell(note)
	}
	return err
}

// truthOf is findTruth where tell is given what says how far it is. What is to be said of the truth is in notes.
func truthOf(ctx context.Context, cfg state.Config, p *targets.Problem, all *study.Truths,
	tell func(look func() (float64, string))) (notes []string, err error) {
	if !cfg.Truth.Wanted() {
		return nil, nil
	}
	var look atomic.Pointer[study.Truth]
	tell(func() (float64, string) {
		t := look.Load()
		if t == nil {
			return math.NaN(), "truth by " + cfg.Truth.Sampler
		}
		done, total := t.Done(), t.Total()
		return float64(done) / float64(total),
			fmt.Sprintf("truth by %s, draw %s of %s", cfg.Truth.Sampler, plane.Count(done), plane.Count(total))
	})
	ref, note, err := all.Of(ctx, cfg, p, look.Store)
	switch {
	case ctx.Err() != nil:
		return nil, console.Exit(console.ExitInterrupted, errors.New("interrupted before the truth was found"))
	case err != nil:
		return nil, console.Failed(wording.Flag(err))
	case note.Exact:
		notes = append(notes, fmt.Sprintf("the truth of %s is known exactly; %s is not needed for it", p.Spec,
			cfg.Truth.Sampler))
	case note.Rough:
		notes = append(notes, fmt.Sprintf("the truth is rough: R-hat %.3g (want %g), least effective size %.0f "+
			"(want %d); %s",
			ref.RHat, study.GoodRHat, ref.MinESS, study.GoodESS, wording.MoreDraws(cfg.Truth.Sampler, ref.Draws)))
	}
	if note.Unkept != nil {
		notes = append(notes, fmt.Sprintf("the truth is not kept for the next time: %v", note.Unkept))
	}
	p.Hold(ref)
	return notes, nil
}

// truths finds what sessions ask for as truth, and keeps it for the next time.
func truths(threads int) *study.Truths {
	return &study.Truths{Cache: prefs.CachePath("truth"), Threads: threads}
}
