package record

// Arms of the box drawings U+2500 to U+257F, four digits each: up, down, left
// and right, 0 for none, 1 light, 2 heavy and 3 double. Dots stand for those that
// have another shape.
const boxArms = "" +
	"0011 0022 1100 2200 .... .... .... .... " +
	".... .... .... .... 0101 0102 0201 0202 " +
	"0110 0120 0210 0220 1001 1002 2001 2002 " +
	"1010 1020 2010 2020 1101 1102 2101 1201 " +
	"2201 2102 1202 2202 1110 1120 2110 1210 " +
	"2210 2120 1220 2220 0111 0121 0112 0122 " +
	"0211 0221 0212 0222 1011 1021 1012 1022 " +
	"2011 2021 2012 2022 1111 1121 1112 1122 " +
	"2111 1211 2211 2121 2112 1221 1212 2122 " +
	"1222 2221 2212 2222 .... .... .... .... " +
	"0033 3300 0103 0301 0303 0130 0310 0330 " +
	"1003 3001 3003 1030 3010 3030 1103 3301 " +
	"3303 1130 3310 3330 0133 0311 0333 1033 " +
	"3011 3033 1133 3311 3333 .... .... .... " +
	".... .... .... .... 0010 1000 0001 0100 " +
	"0020 2000 0002 0200 0012 1200 0021 2100 "

// The kinds of an arm.
const (
	noArm = iota
	lightArm
	heavyArm
	doubleArm
)

// arms are a box drawing's arms: up, down, left, right.
func arms(r rune) (a [4]int, ok bool) {
	if r < 0x2500 || r > 0x257f {
		return a, false
	}
	digits := boxArms[5*int(r-0x2500):][:4]
	if digits[0] == '.' {
		return a, false
	}
	for i := range a {
		a[i] = int(digits[i] - '0')
	}
	return a, true
}

// Where a line runs through a cell, and how thick it is. The lines of double
// ones are apart by twice the gap. All fall on whole pixels at any scale.
const (
	midX, midY = cellW / 2, 9.5
	thick      = 1
	heavy      = 3
	gap        = 2
)

// box draws the arms as rectangles from the edge of the cell to its middle.
func box(add func(x, y, w, h float64), a [4]int) {
	up, down, left, right := a[0], a[1], a[2], a[3]
	switch a {
	case [4]int{lightArm, lightArm}: // most of them
		add(midX-thick/2.0, 0, thick, cellH)
		return
	case [4]int{2: lightArm, 3: lightArm}:
		add(0, midY-thick/2.0, cellW, thick)
		return
	}
	arm(up, left, right, down, func(off, from, width float64) {
		add(midX+off-width/2, 0, width, midY+from)
	})
	arm(down, left, right, up, func(off, from, width float64) {
		add(midX+off-width/2, midY-from, width, cellH-midY+from)
	})
	arm(left, up, down, right, func(off, from, width float64) {
		add(0, midY+off-width/2, midX+from, width)
	})
	arm(right, up, down, left, func(off, from, width float64) {
		add(midX-from, midY+off-width/2, cellW-midX+from, width)
	})
}

// arm draws one arm. before and after are the arms at its sides, opposite the one
// across. yield draws a line of a width that runs off the arm's middle by off,
// to before's side if that is negative, from the edge of the cell until from
// beyond its middle, which may be negative.
func arm(kind, before, after, opposite int, yield func(off, from, width float64)) {
	switch kind {
	case lightArm, heavyArm:
		width := float64(thick)
		if kind == heavyArm {
			width = heavy
		}
		end := max(reach(before, opposite), reach(after, opposite))
		if before == doubleArm && after == doubleArm && opposite == noArm {
			end = -gap // at the nearer line of a double one that runs across
		}
		yield(0, end, width)
	case doubleArm:
		yield(-gap, meet(before, after, opposite), thick)
		yield(gap, meet(after, before, opposite), thick)
	}
}

// reach is how far beyond the middle a single line goes to meet an arm at its
// side: to the outer line of a double one where it turns.
func reach(side, opposite int) float64 {
	switch {
	case side == doubleArm && opposite == noArm:
		return gap + thick/2.0
	case side == heavyArm:
		return heavy / 2.0
	case side == lightArm:
		return thick / 2.0
	}
	return 0
}

// meet is how far beyond the middle the line of a double arm goes on near's side.
func meet(near, far, opposite int) float64 {
	switch {
	case near == doubleArm:
		return -gap + thick/2.0 // the inner corner
	case near != noArm:
		return thick / 2.0
	case opposite != noArm:
		return 0 // straight on
	case far == doubleArm:
		return gap + thick/2.0 // the outer corner
	case far != noArm:
		return thick / 2.0
	}
	return 0
}
