package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Watched files give the document of a run without what nobody knows of their sampler, and a recording that says which
// file has changed since. The mean of 1, 2, …, 400 is 200.5.
func TestWatch(t *testing.T) {
	dir := t.TempDir()
	path, rec := filepath.Join(dir, "a.csv"), filepath.Join(dir, "rec.json")
	var text strings.Builder
	text.WriteString("x\n")
	for i := range 400 {
		text.WriteString(strconv.Itoa(i*7%400+1) + "\n")
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out := ok(t, "watch", path, "--idle", "100ms", "--json", "--record", rec)
	for _, want := range []string{`"draws":400`, `"mean":[200.5]`, `"ended_by":"writer"`, `"names":["x"]`} {
		if !strings.Contains(out, want) {
			t.Errorf("the document has no %s: %.600s", want, out)
		}
	}
	for _, unknown := range []string{`"eps"`, `"lr"`, `"temperature"`, `"seconds"`, `"gradients"`, `"ess_per_second"`} {
		if strings.Contains(out, unknown+":") {
			t.Errorf("the document has %s, which nobody knows", unknown)
		}
	}
	if out := ok(t, "replay", "--verify", rec); !strings.Contains(out, "verified") {
		t.Errorf("replay says %q", out)
	}
	other := strings.Replace(text.String(), "\n400\n", "\n401\n", 1)
	if err := os.WriteFile(path, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := runArgs(t, "replay", "--verify", rec); r.status != console.ExitFailed ||
		!strings.Contains(r.err, "a.csv are others") {
		t.Errorf("a changed file: status %d, %q", r.status, r.err)
	}
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"watch"}, console.ExitUsage, "needs a FILE"},
		{[]string{"watch", path, "--target", "gaussian", "--idle", "100ms", "--json"}, console.ExitUsage,
			"want one for each"},
		{[]string{"watch", path, "--beside", "sgld"}, console.ExitUsage, "--beside needs --target"},
		{[]string{"watch", os.DevNull, "--json"}, console.ExitFailed, "not a regular file"},
	} {
		if r := runArgs(t, c.args...); r.status != c.status || !strings.Contains(r.err, c.want) {
			t.Errorf("%v: status %d, %q, want %d and %q", c.args, r.status, r.err, c.status, c.want)
		}
	}
}

// Columns x, y are a target's coordinates by their place, as check reads them, and blanks may separate them.
// What there was ends with the verdicts on it. A file of one line without an end is no draw, and is not waited for.
func TestWatchEndsWithItsVerdicts(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("x y\n")
	for i := range 2000 {
		fmt.Fprintf(&text, "%d %d\n", i*7%11-5, i*5%13-6)
	}
	r := runArgs(t, "watch", write(t, filepath.Join(dir, "a.txt"), text.String()), "--target", "gaussian", "--method",
		"sgld", "--eps", "0.1", "--idle", "100ms", "--plain", "--record", filepath.Join(dir, "rec.json"))
	if r.status != console.ExitDone ||
		!strings.Contains(r.err, "x, y were read as theta[1], theta[2], by their place") ||
		!regexp.MustCompile(`(?m)^check: \d+ of \d+ facts fail\nA's draws are not what sgld gives: .*\n# again:$`).
			MatchString(r.out) {
		t.Errorf("status %d, %q, %q", r.status, r.err, r.out)
	}
	ok(t, "replay", "--verify", filepath.Join(dir, "rec.json"))
	r = runArgs(t, "watch", write(t, filepath.Join(dir, "mu.csv"), "mu,tau\n1,2\n2,3\n"), "--target", "gaussian",
		"--idle", "100ms", "--plain")
	if r.status != console.ExitUsage || !strings.Contains(r.err, "has the columns mu, tau, want one for each") {
		t.Errorf("names of another model: status %d, %q", r.status, r.err)
	}
	r = runArgs(t, "watch", write(t, filepath.Join(dir, "b.json"), `[{"x": [1, 2]}]`), "--idle", "100ms", "--json")
	if r.status != console.ExitFailed || !strings.Contains(r.err, "no draw") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}

// Draws are held to reference draws in every coordinate, watched or not.
func TestWatchedDrawsOffAReference(t *testing.T) {
	dir, rng := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	draws := func(name string, n int, sd, mean float64) string {
		text := "a,b,c\n"
		for range n {
			text += fmt.Sprintf("%g,%g,%g\n", rng.NormFloat64(), rng.NormFloat64()+mean, sd*rng.NormFloat64())
		}
		return write(t, filepath.Join(dir, name), text)
	}
	ref := draws("ref.csv", 4000, 1, 0)
	for _, c := range []struct {
		sd, mean float64
		want     string
	}{{1, 0, "min ESS is "}, {1.3, 0, "sd of c is 1."}, {1, 0.3, "mean of b is off the truth by 0."},
		{1, 3, "mean of b is off the truth by "}} {
		out := ok(t, "watch", draws("a.csv", 2000, c.sd, c.mean), "--reference", ref, "--idle", "100ms", "--plain")
		if !strings.Contains(out, "\nA's "+c.want) { // its errors are 0.02 to 0.03
			t.Errorf("sd %g, mean %g: no %q in %q", c.sd, c.mean, c.want, out)
		}
	}
	rec := filepath.Join(dir, "rec.json") // of columns that the reference does not have none is shown
	text, err := os.ReadFile(ref)
	if err != nil {
		t.Fatal(err)
	}
	r := runArgs(t, "watch", draws("a.csv", 2000, 1.3, 0), "--reference",
		write(t, filepath.Join(dir, "fewer.csv"), regexp.MustCompile(`(?m)^[^,]*,`).ReplaceAllString(string(text), "")),
		"--idle", "100ms", "--plain", "--record", rec)
	if r.status != console.ExitDone || !strings.Contains(r.out, "\nA's sd of c is 1.") ||
		!strings.Contains(r.err, "a.csv has 3 columns: those that the reference has are shown (2), and --columns") {
		t.Errorf("a column more: status %d, %q, %q", r.status, r.err, r.out)
	}
	ok(t, "replay", "--verify", rec)
}

