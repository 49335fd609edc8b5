//go:build unix

package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// gated is a program whose session is being opened until open is called.
func gated(t *testing.T, mode string, w, h int) (x opener) {
	t.Helper()
	gate := filepath.Join(t.TempDir(), "gate")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return opener{startTerminal(t, mode, w, h, childGate+"="+gate), gate}
}

// Until there is a session the screen says how far it is, and has the keys that help and quit.
func TestOpening(t *testing.T) {
	t.Parallel()
	x := gated(t, "run", 80, 24)
	x.See("psgld-tui", "╭ opening the test", "███", "░░░", "1.0 of 4.0 MB read", "? help", "q quit")
	x.Press("right", "t", "?")
	x.See("╭ keys", "choose the target")
	x.Resize(100, 30)
	x.Press("esc")
	x.Miss("╭ keys")
	x.See("╭ opening the test")
	x.open(t)
	x.See("A pSGLD", "B SGLD", "running", "ε 0.300")
	x.Miss("opening")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

// A small screen shows what it can, and q ends the program while the session is opened.
func TestQuitWhileOpening(t *testing.T) {
	t.Parallel()
	x := gated(t, "run", 20, 4)
	x.See("opening the")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}

// What goes wrong while the session is opened is said when the terminal is as it was.
func TestOpeningFails(t *testing.T) {
	t.Parallel()
	x := gated(t, "broken-data", 80, 24)
	x.See("opening the test")
	x.open(t)
	x.Ends(0, "ended: train-images: the file is cut off")
}

// An opener is a terminal whose program waits for a file to go.
type opener struct {
	*ptytest.Terminal
	gate string
}

func (x opener) open(t *testing.T) {
	if err := os.Remove(x.gate); err != nil {
		t.Fatal(err)
	}
}
