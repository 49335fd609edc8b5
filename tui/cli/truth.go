package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/wording"
)

// findTruth finds what --truth asks for, before there is a session, and gives it
// to the problem.
func (e *env) findTruth(ctx context.Context, cfg engine.Config, p *targets.Problem, all *study.Truths) error {
	if !cfg.Truth.Wanted() {
		return nil
	}
	var look atomic.Pointer[study.Truth]
	stop := startProgress(e.err, 0, func() (float64, string) {
		t := look.Load()
		if t == nil {
			return math.NaN(), "truth by " + cfg.Truth.Sampler
		}
		done, total := t.Done(), t.Total()
		return float64(done) / float64(total), fmt.Sprintf("truth by %s, draw %s of %s", cfg.Truth.Sampler, plane.Count(done), plane.Count(total))
	})
	ref, note, err := all.Of(ctx, cfg, p, look.Store)
	stop()
	switch {
	case ctx.Err() != nil:
		return &failure{exitInterrupted, errors.New("interrupted before the truth was found")}
	case err != nil:
		return failed(wording.Flag(err))
	case note.Exact:
		e.warn("the truth of %s is known exactly; %s is not needed for it", p.Spec, cfg.Truth.Sampler)
	case note.Rough:
		e.warn("the truth is rough: R-hat %.3g (want %g), least effective size %.0f (want %d); %s",
			ref.RHat, study.GoodRHat, ref.MinESS, study.GoodESS, wording.MoreDraws(cfg.Truth.Sampler, ref.Draws))
	}
	if note.Unkept != nil {
		e.warn("the truth is not kept for the next time: %v", note.Unkept)
	}
	p.Reference = ref
	return nil
}

// truths finds what sessions ask for as truth, and keeps it for the next time.
func truths(threads int) *study.Truths {
	return &study.Truths{Cache: prefs.CachePath("truth"), Threads: threads}
}
