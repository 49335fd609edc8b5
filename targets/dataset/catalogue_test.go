package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// helloSum is the SHA-256 of "hello\n", from coreutils' sha256sum.
const helloSum = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

func TestVerify(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Join(dir, "set"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "set", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	gz := func(name string) File {
		return File{Name: name, Size: 999, SHA256: "other", Unpacked: helloSum, UnpackedSize: 6}
	}
	plain := func(name string) File { return File{Name: name, Size: 6, SHA256: helloSum} }
	k := Known{Name: "s", Folder: "set", Files: []File{
		plain("ok"), plain("missing"), plain("short"), plain("other"),
		gz("repacked.gz"), gz("wrong.gz"), gz("longer.gz"), gz("notgz.gz"), plain("folder"),
	}}
	write("ok", "hello\n")
	write("short", "hello")
	write("other", "hellO\n")
	write("repacked.gz", packed("hello\n"))
	write("wrong.gz", packed("hellO\n"))
	write("longer.gz", packed("hello\nhello\n"))
	write("notgz.gz", "hello\n")
	if err := os.Mkdir(filepath.Join(dir, "set", "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := []State{OK, Missing, WrongSize, WrongHash, OK, WrongSize, WrongSize, WrongSize, Unreadable}
	for i, st := range Verify(dir, k) {
		if st.State != want[i] || st.Path != filepath.Join(dir, "set", k.Files[i].Name) ||
			(st.Err != nil) != (want[i] == Unreadable) {
			t.Errorf("%s: %v (%v), want %v", st.Path, st.State, st.Err, want[i])
		}
	}
	if Present(dir, k) || !Present(dir, Known{Folder: "set", Files: k.Files[:1]}) {
		t.Error("Present is wrong")
	}
}

func TestKnownFiles(t *testing.T) {
	for _, k := range KnownSets() {
		files := k.Files
		if a := k.Archive; a != nil {
			files = append(files, a.File)
		}
		for _, f := range k.Files {
			if a := k.Archive; a != nil && (a.Folder != cifarFolder || f.Size != cifarRecords*cifarRecord) {
				t.Errorf("%s: not as it is read, of %d bytes in %s", f.Name, f.Size, a.Folder)
			}
		}
		for _, f := range files {
			if sum, err := hex.DecodeString(f.SHA256); err != nil || len(sum) != sha256.Size || f.Size <= 0 {
				t.Errorf("%s: size %d, sum %q", f.Name, f.Size, f.SHA256)
			}
		}
	}
}

func TestVerifyRealData(t *testing.T) {
	if testing.Short() {
		t.Skip("it tells of the files alone")
	}
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		t.Skip("PSGLD_DATA not set")
	}
	for _, k := range KnownSets() {
		t.Run(k.Name, func(t *testing.T) {
			if !Present(dir, k) {
				t.Skip(k.Name + " is not in PSGLD_DATA")
			}
			for _, st := range Verify(dir, k) {
				if st.State != OK {
					t.Errorf("%s: %v", st.Path, st.State)
				}
			}
		})
	}
}

func TestDir(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv("LocalAppData", filepath.Join(home, "local"))
	xdg := filepath.Join(home, "xdg")
	t.Setenv("XDG_DATA_HOME", xdg)
	t.Setenv("PSGLD_DATA", "/data")
	if got := Dir("/flag"); got != "/flag" {
		t.Error(got)
	}
	if got := Dir(""); got != "/data" {
		t.Error(got)
	}
	t.Setenv("PSGLD_DATA", "")
	if got := Dir(""); got != filepath.Join(xdg, "psgld-tui") {
		t.Error(got)
	}
	t.Setenv("XDG_DATA_HOME", "relative")
	want := map[string]string{
		"windows": filepath.Join(home, "local", "psgld-tui"),
		"darwin":  filepath.Join(home, "Library", "Application Support", "psgld-tui"),
		"linux":   filepath.Join(home, ".local", "share", "psgld-tui"),
	}[runtime.GOOS]
	if got := Dir(""); want != "" && got != want {
		t.Errorf("%s, want %s", got, want)
	}
	// Without a home, nothing that happens to lie in the working directory is taken for data.
	for _, none := range []string{"", "."} {
		for _, key := range []string{"HOME", "USERPROFILE", "LocalAppData"} {
			t.Setenv(key, none)
		}
		if got := Dir(""); runtime.GOOS == "linux" && got != "/.local/share/psgld-tui" {
			t.Errorf("without a home: %s", got)
		}
	}
}

// Golden values of the generated set; a change of any of them changes every
// recorded session on it. The tolerance allows for fused multiply-adds of
// other processors.
func TestSyntheticGolden(t *testing.T) {
	train, test := Synthetic()
	positive := func(t *Table) (n int) {
		for _, y := range t.Y {
			n += int(y)
		}
		return n
	}
	if train.Rows != 1000 || test.Rows != 1000 || train.Cols != 8 || len(train.X) != 8000 || len(test.Y) != 1000 {
		t.Fatalf("%d×%d and %d×%d", train.Rows, train.Cols, test.Rows, test.Cols)
	}
	if p, q := positive(train), positive(test); p != 449 || q != 441 {
		t.Errorf("%d and %d positive, want 449 and 441", p, q)
	}
	near := func(got []float64, want [8]float64) {
		t.Helper()
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("feature %d: %v, want %v", i+1, got[i], want[i])
			}
		}
	}
	near(train.X[:8], [8]float64{
		0.8103546090202687, -0.2744611133563326, -0.8876588059867546, -0.42235248187818747,
		0.2685667646882105, 0.3801978290115375, 0.07815096178360012, -0.12093683054987357,
	})
	near(test.X[8*999:], [8]float64{
		-0.9035035000116123, -2.706227055639298, 0.9492832737014834, -0.8921983717199979,
		-1.0508201578662804, -0.45492960870138127, -0.014876056975670187, 0.03808538911121179,
	})
	again, _ := Synthetic()
	if !slices.Equal(again.X, train.X) || !slices.Equal(again.Y, train.Y) {
		t.Error("not the same twice")
	}
}
