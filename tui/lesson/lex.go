package lesson

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tokenKind is what a token of a condition is.
type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenName             // tau, target.b, and, on, A
	tokenNumber           // 0.3, 1e-5, -2
	tokenOp               // < <= > >= = !=
	tokenMark             // ( ) *
)

// tokens matches the token with which a text begins, a group for each kind.
var tokens = regexp.MustCompile(`^(?:([A-Za-z][\w.-]*)|([-\d.](?:[eE][-+]?|[\d.])*)|([<>=!]=?)|([()*]))`)

type token struct {
	kind  tokenKind
	text  string
	value float64 // of a number
	at    int     // bytes before it
}

// lexer cuts a condition into tokens. After the first fault there are no more.
type lexer struct {
	text string
	at   int
	end  int // of the token before the one at hand
	tok  token
	err  error
}

// lex begins a text with its first token.
func lex(text string) lexer {
	l := lexer{text: text}
	l.next()
	return l
}

// next reads a token into l.tok.
func (l *lexer) next() {
	l.end = l.at
	rest := strings.TrimLeft(l.text[l.at:], " \t\r\n")
	start := len(l.text) - len(rest)
	l.at, l.tok = start, token{at: start}
	if rest == "" || l.err != nil {
		return
	}
	groups := tokens.FindStringSubmatch(rest)
	if groups == nil {
		r, _ := utf8.DecodeRuneInString(rest)
		l.fault(start, "unexpected %q", r)
		return
	}
	text := groups[0]
	l.at += len(text)
	l.tok.text, l.tok.kind = text, tokenKind(1+slices.IndexFunc(groups[1:], func(s string) bool { return s != "" }))
	switch {
	case l.tok.kind == tokenNumber:
		var err error
		if l.tok.value, err = strconv.ParseFloat(text, 64); err != nil {
			l.fault(start, "%q is no number", text)
		}
	case text == "==":
		l.tok.text = "="
	case text == "!":
		l.fault(start, "%q is no comparison; want one of < <= > >= = !=", text)
	}
}

// fault sets the error, unless there is one, which says where in the text it is.
func (l *lexer) fault(at int, format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s at column %d of %q", fmt.Sprintf(format, args...), utf8.RuneCountInString(l.text[:min(at, len(l.text))])+1, l.text)
	}
	l.tok = token{at: l.tok.at}
}

// is reports whether the token at hand is such a one.
func (l *lexer) is(kind tokenKind, text string) bool { return l.tok.kind == kind && l.tok.text == text }

// take takes such a token, if it is the one at hand.
func (l *lexer) take(kind tokenKind, text string) bool {
	is := l.is(kind, text)
	if is {
		l.next()
	}
	return is
}

// want takes a mark that must come.
func (l *lexer) want(mark string) {
	if !l.take(tokenMark, mark) {
		l.fault(l.tok.at, "want %q, got %s", mark, l.found())
	}
}

// since is the text from a place to before the token at hand.
func (l *lexer) since(start int) string { return l.text[start:max(l.end, start)] }

// found is the token at hand as errors say it.
func (l *lexer) found() string {
	if l.tok.kind == tokenEnd {
		return "the end"
	}
	return strconv.Quote(l.tok.text)
}
