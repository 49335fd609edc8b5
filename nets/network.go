package nets

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
)

// PixelDivisor is the divisor of pixels in the released code of the paper's authors.
// MNIST's pixels then lie between 0 and 2.02.
const PixelDivisor = 126

// Input is the input of a network: examples of a shape in bytes, each byte divided by Divisor.
type Input struct {
	Shape
	Divisor float64
}

// A Network is a chain of layers over a flat parameter vector, the layers'
// parameters one after another. It is never changed.
type Network struct {
	input  Input
	layers []placed
	blocks []Block
	dim    int
	// words is the number of random words of an example; the inputs' come first.
	words int
	// bytes maps a pixel to the first layer's input.
	bytes [256]float32
}

// placed is a layer in its place.
type placed struct {
	Layer
	in, out  Shape
	from, to int    // its parameters in θ
	place    uint64 // of its random words among an example's
}

// A Block is the range of θ with the parameters of one layer: a matrix of weights, row by row, or one row of biases.
// Rows of a convolution are in the order (row, column, in).
type Block struct {
	Name       string // such as "conv1" and "conv1 bias"
	From, To   int
	Rows, Cols int
	// FanIn is the number of inputs of a unit, and FanOut the number of units that read
	// an input; both are 0 for biases.
	FanIn, FanOut int
}

// A SizeError says that a network has more parameters than an index can count.
type SizeError struct{ Parameters *big.Int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("%s parameters, want at most %d", e.Parameters, math.MaxInt32)
}

// New returns the network of these layers. The error names a layer that does not fit, or is a *SizeError.
func New(in Input, layers ...Layer) (*Network, error) {
	if in.Height < 1 || in.Width < 1 || in.Channels < 1 || !(in.Divisor > 0) {
		return nil, fmt.Errorf("images of %v divided by %v", in.Shape, in.Divisor)
	}
	n := &Network{input: in}
	for i := range n.bytes {
		n.bytes[i] = float32(float64(i) / in.Divisor)
	}
	shape, total := in.Shape, new(big.Int)
	n.words = coinWords(in.Len())
	var name namer
	for i, l := range layers {
		out, err := l.out(shape)
		if err != nil {
			return nil, fmt.Errorf("layer %d: %w", i+1, err)
		}
		q := l.params(shape)
		total.Add(total, new(big.Int).Mul(big.NewInt(int64(q.rows)), big.NewInt(int64(q.cols))))
		p := placed{Layer: l, in: shape, out: out}
		if total.IsInt64() && total.Int64() <= math.MaxInt32 {
			p.from, p.to = n.dim, int(total.Int64())
			n.dim = p.to
			if p.to > p.from {
				n.blocks = append(n.blocks, Block{name.of(l.name(), q), p.from, p.to, q.rows, q.cols,
					q.fanIn, q.fanOut})
			}
		}
		if d, ok := l.(drawer); ok {
			p.place = uint64(n.words)
			n.words += d.words(shape)
		}
		n.layers = append(n.layers, p)
		shape = out
	}
	switch {
	case !total.IsInt64() || total.Int64() > math.MaxInt32:
		return nil, &SizeError{total}
	case n.dim == 0:
		return nil, errors.New("a network without parameters")
	case n.Classes() > 256:
		return nil, fmt.Errorf("a network of %d classes, want at most 256", n.Classes())
	}
	return n, nil
}

// A namer numbers the layers of each kind. Biases go by the layer before.
type namer struct {
	count map[string]int
	last  string
}

func (n *namer) of(kind string, q params) string {
	if q.fanIn == 0 && n.last != "" {
		return n.last + " " + kind
	}
	if n.count == nil {
		n.count = make(map[string]int)
	}
	n.count[kind]++
	n.last = kind + strconv.Itoa(n.count[kind])
	return n.last
}

// MLP is a multilayer perceptron: dense layers with biases, of the hidden
// sizes with rectifiers and dropout and then one of the classes.
func MLP(in Input, hidden []int, classes int) (*Network, error) {
	return New(in, perceptron(nil, hidden, classes)...)
}

// CNN is the paper's convolutional network (section 5.3): for each of channels a 5×5 convolution with "same" padding to
// that many channels, pooled 2×2 by maxima, with biases and rectifiers, and then the layers of MLP. The paper does not
// state the padding.
func CNN(in Input, channels, hidden []int, classes int) (*Network, error) {
	var layers []Layer
	for _, c := range channels {
		layers = append(layers, Conv{Kernel: 5, Channels: c}, MaxPool{}, BiasReLU{})
	}
	return New(in, perceptron(layers, hidden, classes)...)
}

