package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func read(t *testing.T, text string, o Options) *Table {
	t.Helper()
	table, err := Read("f", strings.NewReader(text), 0, o)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return table
}

// rows returns the table's rows as dense ones.
func rows(t *Table) []float64 {
	if !t.Sparse() {
		return t.X
	}
	x := make([]float64, t.Rows*t.Cols)
	for i := range t.Rows {
		for k := t.Start[i]; k < t.Start[i+1]; k++ {
			v := 1.0
			if t.Value != nil {
				v = t.Value[k]
			}
			x[i*t.Cols+int(t.Index[k])] = v
		}
	}
	return x
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.String()
}

// The same three rows in every layout that is understood.
func TestSameDataInEveryFormat(t *testing.T) {
	want := []float64{1.5, 0, -2, 0, 1, 0.001, 1e3, 0, 7}
	labels := []int32{0, 1, 1}
	for name, c := range map[string]struct {
		text   string
		format Format
		named  bool
		label  string
	}{
		"LIBSVM":     {"-1 1:1.5 3:-2\n+1 2:1 3:.001\n1 1:1e3 3:7\n", LIBSVM, false, ""},
		"LIBSVM 0/1": {"0 1:1.5 2:0 3:-2 \n1 2:1 3:1e-3\n1 1:1000 3:7.0", LIBSVM, false, ""},
		"LIBSVM 1/2, comment": {"# about\r\n1 1:1.5  3:-2 # one\r\n\r\n2\t2:1 3:0.001\r\n2 1:+1e3 3:7\r\n", LIBSVM,
			false, ""},
		"CSV":         {"1.5,0,-2,0\n0,1,0.001,1\n1000,0,7,1\n", CSV, false, ""},
		"CSV, header": {"a,b,c,y\n1.5,0,-2,no\n0,1,0.001,yes\n1000,0,7,yes\n", CSV, true, ""},
		"CSV, quotes, BOM": {
			"\xef\xbb\xbf\"a\",\"b, too\",\"c\",\"y\"\n\"1.5\", 0 ,-2,\"0\"\n0,1,0.001,1\n1000,0,7,1", CSV, true, ""},
		"CSV, trailing":     {"a,b,c,y,\r\n1.5,0,-2,0,\r\n0,1,0.001,1,\r\n1000,0,7,1,\r\n", CSV, true, ""},
		"CSV, short header": {"a,b,c,y\n1.5,0,-2,0,\n0,1,0.001,1,\n1000,0,7,1,\n", CSV, true, ""},
		"CSV, label first":  {"M,1.5,0,-2\nR,0,1,0.001\nR,1000,0,7\n", CSV, false, "1"},
		"CSV, label named":  {"a,y,b,c\n1.5,g,0,-2\n0,h,1,0.001\n1000,h,0,7\n", CSV, true, "y"},
		"semicolons":        {"a;b;c;y\n1.5;0;-2;0\n0;1;0.001;1\n1000;0;7;1\n", Semicolon, true, ""},
		"tabs":              {"1.5\t0\t-2\t0\n0\t1\t0.001\t1\n1000\t0\t7\t1\n", Tab, false, ""},
		"tabs, header":      {"the a\tb\tc\ty\n1.5\t0\t-2\tno\n0\t1\t0.001\tyes\n1000\t0\t7\tyes\n", Tab, true, ""},
		"blanks":            {"  1.5 0   -2 0  \n0 1 0.001 1\n\n1000 0 7 1\n\x1a", Blank, false, ""},
		"blanks and tabs":   {"1.5 \t0 -2 0\n0 1\t0.001 1\n1000 0 7 1\n", Blank, false, ""},
		"blanks, header":    {"# ripley\n\"a\" b c y\n1.5 0 -2 1\n0 1 0.001 2\n1000 0 7 2\n", Blank, true, ""},
	} {
		for _, form := range []string{"", ", gzipped"} {
			t.Run(name+form, func(t *testing.T) {
				text := c.text
				if form != "" {
					text = packed(text)
				}
				got := read(t, text, Options{Label: c.label})
				if got.Format != c.format || got.Rows != 3 || got.Cols != 3 || (got.Names != nil) != c.named {
					t.Fatalf("%v, %d×%d, names %q", got.Format, got.Rows, got.Cols, got.Names)
				}
				if x := rows(got); !slices.Equal(x, want) || !slices.Equal(got.Y, labels) {
					t.Errorf("rows %v, labels %v", x, got.Y)
				}
			})
		}
	}
}

