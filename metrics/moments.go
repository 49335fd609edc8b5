package metrics

// moments keeps weighted means and central second moments. Draws come in chunks of chunkLen; each chunk
// gets its own mean and then its own centred products, in two passes, and is merged by the pairwise
// update of Chan, Golub and LeVeque (1983, The American Statistician 37:242), with weights for counts:
//
//	δ = m_b - m,  m' = m + δ w_b/(W+w_b),  M'_ij = M_ij + M_b,ij + δ_i δ_j W w_b/(W+w_b).
//
// Nothing cancels, however far the chain started from where it stays.
type moments struct {
	dim  int
	full bool // covariances as well as variances
	w    float64
	w2   float64   // Σ w²
	mean []float64 // less each coordinate's shift
	m2   []float64 // lower triangle by rows if full, else the diagonal
	part part
}

// part is the chunk in hand. It is worked out anew from the draws whenever their number has changed.
type part struct {
	n     int
	w, w2 float64
	mean  []float64
	m2    []float64
	d     []float64             // centred columns of chunkLen; the last stands twice if the dimension is odd
	wd    [2 * chunkLen]float64 // two of them times the weights
}

func newMoments(dim int) moments {
	m := moments{dim: dim, full: dim <= MaxCovDim}
	size, cols := dim, 2
	if m.full {
		size, cols = dim*(dim+1)/2, dim+dim&1
	}
	m.mean, m.m2 = make([]float64, dim), make([]float64, size)
	m.part.mean, m.part.m2 = make([]float64, dim), make([]float64, size)
	m.part.d = make([]float64, cols*chunkLen)
	return m
}

func (m *moments) reset() {
	m.w, m.w2 = 0, 0
	clear(m.mean)
	clear(m.m2)
	m.part.n = 0
}

func (m *moments) index(i, j int) int {
	if !m.full {
		return i
	}
	return i*(i+1)/2 + j
}

// fold merges a whole chunk.
func (m *moments) fold(cors []correlator, w []float64) {
	p := &m.part
	m.scan(cors, w)
	p.n = 0
	total := m.w + p.w
	if total == 0 {
		return // only draws without weight so far: they count for nothing
	}
	f := m.w * (p.w / total)
	at := 0
	for i := range m.dim {
		di := p.mean[i] - m.mean[i]
		if !m.full {
			m.m2[i] += p.m2[i] + float64(f*di*di)
			continue
		}
		for j := range i + 1 {
			m.m2[at] += p.m2[at] + float64(f*di*(p.mean[j]-m.mean[j]))
			at++
		}
	}
	f = p.w / total
	for i, v := range p.mean {
		m.mean[i] += float64(f * (v - m.mean[i]))
	}
	m.w, m.w2 = total, m.w2+p.w2
}

// weights returns Σ w and Σ w² of all draws scanned.
func (m *moments) weights() (w, w2 float64) {
	if m.part.n == 0 {
		return m.w, m.w2
	}
	return m.w + m.part.w, m.w2 + m.part.w2
}

// meanOf returns the mean of coordinate i less its shift, the chunk in hand included.
func (m *moments) meanOf(i int) float64 {
	p := &m.part
	w, _ := m.weights()
	if p.n == 0 {
		return m.mean[i] + 0/w // NaN while all weights are zero
	}
	return m.mean[i] + float64((p.w/w)*(p.mean[i]-m.mean[i]))
}

// cov returns the covariance of coordinates i >= j, the chunk in hand included.
func (m *moments) cov(i, j int) float64 {
	p := &m.part
	w, _ := m.weights()
	at := m.index(i, j)
	s := m.m2[at]
	if p.n > 0 {
		s += p.m2[at] + float64(m.w*(p.w/w)*(p.mean[i]-m.mean[i])*(p.mean[j]-m.mean[j]))
	}
	return s / w
}

// scan works out the chunk in hand, whose weights are w.
func (m *moments) scan(cors []correlator, w []float64) {
	p := &m.part
	if len(w) == p.n {
		return
	}
	p.n = len(w)
	for i := 0; i < m.dim; i += 2 {
		k := min(i+1, m.dim-1)
		p.w, p.w2, p.mean[i], p.mean[k] = weightedSums(w, cors[i].pending(), cors[k].pending())
	}
	inv := 1 / p.w
	if p.w == 0 {
		inv = 0 // without weight the sums are zero, and so the mean counts for nothing
	}
	for i := range p.mean {
		p.mean[i] *= inv
	}
	for i := 0; i < m.dim; i += 2 {
		k := min(i+1, m.dim-1)
		wd0, wd1 := p.wd[:len(w)], p.wd[chunkLen:][:len(w)]
		at := i
		if !m.full {
			at = 0 // centred columns are not needed again
		}
		d0, d1 := p.column(at, len(w)), p.column(at+1, len(w))
		s00, s10, s11 := centre(d0, d1, wd0, wd1, w, cors[i].pending(), cors[k].pending(), p.mean[i], p.mean[k])
		p.m2[m.index(i, i)] = s00
		p.m2[m.index(k, k)] = s11
		if !m.full {
			continue
		}
		if k > i {
			p.m2[m.index(k, i)] = s10
		}
		for j := 0; j < i; j += 2 {
			s00, s01, s10, s11 := products(wd0, wd1, p.column(j, len(w)), p.column(j+1, len(w)))
			p.m2[m.index(i, j)], p.m2[m.index(i, j+1)] = s00, s01
			if k > i {
				p.m2[m.index(k, j)], p.m2[m.index(k, j+1)] = s10, s11
			}
		}
	}
}

// column returns the first n values of centred column i.
func (p *part) column(i, n int) []float64 { return p.d[i*chunkLen:][:n] }
