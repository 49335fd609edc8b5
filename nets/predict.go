package nets

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Predict writes the probabilities of the classes of each image of x to dst, row by row. The softmax of the float32
// logits is in float64, so that improbable classes keep a probability above 0.
func (n *Network) Predict(ws *Workspace, dst []float64, theta []float32, x []uint8) {
	n.check(ws, theta, x)
	rows, classes := len(x)/n.input.Len(), n.Classes()
	if len(dst) != rows*classes {
		panic(fmt.Sprintf("nets: %d probabilities of %d images, want %d", len(dst), rows, rows*classes))
	}
	ws.job.x = x
	for from := 0; from < rows; from += ws.rows {
		m := min(ws.rows, rows-from)
		ws.gather(from, m)
		logits := ws.forward(theta, m)
		for i := range m {
			softmax(dst[(from+i)*classes:][:classes], logits.Row(i))
		}
	}
	ws.job = job{}
}

// softmax sets p to exp(x)/Σ exp(x).
func softmax(p []float64, x []float32) {
	top := math.Inf(-1)
	for _, v := range x {
		top = math.Max(top, float64(v))
	}
	sum := 0.0
	for j, v := range x {
		p[j] = libm.Exp(float64(v) - top)
		sum += p[j]
	}
	for j := range p {
		p[j] /= sum
	}
}
