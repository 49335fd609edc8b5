// Package predictions draws the view of predictions of single test rows.
package predictions

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// Name is the view's name.
const Name = "Predictions"

// New returns view 5: the lanes' predictions of single test images, the ones with the largest disagreement first. For
// rows without a picture it shows the calibration. It is of targets with data.
func New() pane.View {
	return pane.View{
		Name: Name, Panes: panes, Around: around, Lacks: pane.NeedsPredictions,
		Empty: func(f *pane.Frame) string { return f.Reason("no prediction yet") },
	}
}

func panes(f *pane.Frame, w, h int) []pane.Pane {
	at := plane.Rect{W: w, H: h}
	switch {
	case !f.Predicts():
		return nil
	case pictures(f) == nil:
		return []pane.Pane{shared.Calibration().In(at)}
	case len(f.Snap.Predictions) == 0:
		return nil
	}
	return images(f, at)
}

// around draws the headline, and the row of the shift, which stays when one pane is alone.
func around(g plane.Region, f *pane.Frame, alone bool) plane.Region {
	if pictures(f) == nil || len(f.Snap.Predictions) == 0 {
		return g
	}
	at := inView(g.Bounds(), f)
	drawShiftBar(g.Sub(at.bar), f)
	if alone {
		at.images.H += at.images.Y
		at.images.Y = 0
		return g.Sub(at.images)
	}
	headline(g.Sub(at.head), f, pageOf(f, cardsOf(f, at.images)))
	return g.Sub(at.images)
}

// pictures is the target's test images, nil if it has none.
func pictures(f *pane.Frame) targets.Pictures {
	if !f.Predicts() {
		return nil
	}
	t, _ := f.Problem().Impl().(targets.Pictures)
	return t
}

// images are a page of cards, and the charts of a shift beside them.
func images(f *pane.Frame, at plane.Rect) (all []pane.Pane) {
	cards := cardsOf(f, at)
	page := pageOf(f, cards)
	for k := range min(page.cols*page.rows, len(f.Snap.Predictions)-page.first) {
		all = append(all, card(page.first+k, k).In(page.at(k)))
	}
	if charts := (plane.Rect{X: cards.W, W: at.W - cards.W, H: at.H}); charts.W > 0 {
		for i, place := range pane.Stack(charts, min(max(charts.H/chartShift, 1), len(shiftCurves))) {
			all = append(all, pane.Of(shiftCurves[i].title, shiftCurves[i].draw).In(place))
		}
	}
	return all
}

// oneImage reports whether one image has the whole view, as a page of one.
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

// The measures of a card, in cells.
const (
	cardRows  = 13 // the least height: border, head and ten classes
	leastBars = 8  // the least width of a lane's bars
	bestBars  = 14 // the width at which another card is better than wider bars
	// The rows of an image on a page of many cards, and the most that it has.
	leastPicture, highestPicture = 11, 16
)

// A page is the cards that are shown at once.
type page struct {
	all        plane.Rect
	cols, rows int
	first      int // the place of the first among the predictions
}

// at is where the k-th card of the page goes.
func (p page) at(k int) plane.Rect {
	return pane.Beside(pane.Stack(p.all, p.rows)[k/p.cols], p.cols)[k%p.cols]
}

// pageOf is the page that the frame asks for in a part of the view.
func pageOf(f *pane.Frame, at plane.Rect) page {
	p := page{all: at, cols: 1, rows: 1}
	if !oneImage(f) {
		rows, cols, _ := pictures(f).PictureSize()
		picture, _ := chart.PictureSize(at.W, leastPicture, rows, cols)
		one := 2 + picture + 1 + classWidth + max(len(f.Lanes()), 1)*(bestBars+1)
		p.cols, p.rows = max(at.W/one, 1), max(at.H/cardRows, 1)
	}
	p.first = pane.FirstOf(f.Image, 0, p.cols*p.rows, len(f.Snap.Predictions))
	return p
}

// PageSize is how many single predictions the view has in so many cells, 0 where there are none.
func PageSize(w, h int, f *pane.Frame) int {
	if w < 1 || h < 1 || pictures(f) == nil || len(f.Lanes()) == 0 || len(f.Snap.Predictions) == 0 {
		return 0
	}
	f.One = pane.TooSmall(w, h)
	p := pageOf(f, cardsOf(f, inView(plane.Rect{W: w, H: h}, f).images))
	return p.cols * p.rows
}

// headline says which images are shown, in which order, and on how many each lane is right.
func headline(g plane.Region, f *pane.Frame, p page) {
	th := &f.Theme
	all := f.Snap.Predictions
	var l pane.Line
	shown := plane.Count(uint64(p.first) + 1)
	if end := min(p.first+p.cols*p.rows, len(all)); end > p.first+1 {
		shown += "–" + plane.Count(uint64(end))
	}
	l.Add(0, "", th.Dim, th.Text, shown+" of "+plane.Count(uint64(len(all))))
	switch {
	case !predicted(f):
		l.Add(1, "", th.Dim, th.Warn, f.Reason(noDraw(f)))
		if f.Snap.Phase == state.Paused {
			l.Add(2, f.KeyOf("pause"), th.Key, th.Dim, "draws")
		}
	case shifting(f) != nil:
		l.Add(3, "", th.Dim, th.Dim, "in the order of the unshifted images")
	default:
		order := "the least certain first"
		if slices.ContainsFunc(all, func(p predict.Prediction) bool { return p.Disagreement > 0 }) {
			order = "★ first where the lanes disagree most"
		}
		l.Add(3, "", th.Dim, th.Dim, order)
		for i, v := range f.EachLane() {
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
				l.Add(1, pane.Letter(v.ID), f.LaneStyle(v).Style, th.Text, "right on "+plane.Count(uint64(right)))
			}
		}
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// predicted reports whether any lane has a draw to predict by.
func predicted(f *pane.Frame) bool {
	return slices.ContainsFunc(f.Snap.Predictions, func(p predict.Prediction) bool { return classCount(&p) > 0 })
}

// noDraw is the reason why no lane has a prediction.
func noDraw(f *pane.Frame) string {
	if v := f.Focused(); v != nil && v.Previous != nil {
		return "no prediction: no draw since the last change"
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
