package wording

import (
	"cmp"
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// flags are the flags of the fields that are not called as their flag is.
var flags = map[string]string{"lanes": "samplers", "sampler": "samplers"}

// Flag names the flag in an error that is about a setting, so that it reads
// "--eps must be positive, got -1". It returns any other error as it is.
func Flag(err error) error {
	switch r := err.(type) {
	case *engine.Refusal:
		return fmt.Errorf("%s--%s %s", r.Prefix(), cmp.Or(flags[r.Field], r.Field), r.Demand())
	case *targets.SpecError:
		return fmt.Errorf("--%s %w", r.Field, r.Err)
	}
	return err
}
