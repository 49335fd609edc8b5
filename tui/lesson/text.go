package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Text is prose with places for numbers: "pSGLD's error is {cov_error(A)}". Any other brace is written twice.
type Text struct {
	words  []string // one more than there are places
	places []side
}

// parseText reads a text. An empty line parts paragraphs; other blanks and line breaks in a row are one blank.
func parseText(text string) (Text, error) {
	var t Text
	words, from := "", 0
	text = flow(text)
	for _, at := range braces.FindAllStringIndex(text, -1) {
		found := text[at[0]:at[1]]
		words, from = words+text[from:at[0]], at[1]
		switch {
		case found == "{{" || found == "}}":
			words += found[:1]
			continue
		case len(found) == 1:
			return Text{}, fmt.Errorf("has a lone %q; want a quantity in braces such as {tau(A)}, or the brace twice", found[0])
		}
		p := conditionParser{lex(found[1 : len(found)-1])}
		s := p.side()
		switch {
		case p.err != nil:
			return Text{}, p.err
		case p.tok.kind != tokenEnd || s.q == nil:
			return Text{}, fmt.Errorf("has %s; want one quantity in braces, such as {tau(A)}", found)
		}
		t.words, t.places, words = append(t.words, words), append(t.places, s), ""
	}
	t.words = append(t.words, words+text[from:])
	return t, nil
}

// braces matches what a text has in braces, two braces of a kind, and a lone one.
var braces = regexp.MustCompile(`\{\{|\}\}|\{[^}]*\}|[{}]`)

// flow joins the lines of each paragraph, and parts paragraphs by a line break.
func flow(text string) string {
	paragraphs := list.Map(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n"), func(part string) string {
		return strings.Join(strings.Fields(part), " ")
	})
	return strings.Join(slices.DeleteFunc(paragraphs, func(p string) bool { return p == "" }), "\n")
}

// Empty reports whether there is nothing in the text.
func (t Text) Empty() bool { return len(t.places) == 0 && (len(t.words) == 0 || t.words[0] == "") }

// With writes the text with the numbers of a snapshot. In the place of a number that is
// not known stands why not, such as "too short".
func (t Text) With(s *engine.Snapshot) string { return t.with(observation{Snapshot: s}) }

func (t Text) with(s observation) string { return t.filled(func(p side) string { return p.text(s) }) }

// at writes the text with the numbers of a snapshot, and at which step they were read.
func (t Text) at(s observation) string {
	if len(t.places) == 0 {
		return t.with(s)
	}
	return t.with(s) + " (At step " + plane.Count(t.step(s.Snapshot)) + ".)"
}

// step is the furthest step of the lanes of which the text has numbers.
func (t Text) step(s *engine.Snapshot) (most uint64) {
	for _, p := range t.places {
		if p.lane < len(s.Lanes) {
			most = max(most, s.Lanes[p.lane].Step)
		}
	}
	return most
}

// Plain writes the sentences of the text that have no number.
func (t Text) Plain() string {
	const place = "\x00"
	var paragraphs []string
	for part := range strings.SplitSeq(t.filled(func(side) string { return place }), "\n") {
		part = sentenceEnd.ReplaceAllString(part, "$1\n")
		all := slices.DeleteFunc(strings.Split(part, "\n"), func(s string) bool { return strings.Contains(s, place) })
		if len(all) > 0 {
			paragraphs = append(paragraphs, strings.Join(all, " "))
		}
	}
	return strings.Join(paragraphs, "\n")
}

// sentenceEnd matches the end of a sentence within a paragraph, and the blank after it.
var sentenceEnd = regexp.MustCompile(`([.?!][)”"]?) `)

func (t Text) filled(place func(side) string) string {
	var b strings.Builder
	for i, w := range t.words {
		b.WriteString(w)
		if i < len(t.places) {
			b.WriteString(place(t.places[i]))
		}
	}
	return b.String()
}

// text is a side as a person reads it.
func (s side) text(snap observation) string {
	x, why := s.q.read(snap, s.lane)
	if why != "" {
		return why
	}
	return s.q.format(s.number * x)
}

// Measured lists the names of the lanes' quantities, but their settings, whose numbers are in the text.
func (t Text) Measured() (names []string) {
	for _, p := range t.places {
		if q := p.q; q.window != nil && q.param == nil && !q.before && !slices.Contains(names, q.symbol) {
			names = append(names, q.symbol)
		}
	}
	return names
}

// numbers writes the quantities of the text, each with its lane and its name.
func (t Text) numbers(s observation) []string {
	return list.Distinct(list.Map(t.places, func(p side) string { return p.label() + " " + p.text(s) }))
}

// missing lists the places whose number is not known in a snapshot.
func (t Text) missing(s observation) []string {
	var all []string
	for _, p := range t.places {
		if _, why := p.q.read(s, p.lane); why != "" {
			all = append(all, fmt.Sprintf("%s is %s", p, why))
		}
	}
	return all
}
