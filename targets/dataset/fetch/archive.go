package fetch

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// unpack takes the wanted files out of the archive at place. A member's name only selects which of them it is, and
// never says where it goes, so that no archive can write anywhere else. What is read is bounded by the files' sizes.
func (f *fetcher) unpack(ctx context.Context, place string, a dataset.Archive, wanted []dataset.File) error {
	in, _, err := regular.Open(place)
	if err != nil {
		return err
	}
	defer in.Close() // only read from
	wrong := func(err error) error {
		if cause := context.Cause(ctx); cause != nil {
			return f.stopped(a.File, cause)
		}
		return fmt.Errorf("%s: broken archive: %w", a.Name, err)
	}
	z, err := gzip.NewReader(&untilDone{ctx, in})
	if err != nil {
		return wrong(err)
	}
	const slack = 1 << 20 // headers, and members that are not wanted
	most := int64(slack)
	want := make(map[string]dataset.File, len(wanted))
	for _, file := range f.set.Files {
		most += file.Size
	}
	for _, file := range wanted {
		want[path.Join(a.Folder, file.Name)] = file
	}
	members := tar.NewReader(io.LimitReader(z, most))
	for len(want) > 0 {
		h, err := members.Next()
		if errors.Is(err, io.EOF) {
			for _, file := range wanted { // in order
				if name := path.Join(a.Folder, file.Name); want[name].Name != "" {
					return fmt.Errorf("%s: the archive has no %s", a.Name, name)
				}
			}
		}
		if err != nil {
			return wrong(err)
		}
		name := path.Clean(h.Name)
		file, ok := want[name]
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		if h.Size != file.Size {
			return fmt.Errorf("%s: %s has %d bytes, want %d", a.Name, name, h.Size, file.Size)
		}
		switch ok, err := f.extract(members, file); {
		case isDisk(err):
			return err
		case err != nil:
			return wrong(err)
		case !ok:
			return fmt.Errorf("%s: %s has other content than the known", a.Name, name)
		}
		f.finish(file, Finished)
		delete(want, name)
	}
	return nil
}

// extract takes a member out to its file if the content is right. No part is left of any other.
func (f *fetcher) extract(r io.Reader, file dataset.File) (ok bool, err error) {
	f.begin(file)
	f.report(Unpacking)
	p, err := openPart(filepath.Join(f.folder, file.Name), f.sink)
	if err != nil {
		return false, err
	}
	defer p.remove()
	if err := p.reset(); err != nil {
		return false, err
	}
	p.wrote = func() { f.advance(Unpacking, p.n) }
	if _, err = io.Copy(p, r); err != nil {
		return false, err
	}
	return p.keep(file)
}

// untilDone reads until its context ends.
type untilDone struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(b)
}
