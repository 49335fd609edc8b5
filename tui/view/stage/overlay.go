package stage

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// overlayPane is the name of the pane with all lanes.
const overlayPane = "lanes"

// overlaid reports whether the lanes are laid over each other.
func overlaid(f *pane.Frame) bool { return f.Overlay && len(f.Lanes()) > 1 }

// drawOverlay draws all lanes in one box.
func (p *scene) drawOverlay(g plane.Region, f *pane.Frame) {
	lanes := f.Lanes()
	title := "all lanes"
	if !p.plane {
		v := f.Focused()
		title = pane.ShortName(&f.Theme, v.Names[0])
		if !line(f) {
			title += ", " + pane.ShortName(&f.Theme, v.Names[1])
		}
	}
	var keys []chart.Series
	names := pane.TitleRoom
	for _, v := range f.EachLane() {
		keys = append(keys, f.Series(v, f.LaneName(v)))
		names += pane.LegendRoom(f, keys[len(keys)-1].Name)
	}
	if n := len(f.Focused().Chains); n > 1 && p.plane {
		chains := fmt.Sprintf("%d chains each", n)
		if whole := title + ", " + chains; plane.Width(whole)+names <= g.W() {
			title = whole
		} else if plane.Width(chains)+names <= g.W() {
			title = chains
		}
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, keys)
	rows := len(lanes)
	if in.H() < 8+rows {
		rows = 1
	}
	foot, rest := in.Bounds().CutBottom(min(rows, in.H()))
	p.overlayStats(in.Sub(foot.Pad(0, 0, 0, 1)), f)
	if rest.H < 2 {
		return
	}
	if line(f) {
		p.drawLine(g, in.Sub(rest), f, pane.DrawingLanes(f))
		return
	}
	p.overlayPlot(in.Sub(rest), f)
	p.planeKey(g, f, f.Focused())
	p.showPlace(g, f, f.FocusAt())
}

// leastStats is the width in which a lane's error has room.
const leastStats = 18

// overlayStats writes each lane's statistics in a row of its own. In a single row they
// stand beside each other or, if that is too narrow, the focused lane's stand alone.
func (p *scene) overlayStats(g plane.Region, f *pane.Frame) {
	lanes := f.Lanes()
	rows := make([]plane.Rect, len(lanes))
	all := plane.Rect{W: g.W() + statGap - 1, H: g.H()} // with a blank at the edge
	switch {
	case g.H() > 1:
		rows = pane.Stack(all, len(lanes))
	case g.W() >= leastStats*len(lanes):
		rows = pane.Beside(all, len(lanes))
	default:
		rows[f.FocusAt()] = all
	}
	for i, r := range rows {
		if r.Empty() {
			continue
		}
		v := &lanes[i]
		look := f.LaneStyle(v)
		g.Set(r.X, r.Y, look.Glyph, look.Style)
		row := g.Sub(plane.Rect{X: r.X + 2, Y: r.Y, W: r.W - 2 - statGap, H: 1})
		if d := v.Diverged; d != nil {
			th := &f.Theme
			var l pane.Line
			l.Add(0, wording.Stopped(d)+" at step", th.Bad, th.Bad, plane.Count(d.Step))
			if b := d.Bound; b.Kind != sampler.NoBound {
				l.Add(1, "ε", th.Dim, th.Text, pane.Exact(d.Eps)+" ≥ "+b.Kind.Formula()+" = "+pane.Exact(b.Eps))
			}
			l.DrawSome(row, f.Theme, statGap)
			continue
		}
		stats(row, f, v)
	}
}

// overlayPlot draws the plane with every lane's draws, in turns from the oldest draw to
// the newest, so that no lane covers the others.
func (p *scene) overlayPlot(g plane.Region, f *pane.Frame) {
	p.beside = p.divide(g, f)
	plot, ok := p.begin(p.beside.plane, f)
	if !ok {
		return
	}
	th := &f.Theme
	for _, v := range f.EachLane() {
		p.passage(f, v)
	}
	p.overlayTrails(plot, f)
	p.truth(th, f.Focused())
	for i, v := range f.EachLane() {
		look := f.LaneStyle(v)
		p.estimated(v, chart.Pen{Style: look.Style, Layer: chart.LayerLine, Dash: uint8(2 + i)})
		p.ring(f, v, v.Now)
	}
	for i, v := range f.EachLane() {
		if i == f.FocusAt() {
			p.motion(f, v)
		}
		p.heads(f, v, false)
		if v.Diverged != nil {
			p.cross(th, v)
		}
	}
	p.canvas.Draw(plot, *th)
	var lanes []*engine.LaneView
	for _, v := range f.EachLane() {
		lanes = append(lanes, v)
	}
	p.overlayEdges(f)
	p.drawLens(f, f.Focused(), lanes...)
}

// overlayTrails draws the newest draws of all lanes. Without colour it draws the lanes'
// glyphs, of fewer draws.
func (p *scene) overlayTrails(plot plane.Region, f *pane.Frame) {
	th, lanes := &f.Theme, f.Lanes()
	glyphs := th.NoColor || th.ASCII
	most := max(plot.W()*plot.H()*3/5/len(lanes), 100)
	if glyphs {
		most = max(plot.W()*plot.H()/10/len(lanes), 20)
	}
	var chains [engine.MaxLanes][]engine.ChainView
	var shades [engine.MaxLanes][]func(age float64) plane.Style
	longest := 0
	for i, v := range f.EachLane() {
		chains[i] = pane.Chains(v, most)
		for j, c := range chains[i] {
			longest = max(longest, len(c.TrailX))
			shades[i] = append(shades[i], shade(f, v, j))
		}
	}
	for k := longest; k > 0; k-- {
		age := ageOf(longest-k, longest)
		for i, v := range f.EachLane() {
			for j := range chains[i] {
				c := &chains[i][j]
				if k > len(c.TrailX) {
					continue
				}
				x, y := c.TrailX[len(c.TrailX)-k], c.TrailY[len(c.TrailY)-k]
				pen := chart.Pen{Style: shades[i][j](age), Layer: chart.LayerPoint}
				if glyphs {
					p.canvas.Mark(x, y, f.LaneStyle(v).Glyph, pen)
				} else {
					p.canvas.Point(x, y, pen)
				}
			}
		}
	}
}

// overlayEdges draws the marginals of two lanes above and of the focused lane on the
// right, and the traces of all lanes.
func (p *scene) overlayEdges(f *pane.Frame) {
	at := pane.DrawingLanes(f)
	if len(at) == 0 {
		return
	}
	above := list.Map(at, func(i int) *engine.LaneView { return &f.Lanes()[i] })
	side := above[0]
	if v := f.Focused(); v.Kind != sampler.Optimising {
		side = v
	}
	var traces []*engine.LaneView
	for _, v := range f.EachLane() {
		if v.Kind != sampler.Optimising {
			traces = append(traces, v)
		}
	}
	p.drawBeside(f, side, traces, above)
}
