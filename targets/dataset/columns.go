package dataset

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Columns are those of a file that are asked for, as numbers.
type Columns struct {
	Rows int
	// Of has the columns, by their names. Characters that no name of a formula has are written _. Those of a
	// LIBSVM file are y and x1, x2, …, and those of a file without a header x1, x2, …; a matrix X of JSON has X[,1],
	// X[,2], ….
	Of map[string][]float64
	// Scalars are the single numbers of JSON.
	Scalars map[string]float64
	// Names are all columns of the file.
	Names []string
	// Keys are the names in the file by those in Names, if it is JSON; nil of another. Format and Header are those of
	// another: how fields are parted, and whether the first line has names.
	Keys           map[string]string
	Zipped, Packed bool // packed by gzip
	Format         Format
	Header         bool
}

// A ColumnError is about a column that was asked for.
type ColumnError struct {
	Column string
	err    error
}

func (e *ColumnError) Error() string { return e.err.Error() }

// mostJSON is the most that a file of JSON may unpack to.
const mostJSON = 256 << 20

// LoadColumns reads the columns of a file that want reports: of a table as [Load] tells it, or of one object of JSON
// whose lists they are, in a zip or not. Columns that are not asked for may hold anything.
func LoadColumns(path string, want func(name string) bool, at *Reading) (c *Columns, err error) {
	err = opened(path, at, func(name string, r io.Reader, size int64) (err error) {
		if c, err = ReadColumns(name, r, size, want); err == nil {
			_, c.Zipped = r.(*expansion)
		}
		return err
	})
	return c, err
}

// opened has read read a file or, of a zip, the one file in it.
func opened(path string, at *Reading, read func(name string, r io.Reader, size int64) error) error {
	f, info, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read from
	name := filepath.Base(path)
	head := make([]byte, 4)
	n, _ := f.ReadAt(head, 0) // an error shows up again
	if string(head[:n]) == "PK\x03\x04" {
		return unzipped(name, f, info.Size(), read)
	}
	return read(name, at.of(f, info.Size()), info.Size())
}

// ReadColumns is LoadColumns of what r has, which is no zip.
func ReadColumns(name string, r io.Reader, size int64, want func(name string) bool) (*Columns, error) {
	s, err := newSource(name, r, size)
	if err != nil {
		return nil, err
	}
	head, _ := s.r.Peek(headSize)
	c := &Columns{Of: map[string][]float64{}, Scalars: map[string]float64{}, Packed: s.packed, Format: detect(head)}
	switch first := bytes.TrimSpace(head); {
	case len(first) == 0:
		return nil, s.whole("the file is empty")
	case bytes.IndexByte(head, 0) >= 0:
		return nil, s.whole("the file is binary, want a table (CSV, LIBSVM, blank-separated) or JSON, in a zip or not")
	case first[0] == '{':
		return c, c.json(s, want)
	case c.Format == LIBSVM:
		return c, c.libsvm(s, want)
	}
	return c, c.separated(s, head, want)
}

func unzipped(name string, f *os.File, size int64, read func(name string, r io.Reader, size int64) error) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return fmt.Errorf("%s: broken zip file: %w", name, err)
	}
	if len(z.File) != 1 {
		return fmt.Errorf("%s: the zip has %d files, want one of JSON", name, len(z.File))
	}
	r, err := z.File[0].Open()
	if err != nil {
		return fmt.Errorf("%s: broken zip file: %w", name, err)
	}
	defer r.Close() // only read from
	return read(name, &expansion{name: name, r: r, from: &size}, 0)
}

// Word is a column's name as a formula writes it.
func Word(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "x" + name
	}
	return name
}

func (c *Columns) separated(s *source, head []byte, want func(name string) bool) error {
	format := c.Format
	ahead := lookAhead(head, format)
	t := &Table{Format: format}
	var names []string
	var to []*[]float64
	wanted := 0
	err := s.rows(format, MaxFeatures, func(fields [][]byte) (header bool, err error) {
		if err := t.readHeader(s, fields, ahead[min(1, len(ahead)):], ""); err != nil {
			return false, err
		}
		to = make([]*[]float64, len(fields))
		for j := range fields {
			name := "x" + strconv.Itoa(j+1)
			if t.header != nil {
				name = Word(t.header[j])
			}
			if want(name) {
				if slices.Contains(names, name) {
					return false, &ColumnError{name, s.errorf("two columns have the name %s", name)}
				}
				to[j] = new([]float64)
				wanted++
			}
			names = append(names, name)
		}
		return t.header != nil, nil
	}, func(fields [][]byte) error {
		for j, b := range fields {
			if to[j] == nil {
				continue
			}
			x, v := parseNumber(b)
			if v != number {
				return &ColumnError{names[j], s.errorf("%s %s", columnName(j, names), v.complain(b))}
			}
			*to[j] = append(*to[j], x)
		}
		c.Rows++
		return c.room(s, wanted)
	})
	for j, x := range to {
		if x != nil {
			c.Of[names[j]] = *x
		}
	}
	c.Names, c.Header = names, t.header != nil
	return c.some(s, err)
}

