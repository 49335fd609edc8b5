package dataset

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// readSeparated reads a table with one row a line, of a file that begins with head. One
// separator at the end of a line is allowed.
func readSeparated(s *source, format Format, head []byte, o Options) (*Table, error) {
	t := &Table{Format: format, Packed: s.packed}
	ahead := lookAhead(head, format)
	var labels labelSet
	if o.Like != nil {
		labels = o.Like.keys
	}
	err := s.rows(format, MaxFeatures+1, func(fields [][]byte) (header bool, err error) {
		err = t.locate(s, fields, ahead[min(1, len(ahead)):], o)
		return t.header != nil, err
	}, func(fields [][]byte) error { return t.addFields(s, fields, &labels, o.Numeric) })
	if err != nil {
		return nil, err
	}
	return t.finish(s, &labels)
}

// rows calls first with the fields of the first row, at most so many, and do with those of each row, which are as
// many. A header, which first reports, is no row.
func (s *source) rows(format Format, most int, first func(fields [][]byte) (header bool, err error),
	do func(fields [][]byte) error) error {
	var fields [][]byte
	width := 0
	return s.each(func(line []byte) (err error) {
		if fields, err = split(fields[:0], line, format); err != nil {
			return s.errorf("%s", err)
		}
		if width == 0 {
			fields = dropLast(fields)
			if width = len(fields); width > most {
				return s.errorf("number of fields is %d, want at most %d", width, most)
			}
			if header, err := first(fields); err != nil || header {
				return err
			}
		}
		if len(fields) == width+1 {
			fields = dropLast(fields)
		}
		if len(fields) != width {
			return s.errorf("number of fields is %d, want %d", len(fields), width)
		}
		return do(fields)
	})
}

// dropLast leaves out an empty last field, which a separator at the end of a line makes.
func dropLast(fields [][]byte) [][]byte {
	if n := len(fields); n > 1 && len(fields[n-1]) == 0 {
		return fields[:n-1]
	}
	return fields
}

func (t *Table) addFields(s *source, fields [][]byte, labels *labelSet, numeric bool) error {
	for j, b := range fields {
		x, v := parseNumber(b)
		switch {
		case t.out[j]:
		case j == t.label && v == missing:
			return s.errorf("%s has no label (missing values are not supported)", columnName(j, t.header))
		case j == t.label && numeric && v == number:
			t.Numbers = append(t.Numbers, x)
		case j == t.label && !numeric:
			y, ok := labels.class(b)
			if !ok && j < len(fields)-1 {
				return s.errorf("%s: %s", columnName(j, t.header), labels.complain(b))
			} else if !ok {
				return s.errorf("%s", labels.complain(b))
			}
			t.Y = append(t.Y, y)
		case v == notNumber:
			return s.errorf("%s %s; skip=%d leaves it out", columnName(j, t.header), v.complain(b), j+1)
		case v != number:
			return s.errorf("%s %s", columnName(j, t.header), v.complain(b))
		default:
			t.X = append(t.X, x)
		}
	}
	if t.Rows == maxCount {
		return s.errorf("more than %d rows", maxCount)
	}
	t.Rows++
	return s.room(t)
}

// columnName names a column by its place and, if it has one, its name.
func columnName(j int, header []string) string {
	if header == nil || header[j] == "" {
		return fmt.Sprintf("column %d", j+1)
	}
	return fmt.Sprintf("column %d (%s)", j+1, header[j])
}

// complain words a label that belongs to no class.
func (l *labelSet) complain(b []byte) string {
	if l.closed {
		return fmt.Sprintf("label %s, want %s or %s as in the training set",
			Quote(b), Quote(l.of[0].text), Quote(l.of[1].text))
	}
	return fmt.Sprintf("label %s is a third class beside %s and %s, want two classes",
		Quote(b), Quote(l.of[0].text), Quote(l.of[1].text))
}

// split appends the fields of a line, without surrounding blanks and quotes.
func split(dst [][]byte, line []byte, format Format) ([][]byte, error) {
	separators, blanks := format.separators(), " \t"
	if format == Tab {
		blanks = " "
	}
	for {
		line = bytes.TrimLeft(line, blanks)
		if format == Blank && len(line) == 0 {
			return dst, nil
		}
		quoted := len(line) > 0 && line[0] == '"'
		if quoted {
			field, rest, err := unquote(line)
			if err != nil {
				return dst, err
			}
			dst, line = append(dst, field), rest
			if format != Blank {
				line = bytes.TrimLeft(line, blanks)
			}
		} else {
			end := bytes.IndexAny(line, separators)
			if end < 0 {
				end = len(line)
			}
			dst, line = append(dst, bytes.TrimRight(line[:end], " \t")), line[end:]
		}
		if len(line) == 0 {
			return dst, nil
		}
		if quoted && strings.IndexByte(separators, line[0]) < 0 {
			return dst, fmt.Errorf("text after the closing quote of field %d", len(dst))
		}
		line = line[1:]
	}
}

// separators are the characters any of which ends a field.
func (f Format) separators() string {
	return [...]string{CSV: ",", Semicolon: ";", Tab: "\t", Blank: " \t"}[f]
}

// unquote reads a field that starts with a quote; a doubled quote within is one quote.
func unquote(b []byte) (field, rest []byte, err error) {
	b = b[1:]
	var joined []byte
	for {
		i := bytes.IndexByte(b, '"')
		if i < 0 {
			return nil, nil, errors.New("a quote is not closed on its line")
		}
		if i+1 < len(b) && b[i+1] == '"' {
			joined = append(joined, b[:i+1]...)
			b = b[i+2:]
			continue
		}
		field, rest = b[:i], b[i+1:]
		if joined != nil {
			field = append(joined, field...)
		}
		return bytes.TrimSpace(field), rest, nil
	}
}
