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

// InMemory emits the making of n > 0 groups at dst, for registers that are too few for
// Groups: all words, then the radii in place of theirs, then the normals. In each of the
// loops several vectors go side by side, as an operation depends on the one before.
func (v Vec) InMemory(dst, n, schedule, block reg.Register) {
	const chains = 3
	v.Parts = chains
	p, left := GP64(), GP64()
	restart := func() { MOVQ(dst, p) }
	restart()
	IMUL3Q(U8(Group/2/v.Lanes), n, left)
	low, number := XMM(), v.one()
	VMOVD(block, low)
	VPBROADCASTD(low, number)
	Label("words")
	radius, turn := v.cipher(schedule, v.numbers(number, 0))
	for i := range chains {
		VMOVUPS(radius[i], Mem{Base: p, Disp: 64 * i})
		VMOVUPS(turn[i], Mem{Base: p, Disp: 64*i + 32})
	}
	VPADDD(Mem(v.Bits(uint32(chains*v.Lanes/2))), number, number)
	ADDQ(U32(64*chains), p)
	SUBQ(U8(chains), left)
	JLE(LabelRef("radii"))
	Label("last")
	CMPQ(left, U8(chains))
	JGE(LabelRef("words"))
	// The last turn ends with the last words and makes some again.
	VPSUBD(Mem(v.Bits(uint32(v.Lanes/2))), number, number)
	SUBQ(U8(64), p)
	INCQ(left)
	JMP(LabelRef("last"))

	Label("radii")
	restart()
	MOVQ(n, left)
	v.Parts = Group / 2 / v.Lanes
	repeat := func(label string, body func()) {
		Label(label)
		body()
		ADDQ(U32(4*Group), p)
		DECQ(left)
		JNZ(LabelRef(label))
	}
	repeat("radius", func() {
		w := [2]Reg{v.New(), v.New()}
		for h, x := range w {
			for i := range x {
				VMOVUPS(Mem{Base: p, Disp: 64*i + 32*h}, x[i])
			}
			if h == 0 {
				w[h] = v.radius(x)
			}
		}
		v.Store(w[0], Mem{Base: p})
		v.Store(w[1], Mem{Base: p, Disp: 4 * Group / 2})
	})
	restart()
	MOVQ(n, left)
	v.Parts = 2
	repeat("turn", func() {
		for i := range Group / 2 / v.Size() {
			first := Mem{Base: p, Disp: 4 * v.Size() * i}
			second := first.Offset(4 * Group / 2)
			cos, sin := v.turn(v.Load(second))
			r := v.Load(first)
			v.Store(v.Do(Mul, cos, r), first)
			v.Store(v.Do(Mul, sin, r), second)
		}
	})
}

// Groups emits a loop over n groups: use is given the Size cosines and sines of
// piece i of a group, its normals i·Size … and Group/2 + i·Size …, and then next is
// called. The schedule is the address of a noise.Schedule and block the first. It takes
// the registers of AVX-512 or NEON.
//
// Normals are made of their words while the next words are made: the cipher's
// rounds depend each on the last and would leave most of the processor idle. An
// instruction for words comes after each ahead others, among which are those of use.
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
		var radius2, turn2 Reg
		v.turns.run(ahead, func() {
			cos, sin := v.pairs(radius, turn)
			use(i, cos, sin)
		}, func() { radius2, turn2 = v.words(schedule, block, (i+1)%pieces) })
		for p := range radius {
			VMOVAPS(radius2[p], radius[p])
			VMOVAPS(turn2[p], turn[p])
		}
	}
	next()
	DECQ(n)
	JNZ(LabelRef("group"))
}

// words emits the words of piece i of the groups from block on.
func (v Vec) words(schedule, block reg.Register, i int) (radius, turn Reg) {
	if v.neon() {
		return v.wordsNEON(schedule, block, i)
	}
	first := v.one()
	VPBROADCASTD(block, first)
	return v.cipher(schedule, v.numbers(first, i))
}

// numbers are those of the blocks of piece i, given the first of piece 0.
func (v Vec) numbers(first reg.VecVirtual, i int) Reg {
	d := v.New()
	for p := range d {
		VPADDD(v.blocks.Offset(8*(i*v.Parts+p)*v.Lanes/2), first, d[p])
		v.turns.end()
	}
	return d
}

// cipher emits Philox4x32-10 on Size/2 blocks of these numbers. A 32-bit word of the
// cipher is the low half of a lane of 64 bits; what the high half holds does not matter
// until the end. Where the schedule begins, the words that do not depend on the block are
// in it already.
func (v Vec) cipher(schedule reg.Register, number Reg) (radius, turn Reg) {
	next := 0
	key := func() Shared {
		k := Shared(Mem{Base: schedule, Disp: 32 * next})
		next++
		return k
	}
	m0, m1 := v.Bits(mul0), v.Bits(mul1)
	high := func(x Reg) Reg { return v.shift(VPSRLQ, 32, x) }

	x3 := v.Do(MulLow, number, m0)
	x2 := v.Do(Xor, high(x3), key())
	x1 := v.Do(MulLow, x2, m1)
	x0 := v.Do(Xor, high(x1), key())
	x2 = v.Do(Xor, x3, key())
	x3 = nil // in the schedule
	for range 8 {
		with1, with3 := v.keyed(x1, key()), v.keyed(x3, key())
		a, b := v.Do(MulLow, x0, m0), v.Do(MulLow, x2, m1)
		x0, x2 = with1(high(b)), with3(high(a))
		x1, x3 = b, a
	}
	return v.join(x0, x1), v.join(x2, x3)
}

// keyed returns what emits the exclusive or with a word, if there is one, and a key.
func (v Vec) keyed(word Reg, key Shared) func(x Reg) Reg {
	switch {
	case word == nil:
		return func(x Reg) Reg { return v.Do(Xor, x, key) }
	case !v.Wide():
		word = v.Do(Xor, word, key) // while x is made
		return func(x Reg) Reg { return v.Do(Xor, x, word) }
	}
	return func(x Reg) Reg {
		for i := range x {
			VPTERNLOGD_BCST(U8(0x96), Mem(key), word[i], x[i])
			v.turns.end()
		}
		return x
	}
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
	r := v.radius(radius)
	c, s := v.turn(turn)
	return v.Do(Mul, c, r), v.Do(Mul, s, r)
}

func (v Vec) radius(word Reg) Reg {
	f := v.Do(Add, v.ToFloat(v.shift(VPSRLD, 1, word)), v.Float(0.5))
	b := v.Do(Sub32, f, v.Bits(sqrtHalf31))
	e := v.ToFloat(v.shift(VPSRAD, 23, b))
	m := v.Do(Add32, v.Do(And, b, v.Bits(mantissa)), v.Bits(sqrtHalf))
	m = v.Do(Sub, m, v.Float(1))
	q := v.Do(Mul, v.Polynomial(logarithm, m), m)
	return v.Sqrt(v.Do(Add, q, v.Do(Mul, e, v.Float(minusTwoLn2))))
}

// turn emits the cosine and the sine of a word's angle.
func (v Vec) turn(word Reg) (cos, sin Reg) {
	t := v.Do(Mul, v.ToFloat(v.shift(VPSLLD, 2, word)), v.Float(angle))
	z := v.Do(Mul, t, t)
	s := v.Do(Mul, v.Polynomial(sine, z), t)
	c := v.flip(word, v.Polynomial(cosine, z))
	return v.swap(word, c, s)
}
