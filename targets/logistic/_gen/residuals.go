package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

const residualsSignature = "func(z *float64, y *int32, count int, share float64, factor *[8]float64, below *[8]float64)"

// konst holds the constants of expAll, four times each so that a YMM register
// can be loaded, and table that of powers of two.
var (
	konst, table Mem
	place        = map[string]int{}
)

func constants() {
	konst = GLOBL("residualConstants", RODATA|NOPTR)
	for i, c := range []struct {
		name string
		bits uint64
	}{
		{"sign", 1 << 63},
		{"magnitude", 1<<63 - 1},
		{"limit", math.Float64bits(708)},
		{"-limit", math.Float64bits(-708)},
		{"per", math.Float64bits(0x1.71547652b82fep+5)},
		{"round", math.Float64bits(0x1.8p52)},
		{"hi", math.Float64bits(0x1.62e42fef80000p-6)},
		{"lo", math.Float64bits(0x1.1cf79abc9e3b4p-41)},
		{"1/2", math.Float64bits(0.5)},
		{"1/6", math.Float64bits(1.0 / 6)},
		{"1/24", math.Float64bits(1.0 / 24)},
		{"1/120", math.Float64bits(1.0 / 120)},
		{"1", math.Float64bits(1)},
		{"16", 16},
		{"31", 31},
	} {
		place[c.name] = 32 * i
		for k := range 4 {
			DATA(32*i+8*k, U64(c.bits))
		}
	}
	table = NewDataAddr(Symbol{Name: "·exp2Table"}, 0)
}

// residuals512 is residuals256 with all constants and the table in registers.
func residuals512() {
	TEXT("residualsAVX512", NOSPLIT, residualsSignature)
	Doc("residualsAVX512 is residualsGeneric for 8·count rows.")
	Pragma("noescape")
	z, y, count, factors, sums, share := arguments()
	spread := ZMM()
	VBROADCASTSD(share, spread)
	held := map[string]VecVirtual{}
	hold := func(name string) VecVirtual {
		if held[name] == nil {
			held[name] = ZMM()
			VBROADCASTSD(konst.Offset(place[name]), held[name])
		}
		return held[name]
	}
	for _, name := range []string{"sign", "magnitude", "limit", "-limit", "per", "round", "hi", "lo", "1/2", "1/6", "1/24", "1/120", "1", "16"} {
		hold(name)
	}
	var powers [4]VecVirtual
	for i := range powers {
		powers[i] = ZMM()
		VMOVUPD(table.Offset(64*i), powers[i])
	}
	factor, below := ZMM(), ZMM()
	VMOVUPD(Mem{Base: factors}, factor)
	VMOVUPD(Mem{Base: sums}, below)
	zero := ZMM()
	VPXORQ(zero, zero, zero)

	Label("residualsAVX512loop")
	margin, x := ZMM(), ZMM()
	VMOVUPD(Mem{Base: z}, margin)
	VPXORQ(hold("sign"), margin, x)
	// The second operand of MIN and MAX, first here, is the result for NaN.
	VMINPD(x, hold("limit"), x)
	VMAXPD(x, hold("-limit"), x)
	u, bits := ZMM(), ZMM()
	VMULPD(hold("per"), x, u)
	VADDPD(hold("round"), u, bits)
	VSUBPD(hold("round"), bits, u)
	p := ZMM()
	VMULPD(hold("hi"), u, p)
	VSUBPD(p, x, x)
	VMULPD(hold("lo"), u, p)
	VSUBPD(p, x, x) // r
	r2, a := ZMM(), ZMM()
	VMULPD(x, x, r2)
	VMULPD(hold("1/6"), x, a)
	VADDPD(hold("1/2"), a, a)
	VMULPD(r2, a, a)
	VADDPD(x, a, a) // r + r²(1/2 + r/6)
	VMULPD(hold("1/120"), x, x)
	VADDPD(hold("1/24"), x, x)
	VMULPD(r2, r2, r2)
	VMULPD(r2, x, x)
	VADDPD(x, a, a)
	s, s2, upper := ZMM(), ZMM(), K()
	VMOVDQA64(bits, s)
	VMOVDQA64(bits, s2)
	VPERMI2PD(powers[1], powers[0], s)
	VPERMI2PD(powers[3], powers[2], s2)
	VPTESTMQ(hold("16"), bits, upper)
	VMOVAPD(s2, upper, s)
	VMULPD(s, a, a)
	VADDPD(s, a, a)
	VPSRLQ(Imm(5), bits, bits)
	VPSLLQ(Imm(52), bits, bits)
	VPADDQ(bits, a, a) // e⁻ᶻ
	VADDPD(hold("1"), a, a)
	VDIVPD(a, hold("1"), p)

	label := ZMM()
	VCVTDQ2PD(Mem{Base: y}, label)
	w := ZMM()
	VSUBPD(p, label, w)
	VMULPD(spread, w, w)
	VMOVUPD(w, Mem{Base: z})
	VSUBPD(hold("1/2"), p, p)
	VPANDQ(hold("magnitude"), p, p)
	VADDPD(hold("1/2"), p, p)
	VMULPD(p, factor, factor)
	VADDPD(label, label, label)
	VSUBPD(hold("1"), label, label)
	VMULPD(label, margin, margin)
	VMINPD(zero, margin, margin)
	VADDPD(margin, below, below)

	ADDQ(Imm(64), z)
	ADDQ(Imm(32), y)
	DECQ(count)
	JNE(LabelRef("residualsAVX512loop"))
	VMOVUPD(factor, Mem{Base: factors})
	VMOVUPD(below, Mem{Base: sums})
	VZEROUPPER()
	RET()
}

