package logistic

import "github.com/psgld/psgld-tui/nets/tool/simd"

// blockRows is how many rows are handled at a time: their margins fit the stack and the first-level cache.
const blockRows = 64

// A design is the matrix of a regression, N rows xᵢ ∈ ℝᴰ, dense or sparse.
// With intercept a constant 1 stands before the features, as coordinate 0.
//
// The two forms are told apart by a branch once a block and not by an
// interface, so that the blocks that callers pass stay on their stacks.
type design struct {
	rows, cols int // N and D, the intercept counted
	dense      []float64
	sparse     *compressed
	// tiles holds the dense values again for the kernels, or is nil.
	tiles []float64
	path  simd.Path
}

// compressed holds rows without their zeros: row i has the coordinates
// index[start[i]:start[i+1]], with all values 1 where value is nil.
type compressed struct {
	start, index []int32
	value        []float64
	intercept    bool
}

// rowAt is the k-th row of a batch; nil means all rows in order.
func rowAt(batch []int32, k int) int {
	if batch == nil {
		return k
	}
	return int(batch[k])
}

// margins writes xᵢᵀθ to z for the rows k = from..from+len(z)-1 of a batch.
//
// The conversions around products, here and below, forbid fused multiply-add,
// so that the bits depend neither on the processor nor on the kernels.
func (d *design) margins(z, theta []float64, batch []int32, from int) {
	if d.sparse != nil {
		d.sparse.margins(z, theta, batch, from)
		return
	}
	n := d.cols
	theta = theta[:n]
	k := 0
	if batch == nil && d.tiles != nil && len(z) >= tileRows && from%tileRows == 0 {
		k = margins(d.path, z, d.tiles[from*n:], theta)
	}
	// Four rows at a time share the loads of θ and add in parallel.
	for ; k+4 <= len(z); k += 4 {
		x0 := d.dense[rowAt(batch, from+k)*n:][:len(theta)]
		x1 := d.dense[rowAt(batch, from+k+1)*n:][:len(theta)]
		x2 := d.dense[rowAt(batch, from+k+2)*n:][:len(theta)]
		x3 := d.dense[rowAt(batch, from+k+3)*n:][:len(theta)]
		var s0, s1, s2, s3 float64
		for j, t := range theta {
			s0 += float64(t * x0[j])
			s1 += float64(t * x1[j])
			s2 += float64(t * x2[j])
			s3 += float64(t * x3[j])
		}
		z[k], z[k+1], z[k+2], z[k+3] = s0, s1, s2, s3
	}
	for ; k < len(z); k++ {
		x := d.dense[rowAt(batch, from+k)*n:][:len(theta)]
		var s0, s1 float64
		j := 0
		for ; j+1 < len(theta); j += 2 {
			s0 += float64(theta[j] * x[j])
			s1 += float64(theta[j+1] * x[j+1])
		}
		if j < len(theta) {
			s0 += float64(theta[j] * x[j])
		}
		z[k] = s0 + s1
	}
}

// accumulate adds Σₖ wₖxₖ to dst over the same rows.
func (d *design) accumulate(dst, w []float64, batch []int32, from int) {
	if d.sparse != nil {
		d.sparse.accumulate(dst, w, batch, from)
		return
	}
	n := d.cols
	dst = dst[:n]
	k := 0
	if batch == nil {
		k = accumulate(d.path, dst, w, d.dense[from*n:])
	}
	for ; k+4 <= len(w); k += 4 {
		x0 := d.dense[rowAt(batch, from+k)*n:][:len(dst)]
		x1 := d.dense[rowAt(batch, from+k+1)*n:][:len(dst)]
		x2 := d.dense[rowAt(batch, from+k+2)*n:][:len(dst)]
		x3 := d.dense[rowAt(batch, from+k+3)*n:][:len(dst)]
		w0, w1, w2, w3 := w[k], w[k+1], w[k+2], w[k+3]
		for j := range dst {
			dst[j] += (float64(w0*x0[j]) + float64(w1*x1[j])) + (float64(w2*x2[j]) + float64(w3*x3[j]))
		}
	}
	for ; k < len(w); k++ {
		x := d.dense[rowAt(batch, from+k)*n:][:len(dst)]
		wk := w[k]
		for j := range dst {
			dst[j] += float64(wk * x[j])
		}
	}
}

// accumulateSquares adds Σₖ wₖ(xₖ∘xₖ) to dst over the same rows.
func (d *design) accumulateSquares(dst, w []float64, batch []int32, from int) {
	if d.sparse != nil {
		d.sparse.accumulateSquares(dst, w, batch, from)
		return
	}
	n := d.cols
	dst = dst[:n]
	for k, wk := range w {
		x := d.dense[rowAt(batch, from+k)*n:][:len(dst)]
		for j := range dst {
			dst[j] += float64(wk * x[j] * x[j])
		}
	}
}

func (c *compressed) row(i int) []int32 { return c.index[c.start[i]:c.start[i+1]] }

func (c *compressed) margins(z, theta []float64, batch []int32, from int) {
	bias := 0.0
	if c.intercept {
		bias = theta[0]
		theta = theta[1:]
	}
	for k := range z {
		i := rowAt(batch, from+k)
		index := c.row(i)
		s0, s1 := bias, 0.0
		if c.value == nil {
			for ; len(index) >= 2; index = index[2:] {
				s0 += theta[index[0]]
				s1 += theta[index[1]]
			}
			if len(index) > 0 {
				s0 += theta[index[0]]
			}
		} else {
			value := c.value[c.start[i]:][:len(index)]
			for j, col := range index {
				s0 += float64(value[j] * theta[col])
			}
		}
		z[k] = s0 + s1
	}
}

func (c *compressed) accumulate(dst, w []float64, batch []int32, from int) {
	if c.intercept {
		for _, wk := range w {
			dst[0] += wk
		}
		dst = dst[1:]
	}
	for k, wk := range w {
		i := rowAt(batch, from+k)
		index := c.row(i)
		if c.value == nil {
			for _, col := range index {
				dst[col] += wk
			}
			continue
		}
		value := c.value[c.start[i]:][:len(index)]
		for j, col := range index {
			dst[col] += float64(wk * value[j])
		}
	}
}

func (c *compressed) accumulateSquares(dst, w []float64, batch []int32, from int) {
	if c.value == nil {
		c.accumulate(dst, w, batch, from)
		return
	}
	if c.intercept {
		for _, wk := range w {
			dst[0] += wk
		}
		dst = dst[1:]
	}
	for k, wk := range w {
		i := rowAt(batch, from+k)
		index := c.row(i)
		value := c.value[c.start[i]:][:len(index)]
		for j, col := range index {
			dst[col] += float64(wk * value[j] * value[j])
		}
	}
}
