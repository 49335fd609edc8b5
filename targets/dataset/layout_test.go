package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// table writes n rows of the fields that row gives below a header, which may be empty for none.
func table(header string, n int, row func(i int) string) string {
	var b strings.Builder
	if header != "" {
		b.WriteString(header + "\n")
	}
	for i := range n {
		b.WriteString(row(i) + "\n")
	}
	return b.String()
}

// What a file is taken for, as it is told: its rows, its label, its features and their values.
func TestLayout(t *testing.T) {
	// Two features, .5, 1.5, … and 7, 6, …, between what else a file has in a row.
	row := func(before, label, after func(i int) string) func(i int) string {
		return func(i int) string {
			fields := []string{before(i), fmt.Sprintf("%v,%d", float64(i)+0.5, 7-i), label(i), after(i)}
			return strings.Join(slices.DeleteFunc(fields, func(f string) bool { return f == "" }), ",")
		}
	}
	none := func(int) string { return "" }
	from := func(start int) func(i int) string { return func(i int) string { return fmt.Sprint(start + i) } }
	of := func(a, b string) func(i int) string { return func(i int) string { return []string{a, b}[i/2%2] } }
	taken := "label: %s, 2 features, 6 rows, standardised"
	for name, c := range map[string]struct {
		text  string
		o     Options
		names []string
		want  string // after what all have
		label string
	}{
		"pandas index": {text: table(",a,b,y", 6, row(from(0), of("0", "1"), none)), names: []string{"a", "b"},
			label: "`y` (last column)", want: "; left out: first column, an index"},
		"index, shuffled": {text: table("Unnamed: 0,a,b,y", 6, row(of("7", "2"), of("0", "1"), none)),
			names: []string{"a", "b"}, label: "`y` (last column)",
			want: "; left out: `Unnamed: 0` (first column), an index"},
		"row names": {text: table(`"","a","b","y"`, 6, row(of(`"Mazda"`, `"Fiat"`), of("0", "1"), none)),
			names: []string{"a", "b"}, label: "`y` (last column)", want: "; left out: first column, an index"},
		"id": {text: table("ID,a,b,y", 6, row(from(1000), of("0", "1"), none)),
			names: []string{"a", "b"}, label: "`y` (last column)", want: "; left out: `ID` (first column), an index"},
		"index, no header": {text: table("", 6, row(from(1), of("0", "1"), none)), label: "last column",
			want: "; left out: first column, an index"},
		"index, semicolons": {text: strings.ReplaceAll(table(",a,b,y", 6, row(from(0), of("0", "1"), none)), ",",
			";"), names: []string{"a", "b"}, label: "`y` (last column)", want: "; left out: first column, an index"},
		"label first": {text: table("label,a,b", 6, row(of("0", "1"), none, none)), names: []string{"a", "b"},
			label: "`label` (first column)"},
		"label within": {text: table("a,b,Class,flag", 6, row(none, of("no", "yes"), of("0", "0"))),
			o: Options{Skip: "flag"}, names: []string{"a", "b"}, label: "`Class` (column 3)",
			want: "; left out: `flag` (last column)"},
		"y is a coordinate": {text: table("y,b,kind", 6, row(none, of("0", "1"), none)), names: []string{"y", "b"},
			label: "`kind` (last column)"},
		"numbers": {text: table("0,1,2", 6, row(none, of("1", "2"), none)), names: []string{"x0", "x1"},
			label: "`x2` (last column)", want: "; the first line is a header"},
		"numbers from 1": {text: table("1,2,3", 6, row(none, of("1", "2"), none)), names: []string{"x1", "x2"},
			label: "`x3` (last column)", want: "; the first line is a header"},
		"numbers and index": {text: table(",0,1,2", 6, row(from(0), of("1", "2"), none)), names: []string{"x0", "x1"},
			label: "`x2` (last column)", want: "; the first line is a header; left out: first column, an index"},
		"numbers and words": {text: table("label,0,1", 6, row(of("1", "2"), none, none)), names: []string{"x0", "x1"},
			label: "`label` (first column)", want: "; the first line is a header"},
		"header=on": {text: table("2001,2004,8", 6, row(none, of("1", "2"), none)), o: Options{Header: "on"},
			names: []string{"x2001", "x2004"}, label: "`x8` (last column)", want: "; the first line is a header"},
		"header=off": {text: table("", 6, row(none, of("a", "b"), none)), o: Options{Header: "off"},
			label: "last column"},
		"by number": {text: table("a,b,c,d", 6, row(none, of("0", "1"), of("u", "v"))),
			o: Options{Label: "-2", Skip: "-1"}, names: []string{"a", "b"}, label: "`c` (column 3)",
			want: "; left out: `d` (last column)"},
		"last is skipped": {text: table("a,b,c,d", 6, row(none, of("0", "1"), of("u", "v"))), o: Options{Skip: "d"},
			names: []string{"a", "b"}, label: "`c` (column 3)", want: "; left out: `d` (last column)"},
		"several skipped": {text: table("n,a,b,y,z", 6, row(of("u", "v"), of("0", "1"), of("u", "v"))),
			o: Options{Skip: "n,5"}, names: []string{"a", "b"}, label: "`y` (column 4)",
			want: "; left out: `n` (first column), `z` (last column)"},
	} {
		t.Run(name, func(t *testing.T) {
			got := read(t, c.text, c.o)
			if want := fmt.Sprintf(taken, c.label) + c.want; got.Taken("standardised") != want {
				t.Errorf("%s\nwant %s", got.Taken("standardised"), want)
			}
			if !slices.Equal(got.X, []float64{.5, 7, 1.5, 6, 2.5, 5, 3.5, 4, 4.5, 3, 5.5, 2}) ||
				!slices.Equal(got.Y, []int32{0, 0, 1, 1, 0, 0}) || !slices.Equal(got.Names, c.names) {
				t.Errorf("features %v, labels %v, names %q", got.X, got.Y, got.Names)
			}
			// A test set is read as its training set, whatever its own rows would tell.
			lines := strings.SplitAfter(c.text, "\n")
			if test := read(t, strings.Join(append(lines[:len(lines)-7:len(lines)-7], lines[3]), ""),
				Options{Like: got, Header: c.o.Header}); test.Cols != 2 {
				t.Errorf("test set %+v", test)
			}
		})
	}
}

