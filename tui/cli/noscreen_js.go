package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// A classroom cannot be either.
type classroom struct{}

// A Screen cannot be: neither Bubble Tea nor the clipboard builds for js.
type Screen struct{}

func (e *env) show(context.Context, opening, screenFlags) error { return console.ErrNoScreen }

func (e *env) pictureCommand() *cobra.Command {
	return &cobra.Command{Use: "picture", Hidden: true,
		RunE: func(*cobra.Command, []string) error { return console.ErrNoScreen }}
}

func (e *env) classCommand() *cobra.Command {
	return &cobra.Command{Use: "class", Hidden: true,
		RunE: func(*cobra.Command, []string) error { return console.ErrNoScreen }}
}
