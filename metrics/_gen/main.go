// Command _gen writes the kernels of package metrics in assembly: the operations of the generic
// code in its order, without fused multiply-add, so that the bits agree.
//
// A lag kernel adds, for each t in turn, x[t]·y[t+m] to accumulator m, one vector of
// accumulators after the other.
package main

import (
	"fmt"
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/simd/_gen/neon"
)

// isa is a width of vectors with the registers to hold them.
type isa struct {
	name  string
	lanes int
	reg   func() VecVirtual
}

// onNEON is whether the kernels are for arm64. A vector of four numbers is two there.
var onNEON bool

func main() {
	ConstraintExpr("!noasm")
	isas := []isa{{name: "AVX512", lanes: 8, reg: ZMM}, {name: "AVX2", lanes: 4, reg: YMM}}
	generate := Generate
	if onNEON = os.Args[1] == "neon"; onNEON {
		os.Args = append(os.Args[:1], os.Args[2:]...)
		isas = []isa{{name: neon.Suffix, lanes: 2, reg: XMM}}
		generate = neon.Generate
	}
	for _, v := range isas {
		for _, lags := range []int{8, 16} {
			kernel(v, lags)
		}
	}
	sums()
	generate()
}

func kernel(v isa, lags int) {
	TEXT(fmt.Sprintf("lags%d%s", lags, v.name), NOSPLIT, fmt.Sprintf("func(acc *[%d]float64, x *float64, y *float64, n int)", lags))
	Doc(fmt.Sprintf("lags%d%s adds x[t]·y[t+m] to acc[m] for m = 0..%d and t = 0..n-1, in the order of t.", lags, v.name, lags-1))
	Pragma("noescape")
	acc := Load(Param("acc"), GP64())
	x := Load(Param("x"), GP64())
	y := Load(Param("y"), GP64())
	n := Load(Param("n"), GP64())
	sums := make([]VecVirtual, lags/v.lanes)
	at := func(i int) Mem { return Mem{Base: acc, Disp: i * v.lanes * 8} }
	for i := range sums {
		sums[i] = v.reg()
		VMOVUPD(at(i), sums[i])
	}
	name := fmt.Sprintf("lags%d%s", lags, v.name)
	// turn takes so many values of x.
	turn := func(values int) {
		for t := range values {
			b := v.reg()
			if onNEON {
				VMOVDDUP(Mem{Base: x, Disp: 8 * t}, b)
			} else {
				VBROADCASTSD(Mem{Base: x, Disp: 8 * t}, b)
			}
			for i, s := range sums {
				p := v.reg()
				VMULPD(Mem{Base: y, Disp: 8 * (t + i*v.lanes)}, b, p)
				VADDPD(p, s, s)
			}
		}
		ADDQ(Imm(8*uint64(values)), x)
		ADDQ(Imm(8*uint64(values)), y)
	}
	const unrolled = 4
	SUBQ(Imm(unrolled), n)
	JLT(LabelRef(name + "rest"))
	Label(name + "loop")
	turn(unrolled)
	SUBQ(Imm(unrolled), n)
	JGE(LabelRef(name + "loop"))
	Label(name + "rest")
	ADDQ(Imm(unrolled), n)
	JE(LabelRef(name + "done"))
	Label(name + "one")
	turn(1)
	DECQ(n)
	JNE(LabelRef(name + "one"))
	Label(name + "done")
	for i, s := range sums {
		VMOVUPD(s, at(i))
	}
	VZEROUPPER()
	RET()
}
