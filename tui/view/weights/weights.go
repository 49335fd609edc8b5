// Package weights draws the view of the parameters of each layer.
package weights

import (
	"cmp"
	"math"
	"strconv"

	"github.com/charmbracelet/x/ansi"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// New returns view 4: for each layer a histogram of its parameters with the density of the prior, and beside it a
// histogram of log₁₀ of the preconditioner G. Two lanes are laid over each other.
func New() pane.View {
	return pane.View{
		Name: "Weights", Panes: panes, Around: around, Lacks: lacks,
		Empty: func(*pane.Frame) string { return "waiting for the weights" },
	}
}

// The measures of the view.
const (
	layerRows   = 7   // the least height of a layer
	wideLayers  = 150 // the least width of two columns of layers
	leastCoords = 16  // the least number of parameters for a histogram
)

// lacks is what the view misses in a target, empty where it shows its parameters.
func lacks(p *targets.Problem) string {
	if p.HasData() && p.Dim() >= leastCoords {
		return ""
	}
	return "takes a target with data and " + strconv.Itoa(leastCoords) + " parameters or more, such as mlp"
}

func panes(f *pane.Frame, w, h int) (all []pane.Pane) {
	order := layers(f)
	rows, cols, size := grid(w, h, len(order))
	first := pane.FirstOf(f.Layer, 0, size, len(order))
	for k, layer := range order[first:min(first+size, len(order))] {
		// Down the first column, then the second.
		at := pane.Stack(pane.Beside(plane.Rect{W: w, H: h}, cols)[k/rows], rows)[k%rows]
		left, right := at.CutLeft((at.W + 1) / 2)
		all = append(all, thetaPane(layer).In(left), gainPane(layer).In(right))
	}
	return all
}

// PageSize is how many of how many layers the view shows at once in so many cells.
func PageSize(w, h int, f *pane.Frame) (size, of int) {
	of = len(layers(f))
	_, _, size = grid(w, h-1, of)
	return size, of
}

// grid is how many of n layers fit, and in how many rows and columns.
func grid(w, h, n int) (rows, cols, shown int) {
	cols = 1
	if w >= wideLayers && n > 1 {
		cols = 2
	}
	shown = min(n, max(h/layerRows, 1)*cols)
	return (shown + cols - 1) / cols, cols, shown
}

// layers are the places of the layers in LaneView.Weights in the view's order: matrices, then biases.
func layers(f *pane.Frame) (order []int) {
	n := pane.Most(f, func(v *engine.LaneView) int { return len(v.Weights) })
	var of []targets.Layer
	if p := f.Problem(); p != nil && (p.F64 != nil || p.F32 != nil) {
		if t, ok := p.Impl().(targets.Layered); ok {
			of = t.Layers()
		}
	}
	for _, matrix := range [...]bool{true, false} {
		for i := range n {
			if (i >= len(of) || of[i].Rows > 1) == matrix {
				order = append(order, i)
			}
		}
	}
	return order
}

// around draws the headline.
func around(g plane.Region, f *pane.Frame, alone bool) plane.Region {
	n := len(layers(f))
	if alone || n == 0 {
		return g
	}
	head, rest := g.Bounds().CutTop(1)
	th := &f.Theme
	var l pane.Line
	l.Add(1, "", th.Dim, th.Dim, "θ of each layer, and its G")
	if sd := priorSD(f); sd > 0 {
		l.Add(2, "prior", th.Dim, th.Truth, "N(0, "+plane.Number(sd*sd, 6)+")")
	}
	if n := len(f.Lanes()); n > 2 {
		two := pane.ShownLanes(f)
		l.Add(0, "", th.Dim, th.Text,
			pane.Letter(f.Lanes()[two[0]].ID)+" and "+pane.Letter(f.Lanes()[two[1]].ID)+" of "+strconv.Itoa(n)+" lanes")
	}
	if size, of := PageSize(g.W(), g.H(), f); size < of {
		first := pane.FirstOf(f.Layer, 0, size, of)
		l.Add(0, "layers", th.Dim, th.Text,
			strconv.Itoa(first+1)+"–"+strconv.Itoa(min(first+size, of))+" of "+strconv.Itoa(of))
		l.Add(0, f.KeyOf("next page"), th.Key, th.Dim, "more")
	}
	l.Draw(g.Sub(head.Pad(0, 0, 0, 1)), 3)
	return g.Sub(rest)
}

// priorSD is the focused lane's prior standard deviation σ; 0 without a prior.
func priorSD(f *pane.Frame) float64 {
	v := f.Focused()
	if v == nil || !f.HasData() {
		return 0
	}
	if x, ok := v.Setting.Values[sampler.KeyPriorVar]; ok && x > 0 && !math.IsInf(x, 0) {
		return math.Sqrt(x)
	}
	return 0
}

// pairOf are a layer's views in the two shown lanes, nil where a lane has none.
func pairOf(f *pane.Frame, layer int) (pair [2]*engine.LayerView, name string) {
	for n, i := range pane.ShownLanes(f) {
		if layer < len(f.Lanes()[i].Weights) {
			pair[n] = &f.Lanes()[i].Weights[layer]
			name = cmp.Or(name, ansi.Truncate(pair[n].Name, 40, ""))
		}
	}
	return pair, name
}

func layerName(layer int) string { return "layer " + strconv.Itoa(layer+1) }

// paged is a pane on which the wheel turns to another page, beside its chart.
func paged(name string, draw func(g plane.Region, f *pane.Frame)) pane.Pane {
	return pane.Of(name, func(g plane.Region, f *pane.Frame) {
		g.Zone(plane.Zone{ID: "page:" + name, Click: plane.Call(pane.DoFocus, name), Wheel: plane.Call(pane.DoPage)})
		draw(g, f)
	})
}

// thetaPane is the histogram of a layer's weights.
func thetaPane(layer int) pane.Pane {
	return paged(layerName(layer), func(g plane.Region, f *pane.Frame) {
		pair, name := pairOf(f, layer)
		h := histogram{axis: pane.ThetaAxis, layers: pair,
			bins: func(v *engine.LayerView) *engine.Bins { return &v.Theta }}
		if sd := priorSD(f); sd > 0 {
			h.truth = distuv.Normal{Sigma: sd}.Prob
		}
		h.title, h.keys = titleOf(f, g.W(), name, pair)
		h.draw(g, f)
	})
}

// gainPane is the histogram of log₁₀ of a layer's preconditioner.
func gainPane(layer int) pane.Pane {
	return paged(layerName(layer)+": G", func(g plane.Region, f *pane.Frame) {
		pair, name := pairOf(f, layer)
		h := histogram{
			axis: pane.GainAxis, layers: pair, bins: func(v *engine.LayerView) *engine.Bins { return &v.Gain },
			title: "log₁₀ G, " + name, none: "G = 1: no preconditioner",
		}
		switch {
		case f.Focused().Step == 0:
			h.none = "no step yet"
		case f.Focused().Kind == sampler.Variational:
			h.none = "no preconditioner"
		}
		h.draw(g, f)
	})
}

// titleOf is the title of a pane of w columns, with the layer's name and size, and the legend of two lanes: their
// standard deviations. If there is no room the size is left out, then the standard deviations. One lane has no legend.
func titleOf(f *pane.Frame, w int, name string, pair [2]*engine.LayerView) (title string, keys [2]string) {
	first := cmp.Or(pair[0], pair[1])
	if first == nil {
		return name, keys
	}
	sized := name + ", " + plane.Count(uint64(max(first.N, 0)))
	if len(f.Lanes()) < 2 {
		return sized + ", sd " + plane.Number(first.SD, sdWidth), keys
	}
	used := 0
	for n, v := range pair {
		if v == nil {
			continue
		}
		keys[n] = pane.Letter(f.Lanes()[pane.ShownLanes(f)[n]].ID) + " " + plane.Number(v.SD, sdWidth)
		used += pane.LegendRoom(f, keys[n])
	}
	const sd = ", sd"
	for _, title := range [...]string{sized + sd, name + sd} {
		if pane.TitleRoom+plane.Width(title)+used <= w {
			return title, keys
		}
	}
	return sized, [2]string{}
}

// sdWidth is the width of a standard deviation.
const sdWidth = 6
