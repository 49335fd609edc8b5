// Package svg draws figures into SVG files.
package svg

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// Measures of a figure file, after the paper's: one column is 3.3 inches wide, two are 7.
const (
	edge      = 8  // points of blank around the figure
	between   = 14 // points between panels
	titleGap  = 4  // points between a panel and its title
	titleSize = 11
	panelSize = 9.5
	labelSize = 9
	tickSize  = 8
	keySize   = 8.5
)

// panelWidth is the width of a panel where there are so many columns.
func panelWidth(columns int) vg.Length {
	inches := [...]vg.Length{1: 4.4, 2: 3.4, 3: 2.7, 4: 2.2}
	return inches[min(columns, 4)] * vg.Inch
}

// Draw draws a figure as a document of its own, in dark colours where the reader prefers a dark
// page. The same figure gives the same bytes.
func Draw(f figure.Figure) ([]byte, error) {
	d := layOut(f)
	c := vgsvg.New(d.width, d.height)
	d.draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", f.ID, err)
	}
	// Where the font is not installed, others are drawn as wide.
	out := bytes.ReplaceAll(fitted(b.Bytes()), []byte("font-family:Liberation Sans;"),
		[]byte("font-family:'Liberation Sans',Arial,Helvetica,sans-serif;"))
	end := []byte("xlink\">\n")
	return bytes.Replace(out, end,
		fmt.Appendf(end, "<title>%s</title>\n%s", html.EscapeString(figure.Clean(f.Title)), darkStyle(out)), 1), nil
}

// A drawing is a figure laid out, in points.
type drawing struct {
	width, height vg.Length
	title         string
	keys          [][]figure.LegendKey // a row of the legend each
	columns, rows int
	panels        []*panelPlot
	above         vg.Length // height of the titles of a row of panels
	tiles         vg.Length // height of all panels
}

// layOut computes the size and places of a figure's parts.
func layOut(f figure.Figure) *drawing {
	if len(f.Panels) == 0 {
		f.Panels = []figure.Panel{{}}
	}
	n := len(f.Panels)
	d := &drawing{columns: min(f.Columns, n)}
	if f.Columns < 1 {
		d.columns = min(n, 2)
	}
	d.rows = (n + d.columns - 1) / d.columns
	w := panelWidth(d.columns)
	d.width = vg.Length(d.columns)*w + vg.Length(d.columns-1)*between + 2*edge
	d.title = wrap(styleOf(titleSize, true, inkColor()), f.Title, d.width-2*edge, 3)
	d.keys = rowsOfKeys(f.Legend(), d.width-2*edge)

	looks := f.Looks()
	for i, p := range f.Panels {
		d.panels = append(d.panels, newPanelPlot(p, looks[i], w))
	}
	tall := 0.76 * w
	for _, p := range d.panels {
		if len(p.panel.Contours) > 0 {
			tall = 1.02 * w
		}
		if p.title != "" {
			d.above = max(d.above, styleOf(panelSize, true, inkColor()).Height(p.title)+titleGap)
		}
	}
	d.tiles = vg.Length(d.rows)*(tall+d.above) + vg.Length(d.rows-1)*between
	d.height = d.tiles + d.head() + 2*edge
	return d
}

// head is the height of the title and legend.
func (d *drawing) head() vg.Length {
	h := vg.Length(len(d.keys)) * keyHeight
	if len(d.keys) > 0 {
		h += 5
	}
	if d.title != "" {
		h += styleOf(titleSize, true, inkColor()).Height(d.title) + 3
	}
	return h
}

// draw draws everything on a canvas of the drawing's size.
func (d *drawing) draw(c draw.Canvas) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, edge, -edge, edge, -edge)
	y := c.Max.Y
	if d.title != "" {
		sty := styleOf(titleSize, true, inkColor())
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YTop
		c.FillText(sty, vg.Point{X: c.Center().X, Y: y + sty.FontExtents().Descent}, d.title)
		y -= sty.Height(d.title) + 3
	}
	for _, row := range d.keys {
		drawKeys(c, row, y-keyHeight/2)
		y -= keyHeight
	}
	body := c
	body.Max.Y = c.Min.Y + d.tiles
	tiles := draw.Tiles{Cols: d.columns, Rows: d.rows, PadX: between, PadY: between + d.above, PadTop: d.above}
	all := make([]*plot.Plot, d.rows*d.columns)
	for i, p := range d.panels {
		all[i] = p.plot
	}
	grid := slices.Collect(slices.Chunk(all, d.columns))
	places := plot.Align(grid, tiles, body)
	for i, p := range d.panels {
		p.plot.Draw(places[i/d.columns][i%d.columns])
	}
}

