package tui

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/keymap"
)

// A verb is a command of the palette that takes an argument.
type verb struct {
	name string
	help string
	// parse makes an action of an argument, or says what is allowed.
	parse func(m *model, arg string) (action, error)
	// offer lists what an argument can be; nil where that is no list.
	offer func(m *model) []choice
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
			all = append(all, choice{name: b.Name, note: b.Help, detail: []paragraph{{b.Help, 1}}, key: keymap.Label(b.Keys[0]), take: m.actions[b.Action]})
		}
	}
	for _, v := range verbs(m.Params()) {
		all = append(all, choice{name: v.name, note: v.help, detail: v.about(), key: "…", fill: v.name + " ", take: func(m *model) tea.Cmd {
			m.mode = c
			return c.complete(m)
		}})
	}
	c.all = all
	c.typed = func(string) []choice { return commands(m, strings.TrimLeft(c.filter.String(), " ")) }
	c.match()
	m.mode = c
	return nil
}

// commands makes choices of a typed verb and argument: of the argument as it is,
// or of the beginning of those that there are.
func commands(m *model, text string) []choice {
	name, arg, ok := strings.Cut(strings.Replace(text, "=", " ", 1), " ")
	if !ok {
		return nil
	}
	for _, v := range verbs(m.Params()) {
		if !strings.EqualFold(v.name, name) {
			continue
		}
		all := v.offers(m, strings.TrimSpace(arg))
		if text = strings.TrimSpace(text); strings.TrimSpace(arg) == "" {
			return all
		}
		act, err := v.parse(m, strings.TrimSpace(text[len(name)+1:]))
		switch {
		case err == nil && len(all) == 0:
			return []choice{{name: text, note: v.help, detail: v.about(), take: act}}
		case len(all) == 0:
			if v.offer == nil {
				return []choice{{name: text, why: name + " " + err.Error(), detail: v.about()}}
			}
			return []choice{{name: text, why: err.Error(), detail: v.about()}}
		}
		return all
	}
	return nil
}

// about is what is said below the list of the command.
func (v *verb) about() []paragraph { return []paragraph{{v.help, 2}} }

// offers lists the offers that match an argument, the best first.
func (v *verb) offers(m *model, arg string) []choice {
	if v.offer == nil {
		return nil
	}
	var all []choice
	ranks := map[string]int{}
	for _, ch := range v.offer(m) {
		r := rank(choice{name: ch.name}, arg)
		if r == 0 {
			continue
		}
		if strings.EqualFold(ch.name, arg) {
			r = 0
		}
		ch.name, ch.group = v.name+" "+ch.name, ""
		if ch.detail == nil {
			ch.detail = v.about()
		}
		ranks[ch.name] = r
		all = append(all, ch)
	}
	slices.SortStableFunc(all, func(a, b choice) int { return ranks[a.name] - ranks[b.name] })
	return all
}

// verbs lists the verbs: one for each parameter, then the others.
func verbs(params []param.Param) []verb {
	var all []verb
	example := catalog.Methods()[0].Name
	for _, p := range params {
		all = append(all, verb{name: p.Key, help: p.Doc + ": " + p.Allowed(), parse: func(m *model, arg string) (action, error) {
			x, err := parseParam(m, p, arg)
			return func(m *model) tea.Cmd {
				m.Focus.Param = p.Key
				return m.setParam(p, x)
			}, err
		}})
	}
	all = append(all, lookVerbs()...)
	all = append(all, sweepVerb())
	all = append(all, tapeVerbs()...)
	all = append(all, filmVerbs()...)
	all = append(all, lessonVerb())
	return append(all,
		verb{name: "lr", help: "step per mean gradient, h = εN/2", parse: parseLR},
		verb{name: "schedule", help: "const, halve:20ep, halve:STEPS or poly:a,b,gamma", parse: parseSchedule},
		verb{name: "target", help: "gaussian:a=2, blr:FILE, …", parse: func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd { return m.open(arg) }, nil
		}},
		verb{
			name: "sampler", help: "of the lanes that turns apply to, by name: sampler " + example,
			parse: func(m *model, arg string) (action, error) { return parseMethod(m, arg, (*model).setSampler) },
			offer: func(m *model) []choice {
				return methodChoices(catalog.Methods(), m.Feed.Shown.Problem, (*model).setSampler)
			},
		},
		verb{
			name: "add", help: "a lane, by its sampler's name: add " + example,
			parse: func(m *model, arg string) (action, error) {
				if err := m.roomForLane(); err != nil {
					return nil, err
				}
				return parseMethod(m, arg, (*model).addLane)
			},
			offer: func(m *model) []choice {
				if m.roomForLane() != nil {
					return nil
				}
				return methodChoices(catalog.Methods(), m.Feed.Shown.Problem, (*model).addLane)
			},
		},
		verb{name: "speed", help: "steps a second, or full", parse: parseSpeed},
		verb{name: "seed", help: "restart on a seed", parse: func(_ *model, arg string) (action, error) {
			seed, err := whole(arg)
			return func(m *model) tea.Cmd { return m.restart(seed) }, err
		}},
		verb{name: "run", help: "so many steps, then pause", parse: func(_ *model, arg string) (action, error) {
			n, err := whole(arg)
			return func(m *model) tea.Cmd { return m.stepBy(n) }, err
		}},
		verb{name: "back", help: "so many steps; a second number is the factor of ε", parse: parseBack},
		verb{name: "watch", help: "two coordinates, by number from 1", parse: parseWatch},
		verb{name: "shift", help: "test images: rotate 45, noise 80, blur, static, none …", parse: parseShift},
		verb{name: "write", help: "save the session and its draws to a folder", parse: func(_ *model, arg string) (action, error) {
			return func(m *model) tea.Cmd { return m.write(arg) }, nil
		}},
	)
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
	for _, p := range m.Params() {
		if p.Key == sampler.KeyEps {
			eps := engine.EpsOfLR(h, m.Feed.Shown.Problem.N())
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
	if sch.Epochs && !m.Feed.Shown.Problem.HasData() {
		return nil, errors.New("in epochs needs a target with data")
	}
	return func(m *model) tea.Cmd {
		var set tea.Cmd
		for _, p := range m.Params() {
			if p.Key == sampler.KeyEps && first > 0 {
				set = m.setParam(p, first)
			}
		}
		return tea.Batch(set, m.Feed.Send(engine.SetSchedule{Lane: m.Focus.Target(m.Feed.Shown), Schedule: sch}, nil))
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
	dim := m.Feed.Shown.Problem.Dim()
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
