package reproduce

import (
	_ "embed"
	"fmt"
	"html"
	"regexp"
	"strings"
	"text/template"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

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
