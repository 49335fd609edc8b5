package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/study"
)

// A classroom cannot be either.
type classroom struct{}

// A Screen cannot be: neither Bubble Tea nor the clipboard builds for js.
type Screen struct{}

var errNoScreen = errors.New("WebAssembly has no screen; run, sweep, reproduce, check and replay --verify work without one")

func (e *env) show(context.Context, opening, screenFlags) error { return errNoScreen }

func (e *env) pictureCommand() *cobra.Command {
	return &cobra.Command{Use: "picture", Hidden: true, RunE: func(*cobra.Command, []string) error { return errNoScreen }}
}

func (e *env) classCommand() *cobra.Command {
	return &cobra.Command{Use: "class", Hidden: true, RunE: func(*cobra.Command, []string) error { return errNoScreen }}
}

func (*watching) run(context.Context, *study.Runner, *cells) ([]study.Outcome, bool, error) {
	return nil, false, errNoScreen
}
