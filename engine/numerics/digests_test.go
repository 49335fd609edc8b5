package numerics_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

var update = flag.Bool("update", false, "write the table anew; if a digest changes, numerics.Version has to")

// table is the file of digests. A line is of a lane, and has three fields with tabs between
// them: what the lane is, its digest at the end, and one letter for each step.
const table = "testdata/digests.txt"

// A row is a lane of the table.
type row struct {
	name string
	cfg  state.Config
}

// specs are the targets of the table beside networks: the examples that are no networks and need no data
// folder, and logistic regressions on small files of both forms.
func specs() []string {
	var all []string
	for _, f := range targets.Families() {
		switch {
		case f.Name == "blr":
			all = append(all, "blr:synthetic", "blr:testdata/sparse.svm", "blr:testdata/dense.csv")
		case !f.Images:
			all = append(all, f.Examples...)
		}
	}
	return all
}

// networks are those of the table, on few small images: all of the first, whose steps take
// little, and of the others a method of each kind. On a path with other digits for networks
// they are left out.
var networks = []string{"mlp:7-30", "cnn:5", "cnn:stochpool", "cnn:nin", "cnn:maxout"}

// problems opens the targets.
func problems(t *testing.T) map[string]*targets.Problem {
	all := map[string]*targets.Problem{}
	open := func(spec string, o targets.Options) {
		p, err := targets.Open(spec, o)
		if err != nil {
			t.Fatal(err)
		}
		p.Curvature = 0 // a table of digests outlives the defaults by curvature
		all[spec] = p
	}
	for _, spec := range specs() {
		open(spec, targets.Options{})
	}
	dir := images(t)
	for _, spec := range networks {
		open(spec, targets.Options{Dataset: dir})
	}
	return all
}

