//go:build unix

package app

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
)

// A lesson on a terminal, from its question to its end.
func TestLessonOnATerminal(t *testing.T) {
	innerlooptest.Live(t, "a terminal in real time")
	t.Parallel()
	x := startTerminal(t, "lesson:start-at-the-mode", 120, 36)
	x.See("The start at the mode: an innocent start", "scene 1 of 3", "How large is G in the first step?", "paused",
		"1-3 answer")
	x.Press("space")
	x.See("the session waits for your answer: 1-3")
	x.Press("3")
	x.See("as you predicted: 100,000", "G was 1/λ = 100,000", "n next")
	x.Press("3")
	x.See("nothing is asked here; 3 again shows view 3, learning")
	x.Press("n")
	x.See("scene 2 of 3", "is that start forgotten?")
	x.Press("1")
	x.See("the answer: No: it shows in every estimate", "“drifting” still stands", "(At step 2", "n next")
	x.Resize(60, 20)
	x.See("scene 2 of 3", "more lines above")
	x.Press("e", "e") // all of it, then a line
	x.Miss("more lines above")
	x.See("e the lesson's card", "● A pSGLD")
	x.Resize(120, 36)
	x.Press("n")
	x.See("scene 3 of 3", "burn-in")
	x.Press("enter", "5", "0", "0", "0", "enter")
	x.See("burn-in 5,000")
	x.Press(">")
	x.Type(":restart")
	x.See("well done", "You predicted 1 of 2", "n next lesson")
	x.Press("n")
	x.See("ESS cannot see bias: two chains", "scene 1 of 3")
	x.Press("esc")
	x.See("esc again leaves the lesson")
	x.Press("esc")
	x.See("left lesson ess-cannot-see-bias")
	x.Miss("scene 1 of 3")
	x.Press("q")
	x.Ends(0, "ended: <nil>")
}
