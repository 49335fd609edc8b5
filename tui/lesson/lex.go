package lesson

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// tokenKind is what a token of a condition is.
type tokenKind uint8

const (
	tokenEnd    tokenKind = iota
	tokenNumber           // 0.3, 1e-5, -2
	tokenName             // tau, and, on, A
	tokenOp               // < <= > >= = !=
	tokenMark             // ( ) *
)

type token struct {
	kind  tokenKind
	text  string
	value float64
	at    int // bytes before it
}

// lexer cuts a condition into tokens.
type lexer struct {
	text string
	at   int
	tok  token
}

// next reads a token into l.tok.
func (l *lexer) next() error {
	for l.at < len(l.text) && blank(l.text[l.at]) {
		l.at++
	}
	start := l.at
	l.tok = token{at: start}
	if start == len(l.text) {
		return nil
	}
	c := l.text[start]
	switch {
	case letter(c):
		for l.at < len(l.text) && (letter(l.text[l.at]) || digit(l.text[l.at]) || l.text[l.at] == '_' || l.text[l.at] == '-') {
			l.at++
		}
		l.tok.kind, l.tok.text = tokenName, l.text[start:l.at]
	case digit(c) || c == '.' || c == '-':
		return l.number()
	case c == '(' || c == ')' || c == '*':
		l.at++
		l.tok.kind, l.tok.text = tokenMark, l.text[start:l.at]
	case c == '<' || c == '>' || c == '=' || c == '!':
		if l.at++; l.at < len(l.text) && l.text[l.at] == '=' {
			l.at++
		}
		l.tok.kind, l.tok.text = tokenOp, l.text[start:l.at]
		if l.tok.text == "==" {
			l.tok.text = "="
		}
		if l.tok.text == "!" {
			return l.fault(start, "%q is no comparison; want one of < <= > >= = !=", "!")
		}
	default:
		r, _ := utf8.DecodeRuneInString(l.text[start:])
		return l.fault(start, "unexpected %q", r)
	}
	return nil
}

// number reads what Go's ParseFloat takes of plain decimal numbers.
func (l *lexer) number() error {
	start := l.at
	for l.at < len(l.text) {
		c := l.text[l.at]
		sign := (c == '-' || c == '+') && (l.at == start || l.text[l.at-1] == 'e' || l.text[l.at-1] == 'E')
		if !digit(c) && c != '.' && c != 'e' && c != 'E' && !sign {
			break
		}
		l.at++
	}
	text := l.text[start:l.at]
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return l.fault(start, "%q is no number", text)
	}
	l.tok.kind, l.tok.text, l.tok.value = tokenNumber, text, v
	return nil
}

// fault is an error that says where in the condition it is.
func (l *lexer) fault(at int, format string, args ...any) error {
	return fmt.Errorf("%s at column %d of %q", fmt.Sprintf(format, args...), utf8.RuneCountInString(l.text[:min(at, len(l.text))])+1, l.text)
}

func blank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }
func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
