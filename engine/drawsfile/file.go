package drawsfile

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// A File is one of draws, as far as it was read: More reads on, and Finish once nothing more will come. A line without
// its end waits for the rest, and what is packed or an array waits for Finish.
type File struct {
	// Chains are the draws that were read, as in Draws, but in the order in which they stand before Finish. With
	// Options.Live a draw has Width numbers: behind the coordinates is what its file tells of it.
	Chains [][]float64
	// Warmup is how many draws were left out. It may grow to all that were read, where a file says only after them
	// that they were of CmdStan's warm-up.
	Warmup int
	// Skipped is how many rows were left out for NaN or an infinity, with Options.Live.
	Skipped int
	// Late says that all draws before were of the warm-up, which those who have taken them over did not know.
	Late bool

	name   string
	o      Options
	left   int // how many more numbers may be read
	notes  []string
	src    *source
	b      *bufio.Reader // what is read, unpacked
	begun  bool
	ended  bool // nothing more will come
	packed bool
	array  *array

	// Of a file of lines:
	at      int    // of the line that was read last, from 1
	long    []byte // of a line that has not come whole
	header  []string
	is      []int // what each column is
	byPlace []string
	tells   [targets.NumTold]bool
	split   func(line []byte, cells [][]byte) ([][]byte, error)
	cells   [][]byte
	row     []float64
	numbers map[string]int // of the chains, by what stands in their column
	order   [][]float64    // of each chain's draws, by their column
	warm    warmup
}

// Open opens a file, or Options.Stdin where the path is "-". What is no regular file is not opened.
func Open(ctx context.Context, path string, o Options) (*File, error) {
	src := &source{ctx: ctx, path: path, most: maxFile}
	if o.Live {
		src.most = math.MaxInt64
	}
	f := &File{name: path, o: o, left: maxValues, src: src, numbers: map[string]int{}}
	f.call(o.Names)
	if info, err := os.Stat(path); path == "-" || o.Live && err == nil && info.Mode()&fs.ModeNamedPipe != 0 {
		from := o.Stdin
		in, out := io.Pipe() // a read of which ends with ctx
		if path == "-" {
			f.name = "standard input"
		}
		go func() {
			if path != "-" { // which waits for a writer
				pipe, err := os.Open(path)
				if err != nil {
					out.CloseWithError(err)
					return
				}
				defer pipe.Close() // only read from
				from = pipe
			}
			_, err := io.Copy(out, from)
			out.CloseWithError(err)
		}()
		context.AfterFunc(ctx, func() { out.CloseWithError(ctx.Err()) })
		src.r = in
	} else {
		var err error
		if src.file, src.info, err = regular.Open(path); err != nil {
			return nil, err
		}
		if n := src.info.Size(); n > src.most {
			f.Close()
			return nil, fmt.Errorf("it has %d bytes, want at most %d", n, src.most)
		}
		src.r = src.file
	}
	f.b = bufio.NewReaderSize(src, 1<<18)
	return f, nil
}

// call gives the coordinates their names.
func (f *File) call(names []string) { f.o.Names, f.row = names, make([]float64, len(names)) }

// Close closes the file. What was read stays.
func (f *File) Close() {
	if f.src.file != nil {
		f.src.file.Close() // only read from
	}
}

// Replaced reports whether the file was truncated, rewritten or replaced since it was read: what stands there is to be
// opened anew.
func (f *File) Replaced() bool {
	s := f.src
	if s.file == nil {
		return false
	}
	info, err := os.Stat(s.path)
	if err != nil || !os.SameFile(info, s.info) || info.Size() < s.n {
		return true
	}
	now := make([]byte, len(s.tail))
	_, err = s.file.ReadAt(now, s.n-int64(len(now)))
	return err != nil || string(now) != string(s.tail)
}

// Forget drops the draws that were read, which somebody has taken over.
func (f *File) Forget() {
	for i, chain := range f.Chains {
		f.left += len(chain)
		f.Chains[i] = chain[:0]
	}
	for i := range f.order {
		f.order[i] = f.order[i][:0]
	}
}

// More reads at most so many draws, of a pipe those that have come whole, at least one. The error is io.EOF where there
// are no more as yet.
func (f *File) More(draws int) error {
	if !f.begun {
		if err := f.begin(); err != nil {
			return f.told(err)
		}
	}
	for ; draws > 0; draws-- {
		if err := f.line(); err != nil {
			return f.told(err)
		}
		if f.IsPipe() && !f.ended {
			if come, _ := f.b.Peek(f.b.Buffered()); bytes.IndexByte(come, '\n') < 0 {
				break
			}
		}
	}
	return nil
}

// Names are those of the coordinates, nil before the file's first line.
func (f *File) Names() []string { return f.o.Names }

// Width is how many numbers a draw has, 0 before the file's first line.
func (f *File) Width() int { return len(f.row) }

// Tells reports what the file tells of a draw, with Options.Live.
func (f *File) Tells() [targets.NumTold]bool { return f.tells }

