package nets

import (
	"fmt"
	"math"
)

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
