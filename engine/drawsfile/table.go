package drawsfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// columns reads the first line: the columns' names, or an object that has them as keys.
func (f *File) columns(line []byte) (object bool, err error) {
	var names []string
	switch bytes.TrimLeft(line, " \t")[0] {
	case '[':
		return false, f.faultf("the file begins with [, %s", wantObject)
	case '{':
		object = true
		names, err = f.keys(line)
	default:
		names, err = f.names(line)
	}
	if err != nil {
		return false, err
	}
	return object, f.fit(names)
}

// fit finds the coordinates among a header's columns.
func (f *File) fit(header []string) error {
	if f.o.Names == nil {
		names := list.Filter(header, parameters(header))
		if names == nil {
			return f.faultf("has the columns %s, want one of a parameter", listed(header))
		}
		f.call(names)
	}
	m, why := match(f.o.Names, header)
	if why != "" {
		return f.faultf("%s", why)
	}
	if f.o.Live && m.tell(header, len(f.o.Names)) {
		f.row = make([]float64, len(f.o.Names)+targets.NumTold)
	}
	f.header, f.is, f.byPlace, f.tells = header, m.is, m.byPlace, m.told
	if m.how != "" {
		f.notef("%s", m.how)
	}
	if n := slices.Index(header[1:], "") + 2; n > 1 { // the first one is the rows' names
		f.notef("column %d has no name and is left out", n)
	}
	return nil
}

// names reads a header, and finds its separator: the one that makes the most columns of it, or blanks where no other
// does. What stands between brackets or quotes separates nothing.
func (f *File) names(line []byte) ([]string, error) {
	var sep byte
	var found [][]byte
	for _, s := range []byte(",;\t ") {
		if have := fields(line, s, true, nil); len(have) > len(found) && (s != ' ' || len(found) < 2) {
			sep, found = s, have
		}
	}
	if len(found) > maxColumns {
		return nil, f.faultf("the file has more than %d columns", maxColumns)
	}
	names := list.Map(found, func(name []byte) string { return string(name) })
	if headless(names) {
		return nil, f.faultf("the line is of numbers, want the names of the columns first, in a line that does not " +
			"begin with #")
	}
	switch sep {
	case ';':
		f.notef("columns are separated by semicolons, and a comma in a number is its point")
	case '\t':
		f.notef("columns are separated by tabs")
	case ' ':
		f.notef("columns are separated by blanks")
	}
	f.split = func(line []byte, cells [][]byte) ([][]byte, error) {
		if cells = fields(line, sep, false, cells); sep == ';' {
			for _, field := range cells {
				if at := bytes.IndexByte(field, ','); at >= 0 {
					field[at] = '.'
				}
			}
		}
		return cells, nil
	}
	return names, nil
}

// fields appends the fields of a line to cells, but not many more than maxColumns.
func fields(line []byte, sep byte, indices bool, cells [][]byte) [][]byte {
	if sep == ' ' {
		line = bytes.TrimRight(line, " ")
	}
	for rest := line; rest != nil && len(cells) <= maxColumns; {
		var field []byte
		field, rest = cut(rest, sep, indices)
		cells = append(cells, field)
	}
	return cells
}

// cut takes the first field of a line: what stands before a separator, or in quotes. rest is what follows, nil after
// the last. With indices, a separator within brackets separates nothing.
func cut(line []byte, sep byte, indices bool) (field, rest []byte) {
	if len(line) > 0 && line[0] > ' ' && line[0] != '"' && !indices { // the usual one, a number without blanks
		at := bytes.IndexByte(line, sep)
		if at < 0 && line[len(line)-1] > ' ' {
			return line, nil
		}
		if at > 0 && line[at-1] > ' ' {
			return line[:at], line[at+1:]
		}
	}
	blanks := " \t"
	if sep == '\t' {
		blanks = " "
	}
	line = bytes.TrimLeft(line, blanks)
	if len(line) > 0 && line[0] == '"' {
		if end := bytes.IndexByte(line[1:], '"'); end >= 0 {
			after := bytes.TrimLeft(line[end+2:], blanks)
			switch {
			case len(after) == 0:
				return line[1 : 1+end], nil
			case after[0] == sep:
				return line[1 : 1+end], after[1:]
			}
		}
	}
	const longest = 100 // bytes of indices
	at := bytes.IndexByte(line, sep)
	if open := bytes.IndexByte(line[:max(at, 0)], '['); indices && open >= 0 {
		if shut := bytes.IndexByte(line[open:min(open+longest, len(line))], ']'); shut >= 0 {
			if at = bytes.IndexByte(line[open+shut:], sep); at >= 0 {
				at += open + shut
			}
		}
	}
	if at < 0 {
		return bytes.TrimRight(line, blanks), nil
	}
	return bytes.TrimRight(line[:at], blanks), line[at+1:]
}

