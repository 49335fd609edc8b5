// Package f64 emits vector code in float64 for generators.
package f64

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// An ISA is a width of vectors with the registers to hold them.
type ISA struct {
	Name  string
	Lanes int
	Reg   func() VecVirtual
}

// ISAs are those of arm64, or of amd64.
func ISAs(onNEON bool) []ISA {
	if onNEON {
		return []ISA{{neon.Suffix, 2, XMM}}
	}
	return []ISA{{"AVX512", 8, ZMM}, {"AVX2", 4, YMM}}
}

// Spread loads a number into all lanes.
func (v ISA) Spread(from Mem) VecVirtual {
	d := v.Reg()
	if v.Lanes == 2 {
		VMOVDDUP(from, d)
	} else {
		VBROADCASTSD(from, d)
	}
	return d
}

// Begin begins a function.
func Begin(name, signature, doc string) {
	TEXT(name, attr.NOSPLIT, signature)
	Doc(name + " " + doc)
	Pragma("noescape")
}

// A Loop is a kernel that goes through its slices four numbers at a time, with AVX2 or NEON, where
// these are two vectors.
type Loop struct {
	At  map[string]Register
	off Register
}

// NewLoop loads the addresses of slices, and other parameters. That named n is the number of numbers.
func NewLoop(parameters ...string) Loop {
	l := Loop{At: map[string]Register{}}
	for _, p := range parameters {
		l.At[p] = Load(Param(p), GP64())
	}
	return l
}

// Turns emits the loop. A turn takes so many numbers of n.
func (l *Loop) Turns(label string, numbers uint64, body func()) {
	l.off = GP64()
	XORQ(l.off, l.off)
	SHLQ(U8(3), l.At["n"])
	Label(label)
	body()
	ADDQ(U32(8*numbers), l.off)
	CMPQ(l.off, l.At["n"])
	JLT(LabelRef(label))
}

// Place is where the numbers of a slice are at a turn, so many bytes further, if scale is 1. Of each
// number it may be that there are scale ones.
func (l *Loop) Place(p string, disp int, scale uint8) Mem {
	return Mem{Base: l.At[p], Index: l.off, Scale: scale, Disp: disp}
}

// Load loads numbers of a slice.
func (l *Loop) Load(p string, disp int) VecVirtual {
	d := YMM()
	VMOVUPD(l.Place(p, disp, 1), d)
	return d
}

// Store stores numbers of a slice.
func (l *Loop) Store(x VecVirtual, p string) { VMOVUPD(x, l.Place(p, 0, 1)) }

func into(op func(...Op), a, b VecVirtual) VecVirtual {
	d := YMM()
	op(b, a, d)
	return d
}

// Times is ab, Plus a + b, Minus a - b and Sqrt √a.
func Times(a, b VecVirtual) VecVirtual { return into(VMULPD, a, b) }
func Plus(a, b VecVirtual) VecVirtual  { return into(VADDPD, a, b) }
func Minus(a, b VecVirtual) VecVirtual { return into(VSUBPD, a, b) }
func Sqrt(a VecVirtual) VecVirtual {
	d := YMM()
	VSQRTPD(a, d)
	return d
}

// Bits is a number, by its bits.
func Bits(x uint64) VecVirtual {
	d, bits, low := YMM(), GP64(), XMM()
	MOVQ(U64(x), bits)
	VMOVQ(bits, low)
	VPBROADCASTQ(low, d)
	return d
}
