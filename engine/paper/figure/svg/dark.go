package svg

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var painted = regexp.MustCompile(`(fill|stroke):#([0-9A-F]{6})`)

// darkStyle is the style sheet by which a drawing is seen on a dark page: each colour that it has
// stands for another there. What knows no style sheets shows the drawing on white.
func darkStyle(svg []byte) string {
	var rules []string
	for _, m := range painted.FindAllSubmatch(svg, -1) {
		rules = append(rules, fmt.Sprintf("[style*=\"%s\"]{%s:%s!important}\n", m[0], m[1], onDark(string(m[2]))))
	}
	slices.Sort(rules)
	return "<style>@media (prefers-color-scheme: dark){\n" + strings.Join(slices.Compact(rules), "") + "}</style>\n"
}

// onDark is the colour that stands for another, both in hexadecimal, on a dark page. Greys have their lightness turned
// over, so that white becomes the page. Other colours keep their hue and become lighter.
func onDark(hex string) string {
	v, err := strconv.ParseUint(hex, 16, 24)
	if err != nil {
		panic(err) // painted matched it
	}
	var rgb [3]float64
	for i := range rgb {
		rgb[i] = float64(v>>(16-8*i)&0xff) / 255
	}
	lo, hi := slices.Min(rgb[:]), slices.Max(rgb[:])
	was := (lo + hi) / 2
	light, gain := 0.5+0.45*was, 0.0
	if spread := hi - lo; spread < 0.12 {
		light = 0.09 + 0.92*(1-was)
	} else {
		saturation := spread / (1 - math.Abs(2*was-1))
		gain = 0.85 * saturation * (1 - math.Abs(2*light-1)) / spread
	}
	s := "#"
	for _, x := range rgb {
		s += fmt.Sprintf("%02x", uint8(math.Round(255*min(1, max(0, light+gain*(x-was))))))
	}
	return s
}
