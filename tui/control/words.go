package control

import (
	"slices"
	"strings"
)

// A Line is one line of the help: what some keys do.
type Line struct {
	Group Group
	Keys  string // every key
	First string // each binding's first key
	Help  string
}

// Lines writes bindings as lines of the help, group by group: one line for neighbours
// that do the same thing one way and the other.
func Lines(all []Binding) []Line {
	var lines []Line
	for _, group := range Groups() {
		var some []Binding
		for _, b := range all {
			if b.Group == group && b.Help != "" && b.Keys != "" {
				some = append(some, b)
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

// mostKeys is how many keys of a row are written one by one.
const mostKeys = 4

// together writes the keys of bindings that share a line, the first keys first:
// "← →", "- +".
func together(all []Binding) []string {
	if n := len(all); n > mostKeys {
		return []string{all[0].First() + "-" + all[n-1].First()}
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

// beside writes keys beside each other; where many have the same modifier it is
// written once.
func beside(keys []string) string {
	mod, _, ok := strings.Cut(keys[0], "+")
	if !ok || len(keys) < 3 || slices.ContainsFunc(keys, func(k string) bool { return !strings.HasPrefix(k, mod+"+") }) {
		return strings.Join(keys, " ")
	}
	short := mod + "+"
	for _, k := range keys {
		short += strings.TrimPrefix(k, mod+"+")
	}
	return short
}