// room refuses more rows of so many columns than can be told or kept.
func (c *Columns) room(s *source, columns int) error {
	if c.Rows == maxCount {
		return s.errorf("more than %d rows", maxCount)
	}
	if c.Rows&0xffff == 0 {
		if need := 16 * int64(columns) * int64(c.Rows); need > s.memory {
			return s.whole("the columns need %d bytes of memory, want at most %d", need, s.memory)
		}
	}
	return nil
}

func (c *Columns) some(s *source, err error) error {
	if err == nil && c.Rows == 0 {
		return s.whole("the file has no rows")
	}
	return err
}

func (c *Columns) libsvm(s *source, want func(name string) bool) error {
	c.Names = []string{"y"}
	widest := 0
	add := func(name string, x float64) {
		if want(name) {
			if len(c.Of[name]) < c.Rows { // zeros stand nowhere
				c.Of[name] = append(c.Of[name], make([]float64, c.Rows-len(c.Of[name]))...)
			}
			c.Of[name] = append(c.Of[name], x)
		}
	}
	err := s.each(func(line []byte) error {
		tok, rest := token(line)
		x, v := parseNumber(tok)
		if v != number {
			return &ColumnError{"y", s.errorf("label %s", v.complain(tok))}
		}
		add("y", x)
		if err := entries(s, rest, func(index int, value float64) {
			widest = max(widest, index)
			add("x"+strconv.Itoa(index), value)
		}); err != nil {
			return err
		}
		c.Rows++
		return c.room(s, len(c.Of))
	})
	if err != nil { // in the midst of a row
		return err
	}
	for name, x := range c.Of {
		c.Of[name] = append(x, make([]float64, c.Rows-len(x))...)
	}
	name := func(i int) string { return "x" + strconv.Itoa(i+1) }
	c.Names = append(c.Names, list.Map(list.Upto(min(widest, 8)), name)...)
	return c.some(s, nil)
}

// object is the one of JSON that the source has.
func (s *source) object() (object map[string]json.RawMessage, err error) {
	b, err := io.ReadAll(io.LimitReader(s.r, mostJSON+1))
	if large := (*expandsError)(nil); errors.As(err, &large) {
		return nil, large
	}
	if err != nil {
		return nil, s.whole("%s", err)
	}
	if len(b) > mostJSON {
		return nil, s.whole("the JSON has more than %d bytes", mostJSON)
	}
	if err := json.Unmarshal(b, &object); err != nil {
		return nil, s.whole(`the JSON is no object of lists, such as {"x": [0.5, 1], "y": [1, 2]}: %s`,
			printable.Line(err.Error()))
	}
	return object, nil
}

func (c *Columns) json(s *source, want func(name string) bool) error {
	object, err := s.object()
	if err != nil {
		return err
	}
	c.Keys = map[string]string{}
	for name, raw := range object {
		word := Word(name)
		c.Keys[word] = name
		var scalar float64
		if json.Unmarshal(raw, &scalar) == nil && string(raw) != "null" {
			c.Scalars[word] = scalar
			continue
		}
		c.Names = append(c.Names, word)
		var matrix [][]*float64
		if json.Unmarshal(raw, &matrix) == nil && len(matrix) > 0 {
			for k := range matrix[0] {
				of := word + "[," + strconv.Itoa(k+1) + "]"
				if !want(of) {
					continue
				}
				for i, row := range matrix {
					if len(row) != len(matrix[0]) {
						return &ColumnError{of, s.whole("%s: row %d has %d numbers, want %d", word, i+1, len(row), len(matrix[0]))}
					}
					if row[k] == nil {
						return &ColumnError{of, s.whole("%s: row %d has no value, want a number", of, i+1)}
					}
					c.Of[of] = append(c.Of[of], *row[k])
				}
			}
			continue
		}
		if !want(word) {
			continue
		}
		var list []*float64
		if json.Unmarshal(raw, &list) != nil {
			return &ColumnError{word, s.whole("%s is no list of numbers", word)}
		}
		of := make([]float64, len(list))
		for i, x := range list {
			if x == nil {
				return &ColumnError{word, s.whole("%s: row %d has no value, want a number", word, i+1)}
			}
			of[i] = *x
		}
		c.Of[word] = of
	}
	slices.Sort(c.Names)
	first := ""
	for name, x := range c.Of {
		if first == "" || name < first {
			first, c.Rows = name, len(x)
		}
	}
	for name, x := range c.Of {
		if len(x) != c.Rows {
			return &ColumnError{name,
				s.whole("%s has %d rows, and %s has %d; want as many of each", name, len(x), first, c.Rows)}
		}
	}
	return nil
}
