package dataset

import (
	"bytes"
)

// readLIBSVM reads "label index:value index:value …" lines with indices from 1, increasing within a line. Text after
// '#' is a comment. A row without features is a row of zeros, as LIBSVM's own tools have it.
func readLIBSVM(s *source, o Options) (*Table, error) {
	if o.Label != "" || o.Header != "" || o.Skip != "" {
		return nil,
			s.whole("label, header and skip are for separated fields, and a LIBSVM file's label is its first field")
	}
	t := &Table{Format: LIBSVM, Start: []int32{0}}
	var labels labelSet
	if o.Like != nil {
		labels, t.Cols = o.Like.keys, o.Like.Cols
	}
	if err := s.each(func(line []byte) error { return t.addLIBSVM(s, line, &labels, o.Like != nil) }); err != nil {
		return nil, err
	}
	return t.finish(s, &labels)
}

func (t *Table) addLIBSVM(s *source, line []byte, labels *labelSet, fixed bool) error {
	tok, rest := token(line)
	if _, v := parseNumber(tok); v != number {
		return s.errorf("label %s", v.complain(tok))
	}
	y, ok := labels.class(tok)
	if !ok {
		return s.errorf("%s", labels.complain(tok))
	}
	if err := entries(s, rest, func(index int, value float64) {
		if index > t.Cols && fixed {
			t.Ignored++
			return
		}
		t.Cols = max(t.Cols, index)
		t.add(int32(index-1), value)
	}); err != nil {
		return err
	}
	if len(t.Index) > maxCount || t.Rows == maxCount {
		return s.errorf("more than %d rows or values", maxCount)
	}
	t.Y = append(t.Y, y)
	t.Start = append(t.Start, int32(len(t.Index)))
	t.Rows++
	return s.room(t)
}

// add appends an entry to the row being read. Values are stored from the first that is not 1.
func (t *Table) add(index int32, value float64) {
	if value == 0 {
		return
	}
	if t.Value == nil && value != 1 {
		t.Value = make([]float64, len(t.Index), cap(t.Index)+1)
		for i := range t.Value {
			t.Value[i] = 1
		}
	}
	t.Index = append(t.Index, index)
	if t.Value != nil {
		t.Value = append(t.Value, value)
	}
}

// entries calls add with each entry of a row, behind its label.
func entries(s *source, row []byte, add func(index int, value float64)) error {
	for last := 0; ; {
		tok, rest := token(row)
		if len(tok) == 0 || tok[0] == '#' {
			return nil
		}
		index, value, err := entry(s, tok, last)
		if err != nil {
			return err
		}
		add(index, value)
		last, row = index, rest
	}
}

// entry parses "index:value", where index must exceed last.
func entry(s *source, tok []byte, last int) (int, float64, error) {
	index, i := 0, 0
	for ; i < len(tok); i++ {
		d := tok[i] - '0'
		if d > 9 {
			break
		}
		if index <= MaxFeatures {
			index = index*10 + int(d)
		}
	}
	if i == 0 || i == len(tok) || tok[i] != ':' {
		return 0, 0, badEntry(s, tok)
	}
	if index < 1 || index > MaxFeatures {
		return 0, 0, s.errorf("feature index %s, want 1..%d", tok[:min(i, 40)], MaxFeatures)
	}
	if index <= last {
		return 0, 0, s.errorf("feature index %d after %d, want increasing indices", index, last)
	}
	b := tok[i+1:]
	x, v := parseNumber(b)
	if v != number {
		return 0, 0, s.errorf("feature %d %s", index, v.complain(b))
	}
	return index, x, nil
}

func badEntry(s *source, tok []byte) error {
	if index, _, ok := bytes.Cut(tok, []byte(":")); ok {
		return s.errorf("feature index %s, want 1..%d", Quote(index), MaxFeatures)
	}
	return s.errorf("field %s, want index:value", Quote(tok))
}

// token returns the first run of non-blanks of b, and what follows it.
func token(b []byte) (tok, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	if end := bytes.IndexAny(b, " \t"); end >= 0 {
		return b[:end], b[end:]
	}
	return b, nil
}
