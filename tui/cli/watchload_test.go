package cli

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/source"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/loading"
)

// rowsOf are rows of normal draws in CSV.
func rowsOf(r *rand.Rand, rows, columns int) (text []byte) {
	for range rows {
		for c := range columns {
			if c > 0 {
				text = append(text, ',')
			}
			text = fmt.Appendf(text, "%.6g", r.NormFloat64())
		}
		text = append(text, '\n')
	}
	return text
}

// headerOf is the header of so many columns.
func headerOf(columns int) string {
	names := make([]string, columns)
	for c := range names {
		names[c] = fmt.Sprintf("b.%d", c+1)
	}
	return strings.Join(names, ",") + "\n"
}

// followed is a session of what is followed.
func followed(t testing.TB, o source.Options, rt session.Runtime) *session.Session {
	t.Helper()
	o.Tell = func(string) {}
	w := watching{watchOptions: &watchOptions{what: o.Watched}, source: o}
	cfg, p, err := w.open(t.Context(), new(loading.Loading))
	if err != nil {
		t.Fatal(err)
	}
	s, err := session.New(cfg, p, rt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkFollowed has eight files of 100 columns grow by 50,000 rows a second in all, which a session with a screen
// follows. s-behind is the longest from when rows are written to when a snapshot has them.
func BenchmarkFollowed(b *testing.B) {
	const files, columns, every, ticks = 8, 100, 100 * time.Millisecond, 50
	const rows = 50_000 / files * int(every/time.Millisecond) / 1000 // of a file, in every tick
	for b.Loop() {
		dir := b.TempDir()
		var out [files]*os.File
		var texts [files][]byte
		for k := range out {
			var err error
			if out[k], err = os.Create(filepath.Join(dir, fmt.Sprintf("c-%d.csv", k))); err != nil {
				b.Fatal(err)
			}
			defer out[k].Close()
			texts[k] = rowsOf(rand.New(rand.NewPCG(uint64(k), 7)), rows, columns)
			_, _ = out[k].WriteString(headerOf(columns)) // the rows tell
		}
		var due [ticks]time.Time
		grow := func(i int) {
			for k, f := range out {
				if _, err := f.Write(texts[k]); err != nil {
					b.Fatal(err)
				}
			}
			due[i] = time.Now()
		}
		grow(0)
		s := followed(b, source.Options{Watched: state.Watched{Patterns: []string{filepath.Join(dir, "c-*.csv")}},
			Idle: time.Second}, session.Runtime{Interactive: true})
		ctx, stop := context.WithCancel(b.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		worst, seen, began := time.Duration(0), 1, time.Now()
		for i := 1; seen < ticks; time.Sleep(5 * time.Millisecond) {
			if i < ticks && time.Since(began) > time.Duration(i)*every {
				grow(i)
				i++
			}
			for n := s.Snapshot().Lanes[0].Step; seen < i && n >= uint64((seen+1)*rows); seen++ {
				worst = max(worst, time.Since(due[seen]))
			}
		}
		stop()
		<-ended
		b.ReportMetric(worst.Seconds(), "s-behind")
		b.ReportMetric(float64((ticks-1)*rows*files)/time.Since(began).Seconds(), "rows/s")
	}
}

// endless gives a text again and again, until so many bytes.
type endless struct {
	text     string
	at, left int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(b, e.text[e.at:])
	e.at, e.left = (e.at+n)%len(e.text), e.left-n
	return n, nil
}

// Ten million draws of eight parameters from standard input are all taken. What lives of them on the heap, in rings,
// sums and what ranks, has at most half of the 640 MB that they are. What other tests left there does not count.
func TestTenMillion(t *testing.T) {
	innerlooptest.Later(t, "it takes a quarter of a minute")
	const rows, again = 10_000, 1000
	text := string(rowsOf(rand.New(rand.NewPCG(1, 8)), rows, 8))
	from := io.MultiReader(strings.NewReader(headerOf(8)), &endless{text: text, left: again * len(text)})
	s := followed(t, source.Options{Watched: state.Watched{Patterns: []string{"-"}}, Idle: time.Second, Stdin: from},
		session.Runtime{})
	live := func() uint64 { // by the newest collection
		m := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(m)
		return m[0].Value.Uint64()
	}
	runtime.GC()
	before, most, ended := live(), uint64(0), make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	for done := false; !done; {
		most = max(most, live())
		select {
		case err := <-ended:
			if done = true; err != nil {
				t.Fatal(err)
			}
		case <-time.After(20 * time.Millisecond):
		}
	}
	if n := s.Snapshot().Lanes[0].Step; n != rows*again {
		t.Errorf("%d draws, want %d", n, rows*again)
	}
	if t.Logf("%d MB before, at most %d MB", before>>20, most>>20); most > before+320<<20 {
		t.Errorf("the heap had %d MB, and %d MB before", most>>20, before>>20)
	}
}
