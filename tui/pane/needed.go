package pane

import (
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// rough writes a count that is an estimate, to two digits.
func rough(n uint64) string {
	unit := uint64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return plane.Count((n + unit - 1) / unit * unit)
}

// Footnote says in a width what the errors of the lanes' estimates are worth: which lanes are too short for any, that
// each ± is the chain's own where any are shown, and of which lanes nothing tells of the bias of the step.
func (f *Frame) Footnote(width int, errors bool) string {
	own, unknown := "", []string{}
	for _, v := range f.EachLane() {
		if errors && v.Facts.Has(quantity.Sampling) && v.Trust[quantity.Mixing] == metrics.OK {
			own = "± is the chain's own"
		}
		if v.BiasUnknown {
			unknown = append(unknown, Letter(v.ID))
		}
	}
	bias, after := "", ""
	switch n := len(unknown); {
	case n == 0:
	case n == len(f.Lanes()):
		bias = "bias not known"
	default:
		bias = "bias not known of " + strings.Join(unknown, ", ")
	}
	if bias != "" {
		after = "; " + bias
	}
	for _, s := range []string{f.TooShort(width - plane.Width(after)), own} {
		if s += after; s != after && plane.Width(s) <= width {
			return s
		}
	}
	if plane.Width(bias) > width {
		return ""
	}
	return bias
}

// TooShort says in a width which lanes are too short to be trusted, how many steps more each needs
// at least and how long these take at the present speed. It is empty if none is.
func (f *Frame) TooShort(width int) string {
	var long, brief []string
	most, count, wait := 0.0, "", ""
	for _, v := range f.EachLane() {
		if v.Trust[quantity.Chain] != metrics.TooShort {
			continue
		}
		steps, n, seconds := f.further(v)
		long = append(long, Letter(v.ID)+" needs "+n+"+ more steps"+seconds)
		brief = append(brief, Letter(v.ID)+" "+n+"+"+seconds)
		if steps > most {
			most, count, wait = steps, n+"+ more steps", seconds
		}
	}
	text := wording.Withheld(metrics.TooShort)
	if len(long) == 0 {
		return ""
	}
	for _, s := range []string{text + ": " + strings.Join(long, ", "), "more steps: " + strings.Join(brief, ", "),
		text + ": " + count + wait, count + wait, count} {
		if plane.Width(s) <= width {
			return s
		}
	}
	return text
}

// further says how many steps more a lane needs at least that is too short, and how long these take.
func (f *Frame) further(v *engine.LaneView) (steps float64, count, wait string) {
	steps, seconds := f.Snap.Further(v, v.Least())
	if seconds > 0 {
		wait = " (" + wording.Duration(seconds) + "+)"
	}
	return steps, rough(uint64(steps)), wait
}
