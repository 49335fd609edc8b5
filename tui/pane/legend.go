package pane

import (
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// TitleEdge is the columns of an edge that a title cannot have: the ends of the edge
// and the glyphs of a legend with the blanks after them.
func TitleEdge(series []chart.Series) int {
	return 7 + 2*list.Count(series, func(s chart.Series) bool { return s.Name != "" })
}

// InLog ends the titles of charts with a log axis.
const InLog = " (log)"

// BesideLegend shortens a title to leave room for a legend: it drops the kind of the
// axis, then the part after a colon. A title that stays too long is left whole.
func BesideLegend(title string, room int) string {
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
// title. A region too low for a box has none.
func Legend(g plane.Region, f *Frame, title string, series []chart.Series) {
	if g.H() < 2 {
		return
	}
	used := plane.Width(plane.FitTitle(g.Spell(title), g.W()-4)) + TitleRoom - 2
	chart.Legend(g.Row(0).Sub(plane.Rect{X: used, W: g.W() - used - 1, H: 1}), f.Theme, series)
}

// TitleRoom is the columns of an edge beside its title and legend.
const TitleRoom = 6

// LegendRoom is the columns of a name in a legend.
func LegendRoom(f *Frame, name string) int {
	n := plane.Width(name) + 4
	if f.Theme.Thick {
		n += 2
	}
	return n
}
