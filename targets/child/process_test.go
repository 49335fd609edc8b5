//go:build unix

package child_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

func TestMain(m *testing.M) {
	childtest.Serve()
	os.Exit(m.Run())
}

const (
	limit = 5 * time.Minute
	// soon is the limit of a child that never answers: on a busy machine it has written its first line by then.
	soon = 2 * time.Second
)

// start starts a child that ends with the test.
func start(t testing.TB, command string, limit time.Duration) *child.Process {
	t.Helper()
	p := child.Start(child.Command{Line: command}, limit, nil, nil)
	t.Cleanup(p.Close)
	return p
}

func TestGradientsOfDensityAndOfData(t *testing.T) {
	p := start(t, childtest.Normal(3).Command(), limit)
	dst := make([]float64, 3)
	for k := range 200 {
		x := float64(k)
		logLik, err := p.Gradient(t.Context(), dst, []float64{x, 2, -3}, nil)
		if want := -x*x/2 - 4./4 - 9./6; err != nil || dst[0] != -x || dst[1] != -1 || dst[2] != 1 || logLik != want {
			t.Fatalf("question %d: %v, %v, %v; want %v", k, logLik, dst, err, want)
		}
	}
	w := childtest.Normal(1)
	w.Data, w.Minibatches = 10, true
	p = start(t, w.Command(), limit)
	for _, c := range []struct {
		batch []int32
		want  float64
	}{{nil, 0.45}, {[]int32{3}, 0.3}, {[]int32{0, 9, 9}, 0.6}} {
		if _, err := p.Gradient(t.Context(), dst[:1], []float64{0}, c.batch); err != nil ||
			math.Abs(dst[0]-c.want) > 1e-15 {
			t.Errorf("on %v: %v, %v; want %v", c.batch, dst[0], err, c.want)
		}
	}
	if h, err := p.Hello(t.Context()); err != nil || h.Data != 10 || !h.Minibatches || !h.Repeats {
		t.Errorf("hello: %+v, %v", h, err)
	}
}

// A child that repeats itself is not asked twice for the same; another is.
func TestSameQuestionTwice(t *testing.T) {
	for _, repeats := range []bool{true, false} {
		w := childtest.Normal(1)
		w.Repeats, w.Fault, w.After = repeats, "die", 1
		p := start(t, w.Command(), limit)
		var err error
		for range 3 {
			_, err = p.Gradient(t.Context(), make([]float64, 1), []float64{2}, nil)
		}
		if (err == nil) != repeats {
			t.Errorf("repeats %v: %v", repeats, err)
		}
	}
}

// Large questions and answers do not fit a pipe.
func TestManyDimensions(t *testing.T) {
	const d = 300_000
	p := start(t, childtest.Normal(d).Command(), limit)
	theta, dst := make([]float64, d), make([]float64, d)
	theta[d-1] = -d
	if _, err := p.Gradient(t.Context(), dst, theta, nil); err != nil || dst[d-1] != 1 {
		t.Fatalf("%v, %v", dst[d-1], err)
	}
}

func TestFaultsAreOneLineThatNamesThem(t *testing.T) {
	for fault, want := range map[string]string{
		"die":   "has ended before it has answered (exit status 3): ValueError: not today",
		"hang":  "has not answered within 2s",
		"nan":   "answers NaN for element 2 of its gradient",
		"inf":   "answers +Inf for its log density",
		"few":   "answers with 1 numbers, want 3",
		"many":  "answers with more than 3 numbers",
		"text":  `writes text into its answers: "epoch 1, loss 0.3"; prints belong on standard error`,
		"bytes": "answers with bytes that are no frame of 3 numbers",
		"half":  "has ended within an answer, after 12 of 32 bytes (exit status 0)",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			w := childtest.Normal(2)
			w.Fault, w.After = fault, 2
			within := limit
			if fault == "hang" {
				within = soon
			}
			p := start(t, w.Command(), within)
			dst := make([]float64, 2)
			var err error
			for k := range 3 {
				_, err = p.Gradient(t.Context(), dst, []float64{1, float64(k)}, nil)
			}
			fails(t, p, err, want)
			if _, again := p.Gradient(t.Context(), dst, []float64{1, 2}, nil); again == nil ||
				again.Error() != err.Error() {
				t.Errorf("asked again: %v", again)
			}
		})
	}
}

