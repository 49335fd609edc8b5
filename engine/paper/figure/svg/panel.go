package svg

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// A panelPlot draws a panel with gonum/plot. The plot's own axes run from 0 to 1 and its ticks are given: gonum/plot
// would panic on a number that is not finite, or not positive on a log axis.
type panelPlot struct {
	panel figure.Panel
	looks []figure.Look
	x, y  figure.Span
	title string // in lines; the plot's own would be centred on the axes' labels as well
	plot  *plot.Plot
}

func newPanelPlot(p figure.Panel, looks []figure.Look, wide vg.Length) *panelPlot {
	q := &panelPlot{panel: p, looks: looks, plot: plot.New()}
	q.x, q.y = p.Spans()
	handler := textHandler()
	q.plot.BackgroundColor = nil
	q.plot.TextHandler = handler
	q.title = wrap(styleOf(panelSize, true, inkColor()), p.Title, wide*0.82, 2)
	for _, a := range []struct {
		axis *plot.Axis
		of   figure.Axis
		long vg.Length
	}{{&q.plot.X, p.X, wide * 0.8}, {&q.plot.Y, p.Y, wide * 0.62}} {
		a.axis.Min, a.axis.Max = 0, 1
		a.axis.Padding = 0
		a.axis.LineStyle = draw.LineStyle{Color: dimColor(), Width: 0.6}
		a.axis.Tick.LineStyle = a.axis.LineStyle
		a.axis.Tick.Length = 3.5
		a.axis.Tick.Label.Handler = handler
		a.axis.Tick.Label.Font = sans(tickSize, false)
		a.axis.Tick.Label.Color = dimColor()
		a.axis.Label.TextStyle.Handler = handler
		a.axis.Label.TextStyle.Font = sans(labelSize, false)
		a.axis.Label.TextStyle.Color = inkColor()
		a.axis.Label.Text = cut(a.axis.Label.TextStyle, figure.Clean(a.of.Label), a.long)
		a.axis.Label.Padding = 2
	}
	q.plot.X.Tick.Marker = plot.ConstantTicks(ticks(q.x, max(2, int(wide/(0.52*vg.Inch)))))
	q.plot.Y.Tick.Marker = plot.ConstantTicks(ticks(q.y, max(3, int(wide/(0.55*vg.Inch)))))
	q.plot.Add(q)
	return q
}

