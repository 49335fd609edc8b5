package app

import (
	"io"
	"os"

	tea "charm.land/bubbletea/v2"
	xterm "github.com/charmbracelet/x/term"
)

// watched is a terminal that tells when it is gone. A raw one has no end of input
// but that: a terminal that is closed while it does not control the program sends
// no signal.
type watched struct {
	*os.File
	gone func()
}

// input is where keys come from: unless it is said, from standard input or, where that
// is no terminal, from the one that controls the process.
func (o Options) input() (io.Reader, error) {
	switch {
	case o.Input != nil:
		return o.Input, nil
	case xterm.IsTerminal(os.Stdin.Fd()):
		return os.Stdin, nil
	}
	in, _, err := tea.OpenTTY() // it stays open until the process ends
	return in, err
}

// watchInput has gone called when a terminal that is read from is closed. It may be
// called more than once.
func watchInput(in io.Reader, gone func()) io.Reader {
	if f, ok := in.(*os.File); ok {
		return watched{f, gone}
	}
	return in
}

// Read implements io.Reader.
func (w watched) Read(b []byte) (int, error) {
	n, err := w.File.Read(b)
	if n == 0 && err != nil {
		w.gone()
	}
	return n, err
}