// keys reads the names of columns from an object: its keys, with an index from 1 on where the value is an array.
func (f *File) keys(line []byte) (names []string, err error) {
	var first, now [][]byte
	f.split = func(line []byte, cells [][]byte) ([][]byte, error) {
		ok := json.Valid(line) || json.Valid(notFinite.ReplaceAll(line, []byte("${1}0")))
		if now, cells, ok = scalars(line, now[:0], cells, ok); !ok {
			return nil, f.faultf("the line is no draw in JSON, %s", wantObject)
		}
		if names != nil && !slices.EqualFunc(now, first, bytes.Equal) {
			return nil, f.faultf("the object has other keys than the first, want the same in the same order")
		}
		return cells, nil
	}
	if _, err = f.split(bytes.Clone(line), nil); err != nil {
		return nil, err
	}
	first = slices.Clone(now)
	length, index := 0, 0
	for i, raw := range first {
		of := bytes.HasPrefix(raw, []byte{'"'}) // an array
		if index++; i == 0 || !bytes.Equal(raw, first[i-1]) {
			index = 1
		}
		var name string
		if !of {
			raw = fmt.Appendf(nil, "\"%s\"", raw)
		}
		if err := json.Unmarshal(raw, &name); err != nil {
			return nil, err
		}
		if of {
			name += fmt.Sprintf("[%d]", index)
		}
		names = append(names, name)
		if length += len(name); length > maxLine || len(names) > maxColumns {
			return nil, f.faultf("the file has more than %d columns, or names of more than %d bytes",
				maxColumns, maxLine)
		}
	}
	return names, nil
}

// notFinite are numbers as Python writes them in JSON, which has none of them.
var notFinite = regexp.MustCompile(`([:,[][ \t]*)(?:NaN|-?Infinity)`)

const wantObject = `want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`

// scalars appends the values in a line of valid JSON to cells, and to keys the key of each, within quotes for the
// values of an array. ok stays where the line is an object of numbers, texts and arrays of them.
func scalars(line []byte, keys, cells [][]byte, ok bool) (k, c [][]byte, valid bool) {
	var key []byte
	depth, n := 0, 0
	for in := false; ok && len(line) > 0; line = line[n:] {
		var value []byte
		switch c := line[0]; c {
		case '{', '[':
			depth++
			in, n, ok = c == '[', 1, depth <= 2 && (c == '{') == (depth == 1)
			continue
		case ' ', '\t', '\r', ',', ':', '}', ']':
			n, in = 1, in && c != ']'
			if c == ']' {
				depth--
			}
			continue
		case '"':
			n = quoted(line)
			if bytes.HasPrefix(bytes.TrimLeft(line[n:], " \t\r"), []byte{':'}) {
				key = line[:n]
				continue
			}
			value = line[1 : n-1]
		default:
			if n = bytes.IndexAny(line, " \t\r,]}"); n < 0 {
				n = len(line)
			}
			if value = line[:n]; string(value) == "null" {
				value = []byte("NaN")
			}
		}
		ok = depth > 0
		of := key
		if !in && ok {
			of = key[1 : len(key)-1]
		}
		keys, cells = append(keys, of), append(cells, value)
	}
	return keys, cells, ok
}

// quoted is the length of the string that b begins with, with its quotes.
func quoted(b []byte) int {
	for i := 1; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}
