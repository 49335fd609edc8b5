package keymap

import (
	"strings"
	"unicode/utf8"
)

// Label writes a key as a person reads it: "left" as ←, "shift+left" as
// shift+←.
func Label(key string) string {
	mod := ""
	for _, m := range [...]string{"shift+", "ctrl+"} {
		if k, ok := strings.CutPrefix(key, m); ok && k != "tab" {
			mod, key = m, k
		}
	}
	switch key {
	case "left":
		key = "←"
	case "right":
		key = "→"
	case "up":
		key = "↑"
	case "down":
		key = "↓"
	}
	return mod + key
}

// Named lists the keys that a word of a hint names, the inverse of what Hint
// writes: one key, two beside each other, or the ends of a row of digits. In ASCII
// arrows are spelled.
func Named(word string) []string {
	switch word {
	case "arrows":
		return []string{"left", "right"}
	case "up/down":
		return []string{"up", "down"}
	}
	var all []string
	r := []rune(word)
	switch {
	case len(r) == 3 && r[1] == '-' && r[0] < r[2]:
		for k := r[0]; k <= r[2]; k++ {
			all = append(all, string(k))
		}
		return all
	case len(r) == 2:
		return []string{unlabel(string(r[0])), unlabel(string(r[1]))}
	}
	return []string{unlabel(word)}
}

// unlabel is the inverse of Label.
func unlabel(label string) string {
	at := strings.LastIndex(label[:max(len(label)-1, 0)], "+") + 1
	switch mod, key := label[:at], label[at:]; key {
	case "←":
		return mod + "left"
	case "→":
		return mod + "right"
	case "↑":
		return mod + "up"
	case "↓":
		return mod + "down"
	}
	return label
}

// A Line is one line of the help: what some keys do.
type Line struct {
	Group Group
	Keys  string // every key
	First string // each action's first key
	Help  string
}

// Lines returns the help, one line for neighbours that do the same thing one
// way and the other.
func (m *Map) Lines() []Line {
	var lines []Line
	for i := 0; i < len(m.table); {
		b := m.table[i]
		n := i + 1
		for n < len(m.table) && m.table[n].Help == b.Help && m.table[n].Group == b.Group {
			n++
		}
		all := combine(m.table[i:n])
		lines = append(lines, Line{Group: b.Group, Keys: strings.Join(all, ", "), First: all[0], Help: b.Help})
		i = n
	}
	for _, g := range Gestures() {
		lines = append(lines, Line{Group: Mouse, Keys: g.Do, First: g.Do, Help: g.Help})
	}
	for _, p := range Phrases() {
		lines = append(lines, Line{Group: ByName, Keys: p.Do, First: p.Do, Help: p.Help})
	}
	return lines
}

// combine writes the keys of bindings that share a line, the first keys first:
// "← →", "- +".
func combine(all []Binding) []string {
	if k := all[0].Keys; len(all) == 1 && len(k) > 4 { // a row of them
		return []string{Label(k[0]) + "-" + Label(k[len(k)-1])}
	}
	var sets []string
	for k := 0; ; k++ {
		var set []string
		for _, b := range all {
			if k < len(b.Keys) {
				set = append(set, Label(b.Keys[k]))
			}
		}
		if set == nil {
			return sets
		}
		sets = append(sets, join(set))
	}
}

// join writes keys beside each other; where many have the same modifier it is
// written once.
func join(keys []string) string {
	mod, _, ok := strings.Cut(keys[0], "+")
	if !ok || len(keys) < 3 {
		return strings.Join(keys, " ")
	}
	short := mod + "+"
	for _, k := range keys {
		rest, same := strings.CutPrefix(k, mod+"+")
		if !same {
			return strings.Join(keys, " ")
		}
		short += rest
	}
	return short
}

// Hint writes the keys that are worth knowing in a context, in at most width
// columns: the least important ones are left out first.
func (m *Map) Hint(c Context, width int) string {
	type entry struct {
		text string
		rank int
	}
	var all []entry
	for i := 0; i < len(m.table); {
		b := m.table[i]
		n := i + 1
		if b.Context != c || b.Hint == "" {
			i = n
			continue
		}
		for n < len(m.table) && m.table[n].Hint == b.Hint && m.table[n].Context == c {
			n++
		}
		first, last := Label(b.Keys[0]), Label(m.table[n-1].Keys[0])
		keys := first
		switch {
		case n-i == 2:
			keys = first + last
		case n-i > 2:
			keys = first + "-" + last
		}
		all = append(all, entry{keys + " " + b.Hint, b.Rank})
		i = n
	}
	worst := 0
	for _, e := range all {
		worst = max(worst, e.rank)
	}
	for rank := worst; rank > 0; rank-- {
		var kept []string
		for _, e := range all {
			if e.rank <= rank {
				kept = append(kept, e.text)
			}
		}
		if s := strings.Join(kept, " · "); utf8.RuneCountInString(s) <= width {
			return s
		}
	}
	return ""
}

// Markdown is the README's list of keys.
func Markdown() string {
	var b strings.Builder
	var group Group
	for _, l := range New().Lines() {
		if l.Group != group {
			if group != "" {
				b.WriteByte('\n')
			}
			group = l.Group
			b.WriteString("| " + string(group) + " | |\n|---|---|\n")
		}
		keys := strings.ReplaceAll(l.Keys, "|", "\\|")
		keys = keys[:1] + strings.ReplaceAll(keys[1:], ", ", "`, `") // a comma in front is a key
		if l.Group != Mouse {
			keys = "`" + keys + "`"
		}
		b.WriteString("| " + keys + " | " + l.Help + " |\n")
	}
	return b.String()
}
