package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// exampleOf is the program in the README's section on watching that has a text.
func exampleOf(t *testing.T, has string) string {
	t.Helper()
	b, err := os.ReadFile("../../engine/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(b), "## Watching somebody else's sampler")
	text, _, _ = strings.Cut(text, "\n## ")
	for i, block := range strings.Split(text, "```") {
		if _, program, ok := strings.Cut(block, "\n"); ok && i%2 == 1 && strings.Contains(program, has) {
			return program
		}
	}
	t.Fatalf("no example has %q", has)
	return ""
}

// watchedLane is what a document of watched draws has of its lane.
type watchedLane struct {
	Draws, Chains uint64
	Names         []string
	Mean, MCSE    []float64
	EBFMI         float64
	Divergences   *int
}

// watchedBy has watch follow what a program does, and returns its document's lane. The program ends by itself.
func watchedBy(t *testing.T, program *exec.Cmd, piped bool, args ...string) (l watchedLane) {
	t.Helper()
	var out, said, wrong bytes.Buffer
	program.Stderr = &wrong
	var from io.Reader
	if piped {
		var err error
		if from, err = program.StdoutPipe(); err != nil {
			t.Fatal(err)
		}
	} else {
		program.Stdout = &wrong
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	status := App{}.Run(t.Context(), append([]string{"watch", "--json"}, args...), from, &out, &said)
	if err := program.Wait(); err != nil {
		t.Fatalf("%v: %.2000s", err, wrong.String())
	}
	var d struct{ Lanes []watchedLane }
	if err := json.Unmarshal(out.Bytes(), &d); err != nil || status != console.ExitDone {
		t.Fatalf("status %d, %v: %s", status, err, said.String())
	}
	return d.Lanes[0]
}

// means holds the means to a truth by five standard errors.
func (l *watchedLane) means(t *testing.T, want ...float64) {
	t.Helper()
	for i, x := range want {
		if len(l.Mean) != len(want) || !(math.Abs(l.Mean[i]-x) < 5*l.MCSE[i]) {
			t.Errorf("the means are %v ± %v, want %v", l.Mean, l.MCSE, want)
			return
		}
	}
}

// The README's NumPy program prints an autoregression of mean 0 to a pipe, and its emcee program eight walkers on a
// normal distribution of mean 0.
func TestWatchPrintedByPython(t *testing.T) {
	innerlooptest.Later(t, "interpreters")
	for _, c := range []struct {
		module        string
		chains, draws uint64
	}{{"numpy", 1, 10_000}, {"emcee", 8, 16_000}} {
		t.Run(c.module, func(t *testing.T) {
			python := interpreter(t, "numpy", c.module)
			l := watchedBy(t, exec.Command(python, "-c", exampleOf(t, "import "+c.module)), true, "-")
			if l.Draws != c.draws || l.Chains != c.chains || strings.Join(l.Names, " ") != "mu tau" {
				t.Errorf("%d draws of %v in %d chains", l.Draws, l.Names, l.Chains)
			}
			// 2τ of emcee's stretch move is about 40 steps in two dimensions, so that five standard errors are 0.25.
			// Walkers move by each other, and numbers may be withheld for that.
			if c.module == "emcee" && len(l.Mean) == 2 && math.Hypot(l.Mean[0], l.Mean[1]) < 0.25 {
				return
			}
			l.means(t, 0, 0)
		})
	}
}

// The README's rstan program writes a sample_file a chain, one after the other, of a normal distribution of mean 3. Its
// warm-up rows do not count.
func TestWatchRstan(t *testing.T) {
	innerlooptest.Later(t, "it compiles C++")
	rscript, dir := interpreter(t, "r", "rstan"), t.TempDir()
	// Where Debian has Boost's headers.
	const boost = `if (dir.exists("/usr/include/boost")) rstan::rstan_options(boost_lib = "/usr/include")`
	program := exec.Command(rscript, "-e", boost, "-e", exampleOf(t, "library(rstan)"))
	program.Dir = dir
	l := watchedBy(t, program, false, filepath.Join(dir, "fit_1.csv"), filepath.Join(dir, "fit_2.csv"), "--idle", "5m")
	if l.Draws != 2000 || l.Chains != 2 || strings.Join(l.Names, " ") != "x" || l.Divergences == nil ||
		!(l.EBFMI > 0.3) {
		t.Errorf("%+v", l)
	}
	l.means(t, 3)
}
