package lesson

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets"
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

// A Condition is a goal or a claim: comparisons of quantities, joined by and, or
// and not. The package's documentation has the grammar. The zero Condition is
// none, and True.
type Condition struct {
	join  string // "and", "or", "not", "" for a comparison
	parts []Condition
	sides []side // of a comparison: one alone, two, or three of a chain
	ops   []string
}

// A side of a comparison is a number, or a factor times a quantity.
type side struct {
	number float64 // or the factor
	word   string  // of a number that is written as a word
	q      *measure
	lane   int // of q: 0 to 3
}

const (
	maxCondition = 1000 // bytes
	maxDepth     = 16   // parentheses and nots within each other
)

// Empty reports whether c is the zero Condition.
func (c Condition) Empty() bool { return c.join == "" && len(c.sides) == 0 }

// ParseCondition reads a condition. The error says where the fault is, what
// stands there and what is allowed.
func ParseCondition(text string) (Condition, error) {
	if len(text) > maxCondition {
		return Condition{}, fmt.Errorf("has %d bytes, want at most %d", len(text), maxCondition)
	}
	p := &conditionParser{lexer: lexer{text: text}}
	if err := p.next(); err != nil {
		return Condition{}, err
	}
	c, err := p.any(0)
	if err == nil && p.tok.kind != tokenEnd {
		err = p.fault(p.tok.at, "unexpected %q; want and, or, or the end", p.tok.text)
	}
	if err != nil {
		return Condition{}, err
	}
	return c, nil
}

type conditionParser struct{ lexer }

func (p *conditionParser) is(kind tokenKind, text string) bool {
	return p.tok.kind == kind && p.tok.text == text
}

// any reads parts joined by "or", or one alone.
func (p *conditionParser) any(depth int) (Condition, error) {
	return p.joined("or", func() (Condition, error) {
		return p.joined("and", func() (Condition, error) { return p.one(depth) })
	})
}

func (p *conditionParser) joined(word string, part func() (Condition, error)) (Condition, error) {
	c, err := part()
	if err != nil || !p.is(tokenName, word) {
		return c, err
	}
	all := Condition{join: word, parts: []Condition{c}}
	for p.is(tokenName, word) {
		if err := p.next(); err != nil {
			return all, err
		}
		if c, err = part(); err != nil {
			return all, err
		}
		all.parts = append(all.parts, c)
	}
	return all, nil
}

// one reads a comparison, a negation or a parenthesis.
func (p *conditionParser) one(depth int) (Condition, error) {
	if depth > maxDepth {
		return Condition{}, p.fault(p.tok.at, "more than %d parentheses and nots within each other", maxDepth)
	}
	switch {
	case p.is(tokenName, "not"):
		if err := p.next(); err != nil {
			return Condition{}, err
		}
		c, err := p.one(depth + 1)
		return Condition{join: "not", parts: []Condition{c}}, err
	case p.is(tokenMark, "("):
		if err := p.next(); err != nil {
			return Condition{}, err
		}
		c, err := p.any(depth + 1)
		if err != nil {
			return c, err
		}
		return c, p.take(")")
	}
	return p.comparison()
}

func (p *conditionParser) comparison() (Condition, error) {
	start := p.tok.at
	first, err := p.side()
	c := Condition{sides: []side{first}}
	for err == nil && p.tok.kind == tokenOp {
		if len(c.ops) == 2 {
			return c, p.fault(p.tok.at, "more than two comparisons in a chain; join them by and")
		}
		c.ops = append(c.ops, p.tok.text)
		if err = p.next(); err != nil {
			break
		}
		var s side
		if s, err = p.side(); err == nil {
			c.sides = append(c.sides, s)
		}
	}
	if err != nil {
		return c, err
	}
	some := false
	for _, s := range c.sides {
		some = some || s.q != nil
	}
	if !some {
		return c, p.fault(start, "a comparison needs a quantity, such as tau(A)")
	}
	if len(c.sides) == 1 && !c.sides[0].q.yesNo {
		return c, p.fault(start, "%s is not yes or no, and must be compared with something", c.sides[0].q.name)
	}
	return c, nil
}

// words are numbers that are written as words, the values of choices among them.
var words = []struct {
	word  string
	value float64
}{{"off", 0}, {"on", 1}, {"never", 0}, {"full", 0}, {"inf", math.Inf(1)}}

// side reads [NUMBER "*"] NAME "(" LANE ")", a number or a word for one.
func (p *conditionParser) side() (side, error) {
	s := side{number: 1}
	switch {
	case p.tok.kind == tokenNumber:
		s.number = p.tok.value
		if err := p.next(); err != nil || !p.is(tokenMark, "*") {
			return s, err
		}
		if err := p.next(); err != nil {
			return s, err
		}
	case p.tok.kind == tokenName:
		for _, w := range words {
			if p.tok.text == w.word {
				s.number, s.word = w.value, w.word
				return s, p.next()
			}
		}
	}
	if p.tok.kind != tokenName {
		what := strconv.Quote(p.tok.text)
		if p.tok.kind == tokenEnd {
			what = "the end"
		}
		return s, p.fault(p.tok.at, "unexpected %s; want a number or a quantity such as tau(A)", what)
	}
	q, ok := findQuantity(p.tok.text)
	if !ok {
		hint := targets.Hint("%q", normalName(p.tok.text), QuantityNames())
		return s, p.fault(p.tok.at, "unknown quantity %q%s; want a number that is shown of a lane, such as tau, ess, cov_error, test_error or eps", p.tok.text, hint)
	}
	s.q = q
	if err := p.next(); err != nil {
		return s, err
	}
	if q.session != nil {
		return s, nil
	}
	if err := p.take("("); err != nil {
		return s, err
	}
	lane, ok := grammar.Lane(p.tok.text)
	if p.tok.kind != tokenName || !ok {
		return s, p.fault(p.tok.at, "a lane must be A, B, C or D, got %q", p.tok.text)
	}
	s.lane = lane
	if err := p.next(); err != nil {
		return s, err
	}
	return s, p.take(")")
}

func (p *conditionParser) take(mark string) error {
	if p.is(tokenMark, mark) {
		return p.next()
	}
	what := strconv.Quote(p.tok.text)
	if p.tok.kind == tokenEnd {
		what = "the end"
	}
	return p.fault(p.tok.at, "want %q, got %s", mark, what)
}

// String writes the condition so that ParseCondition reads the same one.
func (c Condition) String() string {
	var b strings.Builder
	c.write(&b, 0)
	return b.String()
}

// write writes c for a place inside something that binds as level says: 0 or, 1
// and, 2 not.
func (c Condition) write(b *strings.Builder, level int) {
	own := map[string]int{"or": 0, "and": 1, "not": 2, "": 2}[c.join]
	if own < level {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch c.join {
	case "not":
		b.WriteString("not ")
		c.parts[0].write(b, 2)
	case "and", "or":
		for i, p := range c.parts {
			if i > 0 {
				b.WriteString(" " + c.join + " ")
			}
			p.write(b, own+1)
		}
	default:
		for i, s := range c.sides {
			if i > 0 {
				b.WriteString(" " + c.ops[i-1] + " ")
			}
			b.WriteString(s.String())
		}
	}
}

func (s side) String() string {
	number := strconv.FormatFloat(s.number, 'g', -1, 64)
	switch {
	case s.word != "":
		return s.word
	case s.q == nil:
		return number
	case s.number != 1:
		return number + " * " + s.q.at(s.lane)
	}
	return s.q.at(s.lane)
}
