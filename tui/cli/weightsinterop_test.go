package cli

import (
	"math"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

// interpreter finds what runs modules, as childtest.Interpreter does, where there is time for it.
func interpreter(t *testing.T, modules ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skipf("%v takes seconds", modules)
	}
	return childtest.Interpreter(t, modules...)
}

// TestWeightsReadByNumPy has NumPy load an MLP and predict.
func TestWeightsReadByNumPy(t *testing.T) {
	runPython(t, interpreter(t, "numpy"), "mlp:20-15", `
import numpy as np
h = np.load("x.npy") / 126
for layer in "dense1", "dense2", "dense3":
    w, b = np.load(f"A-rmsprop/{layer}.weight.npy"), np.load(f"A-rmsprop/{layer}.bias.npy")
    assert w.dtype == b.dtype == np.float32 and w.flags.c_contiguous and w.shape == (len(b), h.shape[1])
    h = h @ w.T + b
    if layer != "dense3":
        h = np.maximum(h, 0)
print(np.mean(h.argmax(1) != np.load("y.npy")))
`)
}

// TestWeightsReadByPyTorch has PyTorch load the paper's CNN and predict. Its images
// are in the order (channel, row, column).
func TestWeightsReadByPyTorch(t *testing.T) {
	innerlooptest.Later(t, "PyTorch begins in seconds")
	runPython(t, interpreter(t, "torch", "numpy"), "cnn:20-15", `
import numpy as np, torch
from torch import nn
def load(module, layer, order, shape):
    w = np.load(f"A-rmsprop/{layer}.weight.npy")
    module.weight.data = torch.from_numpy(w.reshape(len(w), *order).transpose(0, 3, 1, 2).reshape(shape))
    module.bias.data = torch.from_numpy(np.load(f"A-rmsprop/{layer}.bias.npy"))
    return module
net = nn.Sequential(
    load(nn.Conv2d(1, 32, 5, padding=2), "conv1", (5, 5, 1), (32, 1, 5, 5)), nn.MaxPool2d(2), nn.ReLU(),
    load(nn.Conv2d(32, 64, 5, padding=2), "conv2", (5, 5, 32), (64, 32, 5, 5)), nn.MaxPool2d(2), nn.ReLU(), nn.Flatten(),
    load(nn.Linear(7 * 7 * 64, 20), "dense1", (7, 7, 64), (20, -1)), nn.ReLU(),
    load(nn.Linear(20, 15), "dense2", (1, 1, 20), (15, -1)), nn.ReLU(),
    load(nn.Linear(15, 10), "dense3", (1, 1, 15), (10, -1)))
x = torch.from_numpy(np.load("x.npy").reshape(-1, 1, 28, 28)) / 126
with torch.no_grad():
    print(np.mean(net(x).argmax(1).numpy() != np.load("y.npy")))
`)
}

// runPython trains a network for some steps, runs a program beside its weights and
// test images, which prints a test error, and compares that with the document's.
func runPython(t *testing.T, python, spec, program string) {
	dir := t.TempDir()
	p, err := targets.Open(spec, targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	var d engine.Result
	document(t, &d, "run", "--target", spec, "--dataset", "strokes", "--samplers", "rmsprop", "--steps", "100",
		"--thin", "100", "--weights", dir)
	x, pixels, labels := testImages(t, p)
	y := make([]float64, len(labels))
	for i, c := range labels {
		y[i] = float64(c)
	}
	write(t, filepath.Join(dir, "x.npy"), string(numpy.NPY([]int{len(labels), pixels}, x)))
	write(t, filepath.Join(dir, "y.npy"), string(numpy.NPY([]int{len(labels)}, y)))
	cmd := exec.Command(python, "-c", program)
	cmd.Dir = dir
	b, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	got, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	if err != nil {
		t.Fatal(err)
	}
	// Sums in another order differ by some 1e-6 of a logit, which may turn the label
	// of an image that two classes claim alike.
	want := d.Lanes[0].Values[quantity.TestError].Trusted()
	if math.Abs(got-want) > 1.5/float64(len(labels)) || want > 0.8 {
		t.Errorf("%s: a test error of %v from the files, the document has %v", spec, got, want)
	}
}
