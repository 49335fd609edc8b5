// Package childtest makes a test's own program a child of package child, which behaves well or does not.
package childtest

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/child"
)

const variable = "PSGLD_TEST_CHILD"

// A Way is how a child behaves. It is a normal distribution in D dimensions with the variances
// 1, 2, … D or, with data, the mean of N rows 0, 1/N, 2/N, … of variance 1 in each.
type Way struct {
	child.Hello
	Line  string // its first line, if that is another
	Fault string // what it does instead of answering: die, hang, nan, inf, few, many, text, bytes, half; or slow
	After int    // answers before
	Once  string // a file that it makes before its fault, and with which it has none
	Fed   bool   // a program of so many bytes stands before the questions, and it answers on descriptor 3
}

// Normal is a child without a fault.
func Normal(dim int) Way {
	return Way{Hello: child.Hello{Version: child.Version, Dim: dim, LogDensity: true, Repeats: true}}
}

// Command is a command line that starts the test's program as such a child. TestMain must call Serve.
func (w Way) Command() string {
	b, err := json.Marshal(w)
	if err != nil {
		panic(err)
	}
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return variable + "=" + quote(string(b)) + " " + quote(program)
}

// Rscript is a folder with a program Rscript, which is the child in R's place, as it stands for stan: targets.
func (w Way) Rscript(t testing.TB) (dir string) {
	w.Fed, dir = true, t.TempDir()
	text := "#!/bin/sh\nexec env " + w.Command() + "\n"
	if err := os.WriteFile(filepath.Join(dir, "Rscript"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Serve is the child, if the program was started as one. It does not return then.
func Serve() {
	text := os.Getenv(variable)
	if text == "" {
		return
	}
	var w Way
	if err := json.Unmarshal([]byte(text), &w); err != nil {
		panic(err)
	}
	out := os.Stdout
	if w.Fed {
		out = os.NewFile(3, "answers")
	}
	w.serve(os.Stdin, out)
	os.Exit(0)
}

func (w *Way) serve(stdin io.Reader, out io.Writer) {
	if w.Line == "" {
		b, _ := json.Marshal(w.Hello)
		w.Line = string(b) + "\n"
	}
	in := bufio.NewReader(stdin)
	if size := make([]float64, 1); w.Fed && read(in, size) {
		program := make([]byte, int(size[0]))
		_, _ = io.ReadFull(in, program)
		if _, text, ok := strings.Cut(string(program), "size = "); ok {
			text, _, _ = strings.Cut(text, "\n")
			n, _ := strconv.Atoi(text)
			_, _ = in.Discard(n)
		}
	}
	_, _ = io.WriteString(out, w.Line)
	theta, answer := make([]float64, w.Dim), make([]float64, 2+w.Dim)
	for n := 0; ; n++ {
		var count [1]float64
		if !read(in, count[:]) || !read(in, theta) {
			return
		}
		if count[0] < 0 { // its parameters are the exponentials of θ
			for i, x := range theta {
				if answer[2+i] = libm.Exp(x); count[0] < -1 {
					answer[2+i] = libm.Log(x)
				}
			}
			answer[0] = float64(1 + w.Dim)
			if answer[1] = 0; count[0] < -1 && slices.Min(theta) <= 0 {
				answer[1] = math.Inf(-1)
			}
			write(out, answer)
			continue
		}
		rows := make([]float64, int(count[0]))
		read(in, rows)
		if w.Fault != "" && n >= w.After && !w.was() {
			if w.fault(out); w.Fault != "slow" {
				continue
			}
		}
		w.answer(answer, theta, rows)
		write(out, answer)
	}
}

// was reports whether the fault has been.
func (w *Way) was() bool {
	if w.Once == "" {
		return false
	}
	f, err := os.OpenFile(w.Once, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // of children at a time one makes it
	if err != nil {
		return true
	}
	_ = f.Close() // nothing is in it
	return false
}

func (w *Way) answer(dst, theta, rows []float64) {
	clear(dst)
	dst[0] = float64(1 + w.Dim)
	n := len(rows)
	if n == 0 { // all data, or the one centre of a density
		n = max(w.Data, 1)
	}
	for k := range n {
		centre := float64(k) / float64(n)
		if len(rows) > 0 {
			centre = rows[k] / float64(w.Data)
		}
		for i, x := range theta {
			v := float64(i + 1)
			if w.Data > 0 {
				v = 1
			}
			dst[1] -= (x - centre) * (x - centre) / 2 / v / float64(n)
			dst[2+i] += (centre - x) / v / float64(n)
		}
	}
}

// fault does what the child should not.
func (w *Way) fault(out io.Writer) {
	bad := make([]float64, 2+w.Dim)
	bad[0] = float64(1 + w.Dim)
	switch w.Fault {
	case "die":
		fmt.Fprintln(os.Stderr, "ValueError: not today")
		os.Exit(3)
	case "hang":
		time.Sleep(time.Hour)
	case "slow":
		time.Sleep(300 * time.Millisecond)
		return
	case "nan":
		bad[1+w.Dim] = math.NaN()
	case "inf":
		bad[1] = math.Inf(1)
	case "few":
		bad = []float64{1, 0}
	case "many":
		bad = append(bad, 1, 2, 3)
	case "text":
		_, _ = io.WriteString(out, "epoch 1, loss 0.3\n")
		return
	case "bytes":
		_, _ = out.Write([]byte{0xff, 0, 0xfe, 1, 2, 3, 4, 5, 6})
		return
	case "half":
		b := make([]byte, 12)
		binary.LittleEndian.PutUint64(b, math.Float64bits(bad[0]))
		_, _ = out.Write(b)
		os.Exit(0)
	default:
		panic("no fault " + strconv.Quote(w.Fault))
	}
	write(out, bad)
}

func read(r io.Reader, to []float64) bool { return binary.Read(r, binary.LittleEndian, to) == nil }

func write(w io.Writer, all []float64) {
	b := make([]byte, 0, 8*len(all))
	for _, x := range all {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	_, _ = w.Write(b)
}
