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

// Groups emits a loop over n groups: use can ask for the Size cosines and sines of
// piece i of a group, its normals i·Size … and Group/2 + i·Size …, and then next is
// called. The schedule is the address of a noise.Schedule and block the first.
//
// Normals are made of their words while the next words are made: the cipher's
// rounds depend each on the last and would leave most of the processor idle. An
// instruction for words comes after each ahead others, among which are those of use.
func (v Vec) Groups(n, schedule, block reg.Register, ahead int, use func(i int, cos, sin func() Reg), next func()) {
	if !v.Many() {
		v.groupsByMemory(n, schedule, block, ahead, use, next)
		return
	}
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
			use(i, func() Reg { return cos }, func() Reg { return sin })
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

// groupsByMemory is Groups where registers are few. Words wait in memory until they become
// normals, and so do normals until they are asked for.
func (v Vec) groupsByMemory(n, schedule, block reg.Register, ahead int, use func(i int, cos, sin func() Reg), next func()) {
	// The words of so many pieces are made side by side, and in turns with the normals of
	// as many: the words lie in one half of the memory, and the normals in the other.
	const together = 2
	ciphers := v
	ciphers.Parts = together
	size := 4 * v.Lanes
	local, memory := AllocLocal(2*together*2*size+size), GP64()
	LEAQ(local.Offset(size-1), memory)
	ANDQ(I8(-size), memory)
	at := func(half, k int) (radius, turn Mem) {
		m := Mem{Base: memory, Disp: 2 * size * (half*together + k)}
		return m, m.Offset(size)
	}
	words := func(half int) {
		r, t := ciphers.words(schedule, block, half)
		for k := range together {
			radius, turn := at(half, k)
			v.Store(r[k:k+1], radius)
			v.Store(t[k:k+1], turn)
		}
	}
	words(0)
	Label("group")
	for half := range 2 {
		if half == 1 {
			ADDL(U8(groupBlocks), block)
		}
		v.turns.run(ahead, func() {
			for k := range together {
				radius, turn := at(half, k)
				load := func(m Mem) func() Reg { return func() Reg { return v.Load(m) } }
				aside := func(x Reg) any {
					v.Store(x, radius) // the word is no longer needed
					return radius
				}
				var cos, sin Reg
				v.InTurns(1,
					func() { v.Store(v.radius(v.Load(radius), aside), radius) },
					func() { cos, sin = v.turn(load(turn)) })
				v.Store(v.Do(Mul, sin, radius), turn)
				v.Store(v.Do(Mul, cos, radius), radius)
				use(half*together+k, load(radius), load(turn))
			}
		}, func() { words(1 - half) })
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
	if v.Wide() {
		VPBROADCASTD(block, first)
	} else {
		low := XMM()
		VMOVD(block, low)
		VPBROADCASTD(low, first)
	}
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
	if !v.Wide() { // with the low half above it, as the result has it
		high = func(x Reg) Reg { return v.shift(VPSHUFD, 0xb1, x) }
	}

	x3 := v.Do(MulLow, number, m0)
	x2 := v.Do(Xor, high(x3), key())
	x1 := v.Do(MulLow, x2, m1)
	x0 := v.Do(Xor, high(x1), key())
	x2 = v.Do(Xor, x3, key())
	x3 = nil // in the schedule
	const rounds = 8
	for round := range rounds {
		last := round == rounds-1
		with1, with3 := v.keyed(x1, key(), last), v.keyed(x3, key(), last)
		a, b := v.Do(MulLow, x0, m0), v.Do(MulLow, x2, m1)
		x0, x2 = with1(high(b)), with3(high(a))
		x1, x3 = b, a
	}
	if v.Wide() {
		return v.join(x0, x1), v.join(x2, x3)
	}
	return x0, x2
}

// keyed returns what emits the exclusive or with a word, if there is one, and a key. In the
// last round AVX2 does so in the low halves of lanes only.
func (v Vec) keyed(word Reg, key Shared, last bool) func(x Reg) Reg {
	switch {
	case word == nil:
		return func(x Reg) Reg { return v.Do(Xor, x, key) }
	case !v.Wide():
		word = v.Do(Xor, word, key) // while x is made
		for i := 0; last && i < len(word); i++ {
			VPBLENDD(U8(0xaa), Mem(v.Bits(0)), word[i], word[i])
			v.turns.end()
		}
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

// join puts the low halves of high's lanes above those of low, for AVX-512.
func (v Vec) join(low, high Reg) Reg {
	for i := range low {
		VPSHUFD(U8(0xa0), high[i], v.odd, low[i])
		v.turns.end()
	}
	return low
}

// pairs emits pair32 for each lane.
func (v Vec) pairs(radius, turn Reg) (cos, sin Reg) {
	r := v.radius(radius, func(x Reg) any { return x })
	c, s := v.turn(func() Reg { return turn })
	return v.Do(Mul, c, r), v.Do(Mul, s, r)
}

// radius emits the radius of a word. Aside returns an operand that is x, where it may wait.
func (v Vec) radius(word Reg, aside func(x Reg) any) Reg {
	f := v.Do(Add, v.ToFloat(v.shift(VPSRLD, 1, word)), v.Float(0.5))
	b := v.Do(Sub32, f, v.Bits(sqrtHalf31))
	e := aside(v.Do(Mul, v.ToFloat(v.shift(VPSRAD, 23, b)), v.Float(minusTwoLn2)))
	m := v.Do(Add32, v.Do(And, b, v.Bits(mantissa)), v.Bits(sqrtHalf))
	m = v.Do(Sub, m, v.Float(1))
	return v.Sqrt(v.Do(Add, v.Do(Mul, v.Polynomial(logarithm, m), m), e))
}

// turn emits the cosine and the sine of a word's angle.
func (v Vec) turn(word func() Reg) (cos, sin Reg) {
	t := v.Do(Mul, v.ToFloat(v.shift(VPSLLD, 2, word())), v.Float(angle))
	z := v.Do(Mul, t, t)
	s := v.Do(Mul, v.Polynomial(sine, z), t)
	c := v.flip(word(), v.Polynomial(cosine, z))
	return v.swap(word(), c, s)
}
