package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/tui/app"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/control"
)

// TestPlain checks the status lines: one at a time, in words, without escape
// sequences, and with what matters most where a machine is slow enough for it to be known
// before lane B has left its bounds.
func TestPlain(t *testing.T) {
	p := gaussian(t)
	cfg := state.Config{Target: p.Spec, Init: "random", Seed: 1,
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	cfg.Lanes[1] = cfg.Lanes[1].With("eps", 0.7) // diverges
	s, err := session.New(cfg, p, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := stopAfter{diverged: 3, stop: cancel}
	start := func(context.Context, *control.Loading) (*session.Session, error) { return s, nil }
	if _, err := plain(20*time.Millisecond)(ctx, start, app.Options{Output: &out}); err != nil {
		t.Fatal(err)
	}
	const numbers = `covariance error (too short|skewed|[\d.]+), max tau (too short|skewed|[\d.]+), min ESS (too short|skewed|[\d.,]+( [kM])?)`
	line := regexp.MustCompile(`^step [\d,]+( M)?, [\d.,]+( [kM])? steps/s, running; A pSGLD: ` + numbers +
		`; B SGLD: (` + numbers + `|diverged at step \d+: .*?)` +
		`(; [AB] is too short to trust: [\d,]+\+ further steps, [\d.]+(ms|s|m))?$`)
	for l := range strings.Lines(out.String()) {
		if !line.MatchString(strings.TrimSuffix(l, "\n")) {
			t.Errorf("a line is %q", l)
		}
	}
}

// stopAfter gathers what is written and calls stop at the n-th line that says so.
type stopAfter struct {
	bytes.Buffer
	diverged int
	stop     func()
}

func (s *stopAfter) Write(b []byte) (int, error) {
	n, err := s.Buffer.Write(b)
	if bytes.Count(s.Bytes(), []byte("diverged")) >= s.diverged {
		s.stop()
	}
	return n, err
}

// TestPlainEnds checks that the plain screen ends with its session, says what
// there was, and has run's statuses.
func TestPlainEnds(t *testing.T) {
	out := ok(t, "--plain", "--steps", "2000", "--samplers", "sgld")
	if !strings.HasSuffix(out, "\n# again:\npsgld-tui --samplers sgld --steps 2000\n") ||
		!strings.Contains(out, "A SGLD  step 2,000  covariance error ") {
		t.Errorf("it says\n%s", out)
	}
	if r := runArgs(t, "--samplers", "sgld", "--eps", "0.8"); r.status != console.ExitDiverged {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if r := runContext(t, ctx); r.status != console.ExitInterrupted ||
		!strings.HasSuffix(r.out, "\n# again:\npsgld-tui\n") {
		t.Errorf("status %d, %q", r.status, r.out)
	}
}

// TestTable pins a table for people.
func TestTable(t *testing.T) {
	coord := func(mean, mcse, sd, act, ess metrics.Estimate) quantity.CoordValues {
		v := quantity.CoordValues{quantity.Mean: mean, quantity.MCSE: mcse, quantity.SD: sd, quantity.ACT: act,
			quantity.ESS: ess}
		v.FillErrors()
		return v
	}
	no, x := metrics.Withheld(metrics.Constant, 200_000), metrics.Exact
	lost := metrics.Withheld(metrics.Diverged, 105)
	r := engine.Result{Config: state.Config{Seed: 20}, Lanes: []engine.LaneResult{
		{
			Lane:           "A",
			Sampler:        "psgld",
			Kind:           "sampler",
			Eps:            0.3,
			Steps:          200_000,
			Draws:          200_000,
			StepsPerSecond: 12.4e6,
			BiasUnknown:    true,
			Values: quantity.Values{
				quantity.CovError: x(0.153), quantity.Temperature: x(1.0234), quantity.MaxACT: no, quantity.MinESS: no,
				quantity.ESSPerSecond: no, quantity.Loss: x(1),
			},
			Names: []string{"theta[1]", "theta[2]"},
			Coords: []quantity.CoordValues{coord(x(-0.00123), x(0.0022), x(0.4424), x(2.53), x(39_532)),
				coord(x(0.0101), no, x(1.05), no, no)},
		},
		{
			Lane: "B", Sampler: "sgld", Kind: "sampler", Eps: 0.7, Steps: 105, Draws: 105, StepsPerSecond: 24.1e6,
			Values: quantity.Values{
				quantity.CovError: lost, quantity.Temperature: lost, quantity.MaxACT: lost, quantity.MinESS: lost,
				quantity.ESSPerSecond: lost,
			},
			Diverged: &state.Divergence{Step: 106, Coordinate: "theta[1]", Value: math.NaN(), Eps: 0.7,
				Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}},
		},
	}}
	var out bytes.Buffer
	text.WriteRun(&out, r, gaussian(t))
	const want = `gaussian  N(0, diag(0.16, 1))  seed 20

lane  sampler      ε    steps    draws  steps/s     max τ   min ESS  cov. error  temperature     ESS/s
A     pSGLD    0.300  200,000  200,000   12.4 M  constant  constant       0.153         1.02  constant
B     SGLD     0.700      105      105   24.1 M  diverged  diverged    diverged     diverged  diverged

B SGLD diverged at step 106: theta[1] is not a number; ε = 0.7 is not below 4σ² = 0.64

A pSGLD: each ± is the chain's own error, bias not known
  coordinate       mean ± MCSE     sd         τ       ESS
  theta[1]    -0.0012 ± 0.0022  0.442      2.53    39,532
  theta[2]              0.0101   1.05  constant  constant

B SGLD
  coordinate  mean  sd  τ  ESS
  note: the lane diverged at step 106: its numbers estimate nothing
`
	if out.String() != want {
		t.Errorf("the table is\n%s\nwant\n%s", out.String(), want)
	}
}

// TestData checks the list and the verification of a data folder.
func TestData(t *testing.T) {
	dir := t.TempDir()
	if out := ok(t, "data", "list", "--data", dir); !strings.Contains(out, "data folder: "+dir+"\n") ||
		strings.Count(out, "not found") != len(dataset.KnownSets()) {
		t.Errorf("the list of an empty folder is\n%s", out)
	}
	if err := os.Mkdir(filepath.Join(dir, "australian"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "australian", "australian.dat"), "1 2 0\n")
	r := runArgs(t, "data", "verify", "--data", dir)
	want := "psgld-tui: 1 file in " + dir + " is not what it should be\n"
	if r.status != console.ExitFailed || r.err != want || !strings.Contains(r.out, "wrong size: 6 bytes, want 28735") {
		t.Errorf("status %d, %q\n%s", r.status, r.err, r.out)
	}
}

// TestRealData checks the data folder, and the first steps of the paper's run on a9a, of which package regression has
// all.
func TestRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("a result of the paper, by no other code than elsewhere")
	}
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	if out := ok(t, "data", "verify"); strings.Contains(out, "wrong") {
		t.Errorf("verify says\n%s", out)
	}
	var d engine.Result
	document(t, &d, "run", "--target", "blr:a9a", "--lr", "0.05", "--batch", "50", "--prior-var", "10", "--thin", "50",
		"--burn-in", "500", "--steps", "3000")
	for _, l := range d.Lanes {
		if x := l.Values[quantity.TestError].Trusted(); x < 0.142 || x > 0.157 {
			t.Errorf("%s: test error %v, want 0.142 to 0.157", l.Sampler, x)
		}
		if l.Draws != 50 {
			t.Errorf("%s: %d draws, want (3000 - 500)/50", l.Sampler, l.Draws)
		}
	}
}

// TestNumbersInJSON checks that what is not finite is null and not a word.
func TestNumbersInJSON(t *testing.T) {
	r := runArgs(t, "run", "--samplers", "sgld", "--eps", "5", "--steps", "100", "--burn-in", "50", "--json")
	if !json.Valid([]byte(r.out)) || strings.Contains(r.out, "NaN") {
		t.Errorf("the document is %s", r.out)
	}
}
