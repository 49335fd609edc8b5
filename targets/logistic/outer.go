package logistic

// accumulateOuter adds the upper triangle of Σₖ wₖxₖxₖᵀ over the rows
// k = from..from+len(w)-1 of a batch to dst (row-major D×D).
func (d *design) accumulateOuter(dst, w []float64, batch []int32, from int) {
	if d.sparse != nil {
		d.sparse.accumulateOuter(dst, d.cols, w, batch, from)
		return
	}
	n := d.cols
	k := 0
	// Four rows at a time share the loads and stores of dst.
	for ; k+4 <= len(w); k += 4 {
		x0 := d.dense[rowAt(batch, from+k)*n:][:n]
		x1 := d.dense[rowAt(batch, from+k+1)*n:][:n]
		x2 := d.dense[rowAt(batch, from+k+2)*n:][:n]
		x3 := d.dense[rowAt(batch, from+k+3)*n:][:n]
		for i := range n {
			u0, u1, u2, u3 := w[k]*x0[i], w[k+1]*x1[i], w[k+2]*x2[i], w[k+3]*x3[i]
			out := dst[i*n+i:][:n-i]
			y0, y1, y2, y3 := x0[i:][:len(out)], x1[i:][:len(out)], x2[i:][:len(out)], x3[i:][:len(out)]
			for j := range out {
				out[j] += (float64(u0*y0[j]) + float64(u1*y1[j])) + (float64(u2*y2[j]) + float64(u3*y3[j]))
			}
		}
	}
	for ; k < len(w); k++ {
		x := d.dense[rowAt(batch, from+k)*n:][:n]
		for i := range n {
			u := w[k] * x[i]
			out := dst[i*n+i:][:n-i]
			for j, y := range x[i:][:len(out)] {
				out[j] += float64(u * y)
			}
		}
	}
}

// quadratics writes xᵢᵀAxᵢ to q for the rows k = from..from+len(q)-1 of a batch,
// with a symmetric A (row-major D×D) of which the upper triangle is read.
func (d *design) quadratics(q, a []float64, batch []int32, from int) {
	if d.sparse != nil {
		d.sparse.quadratics(q, a, d.cols, batch, from)
		return
	}
	n := d.cols
	k := 0
	for ; k+4 <= len(q); k += 4 {
		x0 := d.dense[rowAt(batch, from+k)*n:][:n]
		x1 := d.dense[rowAt(batch, from+k+1)*n:][:n]
		x2 := d.dense[rowAt(batch, from+k+2)*n:][:n]
		x3 := d.dense[rowAt(batch, from+k+3)*n:][:n]
		var q0, q1, q2, q3 float64
		for i := range n {
			half := 0.5 * a[i*n+i]
			s0, s1, s2, s3 := half*x0[i], half*x1[i], half*x2[i], half*x3[i]
			row := a[i*n+i+1:][:n-i-1]
			y0, y1, y2, y3 := x0[i+1:][:len(row)], x1[i+1:][:len(row)], x2[i+1:][:len(row)], x3[i+1:][:len(row)]
			for j, c := range row {
				s0 += float64(c * y0[j])
				s1 += float64(c * y1[j])
				s2 += float64(c * y2[j])
				s3 += float64(c * y3[j])
			}
			q0 += float64(s0 * x0[i])
			q1 += float64(s1 * x1[i])
			q2 += float64(s2 * x2[i])
			q3 += float64(s3 * x3[i])
		}
		q[k], q[k+1], q[k+2], q[k+3] = 2*q0, 2*q1, 2*q2, 2*q3
	}
	for ; k < len(q); k++ {
		x := d.dense[rowAt(batch, from+k)*n:][:n]
		sum := 0.0
		for i := range n {
			s := 0.5 * a[i*n+i] * x[i]
			row := a[i*n+i+1:][:n-i-1]
			for j, y := range x[i+1:][:len(row)] {
				s += float64(row[j] * y)
			}
			sum += float64(s * x[i])
		}
		q[k] = 2 * sum
	}
}

// entry is the value of the e-th coordinate of row i.
func (c *compressed) entry(i, e int) float64 {
	if c.value == nil {
		return 1
	}
	return c.value[int(c.start[i])+e]
}

// accumulateOuter is design's. A row's coordinates ascend, so that an entry pairs with itself and those that follow.
func (c *compressed) accumulateOuter(dst []float64, n int, w []float64, batch []int32, from int) {
	shift := 0 // of a coordinate in θ
	if c.intercept {
		shift = 1
	}
	for k, wk := range w {
		i := rowAt(batch, from+k)
		index := c.row(i)
		if c.intercept {
			dst[0] += wk
			for e, col := range index {
				dst[1+col] += float64(wk * c.entry(i, e))
			}
		}
		for e, a := range index {
			out := dst[(int(a)+shift)*n+shift:][:n-shift]
			u := float64(wk * c.entry(i, e))
			if c.value == nil {
				for _, b := range index[e:] {
					out[b] += u
				}
				continue
			}
			value := c.value[int(c.start[i])+e:][:len(index)-e]
			for f, b := range index[e:] {
				out[b] += float64(u * value[f])
			}
		}
	}
}

// quadratics is design's.
func (c *compressed) quadratics(q, a []float64, n int, batch []int32, from int) {
	shift := 0
	if c.intercept {
		shift = 1
	}
	for k := range q {
		i := rowAt(batch, from+k)
		index := c.row(i)
		sum := 0.0
		if c.intercept {
			sum = 0.5 * a[0]
			for e, col := range index {
				sum += float64(a[1+col] * c.entry(i, e))
			}
		}
		for e, first := range index {
			row := a[(int(first)+shift)*n+shift:][:n-shift]
			x := c.entry(i, e)
			s := 0.5 * row[first] * x
			if c.value == nil {
				for _, b := range index[e+1:] {
					s += row[b]
				}
			} else {
				value := c.value[int(c.start[i])+e+1:][:len(index)-e-1]
				for f, b := range index[e+1:] {
					s += float64(row[b] * value[f])
				}
			}
			sum += float64(s * x)
		}
		q[k] = 2 * sum
	}
}
