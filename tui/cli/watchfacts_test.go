package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// What CmdStan's and ArviZ's columns tell of a draw is no parameter. The E-BFMI is Σ (E_n - E_{n-1})² / Σ (E_n - Ē)² of
// the energies in the file, and the divergences are those that stand there, in whatever way they are written.
func TestWatchTold(t *testing.T) {
	const n, divergent = 400, 2
	r := rand.New(rand.NewPCG(1, 1))
	x, e := make([]float64, n), make([]float64, n)
	mean, steps, square := 0., 0., 0.
	for i := range x {
		x[i], e[i] = r.NormFloat64(), r.ExpFloat64()+1
		if mean += e[i] / n; i > 0 {
			steps += (e[i] - e[i-1]) * (e[i] - e[i-1])
		}
	}
	for _, e := range e {
		square += (e - mean) * (e - mean)
	}
	for _, c := range []struct{ header, truth string }{
		{"lp__,divergent__,energy__,x", "1"}, {"lp,diverging,energy,x", "True"}, {"energy,diverging,lp,x", "true"},
	} {
		var text strings.Builder
		text.WriteString(c.header + "\n")
		for i := range x {
			is := map[string]string{"1": "0", "True": "False", "true": "false"}[c.truth]
			if i < divergent {
				is = c.truth
			}
			if strings.HasPrefix(c.header, "energy") {
				fmt.Fprintf(&text, "%v,%s,%v,%v\n", e[i], is, -e[i], x[i])
			} else {
				fmt.Fprintf(&text, "%v,%s,%v,%v\n", -e[i], is, e[i], x[i])
			}
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		var d struct{ Lanes []watchedLane }
		document(t, &d, "watch", path, "--idle", "100ms", "--json")
		l := d.Lanes[0]
		if strings.Join(l.Names, " ") != "x" || l.Divergences == nil || *l.Divergences != divergent ||
			math.Abs(l.EBFMI-steps/square) > 1e-12 {
			t.Errorf("%s: %+v, want an E-BFMI of %v", c.header, l, steps/square)
		}
	}
	path := filepath.Join(t.TempDir(), "b.csv")
	if err := os.WriteFile(path, []byte("energy,x\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var d struct{ Lanes []watchedLane }
	document(t, &d, "watch", path, "--idle", "100ms", "--json")
	if l := d.Lanes[0]; strings.Join(l.Names, " ") != "energy x" || l.Divergences != nil {
		t.Errorf("an energy of nobody's sampler: %+v", l)
	}
}

// Draws that are said to be of a method have the facts that check has of them, number for number, and a finding where
// one fails. A row that was left out leaves nothing to test.
func TestWatchFacts(t *testing.T) {
	const target, eps = "density:-x^2/2", 0.1
	for _, c := range []struct {
		name   string
		factor float64 // of the noise's standard deviation
		nan    bool
		want   string
	}{{"right", 1, false, ""}, {"wrong", 1.1, false, "are not what sgld gives: "}, {"gap", 1, true, ""}} {
		r := rand.New(rand.NewPCG(2, 2))
		var text strings.Builder
		text.WriteString("x\n")
		for i, x := 0, 0.; i < 5000; i++ {
			x += -eps/2*x + c.factor*math.Sqrt(eps)*r.NormFloat64()
			fmt.Fprintln(&text, x)
			if c.nan && i == 100 {
				text.WriteString("NaN\n")
			}
		}
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		var d struct {
			Check    json.RawMessage
			Findings []struct{ Key, Text string }
		}
		of := []string{"--target", target, "--method", "sgld", "--eps", "0.1", "--json"}
		r0 := runArgs(t, append([]string{"watch", path, "--idle", "100ms"}, of...)...)
		if err := json.Unmarshal([]byte(r0.out), &d); err != nil || r0.status != console.ExitDone {
			t.Fatalf("%s: status %d, %v, %s", c.name, r0.status, err, r0.err)
		}
		if c.nan {
			if !strings.Contains(string(d.Check), `"consistent":null`) || !strings.Contains(string(d.Check), "none was tested") {
				t.Errorf("%s: %s", c.name, d.Check)
			}
			continue
		}
		if by := strings.TrimSpace(runArgs(t, append([]string{"check", path}, of...)...).out); by != string(d.Check) {
			t.Errorf("%s: %.400s, and check has %.400s", c.name, d.Check, by)
		}
		said := ""
		for _, f := range d.Findings {
			if f.Key == "inconsistent" {
				said = f.Text
			}
		}
		if (said == "") != (c.want == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s: the finding is %q, want %q in it", c.name, said, c.want)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--eps", "0.1"}, "--eps needs --method"},
		{[]string{"--method", "sgld", "--eps", "0.1"}, "--method needs --target"},
		{[]string{"--method", "sgld", "--target", target}, "needs --eps"},
		{[]string{"--method", "adam", "--eps", "0.1", "--target", "mlp:20-20"}, "cannot be checked"},
	} {
		if r := runArgs(t, append([]string{"watch", "-"}, c.args...)...); r.status != console.ExitUsage ||
			!strings.Contains(r.err, c.want) {
			t.Errorf("%v: status %d, %q, want %q", c.args, r.status, r.err, c.want)
		}
	}
}
