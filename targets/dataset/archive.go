package dataset

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
)

// unpack takes the wanted files out of the archive at place. A member's name
// only selects which of them it is, and never says where it goes, so that no
// archive can write anywhere else. What is read is bounded by the files' sizes.
func (f *fetcher) unpack(ctx context.Context, place string, a Archive, wanted []File) error {
	in, err := os.Open(place)
	if err != nil {
		return pathError(place, err)
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
	want := make(map[string]File, len(wanted))
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
		f.begin(file)
		f.report(Unpacking)
		sum, err := f.extract(members, file, wrong)
		if err != nil {
			return err
		}
		if sum != file.SHA256 {
			drop(partOf(f.folder, file.Name))
			return fmt.Errorf("%s: %s has other content than the known", a.Name, name)
		}
		final := filepath.Join(f.folder, file.Name)
		if err := os.Rename(partOf(f.folder, file.Name), final); err != nil {
			return diskError(final, err)
		}
		delete(want, name)
		f.finish(file, Finished)
	}
	return nil
}

// extract writes a member to the part of its file and returns its SHA-256.
// wrong words an error of the archive. After an error no part is left.
func (f *fetcher) extract(r io.Reader, file File, wrong func(error) error) (sum string, err error) {
	place := partOf(f.folder, file.Name)
	out, err := os.Create(place)
	if err != nil {
		return "", diskError(place, err)
	}
	defer func() {
		if cerr := out.Close(); err == nil && cerr != nil {
			err = diskError(place, cerr)
		}
		if err != nil {
			drop(place)
		}
	}()
	w, h := f.sink(out), sha256.New()
	buf := make([]byte, 64<<10)
	for done := int64(0); ; {
		n, rerr := r.Read(buf)
		if _, err := w.Write(buf[:n]); err != nil {
			return "", diskError(place, err)
		}
		h.Write(buf[:n])
		done += int64(n)
		f.advance(Unpacking, done)
		if errors.Is(rerr, io.EOF) {
			break
		}
		if rerr != nil {
			return "", wrong(rerr)
		}
	}
	if err := out.Sync(); err != nil {
		return "", diskError(place, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
