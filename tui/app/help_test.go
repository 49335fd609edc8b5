package app

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// A slash in the help searches it; esc shows all again, and leaves it.
func TestHelpIsSearched(t *testing.T) {
	m, _ := rest(t, "gaussian")
	typed(m, "? / s a v e")
	got := m.text()
	for _, want := range []string{"keys / save", "save the session", "General", ":save picture",
		"enter keeps what is found"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "undo, redo") {
		t.Errorf("too much is found:\n%s", got)
	}
	typed(m, "x x")
	if got = m.text(); !strings.Contains(got, "nothing matches") {
		t.Errorf("found\n%s", got)
	}
	typed(m, "backspace backspace enter down")
	if m.Keys.Layer == nil || !strings.Contains(m.text(), "keys / save") {
		t.Error("enter does not keep what is found")
	}
	typed(m, "/ esc")
	if got = m.text(); !strings.Contains(got, "pause or go on") {
		t.Errorf("not all again:\n%s", got)
	}
	if typed(m, "esc"); m.Keys.Layer != nil {
		t.Error("esc does not leave the help")
	}
}

// What the help says is typed after a colon is a command.
func TestPhrasesAreCommands(t *testing.T) {
	m, _ := rest(t, "blr:synthetic")
	names := map[string]bool{}
	for _, b := range m.Keys.Bindings {
		names[b.Name] = b.With != nil
	}
	n := 0
	for _, l := range control.Lines(m.Keys.Bindings) {
		if l.Group != control.ByCommand {
			continue
		}
		n++
		if name, _, _ := strings.Cut(strings.TrimPrefix(l.Keys, ":"), " "); !names[name] {
			t.Errorf("%q is no command", l.Keys)
		}
	}
	if n == 0 {
		t.Error("no command is named")
	}
}

// Settings and files are found by what they are for.
func TestPaletteFindsByPurpose(t *testing.T) {
	for text, want := range map[string]string{"blind": "set palette tol", "save": "save session", "slow": "set fps",
		"ascii": "set ascii on", "png": "save picture"} {
		m, _ := rest(t, "gaussian")
		m.Update(press(":"))
		typeKeys(m, text)
		c := m.Keys.Layer.(*dialog.Chooser)
		found := false
		for _, ch := range c.Shown() {
			found = found || ch.Name == want
		}
		if !found {
			t.Errorf("%q finds %v", text, c.Shown())
		}
	}
}
