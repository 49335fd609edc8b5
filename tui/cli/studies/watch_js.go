package studies

import (
	"context"

	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

func (*watching) run(context.Context, *study.Runner, *cells) ([]study.Outcome, bool, error) {
	return nil, false, console.ErrNoScreen
}
