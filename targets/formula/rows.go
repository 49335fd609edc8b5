package formula

import (
	"slices"
	"sync"
)

// block is how many rows an instruction takes at a time.
const block = 128

// Rows are a log density of parameters that is summed over the rows of columns. What does not depend on a row is worked
// out once for all, what depends on columns alone when the Rows are made, and the rest in blocks of rows. Rows are safe
// for use by several goroutines.
type Rows struct {
	n    int
	cols [][]float64 // those that stand behind the parameters in t's coordinates
	t    *Tape       // of one row
	// Of t's slots: head depend on parameters alone, and those with a slope depend on parameters at all.
	head    *Tape
	code    []rowInstruction
	slope   []bool
	spread  []int32 // slots that no row changes, and that instructions of rows read
	hits    []int32 // those of them with a slope
	scratch sync.Pool
}

// A rowInstruction is an instruction of a row, or a sum of terms.
type rowInstruction struct {
	instruction
	sum     *sum
	skipped bool // neither a gradient nor whether the density is defined depends on its value
	ends    bool // its value is NaN where the density ends
}

// A sum is Σ sign·scalar·x, over terms whose scalar is no row's and whose x is a column, and terms with one of both.
type sum struct {
	products []term
	scalars  []term // without x
	others   []term // without a scalar
}

type term struct {
	sign      float64
	scalar, x int32
}

// rowScratch has the block of each slot: its values v and slopes d, and of scalars in products the slopes s.
type rowScratch struct {
	one    *scratch // of t
	v, d   [][]float64
	s      []float64
	gather [][]float64 // of columns, for minibatches
	theta  []float64
}

// newRows makes the rows of a tape whose coordinates are dim parameters and then columns. bad is the first row in which
// columns alone give no finite number, -1 where all do, and at the slot in t that has none.
func newRows(t *Tape, dim int, cols [][]float64) (r *Rows, bad int, at slot) {
	r = &Rows{n: len(cols[0]), head: &Tape{dim: dim}}
	const param, column = 1, 2
	kind := make([]byte, len(t.start))
	for i := range t.dim {
		if kind[i] = param; i >= dim {
			kind[i] = column
		}
	}
	var early []instruction // of columns alone
	reads := make([]bool, len(t.start))
	for _, c := range t.code {
		if kind[c.out] = kind[c.a] | kind[c.b]; kind[c.out] == column {
			early = append(early, c)
		} else {
			reads[c.a], reads[c.b] = true, true
		}
	}
	reads[t.root] = true
	// The tape anew, whose columns are those that the rest reads.
	var kept []int32
	for i, k := range kind {
		if k == column && reads[i] {
			kept = append(kept, int32(i))
		}
	}
	to := make([]int32, len(t.start))
	nt := &Tape{dim: dim + len(kept), start: make([]float64, dim+len(kept))}
	for i := range dim {
		to[i] = int32(i)
	}
	for k, i := range kept {
		to[i] = int32(dim + k)
		r.cols = append(r.cols, make([]float64, r.n))
	}
	kinds := make([]byte, nt.dim)
	for i := range kinds {
		if kinds[i] = param; i >= dim {
			kinds[i] = column
		}
	}
	for i := t.dim; i < len(t.start); i++ {
		if kind[i] != column {
			to[i] = int32(len(nt.start))
			nt.start, kinds = append(nt.start, t.start[i]), append(kinds, kind[i])
		}
	}
	whole := &Tape{dim: t.dim, code: early, start: t.start}
	s := whole.take()
	row := make([]float64, t.dim)
	for at := range r.n {
		for k, c := range cols {
			row[dim+k] = c[at]
		}
		whole.forward(s, row)
		for k, i := range kept {
			if x := s.v[i]; x-x == 0 {
				r.cols[k][at] = x
			} else {
				return nil, at, i
			}
		}
	}
	for _, c := range t.code {
		if kind[c.out] == column {
			continue
		}
		c.out, c.a, c.b = to[c.out], to[c.a], to[c.b]
		nt.code = append(nt.code, c)
		if kinds[c.out] == param {
			r.head.code = append(r.head.code, c)
		} else {
			r.code = append(r.code, rowInstruction{instruction: c})
		}
	}
	nt.root = to[t.root]
	r.t = nt
	r.slope = make([]bool, len(kinds))
	for i, k := range kinds {
		r.slope[i] = k&param != 0
	}
	r.sums(kinds)
	r.prune(kinds)
	return r, -1, 0
}

