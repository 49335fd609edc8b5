package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// A part is a file that is still arriving. It lies beside its final place, with ".part" added.
type part struct {
	final, path string
	file        *os.File
	w           io.Writer
	n           int64  // bytes in it
	wrote       func() // is called when there are more of them
}

func openPart(final string, sink func(*os.File) io.Writer) (*part, error) {
	p := &part{final: final, path: final + ".part"}
	f, err := regular.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, cannotWrite(p.path, err)
	}
	n, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close() // the error of Seek counts
		return nil, cannotWrite(p.path, err)
	}
	p.file, p.w, p.n = f, sink(f), n
	return p, nil
}

func (p *part) Write(b []byte) (int, error) {
	n, err := p.w.Write(b)
	p.n += int64(n)
	if err != nil {
		return n, cannotWrite(p.path, err)
	}
	p.wrote()
	return n, nil
}

// reset empties the part.
func (p *part) reset() error {
	if p.n == 0 {
		return nil
	}
	err := p.file.Truncate(0)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return cannotWrite(p.path, err)
	}
	p.n = 0
	return nil
}

// keep moves the part to its final place if it is the file.
func (p *part) keep(file dataset.File) (bool, error) {
	if err := p.file.Sync(); err != nil {
		return false, cannotWrite(p.path, err)
	}
	if !right(p.path, file) {
		return false, nil
	}
	err := p.file.Close()
	p.file = nil
	if err == nil {
		err = os.Rename(p.path, p.final)
	}
	if err != nil {
		return false, cannotWrite(p.final, err)
	}
	return true, nil
}

// close leaves the part for a later call, if there is anything in it.
func (p *part) close() {
	if p.file == nil {
		return
	}
	p.file.Close() // a part that is cut short by this is found out by its sum
	p.file = nil
	if p.n == 0 {
		p.remove()
	}
}

// remove gives the part up.
func (p *part) remove() {
	if p.file != nil {
		p.file.Close() // not needed any more
		p.file = nil
	}
	_ = os.Remove(p.path) // it does no harm if it stays
}

// A diskError says that a file cannot be written, whatever a mirror sends.
type diskError struct{ error }

func (e diskError) Unwrap() error { return e.error }

// cannotWrite words an error about writing without what the system's errors begin with; it wraps the cause.
func cannotWrite(path string, err error) error {
	return diskError{fmt.Errorf("cannot write %s: %w", path, cmp.Or(errors.Unwrap(err), err))}
}

func isDisk(err error) bool {
	_, disk := errors.AsType[diskError](err)
	return disk
}
