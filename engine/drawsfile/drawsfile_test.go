package drawsfile

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
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

// of reads files as draws of theta.
func of(t *testing.T, files ...string) (*Draws, error) {
	t.Helper()
	return Read(t.Context(), files, Options{Names: theta})
}

func packed(text string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte(text)) // a Buffer takes all
	_ = z.Close()
	return b.String()
}

func npz(files ...numpy.File) string { return string(numpy.Pack(files...)) }

func npy(shape []int, values ...float64) string { return string(numpy.NPY(shape, values)) }

// What was written in one of the forms is read: the same draws in each.
func TestForms(t *testing.T) {
	written(t, map[string]string{
		"plain.csv": "theta.1,theta.2\n1,2\n3,4\n5,6\n",
		"names.csv": "theta[1],theta[2]\r\n1,2\r\n3,4\r\n5,6",
		"order.csv": "theta.2,theta.1\n2,1\n4,3\n6,5\n",
		"place.csv": "x,y\n1,2\n3,4\n5,6\n",
		"more.csv":  "sigma,theta.1,note,theta.2\n9,1,a,2\n9,3,b,4\n9,5,c,6\n",
		"cmdstan.csv": "# model = m\n#   stepsize = 0.9\nlp__,accept_stat__,theta.1,theta.2\n# Adaptation " +
			"terminated\n-1,1,1,2\n-1,NaN,3,4\n-1,1,5,6\n#  Elapsed Time: 1 s\n",
		"r.csv":       "\"\",\"V1\",\"V2\"\n\"1\",1,2\n\"2\",3,4\n\"3\",5,6\n",
		"posterior.R": "\"theta[1]\",\"theta[2]\",\".chain\",\".iteration\",\".draw\"\n1,2,1,1,1\n3,4,1,2,2\n5,6,1,3,3\n",
		"pandas.csv":  ",0,1\n0,1.0,2.0\n1,3.0,4.0\n2,5.0,6.0\n",
		"unnamed.csv": "0,1\n1,2\n3,4\n5,6\n",
		"blanks.csv":  "\ufefftheta.1 , theta.2\n\n 1, 2\n3 ,4 \n\t5, +6e0\n\n",
		"two.npy":     npy([]int{3, 2}, 1, 2, 3, 4, 5, 6),
		"three.npy":   npy([]int{1, 3, 2}, 1, 2, 3, 4, 5, 6),
		"half.npy":    string(numpy.NPY([]int{3, 2}, []float32{1, 2, 3, 4, 5, 6})),
		"columns.npy": strings.Replace(npy([]int{3, 2}, 1, 3, 5, 2, 4, 6), "'fortran_order': False",
			"'fortran_order': True ", 1),
		"semicolons.csv": "theta.1;theta.2\n1,0;2\n3;4.0\n5;6,0e0\n",
		"tabs.tsv":       "\ttheta[1]\ttheta[2]\n0\t1\t2\n1\t3\t4\n2\t5\t6\n",
		"brackets.csv":   "b[1,1],\"b[2, 1]\"\n1,2\n3,4\n5,6\n",
		"index.csv":      "index,x,y\n7,1,2\n8,3,4\n9,5,6\n",
		"zero.csv":       "chain,draw,theta[0],theta[1]\n0,0,1,2\n0,1,3,4\n0,2,5,6\n",
		"ordered.csv":    ".draw,theta_1,theta_2,.iteration\n3,5,6,1\n1,1,2,2\n2,3,4,3\n",
		"a.jsonl": "{\"theta\": [1, 2], \"lp\": -1}\n\n{\"theta\": [3, 4.0], \"lp\": " +
			"null}\n{\"theta\":[5,6],\"lp\":true}",
		"b.jsonl": `{"lp":"a","theta[1]":1,"theta[2]":2}` + "\n" + `{"lp":"\"}{:","theta[1]":3,"theta[2]":4}` +
			"\n" + `{"lp":"","theta[1]":"5","theta[2]":6}` + "\n",
		"warmup.csv": "# num_warmup = 5\n# save_warmup = 1\n# thin = " +
			"2\nlp__,theta.1,theta.2\n0,9,9\n0,nan,9\n0,9,9\n# Adaptation terminated\n# Step size = " +
			"0.9\n0,1,2\n0,3,4\n#\n0,5,6\n#\n#  Elapsed Time: 1 s\n",
		"late.csv":  "theta.1,theta.2\n9,9\n9,9\n# Adaptation terminated\n1,2\n3,4\n5,6\n",
		"fixed.csv": "# warmup=3\n# save_warmup=true (Default)\n# thin=2\ntheta.1,theta.2\n9,9\n9,9\n1,2\n3,4\n5,6\n",
		"a.csv.gz":  packed("theta.1,theta.2\n1,2\n3,4\n5,6\n"),
		"a.npy.gz":  packed(npy([]int{3, 2}, 1, 2, 3, 4, 5, 6)),
		"one.npz": npz(numpy.File{Name: "arr_0.npy",
			Content: numpy.NPY([]int{3, 2}, []float64{1, 2, 3, 4, 5, 6})}),
		"two.npz": npz(numpy.File{Name: "lp.npy", Content: numpy.NPY([]int{3}, []float64{0, 0, 0})},
			numpy.File{Name: "x.npy", Content: numpy.NPY([]int{1, 3, 2}, []float64{1, 2, 3, 4, 5, 6})}),
		"version2.npy": "\x93NUMPY\x02\x00\x40\x00\x00\x00" +
			fmt.Sprintf("%-64s", "{'descr': '<f8', 'fortran_order': False, 'shape': (3L, 2L)}") +
			npy([]int{3, 2}, 1, 2, 3, 4, 5, 6)[128:],
	})
	const place = " were read as theta[1], theta[2], by their place"
	notes := map[string]string{
		"place.csv":      "place.csv: x, y" + place,
		"r.csv":          "r.csv: V1, V2" + place,
		"pandas.csv":     "pandas.csv: 0, 1" + place,
		"unnamed.csv":    "unnamed.csv: 0, 1" + place,
		"index.csv":      "index.csv: x, y" + place,
		"brackets.csv":   "brackets.csv: b[1,1], b[2, 1]" + place,
		"three.npy":      "three.npy: read as 1 chain of 3 draws; --order steps,chains,dim for emcee's",
		"semicolons.csv": "semicolons.csv: columns are separated by semicolons, and a comma in a number is its point",
		"tabs.tsv":       "tabs.tsv: columns are separated by tabs",
		"zero.csv":       "zero.csv: theta[0], theta[1] were read as theta[1], theta[2]",
		"ordered.csv": "ordered.csv: theta_1, theta_2 were read as theta[1], theta[2]|ordered.csv: rows were " +
			"put in the order of the column .draw",
		"warmup.csv": "warmup.csv: 3 warm-up rows left out",
		"late.csv":   "late.csv: 2 warm-up rows left out",
		"fixed.csv":  "fixed.csv: 2 warm-up rows left out",
		"two.npz": "two.npz: the array x was read|two.npz: read as 1 chain of 3 draws; --order " +
			"steps,chains,dim for emcee's",
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := of(t, f.Name())
		if want := [][]float64{{1, 2, 3, 4, 5, 6}}; err != nil || !reflect.DeepEqual(got.Chains, want) {
			t.Errorf("%s: %v, %v", f.Name(), got, err)
			continue
		}
		want := notes[f.Name()]
		delete(notes, f.Name())
		if got := strings.Join(got.Notes, "|"); got != want {
			t.Errorf("%s is read with the notes\n %s, want\n %s", f.Name(), got, want)
		}
	}
	if len(notes) > 0 {
		t.Errorf("%v were not read", notes)
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
		got, err := of(t, c.files...)
		if err != nil || !reflect.DeepEqual(got.Chains, c.want) {
			t.Errorf("%v: %v, %v", c.files, got.Chains, err)
		}
	}
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"a.csv", "other.csv"},
			"other.csv: it has the columns x, z, and a.csv has x, y, want the same in every file"},
		{[]string{"a.csv", "b.csv", "./a.csv"}, "cannot read ./a.csv: it is given twice"},
	} {
		if _, err := of(t, c.files...); err == nil || err.Error() != c.want {
			t.Errorf("%v: %v", c.files, err)
		}
	}
}

