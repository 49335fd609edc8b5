package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Bit patterns, and the factor of the angle.
const (
	mul0  = 0xD2511F53
	mul1  = 0xCD9E8D57
	weyl0 = 0x9E3779B9
	weyl1 = 0xBB67AE85

	one      = 1
	signBit  = 1 << 63
	lowHalf  = 1<<32 - 1
	mantissa = 1<<52 - 1

	// Those of function exponent; shift also has the factor 2⁻⁵³ of its argument.
	sqrtHalf = 0x3fe6a09e667f3bcd
	shift    = 0x3ff0000000000000 - sqrtHalf + (1<<12-53)<<52

	float52           = 0x4330000000000000 // 2⁵²
	float52andBias    = float52 + 1023     // 2⁵² + 1023
	float84and63      = 0x4530000080000000 // 2⁸⁴ + 2⁶³
	float84and63and52 = 0x4530000080100000 // 2⁸⁴ + 2⁶³ + 2⁵²

	angle = math.Pi / 4 * 0x1p-63 // of a word's unit
)

// The polynomials of logAt, odd and even terms, and of sine and cosine.
var (
	logOdd  = []float64{6.666666666666735130e-01, 2.857142874366239149e-01, 1.818357216161805012e-01, 1.479819860511658591e-01}
	logEven = []float64{3.999999999940941908e-01, 2.222219843214978396e-01, 1.531383769920937332e-01}
	sine    = []float64{-1.66666666666666307295e-1, 8.33333333332211858878e-3, -1.98412698295895385996e-4,
		2.75573136213857245213e-6, -2.50507477628578072866e-8, 1.58962301576546568060e-10}
	cosine = []float64{4.16666666666665929218e-2, -1.38888888888730564116e-3, 2.48015872888517045348e-5,
		-2.75573141792967388112e-7, 2.08757008419747316778e-9, -1.13585365213876817300e-11}
)

// constants is a table of 64-bit constants, four copies of each.
type constants struct {
	table   Mem
	at      map[uint64]int
	numbers Mem // of the lanes
}

// newConstants declares the table last, as it grows when constants are asked for
// and data goes to what was declared last.
func newConstants() *constants {
	numbers := GLOBL("numbers", attr.RODATA|attr.NOPTR)
	for i := range 8 {
		DATA(8*i, U64(i))
	}
	return &constants{table: GLOBL("constants", attr.RODATA|attr.NOPTR), at: map[uint64]int{}, numbers: numbers}
}

func (c *constants) bits(x uint64) Mem {
	i, ok := c.at[x]
	if !ok {
		i = len(c.at)
		c.at[x] = i
		for k := range 4 {
			DATA(32*i+8*k, U64(x))
		}
	}
	return c.table.Offset(32 * i)
}

func (c *constants) float(x float64) Mem { return c.bits(math.Float64bits(x)) }
