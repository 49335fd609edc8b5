package fetch

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/targets/dataset"
)

func sumOf(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// noise is n bytes that do not compress.
func noise(n int, seed uint64) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{byte(seed)})
	r.Read(b)
	return b
}

// A mirror is a server on the loopback that counts its requests.
type mirror struct {
	*httptest.Server
	mu     sync.Mutex
	ranges []string // of each request
}

func newMirror(t *testing.T, h http.HandlerFunc) *mirror {
	m := &mirror{}
	m.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		m.ranges = append(m.ranges, r.Header.Get("Range"))
		m.mu.Unlock()
		h(w, r)
	}))
	t.Cleanup(m.Close)
	return m
}

func (m *mirror) asked() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.ranges)
}

// serve answers as a good server does, ranges included.
func serve(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

// cut answers with a right header and breaks off after n bytes of the body.
func cut(content []byte, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		serve(content)(rec, r)
		for key, v := range rec.Header() {
			w.Header()[key] = v
		}
		w.WriteHeader(rec.Code)
		body := rec.Body.Bytes()
		w.Write(body[:min(n, len(body))])
		w.(http.Flusher).Flush()
		if n < len(body) {
			panic(http.ErrAbortHandler)
		}
	}
}

func send(length int, chunks ...[]byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if length >= 0 {
			w.Header().Set("Content-Length", strconv.Itoa(length))
		}
		for _, b := range chunks {
			w.Write(b)
			w.(http.Flusher).Flush()
		}
	}
}

// packed is the text as a gzipped file.
func packed(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := io.WriteString(z, text)
	if err = cmp.Or(err, z.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func status404(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }

// oneFile is a set of one file with the given mirrors.
func oneFile(content []byte, mirrors ...*mirror) dataset.Known {
	k := dataset.Known{Name: "set", Folder: "folder",
		Files: []dataset.File{{Name: "file", Size: int64(len(content)), SHA256: sumOf(content)}}}
	for _, m := range mirrors {
		k.Mirrors = append(k.Mirrors, m.URL+"/")
	}
	return k
}

var quick = Options{Stall: 5 * time.Minute, Backoff: time.Millisecond, Rounds: 2}

// writeAll writes files below dir, by their names there.
func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// holdFolder holds the set's folder to have these files and no others.
func holdFolder(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "folder"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func holdContent(t *testing.T, dir, name string, want []byte) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, "folder", name))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %s are not the %d wanted: %v", len(got), name, len(want), err)
	}
}

// Each bad mirror is left for a good one, with the reason.
func TestLeavesBadMirrors(t *testing.T) {
	content := noise(200_000, 1)
	size := len(content)
	for name, c := range map[string]struct {
		bad    http.HandlerFunc
		reason string
	}{
		"404": {status404, "404 Not Found"},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
			"500 Internal Server Error"},
		"strange status":   {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(999) }, "999"},
		"truncated":        {cut(content, 5000), "breaks off"},
		"ends early":       {send(-1, content[:5000]), "breaks off after 5000 of 200000 bytes"},
		"wrong content":    {send(size, noise(size, 2)), "sends other content than the known"},
		"too long":         {send(-1, content, []byte("x")), "sends more than 200000 bytes"},
		"too long, said":   {send(size+1, content, []byte("x")), "has 200001 bytes, want 200000"},
		"too short, said":  {send(5000, content[:5000]), "has 5000 bytes, want 200000"},
		"length too large": {send(size+1, content), "has 200001 bytes, want 200000"},
		"endless":          {endless, "sends more than 200000 bytes"},
		"page":             {send(-1, []byte("<html>log in")), "breaks off after 12 of 200000 bytes"},
		"other range": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", "bytes 7-9/10")
			w.WriteHeader(206)
		}, `sends the range "bytes 7-9/10", want one from 0`},
		"packed": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			w.Write(content)
		}, `sends content encoded as "br"`},
		"redirects for ever": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
		}, "stopped after 10 redirects"},
		"no HTTP": {hijack, "net/http: HTTP/1.x transport connection broken: malformed HTTP response"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad, good := newMirror(t, c.bad), newMirror(t, serve(content))
			dir := t.TempDir()
			var reason error
			o := quick
			o.Progress = func(p Progress) {
				if p.Err != nil {
					reason = p.Err
				}
			}
			if err := Set(t.Context(), dir, oneFile(content, bad, good), o); err != nil {
				t.Fatal(err)
			}
			holdFolder(t, dir, "file")
			holdContent(t, dir, "file", content)
			if reason == nil || !strings.HasPrefix(reason.Error(), c.reason) {
				t.Errorf("reason %v, want %q", reason, c.reason)
			}
			// Alone, the bad mirror is an error of one line and leaves nothing
			// that is whole.
			dir = t.TempDir()
			err := Set(t.Context(), dir, oneFile(content, bad), quick)
			if want := "cannot fetch file: " + host(bad.URL) + ": " + c.reason; err == nil ||
				!strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, want)
			}
			if _, err := os.Stat(filepath.Join(dir, "folder", "file")); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("a wrong file is in place: %v", err)
			}
		})
	}
}

