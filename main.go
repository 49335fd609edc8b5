// Command psgld-tui watches and steers stochastic-gradient samplers.
package main

import (
	"context"
	"io"
	"os"

	"github.com/psgld/psgld-tui/tui/cli"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run runs the command that args name and returns the exit status.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.App{}.Run(ctx, args, stdin, stdout, stderr)
}
