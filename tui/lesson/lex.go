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
	tokenName             // tau, and, on, A
	tokenNumber           // 0.3, 1e-5, -2
	tokenOp               // < <= > >= = !=
	tokenMark             // ( ) *
)

// tokens matches the token with which a text begins, a group for each kind.
var tokens = regexp.MustCompile(`^(?:([A-Za-z][\w-]*)|([-\d.](?:[eE][-+]?|[\d.])*)|([<>=!]=?)|([()*]))`)

type token struct {
	kind  tokenKind
	text  string
	value float64 // of a number
	at    int     // bytes before it
}

// lexer cuts a condition into tokens.
type lexer struct {
	text string
	at   int
	tok  token
}

// next reads a token into l.tok.
func (l *lexer) next() error {
	rest := strings.TrimLeft(l.text[l.at:], " \t\r\n")
	start := len(l.text) - len(rest)
	l.at, l.tok = start, token{at: start}
	if rest == "" {
		return nil
	}
	groups := tokens.FindStringSubmatch(rest)
	if groups == nil {
		r, _ := utf8.DecodeRuneInString(rest)
		return l.fault(start, "unexpected %q", r)
	}
	l.tok.text = groups[0]
	l.at += len(l.tok.text)
	l.tok.kind = tokenKind(1 + slices.IndexFunc(groups[1:], func(s string) bool { return s != "" }))
	switch {
	case l.tok.kind == tokenNumber:
		var err error
		if l.tok.value, err = strconv.ParseFloat(l.tok.text, 64); err != nil {
			return l.fault(start, "%q is no number", l.tok.text)
		}
	case l.tok.text == "==":
		l.tok.text = "="
	case l.tok.text == "!":
		return l.fault(start, "%q is no comparison; want one of < <= > >= = !=", "!")
	}
	return nil
}

// fault is an error that says where in the condition it is.
func (l *lexer) fault(at int, format string, args ...any) error {
	return fmt.Errorf("%s at column %d of %q", fmt.Sprintf(format, args...), utf8.RuneCountInString(l.text[:min(at, len(l.text))])+1, l.text)
}
