package neon

import (
	"fmt"
	"strconv"
	"strings"
)

// half is an operand of half h of a vector of 32 bytes. Memory has the second half so many
// bytes behind the first.
func half(o string, h, apart int) string {
	switch {
	case wideName.FindString(o) == o && o != "":
		n, _ := strconv.Atoi(o[1:])
		if o[0] == 'X' {
			h = 0
		}
		return fmt.Sprintf("X%d", 2*n+h)
	case !strings.Contains(o, "(") || h == 0 || strings.HasSuffix(o, "(FP)"):
		return o
	case strings.HasSuffix(o, "(SB)"):
		name, rest, _ := strings.Cut(o, "+")
		n, _ := strconv.Atoi(strings.TrimSuffix(rest, "(SB)"))
		return fmt.Sprintf("%s+%d(SB)", name, n+apart)
	}
	disp, rest, _ := strings.Cut(o, "(")
	n, _ := strconv.Atoi(disp)
	return fmt.Sprintf("%d(%s", n+apart, rest)
}

// halves translates an instruction on vectors of 32 bytes, or of 16 that are the first halves
// of such.
func (t *translation) halves(op string, o []string) {
	part := func(h, apart int) []string {
		p := make([]string, len(o))
		for i, s := range o {
			p[i] = half(s, h, apart)
		}
		return p
	}
	both := strings.Contains(strings.Join(o, " "), "Y")
	switch op {
	case "VBROADCASTSD", "VBROADCASTSS", "VPBROADCASTD", "VPBROADCASTQ":
		first := part(0, 0)
		t.vector(op, first)
		if both {
			t.put(two("mov.16b", vec(first[1])+1, vec(first[1])))
		}
	case "VMOVSD":
		p := part(0, 0)
		if d := vec(p[1]); d >= 0 {
			t.emit("FMOVD %s, F%d", t.memory(p[0], 8), d)
		} else {
			t.emit("FMOVD F%d, %s", vec(p[0]), t.memory(p[1], 8))
		}
	case "VEXTRACTF128":
		if number(o[0]) != 1 {
			panic("neon: VEXTRACTF128 " + o[0])
		}
		t.emit("FMOVQ F%d, %s", vec(half(o[1], 1, 0)), t.memory(o[2], 16))
	case "VPERMPD":
		p, q := part(0, 0), part(1, 0)
		switch number(o[0]) {
		case 0x4e: // the halves change places
			t.put(two("mov.16b", vec(p[2]), vec(q[1])), two("mov.16b", vec(q[2]), vec(p[1])))
		case 0xb1: // the numbers of each half do
			t.put(swapped(vec(p[2]), vec(p[1])), swapped(vec(q[2]), vec(q[1])))
		default:
			panic("neon: VPERMPD " + o[0])
		}
	case "VCVTDQ2PD":
		for h := range 2 {
			p := part(h, 8)
			d := vec(p[1])
			t.emit("FMOVD %s, F%d", t.memory(p[0], 8), d)
			t.put(two("sxtl.2d", d, d), two("scvtf.2d", d, d))
		}
	case "VGATHERQPD":
		// Without a mask: all of it is set, and lost.
		table := parse(strings.Replace(strings.Replace(o[1], "Y", "", 1), "X", "", 1))
		n, _ := strconv.Atoi(o[1][strings.IndexByte(o[1], 'Y')+1 : strings.IndexByte(o[1], '*')])
		d, _ := strconv.Atoi(o[2][1:])
		for h := range 2 {
			for lane := range 2 {
				t.put(laneOut(scratch, 2*n+h, lane))
				t.emit("ADD R%d<<3, R%d, R%d", scratch, reg(table.base), address)
				t.put(laneIn(2*d+h, lane, address))
			}
		}
		t.at = ""
	default:
		t.vector(op, part(0, 16))
		if both && op != "VZEROUPPER" {
			t.vector(op, part(1, 16))
		}
	}
}

// nativeHalves translates what Emit emitted on vectors of 32 bytes.
func (t *translation) nativeHalves(name string, o []string) {
	if name == "pairsums" { // of the first vector, and of the second
		a, b, d := vec(half(o[0], 0, 0)), vec(half(o[1], 0, 0)), vec(half(o[2], 0, 0))
		t.put(three("faddp.2d", d, a, a+1), three("faddp.2d", d+1, b, b+1))
		return
	}
	for h := range 2 {
		p := make([]string, len(o))
		for i, s := range o {
			p[i] = half(s, h, 16)
		}
		t.native(name, p)
	}
}
