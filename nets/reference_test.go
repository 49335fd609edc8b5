package nets

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// reference is the mean log-likelihood of a network by its definition, in
// float64 with plain loops, and shares no code with the layers.
func reference(n *Network, theta []float64, e Examples, batch []int32) float64 {
	sum := 0.0
	for _, row := range batch {
		p := referenceForward(n, theta, e.X[int(row)*n.input.Len():][:n.input.Len()])
		sum += math.Log(p[e.Y[row]])
	}
	return sum / float64(len(batch))
}

func referenceForward(n *Network, theta []float64, image []uint8) []float64 {
	return referenceDraw(n, theta, image, nil)
}

// referenceDraw is that with layers that draw for an example, unless d is nil.
func referenceDraw(n *Network, theta []float64, image []uint8, d *draws) []float64 {
	x := make([]float64, len(image))
	for i, b := range image {
		x[i] = float64(b) / n.input.Divisor
	}
	if d != nil {
		d.drop(x, 0, d.keep.Input)
	}
	return referenceFrom(n, theta, x, d)
}

// referenceFrom begins with what the first layer reads.
func referenceFrom(n *Network, theta, x []float64, d *draws) []float64 {
	shape := n.input.Shape
	for _, l := range n.layers {
		w := theta[l.from:l.to]
		switch k := l.Layer.(type) {
		case Dense:
			y := make([]float64, k.Units)
			for i, v := range x {
				for j, w := range w[i*k.Units:][:k.Units] {
					y[j] += v * w
				}
			}
			x, shape = y, Shape{1, 1, k.Units}
		case Conv:
			y := make([]float64, shape.Height*shape.Width*k.Channels)
			h := k.Kernel / 2
			for r := range shape.Height {
				for c := range shape.Width {
					to := y[(r*shape.Width+c)*k.Channels:][:k.Channels]
					for i := range k.Kernel {
						for j := range k.Kernel {
							rr, cc := r+i-h, c+j-h
							if rr < 0 || rr >= shape.Height || cc < 0 || cc >= shape.Width {
								continue
							}
							for q, v := range x[(rr*shape.Width+cc)*shape.Channels:][:shape.Channels] {
								for o, w := range w[((i*k.Kernel+j)*shape.Channels+q)*k.Channels:][:k.Channels] {
									to[o] += v * w
								}
							}
						}
					}
				}
			}
			x, shape = y, Shape{shape.Height, shape.Width, k.Channels}
		case MaxPool:
			half := Shape{shape.Height / 2, shape.Width / 2, shape.Channels}
			y := make([]float64, half.Len())
			for r := range half.Height {
				for c := range half.Width {
					for q := range half.Channels {
						at := func(i, j int) float64 { return x[((2*r+i)*shape.Width+2*c+j)*shape.Channels+q] }
						y[(r*half.Width+c)*half.Channels+q] = max(at(0, 0), at(0, 1), at(1, 0), at(1, 1))
					}
				}
			}
			x, shape = y, half
		case StochasticPool:
			half := Shape{shape.Height / 2, shape.Width / 2, shape.Channels}
			y := make([]float64, half.Len())
			for r := range half.Height {
				for c := range half.Width {
					for q := range half.Channels {
						at := func(k int) float64 { return x[((2*r+k/2)*shape.Width+2*c+k%2)*shape.Channels+q] }
						i := (r*half.Width+c)*half.Channels + q
						sum := at(0) + at(1) + at(2) + at(3)
						switch {
						case sum == 0:
						case d == nil:
							y[i] = (at(0)*at(0) + at(1)*at(1) + at(2)*at(2) + at(3)*at(3)) / sum
						default:
							k := 0
							for u := d.sixteen(l.place, i) * sum; u >= at(k); k++ {
								u -= at(k)
							}
							y[i] = at(k)
						}
					}
				}
			}
			x, shape = y, half
		case Maxout:
			each := shape.Channels / k.Pieces
			y := make([]float64, len(x)/k.Pieces)
			for i := range y {
				pixel := x[i/each*shape.Channels:][:shape.Channels]
				y[i] = pixel[i%each]
				for q := i % each; q < len(pixel); q += each {
					y[i] = max(y[i], pixel[q])
				}
			}
			x, shape = y, Shape{shape.Height, shape.Width, each}
		case GlobalPool:
			y := make([]float64, shape.Channels)
			for i, v := range x {
				y[i%shape.Channels] += v / float64(shape.Height*shape.Width)
			}
			x, shape = y, Shape{1, 1, shape.Channels}
		case Bias:
			for i := range x {
				x[i] += w[i%shape.Channels]
			}
		case BiasReLU:
			for i := range x {
				x[i] = max(0, x[i]+w[i%shape.Channels])
			}
		case Dropout:
			if d != nil {
				d.drop(x, l.place, d.keep.Hidden)
			}
		default:
			panic(fmt.Sprintf("no reference for %T", k))
		}
	}
	sum := 0.0
	for i := range x {
		x[i] = math.Exp(x[i])
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
	return x
}

// problem is a network with random parameters and data. Parameters are
// float32 numbers, so that both arithmetics start from the same.
type problem struct {
	net   *Network
	theta []float64
	t32   []float32
	data  Examples
}

func newProblem(n *Network, rows int) problem {
	r := rand.New(rand.NewPCG(1, uint64(n.Dim())))
	p := problem{net: n, theta: make([]float64, n.Dim()), t32: make([]float32, n.Dim())}
	z := make([]float64, n.Dim())
	for i := range z {
		z[i] = r.NormFloat64()
	}
	n.Start(p.theta, z, He)
	for _, b := range n.Blocks() {
		for i := b.From; i < b.To; i++ {
			if b.FanIn == 0 {
				p.theta[i] = 0.1 * r.NormFloat64()
			}
			p.t32[i] = float32(p.theta[i])
			p.theta[i] = float64(p.t32[i])
		}
	}
	p.data.X, p.data.Y = make([]uint8, rows*n.input.Len()), make([]uint8, rows)
	for i := range p.data.X {
		p.data.X[i] = uint8(r.IntN(256))
	}
	for i := range p.data.Y {
		p.data.Y[i] = uint8(r.IntN(n.Classes()))
	}
	return p
}

func must(n *Network, err error) *Network {
	if err != nil {
		panic(err)
	}
	return n
}
