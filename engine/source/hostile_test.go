package source

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// columns is a CSV of so many columns, with a row of their numbers.
func columns(n int) string {
	var names, row bytes.Buffer
	for c := range n {
		fmt.Fprintf(&names, ",b.%d", c+1)
		fmt.Fprintf(&row, ",%d", c+1)
	}
	return names.String()[1:] + "\n" + row.String()[1:] + "\n"
}

// following is a Watch of one file with what it says.
func following(t *testing.T, path string, o Options) (w *Watch, f *Feed, told func() string, err error) {
	t.Helper()
	var mu sync.Mutex
	var lines []string
	o.Patterns = []string{path}
	o.Tell = func(line string) {
		mu.Lock()
		defer mu.Unlock()
		lines = append(lines, line)
	}
	if o.Idle == 0 {
		o.Idle = 100 * time.Millisecond
	}
	if w, err = Open(t.Context(), o); err == nil {
		f, err = w.First(func() {})
	}
	return w, f, func() string {
		mu.Lock()
		defer mu.Unlock()
		return strings.Join(lines, "\n")
	}, err
}

// row is a draw of the first chain.
func row(t *testing.T, f *Feed, k uint64) []float64 {
	t.Helper()
	x := make([]float64, len(f.Names()))
	var told targets.Told
	if err := f.Row(x, &told, 0, k); err != nil {
		t.Fatal(err)
	}
	return x
}

// What nobody meant as draws is refused in one printable line that names the file, and what can be watched is, with
// what was left out said: the rows are numbered, so that each must have its columns' numbers.
func TestHostile(t *testing.T) {
	const many = 1_000_000
	dir := t.TempDir()
	for i, c := range []struct {
		name, text string
		o          Options
		want       string // of the error, or else of what is said
		shown      int    // columns; 0 where it is refused
		draws      uint64
	}{
		{name: "a thousand columns", text: columns(1000), want: "the first 30 are shown", shown: 30, draws: 1},
		{name: "by name", text: columns(1000), o: Options{Watched: state.Watched{Columns: []string{"b.999", "b[7]"}}},
			shown: 2, draws: 1},
		{name: "a million columns", text: columns(many), want: "the first 30 are shown", shown: 30, draws: 1},
		{name: "more than a million", text: columns(many + 1), want: "more than 1000000 columns"},
		{name: "a line without end", text: "x\n" + strings.Repeat("1", 33<<20), want: ":2: the line has more than"},
		{name: "a header without end", text: strings.Repeat("x,", 17<<20), want: ":1: the line has more than"},
		{name: "two headers", text: "x\n1\nx\n2\n", want: ":3: x is \"x\", want a finite number"},
		{name: "binary", text: "\x00\x01\x1b[31m\xff\n\x02\x03\n", want: "want a finite number"},
		{name: "a broken gzip", text: "\x1f\x8b\x08\x00\x00\x00", want: "cut off or broken"},
		{name: "names of escapes", text: "\x1b]0;x\x07,y\n1,2\n", shown: 2, draws: 1},
		{name: "no row", text: "x,y\n", want: "no draw"},
		{name: "NaN and infinities", text: "x\n1\nNaN\ninf\n-Inf\n1e999\n5\n", want: "", shown: 1, draws: 2},
		{name: "a writer that died", text: "b.1,b.2\n1,2\n1,2", shown: 2, draws: 1},
	} {
		path := filepath.Join(dir, fmt.Sprint(i))
		write(t, path, c.text, 0)
		w, f, told, err := following(t, path, c.o)
		if c.shown == 0 {
			if err == nil || !strings.Contains(err.Error(), c.want) || !printable.All(err.Error()) ||
				len(err.Error()) > 1000 {
				t.Errorf("%s: %.300v, want a line with %q", c.name, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		eventually(t, c.name+": what is said, and the draws", func() bool {
			return strings.Contains(told(), c.want) && f.Rows() == c.draws
		})
		if len(f.Names()) != c.shown || !printable.All(told()) {
			t.Errorf("%s: %d columns, said %q", c.name, len(f.Names()), told())
		}
		if x := row(t, f, 0); c.name == "by name" && (x[0] != 999 || x[1] != 7) ||
			c.name == "a million columns" && x[29] != 30 {
			t.Errorf("%s: the draw is %v", c.name, x)
		}
		for name, want := range map[string]string{"NaN and infinities": "rows with NaN or an infinity are left out: 4",
			"a writer that died": "the last line has no end, and is left out"} {
			if c.name == name {
				eventually(t, want, func() bool { return strings.Contains(strings.Join(w.Remarks(), "\n"), want) })
			}
		}
	}
}

// A FIFO is followed as it is written, row by row, and a device is no file.
func TestPipes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := exec.Command("mkfifo", path).Run(); err != nil {
		t.Skip("no mkfifo: ", err)
	}
	go func() {
		to, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer to.Close()
		_, _ = to.WriteString("x\n1\n2\n") // the reader tells
		<-t.Context().Done()
	}()
	_, f, _, err := following(t, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "both rows, before the writer is done", func() bool { return f.Rows() == 2 })
	if x := row(t, f, 1); x[0] != 2 || f.Ended() {
		t.Errorf("the second draw is %v, and ended is %v", x, f.Ended())
	}
	if _, _, _, err := following(t, "/dev/zero", Options{}); err == nil ||
		!strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
}
