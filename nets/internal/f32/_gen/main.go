// Command _gen writes the assembly of package f32: go run . name writes the file
// of that name.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/internal/winograd"
	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
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
		"neon": func() {
			v := vec{neon: true}
			for rows := 1; rows <= tallest256; rows++ {
				v.tile(rows, columnsNEON)
			}
			for columns := 1; columns <= widestNEON; columns++ {
				v.strip(columns)
			}
			for _, emit := range elements {
				emit(v)
			}
			for _, t := range winograd.All {
				v.transform(t)
			}
			prefetch()
		},
		"peak": func() {
			vec{}.peak()
			vec{wide: true}.peak()
		},
		"pack": func() {
			transpose16()
			transpose8()
			vec{wide: true}.copyRows()
			vec{}.copyRows()
		},
		"sparse": func() {
			for columns := 1; columns <= widest512; columns++ {
				vec{wide: true}.strip(columns)
			}
			for columns := 1; columns <= widestAVX2; columns++ {
				vec{}.strip(columns)
			}
			listPixels()
			prefetch()
		},
		"winograd": func() {
			for _, v := range []vec{{wide: true}, {}} {
				for _, t := range winograd.All {
					v.transform(t)
				}
			}
		},
		"elements": func() {
			for _, v := range []vec{{wide: true}, {}} {
				for _, emit := range elements {
					emit(v)
				}
			}
		},
	}
	name := neon.Argument()
	if name == "dispatch" {
		neon.Dispatch("f32", dispatch)
		return
	}
	ConstraintExpr("!noasm")
	files[name]()
	neon.Generate()
}

// A vec emits instructions for vectors of 16 numbers (AVX-512), 8 (AVX2 and FMA) or 4
// (NEON).
type vec struct{ wide, neon bool }

// bytes is the size of a vector.
func (v vec) bytes() int {
	switch {
	case v.wide:
		return 64
	case v.neon:
		return 16
	}
	return 32
}

func (v vec) reg() reg.VecVirtual {
	switch {
	case v.wide:
		return ZMM()
	case v.neon:
		return XMM()
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
	switch {
	case v.wide:
		return "AVX512"
	case v.neon:
		return neon.Suffix
	}
	return "AVX2"
}

// align puts the next instruction at the start of a cache line.
func align() {
	Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(64)}})
}
