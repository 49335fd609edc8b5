package neon

import (
	"fmt"
	"strings"
)

// The vector instructions, most of which Go's assembler lacks, by the names of the
// architecture's manual. Register d is in the lowest bits of a word, n in those from 5 on
// and m in those from 16 on.
var words = map[string]uint32{
	"fadd.4s": 0x4e20d400, "fsub.4s": 0x4ea0d400, "fmul.4s": 0x6e20dc00, "fdiv.4s": 0x6e20fc00,
	"fadd.2d": 0x4e60d400, "fsub.2d": 0x4ee0d400, "fmul.2d": 0x6e60dc00, "fdiv.2d": 0x6e60fc00,
	"fmla.4s":  0x4e20cc00,
	"fcmgt.4s": 0x6ea0e400, "fcmge.4s": 0x6e20e400, "fcmeq.4s": 0x4e20e400,
	"fcmgt.2d": 0x6ee0e400, "fcmge.2d": 0x6e60e400, "fcmeq.2d": 0x4e60e400,
	"and.16b": 0x4e201c00, "bic.16b": 0x4e601c00, "orr.16b": 0x4ea01c00, "eor.16b": 0x6e201c00,
	"bsl.16b": 0x6e601c00, "bit.16b": 0x6ea01c00, "bif.16b": 0x6ee01c00,
	"add.4s": 0x4ea08400, "sub.4s": 0x6ea08400, "umax.4s": 0x6ea06400, "cmeq.4s": 0x6ea08c00, "cmtst.4s": 0x4ea08c00,
	"add.2d": 0x4ee08400, "sub.2d": 0x6ee08400, "cmeq.2d": 0x6ee08c00,
	"trn1.4s": 0x4e802800, "zip1.4s": 0x4e803800, "zip2.4s": 0x4e807800, "uzp1.4s": 0x4e801800, "uzp2.4s": 0x4e805800,
	"faddp.2d": 0x6e60d400,
	"zip1.2d":  0x4ec03800, "zip2.2d": 0x4ec07800, "uzp1.8h": 0x4e401800, "uzp1.16b": 0x4e001800,
	"umull.2d": 0x2ea0c000, "umull2.2d": 0x6ea0c000,

	// Of one operand.
	"not.16b": 0x6e205800, "rev64.4s": 0x4ea00800, "fsqrt.4s": 0x6ea1f800, "fsqrt.2d": 0x6ee1f800, "scvtf.4s": 0x4e21d800, "scvtf.2d": 0x4e61d800,
	"sxtl.2d": 0x0f20a400, "uxtl.8h": 0x2f08a400, "uxtl.4s": 0x2f10a400, "xtn.2s": 0x0ea12800,

	// By a constant.
	"ushr.4s": 0x6f000400, "sshr.4s": 0x4f000400, "shl.4s": 0x4f005400,
	"ushr.2d": 0x6f000400, "sshr.2d": 0x4f000400, "shl.2d": 0x4f005400,
}

// sources names the arrangement of operands that differs from the result's.
var sources = map[string]string{
	"umull.2d": "2s", "umull2.2d": "4s", "uxtl.8h": "8b", "uxtl.4s": "4h", "xtn.2s": "2d", "sxtl.2d": "2s",
}

// word is an instruction as the assembler takes it, with its text.
func word(code uint32, format string, a ...any) string {
	return fmt.Sprintf("WORD $0x%08x // %s", code, fmt.Sprintf(format, a...))
}

func three(name string, d, n, m int) string {
	op, kind, _ := strings.Cut(name, ".")
	from := kind
	if s := sources[name]; s != "" {
		from = s
	}
	return word(words[name]|uint32(m<<16|n<<5|d), "%s v%d.%s, v%d.%s, v%d.%s", op, d, kind, n, from, m, from)
}

func two(name string, d, n int) string {
	op, kind, _ := strings.Cut(name, ".")
	from := kind
	if s := sources[name]; s != "" {
		from = s
	}
	if op == "mov" {
		return word(words["orr.16b"]|uint32(n<<16|n<<5|d), "mov v%d.16b, v%d.16b", d, n)
	}
	return word(words[name]|uint32(n<<5|d), "%s v%d.%s, v%d.%s", op, d, kind, n, from)
}

// shift is a shift by by, with 0 < by < the lanes' size.
func shift(name string, d, n, by int) string {
	op, kind, _ := strings.Cut(name, ".")
	size := map[string]int{"4s": 32, "2d": 64}[kind]
	at := 2*size - by
	if op == "shl" {
		at = size + by
	}
	return word(words[name]|uint32(at<<16|n<<5|d), "%s v%d.%s, v%d.%s, #%d", op, d, kind, n, kind, by)
}

// fmlaLane adds n times the lowest lane of m to d.
func fmlaLane(d, n, m int) string {
	return word(0x4f801000|uint32(m<<16|n<<5|d), "fmla v%d.4s, v%d.4s, v%d.s[0]", d, n, m)
}

// spread copies the lowest lane, of 32 or 64 bits, to all.
func spread(kind string, d, n int) string {
	code := map[string]uint32{"4s": 0x4e040400, "2d": 0x4e080400}[kind]
	return word(code|uint32(n<<5|d), "dup v%d.%s, v%d.%c[0]", d, kind, n, kind[1])
}

// zero makes all of d 0.
func zero(d int) string { return word(0x6f00e400|uint32(d), "movi v%d.2d, #0", d) }

// swapped makes d the numbers of 64 bits of n in turn.
func swapped(d, n int) string {
	return word(0x6e004000|uint32(n<<16|n<<5|d), "ext v%d.16b, v%d.16b, v%d.16b, #8", d, n, n)
}

// laneOut copies a lane of 64 bits to general register d.
func laneOut(d, n, lane int) string {
	return word(0x4e083c00|uint32(lane<<20|n<<5|d), "mov x%d, v%d.d[%d]", d, n, lane)
}

// laneIn loads a lane of 64 bits from where register r points.
func laneIn(d, lane, r int) string {
	return word(0x0d408400|uint32(lane<<30|r<<5|d), "ld1 {v%d.d}[%d], [x%d]", d, lane, r)
}
