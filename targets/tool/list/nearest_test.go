package list

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	names := []string{"gaussian", "banana", "mixture", "funnel", "blr", "a9a", "australian"}
	for name, want := range map[string]string{
		"gausian": "gaussian", "gaussain": "gaussian", "Gaussian": "gaussian", "gauss": "gaussian", "bananna": "banana",
		"funel": "funnel", "blr": "blr", "brl": "blr", "austral": "australian", "a9": "a9a", "mix": "mixture",
		"": "", "x": "", "b": "", "mlp": "", "zzzzzz": "", "cnn": "", strings.Repeat("a", 1000): "",
	} {
		got, ok := Nearest(name, names)
		if got != want && ok || ok != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", name, got, ok, want)
		}
	}
	if _, ok := Nearest("a", nil); ok {
		t.Error("near to nothing")
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"abcd", "acbd", 1}, {"ca", "abc", 3},
	} {
		if got := distance(c.a, c.b); got != c.want || distance(c.b, c.a) != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
