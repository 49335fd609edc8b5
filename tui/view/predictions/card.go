package predictions

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

const (
	classWidth = 4 // the mark of the label, a blank, a digit as the class and a blank
	// laneColumn is the width from which on a lane's bars have numbers.
	laneColumn = 12
	// shortName is the cells that a class's name is cut to for a wider picture.
	shortName = 5
	anyWidth  = 1 << 10
	// uncertainties is the width of a shifted image's entropy and mutual information.
	uncertainties = 14
)

// DoChoose is the binding of a card: its image, by its place among the predictions and its pane's name.
const DoChoose = "images.choose"

// card is the pane of a prediction at a place on the page: the test image and, for each lane, a bar for the averaged
// probability of every class, with a whisker of one standard deviation over the draws to both sides.
func card(i, place int) pane.Pane {
	name := pane.ImagePane + strconv.Itoa(place+1)
	return pane.Of(name, func(g plane.Region, f *pane.Frame) {
		image := imageOf(&f.Snap.Predictions[i], f)
		image.chosen = f.Browse && i == min(max(f.Image, 0), len(f.Snap.Predictions)-1)
		g.Zone(plane.Zone{ID: name, Click: plane.Call(DoChoose, strconv.Itoa(i), name), Wheel: plane.Call(pane.DoPage)})
		drawImage(g, f, &image)
	})
}

func drawImage(g plane.Region, f *pane.Frame, image *shownImage) {
	p := &image.Prediction
	th := &f.Theme
	mark := rune(0)
	if image.chosen {
		mark = th.Glyphs.Pointer
	}
	apart := ""
	if p.Disagreement > 0 {
		apart = "lanes differ by " + plane.Fixed(p.Disagreement, 2)
		g.Term(wording.Apart)
	}
	label := className(f, p.Label, anyWidth)
	if label == strconv.Itoa(p.Label) {
		label = "label " + label
	}
	in := g.Box(f.Theme, plane.Box{
		Mark: mark, MarkStyle: th.Accent,
		Title: label + ", test image " + plane.Count(uint64(max(p.Row, 0))+1),
		Right: apart, Focused: image.chosen,
	})
	t := pictures(f)
	named := classColumn(t, shortName)
	if in.H() < 2 || in.W() < named+leastBars {
		return
	}
	rows, cols, channels := t.PictureSize()
	bars := classWidth + 1 + len(f.Lanes())*(bestBars+1)
	highest, thick := highestPicture, 1
	if f.Full || f.Projector { // seen from afar
		highest, thick = in.H(), max((in.H()-1)/max(classCount(p), 1), 1)
	}
	pw, ph := chart.PictureSize(max(in.W()-bars, in.W()/4), min(in.H(), highest), rows, cols)
	if in.W()-pw-1-named < leastBars*len(f.Lanes()) {
		pw, ph = 0, 0
	}
	if ok := p.Row >= 0 && p.Row < testRows(f); ok && pw > 0 {
		at := in.Sub(plane.Rect{Y: (in.H() - ph) / 2, W: pw, H: ph})
		pixels := image.pixels
		if pixels == nil {
			pixels = t.Picture(dataset.Test, p.Row)
		}
		chart.Picture(at, f.Theme, rows, cols, channels, pixels)
	}
	x := 0
	if pw > 0 {
		x = pw + 1
	}
	body := in.Sub(plane.Rect{X: x, W: in.W() - x, H: in.H()})
	if thick > 1 {
		body = body.Pad((in.H()-1-thick*classCount(p))/2, 0, 0, 0)
	}
	n := max(len(f.Lanes()), 1)
	least := bestBars
	if image.unsure != nil {
		least += uncertainties
	}
	if full := classColumn(t, anyWidth); (body.W()-full)/n > least {
		named = full
	}
	column := min((body.W()-named)/n, 48)
	if column < 3 {
		return
	}
	first, classes := classesShown(p, body.H()-1)
	row := func(k int) int { return 1 + k*thick } // the first of a class
	for k := range classes {
		class, y := first+k, row(k)+(thick-1)/2
		style := th.Dim
		if class == p.Label {
			style = th.Accent
			body.Set(0, y, th.Glyphs.Pointer, style)
		}
		body.TextRight(named-1, y, className(f, class, named-classWidth+1), style)
	}
	for i, v := range f.EachLane() {
		at := body.Sub(plane.Rect{X: named + i*column, W: column - 1, H: body.H()})
		laneHead(at.Row(0), f, v, image, i, min(named-classWidth+1, at.W()-6))
		if i >= len(p.Lanes) {
			continue
		}
		q := &p.Lanes[i]
		for k := range classes {
			if first+k >= len(q.Mean) {
				break
			}
			sd := math.NaN()
			if first+k < len(q.SD) {
				sd = q.SD[first+k]
			}
			probability(at.Sub(plane.Rect{Y: row(k), W: at.W(), H: max(thick-1, 1)}), f, f.LaneStyle(v).Style,
				q.Mean[first+k], sd)
		}
	}
}

