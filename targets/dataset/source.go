package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/psgld/psgld-tui/targets/tool/regular"
)

const headSize = 64 << 10

// A source yields the lines of a file and words errors about them.
type source struct {
	name   string
	r      *bufio.Reader
	packed bool
	line   int   // of the line that next returned last, from 1
	read   int64 // bytes of lines
	size   int64 // of the file; 0 if it is packed or not known
	// memory is the most that the table may take.
	memory int64
	long   []byte // of a line that outgrows r
}

// newSource unpacks r, a file of size bytes or 0 if that is not known, if it is gzipped, and skips a byte order mark.
func newSource(name string, r io.Reader, size int64) (*source, error) {
	b, packed, err := Unpacked(name, r)
	if err != nil {
		return nil, err
	}
	if packed {
		size = 0
	}
	s := &source{name: name, r: b, packed: packed, size: size, memory: tableMemory()}
	if head, _ := s.r.Peek(3); bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		_, _ = s.r.Discard(3) // just peeked at
	}
	return s, nil
}

// Unpacked reads r, or what it unpacks to if it is packed by gzip. That is bounded by the size of what is read.
func Unpacked(name string, r io.Reader) (content *bufio.Reader, packed bool, err error) {
	from := new(int64)
	b := bufio.NewReaderSize(counter{r, func(n int64) { *from += n }}, headSize)
	if head, _ := b.Peek(2); !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		return b, false, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, true, fmt.Errorf("%s: broken gzip file: %w", name, err)
	}
	return bufio.NewReaderSize(&expansion{name: name, r: z, from: from}, headSize), true, nil
}

// each calls do with every line of data, until one fails.
func (s *source) each(do func(line []byte) error) error {
	for {
		line, err := s.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = do(line)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next line that is neither blank nor a comment (one that starts with '#'), without its end and
// surrounding blanks; io.EOF after the last. The slice is good until the next call. Tabs are kept at both ends, for
// there they may separate empty fields.
func (s *source) next() ([]byte, error) {
	for {
		line, err := s.raw()
		if err != nil {
			return nil, err
		}
		line = bytes.Trim(line, " ")
		if skipped(line) {
			continue
		}
		return line, nil
	}
}

// skipped reports whether a line has no data: blank, a comment, or the control-Z that ends old DOS files.
func skipped(line []byte) bool {
	body := bytes.TrimLeft(line, "\t")
	return len(body) == 0 || body[0] == '#' || string(body) == "\x1a"
}

func (s *source) raw() ([]byte, error) {
	line, err := regular.Line(s.r, &s.long, MaxLine)
	long := errors.Is(err, regular.ErrLong)
	if err != nil && !long && (!errors.Is(err, io.EOF) || len(line) == 0) {
		return nil, s.readError(err)
	}
	if s.line++; long {
		return nil, s.errorf("line is longer than %d MiB", MaxLine>>20)
	}
	s.read += int64(len(line))
	line = bytes.TrimSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), nil
}

func (s *source) readError(err error) error {
	if large := (*expandsError)(nil); errors.As(err, &large) {
		return large
	}
	switch {
	case errors.Is(err, io.EOF):
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: gzip file is truncated after line %d", s.name, s.line)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%s: broken gzip file after line %d: %w", s.name, s.line, err)
	}
	return fmt.Errorf("%s: reading after line %d: %w", s.name, s.line, err)
}

// errorf words an error about the current line.
func (s *source) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", s.name, s.line, fmt.Sprintf(format, args...))
}

// Load reads the file at path. An error about the content starts with the
// file's base name and line; one about the file names the whole path.
func Load(path string, o Options) (*Table, error) {
	f, info, err := open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // only read from
	return Read(filepath.Base(path), o.Reading.of(f, info.Size()), info.Size(), o)
}

// open opens a regular file.
func open(path string) (*os.File, fs.FileInfo, error) {
	f, info, err := regular.Open(path)
	if err != nil {
		return nil, nil, PathError(path, err)
	}
	if err := holes(path, info); err != nil {
		f.Close() // the other error counts
		return nil, nil, err
	}
	return f, info, nil
}

// PathError words an error about opening a file; it wraps the cause, so that
// errors.Is(err, fs.ErrNotExist) holds for a missing file.
func PathError(path string, err error) error {
	return &fileError{path: path, err: err}
}

type fileError struct {
	path string
	err  error
}

func (e *fileError) Unwrap() error { return e.err }

func (e *fileError) Error() string {
	reason := e.err // without the file's name, which the system's errors begin with
	for inner := errors.Unwrap(reason); inner != nil; inner = errors.Unwrap(reason) {
		reason = inner
	}
	words := reason.Error()
	switch {
	case errors.Is(e.err, fs.ErrNotExist):
		words = "no such file"
	case errors.Is(e.err, fs.ErrPermission):
		words = "permission denied"
	}
	return fmt.Sprintf("cannot read %s: %s", e.path, words)
}
