package program

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// How firmly an operation holds its values together, the loosest first.
const (
	ofSum = iota
	ofProduct
	ofPower
	ofAtom
)

// An expressor writes expressions of a formula.
type expressor struct {
	*language
	dim         int               // coordinates from this one on are columns
	coordinates []string          // how each is written
	names       map[string]string // of the formula's parameters
	local       map[*formula.Expr]string
	helpers     map[string]bool // the functions that the program must define
	missing     string          // a function that the language does not have
}

// deepest is how deep an expression may be before a part of it gets a name.
const deepest = 40

// locals names what is written more than once and is more than a single operation, or what
// would be too deep, each after what it is made of. A name is u, or u1, u2, …
func (x *expressor) locals(all []*formula.Expr) (named []*formula.Expr) {
	inner := formula.Inner(all)
	uses, size, depth := map[*formula.Expr]int{}, map[*formula.Expr]int{}, map[*formula.Expr]int{}
	for _, e := range all {
		uses[e]++
	}
	for _, e := range inner {
		for _, a := range e.Args {
			uses[a]++
		}
	}
	for _, e := range inner {
		if len(e.Args) == 0 {
			continue
		}
		size[e], depth[e] = 1, 1
		for _, a := range e.Args {
			size[e] = min(size[e]+size[a], deepest)
			depth[e] = max(depth[e], depth[a]+1)
		}
		costly := size[e] > 1 || !strings.Contains("+ - * / ^ square neg", e.Op)
		if e.Op == "neg" || e.Op == "*" && e.Args[0].Op == "number" && size[e.Args[1]] <= 1 {
			costly = false
		}
		if uses[e] > 1 && costly || depth[e] > deepest {
			named = append(named, e)
			size[e], depth[e] = 0, 0
		}
	}
	x.local = map[*formula.Expr]string{}
	for i, e := range named {
		x.local[e] = "u"
		if len(named) > 1 {
			x.local[e] += strconv.Itoa(i + 1)
		}
	}
	return named
}

// text is an expression, in brackets if it holds together less firmly than it must.
func (x *expressor) text(e *formula.Expr, firmly int) string {
	if name, ok := x.local[e]; ok {
		return name
	}
	text, holds := x.compose(e)
	if holds < firmly {
		return "(" + text + ")"
	}
	return text
}

// compose writes an expression and says how firmly it holds together.
func (x *expressor) compose(e *formula.Expr) (text string, holds int) {
	arg := func(i, firmly int) string { return x.text(e.Args[i], firmly) }
	power := "**"
	if x.isR {
		power = "^"
	}
	switch e.Op {
	case "number":
		if e.Number < 0 {
			return x.number(e.Number), ofSum
		}
		return x.number(e.Number), ofAtom
	case "name":
		return x.names[e.Name], ofAtom
	case "coordinate":
		return x.coordinates[e.Coordinate], ofAtom
	case "+", "-":
		return arg(0, ofSum) + " " + e.Op + " " + arg(1, ofProduct), ofSum
	case "neg":
		return "-" + arg(0, ofProduct), ofSum
	case "*":
		return arg(0, ofProduct) + "*" + arg(1, ofProduct), ofProduct
	case "/":
		return arg(0, ofProduct) + "/" + arg(1, ofPower), ofProduct
	case "square":
		return arg(0, ofAtom) + power + "2", ofPower
	case "^":
		return arg(0, ofAtom) + power + arg(1, ofAtom), ofPower
	}
	return x.call(e), ofAtom
}

func (x *expressor) call(e *formula.Expr) string {
	form, ok := x.calls[e.Op]
	if f, has := x.rowwise[e.Op]; has && x.byRow(e) {
		form = f
	}
	if !e.Varies {
		if f, has := x.fixed[e.Op]; has {
			form = f
		} else if ok && x.scalars != "" && e.Op != "abs" {
			form = x.scalars + e.Op + "(%)"
		}
	}
	if !ok {
		x.missing = e.Op
		return e.Op
	}
	for _, helper := range []string{"sigmoid", "logaddexp"} {
		if strings.HasPrefix(form, helper+"(") {
			x.helpers[helper] = true
		}
	}
	first, second := x.text(e.Args[0], ofSum), ""
	if len(e.Args) > 1 {
		second = x.text(e.Args[1], ofSum)
		if x.name == "torch" && e.Varies { // functions of two take no plain number
			for i, text := range []*string{&first, &second} {
				if !e.Args[i].Varies {
					*text = "torch.as_tensor(" + *text + ")"
				}
			}
		}
		if e.Op == "less" {
			first, second = x.text(e.Args[0], ofProduct), x.text(e.Args[1], ofProduct)
		}
	}
	return strings.NewReplacer("%", first, "@", second).Replace(form)
}

