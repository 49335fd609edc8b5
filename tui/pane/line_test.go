package pane

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
)

// A line is filled with the parts of the lowest ranks that fit, in their order.
func TestFill(t *testing.T) {
	for _, c := range []struct {
		w, rows int
		want    string
	}{
		{40, 1, "first second third 4th"}, {21, 1, "first second third"}, {17, 1, "first third 4th"},
		{11, 1, "first third"}, {9, 1, "first 4th"}, {4, 1, "first second third 4th"},
		{11, 2, "first third 4th"}, {12, 2, "first second third 4th"}, {2, 1, "first second third 4th"},
	} {
		var l Line
		for i, rank := range []int{0, 2, 1, 3} {
			l.Add(rank, "", plane.Style{}, plane.Style{}, []string{"first", "second", "third", "4th"}[i])
		}
		l.Fill(c.w, c.rows, 1)
		var got []string
		for _, p := range l.Parts {
			got = append(got, p.Text)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%d rows of %d columns: %q, want %q", c.rows, c.w, got, c.want)
		}
	}
}
