package cli

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
)

// samplersText is the manual's section on the samplers: a paragraph each.
func samplersText() string {
	var b strings.Builder
	for _, k := range kinds() {
		for _, m := range ofKind(catalog.Methods(), k) {
			fmt.Fprintf(&b, "%s: %s, %s: %s. %s. %s.", m.Name, m.Title, article(m.Kind.String()), m.Doc, m.Equation, m.Source)
			if len(m.Params) > 0 {
				b.WriteString(" Settings:")
				for i, q := range m.Params {
					if i > 0 {
						b.WriteString(";")
					}
					fmt.Fprintf(&b, " %s, %s (%s; default %s)", q.Key, q.Doc, q.Allowed(), defaultOf(m, q, nil))
				}
				b.WriteString(".")
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// samplersMarkdown is the README's table of the samplers, from the registry. Of
// methods made of another one, such as distill:psgld, all but the first are named
// alone.
func samplersMarkdown() string {
	cell := strings.NewReplacer("|", "\\|", "\n", " ").Replace
	var b strings.Builder
	for i, k := range kinds() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| %s | what it is | its own settings |\n|---|---|---|\n", upperFirst(kindsName(k)))
		all := ofKind(catalog.Methods(), k)
		for j, m := range all {
			maker, _, made := strings.Cut(m.Name, ":")
			if made && j > 0 && strings.HasPrefix(all[j-1].Name, maker+":") {
				continue
			}
			names := "`" + m.Name + "`"
			for _, o := range all[j+1:] {
				if made && strings.HasPrefix(o.Name, maker+":") {
					names += ", `" + o.Name + "`"
				}
			}
			var own []string
			for _, q := range m.Params {
				own = append(own, "`"+q.Key+"`")
			}
			fmt.Fprintf(&b, "| %s | %s: %s (%s) | %s |\n", names, cell(m.Title), cell(m.Doc), cell(m.Source), cell(strings.Join(own, " ")))
		}
	}
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
