package dataset

import (
	"fmt"
	"io"
	"io/fs"
)

// Bounds on what a file grows to. A packed file may unpack to freeSize and packedRatio times
// its own size, and so may one with holes, whose size is what is on the disk. Tables of real
// data pack to a fiftieth at best, and deflate packs blanks to a thousandth.
const (
	freeSize    = 32 << 20
	packedRatio = 100
)

// mostUnpacked is the size that a packed file of n bytes may unpack to.
func mostUnpacked(n int64) int64 { return freeSize + packedRatio*n }

// An expansion unpacks a file, and refuses to beyond what was read of it allows.
type expansion struct {
	name string
	r    io.Reader
	n    int64
	from *int64 // bytes of the file
}

// A counter tells how much is read.
type counter struct {
	io.Reader
	tell func(n int64)
}

func (c counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.tell(int64(n))
	return n, err
}

func (e *expansion) Read(b []byte) (int, error) {
	n, err := e.r.Read(b)
	if e.n += int64(n); e.n > mostUnpacked(*e.from) {
		return 0, &expandsError{e.name}
	}
	return n, err
}

// An expandsError is that of a packed file that unpacks to too much.
type expandsError struct{ name string }

func (e *expandsError) Error() string {
	return fmt.Sprintf("%s: unpacks to more than %d MiB and %d times its size; if it is meant, unpack it first",
		e.name, freeSize>>20, packedRatio)
}

// holes refuses a file of which next to nothing is on the disk.
func holes(path string, info fs.FileInfo) error {
	if on, ok := occupied(info); ok && info.Size() > mostUnpacked(on) {
		return PathError(path,
			fmt.Errorf("it has %d bytes, of which %d are on the disk, want at most %d MiB and %d times as many",
				info.Size(), on, freeSize>>20, packedRatio))
	}
	return nil
}

// tableMemory is the most memory of a table: a quarter of the machine's, for it is copied as
// it grows. It is 4 GiB where that is not known.
func tableMemory() int64 {
	if have := Memory(); have > 0 {
		return int64(have / 4)
	}
	return 4 << 30
}

// room refuses a table that needs more memory than tableMemory, or will if the rest of its
// file is like what was read of it.
func (s *source) room(t *Table) error {
	need := int64(8*(len(t.X)+len(t.Value)) + 4*(len(t.Index)+len(t.Start)+len(t.Y)))
	if need < freeSize {
		return nil
	}
	if s.size > s.read && s.read > 0 {
		need = int64(float64(need) / float64(s.read) * float64(s.size))
	}
	if need > s.memory {
		return s.whole("the table needs %d bytes of memory, want at most %d", need, s.memory)
	}
	return nil
}

// wide refuses features that are out of proportion to the file.
func (s *source) wide(t *Table) error {
	if allowed := freeFeatures + s.read; int64(t.Cols) > allowed {
		return s.whole("%d features in %d bytes, want at most %d", t.Cols, s.read, allowed)
	}
	return nil
}

// freeFeatures are so many as any file may have, beside one for each of its bytes.
const freeFeatures = 1 << 20
