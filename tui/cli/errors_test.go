package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// TestBadUsage checks the one line, the status and that nothing is left on the
// disk, for wrong usage of every kind.
func TestBadUsage(t *testing.T) {
	innerlooptest.Skip(t, "some hundred command lines")
	const commands = "check, class, completion, data, lesson, man, merge, picture, replay, reproduce, run, " +
		"samplers, sweep, tune, watch"
	for _, c := range []struct{ args, want string }{
		{"run --eps -1", "--eps must be positive, got -1"},
		{"run --eps=0", "--eps must be positive, got 0"},
		{"run --eps NaN", `--eps must be positive, got "NaN"`},
		{"run --eps inf", "--eps must be finite, got inf"},
		{"run --eps 1e999", "--eps must be finite, got 1e999"},
		{"run --eps -1e999", "--eps must be positive, got -1e999"},
		{"run --eps 1e-999", "--eps must be positive, got 1e-999"},
		{"run --temp 1e999", "--temp must be finite, got 1e999"},
		{"run --temp -1", "--temp must be 0 or more, or 1/N, got -1"},
		{"run --alpha 1e999", "--alpha must be in [0, 1), got 1e999"},
		{"run --seconds 1e999", "--seconds must be finite, got 1e999"},
		{"run --target density:-x^2;d=3", `--target density: d must be 1, got "3"`},
		{"run --target density:-x^2-y^2;d=3", `--target density: d must be 2, got "3"`},
		{"run --eps abc", `--eps must be positive, got "abc"`},
		{"run --lr -0.1", "--lr must be positive, got -0.1"},
		{"run --eps 1 --lr 1", "--eps and --lr exclude each other"},
		{"run --alpha 1", "--alpha must be in [0, 1), got 1"},
		{"run --alpha -0.1", "--alpha must be in [0, 1), got -0.1"},
		{"run --lambda 0", "--lambda must be positive, got 0"},
		{"run --temp -1", "--temp must be 0 or more, or 1/N, got -1"},
		{"run --gamma maybe", `--gamma must be off or on, got "maybe"`},
		{"run --v0 one", `--v0 must be zero or first, got "one"`},
		{"run --freeze 1.5", "--freeze must be a whole number, 1 or more, or never, got 1.5"},
		{"run --thin 0", "--thin must be a whole number, 1 or more, got 0"},
		{"run --burn-in -1", "--burn-in must be a whole number, 0 or more, got -1"},
		{"run --target blr:synthetic --batch 5000", "--batch must be at most N = 1000, got 5000"},
		{"run --target blr:synthetic --prior-var 0", "--prior-var must be positive, got 0"},
		{"run --target blr:synthetic --batch 0", "--batch must be a whole number, 1 or more, or full, got 0"},
		{"run --target mlp:400-400 --dataset strokes --draws out",
			"--draws writes every coordinate, at most 100,000, and mlp:400-400 has 478,410"},
		{"run --target mlp:20 --dataset mnst",
			`--dataset "mnst" is unknown (did you mean "mnist"?); want one of mnist, strokes, cifar10, or a folder of IDX files`},
		{"run --target mlp:100000-100000 --dataset strokes",
			"--target mlp:100000-100000 needs 1,209,552,001,200 bytes of memory for a lane, want at most 4,294,967,296"},
		{"run --target mlp:20 --dataset strokes --batch 0",
			"--batch must be a whole number, 1 or more, or full, got 0"},
		{"data fetch", "data fetch needs a name; want all or some of australian, a9a, mnist, cifar10"},
		{"data fetch mnits", `unknown data set "mnits" (did you mean "mnist"?); want all or some of australian, a9a, mnist, cifar10`},
		{"run --batch 5", "--batch needs a target with data, which gaussian does not have"},
		{"run --alpha 0.9 --samplers sgld,sgld",
			"--alpha is a parameter of psgld…, and no lane is one, got --samplers sgld,sgld"},
		{"run --target gausian", `--target "gausian" is unknown (did you mean "gaussian"?); want one of gaussian, …`},
		{"run --target gaussian:b=1", `--target gaussian: unknown setting "b"; want one of a, cov, noise, d, cond`},
		{"run --target blr:a9a;x=1", `--target blr:a9a takes no settings, got "x=1"`},
		{"run --samplers psgdl",
			`--samplers: unknown sampler "psgdl" (did you mean "psgld"?); psgld-tui samplers lists them`},
		{"run --samplers nuts-of-all-kinds:eps=1",
			`--samplers: unknown sampler "nuts-of-all-kinds"; psgld-tui samplers lists them`},
		{"samplers psgdl", `unknown sampler "psgdl" (did you mean "psgld"?); psgld-tui samplers lists them`},
		{"samplers psgld:alpha=1", `unknown sampler "psgld:alpha=1"; psgld-tui samplers lists them`},
		{"samplers --target gausian",
			`--target "gausian" is unknown (did you mean "gaussian"?); want one of gaussian, …`},
		{"samplers --dataset mnist", "--dataset needs --target, such as --target mlp:400-400"},
		{"run --samplers sgld,", `--samplers has an empty entry, got "sgld,"`},
		{"run --samplers sgld,sgld,sgld,sgld,sgld",
			`--samplers must name 1 to 4 samplers, got "sgld,sgld,sgld,sgld,sgld"`},
		{"run --samplers psgld,sgld:eps=-1", "--samplers, lane B (sgld): eps must be positive, got -1"},
		{"run --samplers sgld:alpha=0.9",
			`--samplers, lane A (sgld): unknown setting "alpha"; want one of eps, lr, schedule, temp, batch, prior-var, thin, burn-in`},
		{"run --samplers sgld:eps", "--samplers, lane A (sgld): setting eps has no value, want eps=VALUE"},
		{"run --samplers sgld:eps=1;lr=1", "--samplers, lane A (sgld): eps and lr exclude each other"},
		{"run --samplers sgld:eps=1;eps=2", "--samplers, lane A (sgld): setting eps is given twice"},
		{"run --schedule fast", `--schedule must be const, halve:20ep, halve:STEPS or poly:a,b,gamma, got "fast"`},
		{"run --schedule halve:5ep", "--schedule in epochs needs a target with data"},
		{"run --schedule poly:1,1,0.5 --lr 1",
			"--lr and --schedule poly:1,1,0.5 exclude each other: a b^-gamma is the first step"},
		{"run --steps 0", "--steps must be a whole number, 1 or more, got 0"},
		{"run --steps many", `--steps must be a whole number, 1 or more, got "many"`},
		{"run --epochs 1", "--epochs needs a target with data, which gaussian does not have"},
		{"run --until tau=3", `--until must be such as mcse=0.01 or ess=400 or rhat=1.01, or several with commas, got "tau=3"`},
		{"run --until rhat=1", "--until rhat must be in (1, 2], got 1"},
		{"run --samplers rmsprop --until ess=400",
			"--until ess=400 needs a lane that samples, by a sampler at a temperature above 0"},
		{"run --seconds -2", "--seconds must be positive, got -2"},
		{"run --seed -1", "--seed must be a whole number, 0 or more, got -1"},
		{"run --threads 0", "--threads must be a whole number, 1 or more, got 0"},
		{"run --init 1,2,3", "--init must be random, zero, one number or 2 numbers, got 3 of them"},
		{"run --init here", `--init must be random, zero or numbers within ±1e+08, got "here"`},
		{"run --standardize yes", `--standardize must be on or off, got "yes"`},
		{"run --label y", "--label is for blr:FILE, got --target gaussian"},
		{"run --target blr:synthetic --label y", "--target blr:synthetic takes no settings, got \"label=y\""},
		{"run --target blr:d.csv --header 1", `--target blr:d.csv: header must be on or off, got "1"`},
		{"run --target blr:d.csv --skip-column a;b", `--skip-column must be a value without ';', got "a;b"`},
		{"run --target blr:d.csv;label=a --label b", "--target blr:d.csv: setting label is given twice"},
		{"run --intercept on", "--intercept is for blr targets, got --target gaussian"},
		{"run --batching some", `--batching must be shuffle, subset or replace, got "some"`},
		{"run --dataset mnist", `--dataset is for networks; gaussian has no data, got "mnist"`},
		{"run --target blr:synthetic --dataset mnist",
			`--dataset is for networks; blr:synthetic brings its own data, got "mnist"`},
		{"run --epss 1", `unknown flag --epss (did you mean "--eps"?); see psgld-tui run --help`},
		{"run --xyzzy", "unknown flag --xyzzy; see psgld-tui run --help"},
		{"run -e", "unknown flag -e; flags are written --name, see psgld-tui run --help"},
		{"run --plain", "--plain is a flag of psgld-tui, not of psgld-tui run"},
		{"--draws x", "--draws is a flag of psgld-tui run, not of psgld-tui"},
		{"run --eps", "--eps needs a value"},
		{"run --json=3", `--json takes no value, got "3"`},
		{"run --race=3", `--race takes no value, got "3"`},
		{"run --record=", "--record must not be empty"},
		{"run now", `run takes no argument, got "now"`},
		{"run --gamma --steps 10", "--gamma needs a value (off|on) before --steps"},
		{"rnu", `unknown command "rnu" (did you mean "run"?); want one of ` + commands},
		{"--eps 0.1 swep", `unknown command "swep" (did you mean "sweep"?); want one of ` + commands},
		{"help swep", `unknown command "swep" (did you mean "sweep"?); want one of ` + commands},
		{"sweep", "sweep needs --grid, such as --grid eps=1e-3:1:log:20"},
		{"sweep --grid eps", `--grid must be KEY=a,b,c or KEY=lo:hi:log|lin:n, got "eps"`},
		{"sweep --grid esp=1,2",
			`--grid esp: unknown parameter "esp" (did you mean "eps"?); want one of eps, temp, batch, prior-var, thin, burn-in, alpha, lambda, gamma, v0, freeze, lr`},
		{"sweep --grid eps=0,1", "--grid eps: must be positive, got 0"},
		{"sweep --grid eps=1:2:log", `--grid eps: must be lo:hi:log:n or lo:hi:lin:n, got "1:2:log"`},
		{"sweep --grid eps=0:2:log:3", `--grid eps: must have positive ends on a log scale, got "0:2:log:3"`},
		{"sweep --grid eps=1:2:lin:1", `--grid eps: must have 2 to 100000 points, got "1:2:lin:1"`},
		{"sweep --grid eps=0.1,0.2,1e-1", `--grid eps: has 1e-1 twice`},
		{"sweep --grid eps=1 --grid lr=1", "--grid eps and --grid lr exclude each other"},
		{"sweep --grid alpha=0.9 --samplers sgld", "--grid alpha: is no parameter of sgld"},
		{"sweep --grid batch=1,2", "--grid batch needs a target with data, which gaussian does not have"},
		{"sweep --grid eps=1:2:lin:1000 --grid alpha=0:0.9:lin:1000", "--grid asks for more than 100000 cells"},
		{"sweep --grid eps=1 --repeats 0", "--repeats must be a whole number from 1 to 100000, got 0"},
		{"replay", "replay needs one FILE, got 0"},
		{"data", "data needs a command; want one of fetch, list, verify"},
		{"data lst", `unknown command "lst" (did you mean "list"?); want one of fetch, list, verify`},
		{"completion", "completion needs a shell; want one of bash, zsh, fish, powershell"},
		{"completion fich", `unknown shell "fich" (did you mean "fish"?); want one of bash, zsh, fish, powershell`},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		args := strings.Fields(c.args)
		if args[0] == "run" && !strings.Contains(c.args, "--record") {
			args = append([]string{"run", "--draws", "out/draws", "--record", "session.json"}, args[1:]...)
		}
		r := runArgs(t, args...)
		want := "psgld-tui: " + c.want + "\n"
		before, after, cut := strings.Cut(want, "…") // which stands for what depends on the samplers that there are
		fine := r.err == want ||
			cut && strings.HasPrefix(r.err, before) && strings.HasSuffix(r.err, after) &&
				strings.Count(r.err, "\n") == 1
		if !fine || r.status != console.ExitUsage || r.out != "" {
			t.Errorf("%s: status %d\n got %swant %sout %q", c.args, r.status, r.err, want, r.out)
		}
		empty(t, dir)
	}
}

