package svg

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// sans is the font of figure files, which gonum/plot embeds.
func sans(size vg.Length, bold bool) font.Font {
	f := font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	if bold {
		f.Weight = xfont.WeightBold
	}
	return f
}

// raising draws plain text with Unicode's superscript digits as raised ordinary ones: the font does not have them all.
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

var (
	superscripts = []rune("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
	ordinary     = []rune("0123456789−+")
)

func partsOf(line string) []part {
	var parts []part
	for _, r := range line {
		up := slices.Index(superscripts, r)
		if up >= 0 {
			r = ordinary[up]
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

// written is a stretch of text in a drawing, with its weight and size.
var written = regexp.MustCompile(`(<text [^>]*)(font-weight:(\w+);font-style:normal;font-size:([\d.]+)px[^>]*)>([^<]+)</text>`)

// fitted gives each stretch of text of a drawing the width that it has in its font, so that
// another font does not run over what is beside it.
func fitted(svg []byte) []byte {
	fonts := plot.DefaultTextHandler.Cache()
	return written.ReplaceAllFunc(svg, func(b []byte) []byte {
		m := written.FindSubmatch(b)
		size, err := strconv.ParseFloat(string(m[4]), 64)
		if err != nil {
			panic(err) // the drawing has written it
		}
		f := sans(vg.Length(size), string(m[3]) == "bold")
		face := fonts.Lookup(f, f.Size)
		width := face.Width(html.UnescapeString(string(m[5]))).Points()
		return fmt.Appendf(nil, "%s%s textLength=\"%.4g\" lengthAdjust=\"spacingAndGlyphs\">%s</text>", m[1], m[2],
			width, m[5])
	})
}

// wrap breaks text between words into at most so many lines of a width. Text that does not fit ends in an ellipsis.
func wrap(sty text.Style, s string, width vg.Length, most int) string {
	var lines []string
	line := ""
	words := strings.Fields(figure.Clean(s))
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
	// the most that fit
	n := sort.Search(len(runes), func(n int) bool { return sty.Width(string(runes[:n+1])+"…") > width })
	return strings.TrimRight(string(runes[:n]), " ") + "…"
}

// tickText writes a tick: plain where that is short, else with a power of ten.
func tickText(v float64, decimals int) string {
	switch {
	case v == 0:
		return "0"
	case decimals >= 0 && decimals <= 4 && v < 99_999.5 && v > -99_999.5:
		return minus(strconv.FormatFloat(v, 'f', decimals, 64))
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	mantissa = minus(strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")) + "×"
	if mantissa == "1×" || mantissa == "−1×" {
		mantissa = strings.TrimSuffix(mantissa, "1×")
	}
	n, err := strconv.Atoi(exp)
	if err != nil {
		panic(err) // FormatFloat writes an exponent
	}
	return mantissa + "10" +
		strings.Map(func(r rune) rune { return superscripts[slices.Index(ordinary, r)] }, minus(strconv.Itoa(n)))
}

// minus writes a number's sign as it is printed.
func minus(number string) string { return strings.Replace(number, "-", "−", 1) }
