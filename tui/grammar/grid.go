package grammar

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// ParseAxis reads key=a,b,c, key=lo:hi:log:n or key=lo:hi:lin:n. Every value
// is checked as the flag of that name checks its own, in each lane that has it.
func ParseAxis(text string, p *targets.Problem, lanes []state.Setting) (study.Axis, error) {
	key, values, ok := strings.Cut(text, "=")
	key, values = strings.TrimSpace(key), strings.TrimSpace(values)
	if !ok || key == "" || values == "" {
		return study.Axis{}, fmt.Errorf("--grid must be KEY=a,b,c or KEY=lo:hi:log|lin:n, got %q", text)
	}
	a := study.Axis{Key: key}
	texts := strings.Split(values, ",")
	if strings.Contains(values, ":") {
		points, err := span(values)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		texts = list.Map(points, number)
	}
	if len(texts) > study.MaxCells {
		return a, fmt.Errorf("--grid %s: at most %d values, got %d", key, study.MaxCells, len(texts))
	}
	for _, t := range texts {
		v, q, err := parseValue(key, t, lanes, p)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		a.Param = q
		a.Values = append(a.Values, v)
		if key != q.Key { // lr
			v = state.LROfEps(v, p.N())
			if x, err := strconv.ParseFloat(strings.TrimSpace(t), 64); err == nil {
				v = x
			}
		}
		a.Shown = append(a.Shown, v)
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
	if n < 2 || n > study.MaxCells {
		return nil, fmt.Errorf("must have 2 to %d points, got %q", study.MaxCells, text)
	}
	points := make([]float64, n)
	switch strings.TrimSpace(f[2]) {
	case "log":
		if !(lo > 0 && hi > 0) {
			return nil, fmt.Errorf("must have positive ends on a log scale, got %q", text)
		}
		for i := range points {
			points[i] = lo * libm.Pow(hi/lo, float64(i)/float64(n-1))
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

// ParseGrid reads every --grid. No parameter may have two axes.
func ParseGrid(texts []string, p *targets.Problem, lanes []state.Setting) (study.Grid, error) {
	if len(texts) == 0 {
		return nil, errors.New("sweep needs --grid, such as --grid eps=1e-3:1:log:20")
	}
	var grid study.Grid
	total := 1
	for _, t := range texts {
		a, err := ParseAxis(t, p, lanes)
		if err != nil {
			return nil, err
		}
		for _, b := range grid {
			if b.Param.Key == a.Param.Key {
				return nil, fmt.Errorf("--grid %s and --grid %s exclude each other", b.Key, a.Key)
			}
		}
		if why := state.Unfit(p, a.Param); why != "" {
			return nil, fmt.Errorf("--grid %s %s, which %s does not have", a.Key, why, p.Spec)
		}
		if total *= len(a.Values); total > study.MaxCells {
			return nil, fmt.Errorf("--grid asks for more than %d cells", study.MaxCells)
		}
		grid = append(grid, a)
	}
	return grid, nil
}
