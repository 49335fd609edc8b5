package nets

import (
	"fmt"
	"math"
	"math/bits"
)

// A coin shows 1 with a probability of coin/2³².
type coin uint64

// alwaysOne needs no random bits.
const alwaysOne coin = 1 << 32

// newCoin rounds a probability to 32 binary digits, but not to 0.
func newCoin(p float64) coin {
	if !(p > 0 && p <= 1) {
		panic(fmt.Sprintf("nets: a probability of %v, want one above 0 and up to 1", p))
	}
	return max(1, coin(math.RoundToEven(p*(1<<32))))
}

// probability is the exact probability of a 1.
func (c coin) probability() float64 { return float64(c) / (1 << 32) }

// A coin compares random numbers with its probability digit by digit, 128 numbers at a time. A block of four words has
// one binary digit of each number, highest digit first. Digits are drawn until no comparison is open. That takes eight
// or nine digits for 128 numbers, or one if the probability is ½; there are words for all 32.
const (
	coinGroup = 128
	coinBlock = 4 // words
	coinFirst = 4 // digits that the first draw has
	coinLater = 2 // digits that later draws have
)

// coinWords is the number of words of n coins.
func coinWords(n int) int { return (n + coinGroup - 1) / coinGroup * 32 * coinBlock }

// coinSpace is memory for random words, of one worker.
type coinSpace [coinFirst * coinBlock]uint32

// flip clears bits of the marks where the coin shows 0. Bits that are not set need no coin. The words of bit i are at a
// fixed distance from place, whatever the other bits are.
func (c coin) flip(marks []uint64, r Random, place uint64, space *coinSpace) {
	for g := 0; g < len(marks); g += 2 {
		var open, ones [2]uint64
		n := copy(open[:], marks[g:])
		at := place
		place += 32 * coinBlock
		count := coinFirst
		// Numbers below the probability show 1, those equal to it 0.
		for digits := uint32(c); digits != 0 && open[0]|open[1] != 0; {
			count = min(count, 32-bits.TrailingZeros32(digits))
			words := space[:count*coinBlock]
			r.Words(words, at)
			at += uint64(len(words))
			for ; len(words) > 0; words = words[coinBlock:] {
				w := [2]uint64{uint64(words[0]) | uint64(words[1])<<32, uint64(words[2]) | uint64(words[3])<<32}
				if digits>>31 == 1 {
					ones[0], ones[1] = ones[0]|open[0]&^w[0], ones[1]|open[1]&^w[1]
					open[0], open[1] = open[0]&w[0], open[1]&w[1]
				} else {
					open[0], open[1] = open[0]&^w[0], open[1]&^w[1]
				}
				digits <<= 1
			}
			count = coinLater
		}
		copy(marks[g:][:n], ones[:])
	}
}

// markAll sets the first n bits of the marks and clears the others.
func markAll(marks []uint64, n int) {
	for i := range marks {
		marks[i] = math.MaxUint64
		if left := n - 64*i; left < 64 {
			marks[i] = 1<<left - 1
		}
	}
}