func TestClasses(t *testing.T) {
	for text, want := range map[string][2]string{
		"1,yes\n2,no\n":        {"no", "yes"},
		"1,10\n2,9\n":          {"9", "10"},
		"1,1\n2,-1\n":          {"-1", "1"},
		"1,1\n2,0.0\n3,+1.0":   {"0.0", "1"},
		"+1 1:2\n-1 1:3\n":     {"-1", "+1"},
		"2 1:2\n1 1:3\n":       {"1", "2"},
		"1,b\n2,10\n":          {"10", "b"},
		"1,\"a b\"\n2,\"c\"\n": {"a b", "c"},
	} {
		got := read(t, text, Options{})
		if got.Classes != want {
			t.Errorf("%q: classes %q, want %q", text, got.Classes, want)
		}
	}
}

func TestTestSet(t *testing.T) {
	train := read(t, "2 1:1 3:1\n1 2:1\n", Options{})
	test := read(t, "1 1:1 3:1 7:2 9:1\n1\n", Options{Like: train})
	if test.Cols != 3 || test.Ignored != 2 || !slices.Equal(test.Y, []int32{0, 0}) || len(test.Index) != 2 {
		t.Errorf("test set %+v", test)
	}
	named := read(t, "y,a\nh,1\ng,2\n", Options{Label: "y"})
	test = read(t, "h,5\nh,6\n", Options{Like: named})
	if !slices.Equal(test.Y, []int32{1, 1}) || !slices.Equal(test.X, []float64{5, 6}) {
		t.Errorf("test set %+v", test)
	}
}

func TestValuesOfOneAreNotStored(t *testing.T) {
	if got := read(t, "1 1:1 2:1.0\n0 2:1\n", Options{}); got.Value != nil || len(got.Index) != 3 {
		t.Errorf("%+v", got)
	}
	got := read(t, "1 1:1 2:1\n0 2:0 3:4\n", Options{})
	if !slices.Equal(got.Value, []float64{1, 1, 4}) || !slices.Equal(got.Start, []int32{0, 2, 3}) {
		t.Errorf("%+v", got)
	}
}

