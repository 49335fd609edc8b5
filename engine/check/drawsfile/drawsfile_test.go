package drawsfile

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/printable"
)

// written writes files in a folder, which becomes the working folder.
func written(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

var theta = []string{"theta[1]", "theta[2]"}

func npy(shape []int, values ...float64) string { return string(numpy.NPY(shape, values)) }

// What was written in one of the forms is read: the same draws in each.
func TestForms(t *testing.T) {
	written(t, map[string]string{
		"plain.csv":    "theta.1,theta.2\n1,2\n3,4\n5,6\n",
		"names.csv":    "theta[1],theta[2]\r\n1,2\r\n3,4\r\n5,6",
		"order.csv":    "theta.2,theta.1\n2,1\n4,3\n6,5\n",
		"place.csv":    "x,y\n1,2\n3,4\n5,6\n",
		"more.csv":     "sigma,theta.1,note,theta.2\n9,1,a,2\n9,3,b,4\n9,5,c,6\n",
		"cmdstan.csv":  "# model = m\n#   stepsize = 0.9\nlp__,accept_stat__,theta.1,theta.2\n# Adaptation terminated\n-1,1,1,2\n-1,NaN,3,4\n-1,1,5,6\n#  Elapsed Time: 1 s\n",
		"r.csv":        "\"\",\"V1\",\"V2\"\n\"1\",1,2\n\"2\",3,4\n\"3\",5,6\n",
		"posterior.R":  "\"theta[1]\",\"theta[2]\",\".chain\",\".iteration\",\".draw\"\n1,2,1,1,1\n3,4,1,2,2\n5,6,1,3,3\n",
		"pandas.csv":   ",0,1\n0,1.0,2.0\n1,3.0,4.0\n2,5.0,6.0\n",
		"unnamed.csv":  "0,1\n1,2\n3,4\n5,6\n",
		"blanks.csv":   "\ufefftheta.1 , theta.2\n\n 1, 2\n3 ,4 \n\t5, +6e0\n\n",
		"two.npy":      npy([]int{3, 2}, 1, 2, 3, 4, 5, 6),
		"three.npy":    npy([]int{1, 3, 2}, 1, 2, 3, 4, 5, 6),
		"half.npy":     string(numpy.NPY([]int{3, 2}, []float32{1, 2, 3, 4, 5, 6})),
		"columns.npy":  strings.Replace(npy([]int{3, 2}, 1, 3, 5, 2, 4, 6), "'fortran_order': False", "'fortran_order': True ", 1),
		"version2.npy": "\x93NUMPY\x02\x00\x40\x00\x00\x00" + fmt.Sprintf("%-64s", "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L)}") + npy([]int{3, 2}, 1, 2, 3, 4, 5, 6)[128:],
	})
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := Read(t.Context(), []string{f.Name()}, theta)
		if f.Name() == "place.csv" && !slices.Equal(got.Columns, []string{"x", "y"}) {
			t.Errorf("%s has the columns %q", f.Name(), got.Columns)
		}
		got.Columns = nil
		if want := (check.Draws{Dim: 2, Chains: [][]float64{{1, 2, 3, 4, 5, 6}}}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", f.Name(), got, err)
		}
	}
}

// Files are chains, and so are the numbers in a column of chains and the first index of an array.
func TestChains(t *testing.T) {
	written(t, map[string]string{
		"a.csv":     "x,y\n1,2\n3,4\n",
		"b.csv":     "x,y\n5,6\n",
		"both.csv":  "chain,x,y\n1,1,2\n2,5,6\n1,3,4\n",
		"both.npy":  npy([]int{2, 1, 2}, 1, 2, 5, 6),
		"other.csv": "x,z\n5,6\n",
	})
	for _, c := range []struct {
		files []string
		want  [][]float64
	}{
		{[]string{"a.csv", "b.csv"}, [][]float64{{1, 2, 3, 4}, {5, 6}}},
		{[]string{"both.csv"}, [][]float64{{1, 2, 3, 4}, {5, 6}}},
		{[]string{"both.npy", "a.csv"}, [][]float64{{1, 2}, {5, 6}, {1, 2, 3, 4}}},
	} {
		got, err := Read(t.Context(), c.files, theta)
		if err != nil || !reflect.DeepEqual(got.Chains, c.want) {
			t.Errorf("%v: %v, %v", c.files, got.Chains, err)
		}
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"a.csv", "other.csv"}, "other.csv:1: has the columns x, z, and a.csv has x, y, want the same in every file"},
		{[]string{"a.csv", "b.csv", "./a.csv"}, "cannot read ./a.csv: it is given twice"},
	} {
		if _, err := Read(t.Context(), c.files, theta); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v", c.files, err)
		}
	}
}

