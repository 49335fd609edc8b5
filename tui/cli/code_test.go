package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	code "github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// A program has the settings of the flags, and what is none of it is refused in one line.
func TestSamplersCode(t *testing.T) {
	out := ok(t, "samplers", "psgld", "--code", "numpy", "--target", "banana:b=2", "--eps", "0.03", "--alpha", "0.9",
		"--steps", "77", "--thin", "3", "--burn-in", "5", "--gamma", "on", "--init", "1,2", "--temp", "0.5",
		"--seed", "9")
	for _, want := range []string{"default_rng(9)", "eps = 0.03 ", "alpha = 0.9 ", "steps = 77 ", "thin = 3 ",
		"burn_in = 5 ", "temp = 0.5 ", "\nb = 2\n", "np.array([1, 2], float)", "Gamma = ",
		"\n#   psgld-tui check draws.csv --target banana:b=2 --method psgld --eps 0.03 --thin 3 --temp 0.5 --alpha " +
			"0.9 --gamma on\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("the program lacks %q:\n%s", want, out)
		}
	}
	if out := ok(t, "samplers", "sghmc:friction=0.3", "--code", "r"); !strings.Contains(out, "friction <- 0.3 ") ||
		!strings.Contains(out, "v1 <- 0.16\n") {
		t.Errorf("it says\n%s", out)
	}
	if out := ok(t, "samplers", "sgld", "--code", "r", "--schedule", "poly:1,10,0.5"); strings.Contains(out, "check") {
		t.Errorf("a check refuses schedules, and it says\n%s", out)
	}
	for args, want := range map[string]string{
		"samplers --code r": "--code needs the name of a sampler; want one of " +
			strings.Join(code.Names(), ", "),
		"samplers psgld sgld --code r": "--code prints one sampler, got 2; want one of psgld,",
		"samplers psgld --code perl":   `--code: unknown language "perl"; want one of numpy, torch, r`,
		"samplers adam --code r": "--code: there is no program of the method adam, " +
			"want one of psgld,",
		"samplers psgld --code r --target blr:synthetic": "--code: there is no program of the target " +
			"blr:synthetic, want one in the plane,",
		"samplers psgld --code r --target exec:true": "--code: there is no program of a target outside " +
			"of psgld-tui",
		"samplers psgld --code r --eps -1":    "--eps must be positive, got -1",
		"samplers psgld --eps 1":              "--eps needs --code, such as --code numpy",
		"samplers psgld --code r --seconds 3": "--seconds is a flag of psgld-tui",
		"samplers hmc --code r --temp 0": "--code: there is no program of hmc at the " +
			"temperature 0",
		"samplers psgld --code numpy --target density:y":       "density: column 1: y stands there without x",
		"samplers psgld --code numpy --target blr:no/such.csv": "cannot read no/such.csv: no such file",
	} {
		r := runArgs(t, strings.Fields(args)...)
		status := console.ExitUsage
		if strings.Contains(args, "no/such") {
			status = console.ExitFailed
		}
		if r.status != status || r.out != "" || !strings.HasPrefix(r.err, "psgld-tui: ") ||
			!strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
	r := runArgs(t, "__complete", "samplers", "psgld", "--code", "")
	if !strings.HasPrefix(r.out, "numpy\ntorch\nr\n") {
		t.Errorf("completion offers %q", r.out)
	}
}

// check finds the programs' draws consistent with their methods, in every language, and names the
// fault of one whose drift lacks its 2. NumPy and R have every other method each, PyTorch has one:
// TestEveryProgramIsChecked has them all.
func TestProgramsAreChecked(t *testing.T) {
	for _, language := range code.Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			by := interpreter(t, language)
			for i, method := range append(code.Names(), "fault") {
				alternate := []string{"numpy", "r"}[i%2]
				if method != "psgld" && language != alternate && (method != "fault" || language == "torch") {
					continue
				}
				name, faulty := method, method == "fault"
				if faulty {
					name = "sgld"
				}
				r, text := checkProgram(t, by, language, name, []string{"--target", "gaussian:a=2", "--eps", "0.2"},
					func(text string) string {
						if faulty {
							text = strings.Replace(text, "eps/2*g", "eps*g", 1)
						}
						return text
					}, "--steps", map[bool]string{false: "10000", true: "5000"}[language == "torch"])
				switch {
				case faulty && (r.status == console.ExitDone || !strings.Contains(r.out, "drift")):
					t.Errorf("a drift without its 2: status %d\n%s%s", r.status, r.out, r.err)
				case !faulty && r.status != console.ExitDone:
					t.Errorf("%s: status %d\n%s%s\n%s", method, r.status, r.out, r.err, text)
				}
			}
		})
	}
}

// checkProgram runs the program of a method on a session's target, as changed and with more flags, and holds its draws
// to it by the command that it names.
func checkProgram(t *testing.T, by, language, method string, session []string, change func(string) string,
	more ...string) (checked result, text string) {
	t.Helper()
	dir := t.TempDir()
	text = change(ok(t, slices.Concat([]string{"samplers", method, "--code", language}, session, more)...))
	if err := os.WriteFile(filepath.Join(dir, "program"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), by, "program")
	run.Dir = dir
	if b, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", method, err, b, text)
	}
	_, line, found := strings.Cut(text, "\n# Its draws are checked by\n#   psgld-tui ")
	if line, _, _ = strings.Cut(line, "\n"); !found {
		t.Fatalf("the program does not say what checks it:\n%s", text)
	}
	words, err := exec.CommandContext(t.Context(), "sh", "-c", "printf '%s\n' "+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	args := strings.Split(strings.TrimSuffix(string(words), "\n"), "\n")
	args[1] = filepath.Join(dir, args[1])
	return runArgs(t, args...), text
}
