package keep

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// coding is the command that shows the focused lane's method as a program.
func (c *Keep) coding() control.Binding {
	languages := program.Languages()
	return control.Binding{
		Name:     "code",
		Help:     "show the lane's method as a program, in " + strings.Join(languages, ", "),
		Do:       control.By(c.code, languages[0]),
		Examples: []string{":code r: the lane's method as a program in R"},
		With: func(language string) (func() tea.Cmd, error) {
			if !slices.Contains(languages, language) {
				return nil, list.Unknown("language", language, languages)
			}
			return control.By(c.code, language), nil
		},
		Offer: control.Words(languages, c.code),
	}
}

// code shows the focused lane's method with its present settings as a program.
func (c *Keep) code(language string) tea.Cmd {
	text, err := c.program(language)
	if err != nil {
		return c.Say(true, err.Error())
	}
	copied := func() tea.Cmd {
		return tea.Batch(tea.SetClipboard(text.Text),
			c.Say(false, c.copied()+"; save it as "+text.File+" and run "+text.Runs))
	}
	return c.Open(dialog.NewListing(c.Desk, text.File+", in "+language, text.Text, copied, func() tea.Cmd {
		return c.code(c.nextLanguage(language))
	}))
}

func (c *Keep) program(language string) (*program.Listing, error) {
	s, lane := c.Feed.Foreseen, c.Lane()
	p := s.Problem
	if turned := lane.Setting.Problem; turned != nil {
		p = turned
	}
	return program.Of(s.Config, lane.Setting, p, language, grammar.CheckLine("draws.csv", s.Config, lane.Setting, p))
}

// nextLanguage is the one after another that there is a program in.
func (c *Keep) nextLanguage(language string) string {
	all := program.Languages()
	at := slices.Index(all, language)
	for i := range all {
		next := all[(at+1+i)%len(all)]
		if _, err := c.program(next); err == nil {
			return next
		}
	}
	return language
}
