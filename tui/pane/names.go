package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// LetterWidth is the width of a lane's letter and a blank.
const LetterWidth = 2

// LaneName is a lane's letter and title: "A pSGLD", or "A pSGLD, ε 0.1" if another lane
// has the same sampler with another ε.
func (f *Frame) LaneName(v *engine.LaneView) string { return Letter(v.ID) + " " + f.LaneTitle(v) }

// LaneTitle is a lane's title with the parameters that differ from those of other lanes
// with its sampler.
func (f *Frame) LaneTitle(v *engine.LaneView) string {
	title := v.Title
	differ := false
	for _, o := range f.EachLane() {
		if o.Setting.Sampler != v.Setting.Sampler {
			continue
		}
		for key, x := range v.Setting.Values {
			differ = differ || o.Setting.Values[key] != x
		}
	}
	if !differ {
		return title
	}
	for _, p := range f.ParamsOf(v) {
		x, ok := v.Setting.Values[p.Key]
		if !ok || !f.Differs(p.Key, v.Setting.Sampler) {
			continue
		}
		digits := 0
		for i := range f.Lanes() {
			o := &f.Snap.Lanes[i].Setting
			if y, ok := o.Values[p.Key]; ok && o.Sampler == v.Setting.Sampler {
				digits = max(digits, DigitsApart(p, x, y, StripDigits))
			}
		}
		title += ", " + SymbolOf(&f.Theme, &p) + " " + ParamText(p, x, digits)
	}
	return title
}

// Differs reports whether lanes have different values of a parameter: lanes of one
// sampler, or of any if its name is empty.
func (f *Frame) Differs(key, of string) bool {
	first, found := 0.0, false
	for _, v := range f.EachLane() {
		set := &v.Setting
		x, ok := set.Values[key]
		switch {
		case !ok || of != "" && set.Sampler != of:
		case !found:
			first, found = x, true
		case x != first:
			return true
		}
	}
	return false
}

// Letter is the letter of the lane with an ID, A to D.
func Letter(id int) string {
	i := Slot(id)
	return "ABCD"[i : i+1]
}

// WidestTitle is the width of the widest of the lanes' titles.
func (f *Frame) WidestTitle() int {
	most := 0
	for _, v := range f.EachLane() {
		most = max(most, plane.Width(f.LaneTitle(v)))
	}
	return most
}
