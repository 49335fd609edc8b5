// Package figure draws charts of numbers into files.
package figure

// A Figure is panels side by side, as data: files and the terminal draw the same.
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
	// Contours are ellipses of a Gaussian target, behind the series.
	Contours []Ellipse
}

// AxisOf is an axis of a panel.
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
	Steps  Style = "steps" // a histogram's outline: X has the bins' edges, one more than Y, or else their middles
)

// A Series is a named run of points. Colours and marks go by Name, so that a
// sampler looks the same in every figure.
type Series struct {
	Name  string
	Style Style
	X, Y  []float64
	Err   []float64 // standard errors of Y; nil for none
	Paper bool      // the paper's numbers, or a theoretical line: drawn dashed
}

// An Ellipse is the set {μ + r Σ^½ u : |u| = 1}.
type Ellipse struct {
	Mean [2]float64
	Cov  [3]float64 // var x, cov, var y
	R    float64
}
