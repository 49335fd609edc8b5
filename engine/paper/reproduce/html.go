package reproduce

import (
	"bytes"
	_ "embed"
	"html"
	"strings"
)

//go:embed report.css
var style string

// htmlOf is report.html: all pages in one file, their figures in it.
func htmlOf(pages []page) []byte {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n" +
		"<title>" + escape(pages[0].title) + "</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n")
	for _, p := range pages {
		b.WriteString("<section id=\"" + escape(p.id) + "\">\n")
		b.WriteString("<h1>" + escape(p.title) + "</h1>\n")
		for _, x := range p.blocks {
			switch x := x.(type) {
			case heading:
				b.WriteString("<h2>" + escape(string(x)) + "</h2>\n")
			case prose:
				b.WriteString("<p>" + x.html() + "</p>\n")
			case bullets:
				b.WriteString("<ul>\n")
				for _, item := range x {
					b.WriteString("<li>" + item.html() + "</li>\n")
				}
				b.WriteString("</ul>\n")
			case grid:
				x.html(&b)
			case picture:
				b.WriteString("<figure>")
				b.Write(x.svg[max(0, bytes.Index(x.svg, []byte("<svg"))):]) // without the line that makes it a file
				b.WriteString("</figure>\n")
			}
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String())
}

// escape writes text so that a browser shows it as it is.
func escape(s string) string { return html.EscapeString(clean(s)) }

func (p prose) html() string {
	all := ""
	for _, s := range p {
		text := escape(s.text)
		switch s.face {
		case code:
			text = "<code>" + text + "</code>"
		case strong:
			text = "<strong>" + text + "</strong>"
		}
		switch {
		case s.page != "":
			text = "<a href=\"#" + escape(s.page) + "\">" + text + "</a>"
		case s.file != "":
			text = "<a href=\"" + escape(s.file) + "\">" + text + "</a>"
		}
		all += text
	}
	return all
}

// long is the length of a cell that has sentences.
const long = 40

func (g grid) html(b *strings.Builder) {
	b.WriteString("<div class=\"table\"><table>\n")
	if g.title != "" {
		b.WriteString("<caption><span>" + escape(g.title) + "</span></caption>\n")
	}
	cell := func(tag string, column int, text string) {
		b.WriteString("<" + tag)
		switch {
		case g.numeric(column):
			b.WriteString(" class=\"number\"")
		case tag == "td" && len(text) > long:
			b.WriteString(" class=\"sentences\"")
		}
		b.WriteString(">" + text + "</" + tag + ">")
	}
	b.WriteString("<thead><tr>")
	for i, h := range g.head {
		cell("th", i, escape(h))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range g.rows {
		b.WriteString("<tr>")
		for i, c := range r {
			cell("td", i, c.html())
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table></div>\n")
}
