package tui

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/keymap"
)

// A verb is a command of the palette that takes an argument.
type verb struct {
	name string
	help string
	// parse makes an action of an argument, or says what is allowed.
	parse func(m *model, arg string) (action, error)
}

// openPalette opens the list of everything: the key table's actions by name,
// each parameter, and the verbs. With an argument, as in "eps 0.3", the text
// itself is the command.
func openPalette(m *model) tea.Cmd {
	var all []choice
	c := newChooser(m, "command", nil)
	c.prompt = ":"
	for _, b := range m.keys.Bindings() {
		if b.Name != "" {
			all = append(all, choice{name: b.Name, note: b.Help, key: keymap.Label(b.Keys[0]), take: m.actions[b.Action]})
		}
	}
	for _, v := range verbs(m.params()) {
		all = append(all, choice{name: v.name, note: v.help, key: "…", take: func(m *model) tea.Cmd {
			c.filter.set(v.name + " ")
			c.match()
			m.mode = c
			return nil
		}})
	}
	c.all = all
	c.typed = func(text string) (choice, bool) { return command(m, text) }
	c.match()
	m.mode = c
	return nil
}

// command makes a choice of a typed verb and argument.
func command(m *model, text string) (choice, bool) {
	name, arg, ok := strings.Cut(strings.Replace(text, "=", " ", 1), " ")
	if arg = strings.TrimSpace(arg); !ok || arg == "" {
		return choice{}, false
	}
	for _, v := range verbs(m.params()) {
		if !strings.EqualFold(v.name, name) {
			continue
		}
		act, err := v.parse(m, strings.TrimSpace(text[len(name)+1:]))
		if err != nil {
			return choice{name: text, why: name + " " + err.Error()}, true
		}
		return choice{name: text, note: v.help, take: act}, true
	}
	return choice{}, false
}

// verbs lists the verbs: one for each parameter, then the others.
func verbs(params []sampler.Param) []verb {
	var all []verb
	for _, p := range params {
		all = append(all, verb{p.Key, p.Doc + ": " + p.Allowed(), func(m *model, arg string) (action, error) {
			x, err := parseParam(m, p, arg)
			return func(m *model) tea.Cmd {
				m.focus.param = p.Key
				return m.setParam(p, x)
			}, err
		}})
	}
	return append(all,
		verb{"lr", "step per mean gradient, h = εN/2", parseLR},
		verb{"schedule", "const, halve:20ep, halve:STEPS or poly:a,b,gamma", parseSchedule},
		verb{"target", "gaussian:a=2, blr:FILE, …", func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd { return m.open(arg) }, nil
		}},
		verb{"sampler", strings.Join(sampler.Names(), " or "), func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd { return m.setSampler(arg) }, knownSampler(arg)
		}},
		verb{"add", "a lane: " + strings.Join(sampler.Names(), " or "), func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd {
				return m.feed.send(engine.AddLane{Name: arg, Like: m.focus.index(m.feed.shown)}, nil)
			}, knownSampler(arg)
		}},
		verb{"speed", "steps a second, or full", parseSpeed},
		verb{"seed", "restart on a seed", func(_ *model, arg string) (action, error) {
			seed, err := whole(arg)
			return func(m *model) tea.Cmd { return m.restart(seed) }, err
		}},
		verb{"run", "so many steps, then pause", func(_ *model, arg string) (action, error) {
			n, err := whole(arg)
			return func(m *model) tea.Cmd { return m.stepBy(n) }, err
		}},
		verb{"back", "so many steps; a second number is the factor of ε", parseBack},
		verb{"watch", "two coordinates, by number from 1", parseWatch},
		verb{"write", "the session and its draws to a folder", func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd { return m.write(arg) }, nil
		}},
	)
}

func knownSampler(name string) error {
	if _, ok := sampler.Find(name); !ok {
		return engine.UnknownSampler(name)
	}
	return nil
}

func whole(arg string) (uint64, error) {
	n, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number, got %q", arg)
	}
	return n, nil
}

func parseLR(m *model, arg string) (action, error) {
	h, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("must be positive, got %q", arg)
	}
	for _, p := range m.params() {
		if p.Key == sampler.KeyEps {
			eps := engine.EpsOfLR(h, m.feed.shown.Problem.N())
			return func(m *model) tea.Cmd { return m.setParam(p, eps) }, p.Check(eps)
		}
	}
	return nil, errors.New("needs a sampler with a step size")
}

// parseSchedule also sets the ε at step 0 that "poly" states.
func parseSchedule(m *model, arg string) (action, error) {
	sch, first, err := sampler.ParseSchedule(arg)
	if err != nil {
		return nil, err
	}
	if sch.Epochs && !m.feed.shown.Problem.HasData() {
		return nil, errors.New("in epochs needs a target with data")
	}
	return func(m *model) tea.Cmd {
		var set tea.Cmd
		for _, p := range m.params() {
			if p.Key == sampler.KeyEps && first > 0 {
				set = m.setParam(p, first)
			}
		}
		return tea.Batch(set, m.feed.send(engine.SetSchedule{Lane: m.focus.target(m.feed.shown), Schedule: sch}, nil))
	}, nil
}

func parseSpeed(_ *model, arg string) (action, error) {
	if strings.EqualFold(arg, "full") {
		return func(m *model) tea.Cmd { return m.setSpeed(0) }, nil
	}
	v, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("must be positive or full, got %q", arg)
	}
	return func(m *model) tea.Cmd { return m.setSpeed(v) }, nil
}

func parseBack(_ *model, arg string) (action, error) {
	steps, rest, _ := strings.Cut(arg, " ")
	n, err := whole(steps)
	factor := 1.0
	if rest = strings.TrimSpace(rest); rest != "" && err == nil {
		if factor, err = strconv.ParseFloat(rest, 64); err != nil || !(factor > 0) || math.IsInf(factor, 0) {
			err = fmt.Errorf("needs a positive factor, got %q", rest)
		}
	}
	return func(m *model) tea.Cmd { return m.rewind(n, factor) }, err
}

func parseWatch(m *model, arg string) (action, error) {
	f := strings.Fields(arg)
	dim := m.feed.shown.Problem.Dim()
	var at [2]int
	for i := range at {
		if len(f) != 2 {
			return nil, fmt.Errorf("must be two coordinates from 1 to %d, got %q", dim, arg)
		}
		n, err := strconv.Atoi(f[i])
		if err != nil || n < 1 || n > dim {
			return nil, fmt.Errorf("must be two coordinates from 1 to %d, got %q", dim, f[i])
		}
		at[i] = n - 1
	}
	return func(m *model) tea.Cmd { return m.watchAt(at) }, nil
}
