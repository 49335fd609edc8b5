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
