package text

import (
	"bytes"
	"testing"
)

// screen is a terminal of a width.
type screen struct {
	bytes.Buffer
	width int
}

func (s *screen) Columns() int { return s.width }

// On a narrow terminal a table is written in blocks of columns, or wrapped if it is of text.
func TestNarrowTables(t *testing.T) {
	numbers := func() *Table {
		t := &Table{Left: 1}
		t.Add("lane", "steps", "draws", "min ESS")
		t.Add("A", "20,000", "10,000", "3")
		t.Add("B", "1", "2", "400")
		return t
	}
	marked := numbers()
	marked.rows[2] = append(marked.rows[2], "differs")
	words := func() *Table {
		t := &Table{Left: 2}
		t.Add("name", "what it is")
		t.Add("a heading that is longer than the table")
		t.Add("eps", "the size of a step of the chain")
		t.Add("T", "temperature")
		return t
	}
	for _, c := range []struct {
		of    *Table
		width int
		want  string
	}{
		{numbers(), 0, "lane   steps   draws  min ESS\nA     20,000  10,000        3\nB          1       2      400\n"},
		{numbers(), 29, "lane   steps   draws  min ESS\nA     20,000  10,000        3\nB          1       2      400\n"},
		{numbers(), 28, "lane   steps   draws\nA     20,000  10,000\nB          1       2\n\nlane  min ESS\nA      " +
			"     3\nB         400\n"},
		{marked, 13, "lane   steps\nA     20,000\nB          1\n\nlane   draws\nA     10,000\nB          2\n\nlane " +
			" min ESS\nA           3\nB         400\n\nB     differs\n"},
		{numbers(), 5, "lane   steps\nA     20,000\nB          1\n\nlane   draws\nA     10,000\nB          " +
			"2\n\nlane  min ESS\nA           3\nB         400\n"},
		{words(), 0, "name  what it is\na heading that is longer than the table\neps   the size of a step of the " +
			"chain\nT     temperature\n"},
		{words(), 20, "name  what it is\na heading that is\nlonger than the\ntable\neps   the size of a\n      " +
			"step of the\n      chain\nT     temperature\n"},
		{words(), 5, "name  what it is\na\nheading\nthat\nis\nlonger\nthan\nthe\ntable\neps   the size of\n      a " +
			"step of\n      the chain\nT     temperature\n"},
	} {
		w := &screen{width: c.width}
		if c.of.Write(w); w.String() != c.want {
			t.Errorf("%d wide:\n%s\nwant\n%s", c.width, w.String(), c.want)
		}
	}
}

func TestNarrowLines(t *testing.T) {
	for width, want := range map[int]string{0: "note: one  two three\n", 16: "note: one two\n      three\n"} {
		w := &screen{width: width}
		if Line(w, "one  two three", "note: "); w.String() != want {
			t.Errorf("%d wide: %q, want %q", width, w.String(), want)
		}
	}
}