func arguments() (z, y, count, factors, sums, share Register) {
	z = Load(Param("z"), GP64())
	y = Load(Param("y"), GP64())
	count = Load(Param("count"), GP64())
	factors = Load(Param("factor"), GP64())
	sums = Load(Param("below"), GP64())
	share = Load(Param("share"), XMM())
	return z, y, count, factors, sums, share
}

// residuals256 handles a group of 8 rows as two halves.
func residuals256(path string) {
	TEXT("residuals"+path, NOSPLIT, residualsSignature)
	Doc("residuals" + path + " is residualsGeneric for 8·count rows.")
	Pragma("noescape")
	z, y, count, factors, sums, share := arguments()
	spread := YMM()
	VBROADCASTSD(share, spread)
	c := func(name string) Mem { return konst.Offset(place[name]) }
	powers := GP64()
	LEAQ(table, powers)
	one, half, round := YMM(), YMM(), YMM()
	VMOVUPD(c("1"), one)
	VMOVUPD(c("1/2"), half)
	VMOVUPD(c("round"), round)

	Label("residuals" + path + "loop")
	for h := range 2 {
		margin, x := YMM(), YMM()
		VMOVUPD(Mem{Base: z, Disp: 32 * h}, margin)
		VXORPD(c("sign"), margin, x)
		limit := YMM()
		VMOVUPD(c("limit"), limit)
		VMINPD(x, limit, x)
		VMOVUPD(c("-limit"), limit)
		VMAXPD(x, limit, x)
		u, bits := YMM(), YMM()
		VMULPD(c("per"), x, u)
		VADDPD(round, u, bits)
		VSUBPD(round, bits, u)
		p := YMM()
		VMULPD(c("hi"), u, p)
		VSUBPD(p, x, x)
		VMULPD(c("lo"), u, p)
		VSUBPD(p, x, x)
		r2, a := YMM(), YMM()
		VMULPD(x, x, r2)
		VMULPD(c("1/6"), x, a)
		VADDPD(half, a, a)
		VMULPD(r2, a, a)
		VADDPD(x, a, a)
		VMULPD(c("1/120"), x, x)
		VADDPD(c("1/24"), x, x)
		VMULPD(r2, r2, r2)
		VMULPD(r2, x, x)
		VADDPD(x, a, a)
		s, index, mask := YMM(), YMM(), YMM()
		VPAND(c("31"), bits, index)
		VPCMPEQD(mask, mask, mask)
		VGATHERQPD(mask, Mem{Base: powers, Index: index, Scale: 8}, s)
		VMULPD(s, a, a)
		VADDPD(s, a, a)
		VPSRLQ(Imm(5), bits, bits)
		VPSLLQ(Imm(52), bits, bits)
		VPADDQ(bits, a, a)
		VADDPD(one, a, a)
		VDIVPD(a, one, p)

		label := YMM()
		VCVTDQ2PD(Mem{Base: y, Disp: 16 * h}, label)
		w := YMM()
		VSUBPD(p, label, w)
		VMULPD(spread, w, w)
		VMOVUPD(w, Mem{Base: z, Disp: 32 * h})
		VSUBPD(half, p, p)
		VANDPD(c("magnitude"), p, p)
		VADDPD(half, p, p)
		factor := Mem{Base: factors, Disp: 32 * h}
		VMULPD(factor, p, p)
		VMOVUPD(p, factor)
		VADDPD(label, label, label)
		VSUBPD(one, label, label)
		VMULPD(label, margin, margin)
		zero := YMM()
		VXORPD(zero, zero, zero)
		VMINPD(zero, margin, margin)
		below := Mem{Base: sums, Disp: 32 * h}
		VADDPD(below, margin, margin)
		VMOVUPD(margin, below)
	}
	ADDQ(Imm(64), z)
	ADDQ(Imm(32), y)
	DECQ(count)
	JNE(LabelRef("residuals" + path + "loop"))
	VZEROUPPER()
	RET()
}
