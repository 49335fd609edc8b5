// Package drawsfile reads draws that any program wrote: CSV with a header of parameter names, its fields
// separated by commas, semicolons or tabs, CmdStan's CSV, an object of JSON a line, and NumPy's .npy and
// .npz, each also packed by gzip. What a file is shows in its content, and not in its name.
//
// [Read] reads files whole. A [File] of lines is read on as it grows.
package drawsfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Bounds on what is read.
const (
	maxFile    = 1 << 30 // bytes of a file
	maxLine    = 32 << 20
	maxColumns = 1_000_000
	maxChains  = 1_000
	// maxValues bounds the numbers of all files that are kept: 1 GiB of them.
	maxValues = 1 << 27
)

// Options are what draws are read as.
type Options struct {
	// Names are those of the coordinates. A column stands for the coordinate whose name it has, or the name that
	// CmdStan, ArviZ or NumPy would give it, wherever it stands and whatever columns are beside it. Where no
	// column has such a name, columns stand for the coordinates in their order, if there are as many. Nil takes the
	// names of the first file: its columns, but for those of rows, chains, draws and the sampler. An array's are theta[1],
	// theta[2], …
	Names []string
	Order Order     // of an array's axes
	Stdin io.Reader // of the path "-"
	// Live leaves rows with NaN or an infinity out and counts them, reads a pipe as standard input, and sets no bound on
	// the bytes of a file of lines, whose reader forgets what it has taken over.
	Live bool
}

// Draws are those of files.
type Draws struct {
	Dim   int // D
	Names []string
	// Chains are the kept states in order: draw t of a chain is the numbers tD to tD+D-1 of its slice.
	Chains [][]float64
	// Notes say how files were read, where they could mean something else. Each is one line.
	Notes  []string
	arrays []array // those of three axes whose order nobody gave, if all files are that
}

// Count is the number of draws of all chains.
func (d *Draws) Count() int {
	return list.Sum(d.Chains, func(c []float64) int { return len(c) / d.Dim })
}

// Read reads files, each of one chain or of several. Draws of CmdStan's warm-up are left out, and a column draw or
// iteration orders those of a chain. An error is one line that names the file, the line, the value and what is allowed.
func Read(ctx context.Context, paths []string, o Options) (*Draws, error) {
	all := &Draws{}
	var files []*File
	var notes []string
	noted := map[string][]string{} // the files that a note is about
	left := maxValues
	for _, path := range paths {
		f, err := Open(ctx, path, o)
		if err == nil {
			if slices.ContainsFunc(files, func(o *File) bool {
				return o.src.path == path || os.SameFile(o.src.info, f.src.info)
			}) {
				err = errors.New("it is given twice")
			} else {
				f.left = left
				err = f.Finish()
			}
			f.Close()
		}
		if err != nil {
			if told := (*contentError)(nil); errors.As(err, &told) {
				return nil, err
			}
			return nil, fmt.Errorf("cannot read %s: %w", printable.Line(path), atomicfile.Cause(err))
		}
		for _, other := range files {
			if other.byPlace != nil && f.byPlace != nil && !slices.Equal(other.byPlace, f.byPlace) {
				return nil, faultf(f.name, 0, "it has the columns %s, and %s has %s, want the same in every file",
					listed(f.byPlace), other.name, listed(other.byPlace))
			}
		}
		if k := slices.IndexFunc(files, f.parts); k >= 0 {
			all.Notes = append(all.Notes,
				printable.Line(fmt.Sprintf("%s and %s lie in one folder and are of different runs (%s and %s)",
					files[k].name, f.name, files[k].warm.run, f.warm.run)))
		}
		files = append(files, f)
		o.Names = f.o.Names
		left = f.left
		all.Chains = append(all.Chains, f.Chains...)
		if f.array != nil {
			all.arrays = append(all.arrays, *f.array)
		}
		for _, note := range f.notes {
			if noted[note] == nil {
				notes = append(notes, note)
			}
			noted[note] = append(noted[note], f.name)
		}
	}
	all.Names, all.Dim = o.Names, len(o.Names)
	if len(all.arrays) < len(files) {
		all.arrays = nil
	}
	for _, note := range notes {
		line := list.Some(noted[note], 1) + ": " + note
		if len(noted[note]) > 1 {
			line += ", in each file"
		}
		all.Notes = append(all.Notes, printable.Line(line))
	}
	return all, nil
}

// parts reports whether another file of the same folder says that it is of another run: a program that is killed while
// it writes over the files of one leaves such.
func (f *File) parts(o *File) bool {
	return f.warm.run != "" && o.warm.run != "" && f.warm.run != o.warm.run &&
		filepath.Dir(f.src.path) == filepath.Dir(o.src.path)
}

// A contentError is about what stands in a file. It begins with the file's name.
type contentError struct{ text string }

func (e *contentError) Error() string { return e.text }

// faultf words an error about a file, or about a line of it where line is not 0.
func faultf(name string, line int, format string, args ...any) error {
	at := name
	if line > 0 {
		at = fmt.Sprintf("%s:%d", name, line)
	}
	return &contentError{printable.Line(at + ": " + fmt.Sprintf(format, args...))}
}

// source is the file behind a File, until its context ends. It remembers how much was read, and the last of it.
type source struct {
	ctx  context.Context
	path string
	most int64 // bytes
	r    io.Reader
	file *os.File    // nil of standard input
	info fs.FileInfo // as it was opened
	n    int64
	tail []byte
}

func (s *source) Read(b []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, &fs.PathError{Op: "read", Path: s.path, Err: err}
	}
	n, err := s.r.Read(b)
	if s.n += int64(n); s.n > s.most {
		return 0, &fs.PathError{Op: "read", Path: s.path, Err: fmt.Errorf("it has more than %d bytes", s.most)}
	}
	const most = 64
	s.tail = append(s.tail, b[max(0, n-most):n]...)
	s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-most):]...)
	return n, err
}
