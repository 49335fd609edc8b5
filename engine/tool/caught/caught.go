// Package caught turns a panic on any goroutine into an error.
package caught

import (
	"fmt"
	"runtime/debug"
)

// Panic is the error that was a panic, so that a screen can be put right before it is told.
type Panic struct {
	Where string // "a lane"
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error is one line, without the stack.
func (p *Panic) Error() string { return fmt.Sprintf("%s panicked: %v", p.Where, p.Value) }

// In calls f and returns its panic, or nil. A value with the stack of another goroutine keeps that.
func In(where string, f func()) (p *Panic) {
	defer func() {
		if v := recover(); v != nil {
			p = &Panic{where, v, debug.Stack()}
			if v, ok := v.(interface{ Stack() []byte }); ok {
				p.Stack = v.Stack()
			}
		}
	}()
	f()
	return nil
}
