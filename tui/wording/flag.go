package wording

import (
	"cmp"
	"fmt"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

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
