package dataset

import (
	"bytes"
	"math"
)

// labelSet is the set of at most two labels of a file. Labels that are
// numbers are compared as numbers, so "+1", "1" and "1.0" are one.
type labelSet struct {
	of     [2]label
	n      int
	closed bool // no label may be added
}

// A label is one as the file writes it first.
type label struct {
	text  []byte
	value float64 // NaN where it is no number
}

// class returns the place of a label, adding it if there is room.
func (l *labelSet) class(b []byte) (int32, bool) {
	x, v := parseNumber(b)
	if v != number {
		x = math.NaN()
	}
	for i, known := range l.of[:l.n] {
		if x == known.value || bytes.Equal(b, known.text) {
			return int32(i), true
		}
	}
	if l.closed || l.n == len(l.of) {
		return 0, false
	}
	l.of[l.n] = label{bytes.Clone(b), x}
	l.n++
	return int32(l.n - 1), true
}

// order puts the smaller label first (numbers by value, - before +, else as text) and
// reports whether that swapped the two.
func (l *labelSet) order() bool {
	a, b := l.of[0], l.of[1]
	less := bytes.Compare(b.text, a.text) < 0
	switch string(a.text) + string(b.text) {
	case "+-", "-+":
		less = !less
	}
	if !math.IsNaN(a.value) && !math.IsNaN(b.value) {
		less = b.value < a.value
	}
	if less {
		l.of = [2]label{b, a}
	}
	return less
}

// finish settles classes and checks that t can be used.
func (t *Table) finish(s *source, l *labelSet) (*Table, error) {
	if t.Rows == 0 {
		return nil, s.whole("no rows of data")
	}
	if t.Cols == 0 {
		return nil, s.whole("no features, only labels")
	}
	if t.Numbers != nil {
		return t, s.wide(t)
	}
	if !l.closed {
		if err := s.wide(t); err != nil {
			return nil, err
		}
		if l.n < 2 {
			return nil, s.whole("every row has the label %s, want two classes", Quote(l.of[0].text))
		}
		if l.order() {
			for i, y := range t.Y {
				t.Y[i] = 1 - y
			}
		}
		l.closed = true
	}
	t.keys = *l
	t.Classes = [2]string{string(l.of[0].text), string(l.of[1].text)}
	return t, nil
}
