package lesson

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// Truth is what is known of a condition. The order is that of Kleene's strong
// three-valued logic: "and" is the least of its parts, "or" the greatest.
type Truth uint8

// The values of Truth.
const (
	False Truth = iota
	Unknown
	True
)

func (t Truth) String() string { return [...]string{"false", "unknown", "true"}[t] }

// A Condition is a goal or a claim: comparisons of quantities, joined by and, or and not. The package's documentation
// has the grammar. The zero Condition is none, and True.
type Condition struct {
	join  string // "and", "or", "not", "" for a comparison
	parts []Condition
	sides []side // of a comparison: one alone, two, or three of a chain
	ops   []string
	text  string // as it was written
}

// A side of a comparison is a number, or a factor times a quantity.
type side struct {
	number  float64 // or the factor
	word    string  // of a number that is written as a word
	q       *measure
	lane    int // of q: 0 to 3
	written string
}

const (
	maxCondition = 1000 // bytes
	maxDepth     = 16   // parentheses and nots within each other
)

// String is the condition as it was written.
func (c Condition) String() string { return c.text }

func (s side) String() string { return s.written }

// Empty reports whether c is the zero Condition.
func (c Condition) Empty() bool { return c.join == "" && len(c.sides) == 0 }

// parseCondition reads a condition. The error says where the fault is, what stands there and what is allowed.
func parseCondition(text string) (Condition, error) {
	if len(text) > maxCondition {
		return Condition{}, fmt.Errorf("has %d bytes, want at most %d", len(text), maxCondition)
	}
	p := conditionParser{lex(text)}
	c := p.any(0)
	if p.tok.kind != tokenEnd {
		p.fault(p.tok.at, "unexpected %s; want and, or, or the end", p.found())
	}
	if p.err != nil {
		return Condition{}, p.err
	}
	return c, nil
}

type conditionParser struct{ lexer }

// any reads parts joined by "or", or one alone.
func (p *conditionParser) any(depth int) Condition {
	return p.joined("or", func() Condition { return p.joined("and", func() Condition { return p.one(depth) }) })
}

func (p *conditionParser) joined(word string, part func() Condition) Condition {
	start := p.tok.at
	c := part()
	if !p.is(tokenName, word) {
		return c
	}
	all := Condition{join: word, parts: []Condition{c}}
	for p.take(tokenName, word) {
		all.parts = append(all.parts, part())
	}
	all.text = p.since(start)
	return all
}

// one reads a comparison, a negation or a parenthesis.
func (p *conditionParser) one(depth int) (c Condition) {
	switch start := p.tok.at; {
	case depth > maxDepth:
		p.fault(p.tok.at, "more than %d parentheses and nots within each other", maxDepth)
	case p.take(tokenName, "not"):
		c = Condition{join: "not", parts: []Condition{p.one(depth + 1)}}
		c.text = p.since(start)
	case p.take(tokenMark, "("):
		c = p.any(depth + 1)
		p.want(")")
	default:
		c = p.comparison()
	}
	return c
}

func (p *conditionParser) comparison() Condition {
	start := p.tok.at
	c := Condition{sides: []side{p.side()}}
	for p.tok.kind == tokenOp {
		if len(c.ops) == 2 {
			p.fault(p.tok.at, "more than two comparisons in a chain; join them by and")
			break
		}
		c.ops = append(c.ops, p.tok.text)
		p.next()
		c.sides = append(c.sides, p.side())
	}
	c.text = p.since(start)
	switch q := c.sides[0].q; {
	case !slices.ContainsFunc(c.sides, func(s side) bool { return s.q != nil }):
		p.fault(start, "a comparison needs a quantity, such as tau(A)")
	case len(c.sides) == 1 && !q.yesNo:
		p.fault(start, "%s is not yes or no, and must be compared with something", q.name)
	}
	return c
}

// words are numbers that are written as words, the values of choices among them.
var words = []struct {
	word  string
	value float64
}{{"off", 0}, {"on", 1}, {"never", 0}, {"full", 0}, {"inf", math.Inf(1)}}

