package simd

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// constants is a table of numbers, each there eight times.
type constants struct {
	table  Mem
	at     map[uint32]int
	blocks Mem // 0, 1, … of 64 bits, or 32 for NEON
}

// newConstants declares the table last, as it grows when constants are asked for
// and data goes to what was declared last.
func newConstants(neon bool) *constants {
	blocks := GLOBL("blocks", attr.RODATA|attr.NOPTR)
	for i := range groupBlocks {
		if neon {
			DATA(4*i, U32(i))
		} else {
			DATA(8*i, U64(i))
		}
	}
	return &constants{table: GLOBL("constants", attr.RODATA|attr.NOPTR), at: map[uint32]int{}, blocks: blocks}
}

// Bits is the number with these bits.
func (c *constants) Bits(x uint32) Shared {
	i, ok := c.at[x]
	if !ok {
		i = len(c.at)
		c.at[x] = i
		for k := range 8 {
			DATA(32*i+4*k, U32(x))
		}
	}
	return Shared(c.table.Offset(32 * i))
}

// Float is the number x.
func (c *constants) Float(x float32) Shared { return c.Bits(math.Float32bits(x)) }
