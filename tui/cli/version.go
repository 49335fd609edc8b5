package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/psgld/psgld-tui/nets/simd"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// linked is the version of a release: the linker sets it
// (-X github.com/psgld/psgld-tui/tui/cli.linked=v1.2.3), and nothing else does.
var linked string

// Version is the program's version: the release's, or what the build knows of
// the source it was built from.
func Version() string {
	if linked != "" {
		return linked
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

func versionText() string {
	return fmt.Sprintf("%s %s\n%s %s/%s\nkernels: %s\n", grammar.Program, Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH,
		simd.Kernels())
}