// images is a folder of 30 images of 8×8 pixels to train and 2 to test, of 3 classes. A third
// of the pixels are not 0.
func images(t *testing.T) string {
	const side = 8
	dir := t.TempDir()
	random := uint32(1)
	for part, n := range map[string]int{"train": 30, "t10k": 2} {
		x := binary.BigEndian.AppendUint32(nil, 0x803)
		y := binary.BigEndian.AppendUint32(nil, 0x801)
		for _, size := range []int{n, side, side} {
			x = binary.BigEndian.AppendUint32(x, uint32(size))
		}
		y = binary.BigEndian.AppendUint32(y, uint32(n))
		for i := range n {
			random = uint32(i + 1) // the order of the parts is any
			for range side * side {
				random = 1664525*random + 1013904223
				if random>>30 > 0 && i%3 != int(random>>28)%3 {
					random = 1664525*random + 1013904223
					x = append(x, 0)
				} else {
					x = append(x, uint8(random>>20))
				}
			}
			y = append(y, uint8(i%3))
		}
		for file, b := range map[string][]byte{"images-idx3": x, "labels-idx1": y} {
			if err := os.WriteFile(filepath.Join(dir, part+"-"+file+"-ubyte"), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return dir
}

// rows lists the lanes of the table: every method that runs on a target, as it begins
// there, and other settings on two targets.
func rows(t *testing.T, problems map[string]*targets.Problem) (all []row) {
	add := func(spec string, l state.Setting, name string, steps uint64, change func(*state.Config)) {
		// Every step is a draw, which the sink sees.
		l = l.With(sampler.KeyThin, 1).With(sampler.KeyBurnIn, 0)
		cfg := state.Config{Target: spec, Lanes: []state.Setting{l}, Seed: 1, Steps: steps}
		if change != nil {
			change(&cfg)
		}
		if err := cfg.Validate(problems[spec]); err != nil {
			t.Fatalf("%s %s: %v", spec, name, err)
		}
		all = append(all, row{strings.TrimSpace(spec + " " + l.Sampler + " " + name), cfg})
	}
	for _, spec := range specs() {
		p := problems[spec]
		for _, m := range catalog.Methods() {
			if m.Misfit(p) == "" {
				add(spec, state.DefaultSetting(p, m.Name), "", 200, nil)
			}
		}
	}
	for _, spec := range networks {
		p := problems[spec]
		for _, m := range catalog.Methods() {
			l := state.DefaultSetting(p, m.Name).With(sampler.KeyBatch, 3)
			data := func(c *state.Config) { c.Dataset = p.Dataset }
			switch {
			case m.Misfit(p) != "":
			case spec == networks[0]:
				add(spec, l, "", 30, data)
			case slices.Contains([]string{"psgld", "sgd-dropout", "bbb"}, m.Name):
				add(spec, l, "", 3, data)
			}
		}
	}
	for _, spec := range []string{"gaussian:noise=0.1", "blr:synthetic"} {
		p := problems[spec]
		psgld := state.DefaultSetting(p, "psgld")
		for _, s := range []string{"halve:7", "poly:0.05,10,0.33"} {
			l := psgld
			l.Schedule, _, _ = sampler.ParseSchedule(s)
			add(spec, l, s, 100, nil)
		}
		add(spec, psgld, "chains=3", 100, func(c *state.Config) { c.Chains = 3 })
		add(spec, psgld, "init=zero", 100, func(c *state.Config) { c.Init = "zero" })
		add(spec, psgld, "bias", 100, func(c *state.Config) { c.Bias = true })
		for _, m := range catalog.Methods() {
			if m.Misfit(p) != "" {
				continue
			}
			l := state.DefaultSetting(p, m.Name)
			for _, q := range state.Params(p, m.Name) {
				if v, ok := other(q, l.Value(q.Key)); ok {
					add(spec, l.With(q.Key, v), q.Key+"="+q.Format(v), 40, nil)
				}
			}
		}
	}
	for d := noise.Shuffle; d <= noise.Replace; d++ {
		l := state.DefaultSetting(problems["blr:synthetic"], "sgld").With(sampler.KeyBatch, 7)
		add("blr:synthetic", l, "batch=7 "+d.String(), 200, func(c *state.Config) { c.Draw = d })
	}
	return all
}

// other is a value of a parameter that changes a lane's numbers.
func other(q param.Param, v float64) (float64, bool) {
	switch {
	case q.Key == sampler.KeyThin || q.Key == sampler.KeyBurnIn:
		return 0, false
	case q.Scale == param.Choice:
		v = math.Mod(v+1, float64(len(q.Choices)))
	case q.Scale == param.OneMinusLog:
		v = 1 - float64(1.5*(1-v))
	case q.Scale == param.Integer:
		v = math.Floor(v/2) + 3
	default:
		v = float64(0.75*v) + 0.001
	}
	return v, q.Check(v) == nil
}

// A tape has one letter for each draw, of six bits of the sum of all numbers so far.
type tape struct {
	sum     []byte
	letters bytes.Buffer
}

// Draw implements engine.Sink.
func (t *tape) Draw(d engine.Drawn, theta []float64) error {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	h := fnv.New64a()
	h.Write(t.sum)
	for _, x := range append([]float64{d.Eps, d.Accept, d.LogPost}, theta...) {
		if x != x {
			x = math.NaN() // its bits are the processor's
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		h.Write(b[:])
	}
	t.sum = h.Sum(nil)
	t.letters.WriteByte(letters[h.Sum64()&63])
	return nil
}

// line runs a lane.
func (r row) line(p *targets.Problem) (string, error) {
	var all tape
	s, err := session.New(r.cfg, p,
		session.Runtime{Threads: 1, Unseen: true,
			Sink: func(at engine.ChainID, _ *targets.Problem, _ state.Setting) (engine.Sink, error) {
				if at.Chain > 0 {
					return nil, nil
				}
				return &all, nil
			}})
	if err == nil {
		err = s.Run(context.Background())
	}
	if err != nil {
		return "", err
	}
	digests := s.Recording("").Digests
	return r.name + "\t" + digests[len(digests)-1].Digest + "\t" + all.letters.String(), nil
}

// TestDigests compares every lane with the table, in the inner loop every ninth.
func TestDigests(t *testing.T) {
	problems := problems(t)
	if *update && simd.OtherDigits() {
		t.Fatal("the table is of networks too, which have other digits on this path: take PSGLD_SIMD=exact")
	}
	text, err := os.ReadFile(table)
	if err != nil && !*update {
		t.Fatal(err)
	}
	want := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, "\t")
		want[name] = strings.TrimSuffix(line, "\n")
	}
	var out strings.Builder
	lanes := rows(t, problems)
	same, missing := 0, false
	for i, r := range lanes {
		if slices.Contains(networks, r.cfg.Target) && simd.OtherDigits() ||
			innerlooptest.Only() && i%9 > 0 && !*update {
			delete(want, r.name)
			continue
		}
		got, err := r.line(problems[r.cfg.Target])
		if err != nil {
			t.Fatalf("%s: %v", r.name, err)
		}
		fmt.Fprintln(&out, got)
		if got == want[r.name] {
			same++
		} else if !*update {
			t.Errorf("lane %s %s", r.name, differs(got, want[r.name]))
			missing = missing || want[r.name] == ""
		}
		delete(want, r.name)
	}
	if *update {
		if err := os.WriteFile(table, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if missing {
		t.Log("PSGLD_SIMD=exact go test ./engine/numerics -update adds lanes to the table")
	}
	for name := range want {
		t.Errorf("lane %s is in the table alone", name)
	}
	t.Logf("%d of %d lanes agree on %s/%s, kernels %s", same, len(lanes), runtime.GOOS, runtime.GOARCH, simd.Kernels())
}

// differs says from which step on a line is not that of the table.
func differs(got, want string) string {
	if want == "" {
		return "is not in the table"
	}
	g, w := strings.Split(got, "\t"), strings.Split(want, "\t")
	if len(g) != 3 || len(w) != 3 {
		return "has no line of three fields"
	}
	for i := range min(len(g[2]), len(w[2])) {
		if g[2][i] != w[2][i] {
			return fmt.Sprintf("differs from step %d on", i+1)
		}
	}
	if g[2] != w[2] {
		return fmt.Sprintf("has %d steps, the table %d", len(g[2]), len(w[2]))
	}
	return fmt.Sprintf("differs in what is no draw: digest %s, the table has %s", g[1], w[1])
}

func TestDiffers(t *testing.T) {
	const line = "lane\tdigest\tABC"
	got := []string{differs("lane\tdigest\tABD", line), differs("lane\tother\tABC", line), differs(line, ""),
		differs("lane\tdigest\tAB", line)}
	want := []string{"differs from step 3 on", "differs in what is no draw: digest other, the table has digest",
		"is not in the table", "has 2 steps, the table 3"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