func perceptron(layers []Layer, hidden []int, classes int) []Layer {
	for _, h := range hidden {
		layers = append(layers, Dense{h}, BiasReLU{}, Dropout{})
	}
	return append(layers, Dense{classes}, Bias{})
}

// Dim is the number of parameters.
func (n *Network) Dim() int { return n.dim }

// Classes is the number of logits, the outputs of the last layer.
func (n *Network) Classes() int { return n.layers[len(n.layers)-1].out.Len() }

// Blocks are the layers' parameters, in the order of θ. The caller does not change them.
func (n *Network) Blocks() []Block { return n.blocks }

// Multiplications is the number of multiplications of a forward pass over one example:
// each parameter once for every place at which its layer uses it.
func (n *Network) Multiplications() int {
	sum := 0
	for _, l := range n.layers {
		sum += (l.to - l.from) * l.out.Height * l.out.Width
	}
	return sum
}

// StochasticCNN is CNN with stochastic pooling, after biases and rectifiers, in place of maxima.
func StochasticCNN(in Input, channels, hidden []int, classes int) (*Network, error) {
	var layers []Layer
	for _, c := range channels {
		layers = append(layers, Conv{Kernel: 5, Channels: c}, BiasReLU{}, StochasticPool{})
	}
	return New(in, perceptron(layers, hidden, classes)...)
}

// NIN is network in network (Lin et al. 2014, figure 2 and section 4.1): three blocks, each of a convolution, which is
// 5×5 and in the last block 3×3, and two 1×1 convolutions, with biases and rectifiers. The first two blocks are pooled
// 2×2 by maxima and dropped out; the last ends in a channel for each class, whose mean is the logit. The authors' code
// has a rectifier after it, and this has none: where all logits are 0 it leaves no gradient, and early training was
// slower. widths are the channels of each block's convolutions; the last number is not read, since it is the number of
// classes.
func NIN(in Input, widths [3][3]int, classes int) (*Network, error) {
	widths[2][2] = classes
	var layers []Layer
	for i, w := range widths {
		layers = append(layers, Conv{[...]int{5, 5, 3}[i], w[0]}, BiasReLU{}, Conv{1, w[1]}, BiasReLU{}, Conv{1, w[2]})
		if i < len(widths)-1 {
			layers = append(layers, MaxPool{}, BiasReLU{}, Dropout{})
		}
	}
	return New(in, append(layers, Bias{}, GlobalPool{})...)
}

// MaxoutCNN is the convolutional maxout network of Goodfellow et al. (2013, section 5.1): 5×5 convolutions to units of
// several pieces each, pooled 2×2 by maxima and dropped out, and a dense layer to the classes.
func MaxoutCNN(in Input, units, pieces []int, classes int) (*Network, error) {
	var layers []Layer
	for i, u := range units {
		layers = append(layers, Conv{5, u * pieces[i]}, MaxPool{}, Bias{}, Maxout{pieces[i]}, Dropout{})
	}
	return New(in, append(layers, Dense{classes}, Bias{})...)
}

// Start is a rule for random starting points. Biases are 0 in all.
type Start int

const (
	// He draws weights from N(0, 2/in), which preserves the size of rectifiers'
	// outputs (He et al., "Delving deep into rectifiers", 2015, section 2.2).
	He Start = iota
	// Authors draws weights from U(±√(6/(in+out+1))), as the paper's authors do in their released code for dense
	// layers. Of a convolution, which is not in it, in and out are the numbers of weights by which a unit sees its
	// inputs and an input is seen.
	Authors
)

// Start sets dst to a starting point, made of as many standard normals z. Biases are 0 and
// use none of them. A uniform number is made from a normal one by the normal distribution
// function. It panics if dst or z has another length than θ.
func (n *Network) Start(dst, z []float64, rule Start) {
	if len(dst) != n.dim || len(z) != n.dim {
		panic(fmt.Sprintf("nets: a start of %d numbers from %d normals, want %d", len(dst), len(z), n.dim))
	}
	for _, b := range n.blocks {
		to, from := dst[b.From:b.To], z[b.From:b.To]
		switch {
		case b.FanIn == 0:
			clear(to)
		case rule == Authors:
			r := math.Sqrt(6 / float64(b.FanIn+b.FanOut+1))
			for i, v := range from {
				to[i] = r * math.Erf(v/math.Sqrt2) // 2Φ(v) - 1
			}
		default:
			sd := math.Sqrt(2 / float64(b.FanIn))
			for i, v := range from {
				to[i] = sd * v
			}
		}
	}
}
