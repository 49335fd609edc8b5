// Package formula differentiates a formula that a person typed.
//
// A formula is arithmetic on the coordinates x, or x and y, or t1 to tD, on constants and on named parameters. Parse
// checks it, and Compile makes a Tape of it, whose value and derivatives have the same bits on every processor.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// MaxDim is the most coordinates that a formula can have.
const MaxDim = 1000

// A Formula has been read and checked.
type Formula struct {
	// Dim is 1 in x, 2 in x and y, and the highest index of t1 … tD.
	Dim int
	// Indexed says that the coordinates are t1 to tD.
	Indexed bool
	// Occurs are the coordinates that occur, from 0.
	Occurs map[int]bool
	// Params are the names that stand for numbers given elsewhere, as they first occur.
	Params []Param

	root ast.Node
}

// A Param is a name in a formula whose value is given elsewhere.
type Param struct {
	Name   string
	Column int
}

// coordinate is the index of a coordinate's name, from 0. It reports whether that is one.
func coordinate(name string) (i int, ok bool) {
	switch name {
	case "x":
		return 0, true
	case "y":
		return 1, true
	}
	digits, found := strings.CutPrefix(name, "t")
	i, err := strconv.Atoi(digits)
	if !found || err != nil || digits[0] == '+' || digits[0] == '-' || digits[0] == '0' {
		return 0, false
	}
	return i - 1, true
}

// Taken reports whether no parameter can have a name, and what has it.
func Taken(name string) (by string, taken bool) {
	if _, ok := coordinate(name); ok {
		return "a coordinate", true
	}
	if _, ok := constants[name]; ok {
		return "a constant", true
	}
	if _, ok := find(name); ok {
		return "a function", true
	}
	return "", false
}