// One line of error for each way in which a file can be wrong.
func TestBadFiles(t *testing.T) {
	svm := read(t, "-1 1:1\n+1 2:1\n", Options{})
	csv := read(t, "a,b,y\n1,2,0\n1,2,1\n", Options{})
	cut := packed(strings.Repeat("1 1:1 2:3\n0 1:2\n", 500))
	for name, c := range map[string]struct {
		text string
		o    Options
		want string
	}{
		"empty":          {"", Options{}, "f: the file is empty"},
		"blank":          {" \n\r\n\t\n", Options{}, "f: the file is empty"},
		"comments alone": {"# one\n# two\n", Options{}, "f: no rows of data"},
		"header alone":   {"a,b,y\n", Options{}, "f: no rows of data"},
		"binary": {"ab\x00c,1\n", Options{},
			"f: the file is binary, want text (LIBSVM, CSV or blank-separated)"},
		"labels alone": {"1\n0\n1\n", Options{}, "f: no features, only labels"},
		"one class":    {"1,2,1\n3,4,1\n", Options{}, `f: every row has the label "1", want two classes`},
		"three classes": {"1,0\n2,1\n\n3,2\n", Options{},
			`f:4: label "2" is a third class beside "0" and "1", want two classes`},
		"three classes, LIBSVM": {"1 1:1\n2 1:1\n3 1:1", Options{},
			`f:3: label "3" is a third class beside "1" and "2", want two classes`},

		"index of text":  {"1 1:1 x:2\n", Options{}, `f:1: feature index "x", want 1..10000000`},
		"index 0":        {"1 1:1\n0 0:1\n", Options{}, "f:2: feature index 0, want 1..10000000"},
		"index negative": {"1 1:1\n0 -3:1\n", Options{}, `f:2: feature index "-3", want 1..10000000`},
		"index fraction": {"1 1.5:1\n", Options{}, `f:1: feature index "1.5", want 1..10000000`},
		"index huge": {"1 99999999999999999999999:1\n", Options{},
			"f:1: feature index 99999999999999999999999, want 1..10000000"},
		"index beyond limit": {"1 10000001:1\n", Options{}, "f:1: feature index 10000001, want 1..10000000"},
		"index empty":        {"1 :1 2:1\n", Options{}, `f:1: feature index "", want 1..10000000`},
		"indices fall":       {"1 5:1 3:1\n", Options{}, "f:1: feature index 3 after 5, want increasing indices"},
		"index twice":        {"1 3:1 3:1\n", Options{}, "f:1: feature index 3 after 3, want increasing indices"},
		"no colon":           {"1 3:1\n0 3:1 4\n", Options{}, `f:2: field "4", want index:value`},
		"value of text":      {"1 3:1\n0 12:x\n", Options{}, `f:2: feature 12 has value "x", want a number`},
		"value empty": {"1 3:1\n0 12:\n", Options{},
			"f:2: feature 12 has no value, want a number (missing values are not supported)"},
		"value twice":       {"1 3:1:2\n", Options{}, `f:1: feature 3 has value "1:2", want a number`},
		"value NaN":         {"1 3:NaN\n", Options{}, `f:1: feature 3 has value "NaN", want a finite number`},
		"value infinite":    {"1 3:-inf\n", Options{}, `f:1: feature 3 has value "-inf", want a finite number`},
		"value overflows":   {"1 3:1e999\n", Options{}, `f:1: feature 3 has value "1e999", want a finite number`},
		"value hexadecimal": {"1 3:0x10\n", Options{}, `f:1: feature 3 has value "0x10", want a number`},
		"label of text":     {"1 3:1\nspam 3:1\n", Options{}, `f:2: label has value "spam", want a number`},
		"label chosen": {"1 3:1\n", Options{Label: "2"},
			"f: label, header and skip are for separated fields, and a LIBSVM file's label is its first field"},
		"value long": {"1 3:" + strings.Repeat("x", 100), Options{},
			`f:1: feature 3 has value "` + strings.Repeat("x", 40) + `"…, want a number`},

		"categorical": {"1,red,0\n2,blue,1\n", Options{},
			`f:1: column 2 has value "red", want a number; skip=2 leaves it out`},
		"categorical, named": {"a,colour,y\n1,red,0\n", Options{},
			`f:2: column 2 (colour) has value "red", want a number; skip=2 leaves it out`},
		"missing": {"1,2,0\n1,?,1\n", Options{},
			`f:2: column 2 has value "?", want a number (missing values are not supported)`},
		"missing at first": {"?,2,0\n1,2,1\n", Options{},
			`f:1: column 1 has value "?", want a number (missing values are not supported)`},
		"empty field": {"1,2,0\n1,,1\n", Options{},
			"f:2: column 2 has no value, want a number (missing values are not supported)"},
		"NA": {"a;b;y\n1;NA;1\n", Options{},
			`f:2: column 2 (b) has value "NA", want a number (missing values are not supported)`},
		"missing label": {"1,2,0\n1,2,\n", Options{},
			"f:2: column 3 has no label (missing values are not supported)"},
		"NaN":             {"1 2 0\n1 nan 1\n", Options{}, `f:2: column 2 has value "nan", want a finite number`},
		"fields too few":  {"1,2,0\n1,2\n", Options{}, "f:2: number of fields is 2, want 3"},
		"fields too many": {"1 2 0\n1 2 0 1\n", Options{}, "f:2: number of fields is 4, want 3"},
		"label-only row":  {"1 2 0\n1\n", Options{}, "f:2: number of fields is 1, want 3"},
		"decimal comma": {"1,5;2;0\n2;3;1\n", Options{},
			`f:1: column 1 has value "1,5", want a number; skip=1 leaves it out`},
		"open quote":       {"1,\"2,0\n", Options{}, "f:1: a quote is not closed on its line"},
		"text after quote": {"\"1\"2,3,0\n", Options{}, "f:1: text after the closing quote of field 1"},
		"no such column": {"a,b,y\n1,2,0\n", Options{Label: "z"},
			`f: no column "z" for the label, want one of a, b, y or a number from 1 to 3`},
		"column 0": {"1,2,0\n", Options{Label: "0"},
			`f: no column "0" for the label, want a number from 1 to 3`},
		"column beyond": {"1,2,0\n", Options{Label: "4"},
			`f: no column "4" for the label, want a number from 1 to 3`},

		"gzip header cut":  {"\x1f\x8b\x08", Options{}, "f: broken gzip file: unexpected EOF"},
		"gzip cut":         {cut[:len(cut)/2], Options{}, "f: gzip file is truncated after line"},
		"gzip cut at end":  {cut[:len(cut)-3], Options{}, "f: gzip file is truncated after line 1000"},
		"gzip cut at once": {cut[:12], Options{}, "f: gzip file is truncated after line 0"},
		"gzip wrong sum": {cut[:len(cut)-8] + "01234567", Options{},
			"f: broken gzip file after line 1000: gzip: invalid checksum"},
		"gzip of nothing":    {packed(""), Options{}, "f: the file is empty"},
		"test, other format": {"1,2,0\n", Options{Like: svm}, "f: the file is CSV, want LIBSVM as the training set"},
		"test, new label": {"2 1:1\n", Options{Like: svm},
			`f:1: label "2", want "-1" or "+1" as in the training set`},
		"test, other width": {"1,0\n", Options{Like: csv}, "f:1: number of fields is 2, want 3 as in the training set"},
		"test, other names": {"b,a,y\n1,2,0\n", Options{Like: csv},
			`f:1: column is named "b", want "a" as in the training set`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Read("f", strings.NewReader(c.text), 0, c.o)
			if err == nil {
				t.Fatalf("no error but %+v", got)
			}
			if got != nil {
				t.Error("a table beside the error")
			}
			if msg := err.Error(); msg != c.want &&
				!(strings.HasPrefix(c.want, "f: gzip") && strings.HasPrefix(msg, c.want)) {
				t.Errorf("error %q\nwant  %q", msg, c.want)
			}
		})
	}
}

