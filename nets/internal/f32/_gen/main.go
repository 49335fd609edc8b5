// Command _gen writes the assembly of package f32: go run . name writes the file
// of that name.
package main

import (
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"
)

func main() {
	files := map[string]func(){
		"tiles512": func() {
			for rows := 1; rows <= tallest512; rows++ {
				vec{wide: true}.tile(rows, 1)
				vec{wide: true}.tile(rows, 2)
			}
		},
		"tiles256": func() {
			for rows := 1; rows <= tallest256; rows++ {
				vec{}.tile(rows, 2)
			}
		},
		"pack": func() {
			transpose16()
			transpose8()
			vec{wide: true}.copyRows()
			vec{}.copyRows()
		},
		"sparse": func() {
			for columns := 1; columns <= widestStrip; columns++ {
				vec{wide: true}.strip(columns)
				vec{}.strip(columns)
			}
			listPixels()
			prefetch()
		},
		"elements": func() {
			for _, v := range []vec{{wide: true}, {}} {
				for _, emit := range elements {
					emit(v)
				}
				v.maxPool()
				v.maxPoolBack()
			}
		},
	}
	name := os.Args[1]
	if name == "dispatch" {
		if err := dispatch("../dispatch_amd64.go"); err != nil {
			panic(err)
		}
		return
	}
	os.Args = append(os.Args[:1], os.Args[2:]...)
	ConstraintExpr("!noasm")
	files[name]()
	Generate()
}

// A vec emits instructions for vectors of 16 numbers (AVX-512) or 8 (AVX2 and
// FMA).
type vec struct{ wide bool }

// bytes is the size of a vector.
func (v vec) bytes() int {
	if v.wide {
		return 64
	}
	return 32
}

func (v vec) reg() reg.VecVirtual {
	if v.wide {
		return ZMM()
	}
	return YMM()
}

func (v vec) regs(n int) []reg.VecVirtual {
	r := make([]reg.VecVirtual, n)
	for i := range r {
		r[i] = v.reg()
	}
	return r
}

func (v vec) zero(x reg.VecVirtual) {
	if v.wide {
		VPXORD(x, x, x)
	} else {
		VXORPS(x, x, x)
	}
}

func (v vec) name() string {
	if v.wide {
		return "AVX512"
	}
	return "AVX2"
}

// align puts the next instruction at the start of a cache line.
func align() {
	Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}})
}
