package cli

import (
	"slices"
	"testing"
)

// What takes a file is known by its usage, so that a closed screen's list of it is never short of a command.
func TestOfFilesIsWhatTheUsageSays(t *testing.T) {
	want := []string{"cast", "check", "keys", "lesson", "merge", "out", "picture", "record", "reference", "replay",
		"tls-cert", "tls-key", "watch"}
	if got := ofFiles(new(env).root()); !slices.Equal(got, want) {
		t.Errorf("of files are %v, want %v", got, want)
	}
}