// TestBadData checks what is said of files that cannot be used.
func TestBadData(t *testing.T) {
	innerlooptest.Skip(t, "many files")
	files := t.TempDir()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte(strings.Repeat("1 2 3 1\n2 1 0 0\n", 1000)))
	_ = z.Close()
	for name, content := range map[string]string{
		"empty":     "",
		"word":      "1,2,0\n1,x,1\n",
		"three":     "1,2,0\n1,3,1\n2,2,2\n",
		"one":       "1,2,0\n1,3,0\n",
		"short":     "1,2,0\n1,3\n",
		"svm":       "+1 1:1 2:0.5\n-1 1:x\n",
		"cut.gz":    packed.String()[:packed.Len()-12],
		"cut":       "+1 1:1 2:0.5\n-1 1:0.5 2:",
		"rec-cut":   `{"psgld_recording":1,`,
		"rec-other": `{"a":1}`,
		"rec-lane": `{"psgld_recording":1,"config":{"target":"gaussian","lanes":[{"sampler":"nuts","values":{}}],"seed":1,"init":"zero","draw":"shuffle"},` +
			`"events":[],"digests":[],"end":[5]}`,
		"readme":    "# Read me\n",
		"rec-wrong": `{"psgld_recording":1, # }`,
		"rec-truth": `{"psgld_recording":1,"config":{"target":"blr:synthetic","lanes":[{"sampler":"sgld","values":{"eps":0.1,"temp":1,"batch":10,"prior-var":1,"thin":1,"burn-in":0}}],"seed":1,"init":"zero","draw":"shuffle",` +
			`"truth":{"sampler":"hmc","draws":10}},"events":[],"digests":[],"end":[5]}`,
	} {
		write(t, filepath.Join(files, name), content)
	}
	write(t, filepath.Join(files, "file"), "")
	for _, c := range []struct{ args, want string }{
		{"run --target blr:FILES/none", "cannot read FILES/none: no such file"},
		{"run --target blr:FILES", "cannot read FILES: is a directory"},
		{"run --target blr:FILES/empty", "empty: the file is empty"},
		{"run --target blr:FILES/word", `word:2: column 2 has value "x", want a number`},
		{"run --target blr:FILES/three", "three:3: "},
		{"run --target blr:FILES/one", "one: "},
		{"run --target blr:FILES/short", "short:2: "},
		{"run --target blr:FILES/svm", `svm:2: feature 1 has value "x", want a number`},
		{"run --target blr:FILES/cut.gz", "cut.gz: gzip file is truncated after line "},
		{"run --target blr:FILES/cut", `cut:2: feature 2 has no value, want a number`},
		{"run --target blr:australian --data FILES",
			"cannot read FILES/australian/australian.dat: no such file; psgld-tui data fetch australian fetches it"},
		{"run --draws FILES/file/x", "--draws: cannot write FILES/file/x: not a directory"},
		{"run --draws FILES/file", "--draws: cannot write FILES/file: not a directory"},
		{"run --record FILES/none/x.json", "--record: cannot write FILES/none/x.json: no such file or directory"},
		{"run --record FILES", "--record: cannot write FILES: is a folder"},
		{"--record FILES --plain", "--record: cannot write FILES: is a folder"},
		{"replay --verify FILES/none", "cannot read FILES/none: no such file or directory"},
		{"replay --verify FILES/empty", "FILES/empty: the recording is empty"},
		{"replay FILES/rec-cut", "FILES/rec-cut: the recording is cut off"},
		{"replay FILES/rec-other", "FILES/rec-other: not a recording of form 1, which this version reads (got 0)"},
		{"replay FILES/word", "FILES/word: not a recording: it is a JSON number"},
		{"replay FILES/readme", "FILES/readme: not a recording: it is no JSON"},
		{"replay FILES/rec-wrong", "FILES/rec-wrong: not a recording: at byte 23: invalid character"},
		{"replay FILES/rec-truth", "FILES/rec-truth: truth must be hmc:draws=400 or more, got hmc:draws=10"},
		{"replay FILES/rec-lane", `FILES/rec-lane: unknown sampler "nuts"`},
		{"data verify --data FILES", "no data found in FILES"},
	} {
		dir := t.TempDir()
		t.Chdir(dir)
		in := func(s string) string { return strings.ReplaceAll(s, "FILES", files) }
		args := strings.Fields(in(c.args))
		if args[0] == "run" {
			if !strings.Contains(c.args, "--draws") {
				args = append(args, "--draws", "out/draws")
			}
			if !strings.Contains(c.args, "--record") {
				args = append(args, "--record", "session.json")
			}
		}
		r := runArgs(t, args...)
		if want := "psgld-tui: " + in(c.want); !strings.HasPrefix(r.err, want) || r.status != console.ExitFailed {
			t.Errorf("%s: status %d\n got %swant %s", c.args, r.status, r.err, want)
		}
		if strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: not one line: %q", c.args, r.err)
		}
		empty(t, dir)
	}
}

