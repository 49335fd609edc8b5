package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/psgld/psgld-tui/nets/tool/simd/_gen/neon"
)

// The fields of struct tile in package f32, in order; each has 8 bytes.
const (
	fieldA = iota
	fieldB
	fieldC
	fieldRowA
	fieldStepA
	fieldStepB
	fieldRowC
	fieldSteps
	fieldRuns
	fieldJumpA
	fieldJumpB
	fieldMask
	fieldAdd
	fieldAhead
	fieldStepAhead
	fieldTiles
	fieldNextA
	fieldNowA
	fieldNowC
)

// The values of field add, but for 0.
const (
	addSums = 1 + iota
	addTerms
)

// unroll is how many steps a turn of the inner loop takes.
const unroll = 4

// The most rows of a tile's kernels; NEON's have as many as AVX2's.
const tallest512, tallest256 = 14, 6

// columnsNEON is how many vectors are as wide as two of AVX2.
const columnsNEON = 4

func (v vec) tileName(rows, columns int) string {
	return fmt.Sprintf("tile%dx%d%s", rows, columns*v.bytes()/4, v.name())
}

// tile emits the kernel for tiles of rows × columns vectors of C, one below the other, each
// of which stays in registers.
func (v vec) tile(rows, columns int) {
	wide := columns * v.bytes() / 4
	v.text(fmt.Sprintf("tile%dx%d", rows, wide), "func(t *uintptr)", fmt.Sprintf("computes tiles of %d×%d.", rows, wide))
	field, load := fields("t")

	masks := make([]reg.OpmaskVirtual, columns)
	if v.wide {
		m := load(fieldMask)
		for j := range masks {
			masks[j] = K()
			KMOVW(m.As32(), masks[j])
			SHRQ(U8(16), m)
		}
	}
	pa, pb := GP64(), GP64()
	row := v.rowAddresses(rows, pa, load(fieldRowA))
	stepA, stepB, ahead := load(fieldStepA), load(fieldStepB), load(fieldAhead)

	copyField := func(from, to int) { MOVQ(load(from), field(to)) }
	copyField(fieldA, fieldNowA)
	copyField(fieldC, fieldNowC)

	Label("tile")
	// Rows of C come while the sums are made.
	c, rowC := load(fieldNowC), load(fieldRowC)
	for i := range rows {
		for j := 0; j < columns*v.bytes(); j += 64 {
			PREFETCHT0(Mem{Base: c, Disp: j})
		}
		if i < rows-1 {
			ADDQ(rowC, c)
		}
	}

	sums := v.regs(rows * columns)
	v.begin(rows, columns, sums, field)
	b := v.regs(columns)
	MOVQ(field(fieldNowA), pa)
	MOVQ(field(fieldB), pb)
	// Tiles of few rows have registers to spare for factors; the largest do not.
	x := v.regs(2)
	switch {
	case v.neon:
		x = v.regs(4)
	case v.wide && columns == 2:
		x = x[:1]
	}
	step := func() {
		for j := range b {
			at := Mem{Base: pb, Disp: j * v.bytes()}
			if v.wide {
				VMOVUPS_Z(at, masks[j], b[j])
			} else {
				VMOVUPS(at, b[j])
			}
		}
		for i := range rows {
			x := x[i%len(x)]
			if v.neon { // it multiplies by a lane
				neon.LoadLane(row[i], x)
				for j := range b {
					neon.AddLane(b[j], x, sums[i*columns+j])
				}
				continue
			}
			VBROADCASTSS(row[i], x)
			for j := range b {
				VFMADD231PS(b[j], x, sums[i*columns+j])
			}
		}
		ADDQ(stepA, pa)
		ADDQ(stepB, pb)
	}
	runs := load(fieldRuns)
	Label("run")
	steps := load(fieldSteps)
	SUBQ(U8(unroll), steps)
	JL(LabelRef("rest"))
	align()
	Label("steps")
	for j := 0; j < columns*v.bytes(); j += 64 {
		PREFETCHT1(Mem{Base: ahead, Disp: j})
	}
	ADDQ(field(fieldStepAhead), ahead)
	for range unroll {
		step()
	}
	SUBQ(U8(unroll), steps)
	JGE(LabelRef("steps"))
	Label("rest")
	ADDQ(U8(unroll), steps)
	JZ(LabelRef("jump"))
	Label("single")
	step()
	DECQ(steps)
	JNZ(LabelRef("single"))
	Label("jump")
	ADDQ(field(fieldJumpA), pa)
	ADDQ(field(fieldJumpB), pb)
	DECQ(runs)
	JNZ(LabelRef("run"))

	v.store(rows, columns, sums, b, masks, field)

	next := load(fieldNowA)
	ADDQ(field(fieldNextA), next)
	MOVQ(next, field(fieldNowA))
	tiles := load(fieldTiles)
	DECQ(tiles)
	MOVQ(tiles, field(fieldTiles))
	TESTQ(tiles, tiles)
	JNZ(LabelRef("tile"))
	end()
}

