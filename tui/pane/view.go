package pane

import (
	"cmp"
	"slices"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A View is one of the numbered screens, drawn between the header and the parameter strip.
type View struct {
	// Name is the view's name, for the footer, the help and the palette.
	Name string
	// Panes lists the panes that fit w×h cells, each at its place.
	Panes func(f *Frame, w, h int) []Pane
	// Lacks is why the view has nothing to show for a target, empty where it has. It is nil for a view of all targets.
	Lacks func(p *targets.Problem) string
	// Empty is the reason why there is no pane; nil for a view that always has one.
	Empty func(f *Frame) string
	// Around draws on g whatever the view has beside its panes and returns the rest of
	// g. If alone is set one pane is shown. It is nil for a view of panes only.
	Around func(g plane.Region, f *Frame, alone bool) plane.Region
}

// Lacking is why the view has nothing to show for a target, empty where it has.
func (v View) Lacking(p *targets.Problem) string {
	if v.Lacks == nil || p == nil || p.F64 == nil && p.F32 == nil {
		return ""
	}
	return v.Lacks(p)
}

// NeedsPredictions is what a view of predictions lacks for a target that makes none.
func NeedsPredictions(p *targets.Problem) string {
	if p.Predicts() {
		return ""
	}
	return "takes a target that predicts classes, such as blr or mlp"
}

// Draw draws the view on g, or one pane over all of g: if the focused pane is full, on
// the projector, and if there is no room for two.
func (v View) Draw(g plane.Region, f *Frame) {
	if f.Panes == nil {
		f.Panes = new(Panes)
	}
	f.Panes.Reset()
	if len(f.Lanes()) == 0 {
		g.TextCenter(g.H()/2, "no lanes", f.Theme.Dim)
		return
	}
	if f.One = TooSmall(g.Size()); f.One && f.Pane == "" {
		f.Overlay = true // the stage's one pane shows all lanes
	}
	if !((f.Full || f.Projector || f.One) && v.alone(g, f)) {
		v.all(g, f)
	}
	cardOverView(f, g)
}

// all draws all panes that fit.
func (v View) all(g plane.Region, f *Frame) {
	rest := v.around(g, f, false)
	panes := v.Panes(f, rest.W(), rest.H())
	if len(panes) == 0 && v.Empty != nil {
		g.TextCenter(g.H()/2, v.Empty(f), f.Theme.Dim)
	}
	for i := range panes {
		at := rest.Sub(panes[i].At)
		f.show(&panes[i], at, at.Rect())
	}
	if p, ok := f.Panes.Find(f.Pane); ok {
		g.Place(p.Rect).Heavy(f.Theme)
	}
}

func (v View) around(g plane.Region, f *Frame, alone bool) plane.Region {
	if v.Around == nil {
		return g
	}
	return v.Around(g, f, alone)
}

// The size for which panes are listed when one is drawn alone. Every pane of a view fits it.
const allW, allH = 240, 80

// alone draws one pane over all of g: the focused pane, else the focused lane's, else the view's first. If there is
// room, the card of the newest change stands beside it. It reports whether there is such a pane.
func (v View) alone(g plane.Region, f *Frame) bool {
	name := cmp.Or(f.Pane, LanePane(f.Focused().ID))
	named := func(p Pane) bool { return p.Name == name }
	panes, here := v.Panes(f, allW, allH), v.Panes(f, min(g.W(), allW), min(g.H(), allH))
	at := slices.IndexFunc(panes, named)
	if k := slices.IndexFunc(here, named); at < 0 && k >= 0 {
		panes, at = here, k
	}
	if at < 0 {
		if f.Pane != "" && f.Full && !f.Projector || len(here) == 0 || len(panes) == 0 {
			return false
		}
		name = here[0].Name // the first is the most important
		at = max(slices.IndexFunc(panes, named), 0)
	}
	rest := v.around(g, f, true)
	card := rest.Sub(plane.Rect{})
	if cardOver(f) && f.Pane != CardPane && rest.W() >= WideStage {
		right, left := rest.Bounds().CutRight(besideWidth)
		right.H = min(cardRows(f.Focused()), right.H)
		card, rest = rest.Sub(right), rest.Sub(left)
	}
	for i := range panes {
		whole := plane.Region{}
		if i == at {
			whole = rest
		}
		f.show(&panes[i], whole, panes[i].At)
	}
	f.showCard(card)
	return true
}

// The width of the card over a view, and beside a pane that is alone.
const (
	cardWidth   = 46
	besideWidth = 38
)

// cardOver reports whether the card of the newest change is shown over the view.
func cardOver(f *Frame) bool {
	v := f.Focused()
	return f.Card && v != nil && v.Previous != nil && !f.Covered
}

// cardOverView draws the card of the newest change over the lower right of a view, if no
// pane shows it. If a curve ends there, the card stands over the start of the curve.
func cardOverView(f *Frame, g plane.Region) {
	if p, ok := f.Panes.Find(CardPane); ok && !p.Rect.Empty() || !cardOver(f) {
		return
	}
	w, h := min(cardWidth, g.W()), min(cardRows(f.Focused()), g.H())
	x, whole := g.W()-w, g.Rect()
	if p, ok := f.Panes.At(whole.X+whole.W-1, whole.Y+whole.H-2); ok {
		if p.Rect.W >= besideWidth { // the rest of the pane stays in sight
			w = min(w, p.Rect.W)
		}
		if x = g.W() - w; p.Plot.AxisX == Progress && p.Plot.Rect.W >= w {
			x = p.Plot.Rect.X - whole.X
		}
	}
	at := g.Sub(plane.Rect{X: x, Y: g.H() - h, W: w, H: h})
	at.Fill(' ', plane.Style{})
	f.showCard(at)
}

// showCard draws the card of the newest change on g, if g is not empty.
func (f *Frame) showCard(g plane.Region) {
	if !g.Empty() {
		card := CardOf()
		f.show(&card, g, g.Rect())
	}
}
