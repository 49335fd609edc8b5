package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// labelNames and indexNames are the names, in small letters, of a label, and of a first column
// that numbers the rows: pandas and readr name theirs "", "unnamed: 0" and "...1".
var (
	labelNames = []string{"label", "y", "target", "class"}
	indexNames = []string{"", "unnamed: 0", "...1", "index", "level_0", "id", "row", "rownames"}
)

// fewestCounted is the number of rows from which on 0, 1, 2, … or 1, 2, 3, … numbers the rows.
const fewestCounted = 5

// KeepAll is the Options.Skip that leaves no column out, not even an index.
const KeepAll = "none"

// lookAhead splits the whole lines in the head of a file, as long as all have as many fields.
// The fields share its memory.
func lookAhead(head []byte, format Format) (rows [][][]byte) {
	if len(head) == headSize {
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		if line = bytes.Trim(bytes.TrimSuffix(line, []byte("\r")), " "); skipped(line) {
			continue
		}
		fields, err := split(nil, line, format)
		if len(rows) == 0 || len(fields) == len(rows[0])+1 {
			fields = dropLast(fields)
		}
		if err != nil || len(rows) > 0 && len(fields) != len(rows[0]) {
			break // what is wrong with the line is said when it is read
		}
		rows = append(rows, fields)
	}
	return rows
}

// column returns the numbers of column j in rows, and whether there is nothing else in it.
func column(rows [][][]byte, j int) (xs []float64, all bool) {
	for _, r := range rows {
		if x, v := parseNumber(r[j]); v == number {
			xs = append(xs, x)
		}
	}
	return xs, len(xs) > 0 && len(xs) == len(rows)
}

// counting reports whether numbers are consecutive integers from 0 or 1.
func counting(xs []float64) bool {
	for i, x := range xs {
		if x != xs[0]+float64(i) {
			return false
		}
	}
	return len(xs) > 0 && (xs[0] == 0 || xs[0] == 1)
}

// readHeader reads the names in the first line, if it is a header. It is one if it has words and no
// number, or if its numbers count from 0 or 1 and cannot all be values: two are not seen in their
// columns below, or a word stands over numbers. One alone does not tell. The name of 3 is x3.
func (t *Table) readHeader(s *source, first [][]byte, below [][][]byte, said string) error {
	var numbers []float64
	var names []string
	words, data := 0, false
	for _, f := range first {
		name := printable.Line(string(f))
		switch x, v := parseNumber(f); {
		case v == number:
			numbers, name = append(numbers, x), "x"+name
		case v == notNumber:
			words++
		default:
			data = data || v == notFinite || name == "?"
		}
		names = append(names, name)
	}
	header := said == "on" || said == "" && !data && words > 0 && len(numbers) == 0
	if said == "" && !data && len(numbers) > 1 && counting(numbers) {
		misfits := 0
		for j, f := range first {
			xs, all := column(below, j)
			if x, v := parseNumber(f); v == number && !slices.Contains(xs, x) {
				misfits++
			} else if v == notNumber && all {
				misfits += 2
			}
		}
		if header = misfits > 1; misfits == 1 {
			return s.errorf("the line may be data or a header of numbers, header=off or header=on decides")
		}
	}
	if header {
		t.header, t.numbered = names, len(numbers) > 0
	}
	return nil
}

// locate settles what the columns are, by the first line and as many of those below it as were
// looked at: whether it is a header, the label's column, those left out, and the features' names.
func (t *Table) locate(s *source, first [][]byte, below [][][]byte, o Options) error {
	if err := t.readHeader(s, first, below, o.Header); err != nil {
		return err
	}
	if t.header == nil {
		below = append([][][]byte{first}, below...)
	}
	t.out = make([]bool, len(first))
	like := o.Like
	switch {
	case like == nil:
		if err := t.choose(below, o); err != nil {
			return s.whole("%s", err)
		}
	case len(first) != like.Columns():
		return s.errorf("number of fields is %d, want %d as in the training set", len(first), like.Columns())
	default:
		t.label, t.out = like.label, like.out
		if j := slices.Index(t.header, o.Label); j >= 0 && o.Label != "" {
			if t.label = j; t.out[j] {
				return s.errorf("%s is skipped in the training set", columnName(j, t.header))
			}
		}
	}
	t.Cols = len(first) - 1 - len(t.Skipped())
	for j, name := range t.header {
		if j == t.label || t.out[j] {
			continue
		}
		if i := len(t.Names); like != nil && like.header != nil && name != like.Names[i] {
			return s.errorf("column is named %q, want %q as in the training set", name, like.Names[i])
		}
		t.Names = append(t.Names, name)
	}
	return nil
}

