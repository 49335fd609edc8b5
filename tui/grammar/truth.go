package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// ParseTruth reads METHOD or METHOD:draws=COUNT;key=value, with keys of the method's own parameters.
func ParseTruth(text string) (t state.Truth, err error) {
	name, settings, _ := strings.Cut(text, ":")
	t.Sampler = strings.ToLower(strings.TrimSpace(name))
	if r := state.CheckTruth(t.Sampler); r != nil {
		return t, errors.New(r.Demand())
	}
	m, _ := catalog.Find(t.Sampler)
	own := list.Map(m.Params, func(q param.Param) string { return q.Key })
	given, err := targets.Assignments(settings, append(own, truthDraws))
	if err != nil {
		return t, fmt.Errorf("must be %s or %s:draws=COUNT, and may have %s, got %q", t.Sampler, t.Sampler,
			strings.Join(own, ", "), text)
	}
	for _, s := range given {
		if s.Key == truthDraws {
			t.Draws, err = Count(s.Text, state.MinTruthDraws)
		} else {
			if t.Values == nil {
				t.Values = map[string]float64{}
			}
			q, _ := m.Param(s.Key)
			t.Values[s.Key], err = q.Parse(s.Text)
		}
		if err != nil {
			return t, fmt.Errorf("%s:%s %w", t.Sampler, s.Key, err)
		}
	}
	if t.Draws == study.TruthDraws {
		t.Draws = 0 // which means that many
	}
	return t, nil
}

// truthText writes what ParseTruth reads.
func truthText(t state.Truth) string {
	text := LaneArg{Sampler: t.Sampler}
	if t.Draws > 0 {
		text.Assignments = append(text.Assignments, Assignment{Key: truthDraws, Text: strconv.FormatUint(t.Draws, 10)})
	}
	m, _ := catalog.Find(t.Sampler)
	for _, q := range m.Params {
		if v, ok := t.Values[q.Key]; ok {
			text.Assignments = append(text.Assignments, Assignment{Key: q.Key, Text: q.Format(v)})
		}
	}
	return text.String()
}

const truthDraws = "draws"