// styleOf is a style of text, left-aligned.
func styleOf(size vg.Length, bold bool, c color.Color) text.Style {
	return text.Style{Color: c, Font: sans(size, bold), YAlign: draw.YCenter, Handler: textHandler()}
}

func inkColor() color.Color  { return color.RGBA{0x20, 0x24, 0x2a, 0xff} }
func dimColor() color.Color  { return color.RGBA{0x4a, 0x50, 0x5a, 0xff} }
func gridColor() color.Color { return color.RGBA{0xe7, 0xe9, 0xec, 0xff} }

// colorOf is the colour of a look. Shades of a hue are lighter and darker in turn.
func colorOf(l figure.Look) color.RGBA {
	hue := figure.Hues()[l.Hue]
	to, t := 255.0, 0.0
	switch {
	case l.Shade%2 == 1:
		t = 1 - math.Pow(0.55, float64(l.Shade/2+1))
	case l.Shade > 0:
		to, t = 0, 1-math.Pow(0.6, float64(l.Shade/2))
	}
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v) + min(t, 0.75)*(to-float64(v)))) }
	return color.RGBA{mix(hue[0]), mix(hue[1]), mix(hue[2]), 0xff}
}

const (
	keyHeight = 12.5
	keySample = 22 // width of the piece of line
	keyMark   = 7  // width of a mark alone
	keyGap    = 4
	keyApart  = 16
)

// sampleWidth is that of the line or mark before the name.
func sampleWidth(k figure.LegendKey) vg.Length {
	if k.Style == figure.Points {
		return keyMark
	}
	return keySample
}

// keyWidth is that of the sample and the name.
func keyWidth(k figure.LegendKey, sty text.Style) vg.Length {
	return sampleWidth(k) + keyGap + sty.Width(k.Name)
}

// rowsOfKeys breaks a legend into rows of a width.
func rowsOfKeys(keys []figure.LegendKey, width vg.Length) [][]figure.LegendKey {
	sty := styleOf(keySize, false, inkColor())
	var rows [][]figure.LegendKey
	left := vg.Length(0)
	for _, k := range keys {
		k.Name = cut(sty, figure.Clean(k.Name), width-keySample-keyGap)
		if len(rows) == 0 || left < keyWidth(k, sty) {
			rows = append(rows, nil)
			left = width
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], k)
		left -= keyWidth(k, sty) + keyApart
	}
	return rows
}

// drawKeys draws a row of the legend, centred, at the height of its middle.
func drawKeys(c draw.Canvas, row []figure.LegendKey, y vg.Length) {
	sty := styleOf(keySize, false, inkColor())
	total := vg.Length(-keyApart)
	for _, k := range row {
		total += keyWidth(k, sty) + keyApart
	}
	x := c.Center().X - total/2
	for _, k := range row {
		if k.Style != figure.Points {
			c.StrokeLine2(lineOf(k.Look, k.Paper), x, y, x+sampleWidth(k), y)
		}
		if k.Style == figure.Points || k.Style == figure.Both || k.Style == figure.Line && !k.Paper {
			drawMark(c, k.Look, k.Paper, markRadius, vg.Point{X: x + sampleWidth(k)/2, Y: y})
		}
		c.FillText(sty, vg.Point{X: x + sampleWidth(k) + keyGap, Y: y + sty.FontExtents().Descent}, k.Name)
		x += keyWidth(k, sty) + keyApart
	}
}

// lineOf is the line style of a look.
func lineOf(l figure.Look, paper bool) draw.LineStyle {
	s := draw.LineStyle{Color: colorOf(l), Width: 1.3}
	if paper {
		s.Dashes, s.Width = []vg.Length{4, 2.5}, 1.1
	}
	return s
}

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
