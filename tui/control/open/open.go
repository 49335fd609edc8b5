// Package open is the controller of what lies over the screen for reading and choosing
// among everything: the palette, the help, the glossary.
package open

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Open is the controller. What it opens is made of the bindings of all.
type Open struct {
	*control.Desk
	control.Unseen
	control.Quiet
}

// New makes the controller of a desk.
func New(d *control.Desk) *Open { return &Open{Desk: d} }

// Names of what opens by itself what it is asked from.
const paletteName, helpName, wordsName = "command", "help", "words"

func (c *Open) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: paletteName, Page: control.TenKeys, Keys: ":", Help: "type any command, such as eps 0.3",
			Hint: "command", Rank: 11, Do: c.openPalette},
		{Name: helpName, Keys: "?", Help: "this help", Hint: "help", Rank: 1, Do: c.openHelp},
		{Name: wordsName, Help: "explain the words on the screen or in a pane", Do: c.openWords},
	})
}

// openPalette opens the list of everything that can be done by name: what is used every minute, and the groups of the
// help, each below a line that unfolds it. With an argument, as in "eps 0.3", the text itself is the command.
func (c *Open) openPalette() tea.Cmd {
	groups := map[control.Group][]control.Choice{}
	chooser := dialog.NewChooser(c.Desk, "command", nil)
	chooser.Prompt, chooser.ToTheEnd = ":", true
	named := map[string]bool{} // whatever the state of the screen
	for _, b := range c.Desk.Keys.Bindings {
		named[b.Name] = named[b.Name] || b.When == nil
	}
	var heading control.Group
	for _, b := range control.All(c.Desk.Keys.Bindings) {
		if b.Group != "" {
			heading = b.Group
		}
		group := heading // a command without stands with its neighbours
		if b.Page == control.TenKeys {
			group = ""
		}
		ch := control.Choice{Name: b.Name, Note: b.Help, Group: string(group), Detail: about(&b), Key: b.First()}
		switch {
		case b.Name == "" || b.Unlisted || b.When != nil && b.Keys != "" || b.Lacking() ||
			b.When != nil && (!b.When() || named[b.Name]) || b.Do == nil && b.With == nil || b.Name == paletteName:
			continue
		case b.Of != nil:
			ch.Name, ch.Folds = b.Name+" …", b.Name+" "
			groups[group] = append(groups[group], ch)
			groups[group] = append(groups[group], list.Map(offers(&b, ""), func(of control.Choice) control.Choice {
				of.Group = ch.Folds
				return of
			})...)
			continue
		case b.Do != nil:
			if ch.Take = b.Do; b.With != nil {
				ch.Fill = b.Name + " "
			}
		default:
			ch.Key, ch.Symbol, ch.Fill = "…", b.Symbol, b.Name+" "
			ch.Take = func() tea.Cmd {
				c.Desk.Open(chooser)
				return chooser.Complete()
			}
		}
		groups[group] = append(groups[group], ch)
	}
	for _, group := range append([]control.Group{""}, control.Groups()...) {
		some := groups[group]
		if group != "" && len(some) > 0 {
			names := list.Map(slices.DeleteFunc(slices.Clone(some), func(ch control.Choice) bool {
				return ch.Group != string(group) // of a group within
			}), func(ch control.Choice) string { return strings.TrimSuffix(ch.Name, " …") })
			chooser.All = append(chooser.All, control.Choice{Name: string(group) + " …", Folds: string(group),
				Note: strings.Join(names, ", ")})
		}
		chooser.All = append(chooser.All, some...)
	}
	for i := range chooser.All {
		chooser.All[i].Also = otherWords[chooser.All[i].Name]
	}
	chooser.Typed = func(string) []control.Choice { return c.commands(strings.TrimLeft(chooser.Filter.String(), " ")) }
	return c.Desk.Open(chooser)
}

// otherWords are what people type for the names of commands.
var otherWords = map[string]string{
	"quit":         "exit",
	"show":         "watch",
	"restart":      "reset",
	"save session": "write",
	"save table":   "export",
	"eps":          "epsilon stepsize",
	"temp":         "temperature noise",
	"alpha":        "decay", "until": "stop", "help": "keys", "target": "model", "sampler": "method",
}

