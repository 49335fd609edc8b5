package targets

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/nets"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Classifier is a neural network that tells the classes of images apart:
//
//	p(y | x, θ) = softmax(f(x, θ))_y.
//
// The prior N(0, σ²I) is the sampler's (see Target); it covers weights and biases.
// Several goroutines may use a Classifier, but wait for each other. Forks do not wait.
type Classifier struct {
	net    *nets.Network
	images *dataset.Images
	test   []int32
	names  []string // of the classes

	mu sync.Mutex
	ws *nets.Workspace // of one worker, made when first needed, unless a fork
}

var (
	_ Forker[float32] = (*Classifier)(nil)
	_ Fork[float32]   = (*Classifier)(nil)
	_ Layered         = (*Classifier)(nil)

	_ LikelihoodGradient[float32] = (*Classifier)(nil)
	_ Stochastic[float32]         = (*Classifier)(nil)
	_ Distiller[float32]          = (*Classifier)(nil)
)

func newClassifier(net *nets.Network, m *dataset.Images) *Classifier {
	c := &Classifier{net: net, images: m, test: list.Map(m.TestY, func(y uint8) int32 { return int32(y) })}
	if c.names = m.ClassNames; c.names == nil {
		c.names = list.Map(list.Upto(net.Classes()), strconv.Itoa)
	}
	return c
}

// Dim is the number of weights and biases.
func (c *Classifier) Dim() int { return c.net.Dim() }

// N is the number of training images.
func (c *Classifier) N() int { return len(c.images.TrainY) }

// Fork implements Forker.
func (c *Classifier) Fork(workers int) Fork[float32] {
	return &Classifier{net: c.net, images: c.images, test: c.test, names: c.names, ws: c.net.NewWorkspace(workers)}
}

// Each implements Fork.
func (c *Classifier) Each(n int, task func(worker, i int)) {
	ws := c.lock()
	defer c.mu.Unlock()
	ws.Each(n, task)
}

// Close ends a fork's workers.
func (c *Classifier) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ws != nil {
		c.ws.Close()
		c.ws = nil
	}
}

// lock makes the workspace the caller's.
func (c *Classifier) lock() *nets.Workspace {
	c.mu.Lock()
	if c.ws == nil {
		c.ws = c.net.NewWorkspace(1)
	}
	return c.ws
}

// Grad writes ḡ to dst.
func (c *Classifier) Grad(dst, theta []float32, batch []int32) { c.GradLogLik(dst, theta, batch) }

// GradLogLik implements LikelihoodGradient.
func (c *Classifier) GradLogLik(dst, theta []float32, batch []int32) float64 {
	ws := c.lock()
	defer c.mu.Unlock()
	return -c.net.Grad(ws, dst, theta, c.examples(), batch)
}

// GradRandom implements Stochastic.
func (c *Classifier) GradRandom(dst, theta []float32, batch []int32, r nets.Random, keep Keep) float64 {
	ws := c.lock()
	defer c.mu.Unlock()
	return -c.net.GradRandom(ws, dst, theta, c.examples(), batch, r, keep)
}

// GradDistill implements Distiller.
func (c *Classifier) GradDistill(dst, student, teacher []float32, batch []int32, r nets.Random,
	jitter float64) float64 {
	ws := c.lock()
	defer c.mu.Unlock()
	return c.net.GradDistill(ws, dst, student, teacher, c.examples(), batch, r, jitter)
}

func (c *Classifier) examples() nets.Examples {
	return nets.Examples{X: c.images.TrainX, Y: c.images.TrainY}
}

// Classes is the number of classes of the data set.
func (c *Classifier) Classes() int { return c.net.Classes() }

// Labels returns the classes of the test images. It returns nil for the training images:
// a pass over them at every kept draw would take longer than the sampling.
func (c *Classifier) Labels(s dataset.Split) []int32 {
	if s == dataset.Test {
		return c.test
	}
	return nil
}

// Predict implements Predictor. It also knows Train.
func (c *Classifier) Predict(dst []float64, theta []float32, s dataset.Split) {
	c.PredictPictures(dst, theta, c.pixels(s))
}

func (c *Classifier) pixels(s dataset.Split) []uint8 {
	if s == dataset.Test {
		return c.images.TestX
	}
	return c.images.TrainX
}

// Layers implements Layered.
func (c *Classifier) Layers() []Layer { return c.net.Blocks() }

// PictureSize implements Pictures.
func (c *Classifier) PictureSize() (rows, cols, channels int) {
	return c.images.Rows, c.images.Cols, c.images.Channels
}

// Picture implements Pictures.
func (c *Classifier) Picture(s dataset.Split, r int) []uint8 {
	size := c.images.Pixels()
	return c.pixels(s)[r*size:][:size:size]
}

// ClassNames implements Pictures.
func (c *Classifier) ClassNames() []string { return c.names }

// Bounds on a network's description.
const (
	maxLayers = 16
	maxUnits  = 1_000_000_000
)

// A network is what a target of networks is made of.
type network struct {
	spec     string // of the family and its sizes
	hidden   []int
	start    nets.Start
	divisor  float64
	settings string // in canonical form, with a semicolon before each
}