func endless(w http.ResponseWriter, r *http.Request) {
	b := make([]byte, 1<<16)
	for r.Context().Err() == nil {
		if _, err := w.Write(b); err != nil {
			return
		}
	}
}

func hijack(w http.ResponseWriter, _ *http.Request) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		io.WriteString(c, "what?\r\n\r\n")
		c.Close()
	}
}

// Right files are not asked for; wrong ones are replaced, but only by right
// ones.
func TestSkipsAndReplaces(t *testing.T) {
	a, b := noise(1000, 10), noise(2000, 11)
	gz := packed(string(b))
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/b.gz" {
			serve(gz)(w, r)
			return
		}
		serve(a)(w, r)
	})
	k := oneFile(a, m)
	k.Files = append(k.Files, dataset.File{Name: "b.gz", Size: 1900, SHA256: "of another packing", Unpacked: sumOf(b),
		UnpackedSize: 2000})
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"folder/file": "wrong", "folder/b.gz": string(gz)})
	var seen []string
	o := quick
	o.Progress = func(p Progress) {
		if p.Stage == Fetching && p.Done > 0 {
			return // bytes are reported by the clock
		}
		seen = append(seen, fmt.Sprintf("%s %v %d/%d %d/%d", p.File, p.Stage, p.Done, p.Total, p.SetDone, p.SetTotal))
	}
	if err := Set(t.Context(), dir, k, o); err != nil {
		t.Fatal(err)
	}
	holdContent(t, dir, "file", a)
	want := []string{
		"file checking 0/1000 0/2900", "b.gz checking 0/1900 0/2900", "b.gz already there 1900/1900 1900/2900",
		"file fetching 0/1000 1900/2900", "file checking 1000/1000 2900/2900", "file done 1000/1000 2900/2900",
	}
	if !slices.Equal(seen, want) {
		t.Errorf("progress %q, want %q", seen, want)
	}
	if got := len(m.asked()); got != 1 {
		t.Errorf("%d requests, want 1", got)
	}
	// A file that is packed anew comes as well, though its size is not known.
	dir = t.TempDir()
	if err := Set(t.Context(), dir, k, quick); err != nil {
		t.Fatal(err)
	}
	holdContent(t, dir, "b.gz", gz)

	dir = t.TempDir()
	writeAll(t, dir, map[string]string{"folder/file": "wrong"})
	if err := Set(t.Context(), dir, oneFile(a, newMirror(t, status404)), quick); err == nil {
		t.Error("no error")
	}
	holdContent(t, dir, "file", []byte("wrong"))
	holdFolder(t, dir, "file")
}

