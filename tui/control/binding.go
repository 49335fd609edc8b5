package control

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Binding is one thing that the user can do: what it is called, the keys that do it,
// the words for it, and what it does.
type Binding struct {
	// Name is what the palette, scripts, zones and messages call it.
	Name string
	// Symbol is what the strip calls what the binding sets, which may be typed for the name; empty for another binding.
	Symbol string
	Keys   string // as Bubble Tea names them, apart by blanks; empty for what is done by name alone
	// Help says what it does. Neighbours with the same Help share a line of the help.
	Help  string
	Group Group
	// Page is the part of the help's first page where the binding stands. Those of a state
	// of the screen stand there while it lasts.
	Page Page
	// On reports whether the view is one that the binding is of use for; nil for all.
	On func() bool
	// Lacks is why the binding has nothing to do for the target, empty where it has. It is then offered neither by the
	// footer nor by the help nor by the palette. It is nil for a binding of all targets.
	Lacks func() string
	// Hint is the word for the footer, empty for none. Neighbours with the same Hint share an entry.
	Hint string
	Rank int // orders the hints by importance, 1 first; with 0 it stands before all others
	// HintNow is Hint and Rank where they change; nil where they stay.
	HintNow func() (hint string, rank int)
	// When reports whether the screen is in the state that the binding is for. It then
	// goes before those without a When, which hold wherever nothing is open.
	When   func() bool
	Always bool // it holds whatever is open

	Do func() tea.Cmd
	// At is what the mouse does on a zone that names the binding; nil where that is Do.
	At func(Hit) tea.Cmd
	// With reads an argument that is typed after the name, and says what is then to be
	// done, or what is allowed; nil where there is none to type.
	With func(argument string) (func() tea.Cmd, error)
	// Examples are lines of the help, such as "click a pane: focuses it", for what is done by
	// the mouse or by a command that is typed in the palette, which begins with a colon.
	Examples []string
	// Offer lists the arguments that there are; nil where that is no list.
	Offer func() []Choice
	// Unlisted keeps the binding out of the palette: it is a key's movement, or a command that is
	// listed has it as an argument.
	Unlisted bool
	// Of are the commands of which one is the argument; nil for one that is not made by Of.
	Of []Binding
	// Each lists the bindings for which this one stands, which depend on the session; nil
	// for one that stands for itself.
	Each func() []Binding
}

// A Hit is what the mouse did on a zone.
type Hit struct {
	Args         []string // of the zone's Do
	X, Y         int      // the cell of the zone; beyond it while it is dragged
	W, H         int      // of the zone
	Twice        bool     // it is the second click of two
	Drag         bool     // the zone is dragged
	First        bool     // the drag begins, at the cell FromX, FromY
	FromX, FromY int
	By           int  // notches of the wheel, above 0 up or to the right
	Along        bool // the wheel is turned sideways, or with shift
}

// By is what a binding does by calling f with x.
func By[T any](f func(T) tea.Cmd, x T) func() tea.Cmd { return func() tea.Cmd { return f(x) } }

// Words offers words, of which take takes one.
func Words(words []string, take func(word string) tea.Cmd) func() []Choice {
	return func() []Choice {
		return list.Map(words, func(word string) Choice { return Choice{Name: word, Take: By(take, word)} })
	}
}

// All puts bindings in the places of those that stand for them.
func All(some []Binding) []Binding {
	var all []Binding
	for _, b := range some {
		if b.Each != nil {
			all = append(all, b.Each()...)
		} else {
			all = append(all, b)
		}
	}
	return all
}

// A Choice is one line of a list.
type Choice struct {
	Name   string
	Note   string // beside the name
	Key    string // on the right: the key that does the same
	Symbol string // the binding's
	Also   string // other words that people type for the name, apart by blanks
	Fill   string // what completing it types; its name if that is empty
	Group  string // of choices that are shown when the one that Folds it is taken, or something is typed
	// Folds is the group for which it stands as long as nothing is typed. Completing it types that.
	Folds string
	// Detail is what is said below the list while the choice is selected, a paragraph each; nil for a list without.
	Detail []Paragraph
	Why    string         // why it is grey; empty for a choice in full ink
	Take   func() tea.Cmd // nil for a choice that cannot be taken
}

// A Paragraph is text that is broken to at most so many lines.
type Paragraph struct {
	Text string
	Rows int
}

// A Page is a part of the help's first page.
type Page uint8

// The parts.
const (
	AllKeys Page = iota // none: it stands among all keys alone
	TenKeys             // what is used every minute
	OnView              // what reads a view
)

// A Group is a heading of the help.
type Group string

// The groups.
const (
	Running    Group = "Running"
	Parameters Group = "Parameters"
	Lanes      Group = "Lanes and targets"
	Views      Group = "Views"
	Panes      Group = "Panes and values"
	Teaching   Group = "Lessons"
	General    Group = "General"
	Grid       Group = "The sweep"
	Lists      Group = "In lists"
	Typing     Group = "While typing"
	Mouse      Group = "With the mouse"
	ByCommand  Group = "By name"
)

// Groups lists the groups in the order of the help.
func Groups() []Group {
	return []Group{Running, Parameters, Lanes, Views, Panes, Teaching, General, Grid, Lists, Typing,
		Mouse, ByCommand}
}

func (b *Binding) keys() []string { return strings.Fields(b.Keys) }

// First is the first key, as a person reads it; empty if there is none.
func (b *Binding) First() string {
	if k := b.keys(); len(k) > 0 {
		return Label(k[0])
	}
	return ""
}

// Has reports whether a key is one of the binding's.
func (b *Binding) Has(key string) bool { return slices.Contains(b.keys(), key) }

// word is the binding's word for the footer now, and its rank: none where the screen is in another state.
func (b *Binding) word() (hint string, rank int) {
	switch {
	case b.When != nil && !b.When() || b.Lacking():
		return "", 0
	case b.HintNow != nil:
		return b.HintNow()
	}
	return b.Hint, b.Rank
}

// Lacking reports whether the binding has nothing to do for the target.
func (b *Binding) Lacking() bool { return b.Lacks != nil && b.Lacks() != "" }

// ByKey returns the first of some bindings that has a key and whose state is the
// screen's, of those for a state before others; nil if there is none.
func ByKey(all []Binding, key string) *Binding {
	return first(all, func(b *Binding) bool { return b.Has(key) })
}

// ByName is ByKey for a binding's name.
func ByName(all []Binding, name string) *Binding {
	return first(all, func(b *Binding) bool { return b.Name == name })
}

func first(all []Binding, is func(*Binding) bool) *Binding {
	var found *Binding
	for i := range all {
		switch b := &all[i]; {
		case !is(b):
		case b.When == nil && found == nil:
			found = b
		case b.When != nil && b.When():
			return b
		}
	}
	return found
}

// Label writes a key as a person reads it: "left" as ←, "shift+left" as shift+←.
func Label(key string) string {
	mod := ""
	for _, m := range [...]string{"shift+", "ctrl+"} {
		if k, ok := strings.CutPrefix(key, m); ok && k != "tab" {
			mod, key = m, k
		}
	}
	if arrow, ok := arrows[key]; ok {
		key = arrow
	}
	return mod + key
}

var arrows = map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓"}

// In gives bindings a group of the help, and the state that they are for, nil for any.
func In(g Group, when func() bool, all []Binding) []Binding {
	for i := range all {
		all[i].Group, all[i].When = g, when
	}
	return all
}
