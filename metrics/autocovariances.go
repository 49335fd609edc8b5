package metrics

import (
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
)

// fewLags is how many lags are worked out one by one, before all of them are by fast Fourier transforms: of 10⁵ draws
// those take as long as 600 lags.
const fewLags = 512

// autocovariances are the autocovariances of several chains of one length, averaged over the chains,
//
//	C_t = (1/m) Σ_chains (1/n) Σ_s (x_s - x̄)(x_s+t - x̄),
//
// worked out as far as they are asked for.
type autocovariances struct {
	n      int
	x      [][]float64 // the chains less their means
	values []float64
	c      []float64

	fft      *fourier.FFT
	padded   []float64
	spectrum []complex128
}

func (a *autocovariances) start(chains [][]float64) {
	a.n, a.c, a.x = len(chains[0]), a.c[:0], a.x[:0]
	a.values = slices.Grow(a.values[:0], a.n*len(chains))[:a.n*len(chains)]
	for i, x := range chains {
		y := a.values[i*a.n:][:a.n]
		mean, _ := meanVar(x)
		for t, v := range x {
			y[t] = v - mean
		}
		a.x = append(a.x, y)
	}
}

// at returns C_t; t < n.
func (a *autocovariances) at(t int) float64 {
	for t >= len(a.c) {
		if len(a.c) < fewLags {
			a.direct()
		} else {
			a.transform()
		}
	}
	return a.c[t]
}

// direct works out the next lagCount lags, or as many as there are.
func (a *autocovariances) direct() {
	from := len(a.c)
	count := min(lagCount, a.n-from)
	a.c = append(a.c, make([]float64, count)...)
	to := a.c[from:]
	scale := 1 / (float64(a.n) * float64(len(a.x)))
	var sums [2][lagCount]float64 // of a chain and the next
	for i, x := range a.x {
		if count < lagCount || a.n < from+2*lagCount {
			for k := range to {
				s := 0.0
				for t, v := range x[from+k:] {
					s += float64(v * x[t])
				}
				to[k] += float64(s * scale)
			}
			continue
		}
		if i%2 == 0 {
			y := a.x[min(i+1, len(a.x)-1)] // the last of an odd number twice
			sums = [2][lagCount]float64{}
			addLags(sums[0][:], sums[1][:], x[from+lagCount-1:], x[:a.n-from], y[from+lagCount-1:], y[:a.n-from])
		}
		for k := range to {
			// The kernel starts where its longest lag does.
			s := sums[i%2][lagCount-1-k]
			for t := from + k; t < from+lagCount-1; t++ {
				s += float64(x[t] * x[t-from-k])
			}
			to[k] += float64(s * scale)
		}
	}
}

// transform works out an eighth of all lags, of which a chain that is long beside its τ needs no more, or else all of
// them: C = F⁻¹ |F x|² with as many zeros behind x as there are lags, and more, up to a length of few small factors.
func (a *autocovariances) transform() {
	lags := a.n
	if len(a.c) < a.n/8 {
		lags = a.n / 8
	}
	size := 1 << bits.Len(uint(a.n+lags-1))
	for _, part := range []int{15, 12, 10, 9} { // of 16
		if shorter := size / 16 * part; shorter >= a.n+lags {
			size = shorter
		}
	}
	if a.fft == nil || a.fft.Len() != size {
		a.fft = fourier.NewFFT(size)
		a.padded, a.spectrum = make([]float64, size), make([]complex128, size/2+1)
	}
	a.c = slices.Grow(a.c[:0], lags)[:lags]
	clear(a.c)
	scale := 1 / (float64(a.n) * float64(len(a.x)) * float64(size))
	for _, x := range a.x {
		copy(a.padded, x)
		clear(a.padded[a.n:])
		a.fft.Coefficients(a.spectrum, a.padded)
		for i, v := range a.spectrum {
			a.spectrum[i] = complex(float64(real(v)*real(v))+float64(imag(v)*imag(v)), 0)
		}
		a.fft.Sequence(a.padded, a.spectrum)
		for t := range a.c {
			a.c[t] += float64(a.padded[t] * scale)
		}
	}
}
