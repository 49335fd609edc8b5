package dataset

import (
	"bytes"
	"fmt"
	"io"
)

// Read reads labelled rows from r, plain or gzipped, and tells the format by
// the content. name stands for the file in errors, which read
// `a9a:1207: feature 12 has value "x", want a number`. The file has size bytes, 0 if that is not known.
func Read(name string, r io.Reader, size int64, o Options) (*Table, error) {
	s, err := newSource(name, r, size)
	if err != nil {
		return nil, err
	}
	head, _ := s.r.Peek(headSize) // an error shows up again when the lines are read
	if len(bytes.TrimSpace(head)) == 0 && len(head) < headSize {
		if _, err := s.next(); err != nil && err != io.EOF {
			return nil, err
		}
		return nil, s.whole("the file is empty")
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, s.whole("the file is binary, want text (LIBSVM, CSV or blank-separated)")
	}
	format := detect(head)
	if like := o.Like; like != nil && (format == LIBSVM) != (like.Format == LIBSVM) {
		return nil, s.whole("the file is %s, want %s as the training set", format, like.Format)
	}
	if format == LIBSVM && o.Numeric {
		return nil, s.whole("the file is LIBSVM, want separated fields")
	}
	if format == LIBSVM {
		return readLIBSVM(s, o)
	}
	return readSeparated(s, format, head, o)
}

// whole words an error about the file as a whole.
func (s *source) whole(format string, args ...any) error {
	return fmt.Errorf("%s: %s", s.name, fmt.Sprintf(format, args...))
}

// detect tells the format by the first lines of a file. A line of a single
// field does not tell, and the next is looked at.
func detect(head []byte) Format {
	first := Blank
	found := false
	for len(head) > 0 {
		var line []byte
		line, head, _ = bytes.Cut(head, []byte("\n"))
		line = bytes.Trim(line, " \r")
		if skipped(line) {
			continue
		}
		if !found {
			if looksLIBSVM(line) {
				return LIBSVM
			}
			format, several := separatorOf(line)
			if !several {
				continue
			}
			if format != Tab {
				return format
			}
			first, found = format, true
			if len(head) > 0 {
				continue // a header's names may hold blanks, so that a tab is judged by a row
			}
		}
		for field := range bytes.SplitSeq(line, []byte("\t")) {
			if bytes.IndexByte(bytes.TrimSpace(field), ' ') >= 0 && bytes.IndexByte(field, '"') < 0 {
				return Blank
			}
		}
		return first
	}
	return first
}

// looksLIBSVM reports whether a line is a number followed by a field with a colon among the next few.
func looksLIBSVM(line []byte) bool {
	tok, rest := token(line)
	if _, v := parseNumber(tok); v == missing || bytes.ContainsAny(tok, ",;:\"") {
		return false
	}
	for range 3 {
		tok, rest = token(rest)
		if len(tok) == 0 || tok[0] == '#' || bytes.ContainsAny(tok, ",;\"") {
			return false
		}
		if bytes.IndexByte(tok, ':') >= 0 {
			return true
		}
	}
	return false
}

// separatorOf tells what separates the fields of a line and whether there is
// more than one field. Separators between quotes do not count.
func separatorOf(line []byte) (f Format, several bool) {
	var commas, semicolons, tabs, blanks int
	quoted := false
	for _, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',':
			commas++
		case c == ';':
			semicolons++
		case c == '\t':
			tabs++
		case c == ' ':
			blanks++
		}
	}
	switch {
	case semicolons > 0 && semicolons >= commas:
		return Semicolon, true
	case commas > 0:
		return CSV, true
	case tabs > 0:
		return Tab, true
	}
	return Blank, blanks > 0
}