// side reads [NUMBER "*"] NAME "(" LANE ")", a number or a word for one.
func (p *conditionParser) side() (s side) {
	s.number = 1
	start := p.tok.at
	defer func() { s.written = p.since(start) }()
	if p.tok.kind == tokenNumber {
		s.number = p.tok.value
		if p.next(); !p.take(tokenMark, "*") {
			return s
		}
	} else {
		for _, w := range words {
			if p.take(tokenName, w.word) {
				s.number, s.word = w.value, w.word
				return s
			}
		}
	}
	q, ok := findQuantity(p.tok.text)
	switch {
	case p.tok.kind != tokenName:
		p.fault(p.tok.at, "unexpected %s; want a number or a quantity such as tau(A)", p.found())
		return s
	case !ok:
		p.fault(p.tok.at, "unknown quantity %q%s; want a number that is shown of a lane, such as tau, ess, cov_error, test_error or eps",
			p.tok.text, list.Hint("%q", normalName(p.tok.text), quantityNames()))
		return s
	}
	s.q = q
	if p.next(); q.session != nil {
		return s
	}
	p.want("(")
	if s.lane, ok = grammar.Lane(p.tok.text); p.tok.kind != tokenName || !ok {
		p.fault(p.tok.at, "a lane must be A, B, C or D, got %q", p.tok.text)
	}
	p.next()
	p.want(")")
	return s
}

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
		column := utf8.RuneCountInString(l.text[:min(at, len(l.text))]) + 1
		l.err = fmt.Errorf("%s at column %d of %q", fmt.Sprintf(format, args...), column, l.text)
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

// An observation is a snapshot as a scene sees it that may have begun in the midst of its session.
type observation struct {
	*engine.Snapshot
	began [state.MaxLanes]uint64 // draws that each lane, by its ID, had kept when it began
}

// eval says what is known of c. A comparison is Unknown if one of its quantities is not known: it is too short to be
// trusted, its lane is missing, or the target or the sampler does not have it.
func (c Condition) eval(s observation) Truth {
	switch c.join {
	case "not":
		return True - c.parts[0].eval(s)
	case "and":
		return slices.Min(list.Map(c.parts, func(p Condition) Truth { return p.eval(s) }))
	case "or":
		return slices.Max(list.Map(c.parts, func(p Condition) Truth { return p.eval(s) }))
	}
	if c.Empty() {
		return True
	}
	left, ok := c.sides[0].value(s)
	if len(c.sides) == 1 {
		return truth(left != 0, ok)
	}
	all := True
	for i, op := range c.ops {
		right, known := c.sides[i+1].value(s)
		all = min(all, truth(compare(left, op, right), ok && known))
		left, ok = right, known
	}
	return all
}

func truth(yes, known bool) Truth {
	switch {
	case !known:
		return Unknown
	case yes:
		return True
	}
	return False
}

func compare(a float64, op string, b float64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=":
		return same(a, b)
	}
	return !same(a, b)
}

// same reports whether two numbers are equal up to rounding: an ε that was turned notch
// by notch equals the one that a lesson names.
func same(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// value is a side's number, and whether it is known.
func (s side) value(snap observation) (float64, bool) {
	if s.q == nil {
		return s.number, true
	}
	x, why := s.q.read(snap, s.lane)
	return s.number * x, why == ""
}

// ands lists the parts of c that must all hold.
func (c Condition) ands() []Condition {
	switch {
	case c.Empty():
		return nil
	case c.join != "and":
		return []Condition{c}
	}
	return list.Flat(c.parts, Condition.ands)
}

// about reports whether is holds for each quantity of c, of which a comparison has one at least.
func (c Condition) about(is func(q *measure) bool) bool {
	for _, p := range c.parts {
		if !p.about(is) {
			return false
		}
	}
	return !c.Empty() && !slices.ContainsFunc(c.sides, func(x side) bool { return x.q != nil && !is(x.q) })
}
