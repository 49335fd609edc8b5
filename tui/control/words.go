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
		for _, g := range gestures[group] {
			lines = append(lines, Line{Group: group, Keys: g[0], First: g[0], Help: g[1]})
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

// gestures are lines of the help beside those of keys: what the mouse does, all of which
// can be done by keys too, and what is best known of what has no key and is typed after
// that of the palette. A word in capitals stands for what is typed there.
var gestures = map[Group][][2]string{
	Mouse: {
		{"click a hint", "what its key does, in the last row"},
		{"click a notice", "puts it away"},
		{"click the header", "target, tape, pause, lockstep"},
		{"click a pane", "focuses it, and its lane"},
		{"double click", "the pane alone, or all"},
		{"hover a chart", "exact values"},
		{"wheel on a chart", "zoom; with shift along it"},
		{"drag a chart", "move what is zoomed"},
		{"drag a slider", "turn, or go along the tape"},
		{"wheel on a value", "turns it"},
		{"click a value", "select it; once more to type"},
		{"click a cell", "of the sweep: choose; twice: jump"},
		{"click a line", "of a list: take it; a lesson: answer"},
	},
	ByCommand: {
		{":palette tol", "other colours for the colour-blind"},
		{":ascii on", "printable ASCII only"},
		{":fps 10", "fewer frames, for a slow line"},
		{":picture F.png", "the screen as PNG, or as SVG"},
		{":pane-picture F", "the focused pane alone"},
		{":table F.csv", "the curves and draws as numbers"},
		{":write DIR", "save the session in a folder"},
		{":run 500", "so many steps, then pause"},
		{":go 5000", "to a step of the tape"},
		{":schedule …", "halve:20ep, poly:a,b,gamma, const"},
		{":watch 3 7", "two coordinates by number"},
		{":shift noise 80", "test images: noise, rotate, blur …"},
	},
}

// Markdown writes the README's list of keys.
func Markdown(all []Binding) string {
	var b strings.Builder
	var group Group
	for _, l := range Lines(all) {
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
