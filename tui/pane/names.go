package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// LetterWidth is the width of a lane's letter and of the blank after it.
const LetterWidth = 2

// LaneName is a lane's title with its letter, "A pSGLD", and where several lanes have
// the same sampler with that in which they differ, "A pSGLD, ε 0.1".
func (f *Frame) LaneName(v *engine.LaneView) string { return Letter(v.ID) + " " + f.LaneTitle(v) }

// LaneTitle is a lane's title with the parameters in which the lane differs from others
// of its sampler.
func (f *Frame) LaneTitle(v *engine.LaneView) string {
	title := v.Title
	differ := false
	for i := range f.Lanes() {
		o := &f.Snap.Lanes[i]
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

// Differs reports whether lanes that have a parameter have different values of it:
// lanes of one sampler, or of any if its name is empty.
func (f *Frame) Differs(key, of string) bool {
	first, found := 0.0, false
	for i := range f.Lanes() {
		set := &f.Snap.Lanes[i].Setting
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

// Letter is how a lane is called, A to D.
func Letter(id int) string {
	i := Slot(id)
	return "ABCD"[i : i+1]
}

// WidestTitle is the width of the widest of the lanes' titles.
func (f *Frame) WidestTitle() int {
	most := 0
	for i := range f.Lanes() {
		most = max(most, plane.Width(f.LaneTitle(&f.Snap.Lanes[i])))
	}
	return most
}
