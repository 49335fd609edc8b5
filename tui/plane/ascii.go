package plane

import (
	"strings"
	"unicode/utf8"
)

// asciiFor is the nearest ASCII for a character that reached an ASCII plane, as wide as the character. Themes choose
// ASCII glyphs themselves and texts are spelled out; this catches the rest, such as a file name.
func asciiFor(p *Plane, r rune) string {
	if r < trailing {
		return strings.Repeat("?", Width(p.long[trailing-1-r]))
	}
	return nearest(r)
}

// nearest is the nearest ASCII for a character that is none.
func nearest(r rune) string {
	if s := standsFor(r, substitutes); s != "" {
		return s
	}
	return strings.Repeat("?", Width(string(r)))
}

// HasASCII reports whether an ASCII plane shows a text by characters that stand for its own.
func HasASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r >= utf8.RuneSelf && standsFor(r, substitutes) == "" && standsFor(r, spellings) == "" &&
			superscript(r) == 0
	})
}

// A standIn is what stands for any of some characters.
type standIn struct{ from, to string }

// substitutes are single characters of ASCII.
var substitutes = []standIn{
	{"–—−─╌┄┈╴╶", "-"}, {"│┆┊╎║▏▕‖", "|"}, {"╭╮╰╯┌┐└┘├┤┬┴┼", "+"},
	{"·•∘", "."}, {"●○◦", "o"}, {"▲", "^"}, {"■█", "#"}, {"◆", "+"}, {"×✗", "x"}, {"✓", "+"},
	{"…≈", "~"}, {"▶▸›»→", ">"}, {"◀◂‹«←", "<"}, {"═", "="},
	{"‘’", "'"}, {"“”", "\""}, {"★", "*"}, {"\u00a0", " "},
	{"₀", "0"}, {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"₄", "4"}, {"₅", "5"}, {"₆", "6"}, {"₇", "7"}, {"₈", "8"},
	{"₉", "9"},
}

// spellings stand for characters that no single one of ASCII can stand for without being read as something else.
var spellings = []standIn{
	{"αά", "alpha"}, {"β", "beta"}, {"γ", "gamma"}, {"δ", "delta"}, {"ε", "eps"}, {"θ", "theta"}, {"κ", "kappa"},
	{"π", "pi"}, {"ξ", "xi"}, {"ḡ", "g"}, {"á", "a"},
	{"λ", "lambda"}, {"μµ", "mu"}, {"ρ", "rho"}, {"σ", "sigma"}, {"τ", "tau"}, {"φ", "phi"},
	{"Γ", "Gamma"}, {"Δ", "Delta"}, {"Σ", "Sigma"}, {"√", "sqrt"}, {"∞", "inf"}, {"∇", "grad"},
	{"\u0302", "-hat"}, {"±", "+/-"}, {"≥", ">="}, {"≤", "<="}, {"→", "->"}, {"←", "<-"}, {"↑", "up"}, {"↓", "down"},
	{"½", "1/2"},
}

// standsFor is what stands for a character, empty if nothing does.
func standsFor(r rune, list []standIn) string {
	for _, s := range list {
		if strings.ContainsRune(s.from, r) {
			return s.to
		}
	}
	return ""
}

// superscript is the character that r raises, 0 for none.
func superscript(r rune) byte {
	const raised, plain = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵗᵀ", "0123456789-+tT"
	if i := strings.IndexRune(raised, r); i >= 0 {
		return plain[utf8.RuneCountInString(raised[:i])]
	}
	return 0
}

// Spell writes a text with ASCII where one character of ASCII would not do: eps for ε, sigma^2 for σ², +/- for ±. A
// blank separates a letter's name from its factors: 4 sigma^2 lambda for 4σ²λ. Other characters stay as they are.
func Spell(text string) string {
	if isASCII(text) {
		return text
	}
	text = strings.ReplaceAll(text, " ± ", "+/-") // as wide as the three characters
	out := make([]byte, 0, len(text)+8)
	raised, named := false, false // the last character was raised; was a name or raised
	for _, r := range text {
		if c := superscript(r); c != 0 {
			if !raised {
				out = append(out, '^')
			}
			out = append(out, c)
			raised, named = true, true
			continue
		}
		raised = false
		s := standsFor(r, spellings)
		name := s != "" && isWordByte(s[0])
		if n := len(out); n > 0 && isWordByte(out[n-1]) && (name || named && r < utf8.RuneSelf && isWordByte(byte(r))) {
			out = append(out, ' ')
		}
		named = name
		if s != "" {
			out = append(out, s...)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return string(out)
}

// ASCII writes a text with ASCII alone: spelled out where one character would not
// do, each other character as the one nearest to it.
func ASCII(text string) string {
	if isASCII(text) {
		return text
	}
	var b strings.Builder
	for _, r := range Spell(text) {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else {
			b.WriteString(nearest(r))
		}
	}
	return b.String()
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// isWordByte reports whether a character is part of a word or a number.
func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Spell is a text as it is written on the region: spelled out if its plane has
// ASCII alone. What is measured before it is written is measured so.
func (g Region) Spell(text string) string {
	if g.p == nil || !g.p.ASCII {
		return text
	}
	return Spell(text)
}
