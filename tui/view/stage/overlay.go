package stage

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine/sampler"
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
	title := "all lanes"
	if t := pane.Function(f.Problem()); t != nil {
		title = "function"
		if t.Inputs() == 2 {
			title = f.HeatNow().String()
		}
	} else if !p.plane {
		v := f.Focused()
		title = pane.ShortName(&f.Theme, v.Names[0])
		if !line(f) {
			title += ", " + pane.ShortName(&f.Theme, v.Names[1])
		}
	}
	var keys []chart.Series
	names := pane.TitleRoom
	p.lanes = nil
	for _, v := range f.EachLane() {
		p.lanes = append(p.lanes, v)
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
	rows := len(p.lanes)
	if in.H() < 8+rows {
		rows = 1
	}
	foot, rest := in.Bounds().CutBottom(min(rows, in.H()))
	p.overlayStats(in.Sub(foot.Pad(0, 0, 0, 1)), f)
	if rest.H < 2 {
		return
	}
	p.drawPlane(g, in.Sub(rest), f, f.Focused(), pane.DrawingLanes(f))
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

// overlayTrails draws the newest draws of all lanes. Without colour it draws the lanes' glyphs, of fewer draws.
func (p *scene) overlayTrails(plot plane.Region, f *pane.Frame) {
	cells, glyphs := plot.W()*plot.H(), f.Theme.NoColor || f.Theme.ASCII
	most := max(cells*3/5/len(p.lanes), 100)
	if glyphs {
		most = max(cells/10/len(p.lanes), 20)
	}
	var all []trail
	for _, v := range p.lanes {
		own := trails(f, v, pane.Chains(v, most))
		for i := range own {
			if glyphs {
				own[i].glyph = f.LaneStyle(v).Glyph
			}
		}
		all = append(all, own...)
	}
	p.draws(all, 0)
}
