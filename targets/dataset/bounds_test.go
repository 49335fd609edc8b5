package dataset

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// packedOf packs n times a text.
func packedOf(t *testing.T, text string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range n {
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBounds has files that promise, or unpack to, more than they are: each is one line that
// names the bound.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("it unpacks many megabytes")
	}
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	wants := func(what string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", what, err, want)
		}
	}
	bomb := packedOf(t, strings.Repeat("1,0,0\n0,1,1\n", 1<<16), 64) // 48 MiB in 50 kB
	_, err := Load(write("bomb.csv.gz", bomb), Options{})
	wants("a gzip bomb", err, "bomb.csv.gz: unpacks to more than 32 MiB and 100 times its size")
	_, err = Read("f", strings.NewReader("1 9000000:1\n0 1:1\n"), 0, Options{})
	wants("a feature index", err, "f: 9000000 features in 18 bytes, want at most 1048594")

	header := binary.BigEndian.AppendUint32(nil, idxImages)
	for _, n := range []uint32{60_000, 28, 28} {
		header = binary.BigEndian.AppendUint32(header, n)
	}
	packed := packedOf(t, string(header)+strings.Repeat("\x00", 1000), 1)
	b, err := newBinary("images.gz", bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = readIDX(b, idxImages)
	wants("a header's promise", err, "images.gz: 47040000 bytes of images in a gzipped file of")

	s, err := newSource("f", strings.NewReader(""), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	s.read, s.memory = 1<<25, 1<<30
	if err := s.room(&Table{X: make([]float64, 1<<22)}); err != nil {
		t.Errorf("32 MiB of 1 GiB: %v", err)
	}
	wants("a large table", s.room(&Table{X: make([]float64, 1<<22+1)}),
		"f: the table needs 1073742080 bytes of memory, want at most 1073741824")

	sparse := write("sparse", []byte("1 2 0\n"))
	if err := os.Truncate(sparse, 1<<30); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" {
		_, err = Load(sparse, Options{})
		wants("a file of holes", err, "sparse: it has 1073741824 bytes, of which ")
	}
}