// choose settles the label's column and those that are left out, of a training set that begins with those rows.
func (t *Table) choose(rows [][][]byte, o Options) (err error) {
	width := len(t.out)
	if o.Skip != "" && o.Skip != KeepAll {
		for name := range strings.SplitSeq(o.Skip, ",") {
			j, err := t.find(strings.TrimSpace(name), "to skip")
			if err != nil {
				return err
			}
			t.out[j] = true
		}
	}
	var named []int
	for j, name := range t.header {
		if slices.Contains(labelNames, strings.ToLower(name)) && !t.out[j] {
			xs, _ := column(rows, j) // decimals are no classes
			if o.Numeric || !slices.ContainsFunc(xs, func(x float64) bool { return x != math.Floor(x) }) {
				named = append(named, j)
			}
		}
	}
	switch {
	case o.Label != "":
		if t.label, err = t.find(o.Label, "for the label"); err != nil {
			return err
		}
	case len(named) > 1:
		return fmt.Errorf("%s and %s both have the name of a label, label=%d or label=%d decides",
			columnName(named[0], t.header), columnName(named[1], t.header), named[0]+1, named[1]+1)
	case len(named) == 1:
		t.label = named[0]
	default:
		for t.label = width - 1; t.label > 0 && t.out[t.label]; t.label-- {
		}
	}
	if t.out[t.label] {
		return errors.New("the label's column is to be skipped")
	}
	if o.Skip == KeepAll || t.label == 0 || width-len(t.Skipped()) < 3 || t.out[0] {
		return nil
	}
	xs, all := column(rows, 0)
	counts := all && counting(xs) && len(xs) >= fewestCounted
	switch {
	case t.header != nil && slices.Contains(indexNames, strings.ToLower(t.header[0])),
		counts && (t.header == nil || t.numbered):
		t.out[0], t.index = true, true
	case counts:
		return fmt.Errorf("%s numbers the rows, skip=1 leaves it out and skip=%s takes it as a feature",
			columnName(0, t.header), KeepAll)
	}
	return nil
}

// find finds a column by name, or by number from 1, or from the last as -1.
func (t *Table) find(text, what string) (int, error) {
	width, among := len(t.out), ""
	if i := slices.Index(t.header, text); i >= 0 {
		return i, nil
	}
	switch k, err := strconv.Atoi(text); {
	case err == nil && k >= 1 && k <= width:
		return k - 1, nil
	case err == nil && k <= -1 && k >= -width:
		return k + width, nil
	case t.header != nil:
		among = "one of " + list.Some(t.header, 12) + " or "
	}
	return 0, fmt.Errorf("no column %q %s, want %sa number from 1 to %d", text, what, among, width)
}

// Taken says in a line what was taken as label, features and rows, and what was left out. What
// was made of the features comes after their number.
func (t *Table) Taken(made string) string {
	told := func(j int) string {
		place := "column " + strconv.Itoa(j+1)
		switch j {
		case 0:
			place = "first column"
		case len(t.out) - 1:
			place = "last column"
		}
		if t.header == nil || t.header[j] == "" {
			return place
		}
		return "`" + t.header[j] + "` (" + place + ")"
	}
	label := "first field"
	if !t.Sparse() {
		label = told(t.label)
	}
	text := fmt.Sprintf("label: %s, %s feature%s, %s rows, %s", label,
		param.Commas(strconv.Itoa(t.Cols)), "s"[:min(1, t.Cols-1)], param.Commas(strconv.Itoa(t.Rows)), made)
	if t.numbered {
		text += "; the first line is a header"
	}
	out := list.Map(t.Skipped(), told)
	if t.index {
		out[0] += ", an index"
	}
	if len(out) > 0 {
		text += "; left out: " + list.Some(out, 6)
	}
	return text
}