// commands makes choices of a typed name and argument: of the argument as it is,
// or of the beginning of those that there are.
func (c *Open) commands(text string) []control.Choice {
	name, arg := grammar.Cut(text)
	if name == text {
		return nil
	}
	text = strings.TrimSpace(text)
	var b *control.Binding
	best := 0
	for _, known := range control.All(c.Desk.Keys.Bindings) {
		rank := 0
		switch {
		case known.With == nil:
		case strings.EqualFold(known.Name, name):
			rank = 3
		case known.Symbol == name && name != "":
			rank = 2
		case slices.Contains(strings.Fields(otherWords[known.Name]), strings.ToLower(name)):
			rank = 1
		}
		if rank > best {
			b, best = &known, rank
		}
	}
	shut := c.Outside.Closed != "" && slices.Contains(c.Outside.OfFiles, name)
	if b == nil {
		if shut {
			return []control.Choice{{Name: text, Why: name + ": " + c.Outside.Closed}}
		}
		if slices.ContainsFunc(catalog.Methods(), func(m sampler.Method) bool { _, has := m.Param(name); return has }) {
			return []control.Choice{{Name: text, Why: fmt.Sprintf("the lane in focus has no parameter %q", name)}}
		}
		return nil
	}
	all := offers(b, arg)
	switch {
	case b.Lacking():
		return []control.Choice{{Name: text, Why: name + " " + b.Lacks()}}
	case b.Of != nil && (arg == "" || len(all) > 0):
		return nil // they are in the list
	case arg == "" || len(all) > 0:
		return all
	}
	do, err := b.With(arg)
	switch {
	case err != nil && shut:
		return []control.Choice{{Name: text, Why: name + ": " + c.Outside.Closed, Detail: about(b)}}
	case err == nil:
		return []control.Choice{{Name: text, Note: b.Help, Detail: about(b), Take: do}}
	case b.Offer == nil:
		return []control.Choice{{Name: text, Why: name + " " + err.Error(), Detail: about(b)}}
	}
	return []control.Choice{{Name: text, Why: err.Error(), Detail: about(b)}}
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
		if r == 0 || ch.Folds != "" || len(arg) == 1 && r > 2 {
			continue
		}
		if strings.EqualFold(ch.Name, arg) {
			r = 0
		}
		ch.Name, ch.Group = b.Name+" "+ch.Name, ""
		if ch.Detail == nil {
			ch.Detail = []control.Paragraph{{Text: cmp.Or(ch.Note, b.Help), Rows: 2}}
		}
		ranks[ch.Name] = r
		all = append(all, ch)
	}
	slices.SortStableFunc(all, func(a, b control.Choice) int { return ranks[a.Name] - ranks[b.Name] })
	return all
}

// meaningWidth is the room for what a word means, so that it fits a screen of 80.
const meaningWidth = 57

// openWords explains the words of the focused pane, or of the whole screen.
func (c *Open) openWords() tea.Cmd {
	title, lines := c.words()
	c.Screen.Dirty = true
	if lines == nil {
		return c.Say(false, "no word of this pane needs explaining; esc, then "+c.Keys.First(wordsName)+
			" explains those of the screen")
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, wordsName, dialog.Sheet{Title: title, Lines: lines}))
}

func (c *Open) words() (title string, lines []control.Line) {
	c.Screen.Redraw() // as it is without this
	in := c.Screen.Plane.Bounds()
	title = "words of the screen"
	p, focused := c.Screen.Panes.Find(c.Focus.Pane)
	if focused = focused && c.Focus.Pane != "" && !p.Rect.Empty(); focused {
		in, title = p.Rect, "words of the pane"
	}
	listed := map[string]bool{}
	add := func(word, meaning string) {
		if listed[word] || meaning == "" {
			return
		}
		listed[word] = true
		lines = append(lines, control.Entry(word, meaning, meaningWidth)...)
	}
	for _, t := range c.Screen.Plane.Terms(in) {
		for ; t != nil; t = wording.Within(t) {
			word, meaning := t.Explain()
			if c.Theme.ASCII {
				word = plane.ASCII(word)
			}
			add(word, meaning)
		}
	}
	if !focused {
		for i := range c.Feed.Foreseen.Lanes {
			m, _ := catalog.Find(c.Feed.Foreseen.Lanes[i].Setting.Sampler)
			add(m.Title, m.Doc+": "+m.Equation)
		}
		for _, q := range c.Focus.List(c.Feed.Foreseen) {
			add(q.Symbol, q.Doc+"; allowed: "+q.Allowed())
		}
	}
	return title, lines
}

// openHelp lists the keys: those that are used every minute and those of the view, then all,
// then the words of the screen.
func (c *Open) openHelp() tea.Cmd {
	title, words := "", dialog.Sheet{Leads: "words"}
	if c.Feed.Begun() {
		words.Title, words.Lines = c.words()
		title = "View " + strconv.Itoa(c.Focus.View+1) + ", " + strings.ToLower(view.Names()[c.Focus.View])
	}
	sheets := []dialog.Sheet{
		{Title: "keys", Leads: "keys", Lines: control.ShortLines(c.Desk.Keys.Bindings, title)},
		{Title: "all keys", Leads: "all keys", Lines: control.Lines(c.Desk.Keys.Bindings)},
	}
	if words.Lines != nil {
		sheets = append(sheets, words)
	}
	return c.Desk.Open(dialog.NewReading(c.Desk, helpName, sheets...))
}
