package record

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/tui/theme"
)

// SVG writes the grid as a picture of vectors (SVG 1.1). Text is text, in the reader's own font of one width, each run
// stretched to its cells; everything else is paths. The bytes depend on the grid and the options alone.
func (g *Grid) SVG(w io.Writer, o Options) error {
	s := &svg{}
	g.paint(s, o)
	at := o.layout(g)
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n",
		number(at.w), number(at.h))
	if o.Title != "" {
		b.WriteString("<title>" + escape(o.Title) + "</title>\n")
	}
	for i := range s.grounds.all {
		s.grounds.all[i].write(b)
	}
	group(b, ` shape-rendering="crispEdges"`, s.backs.all)
	group(b, ` shape-rendering="crispEdges"`, s.blocks.all)
	group(b, "", s.lines.all)
	group(b, ` fill="none" stroke-linecap="round"`, s.dots.all)
	group(b, "", s.paths.all)
	if len(s.texts) > 0 {
		fmt.Fprintf(b, `<g font-family="%s" font-size="%s">`+"\n", fontStack, number(fontSize))
		for _, t := range s.texts {
			b.WriteString(t)
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// fontStack names fonts of one width, whose characters are near 0.6 em wide.
const fontStack = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

// The text in a cell: its size, and the baseline below the cell's upper edge.
const fontSize, baseline = 14.95, 13.9

// svg gathers what is painted by how it looks, since one path can hold a whole screen's worth of a colour.
type svg struct {
	grounds, backs, blocks, lines, dots, paths looks
	texts                                      []string
}

// looks are paths by their attributes, in the order in which these came.
type looks struct {
	all []look
	at  map[string]int
}

type look struct {
	attrs string
	d     []byte
	// last is a rectangle that is not yet in d, since the next one may make it longer.
	last [4]float64
}

// rect adds a rectangle.
func (l *look) rect(x, y, w, h float64) {
	if r := l.last; r[1] == y && r[3] == h && r[0]+r[2] == x {
		l.last[2] += w
		return
	}
	l.flush()
	l.last = [4]float64{x, y, w, h}
}

func (l *look) flush() {
	r := l.last
	if l.last = [4]float64{}; r[2] > 0 {
		l.d = append(l.d, "M"+number(r[0])+" "+number(r[1])+"h"+number(r[2])+"v"+number(r[3])+"h"+number(-r[2])+"z"...)
	}
}

// of is the path with some attributes.
func (l *looks) of(attrs string) *look {
	i, ok := l.at[attrs]
	if !ok {
		if l.at == nil {
			l.at = map[string]int{}
		}
		i = len(l.all)
		l.at[attrs] = i
		l.all = append(l.all, look{attrs: attrs})
	}
	return &l.all[i]
}

func (l *look) write(b *bufio.Writer) {
	l.flush()
	fmt.Fprintf(b, `<path%s d="%s"/>`+"\n", l.attrs, l.d)
}

func group(b *bufio.Writer, attrs string, all []look) {
	if len(all) == 0 {
		return
	}
	b.WriteString("<g" + attrs + ">\n")
	for i := range all {
		all[i].write(b)
	}
	b.WriteString("</g>\n")
}

func (s *svg) ground(p path, c theme.Color) {
	// Grounds lie above each other, so each is a path of its own.
	i := len(s.grounds.all)
	s.grounds.all = append(s.grounds.all, look{attrs: fill(c)})
	writePath(&s.grounds.all[i].d, p)
}

func (s *svg) back(x, y, w, h float64, c theme.Color) { s.backs.of(fill(c)).rect(x, y, w, h) }

func (s *svg) rect(x, y, w, h float64, c theme.Color, alpha float64) {
	attrs := fill(c)
	if alpha < 1 {
		attrs += ` fill-opacity="` + number(alpha) + `"`
	}
	// Blocks must join without a seam at any size; thin lines must look the same
	// everywhere, which edges on whole pixels would keep them from.
	if min(w, h) > thick {
		s.blocks.of(attrs).rect(x, y, w, h)
	} else {
		s.lines.of(attrs).rect(x, y, w, h)
	}
}

// dot is a line of no length with round ends: the shortest circle there is.
func (s *svg) dot(x, y, r float64, c theme.Color) {
	d := s.dots.of(fmt.Sprintf(` stroke="%s" stroke-width="%s"`, hex(c), number(2*r)))
	d.d = append(d.d, "M"+number(x)+" "+number(y)+"h0"...)
}

func (s *svg) path(p path, c theme.Color) { writePath(&s.paths.of(fill(c)).d, p) }

func (s *svg) text(x, y float64, cells int, text string, a theme.Attr, c theme.Color) {
	var b strings.Builder
	fmt.Fprintf(&b, `<text x="%s" y="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s`,
		number(x), number(y+baseline), number(float64(cells)*cellW), fill(c))
	if a&theme.Bold != 0 {
		b.WriteString(` font-weight="bold"`)
	}
	if a&theme.Italic != 0 {
		b.WriteString(` font-style="italic"`)
	}
	b.WriteString(">" + escape(text) + "</text>\n")
	s.texts = append(s.texts, b.String())
}

func fill(c theme.Color) string { return ` fill="` + hex(c) + `"` }

func hex(c theme.Color) string {
	r, g, b := c.Channels()
	return fmt.Sprintf("#%02x%02x%02x", r, g, b)
}

func writePath(d *[]byte, p path) {
	for i, s := range p {
		if s.kind == 'M' && i > 0 {
			*d = append(*d, 'Z')
		}
		*d = append(*d, s.kind)
		if s.kind == 'C' {
			*d = append(*d, number(s.x1)+" "+number(s.y1)+" "+number(s.x2)+" "+number(s.y2)+" "...)
		}
		*d = append(*d, number(s.x)+" "+number(s.y)...)
	}
	*d = append(*d, 'Z')
}

// number writes a coordinate with at most two decimals, which is finer than a
// pixel at any size at which a screen is shown.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder does not fail
	return b.String()
}
