package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/dataset/fetch"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// TestFetch fetches from a server of its own; what servers can do wrong is
// tested in package fetch.
func TestFetch(t *testing.T) {
	content := []byte("1 2 3 0\n")
	sum := sha256.Sum256(content)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/tiny.dat" {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(content)
	}))
	defer server.Close()
	set := dataset.Known{
		Name: "tiny", Folder: "tiny", Mirrors: []string{server.URL + "/"},
		Files: []dataset.File{{Name: "tiny.dat", Size: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}},
	}
	dir := t.TempDir()
	var out, errs bytes.Buffer
	e := &env{Console: &console.Console{Out: console.NewOutput(&out, false), Err: &errs}}
	for range 2 { // the second time it is there
		if err := e.fetch(t.Context(), dir, []dataset.Known{set}, fetch.Options{Client: server.Client()}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(filepath.Join(dir, "tiny", "tiny.dat"))
	if err != nil || string(got) != string(content) {
		t.Errorf("%q, %v", got, err)
	}
	if want := "tiny tiny.dat: done\ntiny tiny.dat: already there\n"; errs.String() != want {
		t.Errorf("standard error %q, want %q", errs.String(), want)
	}
	if want := "tiny: in " + dir + "\n"; out.String() != want+want {
		t.Errorf("standard output %q", out.String())
	}
	set.Files[0].Name, set.Folder = "gone.dat", "gone"
	o := fetch.Options{Client: server.Client(), Rounds: 1, Backoff: time.Millisecond}
	if err := e.fetch(t.Context(), dir, []dataset.Known{set}, o); err == nil {
		t.Error("no error for a file that no mirror has")
	}
}