// rowAddresses returns where row i of A is, given the pointer to row 0, which may
// move, and the distance from row to row. Multiples 2, 4 and 8 need no register but on
// NEON.
func (v vec) rowAddresses(rows int, pa, distance reg.GPVirtual) []Mem {
	at := make([]Mem, rows)
	odd := map[int]reg.GPVirtual{1: distance}
	for i := range rows {
		if i == 0 {
			at[0] = Mem{Base: pa}
			continue
		}
		factor, scale := i, 1
		for factor%2 == 0 && scale < 8 && !v.neon {
			factor, scale = factor/2, scale*2
		}
		if _, ok := odd[factor]; !ok && v.neon {
			odd[factor] = GP64()
			LEAQ(Mem{Base: odd[factor-1], Index: distance, Scale: 1}, odd[factor])
		} else if !ok {
			odd[factor] = GP64()
			LEAQ(Mem{Base: odd[factor-2], Index: distance, Scale: 2}, odd[factor])
		}
		at[i] = Mem{Base: pa, Index: odd[factor], Scale: uint8(scale)}
	}
	return at
}

// begin emits the start of a tile: sums of 0, or on AVX2 those of the terms before, in C.
func (v vec) begin(rows, columns int, sums []reg.VecVirtual, field func(int) Mem) {
	for _, s := range sums {
		v.zero(s)
	}
	if v.wide || v.neon {
		return
	}
	CMPQ(field(fieldAdd), U8(addTerms))
	JNE(LabelRef("begun"))
	c, rowC := GP64(), GP64()
	MOVQ(field(fieldNowC), c)
	MOVQ(field(fieldRowC), rowC)
	for i := range rows {
		for j := range columns {
			VMOVUPS(Mem{Base: c, Disp: j * v.bytes()}, sums[i*columns+j])
		}
		ADDQ(rowC, c)
	}
	Label("begun")
}

// store emits the end of a tile: C = sums, or C += sums, and then C is the next tile's.
// Where the factors were is room.
func (v vec) store(rows, columns int, sums, room []reg.VecVirtual, masks []reg.OpmaskVirtual, field func(int) Mem) {
	rowC := GP64()
	MOVQ(field(fieldRowC), rowC)
	c := GP64()
	each := func(f func(s reg.VecVirtual, j int, at Mem)) {
		MOVQ(field(fieldNowC), c)
		for i := range rows {
			for j := range columns {
				f(sums[i*columns+j], j, Mem{Base: c, Disp: j * v.bytes()})
			}
			ADDQ(rowC, c)
		}
	}
	CMPQ(field(fieldAdd), U8(addSums))
	JNE(LabelRef("store"))
	each(func(s reg.VecVirtual, j int, at Mem) {
		switch {
		case v.wide:
			VADDPS(at, s, masks[j], s)
		case v.neon:
			VMOVUPS(at, room[j])
			VADDPS(room[j], s, s)
		default:
			VADDPS(at, s, s)
		}
	})
	Label("store")
	each(func(s reg.VecVirtual, j int, at Mem) {
		if v.wide {
			VMOVUPS(s, masks[j], at)
		} else {
			VMOVUPS(s, at)
		}
	})
	MOVQ(c, field(fieldNowC))
}
