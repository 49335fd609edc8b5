package panel

import (
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Predictions is view 5: what the lanes say of single test images, those on
// which they are furthest apart first. For rows without a picture it shows how
// far the probabilities can be trusted, and for a density its marginals.
type Predictions struct {
	card      predictionCard
	image     shownImage
	bar       shiftBar
	charts    shiftCharts
	reliable  reliability
	dens      density
	draws     drawsWindow
	marginals [2]marginalPane
}

// NewPredictions returns the view.
func NewPredictions() View { return &Predictions{} }

// Name is "Predictions".
func (v *Predictions) Name() string { return "Predictions" }

// Draw draws the view.
func (v *Predictions) Draw(g plane.Region, f Frame) { v.draw(g, &f) }

func (v *Predictions) draw(g plane.Region, f *Frame) {
	if emptyView(g, f) {
		return
	}
	if !f.hasData() {
		v.density(g, f)
		return
	}
	if f.pictures() == nil {
		v.reliable.draw(g, f)
		return
	}
	v.images(g, f)
}

// pictures is the target's test images, nil if it has none.
func (f *Frame) pictures() targets.Pictures {
	if !f.hasData() {
		return nil
	}
	t, _ := f.problem().Impl().(targets.Pictures)
	return t
}

// images draws a page of cards below a line about all of them.
func (v *Predictions) images(g plane.Region, f *Frame) {
	th := &f.Theme
	all := f.Snap.Predictions
	if len(all) == 0 {
		g.TextCenter(g.H()/2, f.empty("no prediction yet"), th.Dim)
		return
	}
	at := arrangeImages(g.Bounds(), f)
	if f.alone() { // the bar stands where it is seen
		at.bar = plane.Rect{}
	}
	cols, rows := gridOf(at.cards.W, at.cards.H, f)
	if f.oneImage() {
		cols, rows = 1, 1
	}
	page := cols * rows
	first := f.firstImage(page)
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

// steer draws the row by which images are shifted.
func (v *Predictions) steer(g plane.Region, f *Frame) plane.Region {
	bar, rest := g.Sub(shiftRow(g.Bounds(), f)), g
	if !bar.Empty() && len(f.Snap.Predictions) > 0 {
		v.bar.draw(bar, f)
		rest = g.Sub(plane.Rect{W: g.W(), H: g.H() - 1})
	}
	return rest
}

// imagePane begins the names of the panes of images, which go on with their
// place on the page, from 1.
const imagePane = "image "

// oneImage reports whether one image has the whole view. It is then the first of
// a page of one.
func (f *Frame) oneImage() bool {
	image := strings.HasPrefix(f.Pane, imagePane)
	return f.Projector || f.Full && image || f.one && (image || f.Pane == "")
}

// ImageAt is the place on the page of the image of a pane, and whether it is one.
func ImageAt(pane string) (int, bool) {
	n, ok := strings.CutPrefix(pane, imagePane)
	k, err := strconv.Atoi(n)
	return k - 1, ok && err == nil
}

// firstImage is the first image of the page that the frame asks for.
func (f *Frame) firstImage(page int) int {
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
func gridOf(w, h int, f *Frame) (cols, rows int) {
	rows = max(h/cardRows, 1)
	picture := 0
	if t := f.pictures(); t != nil {
		rows, cols, _ := t.PictureSize()
		picture, _ = chart.PictureSize(w, leastPicture, rows, cols)
	}
	one := 2 + picture + 1 + classWidth + max(len(f.lanes()), 1)*(bestBars+1)
	return max(w/one, 1), rows
}

// PageSize is how many single predictions the view has in so many cells, 0 where there
// are none.
func (v *Predictions) PageSize(w, h int, f *Frame) int {
	if !f.hasData() || len(f.lanes()) == 0 || len(f.Snap.Predictions) == 0 {
		return 0
	}
	if f.pictures() == nil {
		return v.reliable.page(plane.Rect{W: w, H: h}, f)
	}
	if f.one = tooSmall(w, h); f.oneImage() {
		return 1
	}
	cards := arrangeImages(plane.Rect{W: w, H: h}, f).cards
	cols, rows := gridOf(cards.W, cards.H, f)
	return cols * rows
}

// headline says which of how many images are shown, by what order, and how often
// each lane is right on them.
func (v *Predictions) headline(g plane.Region, f *Frame, first, end int) {
	th := &f.Theme
	all := f.Snap.Predictions
	var l line
	p := l.add(0, "", th.Dim, th.Text)
	if end > first+1 {
		p.text = plane.Count(uint64(first)+1) + "–" + plane.Count(uint64(end))
	} else {
		p.text = plane.Count(uint64(first) + 1)
	}
	p.text += " of " + plane.Count(uint64(len(all)))
	if !f.predicted() {
		l.add(1, "", th.Dim, th.Warn).text = f.empty(f.noDraw())
		if f.Snap.Phase == engine.Paused {
			l.add(2, keyOf(keymap.Pause), th.Key, th.Dim).text = "draws"
		}
		l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
		return
	}
	order := "the least certain first"
	for i := range all {
		if all[i].Disagreement > 0 {
			order = "★ where lanes disagree most first"
			break
		}
	}
	if f.shifting() != nil {
		order = "in the order of the images as they are"
	}
	l.add(3, "", th.Dim, th.Dim).text = order
	if f.shifting() != nil {
		l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
		return
	}
	for i := range f.lanes() {
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
			look := f.look(&f.Snap.Lanes[i])
			l.add(1, letter(f.Snap.Lanes[i].ID), look.Style, th.Text, "right on "+plane.Count(uint64(right)))
		}
	}
	l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
}

// predicted reports whether any lane has a draw to predict by.
func (f *Frame) predicted() bool {
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
func (f *Frame) noDraw() string {
	if v := f.lane(); v != nil && v.Previous != nil {
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
func (v *Predictions) density(g plane.Region, f *Frame) {
	v.dens.of(f.problem())
	head, rest := g.Bounds().CutTop(1)
	g.Sub(head).TextFit(1, 0, g.W()-1, f.Theme,
		"Nothing is predicted here: these are the draws' marginals against the truth.", f.Theme.Dim)
	n := 2
	if p := f.problem(); p == nil || p.F64 == nil && p.F32 == nil || p.Dim() < 2 {
		n = 1
	}
	var at [2]plane.Rect
	if rest.W >= wideStage || rest.H < 2*chartRows {
		beside(at[:n], rest)
	} else {
		stack(at[:n], rest)
	}
	for k := range n {
		v.marginals[k].draw(g.Sub(at[k]), f, &v.dens, &v.draws, k)
	}
}
