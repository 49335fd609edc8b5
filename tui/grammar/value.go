package grammar

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// perDatum is the temperature 1/N, as it is written.
const perDatum = "1/N"

// parseValue reads a value of the parameter with a key, which is the target's or the lanes'. It
// checks it for every lane that has the parameter, and returns the first one's. The value of "lr" is
// the ε that it stands for. The error says what is allowed.
func parseValue(key, text string, lanes []state.Setting,
	p *targets.Problem) (value float64, param param.Param, err error) {
	if state.OfTarget(key) {
		return targetValue(key, text, p)
	}
	of := key
	if key == flagLR {
		of = sampler.KeyEps
	}
	first := ""
	for _, l := range lanes {
		m, _ := catalog.Find(l.Sampler)
		q, ok := m.Param(of)
		if !ok {
			continue
		}
		v, err := parseParam(q, text, p)
		switch {
		case err != nil:
			return 0, q, err
		case first == "":
			first, value, param = m.Name, v, q
		case v != value:
			return 0, q, fmt.Errorf("%s is one thing for %s and another for %s", text, first, m.Name)
		}
	}
	switch {
	case first != "" && key == flagLR:
		return state.EpsOfLR(value, p.N()), param, nil
	case first != "":
		return value, param, nil
	case slices.Contains(ParamKeys(), of):
		return 0, param, fmt.Errorf("is no parameter of %s",
			strings.Join(list.Map(lanes, func(l state.Setting) string { return l.Sampler }), " or "))
	}
	keys := append(slices.DeleteFunc(ParamKeys(), func(key string) bool {
		return !slices.ContainsFunc(lanes, func(l state.Setting) bool { return l.Has(key) })
	}), flagLR)
	return 0, param, fmt.Errorf("unknown parameter %q%s; want one of %s", key, list.Hint("%q", key, ParamKeys()),
		strings.Join(keys, ", "))
}

func targetValue(key, text string, p *targets.Problem) (float64, param.Param, error) {
	q, _, ok := p.Param(key)
	if !ok {
		keys := list.Map(p.Params, func(q param.Param) string { return q.Key })
		return 0, q, fmt.Errorf("is no parameter of %s%s", p.Spec, list.Hint("%q", key, keys))
	}
	v, err := parseParam(q, text, p)
	return v, q, err
}

// parseParam reads a value of a parameter. 1/N is a temperature.
func parseParam(q param.Param, text string, p *targets.Problem) (float64, error) {
	if q.Key != sampler.KeyTemp {
		return q.Parse(text)
	}
	if strings.EqualFold(strings.TrimSpace(text), perDatum) {
		return 1 / float64(p.N()), nil
	}
	return q.ParseBeside(perDatum, text)
}

// now is the present step, as it is typed.
const now = "now"

// ParseTurn is parseParam while a session runs: a parameter that is a step takes "now" too, which is state.FromNow.
func ParseTurn(q param.Param, text string, p *targets.Problem) (float64, error) {
	if !q.Step {
		return parseParam(q, text, p)
	}
	if strings.EqualFold(strings.TrimSpace(text), now) {
		return state.FromNow, nil
	}
	return q.ParseBeside(now, text)
}

// got shows a refused value: a number as it is, anything else in quotes.
func got(text string) string {
	if v, err := strconv.ParseFloat(text, 64); (err == nil || errors.Is(err, strconv.ErrRange)) && !math.IsNaN(v) {
		return text
	}
	return strconv.Quote(text)
}

func parseChains(text string) (int, error) {
	n, err := state.Chains().Parse(text)
	return int(n), err
}

// formatValue writes a value so that parseParam reads the same one back.
func formatValue(q param.Param, v float64, p *targets.Problem) string {
	if q.Key == sampler.KeyTemp && p.HasData() && v == 1/float64(p.N()) {
		return perDatum
	}
	return q.Format(v)
}

// formatEps writes ε as eps or, where that is shorter and means the same number, as lr.
func formatEps(eps float64, p *targets.Problem) Assignment {
	s := Assignment{Key: sampler.KeyEps, Text: number(eps)}
	if !p.HasData() {
		return s
	}
	lr := state.LROfEps(eps, p.N())
	for digits := 1; digits <= 6; digits++ {
		text := strconv.FormatFloat(lr, 'g', digits, 64)
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && state.EpsOfLR(v, p.N()) == eps && len(text) < len(s.Text) {
			return Assignment{Key: flagLR, Text: text}
		}
	}
	return s
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func parseSwitch(text string) (targets.Tri, error) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "on":
		return targets.On, nil
	case "off":
		return targets.Off, nil
	}
	return targets.Auto, fmt.Errorf("must be on or off, got %q", text)
}

// Count reads a whole number of at least least.
func Count(text string, least uint64) (uint64, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		// 2e5 is a fine way to write a number of steps.
		x, bad := strconv.ParseFloat(text, 64)
		switch {
		case errors.Is(bad, strconv.ErrRange) && x > 0, x == math.Trunc(x) && x >= 1<<53 && !math.IsInf(x, 1):
			return 0, fmt.Errorf("must be a whole number below 2⁵³, got %s", got(text))
		case bad != nil || x != math.Trunc(x) || x < 0 || math.IsInf(x, 1):
			return 0, fmt.Errorf("must be a whole number, %d or more, got %s", least, got(text))
		}
		n = uint64(x)
	}
	if n < least {
		return 0, fmt.Errorf("must be a whole number, %d or more, got %s", least, got(text))
	}
	return n, nil
}

func parsePositive(text string) (float64, error) {
	return param.Param{OpenMin: true, Max: math.Inf(1)}.Parse(text)
}
