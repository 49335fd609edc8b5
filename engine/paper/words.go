package paper

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// SeriesOver is a sampler's series of means over seeds with their standard errors. Places
// without a number are left out.
func SeriesOver(name, sampler string, style figure.Style, x []float64, y []claim.OverSeeds) figure.Series {
	s := figure.Series{Name: name, Of: sampler, Style: style}
	for i, v := range y {
		if v.OK() && !math.IsNaN(x[i]) {
			s.X, s.Y, s.Err = append(s.X, x[i]), append(s.Y, v.Mean), append(s.Err, v.SE)
		}
	}
	return s
}

// StandsIn is the finding that another target was sampled for want of data; "" where it is
// the wanted one.
func StandsIn(spec, wanted string) string {
	if spec == wanted {
		return ""
	}
	return fmt.Sprintf("The data of %s were not found: these are numbers of %s in their place, which the paper's are not to be compared with.", wanted, spec)
}

// InPlace is what a figure's title says of such a target.
func InPlace(spec, wanted string) string {
	if spec == wanted {
		return ""
	}
	return ", with " + spec + " in the data's place"
}

// AsStep names the sessions that take the text's ε as h and keep its T = 1.
const AsStep = "ε as h"
