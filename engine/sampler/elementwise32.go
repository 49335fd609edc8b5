package sampler

import "github.com/psgld/psgld-tui/engine/noise"

// A vector names a displacer that has assembly.
type vector uint8

// The displacers with assembly.
const (
	_ vector = iota
	vectorBall
	vectorRMSBall
	vectorAdagrad
	vectorAdadelta
	vectorAdam
	vectorWhitening
)

// tableSize is how many numbers a displacer's assembly reads, at most.
const tableSize = 9

// assembled does the whole groups of a share's block in assembly, where the
// machine has any, and leaves the rest of the block.
func (k *elementwise[F]) assembled(w *share[F]) {
	c, ok := any(&w.block).(*block[float32])
	n := len(w.block.theta) &^ (noise.Group - 1)
	if !ok || k.path == noise.Generic || n == 0 {
		return
	}
	w.sums.clear()
	displace(k.path, k.vector, c, n, &k.table, &w.sums)
	t := w.sums.total()
	w.span.count(F(t.least))
	w.span.count(F(t.greatest))
	w.bad = w.bad || !t.ok
	for q := range lanes {
		w.drift[q], w.virial[q] = F(w.sums.drift[q]), F(w.sums.virial[q])
	}
	w.block.skip(n)
}
