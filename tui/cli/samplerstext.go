package cli

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// samplersText is the manual's section on the samplers: a paragraph each.
func samplersText() string {
	var b strings.Builder
	for _, k := range kinds() {
		for _, m := range ofKind(sampler.Methods(), k) {
			fmt.Fprintf(&b, "%s: %s, %s: %s. %s. %s.", m.Name, m.Title, article(m.Kind.String()), m.Doc, m.Equation, m.Source)
			if len(m.Params) > 0 {
				b.WriteString(" Settings:")
				for i, q := range m.Params {
					if i > 0 {
						b.WriteString(";")
					}
					fmt.Fprintf(&b, " %s, %s (%s; default %s)", q.Key, q.Doc, q.Allowed(), q.Format(q.Default))
				}
				b.WriteString(".")
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// samplersMarkdown is the README's table of the samplers, from the registry.
func samplersMarkdown() string {
	cell := strings.NewReplacer("|", "\\|", "\n", " ").Replace
	var b strings.Builder
	for i, k := range kinds() {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "| %s | what it is | settings of its own, and their defaults |\n|---|---|---|\n", upperFirst(kindsName(k)))
		for _, m := range ofKind(sampler.Methods(), k) {
			var own []string
			for _, q := range m.Params {
				own = append(own, fmt.Sprintf("`%s=%s`", q.Key, q.Format(q.Default)))
			}
			fmt.Fprintf(&b, "| `%s` | %s: %s. %s (%s) | %s |\n", m.Name, cell(m.Title), cell(m.Doc), cell(m.Equation), cell(m.Source), cell(strings.Join(own, " ")))
		}
	}
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
