package dataset

import (
	"fmt"
	"io"
	"math"
	"sync/atomic"
)

// Reading counts how much of a data set was read or drawn. The zero value has counted
// nothing, and a nil one never does. Several goroutines may use it.
type Reading struct {
	done, total atomic.Int64 // images that are drawn, else bytes
	draws       atomic.Bool
	doing       atomic.Pointer[string] // what is done beside, empty for nothing
	// Heard is told what is done, nil where nobody asks.
	Heard func(what string)
}

// Told is the share that is done, from 0 to 1 or NaN where nobody knows yet, and how much of what that is.
func (p *Reading) Told() (done float64, label string) {
	n, of := p.done.Load(), p.total.Load()
	if what := p.doing.Load(); what != nil && *what != "" {
		return math.NaN(), *what
	}
	if of == 0 {
		return math.NaN(), ""
	}
	done = min(float64(n)/float64(of), 1)
	if p.draws.Load() {
		return done, fmt.Sprintf("%d of %d images drawn", n, of)
	}
	const mb = 1e6
	return done, fmt.Sprintf("%.1f of %.1f MB read", float64(n)/mb, float64(of)/mb)
}

// Say says what is done that takes long and cannot be counted, empty for nothing any more.
func (p *Reading) Say(what string) {
	if p == nil {
		return
	}
	if p.doing.Store(&what); p.Heard != nil && what != "" {
		p.Heard(what)
	}
}

// drawing says that so many images are to be drawn.
func (p *Reading) drawing(images int) {
	if p != nil {
		p.draws.Store(true)
		p.total.Store(int64(images))
	}
}

// drew counts drawn images.
func (p *Reading) drew(images int) {
	if p != nil {
		p.done.Add(int64(images))
	}
}

// of is r, a file of so many bytes, whose bytes are counted as they are read.
func (p *Reading) of(r io.Reader, size int64) io.Reader {
	if p == nil {
		return r
	}
	p.total.Add(size)
	return counter{r, func(n int64) { p.done.Add(n) }}
}
