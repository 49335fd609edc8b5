package source

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// lines are n draws of two parameters in CSV, by a seed.
func lines(seed uint64, n int) string {
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "%v,%v\n", r.NormFloat64(), r.NormFloat64())
	}
	return b.String()
}

func write(t *testing.T, path, text string, flag int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// eventually waits until f holds.
func eventually(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("in 20 s never: %s", what)
		}
	}
}

// A file that grows in pieces which end amid lines has the draws that it has when it is read whole, but for those with
// NaN. What replaces it, and another file of the pattern, make another feed.
func TestGrowing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "c-1.csv")
	text := "a,b\n" + lines(1, 600)
	cut := len(text) / 2
	write(t, path, text[:cut], 0)
	changed := make(chan struct{}, 100)
	w, err := Open(t.Context(), Options{Watched: state.Watched{Patterns: []string{filepath.Join(dir, "c-*.csv")}},
		Idle: 300 * time.Millisecond, Tell: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.First(func() { changed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, text[cut:]+"NaN,1\n7,8\n9,", os.O_APPEND)
	eventually(t, "all rows", func() bool { return f.Rows() == 601 })
	whole := filepath.Join(dir, "whole")
	write(t, whole, text+"7,8\n", 0)
	want, err := drawsfile.Read(context.Background(), []string{whole}, drawsfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 2)
	for _, k := range []uint64{600, 0, 599, 255, 256, 300} {
		err := f.Row(got, new(targets.Told), 0, k)
		if err != nil || got[0] != want.Chains[0][2*k] || got[1] != want.Chains[0][2*k+1] {
			t.Errorf("row %d is %v (%v), read whole it is %v", k, got, err, want.Chains[0][2*k:2*k+2])
		}
	}
	if s := strings.Join(w.Remarks(), "\n"); !strings.Contains(s, "left out: 1") {
		t.Errorf("the row with NaN is not told of: %q", s)
	}
	write(t, filepath.Join(dir, "c-2.csv"), "a,b\n"+lines(2, 700), 0)
	<-changed
	if f, err = w.Feed(); err != nil || f.Chains() != 2 {
		t.Fatalf("%v, %d chains, want the pattern's two", err, f.Chains())
	}
	write(t, path, "a,b\n"+lines(3, 400), os.O_TRUNC)
	eventually(t, "the file anew", func() bool {
		if f, err = w.Feed(); err != nil {
			t.Fatal(err)
		}
		return f.Chains() == 2 && f.Rows() == 400
	})
	eventually(t, "the end", f.Ended)
}

// A feed does not end while other chains are to take its place, nor once they have: a session of one chain of two would
// be over before it takes both.
func TestFeedThatAnotherFollows(t *testing.T) {
	first, second := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "b.csv")
	write(t, first, "x,y\n"+lines(1, 100), 0)
	changed := make(chan struct{}, 100)
	w, err := Open(t.Context(), Options{Watched: state.Watched{Patterns: []string{first, second}},
		Idle: time.Nanosecond, Tell: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := w.First(func() { changed <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the first ends", func() bool { return one.Ended() })
	write(t, second, "x,y\n"+lines(2, 100), 0)
	<-changed
	eventually(t, "both are read", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.chains()) == 2 && w.tracks[1].ended
	})
	if w.settle(); one.Ended() {
		t.Error("a feed ended where another is to come")
	}
	both, err := w.Feed()
	if err != nil || both.Chains() != 2 {
		t.Fatal(err)
	}
	if w.settle(); one.Ended() || !both.Ended() {
		t.Errorf("one of one chain ended: %v, of both: %v", one.Ended(), both.Ended())
	}
}

// Names that do not fit, a line without values and what is no regular file are one line that names the file.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	for i, c := range []struct {
		text, want string
		names      []string
	}{
		{"a,b\n1,2\n", "want one for each of x", []string{"x"}},
		{"a,b\n1\n", ":2: the line has 1 value", nil},
		{"a,b\n1,z\n", "want a finite number", nil},
		{"", "not a regular file", nil},
	} {
		path := filepath.Join(dir, fmt.Sprint(i))
		if write(t, path, c.text, 0); c.text == "" {
			path = os.DevNull
		}
		w, err := Open(t.Context(), Options{Watched: state.Watched{Patterns: []string{path}}, Names: c.names,
			Idle: 100 * time.Millisecond, Tell: func(string) {}})
		if err == nil {
			_, err = w.First(func() {})
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want a line with %q", c.text, err, c.want)
		}
	}
}

// A pattern that no file fits yet is told to be waited for, as a file is.
func TestPatternWithoutAFile(t *testing.T) {
	told := make(chan string, 1)
	_, err := Open(t.Context(), Options{Watched: state.Watched{Patterns: []string{filepath.Join(t.TempDir(), "c-*.csv")}},
		Idle: time.Hour, Tell: func(line string) { told <- line }})
	if err != nil {
		t.Fatal(err)
	}
	if line := <-told; !strings.HasSuffix(line, "c-*.csv yet, and one is waited for") {
		t.Errorf("it says %q", line)
	}
}
