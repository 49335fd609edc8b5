package drawsfile

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
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
	m, why := match(f.o.Names, names)
	if why != "" {
		return false, f.faultf("%s", why)
	}
	f.header, f.headerAt, f.is, f.byPlace = names, f.at, m.is, m.byPlace
	if m.how != "" {
		f.notef("%s", m.how)
	}
	return object, nil
}

// names reads a header, and finds its separator: the one that makes the most columns of it. What stands between
// brackets or quotes separates nothing.
func (f *File) names(line []byte) ([]string, error) {
	sep, most := byte(','), 0
	for _, s := range []byte(",;\t") {
		n := 0
		for rest := line; rest != nil; n++ {
			_, rest = cut(rest, s, true)
		}
		if n > maxColumns {
			return nil, f.faultf("the file has more than %d columns", maxColumns)
		}
		if n > most {
			sep, most = s, n
		}
	}
	names := make([]string, 0, most)
	for rest := line; rest != nil; {
		var field []byte
		field, rest = cut(rest, sep, true)
		names = append(names, string(field))
	}
	if headless(names) {
		return nil, f.faultf("the line is of numbers, want the names of the columns first, in a line that does not begin with #")
	}
	switch sep {
	case ';':
		f.notef("columns are separated by semicolons, and a comma in a number is its point")
	case '\t':
		f.notef("columns are separated by tabs")
	}
	f.split = func(line []byte, cells [][]byte) ([][]byte, error) {
		for rest := line; rest != nil; {
			var field []byte
			field, rest = cut(rest, sep, false)
			if sep == ';' {
				if at := bytes.IndexByte(field, ','); at >= 0 {
					field[at] = '.'
				}
			}
			cells = append(cells, field)
		}
		return cells, nil
	}
	return names, nil
}

// cut takes the first field of a line: what stands before a separator, or in quotes. rest is what follows, nil after
// the last. With indices, a separator within brackets separates nothing.
func cut(line []byte, sep byte, indices bool) (field, rest []byte) {
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

const wantObject = `want a draw a line, such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`

// keys reads the names of columns from an object: its keys, with an index from 1 on where the value is an array.
func (f *File) keys(line []byte) ([]string, error) {
	if !json.Valid(line) {
		return nil, f.faultf("the line is no JSON, %s", wantObject)
	}
	_, shape := scalars(line, nil, nil)
	const deepest, mostBytes = 8, maxLine
	var names []string
	var key string
	var index []int
	bytesOf := 0
	for i := 0; i < len(shape); i++ {
		switch shape[i] {
		case '"':
			n := quoted(shape[i:])
			if err := json.Unmarshal(shape[i:i+n], &key); err != nil {
				return nil, f.faultf("the line is no JSON, %s", wantObject)
			}
			i += n - 1
		case '[':
			index = append(index, 1)
		case ']':
			index = index[:len(index)-1]
		case ',':
			if n := len(index); n > 0 {
				index[n-1]++
			}
		case '{':
			if i > 0 {
				return nil, f.faultf("an object stands in the object, %s", wantObject)
			}
		case 'v':
			name := key
			for k, n := range index {
				name += string("[,"[min(k, 1)]) + strconv.Itoa(n)
			}
			names = append(names, name+strings.Repeat("]", min(len(index), 1)))
			if bytesOf += len(names[len(names)-1]); bytesOf > mostBytes || len(names) > maxColumns {
				return nil, f.faultf("the file has more than %d columns, or names of more than %d bytes", maxColumns, mostBytes)
			}
		}
		if len(index) > deepest {
			return nil, f.faultf("an array has more than %d dimensions", deepest)
		}
	}
	var now []byte
	f.split = func(line []byte, cells [][]byte) ([][]byte, error) {
		if !json.Valid(line) {
			return nil, f.faultf("the line is no JSON, %s", wantObject)
		}
		if cells, now = scalars(line, cells, now[:0]); !bytes.Equal(now, shape) {
			return nil, f.faultf("the object has other keys than the first, want the same in the same order")
		}
		return cells, nil
	}
	return names, nil
}

// scalars takes the values out of a line of valid JSON, in order. shape is what is left, with v in their places.
func scalars(line []byte, values [][]byte, shape []byte) (of [][]byte, left []byte) {
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case ' ', '\t', '\r':
			i++
		case '{', '}', '[', ']', ',', ':':
			shape = append(shape, c)
			i++
		case '"':
			n := quoted(line[i:])
			text := line[i : i+n]
			i += n
			if rest := bytes.TrimLeft(line[i:], " \t\r"); len(rest) > 0 && rest[0] == ':' {
				shape = append(shape, text...)
				continue
			}
			values, shape = append(values, text[1:n-1]), append(shape, 'v')
		default:
			n := bytes.IndexAny(line[i:], " \t\r,]}")
			if n < 0 {
				n = len(line) - i
			}
			values, shape = append(values, line[i:i+n]), append(shape, 'v')
			i += n
		}
	}
	return values, shape
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