// Parse reads a formula. Its error is an *Error.
func Parse(text string) (*Formula, error) {
	f := &Formula{Occurs: map[int]bool{}}
	plane, indexed, highest := token{}, token{}, 0
	hasX := false
	var err error
	f.root, err = parse(text, alone, func(t token) error {
		i, ok := coordinate(t.text)
		f.Occurs[i] = f.Occurs[i] || ok
		switch {
		case ok && t.text[0] == 't':
			if indexed = t; i >= MaxDim {
				return &Error{t.column,
					fmt.Sprintf("%s is beyond t%d, the last coordinate there can be", shown(t.text), MaxDim)}
			}
			highest = max(highest, i+1)
		case ok:
			plane, hasX, f.Dim = t, hasX || i == 0, max(f.Dim, i+1)
		default:
			_, constant := constants[t.text]
			if !constant && !slices.ContainsFunc(f.Params, func(p Param) bool { return p.Name == t.text }) {
				f.Params = append(f.Params, Param{t.text, t.column})
			}
		}
		if plane.kind != 0 && indexed.kind != 0 {
			return &Error{t.column,
				fmt.Sprintf("%s stands beside %s; want x, or x and y, or t1 … tD", plane.text, indexed.text)}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case indexed.kind != 0:
		f.Dim, f.Indexed = highest, true
	case plane.kind == 0:
		return nil, &Error{1, "the formula has no coordinate; want x, or x and y, or t1 … tD"}
	case !hasX:
		return nil, &Error{plane.column, "y stands there without x; want x, or x and y, or t1 … tD"}
	}
	return f, nil
}

// parse is the tree of a text, whose names are told.
func parse(text string, as form, name func(token) error) (ast.Node, error) {
	if err := check(text, as, name); err != nil {
		return nil, err
	}
	c := conf.CreateNew()
	c.MaxNodes = 4 * MaxBytes
	tree, err := parser.ParseWithConfig(text, c)
	if err != nil { // what check lets through parses
		return nil, &Error{1, "the formula cannot be read: " + strings.SplitN(err.Error(), "\n", 2)[0]}
	}
	return tree.Node, nil
}

// A slot holds a number while a tape runs.
type slot = int32

// builder makes a tape.
type builder struct {
	t       *Tape
	fixed   []bool // slots that are constants
	numbers map[uint64]slot
	seen    map[instruction]slot // by out = 0
}

// Compile makes the tape of a formula with dim coordinates, at least Dim, and its parameters' values.
func (f *Formula) Compile(dim int, values map[string]float64) *Tape {
	return f.Stepped(dim, values, nil)
}

// Stepped is Compile by where coordinates with bounds are stepped, with the logarithm of |dx/du|. Their scale has dim
// of them, and is nil for none.
func (f *Formula) Stepped(dim int, values map[string]float64, scale *Scale) *Tape {
	b, _, root := f.build(dim, scale, func(b *builder, name string) slot { return b.number(values[name]) })
	b.t.root = root
	return b.t
}

// build writes the instructions of a formula with dim coordinates, whose parameters stand in
// the slots that param returns. shown are the coordinates' own, nil without a scale.
func (f *Formula) build(dim int, scale *Scale, param func(b *builder, name string) slot) (b *builder, shown []slot,
	root slot) {
	b = newBuilder(dim)
	jacobian := slot(0)
	if scale != nil {
		shown, jacobian = scale.write(b)
	}
	root = b.walk(f.root, func(name string) slot {
		if i, ok := coordinate(name); ok {
			if scale != nil {
				return shown[i]
			}
			return slot(i)
		}
		if x, ok := constants[name]; ok {
			return b.number(x)
		}
		return param(b, name)
	})
	if scale != nil {
		root = b.add(root, jacobian)
	}
	return b, shown, root
}

// walk writes a tree's instructions and returns the slot of its value.
func (b *builder) walk(n ast.Node, name func(string) slot) slot {
	switch n := n.(type) {
	case *ast.IntegerNode:
		return b.number(float64(n.Value))
	case *ast.FloatNode:
		return b.number(n.Value)
	case *ast.IdentifierNode:
		return name(n.Value)
	case *ast.UnaryNode:
		x := b.walk(n.Node, name)
		if n.Operator == "-" {
			x = b.one(neg, x)
		}
		return x
	case *ast.BinaryNode:
		x, y := b.walk(n.Left, name), b.walk(n.Right, name)
		switch n.Operator {
		case "+":
			return b.add(x, y)
		case "-":
			return b.sub(x, y)
		case "*":
			return b.mul(x, y)
		case "/":
			return b.do(div, x, y)
		case "^":
			return b.power(x, y)
		}
	case *ast.BuiltinNode:
		return b.call(n.Name, n.Arguments, name)
	case *ast.CallNode:
		return b.call(n.Callee.String(), n.Arguments, name)
	}
	panic("formula: " + n.String()) // check lets arithmetic through, and nothing else
}

func (b *builder) call(callee string, args []ast.Node, name func(string) slot) slot {
	f, _ := find(callee)
	return f.make(b, list.Map(args, func(a ast.Node) slot { return b.walk(a, name) }))
}

// number is the slot of a constant.
func (b *builder) number(x float64) slot {
	bits := math.Float64bits(x)
	at, ok := b.numbers[bits]
	if !ok {
		at = b.slot(x, true)
		b.numbers[bits] = at
	}
	return at
}

func (b *builder) slot(x float64, fixed bool) slot {
	b.t.start, b.fixed = append(b.t.start, x), append(b.fixed, fixed)
	return slot(len(b.fixed) - 1)
}

// do writes an instruction, unless the same stands there already or its operands are
// constants. x stands for both operands of an operation with one.
func (b *builder) do(o op, x, y slot) slot {
	if b.fixed[x] && b.fixed[y] {
		return b.number(o.apply(b.t.start[x], b.t.start[y]))
	}
	c := instruction{op: o, a: x, b: y}
	at, ok := b.seen[c]
	if !ok {
		at = b.slot(0, false)
		b.seen[c] = at
		c.out = at
		b.t.code = append(b.t.code, c)
	}
	return at
}

func (b *builder) one(o op, x slot) slot { return b.do(o, x, x) }
func (b *builder) add(x, y slot) slot    { return b.do(add, x, y) }
func (b *builder) sub(x, y slot) slot    { return b.do(sub, x, y) }

// mul is a square where both operands are one.
func (b *builder) mul(x, y slot) slot {
	if x == y {
		return b.one(square, x)
	}
	return b.do(mul, x, y)
}

// power is 1, the number itself, its square or its root where the exponent says that.
func (b *builder) power(x, y slot) slot {
	if !b.fixed[y] {
		return b.do(power, x, y)
	}
	switch b.t.start[y] {
	case 0:
		return b.number(1)
	case 1:
		return x
	case 2:
		return b.one(square, x)
	case 0.5:
		return b.one(sqrt, x)
	}
	return b.do(raise, x, y)
}

// standard is (x-m)/s.
func (b *builder) standard(x, m, s slot) slot { return b.do(div, b.sub(x, m), s) }
