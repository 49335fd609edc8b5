package dataset

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// checkTable reports what is inconsistent in a table that was read.
func checkTable(t *testing.T, table *Table) {
	t.Helper()
	n, d := table.Rows, table.Cols
	if n < 1 || d < 1 || d > MaxFeatures || len(table.Y) != n {
		t.Fatalf("%d×%d with %d labels", n, d, len(table.Y))
	}
	for _, y := range table.Y {
		if y != 0 && y != 1 {
			t.Fatalf("class %d", y)
		}
	}
	if table.Names != nil && len(table.Names) != d {
		t.Fatalf("%d names of %d features", len(table.Names), d)
	}
	values := table.X
	if table.Sparse() {
		if len(table.Start) != n+1 || int(table.Start[n]) != len(table.Index) {
			t.Fatalf("%d row starts, last %d of %d", len(table.Start), table.Start[n], len(table.Index))
		}
		for i := range n {
			last := int32(-1)
			for _, k := range table.Index[table.Start[i]:table.Start[i+1]] {
				if k <= last || int(k) >= d {
					t.Fatalf("row %d has index %d after %d of %d", i, k, last, d)
				}
				last = k
			}
		}
		values = table.Value
		if values != nil && len(values) != len(table.Index) {
			t.Fatalf("%d values of %d indices", len(values), len(table.Index))
		}
	} else if len(values) != n*d {
		t.Fatalf("%d values of %d×%d", len(values), n, d)
	}
	for _, x := range values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("value %v", x)
		}
	}
}

// check reads text as LIBSVM or as a table, and holds the result to be
// consistent, an error to be one line, and the memory taken to be in
// proportion to the text: at most 64 bytes a byte beyond the buffers.
func check(t *testing.T, text string, o Options) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	table, err := Read("f", strings.NewReader(text), 0, o)
	runtime.ReadMemStats(&after)
	if taken, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+64*len(text)); taken > most &&
		!strings.HasPrefix(text, "\x1f\x8b") {
		t.Errorf("%d bytes allocated for %d", taken, len(text))
	}
	if err != nil {
		if !strings.HasPrefix(err.Error(), "f:") || strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("error %q", err)
		}
		return
	}
	checkTable(t, table)
	if table.Taken("") == "" || !table.Sparse() && table.Cols+len(table.Skipped())+1 != table.Columns() {
		t.Errorf("%d features and the columns %v skipped of %d", table.Cols, table.Skipped(), table.Columns())
	}
	o.Like = table
	if _, err := Read("f", strings.NewReader(text), 0, o); err != nil {
		t.Errorf("not a test set of itself: %v", err)
	}
}

func FuzzLIBSVM(f *testing.F) {
	for _, s := range []string{
		"-1 1:1 3:2.5\n+1 2:1e-3\n", "1 1:1 # c\r\n2\n", "0 10000000:1\n1 1:1\n", "1 1:1 1:1", "1 2:\n", ":\n1 ::",
		"\x1f\x8b\x08\x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		check(t, "1 1:1\n"+text, Options{})
		check(t, text, Options{})
	})
}

func FuzzSeparated(f *testing.F) {
	for _, s := range []string{
		"a,b,y\n1,2,0\n3,4,1\n", "1;2;a\n3;4;b;\n", "1\t2\n3\t\n", "\"a\"\"b\",\"c\"\n1,0\n2,1\n",
		"\xef\xbb\xbf1 2\n3 4\n", "1,\"", "?,NA,nan\n", "\r00x\ty\n\t\t1\n",
		",a,y\n0,1.5,0\n1,2,1\n", "0,1,2\n.5,3.5,1\n1.5,2.5,2\n", "1,7,0\n2,8,1\n3,9,0\n4,1,0\n5,2,1\n",
		"label,a,class\n1,2,0\n0,3,1\n",
	} {
		f.Add(s, "", "", "")
	}
	f.Add("a,b,y\n1,2,0\n3,4,1\n", "-1", "off", "a,2")
	f.Add("a,b,y\n1,2,0\n3,4,1\n", "y", "on", KeepAll)
	f.Fuzz(func(t *testing.T, text, label, header, skip string) {
		check(t, text, Options{Label: label, Header: header, Skip: skip})
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{
		"0", "-1.5e-3", "+.5", "5.", ".", "1e", "1e+", "123456789012345678", "1e400", "1e-400", "0.1",
		"9007199254740993", "0x1p3", "1_0",
		"00000000000000000000000001", "0.000000000000000000000000000001", "1e22", "1e23", "nan", "?", "-Infinity",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		x, v := parseNumber([]byte(text))
		want, err := strconv.ParseFloat(text, 64)
		decimal := strings.Trim(text, "+-.0123456789eE") == ""
		switch {
		case v == number && (err != nil || x != want || math.Signbit(x) != math.Signbit(want)):
			t.Errorf("%q: %v, want %v (%v)", text, x, want, err)
		case v != number && decimal && err == nil:
			t.Errorf("%q: no number, want %v", text, want)
		}
	})
}

// Columns are read or refused, all as long as each other.
func FuzzReadColumns(f *testing.F) {
	for _, text := range []string{"x,y\n1,2\n3,NA\n", "1 2:3 5:1\n-1 1:2\n", "0 :0",
		`{"x": [1, 2], "m": [[1], [2]], "n": 3}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ReadColumns("f", bytes.NewReader(b), int64(len(b)), func(string) bool { return true })
		if err != nil {
			return
		}
		for name, x := range c.Of {
			if len(x) != c.Rows {
				t.Errorf("%q has %d of %d rows", name, len(x), c.Rows)
			}
		}
	})
}

// Arrays have as many numbers as their dimensions say, each finite, or the error is one line.
func FuzzLoadArrays(f *testing.F) {
	for _, text := range []string{`{"N": 2, "y": [1, 2.5], "X": [[1, 2], [3, 4]], "s": "a", "b": true}`, `{"y": []}`,
		`{"y": [[1], [2, 3]]}`, `{"y": [1e999]}`, `{"y": [[[1]], 2]}`, `[1]`, "PK\x03\x04", `{"a\u001b": 1, "y": [null]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := LoadArrays(path)
		if err != nil && !printable.All(err.Error()) {
			t.Errorf("%q", err)
		}
		for _, a := range all {
			n := 1
			for _, d := range a.Dims {
				n *= d
			}
			if n != len(a.X) || slices.ContainsFunc(a.X, func(x float64) bool { return x-x != 0 }) || !printable.All(a.Name) {
				t.Errorf("%+v", a)
			}
		}
	})
}
