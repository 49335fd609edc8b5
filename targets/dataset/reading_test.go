package dataset

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is read of a file, and what is drawn, is counted to its end.
func TestReading(t *testing.T) {
	var r Reading
	if done, label := r.Told(); !math.IsNaN(done) || label != "" {
		t.Errorf("at first %v of %q", done, label)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(strings.Repeat("1.25,2.50,1\n0.25,1.50,0\n", 50_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, Options{Reading: &r}); err != nil {
		t.Fatal(err)
	}
	if done, label := r.Told(); done != 1 || label != "1.2 of 1.2 MB read" {
		t.Errorf("of the file %v, %q", done, label)
	}
	var drawn Reading
	Strokes(1, &drawn)
	if done, label := drawn.Told(); done != 1 || label != "14000 of 14000 images drawn" {
		t.Errorf("of the images %v, %q", done, label)
	}
}
