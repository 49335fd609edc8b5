// Package figure describes charts of numbers as data, with what every drawing of one shares.
package figure

import (
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A Figure is panels side by side.
type Figure struct {
	ID, Title string
	Columns   int // of panels
	Panels    []Panel
}

// A Panel is a chart.
type Panel struct {
	Title  string
	X, Y   Axis
	Series []Series
	// Contours are those of a Gaussian target, behind the series.
	Contours []Ellipse
}

// An Axis is one of a panel.
type Axis struct {
	Label    string
	Log      bool
	Min, Max float64 // both 0 to fit the data
}

// Style is how a series is drawn.
type Style string

// The styles.
const (
	Line   Style = "line"
	Points Style = "points"
	Both   Style = "both"  // points joined by lines
	Steps  Style = "steps" // a histogram's outline: X has the bins' edges, one more than Y
)

// A Series is a named run of points.
type Series struct {
	Name  string
	Of    string // the sampler whose colour it has in every figure, by its key; "" for none
	Like  string // the name of the series whose look it has as well; "" for none
	Style Style
	X, Y  []float64
	Err   []float64 // standard errors of Y; nil for none
	Paper bool      // the paper's numbers, or a theoretical line: drawn dashed
	// Sessions are the IDs of those that each point is of, or one list for all points; nil for none.
	Sessions [][]string
}

// SessionsOf are the IDs of the sessions that point i is of.
func (s *Series) SessionsOf(i int) []string {
	if len(s.Sessions) == 1 {
		i = 0
	}
	if i >= len(s.Sessions) {
		return nil
	}
	return s.Sessions[i]
}

// An Ellipse lies about the origin, with half-axes A along x and B along y.
type Ellipse struct{ A, B float64 }

// Clean makes a label of one line of printable characters, which XML can hold.
func Clean(s string) string { return strings.Join(strings.Fields(printable.Line(s)), " ") }
