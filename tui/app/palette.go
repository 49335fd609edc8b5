package app

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
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// openPalette opens the list of everything that can be done by name. With an argument,
// as in "eps 0.3", the text itself is the command.
func (m *model) openPalette() tea.Cmd {
	var keyed, typed []control.Choice
	c := dialog.NewChooser(m.Desk, "command", nil)
	c.Prompt = ":"
	for _, b := range control.All(m.Bindings) {
		switch {
		case b.Name == "" || b.When != nil || b.Name == paletteName:
		case b.Do != nil:
			ch := control.Choice{Name: b.Name, Note: b.Help, Detail: []control.Paragraph{{Text: b.Help, Rows: 1}}, Key: b.First(), Take: b.Do}
			if b.With != nil {
				ch.Fill = b.Name + " "
			}
			keyed = append(keyed, ch)
		default:
			typed = append(typed, control.Choice{Name: b.Name, Note: b.Help, Detail: about(&b), Key: "…", Fill: b.Name + " ", Take: func() tea.Cmd {
				m.Open(c)
				return c.Complete()
			}})
		}
	}
	c.All = append(keyed, typed...)
	c.Typed = func(string) []control.Choice { return m.commands(strings.TrimLeft(c.Filter.String(), " ")) }
	c.Match()
	return m.Open(c)
}

// commands makes choices of a typed name and argument: of the argument as it is,
// or of the beginning of those that there are.
func (m *model) commands(text string) []control.Choice {
	name, arg, ok := strings.Cut(strings.Replace(text, "=", " ", 1), " ")
	if !ok {
		return nil
	}
	text, arg = strings.TrimSpace(text), strings.TrimSpace(arg)
	for _, b := range control.All(m.Bindings) {
		if b.With == nil || !strings.EqualFold(b.Name, name) {
			continue
		}
		all := offers(&b, arg)
		if arg == "" || len(all) > 0 {
			return all
		}
		do, err := b.With(strings.TrimSpace(text[len(name)+1:]))
		switch {
		case err == nil:
			return []control.Choice{{Name: text, Note: b.Help, Detail: about(&b), Take: do}}
		case b.Offer == nil:
			return []control.Choice{{Name: text, Why: name + " " + err.Error(), Detail: about(&b)}}
		}
		return []control.Choice{{Name: text, Why: err.Error(), Detail: about(&b)}}
	}
	return nil
}

// about is what is said below the list of what can be done.
func about(b *control.Binding) []control.Paragraph {
	return []control.Paragraph{{Text: b.Help, Rows: 2}}
}

// offers lists the offers that match an argument, the best first.
func offers(b *control.Binding, arg string) []control.Choice {
	if b.Offer == nil {
		return nil
	}
	var all []control.Choice
	ranks := map[string]int{}
	for _, ch := range b.Offer() {
		r := dialog.Rank(control.Choice{Name: ch.Name}, arg)
		if r == 0 {
			continue
		}
		if strings.EqualFold(ch.Name, arg) {
			r = 0
		}
		ch.Name, ch.Group = b.Name+" "+ch.Name, ""
		if ch.Detail == nil {
			ch.Detail = about(b)
		}
		ranks[ch.Name] = r
		all = append(all, ch)
	}
	slices.SortStableFunc(all, func(a, b control.Choice) int { return ranks[a.Name] - ranks[b.Name] })
	return all
}

// paramVerbs set the parameters of the focused lane by their keys.
func (m *model) paramVerbs() []control.Binding {
	var all []control.Binding
	for _, p := range m.Params() {
		all = append(all, control.Binding{Name: p.Key, Help: p.Doc + ": " + p.Allowed(), With: func(arg string) (func() tea.Cmd, error) {
			x, err := m.parseParam(p, arg)
			return func() tea.Cmd {
				m.Focus.Param = p.Key
				return m.setParam(p, x)
			}, err
		}})
	}
	return all
}