// className is what a class is called, in at most w cells.
func className(f *pane.Frame, class, w int) string {
	name := strconv.Itoa(max(class, 0))
	if all := pictures(f).ClassNames(); class >= 0 && class < len(all) {
		name = all[class]
	}
	if len(name) > w {
		name = name[:max(w-1, 0)] + string(f.Theme.Glyphs.Ellipsis)
	}
	return name
}

// classColumn is the width of the label's mark, a blank, a class's name of at most so many cells, and a blank.
func classColumn(t targets.Pictures, most int) int {
	return classWidth - 1 + max(1, list.Max(t.ClassNames(), func(name string) int { return min(len(name), most) }))
}

func testRows(f *pane.Frame) int {
	t, ok := f.Problem().Impl().(interface {
		Labels(dataset.Split) []int32
	})
	if !ok {
		return 0
	}
	return len(t.Labels(dataset.Test))
}

func classCount(p *predict.Prediction) int {
	return list.Max(p.Lanes, func(l predict.LanePrediction) int { return len(l.Mean) })
}

// classesShown is the range of classes that fit: all, or those around the label.
func classesShown(p *predict.Prediction, room int) (first, n int) {
	all := classCount(p)
	n = min(all, max(room, 0))
	return min(max(p.Label-n/2, 0), all-n), n
}

// laneHead writes a lane's mark, its class in at most w cells and whether that is right.
func laneHead(g plane.Region, f *pane.Frame, v *engine.LaneView, image *shownImage, i, w int) {
	p := &image.Prediction
	th, look := &f.Theme, f.LaneStyle(v)
	var l pane.Line
	l.Add(0, "", look.Style, look.Style, string(look.Glyph), " ", pane.Letter(v.ID))
	class, ok := topClass(p, i)
	name := className(f, class, w)
	switch {
	case !ok && image.waiting:
		l.Add(1, "", th.Dim, th.Faint, string(th.Glyphs.Ellipsis))
	case !ok:
		l.Add(1, "", th.Dim, th.Faint, "no draw")
	case class == p.Label:
		l.Add(0, "", th.Good, th.Good, name+" "+string(th.Glyphs.OK))
	default:
		l.Add(0, "", th.Bad, th.Bad, name+" "+string(th.Glyphs.Fail))
	}
	unsureOf(&l, f, image.unsure, i)
	l.Draw(g, 1)
}

// probability draws a probability over the rows of g: a bar on a track of full width, in the middle row a whisker from
// mean - sd to mean + sd that leaves out the bar's last column, and a number if there is room.
func probability(g plane.Region, f *pane.Frame, s plane.Style, mean, sd float64) {
	th := &f.Theme
	bars, mid := g, (g.H()-1)/2
	if g.W() >= laneColumn {
		number := g.Sub(plane.Rect{X: g.W() - 4, Y: mid, W: 4, H: 1})
		bars = g.Sub(plane.Rect{W: g.W() - 5, H: g.H()})
		switch {
		case math.IsNaN(mean):
			number.TextRight(4, 0, "–", th.Faint)
		case mean >= 0.005:
			number.Text(0, 0, plane.Fixed(min(mean, 1), 2), th.Text)
		}
	}
	w := bars.W()
	bars.HLine(0, mid, w, th.Glyphs.Bullet, th.Faint)
	if !(mean > 0) {
		return
	}
	eighths := int(math.Round(min(mean, 1) * float64(8*w)))
	full := eighths / 8
	rest := th.Glyphs.HBlock[eighths%8]
	for y := range bars.H() {
		bars.HLine(0, y, full, th.Glyphs.HBlock[8], s)
		if full < w && rest != ' ' {
			bars.Set(full, y, rest, s)
		}
	}
	end := full // of what is seen of the bar
	if rest != ' ' && rest != th.Glyphs.Bullet {
		end++
	}
	if !(sd > 0) {
		return
	}
	lo, hi := max(mean-sd, 0)*float64(w), min(mean+sd, 1)*float64(w)
	if !(hi-lo >= 1) { // nor if either is not a number
		return
	}
	for x := int(lo + 0.5); x < w && float64(x)+0.5 < hi; x++ {
		switch {
		case x >= end:
			bars.Set(x, mid, th.Glyphs.Horizontal, th.Text)
		case x >= full: // a whisker does not take the bar's end away
		case th.NoColor || th.ASCII:
			bars.Set(x, mid, th.Glyphs.Shade[3], s)
		default:
			bars.Set(x, mid, th.Glyphs.Horizontal, theme.Style{FG: th.Ground, BG: s.FG})
		}
	}
}
