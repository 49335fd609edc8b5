package plane

import "slices"

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
func (p *Plane) Terms(r Rect) (all []Term) {
	for _, t := range p.terms {
		if t.rect.Intersect(r) == t.rect && !slices.Contains(all, t.Term) {
			all = append(all, t.Term)
		}
	}
	return all
}
