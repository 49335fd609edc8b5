package chart

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// firstSeriesColor is the 256-colour index that stands for series 0 in
// asciigraph's output; the following ones stand for the others. They are names,
// not colours: parse turns them back into styles.
const firstSeriesColor = 17

// plot draws the resampled series by asciigraph and copies its picture cell by
// cell. The series come in row units, so that asciigraph's own scale is exactly
// one and its picture exactly as high as the plot, and with one column edge more
// than the plot has columns, since asciigraph draws the steps between points.
// It reports whether anything could be drawn.
func (c *Lines) plot(g plane.Region, th theme.Theme, series []Series) bool {
	w, h := g.Size()
	if w < 1 || h < 2 || !anyFinite(c.grid) {
		return false
	}
	parse(g, c.asciigraph(th, series, h), series)
	return true
}

// asciigraph plots the resampled series over h rows.
func (c *Lines) asciigraph(th theme.Theme, series []Series, h int) string {
	var sets [MaxSeries]asciigraph.CharSet
	var colors [MaxSeries]asciigraph.AnsiColor
	c.arrange(len(series))
	for n, i := range c.order[:len(series)] {
		s := &series[i]
		l := th.Glyphs.Lines[abs(s.Line)%len(th.Glyphs.Lines)]
		sets[n] = asciigraph.CharSet{
			Horizontal: l.H, VerticalLine: l.V,
			ArcDownRight: l.DR, ArcDownLeft: l.DL, ArcUpRight: l.UR, ArcUpLeft: l.UL,
			StartCap: l.H, EndCap: l.H,
		}
		colors[n] = asciigraph.AnsiColor(firstSeriesColor + i)
	}
	return asciigraph.PlotMany(c.over,
		asciigraph.Height(h-1),
		asciigraph.LowerBound(0), asciigraph.UpperBound(float64(h-1)),
		asciigraph.Offset(1), // one column of its axis, which is dropped
		asciigraph.YAxisValueFormatter(noLabel),
		asciigraph.SeriesColors(colors[:len(series)]...),
		asciigraph.SeriesChars(sets[:len(series)]...),
	)
}

// arrange puts the series in the order in which they are drawn.
func (c *Lines) arrange(n int) {
	top := c.Top - 1
	if top < 0 || top >= n {
		top = n - 1
	}
	c.over = c.over[:0]
	at := 0
	for i := range n {
		if i != top {
			c.order[at] = i
			at++
		}
	}
	if n > 0 {
		c.order[n-1] = top
	}
	for _, i := range c.order[:n] {
		c.over = append(c.over, c.grid[i])
	}
}

func noLabel(float64) string { return "" }

func anyFinite(grid [][]float64) bool {
	for _, row := range grid {
		for _, v := range row {
			if !math.IsNaN(v) {
				return true
			}
		}
	}
	return false
}

// parse copies asciigraph's lines into g without their first column. What lies
// outside g is dropped.
func parse(g plane.Region, picture string, series []Series) {
	x, y := -1, 0
	var style plane.Style
	for len(picture) > 0 {
		switch picture[0] {
		case '\n':
			x, y, style = -1, y+1, plane.Style{}
			picture = picture[1:]
			continue
		case '\x1b':
			end := strings.IndexByte(picture, 'm')
			if end < 0 {
				return
			}
			style = seriesStyle(picture[:end], series)
			picture = picture[end+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(picture)
		picture = picture[n:]
		if r != ' ' && x >= 0 {
			g.Set(x, y, r, style)
		}
		x++
	}
}

// seriesStyle reads the colour index at the end of an SGR sequence.
func seriesStyle(sgr string, series []Series) plane.Style {
	n := 0
	for _, c := range sgr[strings.LastIndexAny(sgr, ";[")+1:] {
		if c < '0' || c > '9' || n > 255 {
			return plane.Style{}
		}
		n = n*10 + int(c-'0')
	}
	if i := n - firstSeriesColor; i >= 0 && i < len(series) {
		return series[i].Style
	}
	return plane.Style{}
}