// One coordinate has arrays of one dimension too.
func TestOneCoordinate(t *testing.T) {
	written(t, map[string]string{"a.npy": npy([]int{3}, 1, 2, 3), "a.csv": "mu\n1\n2\n3\n"})
	for _, name := range []string{"a.npy", "a.csv"} {
		got, err := Read(t.Context(), []string{name}, []string{"x"})
		if err != nil || got.Dim != 1 || !reflect.DeepEqual(got.Chains, [][]float64{{1, 2, 3}}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// What --draws writes is read back to the bit.
func TestOwnDraws(t *testing.T) {
	p, err := targets.Open("banana", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	want := check.Draws{Dim: 2}
	var files []string
	var out export.Output
	defer out.Abort()
	for _, method := range []string{"sgld", "mala"} {
		to, err := export.DrawsTo(&out, ".", 1)
		if err != nil {
			t.Fatal(err)
		}
		at := engine.ChainID{Chains: 1}
		file, err := to(at, p, engine.DefaultSetting(p, method))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, export.DrawsName(at, method))
		var chain []float64
		for i := range 10 {
			draw := []float64{math.Sin(float64(i)), math.Exp(float64(30 - 10*i))}
			if err := file.Draw(engine.Drawn{Step: uint64(i + 1), LogPost: math.Inf(-1)}, draw); err != nil {
				t.Fatal(err)
			}
			chain = append(chain, draw...)
		}
		want.Chains = append(want.Chains, chain)
	}
	if err := out.Commit(nil); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(t.Context(), files, p.Names); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// Names that CmdStan cannot write are told apart as they are in files of this program.
func TestNamesOfBothForms(t *testing.T) {
	written(t, map[string]string{"a.csv": "a_1_2,a_1\n2,1\n", "b.csv": "a_1,a.1\n2,1\n"})
	for _, name := range []string{"a.csv", "b.csv"} {
		got, err := Read(t.Context(), []string{name}, []string{"a.1", "a_1"})
		if err != nil || !reflect.DeepEqual(got.Chains, [][]float64{{1, 2}}) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// What cannot be read is one line that says what is wrong and what is allowed.
func TestFaults(t *testing.T) {
	wide := make([]string, 1_000_001)
	for i := range wide {
		wide[i] = "a"
	}
	var chains strings.Builder
	for i := range maxChains + 1 {
		fmt.Fprintf(&chains, "%d,1,2\n", i)
	}
	for _, c := range []struct{ name, content, want string }{
		{"nan.csv", "theta.1,theta.2\n1,2\n1,NaN\n", `nan.csv:3: theta.2 is "NaN", want a finite number`},
		{"inf.csv", "theta.1,theta.2\n-inf,2\n", `inf.csv:2: theta.1 is "-inf", want a finite number`},
		{"big.csv", "theta.1,theta.2\n1e999,2\n", `big.csv:2: theta.1 is "1e999", want a finite number`},
		{"none.csv", "theta.1,theta.2\n1,\n", `none.csv:2: theta.2 is "", want a finite number`},
		{"comment.csv", "# a\ntheta.1,theta.2\n# b\n1,2\nx,2\n", `comment.csv:5: theta.1 is "x", want a finite number`},
		{"raw.csv", "\x1b[2J,y\n1,2\n\x1b]0;x\a,2\n", `raw.csv:3: ·[2J is "\x1b]0;x\a", want a finite number`},
		{"long.csv", "x,y\n1," + strings.Repeat("z", 100) + "\n", `long.csv:2: y is "` + strings.Repeat("z", 40) + `"…, want a finite number`},
		{"quoted.csv", "x,y\n\"1\"2,3\n", `quoted.csv:2: x is "\"1\"2", want a finite number`},
		{"few.csv", "x,y\n1\n", "few.csv:2: the line has 1 value, want 2, one for each column"},
		{"many.csv", "x,y\n1,2,3\n", "many.csv:2: the line has 3 values, want 2, one for each column"},
		{"cut.csv", "x,y\n1,2,\n", "cut.csv:2: the line has 3 values, want 2, one for each column"},
		{"empty.csv", "", "empty.csv: the file has no line with the names of its columns"},
		{"comments.csv", "# x,y\n", "comments.csv: the file has no line with the names of its columns"},
		{"header.csv", "x,y\n", "header.csv: the file has the names of its columns and no draw"},
		{"numbers.csv", "# x,y\n0.5,1\n1,2\n", "numbers.csv:2: the line is of numbers, want the names of the columns first, in a line that does not begin with #"},
		{"other.csv", "x,y,z\n1,2,3\n", "other.csv:1: has the columns x, y, z, want the target's coordinates by name, theta[1], theta[2], or 2 columns in their order"},
		{"place.csv", "theta.2,x\n1,2\n", "place.csv:1: has the columns theta.2, x, want the target's coordinates by name, theta[1], theta[2], or 2 columns in their order"},
		{"twice.csv", "theta.1,theta.2,theta.1\n1,2,3\n", "twice.csv:1: has a coordinate twice in the columns theta.1, theta.2, theta.1"},
		{"semicolon.csv", "x;y\n1;2\n", "semicolon.csv:1: has the columns x;y, want the target's coordinates by name, theta[1], theta[2], or 2 columns in their order"},
		{"names.csv", "a,b,c,d,e,f,g,h,i,j\n1\n", "names.csv:1: has the columns a, b, c, d, e, f, g, h and 2 more, want the target's coordinates by name, theta[1], theta[2], or 2 columns in their order"},
		{"wide.csv", strings.Join(wide, ",") + "\n1\n", "wide.csv:1: the file has more than 1000000 columns"},
		{"line.csv", "x,y\n" + strings.Repeat("1", maxLine+1), "line.csv:2: the line has more than 33554432 bytes"},
		{"zero.csv", strings.Repeat("\x00", maxLine+1), "zero.csv:1: the line has more than 33554432 bytes"},
		{"chains.csv", "chain,x,y\n" + chains.String(), "chains.csv:1002: the file has more than 1000 chains"},
		{"a.npz", "PK\x03\x04", "a.npz: the file is a zip archive, such as NumPy's .npz, want CSV or one .npy"},
		{"a.csv.gz", "\x1f\x8b", "a.csv.gz: the file is packed by gzip, want CSV or one .npy"},
		{"nan.npy", npy([]int{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, math.NaN()), "nan.npy: theta[2] of draw 2 of chain 2 is NaN, want a finite number"},
		{"turned.npy", npy([]int{2, 3}, 1, 2, 3, 4, 5, 6), "turned.npy: the array has the shape (2, 3), want (draws, 2) or (chains, draws, 2), with at most 1000 chains"},
		{"none.npy", npy([]int{0, 2}), "none.npy: the array has the shape (0, 2), and so no draw"},
		{"short.npy", npy([]int{2, 2}, 1, 2, 3, 4)[:140], "short.npy: it ends after 1 of 4 numbers"},
		{"long.npy", npy([]int{2, 2}, 1, 2, 3, 4) + "x", "long.npy: it goes on after its 4 numbers"},
		{"whole.npy", string(numpy.NPY([]int{2, 2}, []uint16{1, 2, 3, 4})), `whole.npy: it has numbers of the type "<u2", want float64 or float32 (<f8 or <f4)`},
		{"pickle.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "'<f8'", "'|O' ", 1), `pickle.npy: it has numbers of the type "|O", want float64 or float32 (<f8 or <f4)`},
		{"large.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "(2, 2), }  ", "(99999999, 2)}", 1), "large.npy: it has the shape (99999999, 2), want at most 134217728 numbers"},
		{"promise.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "(2, 2), }       ", "(67108864, 2)}  ", 1), "promise.npy: it ends after 4 of 134217728 numbers"},
		{"magic.npy", "\x93NUMPY", "magic.npy: its header is cut off"},
	} {
		written(t, map[string]string{c.name: c.content})
		_, err := Read(t.Context(), []string{c.name}, theta)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
		if err != nil && !printable.All(err.Error()) {
			t.Errorf("%s: %q", c.name, err)
		}
	}
}

// Only files are read: nothing waits for a pipe, and no folder is one.
func TestNoFile(t *testing.T) {
	t.Chdir(t.TempDir())
	for path, want := range map[string]string{
		"none":     "cannot read none: no such file or directory",
		".":        "cannot read .: is a directory",
		os.DevNull: "cannot read " + os.DevNull + ": not a regular file",
	} {
		if _, err := Read(t.Context(), []string{path}, theta); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// BenchmarkRead reads draws with all their digits, at 20 MB/s or more.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("lp__,theta.1,theta.2\n")
	for i := range 100_000 {
		fmt.Fprintf(&text, "%v,%v,%v\n", math.Sqrt(float64(i)), math.Sin(float64(i)), math.Cos(float64(i)))
	}
	path := filepath.Join(b.TempDir(), "draws.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := Read(b.Context(), []string{path}, theta); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"theta.1,theta.2\n1,2\n", "# a\nlp__,x,y\n0,1,2\n", "\"\",\"a,b\",y\n1,2,3\n", "chain,x,y\n1,1,2\n2,1,2\n",
		npy([]int{2, 2}, 1, 2, 3, 4), npy([]int{1, 2, 2}, 1, 2, 3, 4), "PK\x03\x04",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := Read(t.Context(), []string{path}, theta)
		if err != nil {
			if !printable.All(err.Error()) {
				t.Errorf("%q", err)
			}
			return
		}
		for _, chain := range d.Chains {
			if len(chain) == 0 || len(chain)%2 != 0 {
				t.Errorf("a chain of %d numbers", len(chain))
			}
			for _, x := range chain {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%v is a draw", x)
				}
			}
		}
	})
}
