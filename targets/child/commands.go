package child

import (
	"cmp"
	"io"
	"sync"
	"time"
)

// DefaultLimit is how long a child may take for its start, and for each answer.
const DefaultLimit = 10 * time.Second

// DefaultCompile is how long the compiler of a model may take.
const DefaultCompile = 10 * time.Minute

// Commands says which commands may be started, and how. A nil one allows none.
type Commands struct {
	Limit time.Duration // 0 for DefaultLimit
	// Compile is how long a program may be compiled, 0 for DefaultCompile, and Kept the folder of those that were.
	Compile time.Duration
	Kept    string
	Any     bool // all commands are allowed
	// Log opens what takes the children's standard errors, when the first one starts; nil for none.
	Log func() io.Writer

	mu      sync.Mutex
	allowed map[string]bool
	open    sync.Once
	log     io.Writer
}

// Allow allows a command: somebody has typed it, or has said yes to it.
func (c *Commands) Allow(command string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.allowed == nil {
		c.allowed = map[string]bool{}
	}
	c.allowed[command] = true
}

// Allows reports whether a command may be started.
func (c *Commands) Allows(command string) bool {
	if c == nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Any || c.allowed[command]
}

// Start starts a command, which must be allowed, as the function Start does.
func (c *Commands) Start(command Command, same *Hello) *Process {
	return Start(command, c.Patience(), c.logged(), same)
}

// Patience is the limit in force.
func (c *Commands) Patience() time.Duration { return cmp.Or(c.Limit, DefaultLimit) }

// logged is the log, which several children write to at a time.
func (c *Commands) logged() io.Writer {
	c.open.Do(func() {
		if c.Log == nil {
			return
		}
		if w := c.Log(); w != nil {
			c.log = &locked{to: w}
		}
	})
	return c.log
}

// locked is a writer for several goroutines.
type locked struct {
	mu sync.Mutex
	to io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}
