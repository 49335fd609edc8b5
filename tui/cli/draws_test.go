package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// drawsRead is a draws file as a reader of CmdStan's form sees it.
type drawsRead struct {
	set     map[string]string // the comments' key = value
	columns []string
	rows    [][]float64
}

func readDraws(t testing.TB, path string) drawsRead {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := drawsRead{set: map[string]string{}}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#"):
			if key, v, ok := strings.Cut(strings.TrimSuffix(line, " (Default)"), "="); ok {
				d.set[strings.Trim(key, "# ")] = strings.TrimSpace(v)
			}
		case d.columns == nil:
			d.columns = strings.Split(line, ",")
		default:
			var row []float64
			for f := range strings.SplitSeq(line, ",") {
				x, err := strconv.ParseFloat(f, 64)
				if err != nil {
					t.Fatal(err)
				}
				row = append(row, x)
			}
			if len(row) != len(d.columns) {
				t.Fatalf("%s: %d fields in %q, want %d", path, len(row), line, len(d.columns))
			}
			d.rows = append(d.rows, row)
		}
	}
	return d
}

// TestDivergencesInDraws counts the trajectories that were given up in the draws' own column, which only
// methods have that give some up.
func TestDivergencesInDraws(t *testing.T) {
	innerlooptest.Skip(t, "five runs")
	sum := 0.0
	for seed := range 5 {
		out := t.TempDir()
		var d engine.Result
		document(t, &d, "run", "--target", "banana:b=1", "--samplers", "hmc,sgld", "--steps", "3000", "--seed",
			strconv.Itoa(seed+1), "--draws", out)
		f := readDraws(t, filepath.Join(out, "A-hmc.csv"))
		at, found := slices.Index(f.columns, "divergent__"), 0.0
		if at < 0 {
			t.Fatalf("columns %v", f.columns)
		}
		for _, row := range f.rows {
			found += row[at]
		}
		if want := d.Lanes[0].Values[quantity.Divergences].Value; found != want {
			t.Errorf("seed %d: %v draws diverge, the document has %v", seed+1, found, want)
		}
		sum += found
		if f := readDraws(t, filepath.Join(out, "B-sgld.csv")); slices.Contains(f.columns, "divergent__") {
			t.Errorf("sgld has columns %v", f.columns)
		}
	}
	if sum == 0 {
		t.Error("nothing diverges")
	}
}

// TestDraws reads the draws back and compares them with the document.
func TestDraws(t *testing.T) {
	out := filepath.Join(t.TempDir(), "new", "draws")
	var d engine.Result
	document(t, &d, "run", "--samplers", "psgld,sgld:thin=3", "--burn-in", "100", "--steps", "5000", "--seed", "7",
		"--draws", out)
	for i, name := range []string{"A-psgld.csv", "B-sgld.csv"} {
		lane, f := d.Lanes[i], readDraws(t, filepath.Join(out, name))
		if want := []string{"lp__", "accept_stat__", "stepsize__", "step__", "theta.1", "theta.2"}; !slices.Equal(f.columns, want) {
			t.Errorf("%s has columns %v, want %v", name, f.columns, want)
		}
		if uint64(len(f.rows)) != lane.Draws {
			t.Fatalf("%s has %d draws, the document %d", name, len(f.rows), lane.Draws)
		}
		thin := []uint64{1, 3}[i]
		for key, want := range map[string]string{
			"stan_version_major": "2",
			"model":              "gaussian",
			"method":             "sample",
			"num_samples":        strconv.FormatUint(lane.Draws*thin, 10),
			"num_warmup":         "100",
			"save_warmup":        "0",
			"thin":               strconv.FormatUint(thin, 10),
			"id":                 strconv.Itoa(i + 1),
			"seed":               "7",
			"stepsize":           "0.3",
		} {
			if f.set[key] != want {
				t.Errorf("%s: %s = %q, want %q", name, key, f.set[key], want)
			}
		}
		for c := range 2 {
			sum := 0.0
			for r, row := range f.rows {
				sum += row[4+c]
				if want := float64(100 + thin*uint64(r+1)); row[3] != want || row[2] != 0.3 {
					t.Fatalf("%s row %d is of step %v at ε %v, want %v at 0.3", name, r, row[3], row[2], want)
				}
			}
			mean := sum / float64(len(f.rows))
			if math.Abs(mean-float64(lane.Coords[c][quantity.Mean].Trusted())) > 1e-9 {
				t.Errorf("%s: mean of %s is %v, the document has %v", name, f.columns[4+c], mean,
					lane.Coords[c][quantity.Mean].Trusted())
			}
		}
		// log p = -θ₁²/(2·0.16) - θ₂²/2.
		for _, row := range f.rows[:10] {
			if want := -row[4]*row[4]/0.32 - row[5]*row[5]/2; math.Abs(row[0]-want) > 1e-12*math.Abs(want)+1e-300 {
				t.Errorf("lp__ at (%v, %v) is %v, want %v", row[4], row[5], row[0], want)
			}
		}
	}
}