// A file that is not there is waited for, and the screen says so.
func TestWatchedFileThatIsNotThere(t *testing.T) {
	t.Parallel()
	x := onScreen(t, 80, 24, "watch", "later.csv")
	x.See("waiting until there is later.csv")
	write(t, filepath.Join(x.Cmd.Dir, "later.csv"), "x\n"+strings.Repeat("1\n2\n", 300))
	x.See("draws of later.csv", "A draws")
	x.Press("q")
}

// A column that stands still in all chains, such as a Cholesky factor's entry, says nothing of the others: their
// numbers are told, and so is a drift. One that stands still in one chain alone disagrees with the others.
func TestWatchedConstant(t *testing.T) {
	for _, c := range []struct{ drift, still, ess, says string }{
		{"", "", "true", "A's min ESS is "},
		{"drift", "", "false", "A has not settled, its parts disagree: "},
		{"", "c-3", "false", "A's chains 1 and 3 disagree in x: "},
	} {
		dir := t.TempDir()
		for k := range 4 {
			r, name, text := rand.New(rand.NewPCG(uint64(k), 5)), fmt.Sprintf("c-%d", k+1), "L,x\n"
			for i := range 2000 {
				x := r.NormFloat64()
				if c.drift != "" {
					x += float64(i) / 4000
				}
				if c.still == name {
					x = 0.5
				}
				text += fmt.Sprintf("0.1,%v\n", x)
			}
			write(t, filepath.Join(dir, name+".csv"), text)
		}
		var d struct {
			Lanes []struct {
				MCSE   []*float64
				MinESS *float64 `json:"min_ess"`
			}
			Findings []struct{ Text string }
		}
		document(t, &d, "watch", filepath.Join(dir, "c-*.csv"), "--idle", "100ms", "--json")
		l, text := d.Lanes[0], d.Findings[len(d.Findings)-1].Text
		if told := fmt.Sprint(l.MCSE[1] != nil && l.MinESS != nil); told != c.ess || l.MCSE[0] != nil ||
			!strings.HasPrefix(text, c.says) || strings.Contains(text, "further") == (c.ess == "true") {
			t.Errorf("%+v: %+v, %q", c, l, text)
		}
	}
}

// While a writer is quiet, what is told is of all draws that have come, and not of the first of them.
func TestWatchedWriterIsQuiet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for k := range 4 {
		r, text := rand.New(rand.NewPCG(uint64(k), 7)), "x,y,z,u\n"
		for range 4000 {
			text += fmt.Sprintf("%v,%v,%v,%v\n", r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}
		write(t, filepath.Join(dir, fmt.Sprintf("c-%d.csv", k+1)), text)
	}
	x := onScreen(t, 120, 36, "watch", filepath.Join(dir, "c-*.csv"), "--idle", "24h")
	x.See("min ESS 1", "Enough is drawn")
	x.Press("q")
}

// Of four chains the two that are furthest apart are named, and lanes of ours beside them make as many draws.
func TestWatchedChainsThatDisagree(t *testing.T) {
	dir := t.TempDir()
	for k, at := range []float64{0, 0.1, -0.6, 0.9} {
		r := rand.New(rand.NewPCG(uint64(k), 3))
		text := "theta.1,theta.2\n"
		for range 1000 {
			text += fmt.Sprintf("%v,%v\n", r.NormFloat64(), at+r.NormFloat64())
		}
		write(t, filepath.Join(dir, fmt.Sprintf("c-%d.csv", k+1)), text)
	}
	var d struct {
		Lanes []struct {
			Sampler       string
			Draws, Chains int
		}
		Findings []struct{ Key, Lane, Text, Proposes string }
	}
	document(t, &d, "watch", filepath.Join(dir, "c-*.csv"), "--target", "gaussian:a=1", "--beside", "hmc",
		"--idle", "100ms", "--json")
	if len(d.Lanes) != 2 || d.Lanes[0].Draws != 4000 || d.Lanes[1].Sampler != "hmc" || d.Lanes[1].Chains != 4 {
		t.Errorf("the lanes are %+v", d.Lanes)
	}
	for _, f := range d.Findings {
		if f.Key == "drifting" && f.Lane == "A" &&
			strings.HasPrefix(f.Text, "A's chains 3 and 4 disagree in theta[2]: ") &&
			f.Proposes == "" { // nobody here makes more of them
			return
		}
	}
	t.Errorf("the findings are %+v", d.Findings)
}
