package cli

import (
	"errors"
	"io"
	"sync"
	"time"
)

// beside keeps the program from ending in the middle of what is written beside the
// screen: that comes to its end, and nothing new begins. The zero value is ready.
type beside struct{ mu sync.RWMutex }

// endTimeout is how long the program's end waits for a file that does not get
// written, such as a pipe that nobody reads.
const endTimeout = 10 * time.Second

// errEnding is the error of what comes too late.
var errEnding = errors.New("the program is ending")

// do writes something.
func (b *beside) do(write func() (string, error)) (string, error) {
	if !b.mu.TryRLock() {
		return "", errEnding
	}
	defer b.mu.RUnlock()
	return write()
}

// end waits until all is written.
func (b *beside) end() {
	done := make(chan struct{})
	go func() {
		b.mu.Lock() // for good
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(endTimeout):
	}
}

// filesBeside are files written beside the screen.
type filesBeside struct{ *beside }

// Whole writes a file that appears whole or not at all.
func (f filesBeside) Whole(name, ext string, write func(io.Writer) error) (string, error) {
	return f.do(func() (string, error) { return files{}.Whole(name, ext, write) })
}

// Stream begins a file that is written line by line. The screen itself ends it.
func (f filesBeside) Stream(name, ext string) (io.WriteCloser, string, error) {
	return files{}.Stream(name, ext)
}
