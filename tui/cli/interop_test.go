package cli

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
)

// These tests, and those of weightsinterop_test.go, hand the program's files to the
// programs that they are for: R's coda, posterior and rstan, NumPy and PyTorch.
// Each is skipped where its reader is not installed. Debian's packages are
// r-cran-coda, r-cran-posterior, r-cran-rstan, python3-numpy and python3-torch.

// readers are R programs that read a file of draws and print a line for each
// coordinate: its name, mean, standard deviation and effective sample size.
var readers = []struct{ name, program string }{
	{"coda", `
d <- read.csv(file, comment.char = "#")
d <- d[, !grepl("__$", names(d))]
for (n in names(d)) say(n, mean(d[[n]]), sd(d[[n]]), effectiveSize(mcmc(d[[n]])))`},
	{"posterior", `
d <- as_draws_df(read.csv(file, comment.char = "#"))
s <- summarise_draws(d, "mean", "sd", "ess_basic")
for (i in which(!grepl("__$", s$variable))) say(s$variable[i], s$mean[i], s$sd[i], s$ess_basic[i])`},
	// The reader of CmdStan's own files. It takes step__, which CmdStan has not,
	// for a parameter, and warns that no time is given.
	{"rstan", `
f <- withCallingHandlers(read_stan_csv(file), warning = function(w) {
  if (!grepl("Elapsed Time", conditionMessage(w))) cat("warning:", conditionMessage(w), "\n")
  invokeRestart("muffleWarning")
})
s <- summary(f)$summary
stopifnot(f@sim$thin == thin, f@sim$warmup == warmup, f@sim$n_save == draws, f@sim$warmup2 == 0)
for (n in grep("__$", rownames(s), invert = TRUE, value = TRUE)) say(n, s[n, "mean"], s[n, "sd"], s[n, "n_eff"])`},
}

// essTolerance is how far two estimates of an effective sample size may lie
// apart. Over 16 seeds of half these lengths, the ratios of coda's (a fitted
// autoregression) to ours had standard deviations of 3% to 9%, those of
// posterior's (Geyer's sequence on split chains) 2% to 6%, with means of -2% to 6%.
const essTolerance = 0.2

// TestDrawsReadByR has R summarise the draws, and compares with the document.
func TestDrawsReadByR(t *testing.T) {
	innerlooptest.Later(t, "interpreters")
	rscript, dir := interpreter(t, "r"), t.TempDir()
	type file struct {
		path         string
		lane         engine.LaneResult
		thin, warmup int
	}
	var files []file
	for _, c := range []struct {
		args string
		thin []int
		warm int
	}{
		{"--samplers psgld,sgld:thin=2 --burn-in 100 --steps 40000", []int{1, 2}, 100},
		// Its own warm-up, of 1000 steps, is longer than the burn-in.
		{"--target blr:synthetic --samplers hmc --burn-in 500 --steps 11000", []int{1}, 1000},
	} {
		out := filepath.Join(dir, strconv.Itoa(c.warm))
		var d engine.Result
		document(t, &d, strings.Fields("run --draws "+out+" "+c.args)...)
		for i, l := range d.Lanes {
			files = append(files,
				file{filepath.Join(out, export.DrawsName(engine.ChainID{Lane: i, Chains: 1}, l.Sampler, export.CSV)), l,
					c.thin[i], c.warm})
		}
	}
	for _, r := range readers {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			program := "if (!requireNamespace(\"" + r.name + "\", quietly = TRUE)) quit(status = 77)\n" +
				"suppressMessages(library(" + r.name + "))\n" +
				"say <- function(...) cat(\"coordinate\", sapply(list(...), function(x) if (is.numeric(x)) " +
				"sprintf(\"%.17g\", x) else x), \"\\n\")\n"
			for _, f := range files {
				program += fmt.Sprintf("cat(\"file\\n\"); file <- %q; thin <- %d; warmup <- %d; draws <- %d\n%s\n",
					f.path, f.thin, f.warmup, f.lane.Draws, r.program)
			}
			b, err := exec.Command(rscript, "-e", program).CombinedOutput()
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 77 {
				t.Skipf("R's package %s is not installed", r.name)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, b)
			}
			said := strings.Split(string(b), "file\n")[1:]
			if len(said) != len(files) {
				t.Fatalf("R read %d files, want %d:\n%s", len(said), len(files), b)
			}
			for k, f := range files {
				checkSummary(t, filepath.Base(f.path), said[k], f.lane)
			}
		})
	}
}

