package plane

import "github.com/psgld/psgld-tui/targets/tool/list"

// A Term is something on the screen that is not explained where it stands.
type Term interface {
	// Explain returns its name and what it means. Without a meaning it needs none.
	Explain() (word, meaning string)
}

// termAt is a term and where it stands.
type termAt struct {
	rect Rect
	Term
}

// Term declares terms that the region names or shows. A nil Term is none.
func (g Region) Term(all ...Term) {
	for _, t := range all {
		if t != nil && !g.rect.Empty() {
			g.p.terms = append(g.p.terms, termAt{g.rect, t})
		}
	}
}

// Terms returns the terms inside r, each once, in the order in which they were drawn since the newest Clear.
func (p *Plane) Terms(r Rect) []Term {
	within := list.Filter(p.terms, func(t termAt) bool { return t.rect.Intersect(r) == t.rect })
	return list.Distinct(list.Map(within, func(t termAt) Term { return t.Term }))
}
