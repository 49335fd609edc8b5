package app

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Dots are octants where the terminal says a version that draws them, and the user has said
// nothing else.
func TestOctantsOfTheTerminal(t *testing.T) {
	for version, want := range map[string]bool{
		"kitty(0.40.1)":        true,
		"kitty(0.39.1)":        false,
		"kitty(1.0)":           true,
		"foot(1.20.0)":         true,
		"foot(1.19.0-12-gabc)": false,
		"ghostty 1.2.0":        true,
		"ghostty 1.1.3":        false,
		"VTE(7800)":            true,
		"VTE(7600)":            false,
		"tmux 3.6":             false,
		"XTerm(398)":           false,
		"":                     false,
	} {
		m, _ := rest(t, "gaussian")
		if m.Update(tea.TerminalVersionMsg{Name: version}); m.Screen.Plane.Octants != want {
			t.Errorf("%q draws octants: %v", version, m.Screen.Plane.Octants)
		}
		m.command(t, "set octants off")
		if m.Update(tea.TerminalVersionMsg{Name: version}); m.Screen.Plane.Octants {
			t.Errorf("%q: they are off", version)
		}
	}
	for _, env := range []struct {
		vars []string
		asks bool
	}{
		{[]string{"TERM=xterm-kitty"}, true}, {[]string{"TERM=foot"}, true},
		{[]string{"TERM=xterm-256color", "VTE_VERSION=7802"}, true},
		{[]string{"TERM=xterm-256color", "TERM_PROGRAM=ghostty"}, true}, {[]string{"TERM=xterm-256color"}, false},
		{[]string{"TERM=tmux-256color", "VTE_VERSION=7802", "TMUX=x"}, false},
	} {
		if got := (Options{Environ: env.vars}).asksVersion(); got != env.asks {
			t.Errorf("%v asks: %v", env.vars, got)
		}
	}
}

// The program ends when the terminal has answered, or after a while.
func TestLastWord(t *testing.T) {
	var a awaited
	if _, quits := a.filter(tea.QuitMsg{}, nil).(tea.QuitMsg); !quits {
		t.Error("without a question the program does not end at once")
	}
	a.ask(tea.RequestTerminalVersion)
	ended := make(chan struct{})
	if msg := a.filter(tea.QuitMsg{}, func() { close(ended) }); msg != nil {
		t.Errorf("the program ends by %T while an answer is awaited", msg)
	}
	<-ended
	if _, quits := a.filter(tea.QuitMsg{}, nil).(tea.QuitMsg); !quits {
		t.Error("the program does not end after a while")
	}
	if _, quits := a.filter(tea.TerminalVersionMsg{}, nil).(tea.QuitMsg); !quits {
		t.Error("the program does not end with the last answer")
	}
}
