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

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Draws are compared with draws of another run: those of one target are consistent, those of another are not, few are
// too few, and what cannot be compared is one line.
func TestCheckReference(t *testing.T) {
	innerlooptest.Numbers(t, "long runs")
	dir := t.TempDir()
	made := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		ok(t, append([]string{"run", "--samplers", "hmc", "--draws", path}, args...)...)
		return filepath.Join(path, "A-hmc.csv")
	}
	right := made("right", "--target", "gaussian", "--steps", "4000")
	alike := made("alike", "--target", "gaussian", "--steps", "4000", "--seed", "2")
	wide := made("wide", "--target", "gaussian:a=2", "--steps", "4000", "--seed", "3")
	few := made("few", "--target", "gaussian", "--steps", "1040", "--seed", "4")
	named := filepath.Join(dir, "named.csv")
	if err := os.WriteFile(named, []byte("mu,tau\n1,2\n3,4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{alike, "--reference", right}, 0, "These 3,000 draws are consistent with the reference's 3,000, in 11 " +
			"numbers of 2 coordinates."},
		{[]string{wide, "--reference", right}, console.ExitAccused, "These 3,000 draws are not those of the reference: the "},
		{[]string{few, "--reference", right}, console.ExitTooFew, "too few to tell"},
		{[]string{right, "--reference", few}, console.ExitTooFew, "The reference's 40 draws are too few to tell"},
		{[]string{named, "--reference", right}, console.ExitFailed, "want a name that both have"},
		{[]string{wide, "--reference", right, "--target", "gaussian"}, console.ExitAccused,
			"the sd of theta[2] is 1.40"},
		{[]string{right, "--reference", right, "--target", "gaussian", "--eps", "1"}, console.ExitUsage,
			"--eps is about how draws were made"},
		{[]string{right, "--reference", right, "--method", "sgld"}, console.ExitUsage, "--method is about how draws were " +
			"made"},
		{[]string{"-", "--reference", "-"}, console.ExitUsage, "standard input cannot be the draws and the reference"},
		{[]string{right, "--reference", filepath.Join(dir, "none")}, console.ExitFailed, "no such file"},
	} {
		r := runArgs(t, append([]string{"check"}, c.args...)...)
		if said := strings.Join(strings.Fields(r.out+r.err), " "); r.status != c.status || !strings.Contains(said, c.says) {
			t.Errorf("%v: status %d, %s", c.args, r.status, said)
		}
	}
	var doc struct {
		Consistent *bool
		Needed     int
		Tests      []struct {
			Coordinate, Of string
			Z              float64
			Fails          bool
		}
	}
	r := runArgs(t, "check", wide, "--reference", right, "--json")
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Consistent == nil || *doc.Consistent || len(doc.Tests) != 11 || doc.Tests[6].Of != "sd" || !doc.Tests[6].Fails {
		t.Errorf("%s", r.out)
	}
	if r := runArgs(t, "check", few, "--reference", right, "--json"); !strings.Contains(r.out, `"consistent":null`) {
		t.Errorf("%s", r.out)
	}
}

// posteriordb's reference draws are read as they are published, and are consistent with themselves by halves.
func TestPosteriordb(t *testing.T) {
	innerlooptest.Numbers(t, "long runs")
	dir := os.Getenv("PSGLD_DATA")
	path := filepath.Join(dir, "posteriordb", "kidiq-kidscore_momiq.json.zip")
	if _, err := os.Stat(path); dir == "" || err != nil {
		t.Skip("posteriordb's draws are not there")
	}
	out := ok(t, "check", path, "--reference", path)
	if !strings.Contains(out, "These 10,000 draws are consistent with the reference's 10,000, in 16 numbers of 3") ||
		!strings.Contains(out, "beta[2]") {
		t.Errorf("%s", out)
	}
}

// --reference is the truth of a run and of what is watched: the bias of a lane's mean is against the mean of the file,
// and a file that cannot be one is refused in a line.
func TestReferenceAsTruth(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("x,y\n")
	r, sum := rand.New(rand.NewPCG(1, 9)), [2]float64{}
	for range 4000 {
		x, y := r.NormFloat64()+0.2, r.NormFloat64()
		fmt.Fprintf(&text, "%v,%v\n", x, y)
		sum[0], sum[1] = sum[0]+x, sum[1]+y
	}
	path, rec := write(t, filepath.Join(dir, "right.csv"), text.String()), filepath.Join(dir, "rec.json")
	var d truthDoc
	args := []string{"run", "--target", "density:-x^2-y^2", "--samplers", "hmc", "--steps", "4000", "--reference", path}
	document(t, &d, append(args, "--record", rec)...)
	if d.Truth.By != "reference draws" || d.Truth.Draws != 4000 || !(d.Truth.MinESS > 2500) {
		t.Errorf("the truth is %+v", d.Truth)
	}
	l := d.Lanes[0]
	for i, want := range []float64{sum[0] / 4000, sum[1] / 4000} {
		if l.Bias == nil || l.Bias[i] == nil || !(math.Abs(l.Mean[i]-want-*l.Bias[i]) < 0.05) { // its sd is 1 ± 0.04
			t.Errorf("bias %d is %v of mean %v, want it from %v in its sd", i, l.Bias, l.Mean, want)
		}
	}
	ok(t, "replay", "--verify", rec)
	args[2] = "density:-x^2-y^2;x > -99"
	if r := runArgs(t, args...); !strings.Contains(r.err, "stepped: ") || strings.Contains(r.err, "not known") {
		t.Errorf("with a truth it says %q", r.err)
	}
	args[2] = "density:-x^2-y^2"
	var w truthDoc
	document(t, &w, "watch", path, "--reference", path, "--idle", "100ms")
	if m := w.Lanes[0].MeanError; w.Truth.By != "reference draws" || m == nil || *m > 1e-9 {
		t.Errorf("draws held to themselves: %+v", w)
	}
	for _, c := range []struct{ file, want string }{
		{write(t, filepath.Join(dir, "other.csv"), "a,b\n1,2\n3,4\n"), "the reference has no x, y, but a, b"},
		{write(t, filepath.Join(dir, "indexed.csv"), "\"b[1,2]\",c\n1,2\n3,4\n"),
			"but b[1,2], c; b[1,2] may be written b_1_2"},
		{write(t, filepath.Join(dir, "few.csv"), "x,y\n1,2\n3,4\n"), "is no reference"},
		{filepath.Join(dir, "none"), "no such file"},
	} {
		if r := runArgs(t, append(args[:len(args)-1:len(args)-1], c.file)...); r.status != console.ExitFailed ||
			!strings.Contains(r.err, c.want) {
			t.Errorf("%s: status %d, %q, want %q", c.file, r.status, r.err, c.want)
		}
	}
}

// A method without bias that is far off a reference is told by the coordinate that shows it, in mean or in sd.
func TestReferenceOfSomethingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ref.csv")
	for sd, want := range map[float64]string{1: "A's mean of x is off the truth by -4.0", 7: "A's sd of x is 0.1"} {
		rng, text := rand.New(rand.NewPCG(1, 2)), "x\n"
		for range 4000 {
			text += fmt.Sprintln(4 + sd*rng.NormFloat64())
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := ok(t, "run", "--target", "density:-x^2/2", "--samplers", "hmc", "--reference", path, "--steps", "8000")
		if !strings.Contains(out, want) {
			t.Errorf("sd %g: no %q in %q", sd, want, out)
		}
	}
}
