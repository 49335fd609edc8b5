package study

import (
	"os"
	"strings"
	"testing"
)

// TestMachine: it names the system and is the same twice.
func TestMachine(t *testing.T) {
	if a, b := Machine(), Machine(); a != b || !strings.Contains(a, "go1") || strings.Contains(a, "\n") {
		t.Errorf("%q, then %q", a, b)
	}
}

// Linux's file of processors has no size, as all that the system makes up.
func TestMachineOfLinux(t *testing.T) {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil || !modelName.Match(info) {
		t.Skip("no file names the processor here")
	}
	if m := Machine(); strings.HasPrefix(m, "unknown") {
		t.Errorf("the machine is %q", m)
	}
}