// zeros is an endless line.
type zeros struct{ n int }

func (z *zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	z.n += len(p)
	return len(p), nil
}

func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MiB are read")
	}
	z := new(zeros)
	_, err := Read("f", z, 0, Options{})
	if err == nil || err.Error() != "f:1: line is longer than 64 MiB" {
		t.Errorf("error %v", err)
	}
	if z.n > MaxLine+4*headSize {
		t.Errorf("%d bytes read", z.n)
	}
	// A line beyond the buffer but within the limit is read whole.
	long := "1 1:2" + strings.Repeat(" ", 3*headSize) + "\n0 1:3\n"
	if got := read(t, long, Options{}); got.Rows != 2 || !slices.Equal(rows(got), []float64{2, 3}) {
		t.Errorf("%+v", got)
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "none.csv")
	_, err := Load(path, Options{})
	if want := "cannot read " + path + ": no such file"; err == nil || err.Error() != want ||
		!errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want %s", err, want)
	}
	if _, err = Load(dir, Options{}); err == nil || err.Error() != "cannot read "+dir+": is a directory" {
		t.Errorf("error %v", err)
	}
	path = filepath.Join(dir, "bad.csv")
	if err := os.WriteFile(path, []byte("1,2,0\n1,x,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err = Load(path, Options{}); err == nil ||
		err.Error() != `bad.csv:2: column 2 has value "x", want a number; skip=2 leaves it out` {
		t.Errorf("error %v", err)
	}
}

func TestRealData(t *testing.T) {
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		t.Skip("PSGLD_DATA not set")
	}
	train, err := Load(filepath.Join(dir, "a9a", "a9a"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	test, err := Load(filepath.Join(dir, "a9a", "a9a.t"), Options{Like: train})
	if err != nil {
		t.Fatal(err)
	}
	australian, err := Load(filepath.Join(dir, "australian", "australian.dat"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name                 string
		t                    *Table
		rows, cols, positive int
	}{
		{"a9a", train, 32561, 123, 7841}, {"a9a.t", test, 16281, 123, 3846}, {"australian", australian, 690, 14, 307},
	} {
		positive := 0
		for _, y := range c.t.Y {
			positive += int(y)
		}
		if c.t.Rows != c.rows || c.t.Cols != c.cols || positive != c.positive || c.t.Ignored != 0 {
			t.Errorf("%s: %d×%d, %d positive", c.name, c.t.Rows, c.t.Cols, positive)
		}
	}
	if train.Value != nil || test.Value != nil || !train.Sparse() || australian.Sparse() {
		t.Error("a9a is of ones, and Australian dense")
	}
	if got := australian.X[:3]; !slices.Equal(got, []float64{1, 22.08, 11.46}) {
		t.Errorf("australian starts with %v", got)
	}
}

func BenchmarkLoad(b *testing.B) {
	dir := os.Getenv("PSGLD_DATA")
	if dir == "" {
		b.Skip("PSGLD_DATA not set")
	}
	for _, name := range []string{"a9a/a9a", "a9a/a9a.t", "australian/australian.dat"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Load(filepath.Join(dir, filepath.FromSlash(name)), Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
