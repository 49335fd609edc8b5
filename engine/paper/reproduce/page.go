package reproduce

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"strings"
	"text/template"

	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/targets/tool/list"
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
	return strings.Join(list.Map(p, func(x span) string { return x.text }), "")
}

var (
	//go:embed report.html.tmpl
	htmlText string
	//go:embed report.md.tmpl
	markdownText string
	//go:embed report.css
	style string
)

// A form is how pages are written.
type form struct {
	document           *template.Template
	text, code         func(string) string
	strong, page, file string         // formats of a text, and of where it leads to
	newBlock           *regexp.Regexp // what begins a list or a heading; nil where nothing does
}

var (
	htmlForm = form{
		text: escape, code: func(s string) string { return "<code>" + escape(s) + "</code>" },
		strong: "<strong>%s</strong>", page: `<a href="#%[2]s">%[1]s</a>`, file: `<a href="%[2]s">%[1]s</a>`,
	}.of(htmlText)
	markdownForm = form{
		text: inlineMD, code: codeMD, strong: "**%s**", page: "[%s](%s.md)", file: "[%s](%s)",
		newBlock: regexp.MustCompile(`^(?:(\d+)([.)] )|([-+] |#))`),
	}.of(markdownText)
)

// of gives a form the template of its files.
func (f form) of(text string) form {
	f.document = template.Must(template.New("").Funcs(template.FuncMap{
		"text": f.text, "prose": f.prose, "words": words, "style": func() string { return style },
		"is": func(kind string, b block) bool { return fmt.Sprintf("%T", b) == "reproduce."+kind },
	}).Parse(text))
	return f
}

// write makes a file of a page, or of all of them.
func (f form) write(pages any) []byte {
	var b strings.Builder
	if err := f.document.Execute(&b, pages); err != nil {
		panic(err) // the templates are part of the program
	}
	return []byte(b.String())
}

// prose writes a paragraph.
func (f form) prose(p prose) string {
	all := ""
	for _, s := range p {
		text := f.text(s.text)
		switch s.face {
		case code:
			text = f.code(s.text)
		case strong:
			text = fmt.Sprintf(f.strong, text)
		}
		switch {
		case s.page != "":
			text = fmt.Sprintf(f.page, text, s.page)
		case s.file != "":
			text = fmt.Sprintf(f.file, text, s.file)
		}
		all += text
	}
	if f.newBlock != nil {
		all = f.newBlock.ReplaceAllString(all, `$1\$2$3`)
	}
	return all
}

// escape writes text so that a browser shows it as it is.
func escape(s string) string { return html.EscapeString(clean(s)) }

var special = regexp.MustCompile("[\\\\`*_|~\\[\\]$<>]")

// inlineMD writes text so that a forge shows it as it is, on one line and in a table's cell.
func inlineMD(s string) string {
	return special.ReplaceAllString(strings.ReplaceAll(clean(s), "&", "&amp;"), `\$0`)
}

// codeMD writes text as code, between as many backticks as it takes. A bar would end a table's
// cell, so this is for text outside tables.
func codeMD(s string) string {
	s = figure.Clean(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	switch {
	case s == "":
		return noNumber
	case fence != "`":
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
