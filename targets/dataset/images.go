package dataset

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// Limits on sets of images. A side bounds what one image takes; MaxPixels bounds one file's images, in bytes.
const (
	MaxSide   = 4096
	MaxPixels = 1 << 31
)

// digits is the number of classes of every set that is read here.
const digits = 10

// Images is a set of labelled images, one byte a value. An image is Rows × Cols × Channels values, row by row, a
// pixel's channels side by side. TrainX holds len(TrainY) images one after another, TestX holds len(TestY). Labels run
// from 0 to Classes-1.
type Images struct {
	Rows, Cols, Channels int
	Classes              int

	TrainX, TrainY []uint8
	TestX, TestY   []uint8

	Name string // as in --dataset
	// ClassNames are what the classes are called; nil where a class is a digit.
	ClassNames []string
}

// Pixels is the number of values of one image, Rows × Cols × Channels.
func (m Images) Pixels() int { return m.Rows * m.Cols * m.Channels }

// A binaryFile is a file of bytes, unpacked if it is gzipped, that words errors about itself.
type binaryFile struct {
	name string
	r    io.Reader
	// packed is the size of the file, size how many bytes can be in it at most.
	packed, size int64
	gzipped      bool
}

// newBinary reads r, which holds size bytes.
func newBinary(name string, r io.Reader, size int64) (*binaryFile, error) {
	content, packed, err := Unpacked(name, r)
	if err != nil {
		return nil, err
	}
	b := &binaryFile{name: name, r: content, packed: size, size: size, gzipped: packed}
	if packed {
		b.size = mostUnpacked(size)
	}
	return b, nil
}

func (b *binaryFile) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s", b.name, fmt.Sprintf(format, args...))
}

// readError words an error after n of want bytes of what.
func (b *binaryFile) readError(err error, n, want int, what string) error {
	large := (*expandsError)(nil)
	switch {
	case errors.As(err, &large):
		return large
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return b.errorf("the file is truncated: %d of %d bytes of %s", n, want, what)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return b.errorf("broken gzip file after %d of %d bytes of %s: %s", n, want, what, err)
	}
	return b.errorf("reading after %d of %d bytes of %s: %s", n, want, what, err)
}

// fill reads all of dst.
func (b *binaryFile) fill(dst []uint8, what string) error {
	n, err := io.ReadFull(b.r, dst)
	if err != nil {
		return b.readError(err, n, len(dst), what)
	}
	return nil
}

// take reads want bytes. What it allocates is at most twice what it has read,
// beyond a first MiB or sixteen times the file, which images seldom pack to.
func (b *binaryFile) take(want int, what string) ([]uint8, error) {
	switch limit := tableMemory(); {
	case int64(want) > limit:
		return nil, b.errorf("%d bytes of %s, want at most %d, a quarter of the machine's memory", want, what, limit)
	case int64(want) > b.size && b.gzipped:
		return nil, b.errorf("%d bytes of %s in a gzipped file of %d, want at most %d MiB and %d times its size",
			want, what, b.packed, freeSize>>20, packedRatio)
	case int64(want) > b.size:
		return nil, b.errorf("the file is truncated: at most %d of %d bytes of %s", b.size, want, what)
	}
	var x bytes.Buffer
	x.Grow(int(min(int64(want), max(1<<20, 16*b.packed))) + bytes.MinRead)
	if n, err := io.CopyN(&x, b.r, int64(want)); err != nil {
		return nil, b.readError(err, int(n), want, what)
	}
	return x.Bytes(), nil
}

// end checks that nothing follows. For a gzipped file this is what compares the checksum.
func (b *binaryFile) end(what string) error {
	var one [1]byte
	_, err := io.ReadFull(b.r, one[:])
	switch {
	case err == nil:
		return b.errorf("bytes follow the last of the %s", what)
	case errors.Is(err, io.EOF):
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return b.errorf("the gzip file is cut off before its checksum")
	case errors.Is(err, gzip.ErrHeader):
		return b.errorf("bytes follow the gzipped data")
	}
	return b.errorf("broken gzip file after the last of the %s: %s", what, err)
}

// imageBytes is n·rows·cols, or an error that names the product where an
// image has no pixels, a side beyond MaxSide, or all take beyond MaxPixels.
func imageBytes(b *binaryFile, n, rows, cols uint32) (int, error) {
	if rows == 0 || cols == 0 {
		return 0, b.errorf("images of %d×%d, want at least 1×1", rows, cols)
	}
	total := new(big.Int).SetUint64(uint64(rows) * uint64(cols))
	total.Mul(total, big.NewInt(int64(n)))
	if rows > MaxSide || cols > MaxSide {
		return 0, b.errorf("%d images of %d×%d, %s bytes, want sides up to %d", n, rows, cols, total, MaxSide)
	}
	if total.Cmp(big.NewInt(MaxPixels)) > 0 {
		return 0, b.errorf("%d images of %d×%d are %s bytes, want at most %d", n, rows, cols, total, MaxPixels)
	}
	return int(total.Int64()), nil
}

// openImages opens a file of images or labels and passes it to read, of which at counts what is read.
func openImages(path string, at *Reading, read func(b *binaryFile, size int64) error) error {
	f, info, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close() // only read from
	b, err := newBinary(filepath.Base(path), at.of(f, info.Size()), info.Size())
	if err != nil {
		return err
	}
	return read(b, info.Size())
}

// isFile reports whether there is something at path that is not a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// IsFolder reports whether there is a folder at path.
func IsFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// absent words that a folder, if it is there, has none of the named files.
func absent(dir string, names ...string) error {
	if !IsFolder(dir) {
		return PathError(dir, fs.ErrNotExist)
	}
	return fmt.Errorf("%s: %w", dir, &missingError{names})
}

type missingError struct{ names []string }

func (e *missingError) Error() string {
	last := len(e.names) - 1
	if last == 0 {
		return "no " + e.names[0]
	}
	return "no " + strings.Join(e.names[:last], ", ") + " or " + e.names[last]
}

func (e *missingError) Is(target error) bool { return target == fs.ErrNotExist }

// together calls do(0) to do(n-1) at once and returns the error of the first in this order that has one.
func together(n int, do func(i int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}