// An index is a feature where nobody doubts it, or where somebody says so.
func TestCountingFeatures(t *testing.T) {
	for text, o := range map[string]Options{
		"1,2,0\n2,5,1\n3,9,0\n4,0,1\n":                {},             // too few to tell
		"1,0\n2,1\n3,0\n4,1\n5,0\n6,1\n":              {},             // nothing else would be left
		",a,y\n0,5,0\n1,6,1\n2,2,1\n":                 {Skip: "none"}, // said
		"time,a,y\n1,2,0\n2,3,1\n3,4,1\n4,1,0\n5,1,0": {Skip: "none"},
		"time,a,y\n1,2,0\n2,3,1\n3,4,1\n4,1,0\n9,1,0": {}, // does not count
	} {
		if got := read(t, text, o); len(got.Skipped()) > 0 ||
			got.Cols != len(strings.Split(text[strings.LastIndex(strings.TrimSpace(text), "\n")+1:], ","))-1 {
			t.Errorf("%q: %d features, %v skipped", text, got.Cols, got.Skipped())
		}
	}
}

// What is ambiguous is refused, in a line that names the setting which decides.
func TestAmbiguousLayouts(t *testing.T) {
	counted := table("time,a,y", 6, func(i int) string { return fmt.Sprintf("%d,%d,%d", i, 7-i, i%2) })
	for want, c := range map[string]struct {
		text string
		o    Options
	}{
		"f: column 1 (time) numbers the rows, skip=1 leaves it out and skip=none takes it as a feature": {
			counted, Options{}},
		"f: column 1 (label) and column 4 (class) both have the name of a label, label=1 or label=4 decides": {
			"label,a,b,class\n1,2,3,0\n0,2,4,1\n", Options{}},
		"f:1: the line may be data or a header of numbers, header=off or header=on decides": {
			"0,1\n0.5,0\n1.5,1\n", Options{}},
		`f:4: column 1 (y): label "2" is a third class beside "0" and "1", want two classes`: {
			"y,a\n0,1\n1,1\n2,0\n", Options{}},
		"f: the label's column is to be skipped": {
			"a,b,y\n1,2,0\n", Options{Label: "y", Skip: "3"}},
		`f: no column "c" to skip, want one of a, b, y or a number from 1 to 3`: {
			"a,b,y\n1,2,0\n", Options{Skip: "a,c"}},
		`f: no column "-4" for the label, want a number from 1 to 3`: {
			"1,2,0\n", Options{Label: "-4"}},
		`f: no features, only labels`: {"a,y\n1,0\n2,1\n", Options{Skip: "a"}},
		"f: label, header and skip are for separated fields, and a LIBSVM file's label is its first field": {
			"1 3:1\n", Options{Skip: "1"}},
	} {
		if got, err := Read("f", strings.NewReader(c.text), 0, c.o); err == nil || err.Error() != want {
			t.Errorf("%q: %+v, error %v\nwant %s", c.text, got, err, want)
		}
	}
	// A test set whose label is where the training set has a column to skip.
	train := read(t, "y,a,b,id\n0,1,2,7\n1,3,4,8\n", Options{Label: "y", Skip: "id"})
	_, err := Read("f", strings.NewReader("id,a,b,y\n0,1,2,1\n"), 0, Options{Label: "y", Like: train})
	if want := "f:1: column 4 (y) is skipped in the training set"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	for said, rows := range map[string]int{"off": 3, "on": 2} {
		if got := read(t, "0,1\n0.5,0\n1.5,1\n", Options{Header: said}); got.Rows != rows {
			t.Errorf("header=%s: %d rows", said, got.Rows)
		}
	}
}
