package panel

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// letterWidth is the width of a lane's letter and of the blank after it.
const letterWidth = 2

// name is a lane's title with its letter, "A pSGLD", and where several lanes have
// the same sampler with that in which they differ, "A pSGLD, ε 0.1".
func (f *Frame) name(v *engine.LaneView) string { return letter(v.ID) + " " + f.title(v) }

// title is a lane's title with the parameters in which the lane differs from others
// of its sampler.
func (f *Frame) title(v *engine.LaneView) string {
	title := v.Title
	differ := false
	for i := range f.lanes() {
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
	for _, p := range f.paramsOf(v) {
		x, ok := v.Setting.Values[p.Key]
		if !ok || !f.differs(p.Key, v.Setting.Sampler) {
			continue
		}
		digits := 0
		for i := range f.lanes() {
			o := &f.Snap.Lanes[i].Setting
			if y, ok := o.Values[p.Key]; ok && o.Sampler == v.Setting.Sampler {
				digits = max(digits, digitsApart(p, x, y, stripDigits))
			}
		}
		title += ", " + symbolOf(&f.Theme, &p) + " " + paramText(p, x, digits)
	}
	return title
}

// differs reports whether lanes that have a parameter have different values of it:
// lanes of one sampler, or of any if its name is empty.
func (f *Frame) differs(key, of string) bool {
	first, found := 0.0, false
	for i := range f.lanes() {
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

// letter is how a lane is called, A to D.
func letter(id int) string {
	i := slot(id)
	return "ABCD"[i : i+1]
}

// widestTitle is the width of the widest of the lanes' titles.
func (f *Frame) widestTitle() int {
	most := 0
	for i := range f.lanes() {
		most = max(most, plane.Width(f.title(&f.Snap.Lanes[i])))
	}
	return most
}
