package simd

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Group is how many normals are made together, from groupBlocks blocks: pairs of
// a cosine and a sine, all cosines before all sines.
const (
	Group       = 64
	groupBlocks = 16
)

const (
	mul0 = 0xD2511F53
	mul1 = 0xCD9E8D57

	mantissa = 1<<23 - 1
	sqrtHalf = 0x3f3504f3
	// √½ times 2³¹, the range of the radii's words.
	sqrtHalf31 = sqrtHalf + 31<<23
)

// The numbers of pair32, to be held equal to those of package noise.
const (
	minusTwoLn2 = -2 * math.Ln2
	angle       = math.Pi / 4 * 0x1p-31
)

var (
	logarithm = []float32{-2, 1, -0.66670835, 0.49962726, -0.39782968, 0.34278286, -0.32521608, 0.20887165}
	sine      = []float32{1, -0.16666651, 0.008331983, -0.00019496137}
	cosine    = []float32{1, -0.49999896, 0.041656334, -0.0013598228}
)

// Groups emits a loop over n groups: use is given the Size cosines and sines of
// piece i of a group, its normals i·Size … and Group/2 + i·Size …, and then next is
// called. The schedule is the address of a noise.Schedule and block the first.
//
// Normals are made of their words while the next words are made: the cipher's
// rounds depend each on the last and would leave most of the processor idle. An
// instruction for words comes after each ahead others, among which are those of
// use where there are registers for it.
func (v Vec) Groups(n, schedule, block reg.Register, ahead int, use func(i int, cos, sin Reg), next func()) {
	if v.Wide() {
		v.odd = K()
		mask := GP32()
		MOVL(U32(0xaaaa), mask)
		KMOVW(mask, v.odd)
	}
	pieces := Group / 2 / v.Size()
	radius, turn := v.words(schedule, block, 0)
	Label("group")
	for i := range pieces {
		if i == pieces-1 {
			ADDL(U8(groupBlocks), block)
		}
		var radius2, turn2, cos, sin Reg
		v.turns.run(ahead, func() {
			cos, sin = v.pairs(radius, turn)
			if v.Wide() {
				use(i, cos, sin)
			}
		}, func() { radius2, turn2 = v.words(schedule, block, (i+1)%pieces) })
		if !v.Wide() {
			use(i, cos, sin)
		}
		for p := range radius {
			VMOVAPS(radius2[p], radius[p])
			VMOVAPS(turn2[p], turn[p])
		}
	}
	next()
	DECQ(n)
	JNZ(LabelRef("group"))
}

// words emits Philox4x32-10 on Size/2 blocks. A 32-bit word of the cipher is the
// low half of a lane of 64 bits; what the high half holds does not matter until
// the end. Where the schedule begins, the words that do not depend on the block
// are in it already.
func (v Vec) words(schedule, block reg.Register, i int) (radius, turn Reg) {
	next := 0
	key := func() Shared {
		k := Shared(Mem{Base: schedule, Disp: 32 * next})
		next++
		return k
	}
	m0, m1 := v.Bits(mul0), v.Bits(mul1)
	high := func(x Reg) Reg { return v.shift(VPSRLQ, 32, x) }

	x3 := v.Do(MulLow, v.numbers(block, i), m0)
	x2 := v.Do(Xor, high(x3), key())
	x1 := v.Do(MulLow, x2, m1)
	x0 := v.Do(Xor, high(x1), key())
	x2 = v.Do(Xor, x3, key())
	for round := 2; round < 10; round++ {
		a, b := v.Do(MulLow, x0, m0), v.Do(MulLow, x2, m1)
		x0 = v.xor3(high(b), x1, key())
		if round == 2 {
			x2 = v.Do(Xor, high(a), key())
		} else {
			x2 = v.xor3(high(a), x3, key())
		}
		x1, x3 = b, a
	}
	return v.join(x0, x1), v.join(x2, x3)
}

// numbers are the blocks' own.
func (v Vec) numbers(block reg.Register, i int) Reg {
	d := v.New()
	for p := range d {
		order := v.blocks.Offset(8 * (i*v.Parts + p) * v.Lanes / 2)
		if v.Wide() {
			VPBROADCASTD(block, d[p])
		} else {
			low := XMM()
			VMOVD(block, low)
			VPBROADCASTD(low, d[p])
		}
		VPADDD(order, d[p], d[p])
		v.turns.end()
	}
	return d
}

// xor3 makes x the exclusive or of three values.
func (v Vec) xor3(x, y Reg, z Shared) Reg {
	if !v.Wide() {
		return v.Do(Xor, v.Do(Xor, x, y), z)
	}
	for i := range x {
		VPTERNLOGD_BCST(U8(0x96), Mem(z), y[i], x[i])
		v.turns.end()
	}
	return x
}

// join puts the low halves of high's lanes above those of low.
func (v Vec) join(low, high Reg) Reg {
	for i := range low {
		if v.Wide() {
			VPSHUFD(U8(0xa0), high[i], v.odd, low[i])
		} else {
			VPSLLQ(U8(32), high[i], high[i])
			VPBLENDD(U8(0xaa), high[i], low[i], low[i])
		}
		v.turns.end()
	}
	return low
}

// pairs emits pair32 for each lane.
func (v Vec) pairs(radius, turn Reg) (cos, sin Reg) {
	f := v.Do(Add, v.ToFloat(v.shift(VPSRLD, 1, radius)), v.Float(0.5))
	b := v.Do(Sub32, f, v.Bits(sqrtHalf31))
	e := v.ToFloat(v.shift(VPSRAD, 23, b))
	m := v.Do(Add32, v.Do(And, b, v.Bits(mantissa)), v.Bits(sqrtHalf))
	m = v.Do(Sub, m, v.Float(1))
	q := v.Do(Mul, v.Polynomial(logarithm, m), m)
	r := v.Sqrt(v.Do(Add, q, v.Do(Mul, e, v.Float(minusTwoLn2))))

	t := v.Do(Mul, v.ToFloat(v.shift(VPSLLD, 2, turn)), v.Float(angle))
	z := v.Do(Mul, t, t)
	s := v.Do(Mul, v.Polynomial(sine, z), t)
	c := v.flip(turn, v.Polynomial(cosine, z))
	c, s = v.swap(turn, c, s)
	return v.Do(Mul, c, r), v.Do(Mul, s, r)
}
