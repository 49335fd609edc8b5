package drawsfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/regular"
)

// A lines yields the lines of a file that are neither blank nor comments.
type lines struct {
	name string
	r    *bufio.Reader
	at   int    // of the line that next returned last, from 1
	long []byte // of a line that outgrows r
}

// next returns a line without its end; io.EOF after the last. It is good until the next call.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.raw()
		if err != nil {
			return nil, err
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line, nil
		}
	}
}

func (l *lines) raw() ([]byte, error) {
	l.at++
	line, err := regular.Line(l.r, &l.long, maxLine)
	switch {
	case errors.Is(err, regular.ErrLong):
		return nil, l.faultf("the line has more than %d bytes", maxLine)
	case errors.Is(err, io.EOF) && len(line) > 0:
		return line, nil
	}
	return line, err
}

// faultf words an error about the line that was read last.
func (l *lines) faultf(format string, args ...any) error {
	return faultf(l.name, l.at, format, args...)
}

// cut takes the first field of a line: what stands before a comma, or in quotes. rest is what
// follows, nil after the last.
func cut(line []byte) (field, rest []byte) {
	line = bytes.TrimLeft(line, " \t")
	if len(line) > 0 && line[0] == '"' {
		if end := bytes.IndexByte(line[1:], '"'); end >= 0 {
			between, after, more := bytes.Cut(line[end+2:], []byte{','})
			if len(bytes.TrimSpace(between)) == 0 {
				if field = line[1 : 1+end]; !more {
					return field, nil
				}
				return field, after
			}
		}
	}
	at := bytes.IndexByte(line, ',')
	if at < 0 {
		return bytes.TrimRight(line, " \t"), nil
	}
	return bytes.TrimRight(line[:at], " \t"), line[at+1:]
}

// header reads the line of the columns' names.
func (l *lines) header() ([]string, error) {
	if mark, _ := l.r.Peek(3); string(mark) == "\ufeff" {
		_, _ = l.r.Discard(3) // just peeked at
	}
	line, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, faultf(l.name, 0, "the file has no line with the names of its columns")
	} else if err != nil {
		return nil, err
	}
	if bytes.Count(line, []byte{','}) >= maxColumns {
		return nil, l.faultf("the file has more than %d columns", maxColumns)
	}
	var names []string
	for rest := line; rest != nil; {
		var field []byte
		field, rest = cut(rest)
		names = append(names, string(field))
	}
	if headless(names) {
		return nil, l.faultf("the line is of numbers, want the names of the columns first, in a line that does not begin with #")
	}
	return names, nil
}

// table adds the chains of a CSV file.
func (all *collection) table(name string, b *bufio.Reader) error {
	in := &lines{name: name, r: b}
	header, err := in.header()
	if err != nil {
		return err
	}
	is, byPlace, why := all.want.coordinates(header)
	switch {
	case why != "":
		return in.faultf("%s", why)
	case byPlace == nil:
	case all.first == "":
		all.byPlace, all.first = byPlace, name
	case !slices.Equal(byPlace, all.byPlace):
		return in.faultf("has the columns %s, and %s has %s, want the same in every file", listed(byPlace), all.first, listed(all.byPlace))
	}
	row := make([]float64, all.Dim)
	numbers := map[string]int{} // of the file's chains, by what stands in their column
	from := len(all.Chains)
	for {
		line, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		of, err := in.row(line, header, is, row)
		if err != nil {
			return err
		}
		at, ok := numbers[string(of)]
		if !ok {
			if len(all.Chains)-from == maxChains {
				return in.faultf("the file has more than %d chains", maxChains)
			}
			at = len(all.Chains)
			numbers[string(of)] = at
			all.Chains = append(all.Chains, nil)
		}
		if all.values += len(row); all.values > maxValues {
			return in.faultf("the draws have more than %d numbers", maxValues)
		}
		all.Chains[at] = append(all.Chains[at], row...)
	}
	if len(all.Chains) == from {
		return faultf(name, 0, "the file has the names of its columns and no draw")
	}
	return nil
}

// row reads a line's coordinates. of is what says which chain it is of, if anything does.
func (l *lines) row(line []byte, header []string, is []int, row []float64) (of []byte, err error) {
	n := 0
	for rest := line; rest != nil; n++ {
		var field []byte
		field, rest = cut(rest)
		if n >= len(is) {
			continue
		}
		switch i := is[n]; i {
		case dropped:
		case chainNumber:
			of = field
		default:
			x, err := strconv.ParseFloat(string(field), 64)
			if err != nil || !finite(x) {
				return nil, l.faultf("%s is %s, want a finite number", listed(header[n:n+1]), dataset.Quote(field))
			}
			row[i] = x
		}
	}
	if n != len(is) {
		return nil, l.faultf("the line has %s, want %d, one for each column", counted(n, "value"), len(is))
	}
	return of, nil
}
