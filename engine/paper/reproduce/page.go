package reproduce

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// A page is a file of the report, and a part of its HTML. Templates read the exported fields.
type page struct {
	ID     string // of the file, without its ending
	Title  string
	Blocks []block
}

// A block is a heading, prose, bullets, a grid or a picture.
type block any

type (
	// A heading is of the second order; the page's title is the only one of the first.
	heading string
	// Prose is a paragraph.
	prose []span
	// Bullets are a list, of an item each.
	bullets []prose
	// A grid is a table under its title.
	grid struct {
		Title string
		Head  []string
		Rows  [][]prose
	}
	// A picture is a figure, of which there is a file in the folder figures.
	picture struct {
		name, Title string
		svg         []byte
	}
)

// A span is a stretch of text in one face. Text is from anywhere: what writes a page escapes it.
type span struct {
	text string
	face face
	page string // the page that it leads to, by its id; "" for none
	file string // or the file beside the page
}

// A face is how a span is set.
type face int

// The faces.
const (
	plain face = iota
	strong
	code
)

// words is text in the plain face.
func words(s string) prose { return prose{{text: s}} }

// labelled is text after a label, or the label of what follows.
func labelled(label, s string) prose {
	p := prose{{text: label + ".", face: strong}}
	if s != "" {
		p = append(p, span{text: " " + s})
	}
	return p
}

// clean is text on one line that every form can hold. Blanks at its ends stay, one each: another span may be there.
func clean(s string) string {
	all := figure.Clean(s)
	if strings.HasPrefix(s, " ") {
		all = " " + all
	}
	if strings.HasSuffix(s, " ") && len(s) > 1 {
		all += " "
	}
	return all
}

// File is the picture's, beside the page.
func (p picture) File() string { return "figures/" + p.name + ".svg" }

// Inline is the picture without the line that makes it a file.
func (p picture) Inline() string { return string(p.svg[max(0, bytes.Index(p.svg, []byte("<svg"))):]) }

// noNumber stands where there is no number.
const noNumber = claim.NoNumber

var numberStart = regexp.MustCompile(`^[-+.]?\d`)

// Numeric reports whether every cell of a column begins like a number, or is empty or none.
func (g grid) Numeric(column int) bool {
	some := false
	for _, r := range g.Rows {
		switch s := r[column].String(); {
		case s == "" || s == noNumber:
		case !numberStart.MatchString(s):
			return false
		default:
			some = true
		}
	}
	return some
}

// String is the text without its faces.
func (p prose) String() string {
	s := ""
	for _, x := range p {
		s += x.text
	}
	return s
}
