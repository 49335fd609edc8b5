package control

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Hint is an entry of the footer's line of keys: one key with a word for what it
// does, two that do it one way and the other, or a row of them.
type Hint struct {
	Keys []string // as they are read; nil for a text
	Does string
	Rank int // the highest goes first where there is no room; 0 for one that stays
	// Names are those of the bindings, one for each key; nil where a click does nothing.
	Names []string
}

// Key writes the keys.
func (h *Hint) Key(ascii bool) string {
	keys := strings.Join(h.Keys, "")
	if n := len(h.Keys); n > 2 || n == 2 && h.Keys[0] == "1" {
		keys = inRows(h.Keys)
	}
	if ascii {
		return Spelled(keys)
	}
	return keys
}

// inRows writes keys with a dash for those of a row: 1-6, or 1-2 6. Keys that are in no row
// are a row from the first to the last.
func inRows(keys []string) string {
	var rows []string
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) &&
			(len(keys[to]) != 1 || len(keys[to-1]) != 1 || !digit(keys[to]) || keys[to][0] == keys[to-1][0]+1) {
			to++
		}
		row := keys[from]
		if to > from+1 {
			row += "-" + keys[to-1]
		}
		rows, from = append(rows, row), to
	}
	return strings.Join(rows, " ")
}

func digit(key string) bool { return key[0] >= '0' && key[0] <= '9' }

// Text writes the entry.
func (h *Hint) Text(ascii bool) string {
	text := h.Does
	if ascii {
		text = plane.Spell(text)
	}
	return strings.TrimSpace(h.Key(ascii) + " " + text)
}

// Spelled names the arrow keys where there are no arrows to draw: in ASCII they would
// look like < and >, which are keys of their own.
func Spelled(keys string) string { return arrowWords.Replace(keys) }

var arrowWords = strings.NewReplacer("shift+← shift+→", "shift+arrows", "←→", "left/right", "↑↓", "up/down",
	"←", "left", "→", "right", "↑", "up", "↓", "down")

// Hints lists the hints of those bindings whose state is the screen's.
func Hints(all []Binding) []Hint {
	var out []Hint
	last := -2 // the place of the binding before, if it has a hint
	for i := range all {
		b := &all[i]
		does, rank := b.word()
		if does == "" {
			if b.Lacking() && last == i-1 { // those about it stay neighbours
				last = i
			}
			continue
		}
		if n := len(out) - 1; last == i-1 && out[n].Does == does {
			out[n].Keys, out[n].Names = append(out[n].Keys, b.First()), append(out[n].Names, b.Name)
		} else {
			h := Hint{Does: does, Rank: rank}
			if b.Keys != "" {
				h.Keys, h.Names = []string{b.First()}, []string{b.Name}
			}
			out = append(out, h)
		}
		last = i
	}
	return out
}

// Footer is the line of keys for the state of the screen: what comes before all else, then the keys of the first state
// that has any, and what helps and ends; without such a state the keys that always hold.
func Footer(all []Binding, width int, ascii bool) []Hint {
	var urgent, state, main, rest []Hint
	var group Group
	for i := 0; i < len(all); {
		n := i + 1 // bindings for one state
		for n < len(all) && all[n].Group == all[i].Group && (all[n].When == nil) == (all[i].When == nil) {
			n++
		}
		for _, h := range Hints(all[i:n]) {
			switch {
			case h.Rank == 0:
				urgent = append(urgent, h)
			case all[i].When == nil:
				main = append(main, h)
				if h.Rank <= mostHelpful {
					h.Rank += leastState
					rest = append(rest, h)
				}
			case state == nil || group == all[i].Group:
				group, state = all[i].Group, append(state, h)
			}
		}
		i = n
	}
	if state != nil {
		main = append(state, rest...)
	}
	if line := Fit(append(urgent, main...), width, ascii); line != nil {
		return line
	}
	return Fit(main, width, ascii)
}

// Of the keys that always hold those up to the rank mostHelpful stand beside the keys of
// a state, behind the rank leastState.
const mostHelpful, leastState = 2, 100

// HintGap stands between two hints.
const HintGap = " · "

// Fit leaves out the least important hints until the rest fits into a width.
func Fit(all []Hint, width int, ascii bool) []Hint {
	some := slices.Clone(all)
	for len(some) > 0 {
		wide, worst := -plane.Width(HintGap), 0
		for _, h := range some {
			wide += plane.Width(h.Text(ascii)) + plane.Width(HintGap)
			worst = max(worst, h.Rank)
		}
		switch {
		case wide <= width:
			return some
		case worst == 0:
			return nil
		}
		some = slices.DeleteFunc(some, func(h Hint) bool { return h.Rank == worst })
	}
	return nil
}

// A Line is one line of the help: what some keys do.
type Line struct {
	Group Group
	Keys  string // every key
	First string // each binding's first key
	Help  string
	Of    string // the entry of which it is a line, empty for none
}

// Entry is a word and what is said of it, wrapped to a width.
func Entry(word, text string, width int) (lines []Line) {
	of := word + " " + text
	for _, line := range plane.Wrap(text, width) {
		lines = append(lines, Line{Keys: word, First: word, Help: line, Of: of})
		word = " "
	}
	return lines
}

// Lines writes bindings as lines of the help, group by group: one line for neighbours
// that do the same thing one way and the other.
func Lines(all []Binding) []Line {
	var lines []Line
	for _, group := range Groups() {
		lines = append(lines, linesOf(group, all, func(b *Binding) bool { return b.Group == group })...)
		for _, b := range all {
			for _, e := range b.Examples {
				how, what, _ := strings.Cut(e, ": ")
				if typed := strings.HasPrefix(e, ":"); group == ByCommand && typed || group == Mouse && !typed {
					lines = append(lines, Line{Group: group, Keys: how, First: how, Help: what})
				}
			}
		}
	}
	return lines
}

