package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/reference"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

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

// checkReference reads draws and the reference's, and writes how they compare. args are the flags of sessions.
func (e *env) checkReference(ctx context.Context, args grammar.Args, files []string, ref string, order drawsfile.Order,
	asJSON bool) error {
	for name := range args {
		return fmt.Errorf("--%s is about how draws were made, and --reference asks only what they are of: give one of "+
			"them", name)
	}
	if ref == "-" && slices.Contains(files, "-") {
		return errors.New("standard input cannot be the draws and the reference")
	}
	right, err := e.readDraws(ctx, []string{ref}, drawsfile.Options{Order: order})
	var draws *drawsfile.Draws
	if err == nil {
		draws, err = e.readDraws(ctx, files, drawsfile.Options{Order: order})
	}
	var r *reference.Report
	if err == nil {
		if of, _, mine, theirs := draws.Common(right); len(of) == 0 {
			return fmt.Errorf("the draws have the parameters %s and the reference has %s, want a name that both have",
				list.Some(list.Map(mine, printable.Line), 8), list.Some(list.Map(theirs, printable.Line), 8))
		}
		stop := console.StartProgress(e.Err, 0, func() (float64, string) {
			return math.NaN(), "comparing " + plane.Count(uint64(draws.Count())) + " draws"
		})
		r, err = reference.Compare(ctx, draws, right)
		stop()
	}
	switch {
	case ctx.Err() != nil:
		return console.Exit(console.ExitInterrupted, errors.New("interrupted before the draws were compared"))
	case err != nil:
		return console.Failed(err)
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
