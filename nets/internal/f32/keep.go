package f32

import "encoding/binary"

// MarkWords is how many words have a bit for each of n numbers.
func MarkWords(n int) int { return (n + 63) / 64 }

// KeepMarked multiplies x[i] by scale where bit i of the marks is set, the lowest
// of marks[0] being bit 0, and makes it 0 elsewhere, whatever it was.
func KeepMarked(x []float32, marks []uint64, scale float32) {
	sameLength("KeepMarked", "words of marks", len(marks), MarkWords(len(x)))
	active.keepMarked(x, marks, scale)
}

// keepMarkedGeneric begins with bit first.
func keepMarkedGeneric(x []float32, marks []uint64, first int, scale float32) {
	for i, v := range x {
		v *= scale
		if at := first + i; marks[at/64]>>(at%64)&1 == 0 {
			v = 0
		}
		x[i] = v
	}
}

// MarkNonZero sets bit i of the marks where x[i] is not 0, and clears the others.
func MarkNonZero(marks []uint64, x []uint8) {
	sameLength("MarkNonZero", "words of marks", len(marks), MarkWords(len(x)))
	clear(marks)
	i := 0
	for ; i+8 <= len(x); i += 8 {
		if w := binary.LittleEndian.Uint64(x[i:]); w != 0 {
			// The highest bit of each byte says whether any bit of it is set; the
			// product gathers the eight in its highest byte.
			high := (w&^highBits + ^uint64(highBits) | w) & highBits
			marks[i/64] |= high >> 7 * 0x0102040810204080 >> 56 << (i % 64)
		}
	}
	for ; i < len(x); i++ {
		if x[i] != 0 {
			marks[i/64] |= 1 << (i % 64)
		}
	}
}

// KeepMarkedBytes sets dst to x where bits of the marks are set, and to 0 elsewhere.
func KeepMarkedBytes(dst, x []uint8, marks []uint64) {
	sameLength("KeepMarkedBytes", "bytes", len(dst), len(x))
	sameLength("KeepMarkedBytes", "words of marks", len(marks), MarkWords(len(x)))
	i := 0
	for ; i+8 <= len(x); i += 8 {
		bits := marks[i/64] >> (i % 64) & 0xff
		// Byte k keeps bit k, so that it is not 0 where the mark is set.
		each := bits * 0x0101010101010101 & 0x8040201008040201
		high := (each&^highBits + ^uint64(highBits) | each) & highBits
		binary.LittleEndian.PutUint64(dst[i:], binary.LittleEndian.Uint64(x[i:])&(high>>7*0xff))
	}
	for ; i < len(x); i++ {
		dst[i] = x[i] * uint8(marks[i/64]>>(i%64)&1)
	}
}

// highBits are the highest of eight bytes.
const highBits = 0x8080808080808080
