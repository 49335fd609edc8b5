package source

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/targets"
)

// A spool holds the rows of a chain in a temporary file, which has no name and is gone with the program, so that the
// lane can go back to any of them and no memory grows with them. One goroutine adds rows, and any may read them.
type spool struct {
	file  *os.File
	dim   int   // of its coordinates
	cols  []int // the file's columns that are kept: its coordinates, and then what is told of a draw, or nothing
	tells [targets.NumTold]bool
	n     atomic.Uint64
	out   []byte
	mu    sync.Mutex // guards what follows
	block []byte     // of rows from first on
	first uint64
}

// blockRows is how many rows are read at a time, at most.
const blockRows = 256

// newSpool keeps a file's columns, and what it tells of a draw.
func newSpool(cols []int, of *drawsfile.File) (*spool, error) {
	f, err := os.CreateTemp("", "psgld-watch-*")
	if err != nil {
		return nil, err
	}
	_ = os.Remove(f.Name()) // where a system keeps what is open, its name stays
	s := &spool{file: f, dim: len(cols), cols: slices.Clone(cols), tells: of.Tells()}
	for c := len(of.Names()); c < of.Width(); c++ {
		s.cols = append(s.cols, c)
	}
	return s, nil
}

// add adds rows of so many columns.
func (s *spool) add(rows []float64, columns int) error {
	s.out = s.out[:0]
	for at := 0; at < len(rows); at += columns {
		for _, c := range s.cols {
			s.out = binary.LittleEndian.AppendUint64(s.out, math.Float64bits(rows[at+c]))
		}
	}
	size := uint64(8 * len(s.cols))
	if _, err := s.file.WriteAt(s.out, int64(s.n.Load()*size)); err != nil {
		return fmt.Errorf("cannot keep the draws in a temporary file: %w", err)
	}
	s.n.Add(uint64(len(s.out)) / size)
	return nil
}

// row writes row t, which there is, to dst, and what is told of it.
func (s *spool) row(dst []float64, told *targets.Told, t uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := uint64(8 * len(s.cols))
	if have := uint64(len(s.block)) / size; t < s.first || t >= s.first+have {
		n := min(blockRows, s.n.Load()-t) * size
		if uint64(cap(s.block)) < n {
			s.block = make([]byte, n, blockRows*size)
		}
		s.block = s.block[:n]
		if _, err := s.file.ReadAt(s.block, int64(t*size)); err != nil {
			s.block = s.block[:0]
			return fmt.Errorf("cannot read draw %d again: %w", t+1, err)
		}
		s.first = t
	}
	at := s.block[(t-s.first)*size:]
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(at[8*i:]))
	}
	for k := range told {
		if told[k] = math.NaN(); s.tells[k] {
			told[k] = math.Float64frombits(binary.LittleEndian.Uint64(at[8*(s.dim+k):]))
		}
	}
	return nil
}
