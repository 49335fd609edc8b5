package alloctest

import (
	"testing"
	"time"
)

var kept []byte

func TestPerRun(t *testing.T) {
	for n := range 3 {
		if got := PerRun(10, func() {
			for range n {
				kept = make([]byte, 100)
			}
		}); got != float64(n) {
			t.Errorf("%v allocations a run, want %d", got, n)
		}
	}
}

// What a goroutine allocates that a test before has left behind does not count.
func TestPerRunBesideAnother(t *testing.T) {
	begun, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for i := range 1000 {
			kept = make([]byte, 100)
			if i == 0 {
				close(begun)
			}
			if i%100 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
	}()
	<-begun
	if got := PerRun(2, func() { time.Sleep(time.Millisecond) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
	<-done
}
