package app

import (
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
	"io"
	"testing"
	"time"
)

// What a Guest types is read on while the screen takes none of it, and loses nothing of that.
func TestReadAhead(t *testing.T) {
	from, to := io.Pipe()
	g := new(Guest)
	in := g.watch(from, func() {})
	ended := make(chan string)
	hold := make(chan struct{})
	go func() {
		b := make([]byte, 1)
		in.Read(b)
		<-hold
		rest, _ := io.ReadAll(io.LimitReader(in, readAhead))
		ended <- string(b) + string(rest)
	}()
	wrote := make(chan string)
	go func() {
		text := ""
		for i := range readAhead + 1 {
			key := string(rune('a' + i%26))
			io.WriteString(to, key) // until it is read
			text += key
		}
		wrote <- text
	}()
	select {
	case text := <-wrote:
		close(hold)
		if got := <-ended; got != text {
			t.Errorf("%q is read, want %q", got, text)
		}
	case <-time.After(ptytest.Patience):
		t.Fatal("nothing is read ahead")
	}
	to.Close()
}
