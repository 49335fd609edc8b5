package control

import (
	"context"
	"io"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
)

// Outside is what the program around the screen does for it. What is nil cannot be done.
type Outside struct {
	// Closed is why nothing outside of the screen can be reached: no file, no command, no
	// other program; empty where that can. The other fields but OfFiles and CommandLine are then nil.
	Closed string
	// OfFiles names what takes a file on the command line. A closed screen says of those names why it is closed.
	OfFiles []string
	// CommandLine writes the command that makes the session that a snapshot shows. Where one line cannot say what was
	// turned in it, the line has the present values from the start on, and the error says why.
	CommandLine func(*engine.Snapshot) (string, error)
	// Write saves the session and its draws into a folder, "" for the usual one, and says
	// what it has written. It is called outside the screen's goroutine.
	Write func(dir string) (Written, error)
	// Recorded says that the session is written at its end, so that quitting need not ask.
	Recorded bool
	// Open reads a recording, or the one in a folder that Write has made. It is called
	// outside the screen's goroutine, and tells how far it is.
	Open func(path string, at *Loading) (state.Load, error)
	// Truth finds the truth that a Config asks for on its target, and what is to be said of it. It is called outside the
	// screen's goroutine, tells how far it is, and ends with ctx.
	Truth func(ctx context.Context, c state.Config, p *targets.Problem,
		at *Loading) (ref *targets.Reference, notes []string, err error)
	// Replay plays what Open reads beside the session, or draws of its target in a file, on one thread and for a bounded
	// time, and returns its end.
	Replay func(ctx context.Context, path string, of *targets.Problem, at *Loading) (*engine.Snapshot, error)
	// Sessions lists what there is to open where Write writes, the newest first.
	Sessions func() []Saved
	// Files are where pictures, casts and tables go.
	Files Files
	// Commands are those that targets may start, and those that somebody at the screen has allowed.
	Commands *child.Commands
	// Cast is the file to which the screen is recorded from the start; empty for none.
	Cast string
}

// TargetOptions is how targets are opened from the screen, with the data of a folder.
func (o *Outside) TargetOptions(dataDir string) targets.Options {
	return targets.Options{DataDir: dataDir, Commands: o.Commands, Closed: o.Closed}
}

// Written is what was written of a session.
type Written struct {
	Where string
	// Draws is how many draws of each chain were written, of so many. Rest is the command
	// that writes the others; empty if there are none.
	Draws, Of uint64
	Rest      string
}

// Saved is a session on the disk, for the list of those that can be opened.
type Saved struct {
	Path  string // for Outside.Open
	About string // its target, samplers and length
	When  time.Time
}

// Files are where the screen's pictures, casts and tables go. A name may lack its
// extension; an empty one is chosen by the date.
type Files interface {
	// Whole writes a file that appears whole or not at all, and returns its name.
	Whole(name, ext string, write func(io.Writer) error) (string, error)
	// Stream begins a file that is written line by line, and returns its name.
	Stream(name, ext string) (io.WriteCloser, string, error)
}
