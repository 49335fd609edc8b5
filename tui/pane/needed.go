package pane

import (
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Wait says how long a lane takes at least until its window has so many draws or more, or how
// many that are where its speed is not known.
func (f *Frame) Wait(v *engine.LaneView, draws uint64) string {
	rate := f.Snap.DrawsPerSecond(v)
	if !(rate > 0) || draws <= v.Draws {
		return Rough(draws) + "+ draws"
	}
	return wording.Duration(float64(draws-v.Draws)/rate) + "+"
}

// Rough writes a count that is an estimate, to two digits.
func Rough(n uint64) string {
	unit := uint64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return plane.Count((n + unit - 1) / unit * unit)
}

// Footnote says in a width what the errors of the lanes' estimates are worth: that lanes are too short for any, or else
// that each ± is the chain's own, and of which lanes nothing tells of the bias of the step.
func (f *Frame) Footnote(width int) string {
	if text := f.TooShort(width); text != "" {
		return text
	}
	own, unknown := false, []string{}
	for _, v := range f.EachLane() {
		if !v.Facts.Has(quantity.Sampling) || v.Trust[quantity.Mixing] != metrics.OK {
			continue
		}
		own = true
		if !v.Facts.TellBias() && !v.Values[quantity.CovBias].OK() && !v.Values[quantity.MeanError].Applies() {
			unknown = append(unknown, Letter(v.ID))
		}
	}
	text := "± is the chain's own"
	if len(unknown) > 0 {
		text += "; bias not known"
		if len(unknown) < len(f.Lanes()) {
			text += " of " + strings.Join(unknown, ", ")
		}
	}
	if !own || plane.Width(text) > width {
		return ""
	}
	return text
}

// TooShort says in a width which lanes are too short to be trusted, how many draws each needs
// at least and how long these take at the present speed. It is empty if none is.
func (f *Frame) TooShort(width int) string {
	var long, brief []string
	needed, longest := uint64(0), ""
	for _, v := range f.EachLane() {
		name := Letter(v.ID)
		switch {
		case v.Trust[quantity.Chain] != metrics.TooShort:
			continue
		case v.Needed <= v.Draws:
			long, brief = append(long, name), append(brief, name)
			continue
		}
		wait := ""
		if f.Snap.DrawsPerSecond(v) > 0 {
			wait = " (" + f.Wait(v, v.Needed) + ")"
		}
		long = append(long, name+" needs "+Rough(v.Needed)+"+ draws"+wait)
		brief = append(brief, name+" "+Rough(v.Needed)+"+"+wait)
		if v.Needed > needed {
			needed, longest = v.Needed, wait
		}
	}
	for i, name := range long {
		if name == brief[i] && needed > 0 { // beside one whose number is known
			long[i], brief[i] = name+" needs more", name+" more"
		}
	}
	if len(long) == 0 {
		return ""
	}
	text := wording.Withheld(metrics.TooShort)
	all := []string{text + ": " + strings.Join(long, ", ")}
	if needed > 0 {
		all = append(all, "draws needed: "+strings.Join(brief, ", "), Rough(needed)+"+ draws needed"+longest,
			Rough(needed)+"+ draws needed")
	}
	for _, s := range all {
		if plane.Width(s) <= width {
			return s
		}
	}
	return text
}
