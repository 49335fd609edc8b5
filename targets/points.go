package targets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tanhnet"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Datum is one that is added to the data of a Functional target: x and y of a regression, and of a classification a
// place of the plane and its class, 0 or 1. Where the data are standardised, so is the datum.
type Datum struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Class float64 `json:"class,omitempty"`
}

// MaxAdded is how many data can be added, and maxPlace bounds their numbers.
const (
	MaxAdded = 200
	maxPlace = 1000
)

const keyPoints = "points"

// Turns reports whether the target can be another while a session runs: by its Params, or by data that are added.
func (p *Problem) Turns() bool { _, ok := p.F64.(Functional); return ok || len(p.Params) > 0 }

// Plus is the problem with these data beside its own, in the place of those that were added before. It has no truth
// that was found for others. The error says what is allowed.
func (p *Problem) Plus(added []Datum) (*Problem, error) {
	if slices.Equal(added, p.Added) {
		return p, nil
	}
	f, ok := p.F64.(Functional)
	if !ok {
		return nil, fmt.Errorf("needs regress or classify, whose data can be seen, not %s", p.Spec)
	}
	if len(added) > MaxAdded {
		return nil, fmt.Errorf("must be at most %d data, got %d", MaxAdded, len(added))
	}
	var more dataset.Points
	for _, d := range added {
		switch plane := f.Inputs() == 2; {
		case !(math.Abs(d.X) <= maxPlace && math.Abs(d.Y) <= maxPlace):
			return nil, fmt.Errorf("must have x and y from %d to %d, got %v and %v", -maxPlace, maxPlace, d.X, d.Y)
		case plane && d.Class != 0 && d.Class != 1:
			return nil, fmt.Errorf("must have class 0 or 1, got %v", d.Class)
		case plane:
			more.X, more.Y = append(more.X, d.X, d.Y), append(more.Y, d.Class)
		case d.Class != 0:
			return nil, fmt.Errorf("has no class in a regression, got %v", d.Class)
		default:
			more.X, more.Y = append(more.X, d.X), append(more.Y, d.Y)
		}
	}
	q := *p
	q.opened, q.Added, q.Function, q.own = p.Opened(), slices.Clone(added), nil, nil
	if q.bare == nil {
		q.bare = p.F64
	}
	switch t := q.bare.(type) {
	case *tanhnet.Net:
		q.F64 = t.Plus(more)
	case tanhnet.Classifier:
		q.F64 = t.Plus(more)
	}
	q.Spec = withSetting(p.Spec, keyPoints, writePoints(f.Inputs(), added))
	q.Title = strings.Replace(p.Title, "N = "+thousands(p.N()), "N = "+thousands(q.N()), 1)
	if q.NoTruth = ""; len(added) > 0 {
		q.NoTruth = "the truth of the function is out of date, for data were added"
	}
	q.ship()
	return &q, nil
}

// writePoints is the setting as readPoints reads it: numbers of a datum apart by commas, data by slashes.
func writePoints(inputs int, added []Datum) string {
	return strings.Join(list.Map(added, func(d Datum) string {
		text := format(d.X) + "," + format(d.Y)
		if inputs == 2 {
			text += "," + format(d.Class)
		}
		return text
	}), "/")
}

func readPoints(inputs int, text string) (added []Datum, err error) {
	for part := range strings.SplitSeq(text, "/") {
		numbers := [3]float64{}
		all := strings.Split(part, ",")
		if len(all) != inputs+1 {
			return nil, fmt.Errorf("must be %s, apart by slashes, got %q",
				[...]string{1: "x,y", 2: "x,y,class"}[inputs], part)
		}
		for i, one := range all {
			if numbers[i], err = strconv.ParseFloat(strings.TrimSpace(one), 64); err != nil {
				return nil, fmt.Errorf("must be numbers, got %q", part)
			}
		}
		added = append(added, Datum{numbers[0], numbers[1], numbers[2]})
	}
	return added, nil
}

// ParseDatum reads x=… y=… and, of a classification, class=…, apart by blanks. What a target allows Plus says.
func ParseDatum(text string) (d Datum, err error) {
	keys := []string{"x", "y", "class"}
	given, err := Assignments(strings.Join(strings.Fields(text), ";"), keys)
	if err != nil || len(given) < 2 || !slices.ContainsFunc(given, func(a Assignment) bool { return a.Key == "x" }) ||
		!slices.ContainsFunc(given, func(a Assignment) bool { return a.Key == "y" }) {
		return d, fmt.Errorf("needs x=… and y=…, each once, and of a classification class=0 or class=1, got %q", text)
	}
	to := map[string]*float64{"x": &d.X, "y": &d.Y, "class": &d.Class}
	for _, a := range given {
		x, ok := finite(a.Text)
		if !ok {
			return d, fmt.Errorf("%s must be a number, got %q", a.Key, a.Text)
		}
		*to[a.Key] = x
	}
	return d, nil
}

// String writes the datum as ParseDatum reads it.
func (d Datum) String() string {
	text := "x=" + format(d.X) + " y=" + format(d.Y)
	if d.Class != 0 {
		text += " class=" + format(d.Class)
	}
	return text
}
