package figure

import (
	"fmt"
	"strings"
	"unicode"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// sans is the font of figure files, which gonum/plot embeds.
func sans(size vg.Length, bold bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return f
}

// raising draws plain text with Unicode's superscript digits as raised ordinary
// ones: the font does not have them all.
type raising struct{ text.Plain }

// textHandler draws the text of figure files.
func textHandler() text.Handler {
	return raising{text.Plain{Fonts: plot.DefaultTextHandler.Cache()}}
}

// A part is a stretch of text at one height.
type part struct {
	text   string
	raised bool
}

const (
	superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺"
	ordinary     = "0123456789−+"
)

func partsOf(line string) []part {
	var parts []part
	for _, r := range line {
		up := strings.IndexRune(superscripts, r)
		if up >= 0 {
			up = len([]rune(superscripts[:up]))
			r = []rune(ordinary)[up]
		}
		if n := len(parts); n == 0 || parts[n-1].raised != (up >= 0) {
			parts = append(parts, part{raised: up >= 0})
		}
		parts[len(parts)-1].text += string(r)
	}
	return parts
}

const (
	raisedSize = 0.72
	raisedBy   = 0.36 // of the size
)

func (h raising) face(p part, f font.Font) font.Face {
	if p.raised {
		f.Size *= raisedSize
	}
	return h.Fonts.Lookup(f, f.Size)
}

// Box implements text.Handler.
func (h raising) Box(line string, f font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box("", f)
	for _, p := range partsOf(line) {
		face := h.face(p, f)
		width += face.Width(p.text)
	}
	return width, height, depth
}

// Draw implements text.Handler as text.Plain does, line by line and part by part.
func (h raising) Draw(c vg.Canvas, txt string, sty text.Style, pt vg.Point) {
	txt = strings.TrimRight(txt, "\n")
	if txt == "" {
		return
	}
	face := h.Fonts.Lookup(sty.Font, sty.Font.Size)
	c.SetColor(sty.Color)
	c.Push()
	defer c.Pop()
	c.Translate(pt)
	if sty.Rotation != 0 {
		c.Rotate(sty.Rotation)
	}
	lines := h.Lines(txt)
	base := sty.Height(txt)*vg.Length(sty.YAlign) - face.Extents().Ascent
	for i, line := range lines {
		width, _, _ := h.Box(line, sty.Font)
		at := vg.Point{X: vg.Length(sty.XAlign) * width, Y: base + vg.Length(len(lines)-i)*sty.Font.Size}
		for _, p := range partsOf(line) {
			face := h.face(p, sty.Font)
			up := vg.Length(0)
			if p.raised {
				up = raisedBy * sty.Font.Size
			}
			c.FillString(face, at.Add(vg.Point{Y: up}), p.text)
			at.X += face.Width(p.text)
		}
	}
}

// Clean makes a label of one line that XML can hold: without control characters and
// invalid UTF-8.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "?")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\ufffe' || r == '\uffff'
	}), " ")
}

// wrap breaks text between words into at most so many lines of a width. Text that does
// not fit ends in an ellipsis.
func wrap(sty text.Style, s string, width vg.Length, most int) string {
	var lines []string
	line := ""
	words := strings.Fields(Clean(s))
	for i, w := range words {
		longer := strings.TrimSpace(line + " " + w)
		switch {
		case line == "" || sty.Width(longer) <= width:
			line = longer
		case len(lines) == most-1:
			return strings.Join(append(lines, cut(sty, line+" "+strings.Join(words[i:], " "), width)), "\n")
		default:
			lines = append(lines, cut(sty, line, width))
			line = w
		}
	}
	return strings.Join(append(lines, cut(sty, line, width)), "\n")
}

// cut shortens a line to a width, with an ellipsis.
func cut(sty text.Style, line string, width vg.Length) string {
	if sty.Width(line) <= width {
		return line
	}
	runes := []rune(line)
	lo, hi := 0, len(runes) // the most runes that fit, by halving
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if sty.Width(string(runes[:mid])+"…") <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return strings.TrimRight(string(runes[:lo]), " ") + "…"
}

// tickText writes a tick: plain where that is short, else with a power of ten.
func tickText(v float64, decimals int) string {
	switch {
	case v == 0:
		return "0"
	case decimals >= 0 && decimals <= 4 && v < 99_999.5 && v > -99_999.5:
		return strings.Replace(fmt.Sprintf("%.*f", decimals, v), "-", "−", 1)
	}
	mantissa, exp, _ := strings.Cut(fmt.Sprintf("%.3e", v), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	n := 0
	if _, err := fmt.Sscanf(exp, "%d", &n); err != nil {
		panic(err) // %e writes an exponent
	}
	mantissa = strings.Replace(mantissa, "-", "−", 1)
	switch mantissa {
	case "1":
		return "10" + raise(n)
	case "−1":
		return "−10" + raise(n)
	}
	return mantissa + "×10" + raise(n)
}

// raise writes n in superscript digits.
func raise(n int) string {
	up := []rune(superscripts)
	var b strings.Builder
	for _, r := range fmt.Sprint(n) {
		if r == '-' {
			b.WriteRune(up[10])
		} else {
			b.WriteRune(up[r-'0'])
		}
	}
	return b.String()
}