// ShortLines are the lines of the keys that are used every minute, and of those of a view, as the screen is; without a
// view of the former alone. A key that does something else in the view stands only there.
func ShortLines(all []Binding, view string) []Line {
	held := slices.Clone(all)
	for i := range held {
		held[i].Keys = strings.Join(slices.DeleteFunc(held[i].keys(), func(key string) bool {
			return view != "" && ByKey(all, key) != &all[i]
		}), " ")
	}
	short := linesOf("Every minute", held, func(b *Binding) bool { return b.Page == TenKeys && !b.Lacking() })
	if view == "" {
		return short
	}
	return append(short,
		linesOf(Group(view), held, func(b *Binding) bool {
			return b.Page == OnView && (b.On == nil || b.On()) || b.When != nil && b.When()
		})...)
}

// linesOf are the lines of some of the bindings below a heading: one line for neighbours with the same Help.
func linesOf(group Group, all []Binding, of func(*Binding) bool) (lines []Line) {
	var some []Binding
	for i := range all {
		if b := &all[i]; b.Help != "" && b.Keys != "" && of(b) {
			some = append(some, *b)
		}
	}
	for len(some) > 0 {
		n := 1
		for n < len(some) && some[n].Help == some[0].Help {
			n++
		}
		keys := together(some[:n])
		lines = append(lines, Line{Group: group, Keys: strings.Join(keys, ", "), First: keys[0], Help: some[0].Help})
		some = some[n:]
	}
	return lines
}

// mostKeys is how many keys of a row are written one by one.
const mostKeys = 4

// together writes the keys of bindings that share a line, the first keys first: "← →", "- +".
func together(all []Binding) []string {
	if len(all) > mostKeys {
		return []string{inRows(list.Map(all, func(b Binding) string { return b.First() }))}
	}
	var sets []string
	for k := 0; ; k++ {
		var set []string
		for _, b := range all {
			if keys := b.keys(); k < len(keys) {
				set = append(set, Label(keys[k]))
			}
		}
		if set == nil {
			return sets
		}
		sets = append(sets, beside(set))
	}
}

// beside writes keys beside each other; where many have the same modifier it is written once.
func beside(keys []string) string {
	mod, _, ok := strings.Cut(keys[0], "+")
	if !ok || len(keys) < 3 ||
		slices.ContainsFunc(keys, func(k string) bool { return !strings.HasPrefix(k, mod+"+") }) {
		return strings.Join(keys, " ")
	}
	short := mod + "+"
	for _, k := range keys {
		short += strings.TrimPrefix(k, mod+"+")
	}
	return short
}

// Of is the command name with the names of some bindings as its argument, and theirs behind
// that: layout projector, save picture F.png.
func Of(name, help string, some []Binding, examples ...string) Binding {
	return Binding{Name: name, Help: help, Examples: examples, Of: some,
		With: func(arg string) (func() tea.Cmd, error) {
			word, rest, _ := strings.Cut(strings.TrimSpace(arg), " ")
			var words []string
			for i := range some {
				switch b := &some[i]; {
				case b.Lacking() && strings.EqualFold(b.Name, strings.TrimSpace(arg)):
					return nil, fmt.Errorf("%s %s %s", name, b.Name, b.Lacks())
				case b.Lacking():
					continue
				case strings.EqualFold(b.Name, strings.TrimSpace(arg)) && b.Do != nil:
					return b.Do, nil
				case strings.EqualFold(b.Name, word) && b.With != nil:
					do, err := b.With(strings.TrimSpace(rest))
					if err != nil {
						err = fmt.Errorf("%s %w", b.Name, err)
					}
					return do, err
				}
				words = append(words, some[i].Name)
			}
			return nil, fmt.Errorf("%s must be %s, not %q", name, strings.Join(words, ", "), arg)
		}, Offer: func() (all []Choice) {
			for i := range some {
				b := &some[i]
				if b.Lacking() {
					continue
				}
				switch {
				case b.Do != nil:
					all = append(all, Choice{Name: b.Name, Note: b.Help, Take: b.Do})
				case b.Offer == nil:
					all = append(all, Choice{Name: b.Name, Note: b.Help, Why: b.Name + " wants a value: " + b.Help})
				}
				if b.Offer != nil {
					for _, ch := range b.Offer() {
						ch.Name, ch.Note = b.Name+" "+ch.Name, cmp.Or(ch.Note, b.Help)
						all = append(all, ch)
					}
				}
			}
			return all
		}}
}

// Verb is the binding of a move of the grammar. It applies to the focused lane if that is alone, or turns apply to it
// alone, and else to all lanes, as one of the target always does. send does each of its commands.
func (d *Desk) Verb(name string, alone bool, send func(state.Command) tea.Cmd, help string,
	examples ...string) Binding {
	return Binding{Name: name, Help: help, Examples: examples, With: func(arg string) (func() tea.Cmd, error) {
		at := state.AllLanes
		if (alone || d.Focus.Separate) && !grammar.OfTarget(name) {
			at = d.Lane().ID
		}
		commands, err := grammar.Move{Lane: at, Name: name, Arg: arg}.Commands(d.Feed.Foreseen.State())
		return func() tea.Cmd { return tea.Batch(list.Map(commands, send)...) }, err
	}}
}
