package f32

// StochasticWords is the number of random words for n squares, 16 bits each.
func StochasticWords(n int) int { return (n + 1) / 2 }

// StochasticPool sets dst, of shape s.Pooled(), to one number of each 2×2 square of x, of shape s, whose numbers a are
// at least 0: the one at k with probability a_k/Σa, within 2⁻¹⁶. which is where it was, as in MaxPool, so that
// MaxPoolBack is the way back. Number i of dst takes 16 bits w of words[i/2], the low ones first: with u = (w+½)/2¹⁶, k
// is the first for which u·Σa is below the sum up to a_k. A square of zeros gives 0, and one with a number that is not
// finite NaN.
func StochasticPool(dst []float32, which []uint8, x []float32, s Image, words []uint32) {
	s.check("StochasticPool", len(x))
	s.Pooled().check("StochasticPool", len(dst))
	sameLength("StochasticPool", "places", len(which), len(dst))
	sameLength("StochasticPool", "words", len(words), StochasticWords(len(dst)))
	c, line := s.Channels, s.Width*s.Channels
	eachSquare(s, func(out, in int) {
		oneOfFour(dst[out:][:c], which[out:][:c], x[in:], line, c, words, out)
	})
}

// oneOfFour pools a square, as maxOfFour; first is the place of its first number among all.
func oneOfFour(dst []float32, which []uint8, x []float32, line, c int, words []uint32, first int) {
	x0, x1, x2, x3 := x[:len(dst)], x[c:][:len(dst)], x[line:][:len(dst)], x[line+c:][:len(dst)]
	which = which[:len(dst)]
	for j := range dst {
		i := first + j
		w := uint16(words[i/2] >> (i % 2 * 16))
		one := x0[j]
		two := one + x1[j]
		three := two + x2[j]
		sum := three + x3[j]
		t := float32((float32(w) + 0.5) * (1.0 / (1 << 16)) * sum)
		k := count(t >= one) + count(t >= two) + count(t >= three)
		which[j] = uint8(k)
		dst[j] = x[j+k&1*c+k>>1*line] + (t - t)
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// leastSum replaces smaller sums, of numbers that are as good as 0.
const leastSum = 0x1p-126

// WeightedPool sets dst to the mean of StochasticPool: Σa²/Σa of each 2×2 square of
// numbers a that are at least 0, and 0 for zeros.
func WeightedPool(dst, x []float32, s Image) {
	s.check("WeightedPool", len(x))
	s.Pooled().check("WeightedPool", len(dst))
	c, line := s.Channels, s.Width*s.Channels
	eachSquare(s, func(out, in int) {
		dst := dst[out:][:c]
		x0, x1, x2, x3 := x[in:][:c], x[in+c:][:c], x[in+line:][:c], x[in+line+c:][:c]
		for j := range dst {
			a, b, c, d := x0[j], x1[j], x2[j], x3[j]
			sum := a + b + c + d
			if sum < leastSum {
				sum = leastSum
			}
			dst[j] = (float32(a*a) + float32(b*b) + float32(c*c) + float32(d*d)) / sum
		}
	})
}

// WeightedPoolBack sets dx to the gradient by the input x of WeightedPool, given its output y and the gradient dy by
// that. The derivative of y = Σa²/Σa by a_k is (2a_k - y)/Σa.
func WeightedPoolBack(dx, dy, y, x []float32, s Image) {
	s.check("WeightedPoolBack", len(dx))
	s.check("WeightedPoolBack", len(x))
	s.Pooled().check("WeightedPoolBack", len(dy))
	s.Pooled().check("WeightedPoolBack", len(y))
	if s.Height%2 == 1 || s.Width%2 == 1 {
		clear(dx)
	}
	c, line := s.Channels, s.Width*s.Channels
	eachSquare(s, func(out, in int) {
		for j := range c {
			square := [...]int{in + j, in + j + c, in + j + line, in + j + line + c}
			sum := x[square[0]] + x[square[1]] + x[square[2]] + x[square[3]]
			if sum < leastSum {
				sum = leastSum
			}
			each, v := dy[out+j]/sum, y[out+j]
			for _, k := range square {
				dx[k] = each * (2*x[k] - v)
			}
		}
	})
}
