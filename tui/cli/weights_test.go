package cli

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

var npyForm = regexp.MustCompile(`^\{'descr': '<f([48])', 'fortran_order': False, 'shape': \(([0-9]+),(?: ([0-9]+))?\), \} *\n$`)

// readNPY reads an array row by row.
func readNPY(t testing.TB, path string) (bits int, shape []int, x []float64) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < 10 || string(b[:8]) != "\x93NUMPY\x01\x00" {
		t.Fatalf("%s begins %q", path, b[:min(len(b), 10)])
	}
	n := int(binary.LittleEndian.Uint16(b[8:]))
	m := npyForm.FindStringSubmatch(string(b[10 : 10+n]))
	if m == nil || (10+n)%64 != 0 {
		t.Fatalf("%s has the header %q of %d bytes", path, b[10:10+n], n)
	}
	size := 1
	for _, s := range m[2:] {
		if s != "" {
			k, _ := strconv.Atoi(s)
			shape, size = append(shape, k), size*k
		}
	}
	b = b[10+n:]
	each, _ := strconv.Atoi(m[1])
	if len(b) != size*each {
		t.Fatalf("%s has %d bytes of numbers, want %d of %d", path, len(b), size, each)
	}
	for ; len(b) > 0; b = b[each:] {
		if each == 4 {
			x = append(x, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
		} else {
			x = append(x, math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	return 8 * each, shape, x
}

// TestWeightsAreTheNewestDraw compares --weights with the last row of --draws, for
// two lanes of one sampler, in either arithmetic.
func TestWeightsAreTheNewestDraw(t *testing.T) {
	dir := t.TempDir()
	last := func(name string) []float64 {
		f := readDraws(t, filepath.Join(dir, name+".csv"))
		return f.rows[len(f.rows)-1][4:]
	}
	ok(t, "run", "--samplers", "sgld,sgld:eps=0.1", "--steps", "100", "--draws", dir, "--weights", dir)
	for _, lane := range []string{"A-sgld", "B-sgld"} {
		bits, shape, got := readNPY(t, filepath.Join(dir, lane, "theta.npy"))
		if want := last(lane); bits != 64 || !slices.Equal(shape, []int{2}) || !slices.Equal(got, want) {
			t.Errorf("%s: θ of %d bits, shape %v, is %v, the newest draw %v", lane, bits, shape, got, want)
		}
	}
	ok(t, "run", "--target", "mlp:7-5", "--dataset", "strokes", "--samplers", "psgld", "--burn-in", "0", "--thin", "1",
		"--steps", "3", "--draws", dir, "--weights", dir)
	theta := last("A-psgld")
	for _, y := range []struct {
		name          string
		units, inputs int // inputs is 0 for biases
	}{{"dense1.weight", 7, 784}, {"dense1.bias", 7, 0}, {"dense2.weight", 5, 7}, {"dense2.bias", 5, 0},
		{"dense3.weight", 10, 5}, {"dense3.bias", 10, 0}} {
		bits, shape, got := readNPY(t, filepath.Join(dir, "A-psgld", y.name+".npy"))
		want := []int{y.units}
		if y.inputs > 0 {
			want = append(want, y.inputs)
		}
		if bits != 32 || !slices.Equal(shape, want) {
			t.Fatalf("%s: %d bits, shape %v, want 32 and %v", y.name, bits, shape, want)
		}
		// θ has a row for each input.
		for i := range max(1, y.inputs) {
			for u := range y.units {
				if w := float64(float32(theta[0])); got[u*max(1, y.inputs)+i] != w {
					t.Fatalf("%s: input %d of unit %d has %v, θ has %v", y.name, i+1, u+1, got[u*max(1, y.inputs)+i], w)
				}
				theta = theta[1:]
			}
		}
	}
	if len(theta) != 0 {
		t.Errorf("%d numbers of θ are in no array", len(theta))
	}
}

// testImages are the test images of a network's target, a row each, as bytes, and
// their labels.
func testImages(t *testing.T, p *targets.Problem) (x []float32, pixels int, labels []int32) {
	t.Helper()
	pictures := p.Impl().(targets.Pictures)
	labels = p.Impl().(targets.Predictor[float32]).Labels(dataset.Test)
	for r := range labels {
		image := pictures.Picture(dataset.Test, r)
		pixels = len(image)
		for _, b := range image {
			x = append(x, float32(b))
		}
	}
	return x, pixels, labels
}

// TestWeightsPredict predicts with the files alone, and compares with the scores of
// the document. An optimiser's are those of its newest θ.
func TestWeightsPredict(t *testing.T) {
	if testing.Short() {
		t.Skip("a run of a network")
	}
	dir := t.TempDir()
	p, err := targets.Open("mlp:20", targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	var d engine.Result
	document(t, &d, "run", "--target", "mlp:20", "--dataset", "strokes", "--samplers", "rmsprop", "--steps", "300",
		"--weights", dir)
	x, pixels, labels := testImages(t, p)
	wrong, nll := 0, 0.0
	var layers [2]struct{ w, b []float64 }
	for i := range layers {
		_, _, layers[i].w = readNPY(t, filepath.Join(dir, "A-rmsprop", fmt.Sprintf("dense%d.weight.npy", i+1)))
		_, _, layers[i].b = readNPY(t, filepath.Join(dir, "A-rmsprop", fmt.Sprintf("dense%d.bias.npy", i+1)))
	}
	for r, label := range labels {
		h := make([]float64, pixels)
		for i := range h {
			h[i] = float64(x[r*pixels+i]) / 126
		}
		for i, l := range layers {
			next := slices.Clone(l.b)
			for u := range next {
				for k, v := range h {
					next[u] += l.w[u*len(h)+k] * v
				}
				if i == 0 {
					next[u] = max(0, next[u])
				}
			}
			h = next
		}
		sum := 0.0
		for _, v := range h {
			sum += math.Exp(v - h[label])
		}
		nll += math.Log(sum) / float64(len(labels))
		if slices.Index(h, slices.Max(h)) != int(label) {
			wrong++
		}
	}
	lane := d.Lanes[0]
	// The program's logits are float32: about 1e-6 of each.
	got := float64(wrong) / float64(len(labels))
	if got != lane.Values[quantity.TestError].Trusted() ||
		math.Abs(nll-lane.Values[quantity.NLL].Trusted()) > 1e-5*nll {
		t.Errorf("test error %v, NLL %v; the document has %v and %v", got, nll,
			lane.Values[quantity.TestError].Trusted(), lane.Values[quantity.NLL].Trusted())
	}
}

// TestWeightsAgain checks that files of an earlier run are replaced, and that
// others are left alone or, where they would be taken for this run's, refused.
func TestWeightsAgain(t *testing.T) {
	innerlooptest.Skip(t, "six runs")
	dir := t.TempDir()
	run := func(args ...string) result {
		return runArgs(t, append([]string{"run", "--samplers", "sgld", "--steps", "50", "--weights", dir}, args...)...)
	}
	lane := filepath.Join(dir, "A-sgld")
	if r := run(); r.status != console.ExitDone || r.err != "" {
		t.Fatalf("status %d, %s", r.status, r.err)
	}
	first, err := os.ReadFile(filepath.Join(lane, "theta.npy"))
	if err != nil {
		t.Fatal(err)
	}
	notes := write(t, filepath.Join(lane, "notes.txt"), "mine")
	if r := run("--seed", "2"); r.status != console.ExitDone || r.err != "" {
		t.Fatalf("over earlier weights: status %d, %s", r.status, r.err)
	}
	second, err := os.ReadFile(filepath.Join(lane, "theta.npy"))
	if err != nil || bytes.Equal(first, second) {
		t.Errorf("the second run left the first one's file, %v", err)
	}
	if _, err := os.Stat(notes); err != nil {
		t.Error(err)
	}
	r := run("--target", "mlp:5", "--dataset", "strokes", "--draws", filepath.Join(dir, "new"))
	want := "psgld-tui: --weights: cannot write " + lane + ": it has theta.npy, which is no array of this target\n"
	if r.status != console.ExitFailed || r.err != want {
		t.Errorf("over another target's: status %d\n got %swant %s", r.status, r.err, want)
	}
	if entries, _ := os.ReadDir(lane); len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder for the draws was left behind: %v", err)
	}
}

// TestWeightsFail checks that folders that cannot be written are told of before
// the run, a full disk after it, and that nothing half-written is left.
func TestWeightsFail(t *testing.T) {
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "")
	for weights, want := range map[string]string{
		file: "cannot write " + filepath.Join(file, "A-sgld") + ": not a directory",
		filepath.Join(file, "in", "it"): "cannot write " + filepath.Join(file, "in", "it", "A-sgld") +
			": not a directory",
	} {
		r := runArgs(t, "run", "--samplers", "sgld", "--steps", "1000000000000", "--weights", weights)
		if r.status != console.ExitFailed || r.err != "psgld-tui: --weights: "+want+"\n" {
			t.Errorf("%s: status %d, %q", weights, r.status, r.err)
		}
	}
	// The second lane's folder is a file: that of the first is not left behind.
	out := filepath.Join(dir, "out")
	if err := os.Mkdir(out, 0o777); err != nil {
		t.Fatal(err)
	}
	b := write(t, filepath.Join(out, "B-sgld"), "")
	if r := runArgs(t, "run", "--samplers", "sgld,sgld", "--steps", "10", "--weights", out); r.status != console.ExitFailed || strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if err := os.Remove(b); err != nil {
		t.Fatal(err)
	}
	empty(t, out)

	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full to write to")
	}
	lane := filepath.Join(out, "B-sgld")
	if err := os.Mkdir(lane, 0o777); err != nil {
		t.Fatal(err)
	}
	full := filepath.Join(lane, "theta.npy")
	if err := os.Symlink("/dev/full", full); err != nil {
		t.Skip(err)
	}
	r := runArgs(t, "run", "--samplers", "sgld,sgld", "--steps", "10", "--weights", out)
	if r.status != console.ExitFailed ||
		r.err != "psgld-tui: --weights: cannot write "+full+": no space left on device\n" || r.out != "" {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if err := os.Remove(full); err != nil {
		t.Fatal(err)
	}
	empty(t, lane)
	if _, err := os.Stat(filepath.Join(out, "A-sgld")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("lane A's folder was left behind: %v", err)
	}
}

// TestWeightsOfTheEnd checks that an interrupted run and one whose lanes diverged
// write what they have.
func TestWeightsOfTheEnd(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if r := runContext(t, ctx, "run", "--samplers", "sgld", "--steps", "1000000000000", "--weights", dir); r.status != console.ExitInterrupted {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if r := runArgs(t, "run", "--samplers", "sgld:eps=10", "--steps", "1000", "--weights", filepath.Join(dir, "lost")); r.status != console.ExitDiverged {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	for _, at := range []string{dir, filepath.Join(dir, "lost")} {
		_, _, x := readNPY(t, filepath.Join(at, "A-sgld", "theta.npy"))
		for _, v := range x {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: θ is %v", at, x)
			}
		}
	}
}