// byRow reports whether an expression is another in each row.
func (x *expressor) byRow(e *formula.Expr) bool {
	return slices.ContainsFunc(formula.Inner([]*formula.Expr{e}),
		func(e *formula.Expr) bool { return e.Op == "coordinate" && e.Coordinate >= x.dim })
}

// joined is the mean of what rows say and an N-th of the rest, or the sum of both for an exact method.
func (x *expressor) joined(p *page, row, rest *formula.Expr, rowText, restText string, n needs) string {
	over, share := "mean", "/N"
	if n.Exact {
		over, share = "sum", ""
	}
	switch {
	case x.byRow(row):
		rowText = p.say(over, nil) + "(" + rowText + ")"
	case n.Exact && !isZero(row):
		rowText = "N*(" + rowText + ")"
	}
	switch {
	case isZero(rest):
		return rowText
	case isZero(row):
		return "(" + restText + ")" + share
	}
	return rowText + " + (" + restText + ")" + share
}

func isZero(e *formula.Expr) bool { return e.Op == "number" && e.Number == 0 }

// errTooLong says that a program would not be read by anybody.
var errTooLong = errors.New("the formula is too long for a program that is to be read")

// longest is the length from which a part of a program is too long.
const longest = 20_000

// body writes the lines of a function that returns some expressions: the names of parts, and what returns.
func (x *expressor) body(p *page, all []*formula.Expr, returns func(values []string)) error {
	if len(formula.Inner(all)) > longest/4 {
		return errTooLong
	}
	from := len(p.lines)
	for _, e := range x.locals(all) {
		text, _ := x.compose(e)
		p.put(x.local[e] + p.is() + text)
	}
	returns(list.Map(all, func(e *formula.Expr) string { return x.text(e, ofSum) }))
	length := list.Sum(p.lines[from:], func(line string) int { return len(line) })
	switch {
	case length > longest:
		return errTooLong
	case x.missing != "":
		return fmt.Errorf("%s has no %s, which the formula's derivative needs; want one of the other languages",
			x.name, x.missing)
	}
	return nil
}

// local is what locals names parts.
var local = regexp.MustCompile(`^u[0-9]*$`)

// free makes a name that is not among some, by adding underscores, and takes it.
func free(name string, taken map[string]bool) string {
	if strings.HasPrefix(name, "_") { // which R does not have
		name = "p" + name
	}
	for taken[name] || local.MatchString(name) {
		name += "_"
	}
	taken[name] = true
	return name
}

// takenNames are the words that a parameter of a formula cannot have: those of the languages,
// and those of the programs.
func takenNames() map[string]bool {
	taken := map[string]bool{}
	for _, w := range slices.Concat(
		strings.Fields("False None True and as assert async await break class continue def del elif else except "+
			"finally for from global if import in is lambda nonlocal not or pass raise return try while with yield "+
			"match case type"),
		strings.Fields("abs float gzip len list max min open print range round str sum tuple np torch math csv rng F"),
		strings.Fields("function next repeat TRUE FALSE NULL Inf NaN NA NA_integer_ NA_real_ NA_complex_ "+
			"NA_character_ T c t q pi rep rnorm runif sample sqrt drop matrix pmin seq_len isTRUE set plogis nrow"),
		strings.Fields("eps eps_t temp alpha lam steps burn_in thin batch friction noise noise_estimate diffusion "+
			"rate leapfrog momentum freeze prior_var N D X y V G g h w w0 u v xi i l L gq forward back backward "+
			"ratio rise energy draws draw f d s rows queue theta data archive json zipfile mean shown logp loglik "+
			"grad curvature names cond variance "+
			"second Gamma sigmoid logaddexp joined"),
	) {
		taken[w] = true
	}
	for _, l := range languages {
		for from, to := range l.words {
			taken[from], taken[to] = true, true
		}
	}
	return taken
}
