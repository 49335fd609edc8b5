package plane

import (
	"slices"
	"testing"
)

type word string

func (w word) Explain() (string, string) { return string(w), "means " + string(w) }

// Terms are those inside a part of the plane, each once, until the plane is cleared.
func TestTerms(t *testing.T) {
	p := NewPlane(10, 4)
	left, right := p.Sub(Rect{0, 0, 5, 4}), p.Sub(Rect{5, 0, 5, 4})
	left.Term(word("a"), nil, word("b"))
	left.Row(2).Term(word("a"))
	right.Term(word("c"))
	right.Sub(Rect{9, 0, 1, 1}).Term(word("none")) // outside of the region
	for _, c := range []struct {
		in   Rect
		want []Term
	}{
		{p.Bounds(), []Term{word("a"), word("b"), word("c")}},
		{right.Rect(), []Term{word("c")}},
		{left.Row(2).Rect(), []Term{word("a")}},
		{Rect{}, nil},
	} {
		if got := p.Terms(c.in); !slices.Equal(got, c.want) {
			t.Errorf("in %v: %v, want %v", c.in, got, c.want)
		}
	}
	if p.Clear(); p.Terms(p.Bounds()) != nil {
		t.Error("a cleared plane has terms")
	}
}
