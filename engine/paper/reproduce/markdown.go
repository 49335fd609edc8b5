package reproduce

import (
	"regexp"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper/figure"
)

// markdown is a page's file.
func (p page) markdown() []byte {
	var b strings.Builder
	b.WriteString("# " + inlineMD(p.title) + "\n")
	for _, x := range p.blocks {
		b.WriteByte('\n')
		switch x := x.(type) {
		case heading:
			b.WriteString("## " + inlineMD(string(x)) + "\n")
		case prose:
			b.WriteString(x.markdown() + "\n")
		case bullets:
			for _, item := range x {
				b.WriteString("- " + item.markdown() + "\n")
			}
		case grid:
			x.markdown(&b)
		case picture:
			b.WriteString("![" + inlineMD(x.title) + "](" + x.file() + ")\n")
		}
	}
	return []byte(b.String())
}

func (p prose) markdown() string {
	all := ""
	for _, s := range p {
		text := ""
		switch s.face {
		case code:
			text = codeMD(s.text)
		case strong:
			text = "**" + inlineMD(s.text) + "**"
		default:
			text = inlineMD(s.text)
		}
		switch {
		case s.page != "":
			text = "[" + text + "](" + s.page + ".md)"
		case s.file != "":
			text = "[" + text + "](" + s.file + ")"
		}
		all += text
	}
	return newBlock.ReplaceAllString(all, `$1\$2$3`)
}

func (g grid) markdown(b *strings.Builder) {
	if g.title != "" {
		b.WriteString("**" + inlineMD(g.title) + "**\n\n")
	}
	line := func(cells []prose) {
		b.WriteByte('|')
		for _, c := range cells {
			b.WriteString(" " + c.markdown() + " |")
		}
		b.WriteByte('\n')
	}
	head := make([]prose, len(g.head))
	rule := "|"
	for i, h := range g.head {
		head[i] = words(h)
		if rule += "---"; g.numeric(i) {
			rule += ":" // flush right
		}
		rule += "|"
	}
	line(head)
	b.WriteString(rule + "\n")
	for _, r := range g.rows {
		line(r)
	}
}

var (
	special  = regexp.MustCompile("[\\\\`*_|~\\[\\]$<>]")
	newBlock = regexp.MustCompile(`^(?:(\d+)([.)] )|([-+] |#))`) // what begins a list or a heading
)

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
