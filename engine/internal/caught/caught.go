// Package caught turns a panic on any goroutine into an error.
package caught

import (
	"fmt"
	"runtime/debug"
)

// Panic is the error that was a panic, so that a screen can be put right before it
// is told.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("a lane panicked: %v\n%s", p.Value, p.Stack) }

// In calls f and returns its panic, or nil.
func In(f func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			p = &Panic{Value: v, Stack: debug.Stack()}
		}
	}()
	f()
	return nil
}
