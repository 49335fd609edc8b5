// Command _gen writes the kernels of package metrics in assembly: the operations of the generic
// code in its order, without fused multiply-add, so that the bits agree.
//
// A lag kernel adds, for each t in turn, x[t]·y[t+m] to accumulator m, one vector of
// accumulators after the other.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/f64"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// onNEON is whether the kernels are for arm64. A vector of four numbers is two there.
var onNEON bool

func main() {
	ConstraintExpr("!noasm")
	onNEON = neon.Asked()
	for _, v := range f64.ISAs(onNEON) {
		for _, lags := range []int{8, 16} {
			kernel(v, lags)
		}
	}
	sums()
	neon.Generate()
}

// kernel emits that of two series, whose sums do not wait for each other.
func kernel(v f64.ISA, lags int) {
	name := fmt.Sprintf("lags%d%s", lags, v.Name)
	f64.Begin(name, fmt.Sprintf("func(acc, bcc *[%d]float64, x, y, u, v *float64, n int)", lags),
		fmt.Sprintf("adds x[t]·y[t+m] to acc[m] and u[t]·v[t+m] to bcc[m] for m = 0..%d and t = 0..n-1, in the order of t.", lags-1))
	type series struct {
		acc, x, y Register
		sums      []VecVirtual
	}
	var both []series
	for _, p := range [][3]string{{"acc", "x", "y"}, {"bcc", "u", "v"}} {
		s := series{acc: Load(Param(p[0]), GP64()), x: Load(Param(p[1]), GP64()), y: Load(Param(p[2]), GP64())}
		for i := range lags / v.Lanes {
			sum := v.Reg()
			VMOVUPD(Mem{Base: s.acc, Disp: i * v.Lanes * 8}, sum)
			s.sums = append(s.sums, sum)
		}
		both = append(both, s)
	}
	n := Load(Param("n"), GP64())
	// turn takes so many values of each series.
	turn := func(values int) {
		for t := range values {
			for _, s := range both {
				b := v.Spread(Mem{Base: s.x, Disp: 8 * t})
				for i, sum := range s.sums {
					p := v.Reg()
					VMULPD(Mem{Base: s.y, Disp: 8 * (t + i*v.Lanes)}, b, p)
					VADDPD(p, sum, sum)
				}
			}
		}
		for _, s := range both {
			ADDQ(Imm(8*uint64(values)), s.x)
			ADDQ(Imm(8*uint64(values)), s.y)
		}
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
	for _, s := range both {
		for i, sum := range s.sums {
			VMOVUPD(sum, Mem{Base: s.acc, Disp: i * v.Lanes * 8})
		}
	}
	VZEROUPPER()
	RET()
}
