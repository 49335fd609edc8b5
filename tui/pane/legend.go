package pane

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// TitleEdge is how many columns of an edge are not for the title: its ends, and
// the marks of a legend with the blank after them.
func TitleEdge(series []chart.Series) int {
	named := 0
	for i := range series {
		if series[i].Name != "" {
			named++
		}
	}
	return 7 + 2*named
}

// InLog ends the titles of charts with a log axis.
const InLog = " (log)"

// besideLegend is a title as far as it leaves room for a legend: without the kind of
// its axis, then without what its curves are. Where nothing helps it is whole.
func besideLegend(title string, room int) string {
	brief := title
	for _, mark := range [...]string{InLog, ":"} {
		if plane.Width(brief) > room {
			brief, _, _ = strings.Cut(brief, mark)
		}
	}
	if brief = plane.FitTitle(brief, room); plane.Width(brief) > room {
		return title
	}
	return brief
}

// Legend writes the names of the series on the upper edge of a box, after its
// title.
func Legend(g plane.Region, f *Frame, title string, series []chart.Series) {
	used := plane.Width(plane.FitTitle(g.Spell(title), g.W()-4)) + TitleRoom - 1
	chart.Legend(g.Row(0).Sub(plane.Rect{X: used, W: g.W() - used - 1, H: 1}), f.Theme, series)
}

// TitleRoom is how many columns of an edge with a title and a legend neither of them
// has.
const TitleRoom = 6

// LegendRoom is how many columns a name takes in a legend.
func LegendRoom(f *Frame, name string) int {
	n := plane.Width(name) + 4
	if f.Theme.Thick {
		n += 2
	}
	return n
}
