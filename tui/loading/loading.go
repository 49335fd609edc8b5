// Package loading says how far something is that is being opened.
package loading

import (
	"context"
	"math"
	"sync/atomic"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// A Loading is something that is opened beside the screen. Who opens it says how far it is from a goroutine of its own.
type Loading struct {
	What string
	Does string // what is done to it, if that is not to open it
	Stop func() // ends it; nil where nothing does
	// Heard is told what is done that takes long, nil where nobody reads it.
	Heard func(what string)
	quit  atomic.Pointer[context.CancelFunc]
	told  atomic.Pointer[func() (done float64, label string)]
}

// Tell has look say how much is done, from 0 to 1 or NaN where nobody knows, and of what.
func (l *Loading) Tell(look func() (done float64, label string)) { l.told.Store(&look) }

// Told is what the newest Tell has look say.
func (l *Loading) Told() (done float64, label string) {
	if look := l.told.Load(); look != nil {
		return (*look)()
	}
	return math.NaN(), ""
}

// Target opens the target of a session and counts what is read of its data.
func (l *Loading) Target(c state.Config, o targets.Options) (*targets.Problem, error) {
	o.Reading = &dataset.Reading{Heard: l.Heard}
	l.Tell(o.Reading.Told)
	var quit context.CancelFunc
	if o.Context == nil {
		o.Context = context.Background()
	}
	o.Context, quit = context.WithCancel(o.Context)
	defer quit()
	l.quit.Store(&quit)
	return c.OpenWith(o)
}

// Quit ends it, if anything can: nobody waits for it any more.
func (l *Loading) Quit() {
	if l.Stop != nil {
		l.Stop()
	}
	if quit := l.quit.Load(); quit != nil {
		(*quit)()
	}
}
