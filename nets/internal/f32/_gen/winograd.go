package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/psgld/psgld-tui/nets/internal/winograd"
)

// transform emits a transform of squares of vectors: of lines to scratch, which has
// room for 64 vectors, and of columns from there.
func (v vec) transform(t *winograd.Transform) {
	n := t.Inputs
	v.text(t.Name+"Tile", "func(dst *float32, dstLine, dstColumn int, src *float32, srcLine, srcColumn int, vectors int, scratch *float32)",
		fmt.Sprintf("makes %d×%d numbers of %d×%d, for so many vectors of them. Distances are in", len(t.Outputs), len(t.Outputs), n, n), "bytes.")
	dst, src, vectors := param("dst"), param("src"), param("vectors")
	factors := v.factors(t)
	repeat("vector", vectors, func() {
		scratch, at, column := param("scratch"), GP64(), GP64()
		MOVQ(src, at)
		MOVQ(U32(uint32(n)), column)
		lines := v.rowAddresses(n, at, param("srcLine"))
		columnStep := param("srcColumn")
		repeat("column", column, func() {
			v.steps(t, factors, lines, func(i int, x reg.VecVirtual) {
				VMOVUPS(x, Mem{Base: scratch, Disp: i * n * v.bytes()})
			})
			ADDQ(columnStep, at)
			ADDQ(U8(v.bytes()), scratch)
		})
		ADDQ(U8(v.bytes()), src)

		scratch, to, line := param("scratch"), GP64(), GP64()
		MOVQ(dst, to)
		MOVQ(U32(uint32(len(t.Outputs))), line)
		columns := v.rowAddresses(len(t.Outputs), to, param("dstColumn"))
		lineStep := param("dstLine")
		from := make([]Mem, n)
		for j := range from {
			from[j] = Mem{Base: scratch, Disp: j * v.bytes()}
		}
		repeat("line", line, func() {
			v.steps(t, factors, from, func(j int, x reg.VecVirtual) { VMOVUPS(x, columns[j]) })
			ADDQ(lineStep, to)
			ADDQ(U32(uint32(n*v.bytes())), scratch)
		})
		ADDQ(U8(v.bytes()), dst)
	})
	end()
}

// factors are the numbers other than ±1 that a transform multiplies by: in registers, where
// there are enough, and else in memory.
func (v vec) factors(t *winograd.Transform) map[float32]Op {
	table := Symbol{Name: t.Name + "Factors", Static: true}
	all := map[float32]Op{}
	for _, s := range t.Steps {
		f := s.Factor
		if f == 1 || f == -1 || all[f] != nil {
			continue
		}
		const copies = 8
		offset := 4 * copies * len(all)
		if !written[t.Name] {
			if len(all) == 0 {
				GLOBL(table.Name, attr.RODATA|attr.NOPTR)
			}
			for i := range copies {
				DATA(offset+4*i, F32(f))
			}
		}
		all[f] = NewDataAddr(table, offset)
		if v.wide || v.neon {
			x := v.reg()
			VBROADCASTSS(all[f], x)
			all[f] = x
		}
	}
	written[t.Name] = true
	return all
}

// written are the transforms whose factors are in the file.
var written = map[string]bool{}

// steps emits a transform of what is at the places of from, and puts every output as soon as
// it is there.
func (v vec) steps(t *winograd.Transform, factors map[float32]Op, from []Mem, put func(i int, x reg.VecVirtual)) {
	last := make([]int, t.Inputs+len(t.Steps)) // the step that reads a value last
	for i, s := range t.Steps {
		last[s.B] = i
		if s.A != winograd.None {
			last[s.A] = i
		}
	}
	for _, o := range t.Outputs {
		last[o] = len(t.Steps)
	}
	values := make([]reg.VecVirtual, len(last))
	get := func(i int) reg.VecVirtual {
		if values[i] == nil {
			values[i] = v.reg()
			VMOVUPS(from[i], values[i])
		}
		return values[i]
	}
	putValue := func(value int) {
		for i, o := range t.Outputs {
			if o == value {
				put(i, get(value))
			}
		}
	}
	for i := range t.Inputs {
		putValue(i)
	}
	for i, s := range t.Steps {
		to := t.Inputs + i
		b, f := get(s.B), factors[s.Factor]
		switch {
		case s.A == winograd.None:
			values[to] = v.reg()
			VMULPS(f, b, values[to])
		case s.Factor == 1:
			values[to] = v.reg()
			VADDPS(b, get(s.A), values[to])
		case s.Factor == -1:
			values[to] = v.reg()
			VSUBPS(b, get(s.A), values[to])
		case last[s.A] == i:
			values[to] = get(s.A)
			VFMADD231PS(f, b, values[to])
		case last[s.B] == i && !v.neon:
			values[to] = b
			VFMADD132PS(f, get(s.A), values[to])
		default:
			values[to] = v.reg()
			VMOVAPS(get(s.A), values[to])
			VFMADD231PS(f, b, values[to])
		}
		putValue(to)
	}
}
