package fetch

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/psgld/psgld-tui/targets/dataset"
)

// tarred is a gzipped tar file of the members in turn: name, content.
func tarred(members ...string) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		h := &tar.Header{Name: members[i], Mode: 0o644, Size: int64(len(members[i+1])), Typeflag: tar.TypeReg}
		if target, ok := strings.CutPrefix(members[i+1], "-> "); ok {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, target, 0
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if h.Size > 0 {
			if _, err := io.WriteString(w, members[i+1]); err != nil {
				panic(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return packed(b.String())
}

// archived is a set of two files, "one" and "two", in an archive.
func archived(content []byte, one, two string, m *mirror) dataset.Known {
	file := func(name, text string) dataset.File {
		return dataset.File{Name: name, Size: int64(len(text)), SHA256: sumOf([]byte(text))}
	}
	return dataset.Known{
		Name: "set", Folder: "folder", Files: []dataset.File{file("one", one), file("two", two)},
		Mirrors: []string{m.URL + "/"},
		Archive: &dataset.Archive{File: file("a.tar.gz", string(content)), Folder: "inner"},
	}
}

func TestArchive(t *testing.T) {
	one, two := string(noise(150_000, 1)), string(noise(70_000, 2))
	content := tarred("inner/readme", "hello", "./inner/two", two, "two", "wrong", "inner/../inner/one", one)
	m := newMirror(t, cut(content, 100_000))
	k := archived(content, one, two, m)
	dir := t.TempDir()
	var stages []string
	o := quick
	o.Progress = func(p Progress) {
		if at := p.File + " " + p.Stage.String(); len(stages) == 0 || stages[len(stages)-1] != at {
			stages = append(stages, at)
		}
		if p.SetDone > p.SetTotal || p.Done > p.Total {
			t.Errorf("%+v", p)
		}
		if p.Stage == Unpacking && (p.SetDone != int64(len(content)) || p.SetTotal != int64(len(content))) {
			t.Errorf("%d of %d while unpacking", p.SetDone, p.SetTotal)
		}
	}
	if err := Set(t.Context(), dir, k, o); err != nil {
		t.Fatal(err)
	}
	holdFolder(t, dir, "one", "two")
	holdContent(t, dir, "one", []byte(one))
	holdContent(t, dir, "two", []byte(two))
	// The second piece of 100,000 bytes leaves some, so that a round is waited.
	want := []string{
		"one checking", "two checking", "a.tar.gz checking", "a.tar.gz fetching", "a.tar.gz waiting",
		"a.tar.gz fetching",
		"a.tar.gz waiting", "a.tar.gz fetching", "a.tar.gz checking", "a.tar.gz done",
		"two unpacking", "two done", "one unpacking", "one done",
	}
	if !slices.Equal(stages, want) {
		t.Errorf("stages %q, want %q", stages, want)
	}
	if !dataset.Present(dir, k) {
		t.Error("not present")
	}

	// Nothing is asked for when all is there, also where it was unpacked by
	// hand, and a right archive is taken as it is.
	before := len(m.asked())
	if err := Set(t.Context(), dir, k, quick); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	writeAll(t, dir, map[string]string{"folder/inner/one": one, "folder/inner/two": two})
	if err := Set(t.Context(), dir, k, quick); err != nil || !dataset.Present(dir, k) {
		t.Fatal(err)
	}
	holdFolder(t, dir, "inner")
	dir = t.TempDir()
	writeAll(t, dir, map[string]string{"folder/a.tar.gz": string(content), "folder/one": "wrong",
		"folder/inner/two": two})
	if err := Set(t.Context(), dir, k, quick); err != nil {
		t.Fatal(err)
	}
	holdFolder(t, dir, "inner", "one")
	holdContent(t, dir, "one", []byte(one))
	if got := len(m.asked()); got != before {
		t.Errorf("%d requests more", got-before)
	}
}

// An archive cannot write elsewhere, and what is wrong with it is said.
func TestArchiveRefuses(t *testing.T) {
	one, two := "the first", "the second"
	whole := tarred("inner/one", one, "inner/two", two)
	huge := tarred("inner/other", strings.Repeat("\x00", 3<<20), "inner/one", one, "inner/two", two)
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"outside": {tarred("../one", one, "/inner/one", one, "inner/../../inner/one", one, "inner/two", two),
			"a.tar.gz: the archive has no inner/one"},
		"missing": {tarred("inner/one", one), "a.tar.gz: the archive has no inner/two"},
		"link": {tarred("inner/one", one, "inner/two", "-> /etc/passwd"),
			"a.tar.gz: the archive has no inner/two"},
		"other size": {tarred("inner/one", one, "inner/two", two+"!"), "a.tar.gz: inner/two has 11 bytes, want 10"},
		"other content": {tarred("inner/one", one, "inner/two", "THE SECOND"),
			"a.tar.gz: inner/two has other content than the known"},
		"no gzip": {[]byte("PK\x03\x04 or so"), "a.tar.gz: broken archive: gzip: invalid header"},
		"no tar": {packed(strings.Repeat("no tar", 1000)),
			"a.tar.gz: broken archive: archive/tar: invalid tar header"},
		"cut off": {whole[:len(whole)-30], "a.tar.gz: broken archive: unexpected EOF"},
		"bomb":    {huge, "a.tar.gz: broken archive: unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			k := archived(c.content, one, two, newMirror(t, serve(c.content)))
			if err := Set(t.Context(), dir, k, quick); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %q", err, c.want)
			}
			if above, err := os.ReadDir(dir); err != nil || len(above) != 1 {
				t.Errorf("%d entries beside the folder: %v", len(above)-1, err)
			}
			entries, err := os.ReadDir(filepath.Join(dir, "folder"))
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if n := e.Name(); n != "one" && n != "a.tar.gz" && (n != "two" || name != "outside") {
					t.Errorf("%s is left", n)
				}
			}
		})
	}
}

func TestArchiveStops(t *testing.T) {
	one, two := "the first", "the second"
	content := tarred("inner/one", one, "inner/two", two)
	m := newMirror(t, serve(content))
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"folder/a.tar.gz": string(content)})
	k := archived(content, one, two, m)
	f := newFetcher(dir, k, quick)
	f.sink = func(w *os.File) io.Writer { return &fullDisk{w, 5} }
	if err := f.fetch(t.Context(), dir); !errors.Is(err, syscall.ENOSPC) ||
		err.Error() != "cannot write "+filepath.Join(dir, "folder", "one.part")+": no space left on device" {
		t.Errorf("error %v", err)
	}
	holdFolder(t, dir, "a.tar.gz")

	ctx, cancel := context.WithCancel(t.Context())
	o := quick
	o.Progress = func(p Progress) {
		if p.File == "a.tar.gz" && p.Stage == Skipped {
			cancel()
		}
	}
	if err := Set(ctx, dir, k, o); !errors.Is(err, context.Canceled) ||
		err.Error() != "fetching a.tar.gz: context canceled" {
		t.Errorf("error %v", err)
	}
	holdFolder(t, dir, "a.tar.gz")
}
