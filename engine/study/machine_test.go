package study

import (
	"strings"
	"testing"
)

// TestMachine: it names the system and is the same twice.
func TestMachine(t *testing.T) {
	if a, b := Machine(), Machine(); a != b || !strings.Contains(a, "go1") || strings.Contains(a, "\n") {
		t.Errorf("%q, then %q", a, b)
	}
}
