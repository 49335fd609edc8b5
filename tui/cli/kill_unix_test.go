//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// longSweep are cells of a few hundredths of a second.
var longSweep = []string{"sweep", "--steps", "20000", "--grid", "eps=0.1:0.6:lin:6", "--repeats", "4", "--threads", "1",
	"--out", "r.jsonl"}

// waitLines waits until a file has some lines, and returns how many.
func waitLines(t *testing.T, path string, n int) int {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if b, err := os.ReadFile(path); err == nil && bytes.Count(b, []byte("\n")) >= n {
			return bytes.Count(b, []byte("\n"))
		}
	}
	t.Fatalf("%s has not %d lines after %v", path, n, ptytest.Patience)
	return 0
}

// resultLines are the outcomes of a results file by ID, without the times.
func resultLines(t *testing.T, path string) map[string]any {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")[1:] {
		var o map[string]any
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		id := o["id"].(string)
		if all[id] != nil {
			t.Errorf("%s is there twice", id)
		}
		delete(o, "seconds")
		for _, l := range o["lanes"].([]any) {
			for _, k := range []string{"seconds", "steps_per_second", "ess_per_second"} {
				delete(l.(map[string]any), k)
			}
		}
		all[id] = o
	}
	return all
}

// A process that is killed at any moment leaves a file from which the same command
// goes on, and the end is that of a run that nobody killed.
func TestKilledAndContinued(t *testing.T) {
	innerlooptest.Later(t, "sweeps in other processes")
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "r.jsonl")
	whole := program(t, t.TempDir(), longSweep...)
	if err := whole.Run(); err != nil {
		t.Fatalf("%v: %s", err, whole.err.String())
	}
	want := resultLines(t, filepath.Join(whole.Dir, "r.jsonl"))
	for _, lines := range []int{3, 9} {
		p := program(t, dir, longSweep...)
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		n := waitLines(t, path, lines)
		_ = p.Process.Kill() // unless it has ended
		_ = p.Wait()
		t.Logf("killed after %d lines", n) // on a busy machine now and then after all
	}
	last := program(t, dir, longSweep...) // the lock has died with its process
	if err := last.Run(); err != nil {
		t.Fatalf("%v: %s", err, last.err.String())
	}
	if got := resultLines(t, path); len(want) != 24 || !reflect.DeepEqual(got, want) {
		t.Errorf("%d outcomes, want %d, or they differ", len(got), len(want))
	}
}

// What a killed run has left of its draws the next one into the folder clears, but not what
// a live one writes, nor what is another's.
func TestKilledDrawsAreCleared(t *testing.T) {
	dir := t.TempDir()
	other := write(t, filepath.Join(dir, ".other.1-0.tmp"), "")
	left := func() []string {
		all, err := filepath.Glob(filepath.Join(dir, ".A-*"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	begin := func(n int) *process {
		p := program(t, dir, "run", "--target", "gaussian", "--samplers", "psgld", "--steps", "1000000000", "--thin",
			"1000000", "--draws", ".")
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
		for end := time.Now().Add(ptytest.Patience); len(left()) < n; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("nothing is written: %s", p.err.String())
			}
		}
		return p
	}
	killed := begin(1)
	_ = killed.Process.Kill()
	_ = killed.Wait()
	if len(left()) != 1 {
		t.Fatalf("a killed run leaves %q", left())
	}
	first := left()[0]
	begin(1) // clears what is left and writes its own
	for end := time.Now().Add(ptytest.Patience); ; time.Sleep(time.Millisecond) {
		if all := left(); len(all) == 1 && all[0] != first {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("there are %q, of which %s is nobody's", left(), first)
		}
	}
	live := left()[0]
	short := program(t, dir, "run", "--target", "gaussian", "--samplers", "psgld", "--steps", "100", "--draws", ".")
	if err := short.Run(); err != nil {
		t.Fatalf("%v: %s", err, short.err.String())
	}
	if all := left(); len(all) != 1 || all[0] != live {
		t.Errorf("beside a live run that writes %s there are %q", live, all)
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

// A signal that comes before the program listens ends it as one that comes later does.
func TestEarlySignal(t *testing.T) {
	for args, want := range map[string]string{
		"run --target gaussian --steps 1000000000": "interrupted at step 0\n",
		"watch later.csv --json":                   "interrupted before there was a draw\n",
	} {
		p := program(t, t.TempDir(), strings.Fields(args)...)
		p.Env = append(p.Env, asProgram+"=signalled")
		_ = p.Run() // its status is looked at
		if p.ProcessState.ExitCode() != console.ExitInterrupted || p.err.String() != "psgld-tui: "+want {
			t.Errorf("%s: status %d, %q", args, p.ProcessState.ExitCode(), p.err.String())
		}
	}
}

func init() {
	signalled = func() { console.Must(syscall.Kill(os.Getpid(), syscall.SIGQUIT)) }
}

// An interrupted run says what it has and how to go on, and a second at the same
// time is refused.
func TestInterruptedOnDisk(t *testing.T) {
	innerlooptest.Skip(t, "long runs")
	dir := t.TempDir()
	sweep := append(longSweep, "--shard", "1/2", "--repeats", "4000") // more than anybody waits for
	p := program(t, dir, sweep...)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	waitLines(t, filepath.Join(dir, "r.jsonl"), 3)
	second := program(t, dir, sweep...)
	_ = second.Run() // its status is looked at
	if second.ProcessState.ExitCode() != console.ExitFailed ||
		second.err.String() != "psgld-tui: r.jsonl is in use by another run\n" {
		t.Errorf("a second run: status %d, %q", second.ProcessState.ExitCode(), second.err.String())
	}
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // its status is looked at
	n := len(resultLines(t, filepath.Join(dir, "r.jsonl")))
	if p.ProcessState.ExitCode() != console.ExitInterrupted ||
		!strings.HasPrefix(p.err.String(), "psgld-tui: interrupted after ") ||
		!strings.HasSuffix(p.err.String(),
			" of 12000 cells, which are in r.jsonl; the same command goes on from there\n") || n < 2 {
		t.Errorf("status %d, %d outcomes, %q", p.ProcessState.ExitCode(), n, p.err.String())
	}
}

// A disk that is full ends the run with a line and without a half of one in the
// file, and with room the run goes on.
func TestResultsOnAFullDisk(t *testing.T) {
	innerlooptest.Skip(t, "many runs")
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "r.jsonl")
	args := append(longSweep, "--steps", "100")
	limited := program(t, dir, append([]string{"-c", `ulimit -f 16 || exit 99; exec "$0" "$@"`, ""}, args...)...)
	limited.Args[3] = limited.Path // $0
	limited.Path = sh
	_ = limited.Run() // its status is looked at
	switch got := limited.err.String(); {
	case limited.ProcessState.ExitCode() == 99:
		t.Skip("sh knows no limit of a file's size")
	case limited.ProcessState.ExitCode() != console.ExitFailed ||
		got != "psgld-tui: cannot write r.jsonl: file too large\n" || limited.out.Len() > 0:
		t.Errorf("status %d, %q", limited.ProcessState.ExitCode(), got)
	}
	b, err := os.ReadFile(path)
	n := len(resultLines(t, path))
	if err != nil || !bytes.HasSuffix(b, []byte("\n")) || n < 1 || n >= 24 {
		t.Fatalf("%d outcomes, %v", n, err)
	}
	again := program(t, dir, args...)
	if err := again.Run(); err != nil || len(resultLines(t, path)) != 24 {
		t.Errorf("%v: %s", err, again.err.String())
	}
}
