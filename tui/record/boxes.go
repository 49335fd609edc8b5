package record

// Arms of the box drawings U+2500 to U+254F, four digits each: up, down, left and right, 0
// for none, 1 light and 2 heavy. Dots stand for those that have another shape.
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
	"1222 2221 2212 2222 .... .... .... .... "

// arms are a box drawing's arms: up, down, left, right. The screen draws no double line.
func arms(r rune) (a [4]int, ok bool) {
	if r < 0x2500 || r > 0x254f {
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

// Where a line runs through a cell, and how thick it is. All fall on whole pixels at any scale.
const (
	midX, midY = cellW / 2, 9.5
	thick      = 1
	heavy      = 3
)

// widths are those of arms.
var widths = [...]float64{0, thick, heavy}

// box draws the arms as rectangles from the edge of the cell to its middle, and on to the
// far edge of the arms at their sides.
func box(add func(x, y, w, h float64), a [4]int) {
	up, down, left, right := widths[a[0]], widths[a[1]], widths[a[2]], widths[a[3]]
	across, along := max(left, right)/2, max(up, down)/2
	switch a {
	case [4]int{1, 1}: // most of them
		add(midX-thick/2.0, 0, thick, cellH)
		return
	case [4]int{2: 1, 3: 1}:
		add(0, midY-thick/2.0, cellW, thick)
		return
	}
	if up > 0 {
		add(midX-up/2, 0, up, midY+across)
	}
	if down > 0 {
		add(midX-down/2, midY-across, down, cellH-midY+across)
	}
	if left > 0 {
		add(0, midY-left/2, midX+along, left)
	}
	if right > 0 {
		add(midX-along, midY-right/2, cellW-midX+along, right)
	}
}
