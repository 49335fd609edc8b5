package predictive

import "slices"

// Parts are averages over consecutive parts of an Average's draws, all of equally many draws but the last.
// Of n draws there are n parts while n is at most the number asked for, and then from half of that to one more than it:
// when there would be more, each two neighbours become one. The average of all parts with their weights is that of the
// Average, up to the rounding of float32.
type Parts struct {
	of    *Average
	most  int
	size  int         // draws of a part
	in    int         // draws since the newest part ended
	sum   []float64   // of the Average, as that part ended
	begun float64     // its weight then
	probs [][]float32 // of each part, row after row; memory beyond n is used again
	w     []float64   // Σ w of each part
	n     int
}

// NewParts returns the parts of an average without draws: most of them, an even number.
func NewParts(of *Average, most int) *Parts {
	if most < 2 || most%2 != 0 {
		panic("predictive: the number of parts must be even")
	}
	return &Parts{of: of, most: most, size: 1, sum: make([]float64, len(of.sum))}
}

// Added takes note that a draw was added to the average, or that it was Reset and a draw added. Once there have been
// as many parts as there may be it does not allocate.
func (p *Parts) Added() {
	if p.of.draws <= 1 {
		p.n, p.in, p.begun, p.size = 0, 0, 0, 1
		clear(p.sum)
	}
	if p.in++; p.in < p.size {
		return
	}
	if p.n == p.most {
		p.halve()
		if p.in < p.size {
			return
		}
	}
	p.end()
}

// end ends the newest part.
func (p *Parts) end() {
	if p.n == len(p.probs) {
		p.probs, p.w = append(p.probs, make([]float32, len(p.sum))), append(p.w, 0)
	}
	w := p.of.weight - p.begun
	for i, s := range p.of.sum {
		p.probs[p.n][i] = float32((s - p.sum[i]) / w)
	}
	p.w[p.n] = w
	copy(p.sum, p.of.sum)
	p.begun, p.in = p.of.weight, 0
	p.n++
}

// halve makes one part of each two neighbours.
func (p *Parts) halve() {
	for k := range p.n / 2 {
		a, b, wa, wb := p.probs[2*k], p.probs[2*k+1], p.w[2*k], p.w[2*k+1]
		to := p.probs[k]
		for i := range to {
			to[i] = float32((float64(wa*float64(a[i])) + float64(wb*float64(b[i]))) / (wa + wb))
		}
		p.w[k] = wa + wb
	}
	p.n /= 2
	p.size *= 2
}

// All returns the parts' probabilities, row after row, and their weights: copies, with what has come
// since the last whole part as a part of its own.
func (p *Parts) All() (probs [][]float32, weights []float64) {
	if p.in > 0 {
		n, in, begun, sum := p.n, p.in, p.begun, slices.Clone(p.sum)
		defer func() { p.n, p.in, p.begun, p.sum = n, in, begun, sum }()
		p.end()
	}
	for _, x := range p.probs[:p.n] {
		probs = append(probs, slices.Clone(x))
	}
	return probs, slices.Clone(p.w[:p.n])
}
