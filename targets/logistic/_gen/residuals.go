package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
)

// konst holds the constants of ExpAll, four times each so that a YMM register
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

// residuals emits the loop over groups of 8 rows. AVX-512 has all constants, the table and the
// tally in registers. Others take a group as two halves, and most of these from memory.
func residuals(v f64.ISA) {
	name, wide := "residuals"+v.Name, v.Lanes == 8
	f64.Begin(name, "func(z *float64, y *int32, count int, share float64, factor *[8]float64, below *[8]float64)", "is residualsGeneric for 8·count rows.")
	z, y, count := Load(Param("z"), GP64()), Load(Param("y"), GP64()), Load(Param("count"), GP64())
	factors, sums := Load(Param("factor"), GP64()), Load(Param("below"), GP64())
	share := Load(Param("share"), XMM())
	register, halves, xor, and := YMM, 2, VXORPD, VANDPD
	if wide {
		register, halves, xor, and = ZMM, 1, VPXORQ, VPANDQ
	}
	spread := register()
	VBROADCASTSD(share, spread)
	held := map[string]VecVirtual{}
	c := func(name string) Op {
		if x := held[name]; x != nil {
			return x
		}
		return konst.Offset(place[name])
	}
	var (
		address             Register      // of the table
		powers              [4]VecVirtual // or the table
		factor, below, zero VecVirtual
	)
	if wide {
		for _, name := range []string{"sign", "magnitude", "limit", "-limit", "per", "round", "hi", "lo", "1/2", "1/6", "1/24", "1/120", "1", "16"} {
			held[name] = ZMM()
			VBROADCASTSD(konst.Offset(place[name]), held[name])
		}
		for i := range powers {
			powers[i] = ZMM()
			VMOVUPD(table.Offset(64*i), powers[i])
		}
		factor, below, zero = ZMM(), ZMM(), ZMM()
		VMOVUPD(Mem{Base: factors}, factor)
		VMOVUPD(Mem{Base: sums}, below)
		VPXORQ(zero, zero, zero)
	} else {
		address = GP64()
		LEAQ(table, address)
		for _, name := range []string{"1", "1/2", "round"} {
			held[name] = YMM()
		}
		for _, name := range []string{"1", "1/2", "round"} {
			VMOVUPD(konst.Offset(place[name]), held[name])
		}
	}

	Label(name + "loop")
	for h := range halves {
		margin, x := register(), register()
		VMOVUPD(Mem{Base: z, Disp: 32 * h}, margin)
		xor(c("sign"), margin, x)
		// The second operand of MIN and MAX, first here, is the result for NaN.
		if wide {
			VMINPD(x, c("limit"), x)
			VMAXPD(x, c("-limit"), x)
		} else {
			limit := YMM()
			VMOVUPD(c("limit"), limit)
			VMINPD(x, limit, x)
			VMOVUPD(c("-limit"), limit)
			VMAXPD(x, limit, x)
		}
		u, bits := register(), register()
		VMULPD(c("per"), x, u)
		VADDPD(c("round"), u, bits)
		VSUBPD(c("round"), bits, u)
		p := register()
		VMULPD(c("hi"), u, p)
		VSUBPD(p, x, x)
		VMULPD(c("lo"), u, p)
		VSUBPD(p, x, x) // r
		r2, a := register(), register()
		VMULPD(x, x, r2)
		VMULPD(c("1/6"), x, a)
		VADDPD(c("1/2"), a, a)
		VMULPD(r2, a, a)
		VADDPD(x, a, a) // r + r²(1/2 + r/6)
		VMULPD(c("1/120"), x, x)
		VADDPD(c("1/24"), x, x)
		VMULPD(r2, r2, r2)
		VMULPD(r2, x, x)
		VADDPD(x, a, a)
		s := register()
		if wide {
			s2, upper := ZMM(), K()
			VMOVDQA64(bits, s)
			VMOVDQA64(bits, s2)
			VPERMI2PD(powers[1], powers[0], s)
			VPERMI2PD(powers[3], powers[2], s2)
			VPTESTMQ(c("16"), bits, upper)
			VMOVAPD(s2, upper, s)
		} else {
			index, mask := YMM(), YMM()
			VPAND(c("31"), bits, index)
			VPCMPEQD(mask, mask, mask)
			VGATHERQPD(mask, Mem{Base: address, Index: index, Scale: 8}, s)
		}
		VMULPD(s, a, a)
		VADDPD(s, a, a)
		VPSRLQ(Imm(5), bits, bits)
		VPSLLQ(Imm(52), bits, bits)
		VPADDQ(bits, a, a) // e⁻ᶻ
		VADDPD(c("1"), a, a)
		VDIVPD(a, c("1"), p)

		label := register()
		VCVTDQ2PD(Mem{Base: y, Disp: 16 * h}, label)
		w := register()
		VSUBPD(p, label, w)
		VMULPD(spread, w, w)
		VMOVUPD(w, Mem{Base: z, Disp: 32 * h})
		VSUBPD(c("1/2"), p, p)
		and(c("magnitude"), p, p)
		VADDPD(c("1/2"), p, p)
		tally := func(op func(...Op), x, total VecVirtual, at Register) {
			if wide {
				op(x, total, total)
				return
			}
			m := Mem{Base: at, Disp: 32 * h}
			op(m, x, x)
			VMOVUPD(x, m)
		}
		tally(VMULPD, p, factor, factors)
		VADDPD(label, label, label)
		VSUBPD(c("1"), label, label)
		VMULPD(label, margin, margin)
		if !wide {
			zero = YMM()
			VXORPD(zero, zero, zero)
		}
		VMINPD(zero, margin, margin)
		tally(VADDPD, margin, below, sums)
	}
	ADDQ(Imm(64), z)
	ADDQ(Imm(32), y)
	DECQ(count)
	JNE(LabelRef(name + "loop"))
	if wide {
		VMOVUPD(factor, Mem{Base: factors})
		VMOVUPD(below, Mem{Base: sums})
	}
	VZEROUPPER()
	RET()
}