// IsArray reports whether the file was an array, which has no names of its own.
func (f *File) IsArray() bool { return f.array != nil }

// IsPipe reports whether the file can be read once, to its end.
func (f *File) IsPipe() bool { return f.src.file == nil }

// Bytes is how many were read.
func (f *File) Bytes() int64 { return f.src.n }

// Done reports whether CmdStan's closing comment was read.
func (f *File) Done() bool { return f.warm.done }

// Waits reports whether something was read that End alone makes draws of.
func (f *File) Waits() bool { return !f.begun || f.at == 0 && f.Cut() }

// Cut reports whether a line has not come whole. With Options.Live it is no draw, as its writer may have died amid it.
func (f *File) Cut() bool { return len(f.long) > 0 && f.array == nil }

// End reads the rest, where nothing more will come.
func (f *File) End() error {
	f.ended = true
	if err := f.More(math.MaxInt); !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// Finish is End, and puts the draws in order. The error is that of a file without a draw too.
func (f *File) Finish() error {
	if err := f.End(); err != nil {
		return err
	}
	if err := f.sort(); err != nil {
		return err
	}
	f.Chains = slices.DeleteFunc(f.Chains, func(chain []float64) bool { return len(chain) == 0 })
	switch {
	case f.header == nil && f.array == nil:
		return faultf(f.name, 0, "the file has no line with the names of its columns")
	case f.Warmup > 0 && len(f.Chains) == 0:
		return faultf(f.name, 0, "the file has %s and no draw after them", counted(f.Warmup, "warm-up row"))
	case len(f.Chains) == 0:
		return faultf(f.name, 0, "the file has the names of its columns and no draw")
	}
	if f.Warmup > 0 {
		f.notef("%s left out", counted(f.Warmup, "warm-up row"))
	}
	return nil
}

// notef adds a note.
func (f *File) notef(format string, args ...any) {
	f.notes = append(f.notes, fmt.Sprintf(format, args...))
}

// told words the error of a read.
func (f *File) told(err error) error {
	content, path := (*contentError)(nil), (*fs.PathError)(nil)
	switch {
	case errors.Is(err, io.EOF), errors.As(err, &content), errors.As(err, &path), f.src.ctx.Err() != nil:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return faultf(f.name, 0, "the gzip file is cut off or broken")
	}
	return faultf(f.name, 0, "%s", strings.TrimPrefix(err.Error(), f.name+": "))
}

const (
	zipMark  = "PK\x03\x04"
	gzipMark = "\x1f\x8b"
	byteMark = "\ufeff"
)

// begin finds out what the file is, and reads it if it is an array.
func (f *File) begin() error {
	head, err := f.b.Peek(len(numpy.Magic))
	is := func(mark string) bool { return bytes.HasPrefix(head, []byte(mark)) }
	if wait := len(head) < len(numpy.Magic) || is(gzipMark) || is(zipMark) || is(numpy.Magic); wait && !f.ended {
		return cmp.Or(err, io.EOF)
	}
	if f.b, f.packed, err = dataset.Unpacked(f.name, f.b); err != nil {
		return err
	}
	f.begun = true
	switch head, err = f.b.Peek(len(numpy.Magic)); {
	case err != nil && !errors.Is(err, io.EOF):
		return err
	case is(numpy.Magic):
		err = f.readArray(f.b)
	case is(zipMark):
		err = f.readArchive(f.b)
	default:
		if is(byteMark) {
			_, _ = f.b.Discard(len(byteMark)) // just peeked at
		}
		return nil
	}
	return cmp.Or(err, io.EOF)
}

// line reads a draw.
func (f *File) line() error {
	if f.array != nil {
		return io.EOF
	}
	line, err := f.next()
	if err != nil {
		return err
	}
	if f.header == nil {
		object, err := f.columns(line)
		if err == nil && !object { // which is a draw too
			line, err = f.next()
		}
		if err != nil {
			return err
		}
	}
	cells, err := f.split(line, f.cells[:0])
	f.cells = cells
	if err != nil {
		return err
	}
	if len(cells) != len(f.is) {
		return f.faultf("the line has %s, want %d, one for each column", counted(len(cells), "value"), len(f.is))
	}
	if f.warm.left() {
		f.Warmup++
		return nil
	}
	return f.add(cells)
}

// faultf words an error about the line that was read last.
func (f *File) faultf(format string, args ...any) error { return faultf(f.name, f.at, format, args...) }

// next returns a line that is neither blank nor a comment, without its end; io.EOF after the last that has come whole.
// It is good until the next call.
func (f *File) next() ([]byte, error) {
	for {
		line, err := regular.Rest(f.b, &f.long, maxLine)
		switch {
		case errors.Is(err, regular.ErrLong):
			f.at++
			return nil, f.faultf("the line has more than %d bytes", maxLine)
		case err != nil && !(errors.Is(err, io.EOF) && len(line) > 0 && f.ended && (f.packed || !f.o.Live)):
			return nil, err
		}
		f.at++
		f.long = f.long[:0]
		line = bytes.TrimRight(line, "\r\n ")
		body := bytes.TrimLeft(line, " \t")
		if len(body) > 0 && body[0] != '#' {
			return line, nil
		}
		if f.warm.comment(body) {
			f.Warmup += list.Sum(f.Chains, func(chain []float64) int { return len(chain) / len(f.row) })
			f.Forget()
			f.Late = true
		}
	}
}

// add adds a draw to its chain.
func (f *File) add(cells [][]byte) error {
	var of []byte
	var at float64
	ordered := false
	for k := len(f.o.Names); k < len(f.row); k++ {
		f.row[k] = math.NaN()
	}
	for c, i := range f.is {
		if i == chainNumber {
			of = cells[c]
		}
		if i == dropped || i == chainNumber {
			continue
		}
		x, err := strconv.ParseFloat(string(cells[c]), 64)
		if i >= len(f.o.Names) { // told
			if is, no := strconv.ParseBool(string(cells[c])); err != nil && no == nil { // as Python writes it
				x, err = map[bool]float64{true: 1}[is], nil
			}
			if err == nil {
				f.row[i] = x
				continue
			}
		}
		if !finite(x) && f.o.Live && i != drawNumber { // or beyond what there is
			f.Skipped++
			return nil
		}
		if err != nil || !finite(x) {
			return f.faultf("%s is %s, want a finite number", listed(f.header[c:c+1]), dataset.Quote(cells[c]))
		}
		if i == drawNumber {
			at, ordered = x, true
		} else {
			f.row[i] = x
		}
	}
	chain, ok := f.numbers[string(of)]
	if !ok {
		if chain = len(f.Chains); chain == maxChains {
			return f.faultf("the file has more than %d chains", maxChains)
		}
		f.numbers[string(of)] = chain
		f.Chains, f.order = append(f.Chains, nil), append(f.order, nil)
	}
	if f.left -= len(f.row); f.left < 0 {
		return f.faultf("the draws have more than %d numbers", maxValues)
	}
	f.Chains[chain] = append(f.Chains[chain], f.row...)
	if ordered {
		f.order[chain] = append(f.order[chain], at)
	}
	return nil
}

func finite(x float64) bool { return x-x == 0 }

// sort puts the draws of each chain in the order of their column.
func (f *File) sort() error {
	moved, d := false, len(f.row)
	column := func() string { return listed(f.header[slices.Index(f.is, drawNumber):][:1]) }
	for i, at := range f.order {
		from := list.Upto(len(at))
		slices.SortFunc(from, func(a, b int) int { return cmp.Compare(at[a], at[b]) })
		chain := f.Chains[i]
		for t, k := range from {
			if t > 0 && at[k] == at[from[t-1]] {
				return faultf(f.name, 0, "%s %v stands more than once in a chain, want it once, or a column chain",
					column(), at[k])
			}
		}
		if !slices.IsSorted(from) {
			moved = true
			f.Chains[i] = make([]float64, 0, len(chain))
			for _, k := range from {
				f.Chains[i] = append(f.Chains[i], chain[k*d:][:d]...)
			}
		}
	}
	if moved {
		f.notef("rows were put in the order of the column %s", column())
	}
	return nil
}

// warmup is what CmdStan's comments say of the draws before those that count: they stand before the line "Adaptation
// terminated", or are so many where there was no adaptation (CmdStan user's guide, "Stan CSV file format"). Ours say of
// which run they are.
type warmup struct {
	saved, over bool
	done        bool // the comment was read that ends the file
	steps, thin int
	rows        int    // that were left out
	run         string // the ID of what the file is a part of, where it says so
}

// left reports whether the next row is of the warm-up, and counts it.
func (w *warmup) left() bool {
	thin := max(w.thin, 1)
	if !w.saved || w.over || w.rows >= (w.steps+thin-1)/thin {
		return false
	}
	w.rows++
	return true
}

// comment reads a line. over reports that all rows before it were of the warm-up.
func (w *warmup) comment(line []byte) (over bool) {
	line = bytes.Trim(line, "# \t")
	if bytes.HasPrefix(line, []byte("Adaptation terminated")) {
		w.over = true
		return true
	}
	w.done = w.done || bytes.HasSuffix(line, []byte("seconds (Total)"))
	key, value, _ := bytes.Cut(line, []byte{'='})
	value, _, _ = bytes.Cut(bytes.TrimSpace(value), []byte{' '}) // from "(Default)"
	switch n, _ := strconv.Atoi(string(value)); string(bytes.TrimSpace(key)) {
	case "save_warmup":
		w.saved = n == 1 || string(value) == "true"
	case "num_warmup", "warmup": // rstan's
		w.steps = min(max(n, 0), math.MaxInt32)
	case "run":
		w.run = string(value)
	case "thin":
		w.thin = min(n, math.MaxInt32)
	}
	return false
}