// sums puts additions and the products in them together.
func (r *Rows) sums(kinds []byte) {
	const param, column = 1, 2
	uses, by := make([]int, len(kinds)), make([]int, len(kinds))
	for i, c := range r.code {
		by[c.out] = i
		uses[c.a]++
		if c.op >= add {
			uses[c.b]++
		}
	}
	uses[r.t.root]++
	within := make([]bool, len(r.code))
	for i := len(r.code) - 1; i >= 0; i-- {
		c := &r.code[i]
		if within[i] || c.op != add && c.op != sub {
			continue
		}
		c.sum = new(sum)
		var collect func(x int32, sign float64)
		collect = func(x int32, sign float64) {
			switch kinds[x] {
			case 0, param:
				c.sum.scalars = append(c.sum.scalars, term{sign, x, -1})
				return
			case column:
				c.sum.others = append(c.sum.others, term{sign, -1, x})
				return
			}
			d := r.code[by[x]]
			switch product := d.op == mul && kinds[d.a]|kinds[d.b] == param|column &&
				kinds[d.a] != param|column && kinds[d.b] != param|column; {
			case uses[x] != 1:
			case d.op == add || d.op == sub:
				within[by[x]] = true
				collect(d.a, sign)
				if d.op == sub {
					sign = -sign
				}
				collect(d.b, sign)
				return
			case d.op == neg:
				within[by[x]] = true
				collect(d.a, -sign)
				return
			case product:
				within[by[x]] = true
				if kinds[d.a] == column {
					d.a, d.b = d.b, d.a
				}
				c.sum.products = append(c.sum.products, term{sign, d.a, d.b})
				return
			}
			c.sum.others = append(c.sum.others, term{sign, -1, x})
		}
		collect(c.a, 1)
		if c.op == add {
			collect(c.b, 1)
		} else {
			collect(c.b, -1)
		}
	}
	code := r.code[:0]
	for i, c := range r.code {
		if !within[i] {
			code = append(code, c)
		}
	}
	r.code = code
}

// prune finds what a gradient takes.
func (r *Rows) prune(kinds []byte) {
	needed, reads := make([]bool, len(kinds)), make([]bool, len(kinds))
	need := func(x int32, if_ bool) { needed[x] = needed[x] || if_ }
	for i := len(r.code) - 1; i >= 0; i-- {
		c := &r.code[i]
		a, b := r.slope[c.a], r.slope[c.b]
		switch {
		case c.sum != nil || c.op == neg:
		case c.op == mul:
			need(c.a, b)
			need(c.b, a)
		case c.op == div:
			need(c.b, true)
			need(c.out, b)
		case c.op == exp || c.op == sigmoid:
			need(c.out, true)
		case c.op == softplus || c.op == square || c.op == log:
			need(c.a, true)
		default:
			need(c.a, true)
			need(c.b, c.op >= add)
			need(c.out, true)
		}
		switch c.op {
		case log, log1p, sqrt, lgamma, power, raise:
			c.ends = c.sum == nil
		}
		if c.skipped = !needed[c.out] && !c.ends; c.sum != nil {
			for _, t := range c.sum.others {
				reads[t.x] = true
				need(t.x, !c.skipped)
			}
			continue
		}
		reads[c.a], reads[c.b] = true, reads[c.b] || c.op >= add
		need(c.a, !c.skipped)
		need(c.b, !c.skipped && c.op >= add)
	}
	for i, k := range kinds {
		if k&2 == 0 && reads[i] {
			r.spread = append(r.spread, int32(i))
			if r.slope[i] {
				r.hits = append(r.hits, int32(i))
			}
		}
	}
}

func (r *Rows) take() *rowScratch {
	if s, ok := r.scratch.Get().(*rowScratch); ok {
		return s
	}
	n, dim := len(r.t.start), r.dim()
	s := &rowScratch{one: r.t.take(), v: make([][]float64, n), d: make([][]float64, n), s: make([]float64, n),
		theta: make([]float64, r.t.dim)}
	lines := func(all [][]float64, of func(yield func(int32) bool)) {
		for x := range of {
			if all[x] == nil {
				all[x] = make([]float64, block)
			}
		}
	}
	outs := func(yield func(int32) bool) {
		for _, c := range r.code {
			if !yield(c.out) {
				return
			}
		}
	}
	lines(s.v, slices.Values(r.spread))
	lines(s.v, outs)
	lines(s.d, slices.Values(r.hits))
	lines(s.d, outs)
	for k := range r.cols {
		s.gather = append(s.gather, make([]float64, block))
		s.v[dim+k] = s.gather[k]
	}
	return s
}

