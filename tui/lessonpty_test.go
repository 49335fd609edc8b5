//go:build unix

package tui

import "testing"

// A lesson on a terminal, from its question to its end.
func TestLessonOnATerminal(t *testing.T) {
	t.Parallel()
	x := startTerminal(t, "lesson:start-at-the-mode", 120, 36)
	x.see("The start at the mode: an innocent start", "scene 1 of 3", "How large is G in the first step?", "paused", "1-3 answer")
	x.press("space")
	x.see("the session stands until you have answered: 1-3")
	x.press("3")
	x.see("you said: 100,000", "G = 1/λ = 100,000", "n next")
	x.press("n")
	x.see("scene 2 of 3", "is that start forgotten?")
	x.press("1")
	x.see("it is: No: the covariance error is still above 20", "The covariance error is")
	x.resize(60, 20)
	x.see("scene 2 of 3", "it is:")
	x.press("e")
	x.miss("scene 2 of 3")
	x.see("e the lesson's card", "● pSGLD")
	x.resize(120, 36)
	x.press("n")
	x.see("scene 3 of 3", "burn-in")
	x.press("enter", "2", "0", "0", "0", "enter")
	x.see("burn-in 2,000")
	x.press("R")
	x.see("well done", "You foresaw 1 of 2", "n next lesson")
	x.press("n")
	x.see("ESS cannot see bias: two chains", "scene 1 of 3")
	x.press("esc")
	x.see("esc again leaves the lesson")
	x.press("esc")
	x.see("left lesson ess-cannot-see-bias")
	x.miss("scene 1 of 3")
	x.press("q")
	x.ends(0, "ended: <nil>")
}
