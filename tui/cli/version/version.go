// Package version says which build of the program this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// linked is the version of a release: the linker sets it
// (-X github.com/psgld/psgld-tui/tui/cli/version.linked=v1.2.3), and nothing else does.
var linked string

// String is the program's version: the release's, or what the build knows of the source it was built from.
func String() string {
	if linked != "" {
		return linked
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// Provenance says by what a report's numbers were made: the version, the commit of the source where the build knows it,
// and the version of the digits. Of another version, such as that of merged sessions, nothing more is known.
func Provenance(version string) string {
	if version != String() {
		return version
	}
	commit := "commit not known to this build"
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if of := set["vcs.revision"]; of != "" {
			commit = "commit " + of
			if set["vcs.modified"] == "true" {
				commit += " with changes"
			}
		}
	}
	return fmt.Sprintf("%s, %s, numerics version %d", version, commit, numerics.Version)
}

// Text is what --version prints.
func Text() string {
	return fmt.Sprintf("%s %s\n%s %s/%s\nkernels: %s\n", grammar.Program, String(), runtime.Version(), runtime.GOOS,
		runtime.GOARCH,
		simd.Kernels())
}
