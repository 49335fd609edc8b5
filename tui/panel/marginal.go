package panel

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// marginalBins is the number of bins of a marginal's histogram.
const marginalBins = 48

// marginalPane is the histogram of one watched coordinate over the newest
// draws, against the exact density where that is known.
type marginalPane struct {
	hist chart.Histogram
	bins [2][marginalBins]float64
	keys [2]chart.Series
}

func (m *marginalPane) draw(g plane.Region, f *Frame, dens *density, draws *drawsWindow, k int) {
	id, axis := [...]string{"marginal 1", "marginal 2"}[k], [...]Axis{CoordX, CoordY}[k]
	lanes := drawingLanes(f)
	if lanes[0] < 0 {
		absent(g, f, shortName(&f.Theme, f.lanes()[0].Names[k]), "no lane samples: an optimiser's path has no marginal")
		return
	}
	g, ok := f.pane(g, id, -1)
	if !ok {
		return
	}
	win := dens.frame
	m.hist.Truth = nil
	if dens.logp != nil {
		m.hist.Truth = dens.marginal(k).at
	} else {
		win = draws.of(f)
	}
	m.hist.Lo, m.hist.Hi = win.X0, win.X1
	if k == 1 {
		m.hist.Lo, m.hist.Hi = win.Y0, win.Y1
	}
	all := Range{m.hist.Lo, m.hist.Hi}
	shown := f.shown(axis, all)
	m.hist.Lo, m.hist.Hi = shown.Lo, shown.Hi
	m.hist.Cross, m.hist.Crossed = f.Cross.on(axis)
	m.hist.Axis, m.hist.Empty = true, f.empty("")
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
		countDensity(m.bins[n][:], trail, m.hist.Lo, m.hist.Hi)
		m.hist.Lanes = append(m.hist.Lanes, chart.LaneHist(f.Theme, int(f.look(v).Line), m.bins[n][:]))
		m.keys[n] = chart.Series{Name: letter(v.ID), Style: f.look(v).Style, Glyph: f.look(v).Glyph}
	}
	name := shortName(&f.Theme, f.lanes()[0].Names[k])
	title := name
	switch {
	case longest == 1:
		title += ", last draw"
	case longest > 1:
		title += ", last " + plane.Count(uint64(longest)) + " draws"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	legend(g, f, title, m.keys[:len(m.hist.Lanes)])
	m.hist.Draw(in, f.Theme)
	at := m.hist.Place()
	if !at.OK {
		return
	}
	f.plot(id, Plot{Rect: at.Plot, AxisX: axis, X: shown, AllX: all})
	if m.hist.Crossed {
		m.tell(g, in, f, k, lanes)
	}
}

// tell tells how many of the newest draws are in the bin under the cross.
func (m *marginalPane) tell(g, in plane.Region, f *Frame, k int, lanes [2]int) {
	lo, hi, x := m.hist.Lo, m.hist.Hi, m.hist.Cross
	if !(x >= lo && x <= hi) {
		return
	}
	width := (hi - lo) / marginalBins
	bin := min(int((x-lo)/width), marginalBins-1)
	var found [2]binValue
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
		b := binValue{key: m.keys[n], lo: lo + float64(bin)*width, hi: lo + float64(bin+1)*width}
		for _, t := range trail {
			if s := (t - lo) / width; s >= float64(bin) && s < float64(bin+1) {
				b.count++
			}
		}
		found[n] = b
		n++
	}
	tellBins(g, in, f, m.hist.Place(), x, found[:n])
}

// shownLanes are the two lanes of a histogram: the focused one and the first
// other; -1 for none.
func shownLanes(f *Frame) [2]int {
	at, n := f.focus(), len(f.lanes())
	switch {
	case n < 2:
		return [2]int{at, -1}
	case at == 0:
		return [2]int{0, 1}
	}
	return [2]int{0, at}
}

// drawingLanes are the two lanes of a marginal: those of shownLanes, but for
// optimisers, in whose place are the first lanes that have draws.
func drawingLanes(f *Frame) [2]int {
	shown := shownLanes(f)
	at := [2]int{-1, -1}
	n := 0
	take := func(i int) {
		if i >= 0 && n < 2 && f.Snap.Lanes[i].Kind != sampler.Optimising && at[0] != i {
			at[n] = i
			n++
		}
	}
	take(shown[0])
	take(shown[1])
	for i := range f.lanes() {
		take(i)
	}
	if at[1] >= 0 && at[1] < at[0] {
		at[0], at[1] = at[1], at[0]
	}
	return at
}
