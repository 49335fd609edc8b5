//go:build unix

package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// settingsFile is the variable with the settings of the test binary's screen.
const settingsFile = "PSGLD_TUI_TEST_SETTINGS"

// startGraphics is startTerminal with graphics, of a terminal with a name.
func startGraphics(t *testing.T, mode, name string, env ...string) (*ptytest.Terminal, *ptytest.Kitty) {
	t.Helper()
	k := &ptytest.Kitty{Name: name}
	cmd := exec.Command(os.Args[0])
	cmd.Env = ptytest.Env(append([]string{childMode + "=" + mode, "TMUX=", "TERM_PROGRAM=ghostty"}, env...)...)
	return ptytest.Start(t, cmd, 120, 36, true, k), k
}

// seePieces waits until cells show images, each a part that its image has.
func seePieces(t *testing.T, x *ptytest.Terminal) {
	t.Helper()
	for end := time.Now().Add(ptytest.Patience); ; time.Sleep(20 * time.Millisecond) {
		n, wrong := x.Pieces()
		if n > 50 && wrong == "" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d cells show images: %s", n, wrong)
		}
	}
}

// On a terminal with Kitty's graphics the density is an image, from the first frame to the
// last and through what lies over it, and none is left behind.
func TestImagesOnATerminal(t *testing.T) {
	innerlooptest.Skip(t, "terminals")
	t.Parallel()
	for name, c := range map[string][2]string{"kitty": {"kitty(0.40.0)"},
		"tmux": {"tmux 3.4", "TMUX=/tmp/tmux-0/default,1,0"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, k := startGraphics(t, "shell", c[0], c[1])
			x.See("A pSGLD", "running")
			seePieces(t, x)
			x.Press("space")
			x.See("paused")
			x.Press("?")
			x.See("╭ keys")
			x.Press("esc")
			x.Miss("╭ keys")
			seePieces(t, x)
			x.Resize(100, 30)
			x.See("A pSGLD", "q quit")
			seePieces(t, x)
			x.Press("ctrl+z")
			x.See("[1]+ stopped")
			if all, _ := k.Images(); len(all) > 0 {
				t.Errorf("%d images are left to the shell", len(all))
			}
			x.Type("fg")
			x.See("A pSGLD", "q quit")
			seePieces(t, x)
			x.Type(":set graphics off")
			x.See("images and densities of characters")
			if n, _ := x.Pieces(); n > 0 {
				t.Errorf("%d cells show images", n)
			}
			x.Type(":set graphics auto")
			seePieces(t, x)
			x.Press("q")
			x.Ends(0, "ended: <nil>")
			if all, sent := k.Images(); len(all) > 0 {
				t.Errorf("%d of %d images are left", len(all), sent)
			}
		})
	}
}

// A terminal that does not answer, has no colours or is not known for images sees nothing of
// them, and none does with the setting.
func TestNoImagesOnATerminal(t *testing.T) {
	innerlooptest.Skip(t, "terminals")
	t.Parallel()
	settings := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(settings, []byte("graphics = \"off\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string][2]string{
		"no answer": {""}, "setting": {"kitty(0.40.0)", settingsFile + "=" + settings},
		"NO_COLOR": {"kitty(0.40.0)", "NO_COLOR=yes"},
		"dumb":     {"kitty(0.40.0)", "TERM=dumb"},
		"another":  {"kitty(0.40.0)", "TERM_PROGRAM=vscode"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, k := startGraphics(t, "run", c[0], c[1])
			x.See("A pSGLD", "running")
			x.Press("right")
			x.See("0.378")
			x.Press("q")
			x.Ends(0, "ended: <nil>")
			raw := x.Raw()
			_, sent := k.Images()
			if sent > 0 || strings.Contains(raw, "\x1b_G") || strings.ContainsRune(raw, '\U0010EEEE') {
				t.Errorf("%d images are sent", sent)
			}
		})
	}
}

// A program that ends before it has a session has not asked the terminal for its version.
func TestNothingAskedWithoutASession(t *testing.T) {
	t.Parallel()
	gate := filepath.Join(t.TempDir(), "gate")
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	x, _ := startGraphics(t, "broken-data", "kitty(0.40.0)", childGate+"="+gate)
	x.See("opening the test")
	opener{x, gate}.open(t)
	x.Ends(0, "ended: train-images: the file is cut off")
	if strings.Contains(x.Raw(), "\x1b[>q") || strings.Contains(x.Raw(), "\x1b[>0q") {
		t.Error("the terminal was asked for its version")
	}
}
