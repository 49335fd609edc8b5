package session

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// architectures have all layers and kernels, and the methods beside them a gradient of
// each kind: plain, with dropout, of a distillation and of random weights.
var architectures = []string{"cnn", "cnn:20", "cnn:stochpool", "cnn:nin", "cnn:maxout", "mlp:7-30"}
var ofArchitectures = []string{"psgld", "sgd-dropout", "distill:psgld", "bbb"}

// networkDigests are those of every method on a small network and of some on every
// architecture, with a number of threads, a line each.
func networkDigests(t *testing.T, threads int) string {
	var b strings.Builder
	digest := func(p *targets.Problem, name string, steps uint64, batch float64) {
		c := brief(p, name)
		c.Steps = steps
		c.Lanes[0] = c.Lanes[0].With(sampler.KeyBatch, batch)
		_, r := run(t, c, p, Runtime{Threads: threads})
		fmt.Fprintf(&b, "%s %s %s\n", p.Spec, name, r.Lanes[0].Digest)
	}
	few := fewDigits()
	for _, m := range catalog.Methods() {
		if m.Misfit(few) == "" {
			digest(few, m.Name, 60, 10)
		}
	}
	for _, spec := range architectures {
		p, err := targets.Open(spec, targets.Options{Dataset: few.Dataset})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range ofArchitectures {
			digest(p, name, 2, 3)
		}
	}
	return b.String()
}

// ofNetworks asks the test below for digests alone.
const ofNetworks = "PSGLD_TEST_DIGESTS"

// A network's lane has the same digest on every path with fused multiply-adds and with three
// threads, whose shares are uneven. A path is settled when a program starts, so the test runs itself on each.
// The exact path, which defines them, takes minutes: .ci/digits holds it to the table.
func TestNetworkDigestsOnEveryPath(t *testing.T) {
	if os.Getenv(ofNetworks) != "" {
		fmt.Printf("<%s>", networkDigests(t, 1))
		return
	}
	innerlooptest.Later(t, "networks on every path, which .ci/digits holds to a table")
	if simd.OtherDigits() {
		t.Skip("these kernels have other digits")
	}
	want := networkDigests(t, 1)
	sameLines(t, "3 threads", networkDigests(t, 3), want)
	var paths []string
	for _, p := range simd.Paths {
		if p != simd.Generic && p != simd.Active {
			paths = append(paths, p.String())
		}
	}
	for _, path := range paths {
		cmd := exec.Command(os.Args[0], "-test.run", "^TestNetworkDigestsOnEveryPath$")
		cmd.Env = append(os.Environ(), "PSGLD_SIMD="+path, ofNetworks+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", path, err, out)
		}
		_, after, _ := strings.Cut(string(out), "<")
		got, _, _ := strings.Cut(after, ">")
		sameLines(t, path, got, want)
	}
}

// sameLines fails at the first line of got that is not want's.
func sameLines(t *testing.T, what, got, want string) {
	t.Helper()
	lines := strings.Split(want, "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Errorf("%s: %q, want %q", what, line, lines[min(i, len(lines)-1)])
			return
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d bytes of digests, want %d", what, len(got), len(want))
	}
}
