package targets

// Multiplier is a target that lends its matrix products, and with a fork of it its workers, while it does nothing else.
// Matrices are row by row without gaps. The bits do not depend on the number of workers, and nothing is allocated.
type Multiplier interface {
	// MatMul sets dst = a·b, of which a is m×k, b k×n and dst m×n.
	MatMul(dst, a, b []float32, m, k, n int)
	// MatTMul sets dst = aᵀ·b, of which a is k×m, b k×n and dst m×n.
	MatTMul(dst, a, b []float32, m, k, n int)
}

var _ Multiplier = (*Classifier)(nil)

// MatMul implements Multiplier.
func (c *Classifier) MatMul(dst, a, b []float32, m, k, n int) {
	ws := c.lock()
	defer c.mu.Unlock()
	ws.MatMul(dst, a, b, m, k, n)
}

// MatTMul implements Multiplier.
func (c *Classifier) MatTMul(dst, a, b []float32, m, k, n int) {
	ws := c.lock()
	defer c.mu.Unlock()
	ws.MatTMul(dst, a, b, m, k, n)
}
