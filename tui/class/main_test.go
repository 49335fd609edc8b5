package class_test

import (
	"context"
	"os"
	"runtime/pprof"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// asProgram makes the test's binary the program. With profile it writes a profile of its
// processor's time to a file.
const asProgram, profile = "PSGLD_TEST_AS_PROGRAM", "PSGLD_TEST_PROFILE"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(program())
	}
	ptytest.Alone()
	os.Exit(m.Run())
}

func program() int {
	if path := os.Getenv(profile); path != "" {
		f, err := os.Create(path)
		if err != nil {
			panic(err)
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			panic(err)
		}
		defer f.Close()
		defer pprof.StopCPUProfile()
	}
	return cli.App{}.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}
