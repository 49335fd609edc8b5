package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

// BenchmarkFourWays takes steps of SGLD on one regression of R's cars, as data:, density:, stan: and exec:, in turns.
// It gives the most steps a second of each in so many turns, which other work disturbs least: by processor time where
// the program steps by itself, and by the clock where it waits for another.
func BenchmarkFourWays(b *testing.B) {
	childtest.Interpreter(b, "r", "rstan")
	p, err := targets.Open("data:cars;dist ~ normal(a + b*speed, s)", targets.Options{})
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	rows, columns := "", map[string]any{"N": p.Table.Rows}
	for name, x := range p.Table.Of {
		columns[name] = x
	}
	for i, x := range p.Table.Of["speed"] {
		rows += fmt.Sprintf(" + normal(%v, t1 + t2*(%v - 15.4), t3)", p.Table.Of["dist"][i], x)
	}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		return path
	}
	readme, err := os.ReadFile("../../targets/README.md")
	if err != nil {
		b.Fatal(err)
	}
	_, program, _ := strings.Cut(string(readme), "```r\n")
	program, _, _ = strings.Cut(program, "```")
	data, err := json.Marshal(columns)
	if err != nil {
		b.Fatal(err)
	}
	ways := []string{
		"data:cars;dist ~ normal(a + b*(speed - 15.4), s);a ~ normal(40, 50);b ~ normal(0, 10);s > 0;s ~ cauchy(0, 10)",
		"density:normal(t1, 40, 50) + normal(t2, 0, 10) + cauchy(t3, 0, 10)" + rows + ";t3 > 0;d=3",
		"stan:" + file("cars.stan", `data { int N; vector[N] speed; vector[N] dist; }
parameters { real a; real b; real<lower=0> s; }
model { a ~ normal(40, 50); b ~ normal(0, 10); s ~ cauchy(0, 10); dist ~ normal(a + b*(speed - 15.4), s); }`) +
			";data=" + file("cars.json", string(data)),
		"exec:Rscript " + file("cars.R", program),
	}
	most := make([]float64, len(ways))
	for b.Loop() {
		for i, spec := range ways {
			r := runArgs(b, "run", "--json", "--target", spec, "--child-limit", "5m", "--samplers", "sgld", "--eps", "1e-3",
				"--steps",
				[]string{"500000", "20000"}[i/2])
			var doc struct {
				Lanes []struct {
					Rate float64 `json:"steps_per_second"`
				}
			}
			if err := json.Unmarshal([]byte(r.out), &doc); err != nil || r.status != 0 {
				b.Fatal(r.status, err, r.err)
			}
			most[i] = max(most[i], doc.Lanes[0].Rate)
		}
	}
	for i, spec := range ways {
		name, _, _ := strings.Cut(spec, ":")
		b.ReportMetric(most[i], name+"-steps/s")
		b.ReportMetric(most[0]/most[i], "data:-to-"+name)
	}
}
