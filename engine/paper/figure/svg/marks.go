package svg

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

const (
	markRadius = 2.6 // of a mark for one number
	smallMark  = 1.1 // of a mark for one draw among many
)

// drawMark draws a look's mark: filled, and hollow for the paper's numbers.
func drawMark(c draw.Canvas, l figure.Look, paper bool, r vg.Length, at vg.Point) {
	p := markPath(l.Mark(), r, at)
	col := colorOf(l)
	if paper {
		c.SetColor(color.White)
		c.Fill(p)
		c.SetLineStyle(draw.LineStyle{Color: col, Width: 0.9})
		c.Stroke(p)
		return
	}
	c.SetColor(col)
	c.Fill(p)
}

// drawDots draws many draws half transparent, so that their density shows. It fills a few
// dozen at a time, which keeps documents small.
func drawDots(c draw.Canvas, l figure.Look, at []vg.Point) {
	const layers = 8
	col := colorOf(l)
	c.SetColor(color.NRGBA{col.R, col.G, col.B, 0x90})
	for k := range min(layers, len(at)) {
		var all vg.Path
		for i := k; i < len(at); i += layers {
			all = append(all, markPath(l.Mark(), smallMark, at[i])...)
		}
		c.Fill(all)
	}
}

// markPath is the outline of one of NumHues marks: circle, triangle, square,
// diamond, triangle downwards, plus, cross, star.
func markPath(mark int, r vg.Length, at vg.Point) vg.Path {
	var corners []vg.Point
	turn := func(n int, from float64, far ...float64) { // corners that are far off in turn
		for i := range n {
			r := far[i%len(far)]
			sin, cos := math.Sincos(from + 2*math.Pi*float64(i)/float64(n))
			corners = append(corners, vg.Point{X: vg.Length(r * cos), Y: vg.Length(r * sin)})
		}
	}
	big := float64(r)
	switch mark {
	case 0:
		if r <= smallMark { // too small for anybody to count its corners
			turn(6, 0, 1.05*big)
			break
		}
		var p vg.Path
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
		p.Close()
		return p
	case 1:
		turn(3, math.Pi/2, 1.3*big)
	case 2:
		turn(4, math.Pi/4, 1.25*big)
	case 3:
		turn(4, 0, 1.35*big)
	case 4:
		turn(3, -math.Pi/2, 1.3*big)
	case 5, 6:
		tilt := math.Pi / 4 * float64(mark-5)
		arm, half := 1.35*big, 0.42*big
		for k := range 4 {
			for _, q := range [...][2]float64{{half, half}, {arm, half}, {arm, -half}} {
				// Each arm's corners in turn, clockwise from its inner one.
				sin, cos := math.Sincos(tilt - math.Pi/2*float64(k))
				corners = append(corners,
					vg.Point{X: vg.Length(q[0]*cos - q[1]*sin), Y: vg.Length(q[0]*sin + q[1]*cos)})
			}
		}
	default:
		turn(10, math.Pi/2, 1.45*big, 1.45*big*0.45)
	}
	var p vg.Path
	for i, q := range corners {
		if q = q.Add(at); i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	p.Close()
	return p
}