func (q *panelPlot) Plot(c draw.Canvas, p *plot.Plot) {
	grid := draw.LineStyle{Color: gridColor(), Width: 0.5}
	for _, t := range p.X.Tick.Marker.Ticks(0, 1) {
		if !t.IsMinor() && t.Value > 1e-6 {
			c.StrokeLine2(grid, c.X(t.Value), c.Min.Y, c.X(t.Value), c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(0, 1) {
		if !t.IsMinor() && t.Value > 1e-6 {
			c.StrokeLine2(grid, c.Min.X, c.Y(t.Value), c.Max.X, c.Y(t.Value))
		}
	}
	if q.title != "" {
		sty := styleOf(panelSize, true, inkColor())
		sty.XAlign, sty.YAlign = draw.XCenter, draw.YBottom
		c.FillText(sty, vg.Point{X: c.Center().X, Y: c.Max.Y + titleGap}, q.title)
	}
	if q.x.Empty || q.y.Empty {
		sty := styleOf(labelSize, false, dimColor())
		sty.XAlign = draw.XCenter
		c.FillText(sty, c.Center(), "no data")
		return
	}
	for _, e := range q.panel.Contours {
		x, y := e.Path(180)
		c.StrokeLines(draw.LineStyle{Color: dimColor(), Width: 0.7}, c.ClipLinesXY(q.runs(c, x, y)...)...)
	}
	// these lie on top, so that they do not hide what they are compared with
	for _, dashed := range [...]bool{false, true} {
		for i, s := range q.panel.Series {
			if s.Paper == dashed {
				q.series(c, s, q.looks[i])
			}
		}
	}
}

// point is the place of a pair of numbers; false if an axis cannot show its number. A
// place far outside the panel is brought nearer.
func (q *panelPlot) point(c draw.Canvas, x, y float64) (vg.Point, bool) {
	const far = 1e4
	fx, fy := q.x.Frac(x), q.y.Frac(y)
	if math.IsNaN(fx) || math.IsNaN(fy) {
		return vg.Point{}, false
	}
	return vg.Point{X: c.X(min(max(fx, -far), far)), Y: c.Y(min(max(fy, -far), far))}, true
}

// runs are the stretches of a line between points that cannot be shown.
func (q *panelPlot) runs(c draw.Canvas, xs, ys []float64) [][]vg.Point {
	var all [][]vg.Point
	var run []vg.Point
	for i := range xs {
		at, ok := q.point(c, xs[i], ys[i])
		if ok {
			run = append(run, at)
		}
		if (!ok || i == len(xs)-1) && len(run) > 0 {
			all = append(all, run)
			run = nil
		}
	}
	return all
}

func (q *panelPlot) series(c draw.Canvas, s figure.Series, l figure.Look) {
	xs, ys := s.Path()
	if s.Style != figure.Points {
		c.StrokeLines(lineOf(l, s.Paper), c.ClipLinesXY(q.runs(c, xs, ys)...)...)
	}
	if s.Style == figure.Steps {
		return
	}
	const many = 100
	for i := range min(len(xs), len(s.Err)) {
		q.errorBar(c, xs[i], ys[i], s.Err[i], l)
	}
	var dots []vg.Point
	for i := range xs {
		at, ok := q.point(c, xs[i], ys[i])
		if !ok || !c.Contains(at) {
			continue
		}
		switch {
		case s.Style == figure.Points && len(xs) > many:
			dots = append(dots, at)
		case s.Style == figure.Points, s.Style == figure.Both && len(xs) <= many, q.alone(c, xs, ys, i):
			drawMark(c, l, s.Paper, markRadius, at)
		case !s.Paper && landmark(i, len(xs), l):
			drawMark(c, l, false, markRadius, at)
		}
	}
	drawDots(c, l, dots)
}

// alone reports whether a point has no neighbour to which a line could join it.
func (q *panelPlot) alone(c draw.Canvas, xs, ys []float64, i int) bool {
	for _, k := range [...]int{i - 1, i + 1} {
		if k >= 0 && k < len(xs) {
			if _, ok := q.point(c, xs[k], ys[k]); ok {
				return false
			}
		}
	}
	return true
}

// landmark reports whether a line shows its mark at point i of n. Marks tell lines apart
// without colour: there are six on a line, at other places for each hue.
func landmark(i, n int, l figure.Look) bool {
	const marks = 6
	if n < 3*marks {
		return i == n-1
	}
	every := n / marks
	return i%every == (every/(2*figure.NumHues)+(l.Hue+3*l.Shade)*every/figure.NumHues)%every
}

// errorBar draws y ± se with caps. On a log axis a lower end that is not positive is cut off at the axis.
func (q *panelPlot) errorBar(c draw.Canvas, x, y, se float64, l figure.Look) {
	at, ok := q.point(c, x, y)
	if !ok || !(se > 0) || math.IsInf(se, 0) || !c.Contains(at) {
		return
	}
	const arm = 2.2
	sty := draw.LineStyle{Color: colorOf(l), Width: 0.8}
	ends := [2]vg.Length{c.Min.Y, c.Max.Y}
	for k, v := range [...]float64{y - se, y + se} {
		if f := q.y.Frac(v); f >= 0 && f <= 1 {
			ends[k] = c.Y(f)
			c.StrokeLine2(sty, at.X-arm, ends[k], at.X+arm, ends[k])
		}
	}
	c.StrokeLine2(sty, at.X, ends[0], at.X, ends[1])
}

// ticks are the marks of an axis at fractions of its length, about want of them labelled.
func ticks(s figure.Span, want int) []plot.Tick {
	if s.Empty || want < 1 {
		return nil
	}
	if s.Log {
		if t := logTicks(s, want); t != nil {
			return t
		}
	}
	return evenTicks(s, want)
}

// tick adds the mark of v to t if the axis shows it.
func tick(t []plot.Tick, s figure.Span, v float64, label string) []plot.Tick {
	if f := s.Frac(v); f >= -1e-9 && f <= 1+1e-9 {
		t = append(t, plot.Tick{Value: min(max(f, 0), 1), Label: label})
	}
	return t
}

// evenTicks are multiples of 1, 2, 2.5 or 5 times a power of ten.
func evenTicks(s figure.Span, want int) []plot.Tick {
	raw := (s.Hi - s.Lo) / float64(want)
	p := math.Pow(10, math.Floor(math.Log10(raw)))
	step, decimals := 10*p, 0
	for _, m := range [...]float64{1, 2, 2.5, 5} {
		if m*p >= raw*(1-1e-9) {
			step = m * p
			break
		}
	}
	if !(step > 0) || math.IsInf(step, 0) {
		return nil
	}
	decimals = max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if k := step * math.Pow10(decimals); math.Abs(k-math.Round(k)) > 1e-6 { // 2.5
		decimals++
	}
	first, last := math.Ceil(s.Lo/step-1e-9), math.Floor(s.Hi/step+1e-9)
	if !(last-first <= float64(2*want+2)) || math.Abs(first) > 1<<50 || math.Abs(last) > 1<<50 {
		return nil
	}
	var t []plot.Tick
	for i := first; i <= last; i++ {
		t = tick(t, s, i*step, tickText(i*step, decimals))
	}
	return t
}

// logTicks are powers of ten, and 2 and 5 times them if the axis has room, with unlabelled
// marks at the other multiples. It is nil if the axis has less than half a decade or
// fewer than two labels, since even steps say more there.
func logTicks(s figure.Span, want int) []plot.Tick {
	decades := math.Log10(s.Hi) - math.Log10(s.Lo)
	if decades < 0.5 {
		return nil
	}
	every := max(1, math.Ceil(decades/float64(want)))
	labelled := map[int]bool{1: true}
	if 3*decades <= float64(want)+1 {
		labelled[2], labelled[5] = true, true
	} else if 2*decades <= float64(want) {
		labelled[3] = true
	}
	plain := s.Lo > 0.99e-3 && s.Hi < 1.01e4
	var t []plot.Tick
	labels := 0
	for d := math.Floor(math.Log10(s.Lo)); d <= math.Ceil(math.Log10(s.Hi)); d++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, d)
			label := ""
			if labelled[m] && math.Mod(d, every) == 0 {
				decimals := -1
				if plain {
					decimals = max(0, -int(d))
				}
				label = tickText(v, decimals)
			}
			if label != "" || every == 1 && decades <= 8 || m == 1 && decades <= 80 {
				n := len(t)
				if t = tick(t, s, v, label); label != "" {
					labels += len(t) - n
				}
			}
		}
	}
	if labels < 2 {
		return nil
	}
	return t
}

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
