package grammar

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Assignment is a parameter's, or "lr" or "schedule".
type Assignment = targets.Assignment

// A LaneArg is one entry of --samplers.
type LaneArg struct {
	Sampler     string
	Assignments []Assignment
}

// String writes the entry as ParseLanes reads it.
func (a LaneArg) String() string {
	if len(a.Assignments) == 0 {
		return a.Sampler
	}
	return a.Sampler + ":" +
		strings.Join(list.Map(a.Assignments, func(s Assignment) string { return s.Key + "=" + s.Text }), ";")
}

// ParseLanes reads a list such as psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on. A comma parts two lanes unless a
// number follows it, which goes on a setting with several (schedule=poly:0.1,1,0.5). It checks names and keys; values
// are read where the target is known, by Config.
func ParseLanes(text string) ([]LaneArg, error) { return parseLanes(flagSamplers, text) }

// parseLanes is ParseLanes of the value of --samplers, or of --method, which is one entry.
func parseLanes(flag, text string) ([]LaneArg, error) {
	var lanes []LaneArg
	for _, part := range splitLanes(text) {
		part = strings.TrimSpace(part)
		if name, _, _ := strings.Cut(part, ":"); name == "" {
			return nil, fmt.Errorf("--%s has an empty entry, got %q", flag, text)
		}
		m, args, ok := catalog.Cut(part)
		if !ok {
			return nil, fmt.Errorf("--%s: %w; %s lists them", flag, state.UnknownSampler(nameOf(part)), ListCommand)
		}
		a := LaneArg{Sampler: m.Name}
		var err error
		if a.Assignments, err = parseSettings(m.Name, args); err != nil {
			return nil, fmt.Errorf("%s: %w", entry(flag, len(lanes), m.Name), err)
		}
		lanes = append(lanes, a)
		switch {
		case flag == flagMethod && len(lanes) > 1:
			return nil, fmt.Errorf("--method must name one sampler, got %q", text)
		case len(lanes) > state.MaxLanes:
			return nil, fmt.Errorf("--samplers must name 1 to %d samplers, got %q", state.MaxLanes, text)
		}
	}
	return lanes, nil
}

// entry names an entry of --samplers, or of --method.
func entry(flag string, lane int, sampler string) string {
	if flag == flagMethod {
		return "--method " + sampler
	}
	return fmt.Sprintf("--samplers, lane %s (%s)", state.LaneLetter(lane), sampler)
}

// nameOf is what stands for the name in an entry that begins with none that is known: all before the first setting.
func nameOf(entry string) string {
	name, _, settings := strings.Cut(entry, "=")
	if i := strings.LastIndexByte(name, ':'); settings && i >= 0 {
		name = name[:i]
	}
	return strings.TrimRight(name, ": ")
}

func splitLanes(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if n := len(parts); n > 0 && startsNumber(part) && strings.Contains(parts[n-1], ":") {
			parts[n-1] += "," + part
			continue
		}
		parts = append(parts, part)
	}
	return parts
}

// startsNumber reports whether s goes on a list of numbers: no sampler's name begins so.
func startsNumber(s string) bool {
	s = strings.TrimSpace(s)
	return s != "" && strings.IndexByte("0123456789+-.", s[0]) >= 0
}

func parseSettings(method, args string) ([]Assignment, error) {
	all, err := targets.Assignments(args, settingKeys(method))
	has := func(key string) bool {
		return slices.ContainsFunc(all, func(s Assignment) bool { return s.Key == key })
	}
	if has(sampler.KeyEps) && has(flagLR) {
		return nil, errors.New("eps and lr exclude each other")
	}
	return all, err
}

// hasSetting reports whether a lane of a method has a setting.
func hasSetting(method, key string) bool { return slices.Contains(settingKeys(method), key) }

func settingKeys(method string) []string {
	m, _ := catalog.Find(method)
	var keys []string
	for _, q := range m.All() {
		keys = append(keys, q.Key)
		if q.Key == sampler.KeyEps {
			keys = append(keys, flagLR)
			if !m.Metropolis { // which adapts its own
				keys = append(keys, flagSchedule)
			}
		}
	}
	return keys
}

// Set returns the lane with a setting applied. A polynomial schedule sets ε too, to its first step a b^-γ. The error
// says what is allowed; the caller puts the setting's name before it.
func Set(l state.Setting, s Assignment, p *targets.Problem) (state.Setting, error) {
	switch s.Key {
	case flagLR:
		q, _ := paramOf(l.Sampler, sampler.KeyEps)
		lr, err := q.Parse(s.Text)
		if err != nil {
			return l, err
		}
		return l.With(sampler.KeyEps, state.EpsOfLR(lr, p.N())), nil
	case flagSchedule:
		sch, first, err := sampler.ParseSchedule(s.Text)
		if err != nil {
			return l, err
		}
		if l.Schedule = sch; first > 0 {
			l = l.With(sampler.KeyEps, first)
		}
		return l, nil
	}
	q, ok := paramOf(l.Sampler, s.Key)
	if !ok {
		return l, fmt.Errorf("is not a parameter of %s", l.Sampler)
	}
	v, err := parseParam(q, s.Text, p)
	if err != nil {
		return l, err
	}
	if why := state.Unfit(p, q); q.NeedsData && why != "" {
		// A density counts as one datum, so a minibatch of it is all there is.
		if q.Key == sampler.KeyBatch && v <= 1 {
			return l, nil
		}
		return l, fmt.Errorf("%s, which %s does not have", why, p.Spec)
	}
	return l.With(s.Key, v), nil
}
