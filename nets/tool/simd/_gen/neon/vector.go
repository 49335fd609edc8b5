package neon

import (
	"fmt"
	"strings"
)

// plain are the instructions of two operands and a result that both processors have. The
// order of amd64's operands in Go's assembly is m, n, d.
var plain = map[string]string{
	"VADDPS": "fadd.4s", "VSUBPS": "fsub.4s", "VMULPS": "fmul.4s", "VDIVPS": "fdiv.4s",
	"VADDPD": "fadd.2d", "VSUBPD": "fsub.2d", "VMULPD": "fmul.2d", "VDIVPD": "fdiv.2d",
	"VPADDD": "add.4s", "VPSUBD": "sub.4s", "VPMAXUD": "umax.4s", "VPCMPEQD": "cmeq.4s",
	"VPADDQ": "add.2d", "VPSUBQ": "sub.2d", "VPCMPEQQ": "cmeq.2d",
	"VPAND": "and.16b", "VPOR": "orr.16b", "VPXOR": "eor.16b",
	"VANDPS": "and.16b", "VORPS": "orr.16b", "VXORPS": "eor.16b",
	"VANDPD": "and.16b", "VORPD": "orr.16b", "VXORPD": "eor.16b",
	"VUNPCKLPD": "zip1.2d", "VUNPCKHPD": "zip2.2d",
}

// single are those of one operand.
var single = map[string]string{
	"VSQRTPS": "fsqrt.4s", "VSQRTPD": "fsqrt.2d", "VCVTDQ2PS": "scvtf.4s",
}

// shifts are those by a constant.
var shifts = map[string]string{
	"VPSRLD": "ushr.4s", "VPSRAD": "sshr.4s", "VPSLLD": "shl.4s", "VPSRLQ": "ushr.2d", "VPSLLQ": "shl.2d",
}

// Comparisons of VCMPPS and VCMPPD.
const (
	compareUnordered = 3
	compareNotLess   = 5
	compareNotLE     = 6
	compareGreater   = 0x1e
)

func (t *translation) vector(op string, o []string) {
	kind := "4s"
	if strings.HasSuffix(op, "PD") {
		kind = "2d"
	}
	switch op {
	case "VZEROUPPER":
		return
	case "VMOVUPS", "VMOVUPD", "VMOVAPS", "VMOVDQU", "VMOVDQA":
		t.moveVector(o[0], o[1])
		return
	case "VBROADCASTSS", "VBROADCASTSD", "VMOVDDUP":
		if kind = "2d"; op == "VBROADCASTSS" {
			kind = "4s"
		}
		d := vec(o[1])
		if s := vec(o[0]); s >= 0 {
			t.put(spread(kind, d, s))
			return
		}
		t.loadSpread(kind, o[0], d)
		return
	case "VPBROADCASTD", "VPBROADCASTQ":
		t.put(spread(map[byte]string{'D': "4s", 'Q': "2d"}[op[len(op)-1]], vec(o[1]), vec(o[0])))
		return
	case "VMOVD":
		t.emit("FMOVS R%d, F%d", reg(o[0]), vec(o[1]))
		return
	case "VMOVQ":
		t.emit("FMOVD R%d, F%d", reg(o[0]), vec(o[1]))
		return
	case "VFMADD231PS":
		m := t.value(o[0])
		t.put(three("fmla.4s", vec(o[2]), m, vec(o[1])))
		return
	}
	d := vec(o[len(o)-1])
	if name, ok := plain[op]; ok {
		if name == "eor.16b" && o[0] == o[1] {
			t.put(zero(d))
			return
		}
		m := t.value(o[0])
		t.put(three(name, d, t.value(o[1]), m))
		return
	}
	if name, ok := single[op]; ok {
		t.put(two(name, d, t.value(o[0])))
		return
	}
	if name, ok := shifts[op]; ok {
		t.put(shift(name, d, vec(o[1]), number(o[0])))
		return
	}
	switch op {
	case "VPMULUDQ":
		m := t.narrow(o[0])
		n := t.narrow(o[1], m)
		t.put(three("umull.2d", d, n, m))
	case "VPBLENDD":
		if number(o[0]) != 0xaa {
			panic("neon: VPBLENDD " + o[0])
		}
		m := t.value(o[1])
		c := t.temporary(m)
		t.put(two("rev64.4s", c, m), three("trn1.4s", d, vec(o[2]), c))
	case "VMINPS", "VMAXPS", "VMINPD", "VMAXPD":
		// n if it is less, or greater, and else m.
		m, n := t.value(o[0]), vec(o[1])
		c := t.temporary(m)
		if strings.HasPrefix(op, "VMIN") {
			t.put(three("fcmgt."+kind, c, m, n))
		} else {
			t.put(three("fcmgt."+kind, c, n, m))
		}
		t.choose(d, c, n, m)
	case "VCMPPS", "VCMPPD":
		m, n := t.value(o[1]), vec(o[2])
		switch number(o[0]) {
		case compareUnordered:
			if m != n {
				panic("neon: comparison of two")
			}
			t.put(three("fcmeq."+kind, d, n, n), two("not.16b", d, d))
		case compareNotLess:
			t.put(three("fcmgt."+kind, d, m, n), two("not.16b", d, d))
		case compareNotLE:
			t.put(three("fcmge."+kind, d, m, n), two("not.16b", d, d))
		case compareGreater:
			t.put(three("fcmgt."+kind, d, n, m))
		default:
			panic("neon: comparison")
		}
	case "VBLENDVPS", "VBLENDVPD":
		// By the sign bits of the first operand the second, and else the third.
		c := t.temporary()
		t.put(shift("sshr."+kind, c, vec(o[0]), map[string]int{"4s": 31, "2d": 63}[kind]))
		t.choose(d, c, vec(o[1]), vec(o[2]))
	default:
		panic("neon: " + op + " " + strings.Join(o, ", "))
	}
}