// One coordinate has arrays of one dimension too.
func TestOneCoordinate(t *testing.T) {
	written(t, map[string]string{"a.npy": npy([]int{3}, 1, 2, 3), "a.csv": "mu\n1\n2\n3\n"})
	for _, name := range []string{"a.npy", "a.csv"} {
		got, err := Read(t.Context(), []string{name}, Options{Names: []string{"x"}})
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
	want := &Draws{Dim: 2, Names: []string{"theta[1]", "theta[2]"}}
	var files []string
	var out export.Output
	defer out.Abort()
	for _, method := range []string{"sgld", "mala"} {
		to, err := export.DrawsTo(&out, ".", export.CSV, 1)
		if err != nil {
			t.Fatal(err)
		}
		at := engine.ChainID{Chains: 1}
		file, err := to(at, p, state.DefaultSetting(p, method))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, export.DrawsName(at, method, export.CSV))
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
	if got, err := Read(t.Context(), files, Options{Names: p.Names}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// Names that CmdStan cannot write are told apart as they are in files of this program.
func TestNamesOfBothForms(t *testing.T) {
	written(t, map[string]string{"a.csv": "a_1_2,a_1\n2,1\n", "b.csv": "a_1,a.1\n2,1\n"})
	for _, name := range []string{"a.csv", "b.csv"} {
		got, err := Read(t.Context(), []string{name}, Options{Names: []string{"a.1", "a_1"}})
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
		{"long.csv", "x,y\n1," + strings.Repeat("z", 100) + "\n",
			`long.csv:2: y is "` + strings.Repeat("z", 40) + `"…, want a finite number`},
		{"quoted.csv", "x,y\n\"1\"2,3\n", `quoted.csv:2: x is "\"1\"2", want a finite number`},
		{"few.csv", "x,y\n1\n", "few.csv:2: the line has 1 value, want 2, one for each column"},
		{"many.csv", "x,y\n1,2,3\n", "many.csv:2: the line has 3 values, want 2, one for each column"},
		{"cut.csv", "x,y\n1,2,\n", "cut.csv:2: the line has 3 values, want 2, one for each column"},
		{"empty.csv", "", "empty.csv: the file has no line with the names of its columns"},
		{"comments.csv", "# x,y\n", "comments.csv: the file has no line with the names of its columns"},
		{"header.csv", "x,y\n", "header.csv: the file has the names of its columns and no draw"},
		{"numbers.csv", "# x,y\n0.5,1\n1,2\n",
			"numbers.csv:2: the line is of numbers, want the names of the columns first, in a line that does not " +
				"begin with #"},
		{"other.csv", "x,y,z\n1,2,3\n",
			"other.csv:1: has the columns x, y, z, want the target's coordinates by name, theta[1], theta[2], or 2 " +
				"columns in their order"},
		{"place.csv", "theta.2,x\n1,2\n",
			"place.csv:1: has the columns theta.2, x, want the target's coordinates by name, theta[1], theta[2], " +
				"or 2 columns in their order"},
		{"twice.csv", "theta.1,theta.2,theta.1\n1,2,3\n",
			"twice.csv:1: has a coordinate twice in the columns theta.1, theta.2, theta.1"},
		{"semicolon.csv", "x;y\n1;2,5,1\n", `semicolon.csv:2: y is "2.5,1", want a finite number`},
		{"warm.csv", "# save_warmup=1\n# num_warmup=10\nx,y\n1,2\n3,4\n",
			"warm.csv: the file has 2 warm-up rows and no draw after them"},
		{"more.csv", "theta[0],theta[1],theta[2]\n1,2,3\n",
			"more.csv:1: has the columns theta[0], theta[1], theta[2], want the target's coordinates by name, " +
				"theta[1], theta[2], or 2 columns in their order"},
		{"draw.csv", "draw,x,y\n0,1,2\n1,3,4\n0,5,6\n",
			"draw.csv: draw 0 stands more than once in a chain, want it once, or a column chain"},
		{"key.csv", "draw,x,y\na,1,2\n", `key.csv:2: draw is "a", want a finite number`},
		{"array.json", "[1, 2]\n",
			`array.json:1: the file begins with [, want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`},
		{"a.jsonl", `{"x":1,"y":`,
			`a.jsonl:1: the line is no draw in JSON, want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`},
		{"nan.jsonl", `{"x":1,"y":2}` + "\n" + `{"x":1,"y":null}`, `nan.jsonl:2: y is "NaN", want a finite number`},
		{"py.jsonl", `{"x":[1,-Infinity]}`, `py.jsonl:1: x[2] is "-Infinity", want a finite number`},
		{"text.jsonl", `"a"`, `text.jsonl:1: has the columns a, want the target's coordinates by name, theta[1], theta[2], or 2 columns in their order`},
		{"nested.jsonl", `{"x":[[1,2]]}`,
			`nested.jsonl:1: the line is no draw in JSON, want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`},
		{"none.jsonl", `{}`, "none.jsonl:1: has the columns , want the target's coordinates by name, theta[1], " +
			"theta[2], or 2 columns in their order"},
		{"more.jsonl", `{"theta":[1,2]}` + "\n" + `{"theta":[1,2,3]}`,
			"more.jsonl:2: the object has other keys than the first, want the same in the same order"},
		{"keys.jsonl", `{"x":1,"y":2}` + "\n" + `{"y":1,"x":2}`,
			"keys.jsonl:2: the object has other keys than the first, want the same in the same order"},
		{"in.jsonl", `{"x":{"a":1}}`,
			`in.jsonl:1: the line is no draw in JSON, want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`},
		{"deep.jsonl", `{"x":` + strings.Repeat("[", 999) + strings.Repeat("]", 999) + "}",
			`deep.jsonl:1: the line is no draw in JSON, want an object such as {"x": 0.5, "y": 2} or {"theta": [0.5, 2]}`},
		{"names.jsonl", `{"` + strings.Repeat("x", 1<<20) + `":[` + strings.Repeat("1,", 1<<10) + "1]}",
			"names.jsonl:1: the file has more than 1000000 columns, or names of more than 33554432 bytes"},
		{"raw.jsonl", `{"\u001b[2J":"\u001b","y":2}` + "\n", `raw.jsonl:1: ·[2J is "\\u001b", want a finite number`},
		{"names.csv", "a,b,c,d,e,f,g,h,i,j\n1\n",
			"names.csv:1: has the columns a, b, c, d, e, f, g, h and 2 more, want the target's coordinates by " +
				"name, theta[1], theta[2], or 2 columns in their order"},
		{"wide.csv", strings.Join(wide, ",") + "\n1\n", "wide.csv:1: the file has more than 1000000 columns"},
		{"line.csv", "x,y\n" + strings.Repeat("1", maxLine+1), "line.csv:2: the line has more than 33554432 bytes"},
		{"zero.csv", strings.Repeat("\x00", maxLine+1), "zero.csv:1: the line has more than 33554432 bytes"},
		{"chains.csv", "chain,x,y\n" + chains.String(), "chains.csv:1002: the file has more than 1000 chains"},
		{"a.npz", "PK\x03\x04", "a.npz: it is no archive of arrays"},
		{"two.npz", npz(numpy.File{Name: "a.npy", Content: numpy.NPY([]int{1, 2}, []float64{1, 2})},
			numpy.File{Name: "b.npy", Content: numpy.NPY([]int{1, 1, 2}, []float64{1, 2})},
			numpy.File{Name: "\x1b", Content: nil}),
			"two.npz: has the columns a[1], a[2], b[1,1], b[1,2], want the target's coordinates by name, theta[1], " +
				"theta[2], or 2 columns in their order"},
		{"none.npz", npz(numpy.File{Name: "a", Content: nil}, numpy.File{Name: "\x1b", Content: nil}),
			"none.npz: none of ·, a is an array of float64 or float32"},
		{"lengths.npz", npz(numpy.File{Name: "a.npy", Content: numpy.NPY([]int{1}, []float64{1})},
			numpy.File{Name: "b.npy", Content: numpy.NPY([]int{2}, []float64{1, 2})}),
			"lengths.npz: the arrays a, b have the shapes (1,) and (2,), want both to begin with (draws) or " +
				"(chains, draws)"},
		{"hole.npz", npz(numpy.File{Name: "theta1.npy", Content: numpy.NPY([]int{1, 2}, []float64{1, math.Inf(1)})},
			numpy.File{Name: "theta2.npy", Content: numpy.NPY([]int{1, 2}, []float64{1, 2})}),
			"hole.npz: theta[1] of draw 2 of chain 1 is +Inf, want a finite number"},
		{"hollow.npz", npz(numpy.File{Name: "a.npy", Content: numpy.NPY([]int{0}, []float64{})},
			numpy.File{Name: "b.npy", Content: numpy.NPY([]int{0}, []float64{})}),
			"hollow.npz: the array a has the shape (0,), want draws, of at most 1000000 columns in all"},
		{"cut.csv.gz", packed("x,y\n1,2\n")[:20], "cut.csv.gz: the gzip file is cut off or broken"},
		{"broken.csv.gz", strings.Replace(packed("x,y\n1,2\n"), "\x1f\x8b\x08", "\x1f\x8b\x09", 1),
			"broken.csv.gz: the gzip file is cut off or broken"},
		{"twice.csv.gz", packed(packed("x,y\n1,2\n")), "twice.csv.gz:1: "},
		{"emcee.npy", npy([]int{1001, 1, 2}, make([]float64, 2002)...),
			"emcee.npy: the array has the shape (1001, 1, 2), want (draws, 2) or (chains, draws, 2) with at most " +
				"1000 chains, or the axes in --order, such as steps,chains,dim for emcee's"},
		{"nan.npy", npy([]int{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, math.NaN()),
			"nan.npy: theta[2] of draw 2 of chain 2 is NaN, want a finite number"},
		{"turned.npy", npy([]int{2, 3}, 1, 2, 3, 4, 5, 6),
			"turned.npy: the array has the shape (2, 3), want (draws, 2) or (chains, draws, 2) with at most 1000 " +
				"chains, or the axes in --order, such as steps,chains,dim for emcee's"},
		{"none.npy", npy([]int{0, 2}), "none.npy: the array has the shape (0, 2), and so no draw"},
		{"short.npy", npy([]int{2, 2}, 1, 2, 3, 4)[:140], "short.npy: it ends after 1 of 4 numbers"},
		{"long.npy", npy([]int{2, 2}, 1, 2, 3, 4) + "x", "long.npy: it goes on after its 4 numbers"},
		{"whole.npy", string(numpy.NPY([]int{2, 2}, []uint16{1, 2, 3, 4})),
			`whole.npy: it has numbers of the type "<u2", want float64 or float32 (<f8 or <f4)`},
		{"pickle.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "'<f8'", "'|O' ", 1),
			`pickle.npy: it has numbers of the type "|O", want float64 or float32 (<f8 or <f4)`},
		{"large.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "(2, 2), }  ", "(99999999, 2)}", 1),
			"large.npy: it has the shape (99999999, 2), want at most 134217728 numbers"},
		{"promise.npy", strings.Replace(npy([]int{2, 2}, 1, 2, 3, 4), "(2, 2), }       ", "(67108864, 2)}  ", 1),
			"promise.npy: it ends after 4 of 134217728 numbers"},
		{"magic.npy", "\x93NUMPY", "magic.npy: its header is cut off"},
	} {
		written(t, map[string]string{c.name: c.content})
		_, err := of(t, c.name)
		if err == nil ||
			err.Error() != c.want && !(strings.HasSuffix(c.want, ": ") && strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s:\n got %v\nwant %s", c.name, err, c.want)
		}
		if err != nil && !printable.All(err.Error()) {
			t.Errorf("%s: %q", c.name, err)
		}
	}
}

// Names are matched in whatever way they are written, by one line that says how. Where they could be others they are
// refused.
func TestNames(t *testing.T) {
	const refused, place = "REFUSED", ", by their place"
	for _, c := range []struct{ names, header, how, is string }{
		{"a b", "b a", "", "1 0"},
		{"a b", "a b lp__ c", "", "0 1 -1 -1"},
		{"t[1] t[2]", "t.1 t.2", "", "0 1"},
		{"t[1] t[2]", "chain draw t.2 t.1", "", "-2 -3 1 0"},
		{"t[1] t[2]", ".iteration .draw .chain t.1 t.2", "", "-1 -3 -2 0 1"},
		{"t[1] t[2]", "t_1 t_2", "t_1, t_2 were read as t[1], t[2]", "0 1"},
		{"t[1] t[2]", "t[1] t.2", "t[1], t.2 were read as t[1], t[2]", "0 1"},
		{"t[1] t[2]", "t[1] t[0]", "t[0], t[1] were read as t[1], t[2]", "1 0"},
		{"t[1] t[2]", "t.0 t.1", "t.0, t.1 were read as t[1], t[2]", "0 1"},
		{"t[1] t[2]", "t_0 t_1 s", "t_0, t_1 were read as t[1], t[2]", "0 1 -1"},
		{"w[1,1] w[2,1] w[1,2] w[2,2]", "w[0,0] w[0,1] w[1,0] w[1,1]",
			"w[0,0], w[1,0], w[0,1], w[1,1] were read as w[1,1], w[2,1], w[1,2], w[2,2]", "0 2 1 3"},
		{"w[1,1] w[2,1]", "w[1][1] w[2][1]", "w[1][1], w[2][1] were read as w[1,1], w[2,1]", "0 1"},
		{"w[1,1] w[2,1]", "w[1,\u00a01] w_2_1", "w[1,\u00a01], w_2_1 were read as w[1,1], w[2,1]", "0 1"},
		{"x_1 x_2", "x[1] x[2]", "x[1], x[2] were read as x_1, x_2", "0 1"},
		{"t[0] t[1]", "t[0] t[1]", "", "0 1"},
		{"a b[1] b[2]", "a b[0] b[1]", "a, b[0], b[1] were read as a, b[1], b[2]", "0 1 2"},
		{"t[1] t[2]", "x y", "x, y were read as t[1], t[2]" + place, "0 1"},
		{"t[1] t[2]", "chain x Unnamed:_0 y index lp__ draw", "x, Unnamed:_0, y were read as t[1], t[2]", refused},
		{"t[1] t[2]", "chain x y index lp__ draw", "x, y were read as t[1], t[2]" + place, "-2 0 1 -1 -1 -3"},
		{"draw chain", "chain draw", "", "1 0"},
		{"t[1] t[2]", "t[1] t[2] t[3]", "", refused},
		{"t[1] t[2]", "t[0] t[1] t[2]", "", refused},
		{"t[1] t[2]", "t[2] t[3]", "", refused},
		{"t[1] t[2]", "t[2] x", "", refused},
		{"t[1] t[2]", "x", "", refused},
		{"t[1] t[2]", "t[1] t[1] t[2]", "", refused},
		{"t[1] t[2]", "t.01 t.02", "t.01, t.02 were read as t[1], t[2]" + place, "0 1"},
	} {
		m, why := match(strings.Fields(c.names), strings.Split(c.header, " "))
		is := strings.Trim(fmt.Sprint(m.is), "[]")
		if why != "" {
			is, c.how = refused, m.how
		}
		if is != c.is || m.how != c.how {
			t.Errorf("%s in the columns %s: %s, %q, %s, want %s, %q", c.names, c.header, is, m.how, why, c.is, c.how)
		}
	}
	if _, why := match([]string{"a", "b", "a"}, []string{"a", "b", "a"}); why != "has two columns named a" {
		t.Errorf("a name twice: %q", why)
	}
}

// An archive has an array of each parameter, whose first axes are those of draws, or of chains and draws.
func TestAnArrayOfEachParameter(t *testing.T) {
	floats := func(name string, first float64, shape ...int) numpy.File {
		n := 1
		for _, d := range shape {
			n *= d
		}
		values := make([]float64, n)
		for i := range values {
			values[i] = first + float64(i)
		}
		return numpy.File{Name: name + ".npy", Content: numpy.NPY(shape, values)}
	}
	names := []string{"mu", "theta[1]", "theta[2]"}
	for _, c := range []struct {
		order  Order
		files  []numpy.File
		chains [][]float64
		notes  string
	}{
		{"", []numpy.File{floats("mu", 0, 2), floats("lp", 90, 2), floats("theta", 10, 2, 2)},
			[][]float64{{0, 10, 11, 1, 12, 13}}, "read as 1 chain of 2 draws"},
		{"", []numpy.File{floats("mu", 0, 2, 3), floats("theta", 10, 2, 3, 2)},
			[][]float64{{0, 10, 11, 1, 12, 13, 2, 14, 15}, {3, 16, 17, 4, 18, 19, 5, 20, 21}},
			"read as 2 chains of 3 draws; --order steps,chains,dim for emcee's"},
		{ByStep, []numpy.File{floats("mu", 0, 3, 2), floats("theta", 10, 3, 2, 2)},
			[][]float64{{0, 10, 11, 2, 14, 15, 4, 18, 19}, {1, 12, 13, 3, 16, 17, 5, 20, 21}},
			"read as 2 chains of 3 draws"},
		{"", []numpy.File{floats("theta", 10, 1, 2), floats("mu", 0, 1), {Name: "n.npy"}},
			[][]float64{{0, 10, 11}}, "left out, no arrays of float64 or float32: n|read as 1 chain of 1 draw"},
	} {
		for _, of := range [][]string{names, nil} {
			path := filepath.Join(t.TempDir(), "a.npz")
			if err := os.WriteFile(path, []byte(npz(c.files...)), 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := Read(t.Context(), []string{path}, Options{Names: of, Order: c.order})
			if err != nil || !reflect.DeepEqual(d.Chains, c.chains) || !slices.Equal(d.Names, names) ||
				strings.ReplaceAll(strings.Join(d.Notes, "|"), path+": ", "") != c.notes {
				t.Errorf("%v: %v, %v, want %v and %s", c.notes, d, err, c.chains, c.notes)
			}
		}
	}
}

// An order says which axis is which. What was read in the order that most programs write can be taken otherwise.
func TestOrder(t *testing.T) {
	for text, want := range map[string]string{
		"chains,steps,dim": "", "dim,steps,chains": "",
		"steps,dim":             `has "steps,dim", want chains, steps and dim in the order of the array's axes, such as chains,steps,dim or steps,chains,dim`,
		"steps,steps,dim":       `has "steps,steps,dim", want chains, steps and dim in the order of the array's axes, such as chains,steps,dim or steps,chains,dim`,
		"":                      `has "", want chains, steps and dim in the order of the array's axes, such as chains,steps,dim or steps,chains,dim`,
		"steps,chains,dim,more": `has "steps,chains,dim,more", want chains, steps and dim in the order of the array's axes, such as chains,steps,dim or steps,chains,dim`,
	} {
		if o, err := ParseOrder(text); err == nil != (want == "") || err == nil && string(o) != text ||
			err != nil && err.Error() != want {
			t.Errorf("%s: %q, %v", text, o, err)
		}
	}
	written(t, map[string]string{
		"steps.npy":  npy([]int{3, 2, 2}, 1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12),
		"chains.npy": npy([]int{2, 3, 2}, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
		"dim.npy":    npy([]int{2, 2, 3}, 1, 3, 5, 7, 9, 11, 2, 4, 6, 8, 10, 12),
		"turned.npy": npy([]int{2, 3}, 1, 3, 5, 2, 4, 6),
		"a.csv":      "x,y\n1,2\n",
	})
	both := [][]float64{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}
	for _, c := range []struct {
		file  string
		order Order
		want  [][]float64
	}{
		{"steps.npy", ByStep, both},
		{"chains.npy", ByChains, both},
		{"dim.npy", "dim,chains,steps", both},
		{"turned.npy", "dim,chains,steps", both[:1]},
	} {
		got, err := Read(t.Context(), []string{c.file}, Options{Names: theta, Order: c.order})
		if err != nil || !reflect.DeepEqual(got.Chains, c.want) || len(got.Notes) > 0 {
			t.Errorf("%s: %v, %v", c.file, got, err)
			continue
		}
		if _, ok := got.Otherwise(); ok {
			t.Errorf("%s is in the order %s and can be taken otherwise", c.file, c.order)
		}
	}
	got, err := of(t, "steps.npy")
	if err != nil || got.Shape() != "3 chains of 2 draws" {
		t.Fatal(got, err)
	}
	if other, ok := got.Otherwise(); !ok || !reflect.DeepEqual(other.Chains, both) ||
		other.Shape() != "2 chains of 3 draws" || other.Dim != 2 {
		t.Errorf("otherwise the draws are %v", other)
	}
	if got, err = of(t, "steps.npy", "a.csv"); err != nil {
		t.Fatal(err)
	}
	if _, ok := got.Otherwise(); ok {
		t.Error("a file of lines is taken otherwise")
	}
	const want = "dim.npy: the array has the shape (2, 2, 3), want (draws, 2) or (chains, draws, 2) with at most " +
		"1000 chains, or the axes in --order, such as steps,chains,dim for emcee's"
	if _, err := Read(t.Context(), []string{"dim.npy"}, Options{Names: theta, Order: ByStep}); err == nil ||
		err.Error() != want {
		t.Error(err)
	}
}

// What several files have in common is said once.
func TestNotesOnce(t *testing.T) {
	const text = "theta.1;theta.2\n9;9\n# Adaptation terminated\n1;2\n"
	written(t, map[string]string{"a.csv": text, "b.csv": text, "c.csv": "x,y,\n1,2,3\n"})
	got, err := of(t, "a.csv", "b.csv", "c.csv")
	want := []string{
		"a.csv and 1 more: columns are separated by semicolons, and a comma in a number is its point, in each file",
		"a.csv and 1 more: 1 warm-up row left out, in each file",
		"c.csv: x, y were read as theta[1], theta[2], by their place", "c.csv: column 3 has no name and is left out",
	}
	if err != nil || !reflect.DeepEqual(got.Notes, want) {
		t.Errorf("%q, %v", got.Notes, err)
	}
}

// A file is read on as it grows. A line without its end waits, and nothing is read twice.
func TestGrowing(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, text := range []string{
		"# save_warmup = 0\nlp__,theta.1,theta.2\n# Adaptation terminated\n1,1,2\n1,3,4\n#\n1,5,6\n",
		"{\"theta\":[1,2]}\n{\"theta\":[3,4]}\n{\"theta\":[5,6]}\n",
	} {
		for _, step := range []int{1, 7} {
			to, err := os.Create("a")
			if err != nil {
				t.Fatal(err)
			}
			f, err := Open(t.Context(), "a", Options{Names: theta})
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(text); at += step {
				if _, err := to.WriteString(text[at:min(at+step, len(text))]); err != nil {
					t.Fatal(err)
				}
				if err := f.More(1000); err != io.EOF {
					t.Fatal(err)
				}
				var ends int // lines of draws that have come whole
				for line := range strings.Lines(text[:min(at+step, len(text))]) {
					if strings.HasSuffix(line, "\n") && line[0] != '#' && line[0] != 'l' {
						ends++
					}
				}
				// A file is known by its first six bytes.
				if got := len(slices.Concat(f.Chains...)); got != 2*ends || f.Replaced() {
					t.Fatalf("after %d bytes of %q %d numbers are read, want %d", at+step, text, got, 2*ends)
				}
			}
			if err := f.Finish(); err != nil || !reflect.DeepEqual(f.Chains, [][]float64{{1, 2, 3, 4, 5, 6}}) {
				t.Errorf("%v, %v", f.Chains, err)
			}
			f.Close()
			to.Close()
		}
	}
}

// Somebody who follows a file takes its draws over, so many at a time. What turns out to be of the warm-up is counted
// there.
func TestMore(t *testing.T) {
	written(t, map[string]string{"a.csv": "theta.1,theta.2\n9,9\n1,2\n3,4",
		"b.csv": "theta.1,theta.2\n9,9\n8,8\n# Adaptation terminated\n1,2\n"})
	f, err := Open(t.Context(), "a.csv", Options{Names: theta})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, want := range [][]float64{{9, 9}, {1, 2}} {
		if err := f.More(1); err != nil || !reflect.DeepEqual(f.Chains, [][]float64{want}) {
			t.Errorf("%v, %v", f.Chains, err)
		}
		f.Forget()
	}
	if err := f.More(1); err != io.EOF || len(f.Chains[0]) > 0 {
		t.Errorf("%v, %v", f.Chains, err)
	}
	if err := f.Finish(); err != nil || !reflect.DeepEqual(f.Chains, [][]float64{{3, 4}}) || f.left != maxValues-2 {
		t.Errorf("%v, %v", f.Chains, err)
	}
	if f, err = Open(t.Context(), "b.csv", Options{Names: theta}); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.More(2); err != nil || f.Warmup != 0 || len(f.Chains[0]) != 4 {
		t.Errorf("%v, %v", f.Chains, err)
	}
	if err := f.More(2); err != io.EOF || f.Warmup != 2 || !reflect.DeepEqual(f.Chains, [][]float64{{1, 2}}) {
		t.Errorf("%v, %d, %v", f.Chains, f.Warmup, err)
	}
}

// What is packed and what is an array waits until it is whole.
func TestWholeAlone(t *testing.T) {
	whole := npy([]int{3, 2}, 1, 2, 3, 4, 5, 6)
	for name, text := range map[string]string{"a.npy": whole, "a.npy.gz": packed(whole),
		"a.csv.gz": packed("x,y\n1,2\n3,4\n5,6\n")} {
		written(t, map[string]string{name: text[:len(text)/2]})
		f, err := Open(t.Context(), name, Options{Names: theta})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.More(1); err != io.EOF || len(f.Chains) > 0 {
			t.Errorf("%s: %v, %v", name, f.Chains, err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := f.Finish(); err != nil || !reflect.DeepEqual(f.Chains, [][]float64{{1, 2, 3, 4, 5, 6}}) {
			t.Errorf("%s: %v, %v", name, f.Chains, err)
		}
		f.Close()
	}
}

// A file that was truncated, written anew or replaced is seen, and one that has grown is the same.
func TestReplaced(t *testing.T) {
	const text = "theta.1,theta.2\n1,2\n3,4\n"
	for name, c := range map[string]struct {
		change func() error
		want   bool
	}{
		"nothing":   {func() error { return nil }, false},
		"grown":     {func() error { return os.WriteFile("a", []byte(text+"5,6\n"), 0o600) }, false},
		"truncated": {func() error { return os.Truncate("a", 20) }, true},
		"rewritten": {func() error {
			return os.WriteFile("a", []byte("theta.1,theta.2\n1,2\n3,5\n5,6\n"), 0o600)
		}, true},
		"removed": {func() error { return os.Remove("a") }, true},
		"renamed": {func() error {
			return errors.Join(os.WriteFile("b", []byte(text+"5,6\n"), 0o600), os.Rename("b", "a"))
		}, true},
	} {
		written(t, map[string]string{"a": text})
		f, err := Open(t.Context(), "a", Options{Names: theta})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.More(10); err != io.EOF || len(f.Chains[0]) != 4 {
			t.Fatal(f.Chains, err)
		}
		if err := c.change(); err != nil {
			t.Fatal(err)
		}
		if got := f.Replaced(); got != c.want {
			t.Errorf("%s: replaced is %v", name, got)
		}
		f.Close()
	}
}

// Standard input is a file like others, and a pipe that nobody writes to keeps nobody waiting.
func TestStdin(t *testing.T) {
	read := func(ctx context.Context, in io.Reader, paths ...string) (*Draws, error) {
		return Read(ctx, paths, Options{Names: theta, Stdin: in})
	}
	got, err := read(t.Context(), strings.NewReader(packed("x;y\n1;2\n")), "-")
	if err != nil || !reflect.DeepEqual(got.Chains, [][]float64{{1, 2}}) ||
		got.Notes[0] != "standard input: columns are separated by semicolons, and a comma in a number is its point" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := read(t.Context(), strings.NewReader("x,y\n1,a\n"), "-"); err == nil ||
		err.Error() != `standard input:2: y is "a", want a finite number` {
		t.Error(err)
	}
	if _, err := read(t.Context(), strings.NewReader("x,y\n1,2\n"), "-", "-"); err == nil ||
		err.Error() != "cannot read -: it is given twice" {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, out := io.Pipe()
	defer out.Close()
	go func() {
		_, _ = io.WriteString(out, "x,y\n1,2\n")
		cancel()
	}()
	if _, err := read(ctx, in, "-"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// What unpacks to more than its size allows is not unpacked, and an archive of countless files is not opened.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("it packs and unpacks many megabytes")
	}
	line := "1,2" + strings.Repeat(" ", 4<<10) + "\n"
	written(t, map[string]string{
		"bomb.csv.gz": packed("x,y\n" + strings.Repeat(line, 40<<20/len(line))),
		"bomb.npy.gz": packed(npy([]int{3 << 20, 2}, make([]float64, 6<<20)...)),
		"bomb.npz":    "PK\x03\x04" + strings.Repeat("PK\x01\x02", 1<<15),
	})
	const much = ": unpacks to more than 32 MiB and 100 times its size; if it is meant, unpack it first"
	for name, want := range map[string]string{
		"bomb.csv.gz": "bomb.csv.gz" + much,
		"bomb.npy.gz": "bomb.npy.gz" + much,
		"bomb.npz":    "bomb.npz: it has more than 16384 files",
	} {
		if _, err := of(t, name); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
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
		if _, err := of(t, path); err == nil || err.Error() != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// manyRows are draws with all their digits.
func manyRows(rows int, header, row string) string {
	var text strings.Builder
	text.WriteString(header)
	for i := range rows {
		fmt.Fprintf(&text, row, math.Sqrt(float64(i)), math.Sin(float64(i)), math.Cos(float64(i)))
	}
	return text.String()
}

const (
	csvHeader, csvRow = "lp__,theta.1,theta.2\n", "%v,%v,%v\n"
	jsonRow           = `{"lp": %v, "theta": [%v, %v]}` + "\n"
)

// A row allocates nothing beside the memory that its numbers stay in.
func TestAllocations(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector, under which short tests run, has encoding/json's pool forget its scanners")
	}
	const rows = 20_000
	for name, text := range map[string]string{"a.csv": manyRows(rows, csvHeader, csvRow),
		"a.jsonl": manyRows(rows, "", jsonRow)} {
		written(t, map[string]string{name: text})
		read := func() {
			if d, err := of(t, name); err != nil || d.Count() != rows {
				t.Fatal(err)
			}
		}
		if n := alloctest.PerRun(1, read); n > 300 {
			t.Errorf("%s: %v allocations for %d rows", name, n, rows)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	const rows = 1_000_000
	for name, text := range map[string]string{"csv": manyRows(rows, csvHeader, csvRow),
		"jsonl": manyRows(rows, "", jsonRow), "gz": packed(manyRows(rows, csvHeader, csvRow))} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "draws")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(b.Context(), []string{path}, Options{Names: theta}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fuzzed are files of all forms.
var fuzzed = []string{
	"theta.1,theta.2\n1,2\n", "# a\nlp__,x,y\n0,1,2\n", "\"\",\"a,b\",y\n1,2,3\n", "chain,x,y\n1,1,2\n2,1,2\n",
	"draw;theta[0];theta[1]\n1;1,0;2\n0;1;2\n",
	"\ttheta[1, 1]\ttheta[2, 1]\n0\t1\t2\n",
	"# save_warmup=1\n# num_warmup=3\n# thin=2\nx,y\n1,2\n3,4\n# Adaptation terminated\n5,6\n",
	"{\"theta\":[1,2],\"a\":\"\\\"\"}\n{\"theta\":[3,4],\"a\":null}\n", "\ufeff{\"x\":1,\"y\":2}",
	npy([]int{2, 2}, 1, 2, 3, 4), npy([]int{1, 2, 2}, 1, 2, 3, 4), "PK\x03\x04", packed("x,y\n1,2\n"),
	npz(numpy.File{Name: "a.npy", Content: numpy.NPY([]int{1, 2}, []float64{1, 2})},
		numpy.File{Name: "b", Content: nil}),
}

func FuzzRead(f *testing.F) {
	for _, s := range fuzzed {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := of(t, path)
		if err != nil {
			if !printable.All(err.Error()) {
				t.Errorf("%q", err)
			}
			return
		}
		if text := strings.Join(d.Notes, ""); !printable.All(text) {
			t.Errorf("%q", text)
		}
		all := d.Chains
		if other, ok := d.Otherwise(); ok {
			all = slices.Concat(all, other.Chains)
		}
		for _, chain := range all {
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

// A file that comes in two parts is read as it is in one. Live, its coordinates are finite all the same.
func FuzzGrowing(f *testing.F) {
	for i, s := range append(fuzzed, "lp__,energy__,divergent__,x,y\n0,inf,True,1,2\n0,1,,NaN,2\n",
		"{\"x\":1,\"y\":2,\"lp\":-1,\"diverging\":true}\n") {
		f.Add([]byte(s), 5*i, false)
		f.Add([]byte(s), 5*i, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, at int, live bool) {
		path := filepath.Join(t.TempDir(), "a")
		read := func(b []byte, at int) (*File, error) {
			to, err := os.Create(path)
			if err != nil {
				t.Fatal(err)
			}
			defer to.Close()
			g, err := Open(t.Context(), path, Options{Names: theta, Live: live})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			_, err1 := to.Write(b[:at])
			more := g.More(math.MaxInt)
			_, err2 := to.Write(b[at:])
			if err := errors.Join(err1, err2); err != nil {
				t.Fatal(err)
			}
			if !errors.Is(more, io.EOF) {
				return g, more
			}
			return g, g.Finish()
		}
		whole, err := read(b, 0)
		parts, err2 := read(b, int(uint(at)%uint(len(b)+1)))
		if fmt.Sprint(err) != fmt.Sprint(err2) ||
			err == nil &&
				(fmt.Sprint(whole.Chains) != fmt.Sprint(parts.Chains) || !slices.Equal(whole.notes, parts.notes) ||
					whole.Warmup != parts.Warmup || whole.Skipped != parts.Skipped) {
			t.Errorf("%v, %v, %v in parts, and whole %v, %v, %v", parts.Chains, parts.notes, err2, whole.Chains,
				whole.notes, err)
		}
		if err != nil && !printable.All(err.Error()) {
			t.Errorf("%q", err)
		}
		for _, chain := range whole.Chains {
			for i, x := range chain {
				if err == nil && i%whole.Width() < len(theta) && !finite(x) {
					t.Errorf("%v is a draw", x)
				}
			}
		}
	})
}