// parseNetwork reads "SIZES;key=value;…"; without sizes they are the standard ones.
func parseNetwork(family, args string, standard []int) (*network, error) {
	sizes, settings, _ := strings.Cut(args, ";")
	sizes = strings.TrimSpace(sizes)
	n := &network{hidden: standard}
	spec := family
	if sizes != "" {
		spec += ":" + sizes
		var ok bool
		if n.hidden, ok = parseSizes(sizes); !ok {
			return nil, misuse("%s: sizes must be up to %d numbers from 1 to %s, joined by -, got %q",
				family, maxLayers, thousands(maxUnits), sizes)
		}
	}
	err := parseSettings(spec, settings, []setting{
		{"init", func(value string) error {
			switch value {
			case "he":
				n.start = nets.He
			case "authors":
				n.start = nets.Authors
			default:
				return fmt.Errorf("must be he or authors, got %q", value)
			}
			return nil
		}},
		number{"divisor", &n.divisor, nets.PixelDivisor, 1e-3, 1e6}.setting(),
	})
	if err != nil {
		return nil, err
	}
	n.spec = family + ":" + joined(n.hidden)
	if n.start == nets.Authors {
		n.settings += ";init=authors"
	}
	if n.divisor != nets.PixelDivisor {
		n.settings += ";divisor=" + format(n.divisor)
	}
	return n, nil
}

func parseSizes(s string) ([]int, bool) {
	var sizes []int
	for part := range strings.SplitSeq(s, "-") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > maxUnits || len(sizes) == maxLayers {
			return nil, false
		}
		sizes = append(sizes, n)
	}
	return sizes, true
}

func joined(sizes []int) string {
	return strings.Join(list.Map(sizes, strconv.Itoa), "-")
}

// problem opens the data and builds the network on them; its title begins with what title returns for them.
func (n *network) problem(o Options, lr, plainLR float64, title func(m *dataset.Images) string,
	build func(in nets.Input, m *dataset.Images) (*nets.Network, error)) (*Problem, error) {
	set, err := openDataset(o)
	if err != nil {
		return nil, err
	}
	m := set.images
	rows := len(m.TrainY)
	if rows < 2 {
		return nil, fmt.Errorf("dataset %s: %d image to train, want at least 2", set.name, rows)
	}
	in := nets.Input{Shape: nets.Shape{Height: m.Rows, Width: m.Cols, Channels: m.Channels}, Divisor: n.divisor}
	net, err := build(in, m)
	size, tooLarge := errors.AsType[*nets.SizeError](err)
	switch {
	case tooLarge:
		err = n.tooLarge(neededBytes(size.Parameters, 0))
	case err != nil:
		err = misuse("%s on dataset %s: %w", n.spec, set.name, err)
	default:
		if need := neededBytes(big.NewInt(int64(net.Dim())), net.WorkspaceBytes()); need.Cmp(memoryLimit()) > 0 {
			err = n.tooLarge(need)
		}
	}
	if err != nil {
		return nil, err
	}
	batch := min(100, rows)
	return &Problem{
		Spec:    n.spec + n.settings,
		Title:   fmt.Sprintf("%s, %s, N = %s, D = %s", title(m), m.Name, thousands(rows), thousands(net.Dim())),
		Note:    note(set.note),
		Dataset: set.name,
		F32:     newClassifier(net, m),
		// Section 5.3 with the step sizes of its tables read as h, and T = 1/N, as in the authors' code: at T = 1, the
		// posterior itself, pSGLD's test error on MNIST is 2.3% where the paper prints 1.45 and T = 1/N gives 1.4
		// (PAPER §3). Steps are 20 epochs.
		Defaults: Defaults{
			LR: lr, PlainLR: plainLR, Batch: batch, Thin: 100, BurnIn: 300, PriorVar: 1, Temp: 1 / float64(rows),
			Steps: uint64(20 * ((rows + batch - 1) / batch)),
		},
		Init: func(dst, z []float64) { net.Start(dst, z, n.start) },
	}, nil
}

// note is the note about the data, and the note about the machine's arithmetic if it has other digits.
func note(data string) string {
	switch {
	case !simd.OtherDigits():
		return data
	case data != "":
		data += "; "
	}
	return data + simd.Others + ": products are not fused with sums here"
}

// laneBytes is the number of bytes of a lane for each parameter. In float32 there are θ, V, ḡ and the step's noise, θ
// and V in at least eight keyframes, two draws that wait for their evaluation, and at least four more on a screen for
// shifted predictions. In float64 there are a start and a draw.
const laneBytes = 4*4 + 8*2*4 + (2+4)*4 + 2*8

// neededBytes is the least memory of a lane.
func neededBytes(parameters *big.Int, workspace int64) *big.Int {
	need := new(big.Int).Mul(parameters, big.NewInt(laneBytes))
	return need.Add(need, big.NewInt(workspace))
}

// memoryLimit is the most memory of a lane: 4 GiB, or the machine's if that is less.
func memoryLimit() *big.Int {
	const most = uint64(4 << 30)
	limit := most
	if have := dataset.Memory(); have > 0 {
		limit = min(limit, have)
	}
	return new(big.Int).SetUint64(limit)
}

func (n *network) tooLarge(need *big.Int) error {
	return misuse("%s needs %s bytes of memory for a lane, want at most %s",
		n.spec, param.Commas(need.String()), param.Commas(memoryLimit().String()))
}
