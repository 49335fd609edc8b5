// Package predictions draws the view of what the lanes say of single test data.
package predictions

import (
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// View is view 5: what the lanes say of single test images, those on
// which they are furthest apart first. For rows without a picture it shows how
// far the probabilities can be trusted, and for a density its marginals.
type View struct {
	card      predictionCard
	image     shownImage
	bar       shiftBar
	charts    shiftCharts
	reliable  reliability
	dens      shared.Density
	draws     shared.DrawsWindow
	marginals [2]shared.MarginalPane
}

// New returns the view.
func New() pane.View { return &View{} }

// Name is "Predictions".
func (v *View) Name() string { return "Predictions" }

// Draw draws the view.
func (v *View) Draw(g plane.Region, f pane.Frame) { v.draw(g, &f) }

func (v *View) draw(g plane.Region, f *pane.Frame) {
	if pane.EmptyView(g, f) {
		return
	}
	if !f.HasData() {
		v.density(g, f)
		return
	}
	if pictures(f) == nil {
		v.reliable.draw(g, f)
		return
	}
	v.images(g, f)
}

// pictures is the target's test images, nil if it has none.
func pictures(f *pane.Frame) targets.Pictures {
	if !f.HasData() {
		return nil
	}
	t, _ := f.Problem().Impl().(targets.Pictures)
	return t
}

// images draws a page of cards below a line about all of them.
func (v *View) images(g plane.Region, f *pane.Frame) {
	th := &f.Theme
	all := f.Snap.Predictions
	if len(all) == 0 {
		g.TextCenter(g.H()/2, f.Reason("no prediction yet"), th.Dim)
		return
	}
	at := arrangeImages(g.Bounds(), f)
	if f.Alone() { // the bar stands where it is seen
		at.bar = plane.Rect{}
	}
	cols, rows := gridOf(at.cards.W, at.cards.H, f)
	if oneImage(f) {
		cols, rows = 1, 1
	}
	page := cols * rows
	first := firstImage(f, page)
	v.headline(g.Sub(at.head), f, first, min(first+page, len(all)))
	for k := range min(page, len(all)-first) {
		v.image.of(&all[first+k], f)
		v.image.chosen = f.Browse && first+k == min(max(f.Image, 0), len(all)-1)
		v.card.draw(g.Sub(cardRect(at.cards, cols, rows, k)), f, &v.image, k)
	}
	if !at.charts.Empty() {
		v.charts.draw(g.Sub(at.charts), f)
	}
	v.bar.draw(g.Sub(at.bar), f)
}

// Steer draws the row by which images are shifted.
func (v *View) Steer(g plane.Region, f *pane.Frame) plane.Region {
	bar, rest := g.Sub(shiftRow(g.Bounds(), f)), g
	if !bar.Empty() && len(f.Snap.Predictions) > 0 {
		v.bar.draw(bar, f)
		rest = g.Sub(plane.Rect{W: g.W(), H: g.H() - 1})
	}
	return rest
}

// oneImage reports whether one image has the whole view. It is then the first of
// a page of one.
func oneImage(f *pane.Frame) bool {
	image := strings.HasPrefix(f.Pane, pane.ImagePane)
	return f.Projector || f.Full && image || f.One && (image || f.Pane == "")
}

// ImageAt is the place on the page of the image of a pane, and whether it is one.
func ImageAt(name string) (int, bool) {
	n, ok := strings.CutPrefix(name, pane.ImagePane)
	k, err := strconv.Atoi(n)
	return k - 1, ok && err == nil
}

// firstImage is the first image of the page that the frame asks for.
func firstImage(f *pane.Frame, page int) int {
	n := len(f.Snap.Predictions)
	if page < 1 || n == 0 {
		return 0
	}
	last := (n - 1) / page
	return min(max(f.Image, 0)/page, last) * page
}

// The measures of a card, in cells.
const (
	cardRows  = 13 // the least height: border, head and ten classes
	leastBars = 8  // the least width of a lane's bars
	bestBars  = 14 // and the one at which more cards are worth more than more width
	// An image has these rows where many cards are to fit, and at most those.
	leastPicture, highestPicture = 11, 16
)

// gridOf is how many cards a view of w×h cells has beside and below each other.
func gridOf(w, h int, f *pane.Frame) (cols, rows int) {
	rows = max(h/cardRows, 1)
	picture := 0
	if t := pictures(f); t != nil {
		rows, cols, _ := t.PictureSize()
		picture, _ = chart.PictureSize(w, leastPicture, rows, cols)
	}
	one := 2 + picture + 1 + classWidth + max(len(f.Lanes()), 1)*(bestBars+1)
	return max(w/one, 1), rows
}

// PageSize is how many single predictions the view has in so many cells, 0 where there
// are none.
func (v *View) PageSize(w, h int, f *pane.Frame) int {
	if !f.HasData() || len(f.Lanes()) == 0 || len(f.Snap.Predictions) == 0 {
		return 0
	}
	if pictures(f) == nil {
		return v.reliable.page(plane.Rect{W: w, H: h}, f)
	}
	if f.One = pane.TooSmall(w, h); oneImage(f) {
		return 1
	}
	cards := arrangeImages(plane.Rect{W: w, H: h}, f).cards
	cols, rows := gridOf(cards.W, cards.H, f)
	return cols * rows
}

// headline says which of how many images are shown, by what order, and how often
// each lane is right on them.
func (v *View) headline(g plane.Region, f *pane.Frame, first, end int) {
	th := &f.Theme
	all := f.Snap.Predictions
	var l pane.Line
	p := l.Add(0, "", th.Dim, th.Text)
	if end > first+1 {
		p.Text = plane.Count(uint64(first)+1) + "–" + plane.Count(uint64(end))
	} else {
		p.Text = plane.Count(uint64(first) + 1)
	}
	p.Text += " of " + plane.Count(uint64(len(all)))
	if !predicted(f) {
		l.Add(1, "", th.Dim, th.Warn).Text = f.Reason(noDraw(f))
		if f.Snap.Phase == engine.Paused {
			l.Add(2, pane.KeyOf(keymap.Pause), th.Key, th.Dim).Text = "draws"
		}
		l.Draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
		return
	}
	order := "the least certain first"
	for i := range all {
		if all[i].Disagreement > 0 {
			order = "★ where lanes disagree most first"
			break
		}
	}
	if shifting(f) != nil {
		order = "in the order of the images as they are"
	}
	l.Add(3, "", th.Dim, th.Dim).Text = order
	if shifting(f) != nil {
		l.Draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
		return
	}
	for i := range f.Lanes() {
		right, known := 0, 0
		for k := range all {
			if c, ok := topClass(&all[k], i); ok {
				known++
				if c == all[k].Label {
					right++
				}
			}
		}
		if known > 0 {
			look := f.LaneStyle(&f.Snap.Lanes[i])
			l.Add(1, pane.Letter(f.Snap.Lanes[i].ID), look.Style, th.Text, "right on "+plane.Count(uint64(right)))
		}
	}
	l.Draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
}

// predicted reports whether any lane has a draw to predict by.
func predicted(f *pane.Frame) bool {
	for i := range f.Snap.Predictions {
		for k := range f.Snap.Predictions[i].Lanes {
			if len(f.Snap.Predictions[i].Lanes[k].Mean) > 0 {
				return true
			}
		}
	}
	return false
}

// noDraw says why no lane has one.
func noDraw(f *pane.Frame) string {
	if v := f.Focused(); v != nil && v.Previous != nil {
		return "no prediction: no draw since the last turn"
	}
	return "no prediction: no draw yet"
}

// topClass is the class to which lane i gives the largest probability.
func topClass(p *predict.Prediction, i int) (class int, ok bool) {
	if i >= len(p.Lanes) {
		return 0, false
	}
	best := math.Inf(-1)
	for c, q := range p.Lanes[i].Mean {
		if q > best {
			class, best, ok = c, q, true
		}
	}
	return class, ok
}

// density is the view of a target without data.
func (v *View) density(g plane.Region, f *pane.Frame) {
	v.dens.Of(f.Problem())
	head, rest := g.Bounds().CutTop(1)
	g.Sub(head).TextFit(1, 0, g.W()-1, f.Theme,
		"Nothing is predicted here: these are the draws' marginals against the truth.", f.Theme.Dim)
	n := 2
	if p := f.Problem(); p == nil || p.F64 == nil && p.F32 == nil || p.Dim() < 2 {
		n = 1
	}
	var at [2]plane.Rect
	if rest.W >= pane.WideStage || rest.H < 2*pane.ChartRows {
		pane.Beside(at[:n], rest)
	} else {
		pane.Stack(at[:n], rest)
	}
	for k := range n {
		v.marginals[k].Draw(g.Sub(at[k]), f, &v.dens, &v.draws, k)
	}
}
