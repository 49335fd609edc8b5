package dataset

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// State is what Check found out about a file.
type State int

// The states of a file.
const (
	OK State = iota
	Missing
	WrongSize
	WrongHash
	Unreadable
)

// String names a state for messages.
func (s State) String() string {
	return [...]string{OK: "ok", Missing: "missing", WrongSize: "wrong size", WrongHash: "wrong hash",
		Unreadable: "unreadable"}[s]
}

// FileStatus is a file of the catalogue as found in a data folder.
type FileStatus struct {
	Path  string
	Want  File
	Size  int64 // found; 0 if there is no file
	State State
	// Err says why a file is unreadable; nil otherwise.
	Err error
}

// Present reports by existence and size alone, without reading, whether the files of k are in the data folder dir.
func Present(dir string, k Known) bool {
	for _, f := range k.Files {
		info, err := os.Stat(k.Path(dir, f))
		if err != nil || !info.Mode().IsRegular() || (info.Size() != f.Size && f.Unpacked == "") {
			return false
		}
	}
	return true
}

// Verify checks the files of k in the data folder dir.
func Verify(dir string, k Known) []FileStatus {
	return list.Map(k.Files, func(f File) FileStatus { return f.Check(k.Path(dir, f)) })
}

// Check compares the file at path with f, by size and then by SHA-256. A
// gzipped file whose own bytes differ is ok if it unpacks to the right ones.
func (f File) Check(path string) FileStatus {
	st := FileStatus{Path: path, Want: f}
	switch err := st.compare(); {
	case errors.Is(err, fs.ErrNotExist):
		st.State = Missing
	case err != nil:
		st.State, st.Err = Unreadable, err
	}
	return st
}

// compare sets the state of a file that can be read.
func (st *FileStatus) compare() error {
	f, info, err := open(st.Path)
	if err != nil {
		return err
	}
	defer f.Close() // only read from
	st.Size, st.State = info.Size(), WrongSize
	if st.Size == st.Want.Size {
		sum, _, err := digest(f, st.Size)
		if st.State = WrongHash; err == nil && sum == st.Want.SHA256 {
			st.State = OK
		}
		if err != nil || st.State == OK {
			return err
		}
	}
	if st.Want.Unpacked == "" {
		return nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil // not gzipped: the packed file's state stands
	}
	sum, n, err := digest(z, st.Want.UnpackedSize)
	if err == nil && n == st.Want.UnpackedSize && sum == st.Want.Unpacked {
		st.State = OK
	}
	return nil
}

// digest hashes r, stopping soon after most bytes, so that a small file that unpacks to a huge one costs little.
func digest(r io.Reader, most int64) (sum string, n int64, err error) {
	h := sha256.New()
	n, err = io.Copy(h, io.LimitReader(r, most+1))
	return hex.EncodeToString(h.Sum(nil)), n, err
}