func (r *Rows) dim() int { return r.t.dim - len(r.cols) }

// begin works out at theta what no row changes. It returns NaN where that is not defined, and else 0.
func (r *Rows) begin(s *rowScratch, theta []float64, n int) (undefined float64) {
	r.head.forward(s.one, theta)
	for _, c := range r.head.code {
		if y := s.one.v[c.out]; y != y {
			undefined = y
		}
	}
	for _, x := range r.spread {
		line := s.v[x][:min(n, block)]
		for i := range line {
			line[i] = s.one.v[x]
		}
	}
	for _, x := range r.hits {
		clear(s.d[x])
	}
	clear(s.s)
	return undefined
}

// count is how many rows a batch has, all for nil.
func (r *Rows) count(batch []int32) int {
	if batch == nil {
		return r.n
	}
	return len(batch)
}

// load has the columns hold the m rows of a batch from at on.
func (r *Rows) load(s *rowScratch, batch []int32, at, m int) {
	dim := r.dim()
	for k, col := range r.cols {
		if batch == nil {
			s.v[dim+k] = col[at : at+m]
			continue
		}
		to := s.gather[k][:m]
		for i, row := range batch[at : at+m] {
			to[i] = col[row]
		}
		s.v[dim+k] = to
	}
}

// Sum is the sum over a batch, and adds its gradient to dst unless that is nil. Where value is false the sum
// itself is not worked out: it is 0, or NaN where it is not defined.
func (r *Rows) Sum(dst, theta []float64, batch []int32, value bool) (total float64) {
	s, n := r.take(), r.count(batch)
	total = r.begin(s, theta, n)
	for at := 0; at < n; at += block {
		m := min(block, n-at)
		r.load(s, batch, at, m)
		for i := range r.code {
			c := &r.code[i]
			if c.skipped && !value {
				continue
			}
			c.forward(s, m)
			if c.ends {
				for _, y := range s.v[c.out][:m] {
					if y != y {
						total = y
					}
				}
			}
		}
		if value {
			for _, y := range s.v[r.t.root][:m] {
				total += y
			}
		}
		if dst == nil {
			continue
		}
		for i := range r.code {
			clear(s.d[r.code[i].out][:m])
		}
		g := s.d[r.t.root][:m]
		for i := range g {
			g[i] = 1
		}
		for i := len(r.code) - 1; i >= 0; i-- {
			r.code[i].reverse(s, m, r.slope)
		}
	}
	if dst != nil {
		r.end(s, dst)
	}
	r.scratch.Put(s)
	return total
}

// end adds the slopes of what no row changes to dst, by way of the head.
func (r *Rows) end(s *rowScratch, dst []float64) {
	d := s.one.d
	copy(d, s.s)
	for _, x := range r.hits {
		for _, y := range s.d[x] {
			d[x] += y
		}
	}
	r.head.back(s.one)
	for i := range dst {
		dst[i] += d[i]
	}
}

// Second adds a batch's part of the Hessian's product with vec to dst or, where vec is nil, of its diagonal.
func (r *Rows) Second(dst, theta, vec []float64, batch []int32) {
	s, dim := r.take(), r.dim()
	one, at := s.one, s.theta
	copy(at, theta)
	for i := range r.count(batch) {
		row := int32(i)
		if batch != nil {
			row = batch[i]
		}
		for k, col := range r.cols {
			at[dim+k] = col[row]
		}
		r.t.forward(one, at)
		if vec != nil {
			clear(one.vdot)
			copy(one.vdot, vec)
			r.t.tangent(one)
			for j := range dst {
				dst[j] += one.ddot[j]
			}
			continue
		}
		for j := range dst {
			clear(one.vdot)
			one.vdot[j] = 1
			r.t.tangent(one)
			dst[j] += one.ddot[j]
		}
		if y := one.v[r.t.root]; y != y {
			undefined(dst)
		}
	}
	r.scratch.Put(s)
}

// cost is about what a sum over rows takes, in instructions of a Tape.
func (r *Rows) cost(rows int) int { return max(1, rows*len(r.t.code)/4) }
