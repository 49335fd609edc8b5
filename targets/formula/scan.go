package formula

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// The limits of a formula: its bytes, and how deep its brackets, signs and powers lie in each
// other. They are checked before the parser sees it, whose recursion goes as deep.
const (
	MaxBytes = 64 << 10
	MaxDepth = 1000
)

// An Error says where a formula is wrong, what stands there and what is allowed.
type Error struct {
	Column int // of characters, from 1
	What   string
}

// Error is one line.
func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.What) }

// mostShown is how much of a formula an error quotes.
const mostShown = 24

// shown quotes a part of a formula, of which nothing reaches a terminal as a command.
func shown(text string) string { return strconv.Quote(printable.Short(text, mostShown)) }

// A token is a number, a name or a single character of a formula.
type token struct {
	text   string
	column int
	kind   byte // '0' a number, 'a' a name, 0 the end, else the character
}

// tokens matches a number, a name or an operator. A point alone is a number that cannot be used.
var tokens = regexp.MustCompile(`^(?:((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|\.)|` +
	`([A-Za-z_][A-Za-z_0-9]*)|[-+*/^(),])`)

// next cuts the first token off text, after blanks.
func next(text string, column int) (t token, rest string, err error) {
	rest = strings.TrimLeft(text, " \t\r\n")
	t.column = column + len(text) - len(rest)
	if rest == "" {
		return t, "", nil
	}
	for _, power := range []string{"**", "²", "³"} {
		if strings.HasPrefix(rest, power) {
			return t, "", &Error{t.column, shown(power) + " stands there, want ^ for a power, as in x^2"}
		}
	}
	m := tokens.FindStringSubmatch(rest)
	switch {
	case m == nil:
		_, size := utf8.DecodeRuneInString(rest)
		return t, "", &Error{t.column,
			shown(rest[:size]) + " is not part of any formula; want numbers, names, + - * / ^ ( ) and commas"}
	case m[1] != "":
		t.kind = '0'
		if _, bad := strconv.ParseFloat(m[1], 64); bad != nil {
			return t, "", &Error{t.column, shown(m[1]) + " is no number that can be used"}
		}
		if _, bad := strconv.ParseInt(m[1], 10, 64); bad != nil && !strings.ContainsAny(m[1], ".eE") {
			return t, "", &Error{t.column, shown(m[1]) + " is too long, write it as 1e20"}
		}
	case m[2] != "":
		t.kind = 'a'
	default:
		t.kind = rest[0]
	}
	t.text = m[0]
	return t, rest[len(t.text):], nil
}

// operators are words that the parser takes as something else than a name.
var operators = []string{
	"true", "false", "nil", "not", "in", "or", "and", "matches", "contains", "startsWith", "endsWith", "let",
	"if", "else",
}

const (
	wantOperand  = "a number, a name or ("
	wantOperator = "+ - * / ^ or the end"
)

// A form is how a text is read: as a formula, or with data as an expression, in which names of distributions may be
// those of parameters, or as what stands behind ~, where distributions lack their first value.
type form int

const (
	alone form = iota
	withData
	sampled
)

// check walks over the tokens of a formula, and returns an error unless they stand as arithmetic and calls of Functions
// do. It does not recurse. name is called with each name that is no function's.
func check(text string, as form, name func(token) error) error {
	if len(text) > MaxBytes {
		return &Error{1, fmt.Sprintf("the formula has %d bytes, want at most %d", len(text), MaxBytes)}
	}
	type level struct {
		call  bool
		of    function // that is called, at a column, with so many values
		at    int
		args  int
		chain int // of signs and powers that wait for what is on their right
	}
	levels := []level{{}}
	depth := 0
	deeper := func(t token, by int) error {
		if depth += by; depth > MaxDepth {
			return &Error{t.column, fmt.Sprintf("brackets, signs and powers lie more than %d deep", MaxDepth)}
		}
		return nil
	}
	operand := true // a value is to come
	var before token
	for column, rest := 1, text; ; {
		was := rest
		t, more, err := next(rest, column)
		if err != nil {
			return err
		}
		top := &levels[len(levels)-1]
		wrong := func(want string) error {
			if t.kind == 0 {
				return &Error{t.column, "the formula ends, want " + want}
			}
			return &Error{t.column, shown(t.text) + " stands there, want " + want}
		}
		callee, function := find(before.text)
		_, distribution := supports[before.text]
		function = function && (as == alone || !distribution || t.kind == '(')
		if as == sampled && distribution && callee.n > 0 {
			callee.n--
			_, callee.args, _ = strings.Cut(callee.args, ", ")
		}
		if hint := renamed[before.text]; hint != "" && t.kind == '(' && (!function || as == alone) {
			return &Error{before.column, shown(before.text) + " is not taken here; want " + hint}
		}
		end := func() string {
			switch {
			case function:
				return "( after the function " + before.text
			case len(levels) > 1 && top.call:
				return "+ - * / ^ , or )"
			case len(levels) > 1:
				return "+ - * / ^ or )"
			}
			return wantOperator
		}
		link := func() { depth, top.chain = depth-top.chain, 0 }
		switch {
		case function && t.kind != '(':
			return wrong(end())
		case t.kind == '(' && (operand || function):
			levels, operand = append(levels, level{call: function, of: callee, at: before.column, args: 1}), true
			if err := deeper(t, 1); err != nil {
				return err
			}
		case t.kind == '(' && before.kind == 'a':
			return &Error{before.column, shown(before.text) + " is no function" +
				list.Hint("%q", before.text, Names()) + "; want one of " + strings.Join(Names(), ", ")}
		case operand && (t.kind == '+' || t.kind == '-'):
			top.chain++
			if err := deeper(t, 1); err != nil {
				return err
			}
		case operand && t.kind == 'a' && slices.Contains(operators, t.text):
			return wrong(wantOperand)
		case operand && (t.kind == '0' || t.kind == 'a'):
			operand = false
		case operand:
			return wrong(wantOperand)
		case t.kind == '^':
			operand = true
			top.chain++
			if err := deeper(t, 1); err != nil {
				return err
			}
		case t.kind == '+' || t.kind == '-' || t.kind == '*' || t.kind == '/' || t.kind == ',' && top.call:
			link()
			operand = true
			if t.kind == ',' {
				top.args++
			}
		case t.kind == ')' && len(levels) > 1:
			if f := top.of; top.call && (f.n >= 0 && top.args != f.n || top.args < -f.n) {
				return &Error{top.at, fmt.Sprintf("%s has %d values, want %s(%s)", f.name, top.args, f.name, f.args)}
			}
			link()
			levels, depth = levels[:len(levels)-1], depth-1
		case t.kind == 0 && len(levels) == 1:
		default:
			return wrong(end())
		}
		if before.kind == 'a' && !function {
			if err := name(before); err != nil {
				return err
			}
		}
		if t.kind == 0 {
			return nil
		}
		column += utf8.RuneCountInString(was[:len(was)-len(more)])
		before, rest = t, more
	}
}
