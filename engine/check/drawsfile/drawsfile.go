// Package drawsfile reads draws that any program wrote: CSV with a header of parameter names,
// CmdStan's CSV, and NumPy's .npy.
package drawsfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/numpy"
	"github.com/psgld/psgld-tui/targets/printable"
	"github.com/psgld/psgld-tui/targets/regular"
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

// Read reads files, each of one chain or of several, of a target whose coordinates have the given
// names. A column stands for the coordinate whose name it has, or the name that CmdStan would
// give it, wherever it stands and whatever columns are beside it. Where not all names are
// there, columns stand for the coordinates in their order, if there are as many. An error is one
// line that names the file, the line, the value and what is allowed.
func Read(ctx context.Context, paths, names []string) (check.Draws, error) {
	all := collection{Draws: check.Draws{Dim: len(names)}, want: wantedOf(names)}
	var infos []fs.FileInfo
	for _, path := range paths {
		f, info, err := regular.Open(path)
		if err == nil {
			if slices.ContainsFunc(infos, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
				err = errors.New("it is given twice")
			} else if info.Size() > maxFile {
				err = fmt.Errorf("it has %d bytes, want at most %d", info.Size(), maxFile)
			} else {
				err = all.read(path, interrupted{ctx, f})
			}
			f.Close() // only read from
		}
		if err != nil {
			if told := (*contentError)(nil); errors.As(err, &told) {
				return check.Draws{}, err
			}
			return check.Draws{}, fmt.Errorf("cannot read %s: %w", printable.Line(path), atomicfile.Cause(err))
		}
		infos = append(infos, info)
	}
	all.Columns = all.byPlace
	return all.Draws, nil
}

// interrupted reads a file until its context ends.
type interrupted struct {
	ctx context.Context
	*os.File
}

// Read implements io.Reader.
func (r interrupted) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, &fs.PathError{Op: "read", Path: r.Name(), Err: err}
	}
	return r.File.Read(b)
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

// A collection is the draws of the files that have been read.
type collection struct {
	check.Draws
	want   wanted
	values int
	// byPlace are the columns, and their file, that stand for coordinates by their place.
	byPlace []string
	first   string
}

// read adds the chains of a file.
func (all *collection) read(name string, r io.Reader) error {
	b := bufio.NewReaderSize(io.LimitReader(r, maxFile), 1<<18) // it may grow
	head, _ := b.Peek(len(numpy.Magic))                         // an error is the next read's
	for magic, form := range map[string]string{"PK\x03\x04": "a zip archive, such as NumPy's .npz", "\x1f\x8b": "packed by gzip"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return faultf(name, 0, "the file is %s, want CSV or one .npy", form)
		}
	}
	if string(head) == numpy.Magic {
		return all.array(name, b)
	}
	return all.table(name, b)
}

// array adds the chains of an array.
func (all *collection) array(name string, r io.Reader) error {
	values, shape, err := numpy.ReadFloats(r, maxValues-all.values)
	if reading := (*fs.PathError)(nil); errors.As(err, &reading) {
		return err
	} else if err != nil {
		return faultf(name, 0, "%v", err)
	}
	chains, draws := 1, 0
	switch d := all.Dim; {
	case len(shape) == 1 && d == 1:
		draws = shape[0]
	case len(shape) == 2 && shape[1] == d:
		draws = shape[0]
	case len(shape) == 3 && shape[2] == d && shape[0] <= maxChains:
		chains, draws = shape[0], shape[1]
	default:
		return faultf(name, 0, "the array has the shape %s, want (draws, %d) or (chains, draws, %d), with at most %d chains", numpy.Shape(shape), d, d, maxChains)
	}
	if len(values) == 0 {
		return faultf(name, 0, "the array has the shape %s, and so no draw", numpy.Shape(shape))
	}
	for i, x := range values {
		if !finite(x) {
			draw := i / all.Dim
			return faultf(name, 0, "%s of draw %d of chain %d is %v, want a finite number", all.want.names[i%all.Dim], draw%draws+1, draw/draws+1, x)
		}
	}
	for chain := range slices.Chunk(values, len(values)/chains) {
		all.Chains = append(all.Chains, chain)
	}
	all.values += len(values)
	return nil
}

func finite(x float64) bool { return x-x == 0 }
