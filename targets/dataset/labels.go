package dataset

import "bytes"

// labelSet is the set of at most two labels of a file. Labels that are
// numbers are compared as numbers, so "+1", "1" and "1.0" are one.
type labelSet struct {
	text    [2][]byte
	value   [2]float64
	numeric [2]bool
	n       int
	closed  bool // no label may be added
}

// class returns the place of a label, adding it if there is room.
func (l *labelSet) class(b []byte) (int32, bool) {
	for i := range l.n {
		if bytes.Equal(b, l.text[i]) {
			return int32(i), true
		}
	}
	x, v := parseNumber(b)
	if v == number {
		for i := range l.n {
			if l.numeric[i] && l.value[i] == x {
				return int32(i), true
			}
		}
	}
	if l.closed || l.n == 2 {
		return 0, false
	}
	l.text[l.n] = bytes.Clone(b)
	l.value[l.n], l.numeric[l.n] = x, v == number
	l.n++
	return int32(l.n - 1), true
}

// order puts the smaller label first (numbers by value, else as text) and
// reports whether that swapped the two.
func (l *labelSet) order() bool {
	less := bytes.Compare(l.text[1], l.text[0]) < 0
	if string(l.text[0]) == "+" && string(l.text[1]) == "-" || string(l.text[0]) == "-" && string(l.text[1]) == "+" {
		less = string(l.text[1]) == "-" // as signs, and not as characters
	}
	if l.numeric[0] && l.numeric[1] {
		less = l.value[1] < l.value[0]
	}
	if less {
		l.text[0], l.text[1] = l.text[1], l.text[0]
		l.value[0], l.value[1] = l.value[1], l.value[0]
		l.numeric[0], l.numeric[1] = l.numeric[1], l.numeric[0]
	}
	return less
}

// finish settles classes and checks that t can be used.
func (t *Table) finish(s *source, l *labelSet) error {
	if t.Rows == 0 {
		return s.whole("no rows of data")
	}
	if t.Cols == 0 {
		return s.whole("no features, only labels")
	}
	if !l.closed {
		if l.n < 2 {
			return s.whole("every row has the label %s, want two classes", quote(l.text[0]))
		}
		if l.order() {
			for i, y := range t.Y {
				t.Y[i] = 1 - y
			}
		}
		l.closed = true
	}
	t.keys = *l
	t.Classes = [2]string{string(l.text[0]), string(l.text[1])}
	return nil
}
