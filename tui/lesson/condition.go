package lesson

import (
	"fmt"
	"math"
	"slices"

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