// TestControlCharacters checks that a file cannot write to the terminal by way
// of an error.
func TestControlCharacters(t *testing.T) {
	r := runArgs(t, "run", "--target", "blr:/none\n\x1b[2J")
	if strings.Count(r.err, "\n") != 1 || strings.Contains(r.err, "\x1b") {
		t.Errorf("the error is %q", r.err)
	}
}

// TestFullDisk checks that output which cannot be written fails the run.
func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{{"run", "--steps", "10"}, {"run", "--steps", "10", "--json"}, {"man"},
		{"completion", "zsh"}, {"--version"}, {"--help"}, {"run", "--help"}, {"help", "sweep"}} {
		var stderr bytes.Buffer
		status := App{}.Run(t.Context(), args, strings.NewReader(""), fullDisk{}, &stderr)
		want := grammar.Program + ": writing to standard output: no space left\n"
		if status != console.ExitFailed || stderr.String() != want {
			t.Errorf("%v: status %d, %q", args, status, stderr.String())
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// A panic is told in a line, with the stack under it.
func TestReportOfAPanic(t *testing.T) {
	var out bytes.Buffer
	e := &console.Console{Err: &out}
	status := e.Report(console.Failed(fmt.Errorf("cell 3: %w",
		&caught.Panic{Where: "a lane", Value: "no memory", Stack: []byte("goroutine 1 [running]:\n")})))
	want := "psgld-tui: cell 3: a lane panicked: no memory\ngoroutine 1 [running]:\n"
	if status != console.ExitFailed || out.String() != want {
		t.Errorf("status %d, %q, want %q", status, out.String(), want)
	}
}
