package frametest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The corners of a box, light and heavy, and where its edges go from each. Curves
// have the same corners, in other styles than those of borders.
var corners = [...]struct {
	runes          string
	dx, dy         int
	across, upward int // the corners at the other ends
}{
	{"╭┏", 1, 1, 1, 2}, {"╮┓", -1, 1, 0, 3}, {"╰┗", 1, -1, 3, 0}, {"╯┛", -1, -1, 2, 1},
}

// Open says where a border of a frame is not closed,
// and is empty if all are: from every corner of a box its two edges must lead to
// the next corners, along the left and the right over nothing but the edge, and
// above and below over text at most. Edges may end where something is drawn over
// them.
func Open(g *record.Grid, th theme.Theme, over ...plane.Rect) string {
	for y := range g.H {
		for x := range g.W {
			at := corner(g, th, x, y)
			if at < 0 || covered(over, x, y) {
				continue
			}
			c := corners[at]
			if end := follow(g, th, over, x, y, c.dx, 0); end != c.across && end != under {
				return fmt.Sprintf("the edge along row %d from %q in column %d is open", y, g.At(x, y).Text, x)
			}
			if end := follow(g, th, over, x, y, 0, c.dy); end != c.upward && end != under {
				return fmt.Sprintf("the edge along column %d from %q in row %d is open", x, g.At(x, y).Text, y)
			}
		}
	}
	return ""
}

// What an edge ends in beside a corner.
const (
	nothing = -1
	under   = -2 // it goes on under what is drawn over it
)

// follow goes along an edge and returns the corner, or what else, it ends in.
func follow(g *record.Grid, th theme.Theme, over []plane.Rect, x, y, dx, dy int) int {
	gap, text := 0, false // cells since the line stopped, and whether there is text on them
	for {
		x, y = x+dx, y+dy
		if x < 0 || x >= g.W || y < 0 || y >= g.H {
			return nothing
		}
		if covered(over, x, y) {
			return under
		}
		c := g.At(x, y)
		line := edged(c, th) && (dy != 0 && strings.Contains("│┃", c.Text) || dx != 0 && strings.Contains("─━", c.Text))
		end := corner(g, th, x, y)
		switch {
		case line || end >= 0:
			if gap > 0 && !text {
				return nothing
			}
			if gap, text = 0, false; end >= 0 {
				return end
			}
		case dy != 0:
			return nothing
		default:
			gap++
			text = text || c.Text != " "
		}
	}
}

func corner(g *record.Grid, th theme.Theme, x, y int) int {
	c := g.At(x, y)
	if edged(c, th) {
		for i := range corners {
			if strings.Contains(corners[i].runes, c.Text) {
				return i
			}
		}
	}
	return nothing
}

// edged reports whether a cell is drawn as borders are.
func edged(c *record.Cell, th theme.Theme) bool {
	return c.Text != "" && (c.Style == th.Border || c.Style == th.Focus)
}

func covered(over []plane.Rect, x, y int) bool {
	return slices.ContainsFunc(over, func(r plane.Rect) bool { return r.Contains(x, y) })
}

// Wrong says what is wrong with a screen whatever it shows, and is empty if nothing is: another number of lines than it
// has rows, one wider than it, a control character, or an open border. Borders are looked at in themes that tell them
// from curves by colour; over is what is drawn over some.
func Wrong(p *plane.Plane, th theme.Theme, over ...plane.Rect) string {
	w, h := p.Size()
	if h == 0 {
		return ""
	}
	lines := strings.Split(p.Render(), "\n")
	if len(lines) != h {
		return fmt.Sprintf("%d lines for %d rows", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			return fmt.Sprintf("row %d is %d wide, for %d columns: %q", i, n, w, l)
		}
		if what := Obeyed(l, true); what != "" {
			return fmt.Sprintf("row %d holds %s: %q", i, what, l)
		}
	}
	if th.ASCII || th.NoColor {
		return ""
	}
	return Open(record.Of(p), th, over...)
}
