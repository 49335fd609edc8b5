package cli

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

type truthDoc struct {
	Truth struct {
		By      string
		Draws   uint64
		MinESS  float64 `json:"min_ess"`
		RHat    float64
		Cached  bool
		Nothing any
	}
	Lanes []struct {
		Sampler   string
		Mean      []float64
		Bias      []*float64
		MeanError *float64 `json:"mean_error"`
		CovError  *float64 `json:"cov_error"`
		Notes     []string
	}
}

// --truth hmc gives every lane its error, is kept for the next time, and is part
// of the session.
func TestTruth(t *testing.T) {
	innerlooptest.Later(t, "it finds a truth three times; package study finds small ones")
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	var first, again truthDoc
	args := []string{"run", "--target", "blr:synthetic", "--samplers", "psgld,sgld:temp=0.5", "--steps", "40000",
		"--truth", "hmc:draws=4000"}
	document(t, &first, args...)
	document(t, &again, args...)
	d := first.Truth
	if d.By != "hmc" || d.Draws != 4000 || d.Cached || !(d.RHat < 1.01) || !(d.MinESS > 1250) || !again.Truth.Cached {
		t.Errorf("truth %+v, then %+v", d, again.Truth)
	}
	l := first.Lanes[0]
	sum := 0.0
	for i, b := range l.Bias {
		if *b != *again.Lanes[0].Bias[i] {
			t.Errorf("bias %d is %g, from the cache %g", i, *b, *again.Lanes[0].Bias[i])
		}
		sum += *b * *b / float64(len(l.Bias))
	}
	if len(l.Bias) != len(l.Mean) || l.CovError == nil || l.MeanError == nil ||
		math.Abs(math.Sqrt(sum)-*l.MeanError) > 1e-12 {
		t.Errorf("bias %v, errors %v and %v", l.Bias, l.MeanError, l.CovError)
	}
	if l := first.Lanes[1]; l.MeanError != nil || l.Bias[0] != nil ||
		!strings.Contains(strings.Join(l.Notes, "; "), "at --temp 1") {
		t.Errorf("a lane at another temperature: %+v", l)
	}
	files, err := filepath.Glob(filepath.Join(cache, "psgld-tui", "truth", "*"))
	if err != nil || len(files) != 1 {
		t.Errorf("the cache holds %v, %v", files, err)
	}
	record := filepath.Join(t.TempDir(), "session.json")
	ok(t, append(args, "--record", record)...)
	ok(t, "replay", "--verify", record)
}

// A truth that is known is not looked for, which is said, and lanes have their
// bias all the same.
func TestTruthThatIsKnown(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	r := runArgs(t, "run", "--truth", "hmc", "--steps", "2000", "--samplers", "sgld", "--json")
	if r.status != console.ExitDone || !strings.Contains(r.out, `"truth":{"by":"exact","cached":false}`) ||
		!strings.Contains(r.out, `"bias":[`) ||
		r.err != "psgld-tui: the truth of gaussian is known exactly, without hmc\n" {
		t.Errorf("status %d, %q, %s", r.status, r.err, r.out)
	}
}

func TestTruthMisused(t *testing.T) {
	if testing.Short() {
		t.Skip("many command lines")
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	for _, c := range []struct{ args, want string }{
		{"run --truth sgld", `--truth must be one of hmc, mala, which have no bias, got "sgld"`},
		{"run --truth mala:draw=5",
			`--truth must be mala or mala:draws=COUNT, and may have target-accept, warmup, mass, adapt, got "mala:draw=5"`},
		{"run --truth hmc:leapfrog=0", "--truth hmc:leapfrog must be a whole number from 1 to 1000000, got 0"},
		{"run --truth hmc:draws=5", "--truth hmc:draws must be a whole number, 400 or more, got 5"},
		{"run --truth hmc --target mlp:20 --dataset strokes",
			"--truth hmc does not run on mlp:20: it needs the exact log-likelihood of all data at every step; " +
				"networks have minibatches and single precision"},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != console.ExitUsage || r.err != "psgld-tui: "+c.want+"\n" || r.out != "" {
			t.Errorf("%s: status %d, %q", c.args, r.status, r.err)
		}
	}
	empty(t, cache)
	// A folder that cannot be written is a warning.
	file := filepath.Join(cache, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	r := runArgs(t, "run", "--target", "blr:synthetic", "--samplers", "sgld", "--steps", "100", "--truth",
		"hmc:draws=8000")
	if r.status != console.ExitDone ||
		!strings.HasPrefix(r.err, "psgld-tui: the truth is not kept for the next time: cannot write ") ||
		strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}
