package metrics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// peerChains are chains on which emcee and coda have something to say.
func peerChains() (names []string, chains [][]float64) {
	const n = 50_000
	add := func(name string, x []float64) {
		names, chains = append(names, name), append(chains, x)
	}
	for i, rho := range []float64{0, 0.5, 0.9, 0.99} {
		add(fmt.Sprintf("AR(1) ρ=%v", rho), ar1(rho, n, 50+uint64(i)))
	}
	r := rand.New(rand.NewPCG(60, 60))
	ar2 := make([]float64, n)
	for t := 2; t < n; t++ {
		ar2[t] = 1.5*ar2[t-1] - 0.6*ar2[t-2] + r.NormFloat64()
	}
	add("AR(2) 1.5, -0.6", ar2)
	fast, slow := ar1(0.3, n, 61), ar1(0.99, n, 62)
	two := make([]float64, n)
	for t := range two {
		two[t] = fast[t] + slow[t]
	}
	add("ρ=0.3 plus ρ=0.99", two)
	add("AR(1) ρ=-0.5", ar1(-0.5, n, 63))
	return names, chains
}

// writeChains puts the chains into a file, one a line.
func writeChains(t *testing.T, chains [][]float64) string {
	var b bytes.Buffer
	for _, x := range chains {
		for i, v := range x {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.FormatFloat(v, 'g', 17, 64))
		}
		b.WriteByte('\n')
	}
	name := filepath.Join(t.TempDir(), "chains.txt")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// runPeer returns the numbers that a command prints, one for each chain.
func runPeer(t *testing.T, n int, name string, args ...string) []float64 {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var v []float64
	for _, f := range strings.Fields(string(out)) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatalf("%s printed %q", name, out)
		}
		v = append(v, x)
	}
	if len(v) != n {
		t.Fatalf("%s printed %d numbers, want %d", name, len(v), n)
	}
	return v
}

func TestAgainstEmcee(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	python := ""
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import emcee").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		t.Skip("no python3 with emcee")
	}
	names, chains := peerChains()
	const program = `
import sys, numpy, emcee
for line in open(sys.argv[1]):
    x = numpy.array(line.split(), dtype=float)
    print(emcee.autocorr.integrated_time(x, c=5, tol=0, quiet=True)[0])
`
	got := runPeer(t, len(chains), python, "-c", program, writeChains(t, chains))
	for i, x := range chains {
		tau := windowed(x)
		t.Logf("%-18s 2τ %8.4f, emcee %8.4f", names[i], 2*tau, got[i])
		// emcee cuts the anticorrelated chain at lag 1 and has nothing left.
		if strings.Contains(names[i], "-0.5") {
			continue
		}
		// The same estimator on the same draws: 2% is for the place of the window between two coarse lags.
		if !(math.Abs(2*tau/got[i]-1) <= 0.02) {
			t.Errorf("%s: 2τ %v, emcee %v", names[i], 2*tau, got[i])
		}
	}
}

func TestAgainstCoda(t *testing.T) {
	if testing.Short() {
		t.Skip("starts R")
	}
	if exec.Command("Rscript", "-e", "library(coda)").Run() != nil {
		t.Skip("no R with coda")
	}
	names, chains := peerChains()
	const program = `
suppressMessages(library(coda))
for (line in readLines(commandArgs(TRUE)[1]))
	cat(effectiveSize(scan(text = line, quiet = TRUE)), "\n")
`
	script := filepath.Join(t.TempDir(), "ess.R") // R's -e takes no program of several lines
	if err := os.WriteFile(script, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	got := runPeer(t, len(chains), "Rscript", script, writeChains(t, chains))
	for i, x := range chains {
		c := chainOf(ones(len(x)), x)
		e := c.ESS(0)
		t.Logf("%-18s ESS %8.0f, coda %8.0f", names[i], e.Value, got[i])
		// coda fits an autoregression instead of cutting a sum, so the two share draws but not errors: three of our
		// standard errors, those of the autoregression being smaller.
		if tol := 3 * tauError(c.ACT(0).Value, len(x)); !e.OK() || math.Abs(e.Value/got[i]-1) > tol {
			t.Errorf("%s: ESS %v, coda %v, not within %.1f%%", names[i], e.Value, got[i], 100*tol)
		}
	}
}