func TestCancelled(t *testing.T) {
	content := noise(200_000, 12)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	m := newMirror(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(content)))
		w.Write(content[:100_000])
		w.(http.Flusher).Flush()
		cancel(why)
		<-r.Context().Done()
	})
	dir := t.TempDir()
	err := Set(ctx, dir, oneFile(content, m), quick)
	if !errors.Is(err, why) || err.Error() != "fetching file: enough" {
		t.Errorf("error %v", err)
	}
	// Whatever had arrived is kept, and the next call needs only the rest.
	part, err := os.ReadFile(filepath.Join(dir, "folder", "file.part"))
	if errors.Is(err, os.ErrNotExist) {
		part, err = nil, nil // cancelled before the first byte was written
	}
	if err != nil || !bytes.HasPrefix(content, part) {
		t.Errorf("%d bytes are kept: %v", len(part), err)
	}
	good := newMirror(t, serve(content))
	if err := Set(t.Context(), dir, oneFile(content, good), quick); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("bytes=%d-", len(part)); len(part) > 0 && !slices.Equal(good.asked(), []string{want}) {
		t.Errorf("asked for %q, want %q", good.asked(), want)
	}
	if err := Set(ctx, t.TempDir(), oneFile(content, good), quick); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

// fullDisk takes n bytes.
type fullDisk struct {
	w io.Writer
	n int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.n {
		n, _ := d.w.Write(b[:d.n])
		d.n -= n
		return n, &os.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}
	}
	d.n -= len(b)
	return d.w.Write(b)
}

// A full disk ends the fetch without trying the next mirror, and gets back
// what was taken from it.
func TestDiskFull(t *testing.T) {
	content := noise(200_000, 13)
	m, other := newMirror(t, serve(content)), newMirror(t, serve(content))
	dir := t.TempDir()
	f := newFetcher(dir, oneFile(content, m, other), quick)
	f.sink = func(w *os.File) io.Writer { return &fullDisk{w, 100_000} }
	err := f.fetch(t.Context(), dir)
	path := filepath.Join(dir, "folder", "file.part")
	if want := "cannot write " + path + ": no space left on device"; err == nil || err.Error() != want ||
		!errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v, want %q", err, want)
	}
	holdFolder(t, dir)
	if len(m.asked()) != 1 || len(other.asked()) != 0 {
		t.Errorf("%d and %d requests", len(m.asked()), len(other.asked()))
	}
}

func TestCannotWrite(t *testing.T) {
	dir := t.TempDir()
	writeAll(t, dir, map[string]string{"folder": "a file"})
	err := Set(t.Context(), dir, oneFile(nil, newMirror(t, status404)), quick)
	if err == nil || !strings.HasPrefix(err.Error(), "cannot write "+filepath.Join(dir, "folder")+": ") {
		t.Errorf("error %v", err)
	}
	if err := Set(t.Context(), dir, oneFile(nil), quick); err == nil ||
		err.Error() != "cannot fetch set: no mirror is known" {
		t.Errorf("error %v", err)
	}
}

// Several bad mirrors are named one after another.
func TestNamesEveryMirror(t *testing.T) {
	content := noise(1000, 14)
	a, b := newMirror(t, status404), newMirror(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	err := Set(t.Context(), t.TempDir(), oneFile(content, a, b), quick)
	want := fmt.Sprintf("cannot fetch file: %s: 404 Not Found; %s: 503 Service Unavailable", host(a.URL), host(b.URL))
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
	if len(a.asked()) != 1 || len(b.asked()) != 2 {
		t.Errorf("%d and %d requests, want 1 of what stays and 2 of what may pass", len(a.asked()), len(b.asked()))
	}
}

func TestKnownMirrors(t *testing.T) {
	for _, k := range dataset.KnownSets() {
		if len(k.Mirrors) == 0 {
			t.Errorf("%s has no mirror", k.Name)
		}
		for _, m := range k.Mirrors {
			if !strings.HasPrefix(m, "https://") || !strings.HasSuffix(m, "/") || host(m) == m {
				t.Errorf("%s: mirror %q", k.Name, m)
			}
		}
	}
}