func TestFirstLinesThatAreRefused(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for name, c := range map[string]struct{ command, want string }{
		"text": {"echo Loading; sleep 9",
			`first line is "Loading", want a JSON object such as {"psgld": 1, "dim": 2}`},
		"nothing": {"exit 4", "has ended before its first line (exit status 4)"},
		"no such": {"/nowhere/model", "(exit status 127): /bin/sh"},
		"silent":  {"sleep 100", "has not written its first line within 2s"},
		"endless": {"cat /dev/zero", "its first line has more than 1048576 bytes"},
		"dims":    {`echo '{"psgld":1,"dim":1000000000}'; sleep 9`, "says dim 1000000000, want 1 to 1048576"},
		"version": {`echo '{"psgld":7,"dim":1}'; sleep 9`, "is of the protocol's version 7, this program speaks 1"},
		"unknown": {`echo '{"psgld":1,"dim":1,"minibatch":true}'; sleep 9`,
			`has the key "minibatch", want psgld, dim, names,`},
		"names": {`echo '{"psgld":1,"dim":2,"names":["a"]}'; sleep 9`, "has 1 names for 2 coordinates"},
		"name": {`echo '{"psgld":1,"dim":1,"names":["a,b"]}'; sleep 9`,
			`names coordinate 1 "a,b", want 1 to 40 characters`},
		"twice": {`echo '{"psgld":1,"dim":2,"names":["a","a"]}'; sleep 9`, `names two coordinates "a"`},
		"kind":  {`echo '{"psgld":1,"dim":"2"}'; sleep 9`, "has a JSON string for dim"},
		"more": {`printf '{"psgld":1,"dim":1}\nready\n'; sleep 9`,
			`writes the text "ready" after its first line before it is asked`},
		"goes on": {`echo '{"psgld":1,"dim":1} {}'; sleep 9`, "goes on after the JSON object"},
		"data": {`echo '{"psgld":1,"dim":1,"data":-1}'; sleep 9`,
			"says data -1, want 0 for none, or 2 to 10000000"},
		"batches": {`echo '{"psgld":1,"dim":1,"minibatches":true}'; sleep 9`,
			"says that it takes minibatches, and has no data"},
		"controls":  {`printf '\033[2J\033]0;x\007\n'; sleep 9`, `first line is "·[2J·]0;x·"`},
		"long text": {"echo " + long + "; sleep 9", "xxx…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			within := limit
			if name == "silent" {
				within = soon
			}
			p := start(t, c.command, within)
			_, err := p.Hello(t.Context())
			fails(t, p, err, c.want)
		})
	}
}

// fails checks an error of a child that has ended.
func fails(t *testing.T, p *child.Process, err error, want string) {
	t.Helper()
	e, ok := errors.AsType[*child.Error](err)
	if !ok || !strings.Contains(e.Error(), want) || !strings.HasPrefix(e.Error(), "exec:") ||
		strings.ContainsAny(e.Error(), "\n\x1b") {
		t.Errorf("error %v, want one line with %q", err, want)
	}
	if p.Running() {
		t.Error("it runs")
	}
}

// A question that is left is answered to who asks it again, and no other question has its answer.
func TestQuestionThatIsLeft(t *testing.T) {
	for _, same := range []bool{true, false} {
		w := childtest.Normal(1)
		w.Fault, w.After, w.Once = "slow", 1, filepath.Join(t.TempDir(), "was")
		p := start(t, w.Command(), limit)
		dst := make([]float64, 1)
		if _, err := p.Gradient(t.Context(), dst, []float64{1}, nil); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if _, err := p.Gradient(ctx, dst, []float64{5}, nil); err == nil {
			t.Log("a busy machine: the answer came before the question was left")
		} else if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("left with %v", err)
		}
		cancel()
		ask := map[bool]float64{true: 5, false: 7}[same]
		if _, err := p.Gradient(t.Context(), dst, []float64{ask}, nil); err != nil || dst[0] != -ask {
			t.Errorf("asked %v: %v, %v", ask, dst[0], err)
		}
	}
}

// Whoever leaves a question again and again does not put off the limit.
func TestLimitRunsOn(t *testing.T) {
	t.Parallel() // as it waits for the limit
	w := childtest.Normal(1)
	w.Fault = "hang"
	p := start(t, w.Command(), soon)
	if _, err := p.Hello(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		_, err := p.Gradient(ctx, make([]float64, 1), []float64{1}, nil)
		cancel()
		if e, ok := errors.AsType[*child.Error](err); ok {
			if !strings.Contains(e.What, "2s") {
				t.Error(e)
			}
			break
		}
		if time.Since(began) > limit {
			t.Fatal("the limit never came")
		}
	}
}