// verbs lists what is done by name with an argument.
func (m *model) verbs() []control.Binding {
	example := catalog.Methods()[0].Name
	return slices.Concat([]control.Binding{{Each: m.paramVerbs}}, m.lookVerbs(), []control.Binding{m.sweepVerb()}, m.tapeVerbs(), m.filmVerbs(), []control.Binding{
		m.lessonVerb(),
		{Name: "lr", Help: "step per mean gradient, h = εN/2", With: m.parseLR},
		{Name: "schedule", Help: "const, halve:20ep, halve:STEPS or poly:a,b,gamma", With: m.parseSchedule},
		{Name: "target", Help: "gaussian:a=2, blr:FILE, …", With: func(arg string) (func() tea.Cmd, error) {
			return func() tea.Cmd { return m.open(arg) }, nil
		}},
		{
			Name: "sampler", Help: "of the lanes that turns apply to, by name: sampler " + example,
			With:  func(arg string) (func() tea.Cmd, error) { return m.parseMethod(arg, m.setSampler) },
			Offer: func() []control.Choice { return methodChoices(catalog.Methods(), m.Feed.Shown.Problem, m.setSampler) },
		},
		{
			Name: "add", Help: "a lane, by its sampler's name: add " + example,
			With: func(arg string) (func() tea.Cmd, error) {
				if err := m.roomForLane(); err != nil {
					return nil, err
				}
				return m.parseMethod(arg, m.addLane)
			},
			Offer: func() []control.Choice {
				if m.roomForLane() != nil {
					return nil
				}
				return methodChoices(catalog.Methods(), m.Feed.Shown.Problem, m.addLane)
			},
		},
		{Name: "speed", Help: "steps a second, or full", With: m.parseSpeed},
		{Name: "seed", Help: "restart on a seed", With: func(arg string) (func() tea.Cmd, error) {
			seed, err := whole(arg)
			return func() tea.Cmd { return m.restart(seed) }, err
		}},
		{Name: "run", Help: "so many steps, then pause", With: func(arg string) (func() tea.Cmd, error) {
			n, err := whole(arg)
			return func() tea.Cmd { return m.stepBy(n) }, err
		}},
		{Name: "back", Help: "so many steps; a second number is the factor of ε", With: m.parseBack},
		{Name: "watch", Help: "two coordinates, by number from 1", With: m.parseWatch},
		{Name: "shift", Help: "test images: rotate 45, noise 80, blur, static, none …", With: m.parseShift},
	})
}

func whole(arg string) (uint64, error) {
	n, err := strconv.ParseUint(arg, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("must be a whole number, got %q", arg)
	}
	return n, nil
}

func (m *model) parseLR(arg string) (func() tea.Cmd, error) {
	h, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(h > 0) || math.IsInf(h, 0) {
		return nil, fmt.Errorf("must be positive, got %q", arg)
	}
	for _, p := range m.Params() {
		if p.Key == sampler.KeyEps {
			eps := engine.EpsOfLR(h, m.Feed.Shown.Problem.N())
			return func() tea.Cmd { return m.setParam(p, eps) }, p.Check(eps)
		}
	}
	return nil, errors.New("needs a sampler with a step size")
}

// parseSchedule also sets the ε at step 0 that "poly" states.
func (m *model) parseSchedule(arg string) (func() tea.Cmd, error) {
	sch, first, err := sampler.ParseSchedule(arg)
	if err != nil {
		return nil, err
	}
	if sch.Epochs && !m.Feed.Shown.Problem.HasData() {
		return nil, errors.New("in epochs needs a target with data")
	}
	return func() tea.Cmd {
		var set tea.Cmd
		for _, p := range m.Params() {
			if p.Key == sampler.KeyEps && first > 0 {
				set = m.setParam(p, first)
			}
		}
		return tea.Batch(set, m.Feed.Send(engine.SetSchedule{Lane: m.Focus.Target(m.Feed.Shown), Schedule: sch}, nil))
	}, nil
}

func (m *model) parseSpeed(arg string) (func() tea.Cmd, error) {
	if strings.EqualFold(arg, "full") {
		return func() tea.Cmd { return m.setSpeed(0) }, nil
	}
	v, err := strconv.ParseFloat(arg, 64)
	if err != nil || !(v > 0) || math.IsInf(v, 0) {
		return nil, fmt.Errorf("must be positive or full, got %q", arg)
	}
	return func() tea.Cmd { return m.setSpeed(v) }, nil
}

func (m *model) parseBack(arg string) (func() tea.Cmd, error) {
	steps, rest, _ := strings.Cut(arg, " ")
	n, err := whole(steps)
	factor := 1.0
	if rest = strings.TrimSpace(rest); rest != "" && err == nil {
		if factor, err = strconv.ParseFloat(rest, 64); err != nil || !(factor > 0) || math.IsInf(factor, 0) {
			err = fmt.Errorf("needs a positive factor, got %q", rest)
		}
	}
	return func() tea.Cmd { return m.rewind(n, factor) }, err
}

func (m *model) parseWatch(arg string) (func() tea.Cmd, error) {
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
	return func() tea.Cmd { return m.watchAt(at) }, nil
}
