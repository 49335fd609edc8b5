package study

import (
	"context"
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// stuckSink tells when it is entered, and stays until it is free.
type stuckSink struct{ entered, free chan struct{} }

// Draw implements engine.Sink.
func (s stuckSink) Draw(engine.Drawn, []float64) error {
	select {
	case s.entered <- struct{}{}:
	case <-s.free:
	}
	<-s.free
	return nil
}

// A session whose step is under way is given up when the run is ended.
func TestALongStepIsGivenUp(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	sink := stuckSink{make(chan struct{}), make(chan struct{})}
	defer close(sink.free)
	r := gaussianSweep(t, 1).Runner(All)
	r.Sink = func(Job) engine.Sink { return sink }
	go func() {
		<-sink.entered
		stop()
	}()
	if all, err := r.Run(ctx); len(all) > 0 || err != nil {
		t.Errorf("%d outcomes, %v", len(all), err)
	}
}
