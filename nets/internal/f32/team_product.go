package f32

// A shared is a product that a team works on in pieces: columns, or rows if there are more of them.
type shared struct {
	product
	pieces int
	task   func(worker, i int)
}

// init makes the function that Each gets, once.
func (s *shared) init(t *Team) {
	s.task = func(worker, i int) { active.product(s.piece(i), t.Workspace(worker)) }
}

// The largest tiles of any path, of which pieces have whole numbers.
const (
	tileRows    = 14
	tileColumns = 32
)

// minWork is how many products of numbers a piece has at least, some microseconds.
const minWork = 1 << 20

// cut sets the number of pieces, which is not more than most.
func (s *shared) cut(most int) {
	s.pieces = max(1, min(s.m*s.n*s.k/minWork, most))
	s.pieces = min(s.pieces, max(1, s.n/tileColumns, s.m/tileRows))
}

func (s *shared) byRows() bool { return s.m > 2*s.n }

// piece is the product of piece i.
func (s *shared) piece(i int) product {
	p := s.product
	if s.byRows() {
		from, to := Span(p.m, tileRows, i, s.pieces)
		p.m = to - from
		p.dst = p.dst.Between(from, to)
		if p.form == leftT {
			p.a = p.a.Columns(from, to)
		} else {
			p.a = p.a.Between(from, to)
		}
		return p
	}
	from, to := Span(p.n, tileColumns, i, s.pieces)
	p.n, p.more = to-from, p.n-to
	p.dst = p.dst.Columns(from, to)
	if p.form == rightT {
		p.b = p.b.Between(from, to)
	} else {
		p.b = p.b.Columns(from, to)
	}
	return p
}

// MatMul sets dst = a·b by all workers; a is M×K, b K×N and dst M×N. A layer's forward pass is Y = X·W.
//
// Every element is a sum in float32 in the order of k, in blocks; it errs from
// the exact sum by at most (K+1)·2⁻²³·Σ|a||b|, as do the other two forms.
func (t *Team) MatMul(dst, a, b Matrix) { t.multiply(newProduct(plain, dst, a, b, false)) }

// MatMulT sets dst = a·bᵀ likewise; a is M×K, b N×K and dst M×N. A layer's gradient by its input is dX = dY·Wᵀ.
func (t *Team) MatMulT(dst, a, b Matrix) { t.multiply(newProduct(rightT, dst, a, b, false)) }

// MatTMul sets dst = aᵀ·b likewise, or adds it if add; a is K×M, b K×N and dst M×N. A layer's
// gradient by its weights is dW = Xᵀ·dY.
func (t *Team) MatTMul(dst, a, b Matrix, add bool) { t.multiply(newProduct(leftT, dst, a, b, add)) }

func (t *Team) multiply(p product) {
	t.job.product = p
	// Several pieces a worker, as the processors may have other work; one if it is
	// alone, or if every piece would have to copy the left factor.
	switch most := 32 * t.Workers(); {
	case t.Workers() == 1:
		t.job.cut(1)
	case p.form == leftT && aliases(p.a.Stride, p.k):
		t.job.cut(t.Workers())
	default:
		t.job.cut(most)
	}
	t.Each(t.job.pieces, t.job.task)
	t.job.product = product{}
}
