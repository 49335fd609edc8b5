package lesson

import (
	"slices"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// spelled is the card as it is written in a theme. ASCII spells ε with three
// letters, and lines are broken by the width that is drawn.
func (c *Card) spelled(th *theme.Theme) *Card {
	if !th.ASCII {
		return c
	}
	s := *c
	for _, text := range []*string{&s.Caption, &s.Question, &s.Do, &s.Reveal} {
		*text = plane.Spell(*text)
	}
	s.Choices, s.Hints, s.Goals = spellAll(c.Choices), spellAll(c.Hints), slices.Clone(c.Goals)
	for i := range s.Goals {
		g := &s.Goals[i]
		g.Label, g.Value, g.Demand = plane.Spell(g.Label), plane.Spell(g.Value), plane.Spell(g.Demand)
	}
	return &s
}

func spellAll(texts []string) []string {
	all := slices.Clone(texts)
	for i, t := range all {
		all[i] = plane.Spell(t)
	}
	return all
}
