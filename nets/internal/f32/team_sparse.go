package f32

// A sharedSparse is a sparse product that a team works on in pieces: strips of columns, and parts of the rows of each.
type sharedSparse struct {
	sparseProduct
	parts int
	task  func(worker, i int)
}

// init makes the function that Each gets, once.
func (s *sharedSparse) init(t *Team) {
	s.task = func(worker, i int) {
		from, to := Span(s.dst.Rows, 1, i%s.parts, s.parts)
		active.sparse(s.sparseProduct, i/s.parts, from, to, t.Workspace(worker))
	}
}

// SparseMatMul sets dst = x·w with the rows of x; w has a row for each of its columns.
func (t *Team) SparseMatMul(dst Matrix, x *Sparse, w Matrix) {
	t.multiplySparse(x.newProduct(dst, w, false, false))
}

// SparseMatTMul sets dst = xᵀ·d, or adds it, with the columns of x that ListColumns made.
func (t *Team) SparseMatTMul(dst Matrix, x *Sparse, d Matrix, add bool) {
	t.multiplySparse(x.newProduct(dst, d, true, add))
}

func (t *Team) multiplySparse(p sparseProduct) {
	strips := active.strips(p.dst.Cols)
	t.sparse.sparseProduct, t.sparse.parts = p, 1
	if t.Workers() > 1 {
		const each = 4 // pieces for a worker, as the processors may have other work
		t.sparse.parts = max(1, min((each*t.Workers()+strips-1)/strips, p.dst.Rows/tileRows))
	}
	t.Each(strips*t.sparse.parts, t.sparse.task)
	t.sparse.sparseProduct = sparseProduct{}
}
