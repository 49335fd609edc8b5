package app

import (
	"strings"
	"testing"
)

// A key explains the words that the focused pane shows, or without one those of the
// screen with its parameters; it closes them too.
func TestWordsOfAPane(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	m.does("more parameters")
	m.does("words")
	got := m.text()
	for _, want := range []string{"words of the screen", "autocorrelation", "½ + Σρ", "half the 1 + 2Σρ",
		"knows nothing of bias"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	var all strings.Builder // as far as it scrolls
	for range 60 {
		all.WriteString(m.text())
		typed(m, "down")
	}
	typed(m, "home")
	for _, q := range m.Focus.List(m.Feed.Foreseen) {
		if !strings.Contains(all.String(), "│ "+q.Symbol+" ") {
			t.Errorf("the parameter %s is not explained", q.Symbol)
		}
	}
	for word, want := range map[string]int{"together": 1, "≠": 0, "I": 0} {
		if n := strings.Count(got, "│ "+word+" "); n != want {
			t.Errorf("%q is listed %d times in\n%s", word, n, got)
		}
	}
	if m.Update(press("esc")); m.Keys.Layer != nil {
		t.Error("esc does not close it")
	}
	lanesAt(m, "eps", 0.3, 0.1)
	if m.does("words"); !strings.Contains(m.text(), "│ ≠ ") {
		t.Errorf("≠ is not explained in\n%s", m.text())
	}
	m.Update(press("esc"))
	m.command(t, "set ascii on")
	if m.does("words"); !strings.Contains(m.text(), "| ! ") {
		t.Errorf("! is not explained in\n%s", m.text())
	}
	m.Update(press("esc"))
	m.command(t, "set ascii off")
	for _, p := range m.Screen.Panes.All() {
		if strings.HasPrefix(p.Name, "autocorrelation") {
			m.FocusPane(p)
		}
	}
	m.does("words")
	got = m.text()
	if !strings.Contains(got, "words of the pane") || strings.Contains(got, "ESS  ") {
		t.Errorf("of the autocorrelation:\n%s", got)
	}
}