// A child whose question was left is not ended by the limit while nobody waits, however long
// that is. Who comes back has its answer, and one that hangs all the same has the limit again.
func TestLimitOfAQuestionThatIsLeft(t *testing.T) {
	for _, fault := range []string{"slow", "hang"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			w := childtest.Normal(1)
			w.Fault = fault
			p := start(t, w.Command(), soon)
			dst := make([]float64, 1)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			if _, err := p.Gradient(ctx, dst, []float64{5}, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("left with %v", err)
			}
			cancel()
			time.Sleep(soon * 3 / 2)
			if !p.Running() {
				t.Errorf("%s: ended while nobody waited", fault)
			}
			_, err := p.Gradient(t.Context(), dst, []float64{5}, nil)
			if fault == "slow" && (err != nil || dst[0] != -5) {
				t.Errorf("the answer is %v, %v", dst[0], err)
			}
			if e, ok := errors.AsType[*child.Error](err); fault == "hang" &&
				(!ok || !strings.Contains(e.What, "has not answered within 2s")) {
				t.Errorf("one that hangs: %v", err)
			}
		})
	}
}

// Close ends a child that hangs, with what it has started.
func TestCloseEndsTheGroup(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	p := child.Start(child.Command{Line: `sh -c 'echo $$; sleep 1000' > ` + pids + ` & sleep 1000`}, limit, nil, nil)
	var pid int
	for end := time.Now().Add(limit); time.Now().Before(end); {
		b, _ := os.ReadFile(pids)
		if pid, _ = strconv.Atoi(string(bytes.TrimSpace(b))); pid > 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.Close()
	for end := time.Now().Add(limit); time.Now().Before(end); {
		if syscall.Kill(pid, 0) != nil || zombie(pid) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d of the group lives", pid)
}

// zombie reports whether a process has ended and waits for its parent, which may be nobody who
// reaps in a container.
func zombie(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(b), ") Z")
}

func TestStandardErrorIsLogged(t *testing.T) {
	var log bytes.Buffer
	p := child.Start(child.Command{Line: `echo one >&2; echo two >&2; exit 1`}, limit, &log, nil)
	_, err := p.Hello(t.Context())
	if err == nil || !strings.HasSuffix(err.Error(), "(exit status 1): two") || log.String() != "one\ntwo\n" {
		t.Errorf("%v; log %q", err, log.String())
	}
}

func TestGradientAllocatesNothing(t *testing.T) {
	p := start(t, childtest.Normal(10).Command(), limit)
	theta, dst := make([]float64, 10), make([]float64, 10)
	ask := func() {
		theta[0]++
		if _, err := p.Gradient(t.Context(), dst, theta, nil); err != nil {
			t.Fatal(err)
		}
	}
	ask()
	ask()
	if n := alloctest.PerRun(200, ask); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkGradient(b *testing.B) {
	for _, d := range []int{1, 100, 10_000} {
		b.Run(strconv.Itoa(d), func(b *testing.B) {
			p := start(b, childtest.Normal(d).Command(), limit)
			theta, dst := make([]float64, d), make([]float64, d)
			b.ReportAllocs()
			for b.Loop() {
				theta[0]++
				if _, err := p.Gradient(b.Context(), dst, theta, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func FuzzHello(f *testing.F) {
	f.Add([]byte(`{"psgld":1,"dim":2,"names":["a","b"],"data":10,` +
		`"minibatches":true,"log_density":true,"repeats":true}`))
	f.Add([]byte(`{"psgld":1,"dim":1e9}`))
	f.Add([]byte("[[[[[["))
	f.Fuzz(func(t *testing.T, line []byte) {
		h, err := child.ParseHello(line)
		if err != nil {
			if len(err.Error()) > 2000 || strings.ContainsAny(err.Error(), "\n\r\x1b") {
				t.Errorf("error %q", err)
			}
			return
		}
		if h.Dim < 1 || h.Dim > child.MaxDim || h.Names != nil && len(h.Names) != h.Dim {
			t.Errorf("took %+v", h)
		}
	})
}