// choose makes d the bits of a where those of c are set and of b elsewhere; c is lost.
func (t *translation) choose(d, c, a, b int) {
	switch d {
	case b:
		t.put(three("bit.16b", d, a, c))
	case a:
		t.put(three("bif.16b", d, b, c))
	default:
		t.put(three("bsl.16b", c, a, b), two("mov.16b", d, c))
	}
}

func (t *translation) moveVector(from, to string) {
	f, d := vec(from), vec(to)
	switch {
	case f >= 0 && d >= 0:
		t.put(two("mov.16b", d, f))
	case f >= 0:
		t.emit("FMOVQ F%d, %s", f, t.memory(to, 16))
	default:
		if r, ok := t.held[from]; ok {
			t.put(two("mov.16b", d, r))
			return
		}
		t.emit("FMOVQ %s, F%d", t.memory(from, 16), d)
	}
}

// loadSpread loads a number into all lanes; ld1r takes no offset.
func (t *translation) loadSpread(kind, from string, d int) {
	if strings.HasSuffix(from, "(SB)") {
		t.moveVector(from, fmt.Sprintf("X%d", d)) // there in all lanes
		return
	}
	load := map[string]string{"4s": "FMOVS", "2d": "FMOVD"}[kind]
	t.emit("%s %s, F%d", load, t.memory(from, 4), d)
	t.put(spread(kind, d, d))
}

// native translates what Emit emitted.
func (t *translation) native(name string, o []string) {
	switch name {
	case "lane":
		t.emit("FMOVS %s, F%d", t.memory(o[0], 4), vec(o[1]))
	case "pair":
		t.emit("FLDPQ %s, (F%d, F%d)", t.memory(o[0], 16), vec(o[1]), vec(o[2]))
	case "storelane":
		t.emit("FMOVS F%d, %s", vec(o[0]), t.memory(o[1], 4))
	case "fmlalane":
		t.put(fmlaLane(vec(o[3]), vec(o[0]), vec(o[1])))
	default:
		if words[name] == 0 {
			panic("neon: no instruction " + name)
		}
		d := vec(o[len(o)-1])
		if len(o) == 2 {
			t.put(two(name, d, t.value(o[0])))
		} else {
			n := t.value(o[0])
			t.put(three(name, d, n, t.value(o[1], n)))
		}
	}
}

// narrow is a register with the low halves of an operand's lanes of 64 bits. Those of tables
// stay as long as there are free ones. The register is not one of those in use.
func (t *translation) narrow(o string, use ...int) int {
	key := "low halves of " + o
	if r, ok := t.held[key]; ok {
		return r
	}
	x := t.value(o, use...)
	r := t.temporary(append(use, x)...)
	t.put(two("xtn.2s", r, x))
	if strings.HasSuffix(o, "(SB)") {
		t.held[key] = r
	}
	return r
}
