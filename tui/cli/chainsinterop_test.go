package cli

import (
	"errors"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
)

// TestChainsReadByR has R's package posterior summarise the draws of several chains, a file
// each, and compares with the document: R-hat to 1e-3, effective sample sizes and standard
// errors to 1%.
func TestChainsReadByR(t *testing.T) {
	innerlooptest.Later(t, "interpreters")
	rscript, dir := interpreter(t, "r"), t.TempDir()
	program := `if (!requireNamespace("posterior", quietly = TRUE)) quit(status = 77)
suppressMessages(library(posterior))
`
	var lanes []engine.LaneResult
	for k, args := range []string{
		"--samplers psgld,sghmc --steps 3001 --chains 4",
		"--target banana --samplers sgld --burn-in 100 --steps 5000 --chains 3",
		// Chains of which two are still on their way: R-hat alone is told.
		"--target mixture:gap=9 --samplers sgld --steps 2000 --chains 4",
		"--target blr:synthetic --samplers hmc --steps 2500 --chains 2",
	} {
		out := filepath.Join(dir, fmt.Sprint(k))
		var d engine.Result
		document(t, &d, strings.Fields("run --draws "+out+" "+args)...)
		for i, l := range d.Lanes {
			lanes = append(lanes, l)
			var files []string
			for c := range l.Chains {
				files = append(files,
					fmt.Sprintf("%q",
						filepath.Join(out,
							export.DrawsName(engine.ChainID{Lane: i, Chain: c, Chains: l.Chains}, l.Sampler, export.CSV))))
			}
			program += "d <- lapply(c(" + strings.Join(files, ", ") + `), function(f) { d <- read.csv(f, comment.char = "#"); d[, !grepl("__$", names(d))] })
cat("lane\n")
for (n in names(d[[1]])) { x <- sapply(d, function(c) c[[n]])
  cat(sprintf("%.17g", c(rhat(x), ess_bulk(x), ess_tail(x), mcse_sd(x), quantile(x, 0.05), quantile(x, 0.95), mcse_quantile(x, 0.05), mcse_quantile(x, 0.95))), "\n") }
`
		}
	}
	b, err := exec.Command(rscript, "-e", program).CombinedOutput()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
		t.Skip("R's package posterior is not installed")
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	said := strings.Split(string(b), "lane\n")[1:]
	if len(said) != len(lanes) {
		t.Fatalf("R read %d lanes, want %d:\n%s", len(said), len(lanes), b)
	}
	told := 0
	for k, l := range lanes {
		lines := strings.Split(strings.TrimSpace(said[k]), "\n")
		if len(lines) != len(l.Coords) {
			t.Fatalf("lane %d: R says %q", k, said[k])
		}
		for i, line := range lines {
			var said []float64
			for text := range strings.FieldsSeq(line) {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil {
					t.Fatal(err)
				}
				said = append(said, v)
			}
			for j, id := range []quantity.CoordID{
				quantity.RHat, quantity.BulkESS, quantity.TailESS, quantity.SDError, quantity.Q5, quantity.Q95,
			} {
				e, want := l.Coords[i][id], said[j]
				// Chains that swing have larger errors of sd and quantiles than R tells.
				within, beyond := 0.01*math.Abs(want), 0.01*math.Abs(want)
				switch id {
				case quantity.RHat:
					within, beyond = 1e-3, 1e-3
				case quantity.SDError:
					beyond = math.Inf(1)
				}
				if !e.OK() {
					if id == quantity.RHat && l.Values[quantity.MinESS].OK() {
						t.Errorf("lane %d: R-hat of %s is %v, R has %v", k, l.Names[i], e.Status, want)
					}
					continue
				}
				told++
				if q := &quantity.Coordinates[id]; q.ErrorKey != "" { // of a quantile: two columns behind it
					told++
					if want := said[j+2]; !(e.Error >= 0.99*want) {
						t.Errorf("lane %d, %s: %s is %v, R has %v", k, l.Names[i], q.ErrorKey, e.Error, want)
					}
				}
				if !(e.Value >= want-within && e.Value <= want+beyond) {
					t.Errorf("lane %d, %s: %s is %v, R has %v", k, l.Names[i], quantity.Coordinates[id].Key, e.Value, want)
				}
			}
		}
	}
	if told < 40 {
		t.Errorf("%d numbers are told, which is little to compare", told)
	}
}
