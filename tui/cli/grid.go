package cli

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cmdline"
)

// maxCells bounds a sweep. Every cell's result is held until the end.
const maxCells = 100_000

// An axis is one --grid: a parameter and the values that it takes.
type axis struct {
	key    string // as given: a parameter's, or "lr"
	param  sampler.Param
	values []float64 // of the parameter: those of lr as ε
	shown  []float64 // as given
}

// text writes a value of the axis for people.
func (a axis) text(i int) string {
	if a.param.Scale == sampler.Choice {
		return a.param.Format(a.shown[i])
	}
	return strconv.FormatFloat(a.shown[i], 'g', 4, 64)
}

// json is a value of the axis in a document: a number, or a choice's name.
func (a axis) json(i int) any {
	if a.param.Scale == sampler.Choice {
		return a.param.Format(a.shown[i])
	}
	return a.shown[i]
}

// parseAxis reads key=a,b,c, key=lo:hi:log:n or key=lo:hi:lin:n. Every value
// is checked as the flag of that name checks its own.
func parseAxis(text string, p *targets.Problem) (axis, error) {
	key, list, ok := strings.Cut(text, "=")
	key, list = strings.TrimSpace(key), strings.TrimSpace(list)
	if !ok || key == "" || list == "" {
		return axis{}, fmt.Errorf("--grid must be KEY=a,b,c or KEY=lo:hi:log|lin:n, got %q", text)
	}
	a := axis{key: key}
	texts := strings.Split(list, ",")
	if strings.Contains(list, ":") {
		points, err := span(list)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		texts = nil
		for _, x := range points {
			texts = append(texts, strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	if len(texts) > maxCells {
		return a, fmt.Errorf("--grid %s: at most %d values, got %d", key, maxCells, len(texts))
	}
	for _, t := range texts {
		v, q, err := cmdline.ParseValue(key, t, p)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		a.param = q
		a.values = append(a.values, v)
		if key != q.Key { // lr
			v = engine.LROfEps(v, p.N())
			if x, err := strconv.ParseFloat(strings.TrimSpace(t), 64); err == nil {
				v = x
			}
		}
		a.shown = append(a.shown, v)
	}
	return a, nil
}

// span reads lo:hi:log:n or lo:hi:lin:n into n points, the ends exact.
func span(text string) ([]float64, error) {
	bad := fmt.Errorf("must be lo:hi:log:n or lo:hi:lin:n, got %q", text)
	f := strings.Split(text, ":")
	if len(f) != 4 {
		return nil, bad
	}
	lo, err1 := strconv.ParseFloat(strings.TrimSpace(f[0]), 64)
	hi, err2 := strconv.ParseFloat(strings.TrimSpace(f[1]), 64)
	n, err3 := strconv.Atoi(strings.TrimSpace(f[3]))
	if errors.Join(err1, err2, err3) != nil || math.IsNaN(lo+hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, bad
	}
	if n < 2 || n > maxCells {
		return nil, fmt.Errorf("must have 2 to %d points, got %q", maxCells, text)
	}
	points := make([]float64, n)
	switch strings.TrimSpace(f[2]) {
	case "log":
		if !(lo > 0 && hi > 0) {
			return nil, fmt.Errorf("must have positive ends on a log scale, got %q", text)
		}
		for i := range points {
			points[i] = lo * math.Pow(hi/lo, float64(i)/float64(n-1))
		}
	case "lin":
		for i := range points {
			points[i] = lo + (hi-lo)*float64(i)/float64(n-1)
		}
	default:
		return nil, bad
	}
	points[0], points[n-1] = lo, hi
	return points, nil
}

// parseGrid reads every --grid. No parameter may have two axes.
func parseGrid(texts []string, p *targets.Problem, lanes []engine.Lane) ([]axis, error) {
	if len(texts) == 0 {
		return nil, errors.New("sweep needs --grid, such as --grid eps=1e-3:1:log:20")
	}
	var grid []axis
	total := 1
	for _, t := range texts {
		a, err := parseAxis(t, p)
		if err != nil {
			return nil, err
		}
		for _, b := range grid {
			if b.param.Key == a.param.Key {
				return nil, fmt.Errorf("--grid %s and --grid %s exclude each other", b.key, a.key)
			}
		}
		if !slices.ContainsFunc(lanes, func(l engine.Lane) bool { return l.Has(a.param.Key) }) {
			return nil, fmt.Errorf("--grid %s: no lane has this parameter", a.key)
		}
		if why := engine.Unfit(p, a.param); why != "" {
			return nil, fmt.Errorf("--grid %s %s, which %s does not have", a.key, why, p.Spec)
		}
		if total *= len(a.values); total > maxCells {
			return nil, fmt.Errorf("--grid asks for more than %d cells", maxCells)
		}
		grid = append(grid, a)
	}
	return grid, nil
}

// at lists the index on each axis of the i-th point of a grid; the last axis
// turns fastest.
func at(grid []axis, i int) []int {
	idx := make([]int, len(grid))
	for k := len(grid) - 1; k >= 0; k-- {
		n := len(grid[k].values)
		idx[k] = i % n
		i /= n
	}
	return idx
}

// size is the number of points of a grid.
func size(grid []axis) int {
	n := 1
	for _, a := range grid {
		n *= len(a.values)
	}
	return n
}

// on puts the i-th point of a grid on a config: a value for every lane that
// has the parameter.
func on(c engine.Config, grid []axis, i int) engine.Config {
	c.Lanes = slices.Clone(c.Lanes)
	for k, j := range at(grid, i) {
		for n, l := range c.Lanes {
			if l.Has(grid[k].param.Key) {
				c.Lanes[n] = l.With(grid[k].param.Key, grid[k].values[j])
			}
		}
	}
	return c
}
