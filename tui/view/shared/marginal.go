package shared

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// marginalBins is the number of bins of a marginal's histogram.
const marginalBins = 48

// MarginalPane is the histogram of one watched coordinate over the newest
// draws, against the exact density where that is known.
type MarginalPane struct {
	hist chart.Histogram
	bins [2][marginalBins]float64
	keys [2]chart.Series
}

func (m *MarginalPane) Draw(g plane.Region, f *pane.Frame, dens *Density, draws *DrawsWindow, k int) {
	id, axis := [...]string{"marginal 1", "marginal 2"}[k], [...]pane.Axis{pane.CoordX, pane.CoordY}[k]
	lanes := pane.DrawingLanes(f)
	if lanes[0] < 0 {
		pane.Absent(g, f, pane.ShortName(&f.Theme, f.Lanes()[0].Names[k]), "no lane samples: an optimiser's path has no marginal")
		return
	}
	g, ok := f.Begin(g, id, -1)
	if !ok {
		return
	}
	win := dens.Frame
	m.hist.Truth = nil
	if dens.LogP != nil {
		m.hist.Truth = dens.Marginal(k).at
	} else {
		win = draws.Of(f)
	}
	m.hist.Lo, m.hist.Hi = win.X0, win.X1
	if k == 1 {
		m.hist.Lo, m.hist.Hi = win.Y0, win.Y1
	}
	all := pane.Range{Lo: m.hist.Lo, Hi: m.hist.Hi}
	shown := f.Shown(axis, all)
	m.hist.Lo, m.hist.Hi = shown.Lo, shown.Hi
	m.hist.Cross, m.hist.Crossed = f.Cross.On(axis)
	m.hist.Axis, m.hist.Empty = true, f.Reason("")
	m.hist.Lanes = m.hist.Lanes[:0]
	longest := 0
	for n, i := range lanes {
		if i < 0 {
			continue
		}
		v := &f.Snap.Lanes[i]
		trail := v.TrailX
		if k == 1 {
			trail = v.TrailY
		}
		longest = max(longest, len(trail))
		CountDensity(m.bins[n][:], trail, m.hist.Lo, m.hist.Hi)
		m.hist.Lanes = append(m.hist.Lanes, chart.LaneHist(f.Theme, int(f.LaneStyle(v).Line), m.bins[n][:]))
		m.keys[n] = chart.Series{Name: pane.Letter(v.ID), Style: f.LaneStyle(v).Style, Glyph: f.LaneStyle(v).Glyph}
	}
	name := pane.ShortName(&f.Theme, f.Lanes()[0].Names[k])
	title := name
	switch {
	case longest == 1:
		title += ", last draw"
	case longest > 1:
		title += ", last " + plane.Count(uint64(longest)) + " draws"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, m.keys[:len(m.hist.Lanes)])
	m.hist.Draw(in, f.Theme)
	at := m.hist.Place()
	if !at.OK {
		return
	}
	f.SetPlot(id, pane.Plot{Rect: at.Plot, AxisX: axis, X: shown, AllX: all})
	if m.hist.Crossed {
		m.tell(g, in, f, k, lanes)
	}
}

// tell tells how many of the newest draws are in the bin under the cross.
func (m *MarginalPane) tell(g, in plane.Region, f *pane.Frame, k int, lanes [2]int) {
	lo, hi, x := m.hist.Lo, m.hist.Hi, m.hist.Cross
	if !(x >= lo && x <= hi) {
		return
	}
	width := (hi - lo) / marginalBins
	bin := min(int((x-lo)/width), marginalBins-1)
	var found [2]pane.BinValue
	n := 0
	for _, i := range lanes {
		if i < 0 {
			continue
		}
		v := &f.Snap.Lanes[i]
		trail := v.TrailX
		if k == 1 {
			trail = v.TrailY
		}
		b := pane.BinValue{Key: m.keys[n], Lo: lo + float64(bin)*width, Hi: lo + float64(bin+1)*width}
		for _, t := range trail {
			if s := (t - lo) / width; s >= float64(bin) && s < float64(bin+1) {
				b.Count++
			}
		}
		found[n] = b
		n++
	}
	pane.TellBins(g, in, f, m.hist.Place(), x, found[:n])
}

// CountDensity counts a trail into equal bins from lo to hi as a density; draws
// beyond them count in its total but have no bin.
func CountDensity(bins []float64, trail []float64, lo, hi float64) {
	clear(bins)
	if len(trail) == 0 || !(hi > lo) {
		return
	}
	n := float64(len(bins))
	scale := n / (hi - lo)
	for _, x := range trail {
		if t := (x - lo) * scale; t >= 0 && t < n {
			bins[int(t)]++
		}
	}
	for i := range bins {
		bins[i] *= scale / float64(len(trail))
	}
}
