package record

import "github.com/psgld/psgld-tui/targets/tool/list"

// A path is closed lines and curves: each begins with a move.
type path []segment

// A segment ends at (x, y). A curve is Bézier's, with two control points.
type segment struct {
	kind                 byte // 'M', 'L' or 'C'
	x, y, x1, y1, x2, y2 float64
}

func (p *path) move(x, y float64) { *p = append(*p, segment{kind: 'M', x: x, y: y}) }
func (p *path) line(x, y float64) { *p = append(*p, segment{kind: 'L', x: x, y: y}) }

func (p *path) curve(x1, y1, x2, y2, x, y float64) {
	*p = append(*p, segment{'C', x, y, x1, y1, x2, y2})
}

// polygon is the path through points, x and y in turn.
func polygon(at ...float64) path {
	var p path
	p.move(at[0], at[1])
	for i := 2; i+1 < len(at); i += 2 {
		p.line(at[i], at[i+1])
	}
	return p
}

// kappa is where the control points of a quarter of a circle lie: the curve is within 0.03% of the radius.
const kappa = 0.5522847498

// circle is a path around a centre, with the clock if dir is 1, and against it if it is -1.
func circle(x, y, r, dir float64) path {
	var p path
	k := kappa * r
	p.move(x, y-r)
	p.curve(x+dir*k, y-r, x+dir*r, y-k, x+dir*r, y)
	p.curve(x+dir*r, y+k, x+dir*k, y+r, x, y+r)
	p.curve(x-dir*k, y+r, x-dir*r, y+k, x-dir*r, y)
	p.curve(x-dir*r, y-k, x-dir*k, y-r, x, y-r)
	return p
}

// ring is what is between two circles.
func ring(x, y, outer, inner float64) path {
	return append(circle(x, y, outer, 1), circle(x, y, inner, -1)...)
}

// rounded is a rectangle with round corners.
func rounded(x, y, w, h, r float64) path {
	k := r - kappa*r
	var p path
	p.move(x+r, y)
	p.line(x+w-r, y)
	p.curve(x+w-k, y, x+w, y+k, x+w, y+r)
	p.line(x+w, y+h-r)
	p.curve(x+w, y+h-k, x+w-k, y+h, x+w-r, y+h)
	p.line(x+r, y+h)
	p.curve(x+k, y+h, x, y+h-k, x, y+h-r)
	p.line(x, y+r)
	p.curve(x, y+k, x+k, y, x+r, y)
	return p
}

// moved is the path at another place.
func (p path) moved(dx, dy float64) path {
	return list.Map(p, func(s segment) segment {
		return segment{s.kind, s.x + dx, s.y + dy, s.x1 + dx, s.y1 + dy, s.x2 + dx, s.y2 + dy}
	})
}
