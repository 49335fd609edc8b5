package pane

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/theme"
)

func TestShortNames(t *testing.T) {
	th, plain := theme.New(true, false, false), theme.New(true, false, true)
	for _, c := range [...]struct{ in, want string }{
		{"theta[1]", "θ₁"},
		{"theta[15704]", "θ₁₅₇₀₄"},
		{"intercept", "intercept"},
		{"theta[]", "theta[]"},
		{"theta[2,3]", "theta[2,3]"},
		{"theta[1", "theta[1"},
		{"theta[1234567890123]", "theta[1234567890123]"},
	} {
		if got := ShortName(&th, c.in); got != c.want {
			t.Errorf("shortName(%q) = %q, want %q", c.in, got, c.want)
		}
		if got := ShortNames(&th, "B: "+c.in+" is 3, "+c.in); got != "B: "+c.want+" is 3, "+c.want {
			t.Errorf("ShortNames with %q: %q", c.in, got)
		}
		if got := ShortName(&plain, c.in); got != c.in {
			t.Errorf("in ASCII %q is %q", c.in, got)
		}
	}
}
