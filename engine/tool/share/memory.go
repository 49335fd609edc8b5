// Package share is what the sessions of one process share: the memory of their keyframes, and the time of the machine.
package share

import (
	"sync"
	"sync/atomic"
)

// A Memory is divided among sessions in equal parts as they come and go. Any goroutine may use it.
type Memory struct {
	bytes int
	mu    sync.Mutex
	parts map[*Part]struct{}
}

// NewMemory returns a Memory of so many bytes that nobody has a part of.
func NewMemory(bytes int) *Memory { return &Memory{bytes: bytes, parts: map[*Part]struct{}{}} }

// A Part is what one session may use.
type Part struct {
	of      *Memory
	bytes   atomic.Int64
	changed func()
}

// Join returns a part of the memory. Whenever another joins or leaves, the part changes, and
// then changed is called, which must not call the Memory.
func (m *Memory) Join(changed func()) *Part {
	p := &Part{of: m, changed: changed}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.parts[p] = struct{}{}
	m.divide()
	return p
}

// Leave gives the part up, which has no bytes then. It may be called more than once.
func (p *Part) Leave() {
	m := p.of
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.parts, p)
	p.bytes.Store(0)
	m.divide()
}

// divide gives everyone the same.
func (m *Memory) divide() {
	for p := range m.parts {
		p.bytes.Store(int64(m.bytes / len(m.parts)))
		p.changed()
	}
}

// Bytes is how much the part is now.
func (p *Part) Bytes() int { return int(p.bytes.Load()) }