// checkSummary compares what R says of a lane's draws with the document.
func checkSummary(t *testing.T, name, said string, lane engine.LaneResult) {
	var lines []string
	for line := range strings.Lines(said) {
		if f, ok := strings.CutPrefix(strings.TrimSpace(line), "coordinate "); ok {
			lines = append(lines, f)
		} else {
			t.Errorf("%s: R says %q", name, line)
		}
	}
	if len(lines) != len(lane.Names) {
		t.Fatalf("%s: R has %d coordinates, want %d", name, len(lines), len(lane.Names))
	}
	n := float64(lane.Draws)
	for i, line := range lines {
		var got string
		var mean, sd, ess float64
		if _, err := fmt.Sscan(line, &got, &mean, &sd, &ess); err != nil {
			t.Fatalf("%s: %v in %q", name, err, line)
		}
		if got != lane.Names[i] && got != export.Column(lane.Names[i]) {
			t.Errorf("%s: R has a coordinate %s, want %s", name, got, lane.Names[i])
		}
		// R divides by n-1.
		want := lane.Coords[i][quantity.SD].Trusted()
		if sd *= math.Sqrt((n - 1) / n); math.Abs(sd-want) > 1e-12*want {
			t.Errorf("%s: the standard deviation of %s is %v, the document has %v", name, got, sd, want)
		}
		if math.Abs(mean-lane.Coords[i][quantity.Mean].Trusted()) > 1e-12*want {
			t.Errorf("%s: the mean of %s is %v, the document has %v", name, got, mean,
				lane.Coords[i][quantity.Mean].Value)
		}
		if ratio := ess / lane.Coords[i][quantity.ESS].Trusted(); !(math.Abs(ratio-1) < essTolerance) {
			t.Errorf("%s: %v effective draws of %s, the document has %v", name, ess, got,
				lane.Coords[i][quantity.ESS].Value)
		}
	}
}

// TestDrawsAreCmdStans reads files by the rules of "Stan CSV file format" in the
// CmdStan user's guide, and by those of its readers: ArviZ 0.x's from_cmdstan,
// cmdstanr's read_cmdstan_csv and rstan's read_stan_csv.
func TestDrawsAreCmdStans(t *testing.T) {
	if testing.Short() {
		t.Skip("many runs")
	}
	dir := t.TempDir()
	named := write(t, filepath.Join(dir, "named.csv"),
		"a[1],a[2],b c,f[],x[0],l\n1,2,3,4,5,0\n2,1,3,5,1,1\n3,3,1,2,2,0\n4,1,1,1,7,1\n")
	for i, c := range []struct {
		args   string
		arrays map[string][]int
	}{
		{"--samplers psgld,sgld:thin=3,hmc,bbb --burn-in 30 --steps 300", map[string][]int{"theta": {2}}},
		{"--target funnel --samplers psgld --thin 7 --steps 700", map[string][]int{"x": nil, "v": nil}},
		{"--target blr:" + named + " --samplers sgld --burn-in 0 --thin 1 --steps 50",
			map[string][]int{"intercept": nil, "a": {2}, "b_c": nil, "f": nil, "x_0": nil}},
		{"--target mlp:8 --dataset strokes --samplers psgld,bbb,rmsprop --burn-in 0 --thin 4 --steps 20",
			map[string][]int{"theta": {784*8 + 8 + 8*10 + 10}}},
		// no draw
		{"--target mlp:8 --dataset strokes --samplers sgld --burn-in 100 --thin 4 --steps 20",
			map[string][]int{"theta": {784*8 + 8 + 8*10 + 10}}},
	} {
		out := filepath.Join(dir, strconv.Itoa(i))
		var d engine.Result
		document(t, &d, strings.Fields("run --draws "+out+" "+c.args)...)
		for k, l := range d.Lanes {
			path := filepath.Join(out, export.DrawsName(engine.ChainID{Lane: k, Chains: 1}, l.Sampler, export.CSV))
			f := readDraws(t, path)
			for _, key := range []string{"stan_version_major", "stan_version_minor", "stan_version_patch",
				"num_samples", "num_warmup", "save_warmup", "thin", "id", "seed"} {
				if _, err := strconv.Atoi(f.set[key]); err != nil {
					t.Errorf("%s: %s = %q, want a whole number", path, key, f.set[key])
				}
			}
			if f.set["method"] != "sample" || f.set["model"] != export.Column(d.Config.Target) ||
				f.set["algorithm"] != l.Sampler || f.set["id"] != strconv.Itoa(k+1) {
				t.Errorf("%s: method %q, model %q, algorithm %q, id %q", path, f.set["method"], f.set["model"],
					f.set["algorithm"], f.set["id"])
			}
			samples, _ := strconv.Atoi(f.set["num_samples"])
			thin, _ := strconv.Atoi(f.set["thin"])
			if len(f.rows) != (samples+thin-1)/thin || uint64(len(f.rows)) != l.Draws {
				t.Errorf("%s: %d draws for num_samples = %d and thin = %d, the document has %d", path, len(f.rows),
					samples, thin, l.Draws)
			}
			if f.columns[0] != "lp__" {
				t.Errorf("%s begins with column %s", path, f.columns[0])
			}
			for key, shape := range arraysOf(t, path, f.columns) {
				if want, ok := c.arrays[key]; !ok || !slices.Equal(shape, want) {
					t.Errorf("%s: %s has the shape %v, want %v", path, key, shape, want)
				}
			}
		}
	}
}

