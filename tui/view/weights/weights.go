// Package weights draws the view of the parameters of each layer.
package weights

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// View is view 4: the parameters of each layer as a histogram, against the
// density of the prior, and beside it log₁₀ of the preconditioner G, which is
// what the sampler takes for the geometry. Two lanes are laid over each other.
type View struct {
	layers []layerPane
	order  []int // places in LaneView.Weights, as they are shown
	made   orderOf
	coords coordTable
}

// orderOf is what the order of the layers was made for.
type orderOf struct {
	problem *targets.Problem
	n       int
}

// New returns the view.
func New() pane.View { return &View{} }

// Name is "Weights".
func (v *View) Name() string { return "Weights" }

// Draw draws the view.
func (v *View) Draw(g plane.Region, f pane.Frame) { v.draw(g, &f) }

// The measures of the view.
const (
	layerRows  = 7   // the least height of a layer
	wideLayers = 150 // from here on layers stand in two columns
	// fewCoords is the number of parameters below which there is a table in the
	// place of a histogram.
	fewCoords = 16
)

func (v *View) draw(g plane.Region, f *pane.Frame) {
	if pane.EmptyView(g, f) {
		return
	}
	if p := f.Problem(); p != nil && (p.F64 != nil || p.F32 != nil) && p.Dim() < fewCoords {
		v.coords.draw(g, f)
		return
	}
	n := 0
	for i := range f.Lanes() {
		n = max(n, len(f.Lanes()[i].Weights))
	}
	if n == 0 {
		g.TextCenter(g.H()/2, "waiting for the weights", f.Theme.Dim)
		return
	}
	v.sort(f, n)
	head, rest := g.Bounds().CutTop(1)
	cols := 1
	if g.W() >= wideLayers && n > 1 {
		cols = 2
	}
	rows := max(rest.H/layerRows, 1)
	shown := min(n, rows*cols)
	rows = (shown + cols - 1) / cols
	v.head(g.Sub(head), f, n-shown)
	for len(v.layers) < shown {
		v.layers = append(v.layers, layerPane{})
	}
	for k := range shown {
		// Down the first column, then the second.
		c, r := k/rows, k%rows
		x0, x1 := rest.W*c/cols, rest.W*(c+1)/cols
		y0, y1 := rest.H*r/rows, rest.H*(r+1)/rows
		v.layers[k].draw(g.Sub(plane.Rect{X: x0, Y: rest.Y + y0, W: x1 - x0, H: y1 - y0}), f, v.order[k])
	}
}

// sort puts the layers in the order in which they are shown: matrices first,
// then biases.
func (v *View) sort(f *pane.Frame, n int) {
	of := orderOf{f.Problem(), n}
	if v.made == of {
		return
	}
	v.made, v.order = of, v.order[:0]
	var layers []targets.Layer
	if p := of.problem; p != nil && (p.F64 != nil || p.F32 != nil) {
		if t, ok := p.Impl().(targets.Layered); ok {
			layers = t.Layers()
		}
	}
	matrix := func(i int) bool { return i >= len(layers) || layers[i].Rows > 1 }
	for _, want := range [...]bool{true, false} {
		for i := range n {
			if matrix(i) == want {
				v.order = append(v.order, i)
			}
		}
	}
}

// head is the line that says what is shown.
func (v *View) head(g plane.Region, f *pane.Frame, more int) {
	th := &f.Theme
	var l pane.Line
	l.Add(1, "", th.Dim, th.Dim).Text = "θ of each layer, and its G"
	if sd := priorSD(f); sd > 0 {
		l.Add(2, "prior", th.Dim, th.Truth, "N(0, "+plane.Number(sd*sd, 6)+")")
	}
	if n := len(f.Lanes()); n > 2 {
		two := pane.ShownLanes(f)
		l.Add(0, "", th.Dim, th.Text, pane.Letter(f.Lanes()[two[0]].ID)+" and "+pane.Letter(f.Lanes()[two[1]].ID)+" of "+pane.Whole(uint64(n))+" lanes")
	}
	if more > 0 {
		l.Add(0, "", th.Dim, th.Warn, "and "+plane.Count(uint64(more))+" more")
	}
	l.Draw(g.Sub(g.Bounds().Pad(0, 0, 0, 1)), 3)
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

// layerPane is one layer's pair of histograms.
type layerPane struct {
	theta, gain binsPane
	names       [2]string // of the two panes
	made        int       // the layer of the names
	prior       normal
	density     func(float64) float64 // prior.at, made once
}

// normal is the density of N(0, sd²).
type normal struct{ sd float64 }

func (n *normal) at(x float64) float64 {
	z := x / n.sd
	return math.Exp(-z*z/2) / (n.sd * math.Sqrt(2*math.Pi))
}

func (p *layerPane) draw(g plane.Region, f *pane.Frame, k int) {
	if p.density == nil {
		p.density = p.prior.at
	}
	if p.names[0] == "" || p.made != k {
		layer := "layer " + strconv.Itoa(k+1)
		p.names, p.made = [2]string{layer, layer + ": G"}, k
	}
	var pair [2]*engine.LayerView
	for n, i := range pane.ShownLanes(f) {
		if i >= 0 && k < len(f.Lanes()[i].Weights) {
			pair[n] = &f.Lanes()[i].Weights[k]
		}
	}
	first := pair[0]
	if first == nil {
		first = pair[1]
	}
	if first == nil {
		return
	}
	left, right := g.Bounds().CutLeft((g.W() + 1) / 2)
	p.theta.hist.Truth = nil
	if p.prior.sd = priorSD(f); p.prior.sd > 0 {
		p.theta.hist.Truth = p.density
	}
	title, keys := p.titleOf(f, left.W, first, pair)
	p.theta.draw(g.Sub(left), f, p.names[0], pane.ThetaAxis, title, "", keys, [2]*engine.Bins{thetaOf(pair[0]), thetaOf(pair[1])})
	name := "log₁₀ G, " + pane.Cut(first.Name, 40)
	none := "G = 1: no preconditioner"
	if f.Focused().Kind == sampler.Variational {
		none = "no preconditioner"
	}
	if f.Focused().Step == 0 {
		none = "no step yet"
	}
	p.gain.draw(g.Sub(right), f, p.names[1], pane.GainAxis, name, none, [2]string{}, [2]*engine.Bins{gainOf(pair[0]), gainOf(pair[1])})
}

// titleOf is the title of a pane of w columns, with the layer's name and size, and,
// for two lanes, what its legend has: the standard deviations, if there is room. The
// size goes before they do. A lane on its own has no legend.
func (p *layerPane) titleOf(f *pane.Frame, w int, first *engine.LayerView, pair [2]*engine.LayerView) (title string, keys [2]string) {
	name := pane.Cut(first.Name, 40)
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

func thetaOf(v *engine.LayerView) *engine.Bins {
	if v == nil {
		return nil
	}
	return &v.Theta
}

func gainOf(v *engine.LayerView) *engine.Bins {
	if v == nil {
		return nil
	}
	return &v.Gain
}
