// Package printable masks text that comes from outside, such as names of files and what
// stands in them, so that a terminal shows it and does not obey it.
package printable

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Mask stands for each character that a terminal would not show.
const Mask = '·'

// Is reports whether a terminal shows a character. It does not show control characters (C0, DEL and C1), separators of
// lines and paragraphs, format characters, such as those that turn the direction of writing, what has no width by
// default, and what is no character. The joiners of emoji and of Persian, and variation selectors, count as shown: they
// change how their neighbour looks.
func Is(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r >= ' ' && r != 0x7f
	case r < 0x300:
		return r >= 0xa0 && r != 0xad
	case r == 0x200c || r == 0x200d: // joiners
		return true
	case !utf8.ValidRune(r):
		return false
	}
	return unicode.In(r, unicode.Prepended_Concatenation_Mark) || // drawn, though Cf
		!unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Noncharacter_Code_Point)
}

// All reports whether Line would change nothing.
func All(text string) bool {
	for i, r := range text {
		if !Is(r) || r == utf8.RuneError && !strings.HasPrefix(text[i:], string(r)) {
			return false
		}
	}
	return true
}

// Line is a text on one line. White space that is no blank becomes one, and Mask stands for
// everything else that is not shown; for bytes that are no UTF-8 stands U+FFFD.
func Line(text string) string {
	if All(text) {
		return text
	}
	return strings.Map(shown, text)
}

// Short is Line, and of more than so many characters the first, with an ellipsis.
func Short(text string, most int) string {
	text = Line(text)
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + "…"
	}
	return text
}

// Lines is Line for every line of a text, whose tabs stay too.
func Lines(text string) string {
	if All(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return shown(r)
	}, text)
}

// shown is a character, or what stands for it.
func shown(r rune) rune {
	switch {
	case Is(r):
		return r
	case unicode.IsSpace(r):
		return ' '
	}
	return Mask
}

// JSON writes what is not shown in a JSON document, which only its strings hold, as \u and four
// hexadecimal digits, so that the document means the same. Its line ends stay.
func JSON(document []byte) []byte {
	if All(strings.ReplaceAll(string(document), "\n", "")) {
		return document
	}
	const hex = "0123456789abcdef"
	out := make([]byte, 0, len(document)+64)
	escape := func(c rune) {
		out = append(out, '\\', 'u', hex[c>>12&15], hex[c>>8&15], hex[c>>4&15], hex[c&15])
	}
	for _, r := range string(document) {
		switch {
		case r == '\n' || Is(r):
			out = utf8.AppendRune(out, r)
		case r > 0xffff:
			escape(0xd800 + (r-0x10000)>>10)
			escape(0xdc00 + (r-0x10000)&0x3ff)
		default:
			escape(r)
		}
	}
	return out
}