// TestDrawsAgain checks that a second run replaces the files of the first, and
// gives the same ones.
func TestDrawsAgain(t *testing.T) {
	out := t.TempDir()
	var first []byte
	for range 2 {
		ok(t, "run", "--samplers", "sgld", "--steps", "1000", "--draws", out)
		b, err := os.ReadFile(filepath.Join(out, "A-sgld.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if first != nil && string(first) != string(b) {
			t.Error("the second run wrote another file")
		}
		first = b
	}
}

// TestColumns checks that no name can break the file, and that indices are kept
// where they are those of a whole array.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ names, want string }{
		{"theta[1] theta[2]", "theta.1 theta.2"},
		{"capital.gain 1st é", "capital_gain v1st v"},
		{`a"b", a__b__c_`, "a_b a__b__c"},
		{"x x x_2", "x x_2 x_2_2"},
		{"W[1,1] W[2,1] W[1,2] W[2,2]", "W.1.1 W.2.1 W.1.2 W.2.2"},
		{"W[1,1] W[1,2] W[2,1] W[2,2]", "W_1_1 W_1_2 W_2_1 W_2_2"}, // the last index fastest
		{"W[2,13]", "W_2_13"},
		{"a[1] a[3]", "a_1 a_3"},
		{"a[1] a[2] a[2]", "a_1 a_2 a_2_2"},
		{"a[1] a[2] a[1] a[2]", "a_1 a_2 a_1_2 a_2_2"},
		{"a a[1]", "a a_1"},
		{"a[1] a[1,2]", "a_1 a_1_2"},
		{"f[] f[0] f[01] f[1]2] f[-1]", "f f_0 f_01 f_1_2 f__1"},
		{"b b b_2[1]", "b b_3 b_2.1"},
		{"u[2,3037000500,3037000500]", "u_2_3037000500_3037000500"},
	} {
		names := strings.Fields(c.names)
		got := export.Columns(&targets.Problem{F64: wide(len(names)), Names: names})
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: columns %s, want %s", c.names, s, c.want)
		}
	}
}

// wide is a target of which only the dimension is asked.
type wide int

func (w wide) Dim() int                     { return int(w) }
func (wide) N() int                         { return 1 }
func (wide) Grad(_, _ []float64, _ []int32) { panic("not asked for") }

// All files of a run have its ID, and so have those of the same run again. Whoever reads files of two runs in one
// folder is told.
func TestFilesOfOneRun(t *testing.T) {
	t.Chdir(t.TempDir())
	type ids struct{ Run string }
	ran := func(out, seed string) (run string) {
		t.Helper()
		var printed, recorded ids
		document(t, &printed, "run", "--samplers", "sgld:eps=0.1", "--chains", "2", "--steps", "2000", "--seed", seed,
			"--draws", out, "--record", out+".json")
		b, err := os.ReadFile(out + ".json")
		if err == nil {
			err = json.Unmarshal(b, &recorded)
		}
		if err != nil || len(printed.Run) != engine.IDLength || recorded != printed {
			t.Errorf("the document is of run %q, the recording of %q, %v", printed.Run, recorded.Run, err)
		}
		ok(t, "replay", "--draws", out+"-again", out+".json")
		for _, name := range []string{out + "/A-sgld.1.csv", out + "/A-sgld.2.csv", out + "-again/A-sgld.1.csv"} {
			if b, err := os.ReadFile(name); err != nil || !strings.Contains(string(b), "\n# run = "+printed.Run+"\n") {
				t.Errorf("%s is not of run %s: %.300s, %v", name, printed.Run, b, err)
			}
		}
		return printed.Run
	}
	one, two := ran("one", "1"), ran("two", "2")
	check := func(a, b string) string {
		t.Helper()
		return runArgs(t, "check", a, b, "--target", "gaussian", "--method", "sgld", "--eps", "0.1").err
	}
	if said := check("one/A-sgld.1.csv", "one/A-sgld.2.csv") + check("one/A-sgld.1.csv", "two/A-sgld.1.csv"); strings.Contains(said, "different runs") {
		t.Errorf("it says %q", said)
	}
	if err := os.Rename("two/A-sgld.2.csv", "one/A-sgld.2.csv"); err != nil {
		t.Fatal(err)
	}
	if said, want := check("one/A-sgld.1.csv", "one/A-sgld.2.csv"), "one/A-sgld.1.csv and one/A-sgld.2.csv lie in one folder and are of different runs ("+one+" and "+two+")"; !strings.Contains(said, want) {
		t.Errorf("it says %q, want %q", said, want)
	}
}

// The formats of --draws hold the same draws, and each is read again. JSON lines have the columns of CmdStan's CSV.
func TestDrawsFormats(t *testing.T) {
	dir := t.TempDir()
	read := map[string]*drawsfile.Draws{}
	for _, format := range export.Formats {
		for _, target := range []string{"gaussian", "density:-x^2/2"} {
			out := filepath.Join(dir, format+target[:4])
			ok(t, "run", "--target", target, "--samplers", "mala", "--steps", "1400", "--chains", "2", "--draws", out,
				"--draws-format", format)
			d, err := drawsfile.Read(t.Context(), []string{filepath.Join(out, "A-mala.1."+format),
				filepath.Join(out, "A-mala.2."+format)}, drawsfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if first := read[target]; first == nil {
				read[target] = d
			} else if !reflect.DeepEqual(d.Chains, first.Chains) || d.Count() != 800 {
				t.Errorf("%s as %s has other draws than as csv: %d", target, format, d.Count())
			}
		}
	}
	b, err := os.ReadFile(filepath.Join(dir, "jsonlgaus", "A-mala.1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var row map[string]float64
	first, _, _ := strings.Cut(string(b), "\n")
	if err := json.Unmarshal([]byte(first), &row); err != nil || len(row) != 7 || row["step__"] != 1001 {
		t.Errorf("%v in %s", err, first)
	}
	for args, want := range map[string]string{
		"run --draws-format npz":              "--draws-format needs --draws, the folder to write to",
		"run --draws out --draws-format hdf5": `must be one of csv, npz, jsonl, got "hdf5"`,
	} {
		if r := runArgs(t, strings.Fields(args)...); r.status != console.ExitUsage || !strings.Contains(r.err, want) {
			t.Errorf("%s: status %d, %s", args, r.status, r.err)
		}
	}
}
