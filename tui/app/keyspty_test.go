//go:build unix

package app

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/ptytest"
)

// Whatever is typed into the program, the screen goes on to answer, and ctrl-c ends it.
func TestKeysAreAnsweredOnATerminal(t *testing.T) {
	innerlooptest.Skip(t, "terminals")
	n := events(120)
	for i, mode := range []string{"run", "lesson:reshuffled-batches", "lesson:start-at-the-mode"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			x := startTerminal(t, mode, 120, 36, childKeys+"=1")
			x.See("A ")
			rng := rand.New(rand.NewPCG(uint64(i), 3))
			var last []string
			answered := func(w int) {
				t.Helper()
				if !ptytest.Within(t, echoTime, func() {
					x.Resize(w, 36) // whatever is shown, all of it is drawn anew
					x.See()
				}) {
					t.Errorf("the screen does not answer within %v after %q", echoTime, last)
				}
			}
			for i := range n {
				last = nil
				for range 1 + rng.IntN(20) {
					last = append(last, randomKey(rng))
				}
				x.Press(strings.Join(last, ""))
				if i%10 == 5 { // a paste without brackets
					last = []string{"\x1b", ":", strings.Repeat("a long text ", 80), "\x1b"}
					x.Press(last...)
				}
				answered(100 + i%2)
			}
			if !ptytest.Within(t, quitTime, func() {
				x.Press("\x03\x03") // it may ask once
				x.Ended(0)
			}) {
				t.Errorf("the program does not end within %v", quitTime)
			}
		})
	}
}

// randomKey is what the terminal sends for a key, the mouse, or a command that is typed.
func randomKey(rng *rand.Rand) string {
	keys := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[1;2C", "\x1b[1;2D", "\r", "\x1b", "\t", " ", "\x7f",
		"\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~"}
	commands := []string{"eps 0.05", "speed full", "speed 100", "run 20", "back 10 0.9", "history 100",
		"history 999999999",
		"sampler hmc", "leapfrog 1000000", "add dsvi", "grid steps 200", "target banana", "target blr:synthetic",
		"chains 4", "seed 3"}
	switch k := rng.IntN(100); {
	case k < 30:
		return keys[rng.IntN(len(keys))]
	case k < 35:
		return "\x1b\x1b:" + commands[rng.IntN(len(commands))] + "\r"
	case k < 42:
		return fmt.Sprintf("\x1b[<%d;%d;%d%c", []int{0, 2, 32, 35, 64, 65}[rng.IntN(6)], 1+rng.IntN(100),
			1+rng.IntN(36), "Mm"[rng.IntN(2)])
	}
	for {
		if r := rune('!' + rng.IntN('~'-'!')); r != 'q' {
			return string(r)
		}
	}
}
