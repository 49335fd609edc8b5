package dataset

import (
	"errors"
	"io"
	"os"
	"strings"
)

// A part is a file that is still arriving. It lies beside its final place,
// with ".part" added; a second file, with ".part.tag", holds the address that
// its bytes began to come from and that server's tag of the version.
type part struct {
	final, path string
	file        *os.File
	w           io.Writer
	n           int64 // bytes in it
	address     string
	tag         string
}

func openPart(final string, sink func(*os.File) io.Writer) (*part, error) {
	p := &part{final: final, path: final + ".part"}
	f, err := os.OpenFile(p.path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, diskError(p.path, err)
	}
	n, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		f.Close() // the error of Seek counts
		return nil, diskError(p.path, err)
	}
	p.file, p.w, p.n = f, sink(f), n
	if b, err := os.ReadFile(p.tagPath()); err == nil && len(b) < 4096 {
		p.address, p.tag, _ = strings.Cut(strings.TrimSuffix(string(b), "\n"), "\n")
		if strings.ContainsAny(p.tag, "\r\n") {
			p.tag = ""
		}
	}
	return p, nil
}

func (p *part) tagPath() string { return p.path + ".tag" }

// tagOf is the tag for a request to address. Another mirror's tag says nothing
// there; the bytes are the same all the same, or the sum tells.
func (p *part) tagOf(address string) string {
	if address != p.address {
		return ""
	}
	return p.tag
}

func (p *part) write(b []byte) error {
	n, err := p.w.Write(b)
	p.n += int64(n)
	if err != nil {
		return diskError(p.path, err)
	}
	return nil
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
		return diskError(p.path, err)
	}
	p.n, p.address, p.tag = 0, "", ""
	return nil
}

// restart empties the part for the version of the file that tag names.
func (p *part) restart(address, tag string) error {
	if err := p.reset(); err != nil {
		return err
	}
	p.address, p.tag = address, tag
	if err := os.WriteFile(p.tagPath(), []byte(address+"\n"+tag+"\n"), 0o666); err != nil {
		return diskError(p.tagPath(), err)
	}
	return nil
}

// keep moves the part to its final place if right says so of it.
func (p *part) keep(right func(path string) bool) (bool, error) {
	if err := p.file.Sync(); err != nil {
		return false, diskError(p.path, err)
	}
	if !right(p.path) {
		return false, nil
	}
	err := p.file.Close()
	p.file = nil
	if err == nil {
		err = os.Rename(p.path, p.final)
	}
	if err != nil {
		return false, diskError(p.final, err)
	}
	drop(p.tagPath())
	return true, nil
}

// close leaves the part for a later fetch, if there is anything in it.
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
	drop(p.path)
	drop(p.tagPath())
}

// drop removes a file that does no harm if it stays.
func drop(path string) { _ = os.Remove(path) }

// diskError words an error about writing; it wraps the cause.
func diskError(path string, err error) error {
	return &fileError{path: path, err: err, writing: true}
}

// isDisk reports whether an error is about a file, and not about what it is made from.
func isDisk(err error) bool {
	var disk *fileError
	return errors.As(err, &disk)
}