// columnForm is a column's name: a variable's and its indices, which begin at 1.
var columnForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*(\.[1-9][0-9]*)*$`)

// arraysOf gathers columns in arrays, as readers do, and fails unless each is
// whole and in CmdStan's order, the first index fastest. It returns their shapes.
func arraysOf(t testing.TB, path string, columns []string) map[string][]int {
	t.Helper()
	shapes, members := map[string][]int{}, map[string]int{}
	for _, name := range columns {
		if !columnForm.MatchString(name) {
			t.Errorf("%s: the column %q is not of CmdStan's form", path, name)
			continue
		}
		if strings.HasSuffix(name, "__") {
			continue
		}
		parts := strings.Split(name, ".")
		var shape []int
		for _, p := range parts[1:] {
			n, err := strconv.Atoi(p)
			if err != nil {
				t.Fatal(err)
			}
			shape = append(shape, n)
		}
		// The last member has the largest indices.
		shapes[parts[0]] = shape
		members[parts[0]]++
	}
	for key, shape := range shapes {
		at := make([]int, len(shape))
		size := 1
		for _, n := range shape {
			size *= n
		}
		if members[key] != size {
			t.Errorf("%s: %d columns of %s, whose last has the indices %v", path, members[key], key, shape)
			continue
		}
		for _, name := range columns {
			parts := strings.Split(name, ".")
			if parts[0] != key {
				continue
			}
			want := key
			for _, i := range at {
				want += "." + strconv.Itoa(i+1)
			}
			if name != want {
				t.Errorf("%s: a column %s where %s was to come", path, name, want)
				break
			}
			for k := range at {
				if at[k]++; at[k] < shape[k] {
					break
				}
				at[k] = 0
			}
		}
	}
	return shapes
}

// FuzzColumns checks that no names, one a line, can make columns that a reader
// cannot gather.
func FuzzColumns(f *testing.F) {
	for _, s := range []string{"theta[1]\ntheta[2]", "W[1,1]\nW[2,1]\nW[1,2]\nW[2,2]", "W[1,1]\nW[1,2]\nW[2,1]\nW[2,2]",
		"a\na[1]", "a[1]\na[1]", "a[9]",
		"a[01]", "a[]\na[0]\na[1]2]", "x\nx\nx_2", "x_2[1]\nx\nx", "a b[1]\na_b[2]", "lp__\n__\n",
		"a[9223372036854775807]", "a[2,3037000500,3037000500]", "\x00é[1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		names := strings.Split(text, "\n")
		got := export.Columns(&targets.Problem{F64: wide(len(names)), Names: names})
		if len(got) != len(names) {
			t.Fatalf("%d columns of %d names", len(got), len(names))
		}
		arraysOf(t, strconv.Quote(text), append([]string{"lp__"}, got...))
		for i, name := range got {
			if strings.HasSuffix(name, "__") || slices.Contains(got[:i], name) {
				t.Errorf("%q has a column %s", text, name)
			}
		}
	})
}

// TestManyColumns checks that a network's draws stay readable: the head of the
// file, a float32's digits, and that a row costs what its numbers do.
func TestManyColumns(t *testing.T) {
	out := t.TempDir()
	ok(t, strings.Fields("run --target mlp:100 --dataset strokes --samplers sgld --init zero --burn-in 0 --thin 3 "+
		"--steps 9 --json --draws "+out)...)
	path := filepath.Join(out, "A-sgld.csv")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const dim = 784*100 + 100 + 100*10 + 10
	head, rows, _ := strings.Cut(string(b), "lp__")
	const want = `# stan_version_major = 2
# stan_version_minor = 34
# stan_version_patch = 0
# model = mlp_100
# method = sample (Default)
#   sample
#     num_samples = 9                   
#     num_warmup = 0                   
#     save_warmup = 0 (Default)
#     thin = 3
#     algorithm = sgld
`
	if !strings.HasPrefix(head, want) {
		t.Errorf("the file begins\n%s\nwant\n%s", head, want)
	}
	f := readDraws(t, path)
	if len(f.columns) != 4+dim || f.columns[4] != "theta.1" || f.columns[3+dim] != "theta."+strconv.Itoa(dim) ||
		len(f.rows) != 3 {
		t.Fatalf("%d columns to %s, %d rows", len(f.columns), f.columns[len(f.columns)-1], len(f.rows))
	}
	for _, row := range f.rows {
		for i, x := range row[4:] {
			if s := strconv.FormatFloat(x, 'g', -1, 32); math.IsNaN(x) || len(s) > 15 {
				t.Fatalf("coordinate %d is %s", i+1, s)
			}
		}
	}
	// Sign, 9 digits, point, exponent of 4 and a comma are at most 16 bytes.
	_, rows, _ = strings.Cut(rows, "\n")
	if most := 3 * (16*dim + 100); len(rows) > most {
		t.Errorf("3 draws of %d numbers take %d bytes, want at most %d", dim, len(rows), most)
	}
}
