package ptytest

import (
	"bytes"
	"io"
	"testing"
	"time"
)

// What is done at once is in time, and what stands still is not, however busy the machine is.
func TestWithin(t *testing.T) {
	if !Within(t, time.Hour, func() {}) {
		t.Error("nothing takes longer than an hour")
	}
	if !Outlasts(t, 100*time.Millisecond, nil) {
		t.Error("what never ends is over")
	}
}

// BenchmarkWork is what a program that echoes works before an answer: see work.
func BenchmarkWork(b *testing.B) {
	for b.Loop() {
		echo(bytes.NewReader([]byte{0}), io.Discard)
	}
}
