package app

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/program"
	"github.com/psgld/psgld-tui/tui/control"
)

// :code shows the focused lane's method with its present settings, in the language that is asked
// for and then in the next; it scrolls and is copied as it is.
func TestCode(t *testing.T) {
	m := sampled(t, "gaussian", 120, 36)
	lanesAt(m, "eps", 0.3, 0.123)
	m.command(t, "code r")
	if got := m.text(); !strings.Contains(got, ".R, in r ") || !strings.Contains(got, "set.seed(1)") ||
		!strings.Contains(got, "scroll") {
		t.Errorf("the program in R:\n%s", got)
	}
	m.Update(press("end"))
	if got := m.text(); !strings.Contains(got, "write.csv(") || strings.Contains(got, "set.seed(1)") {
		t.Errorf("its end:\n%s", got)
	}
	m.Update(press("tab")) // from the last language to the first
	if got := m.text(); !strings.Contains(got, ".py, in numpy ") || !strings.Contains(got, "default_rng(1)") {
		t.Errorf("the next language:\n%s", got)
	}
	want, err := program.Of(m.Feed.Foreseen.Config, m.Lane().Setting, m.Feed.Foreseen.Problem, "numpy",
		"psgld-tui check draws.csv --target gaussian --method psgld --eps 0.3")
	if err != nil {
		t.Fatal(err)
	}
	copied := control.ByKey(m.Keys.Layer.Bindings(), "y").Do()().(tea.BatchMsg)[0]()
	if got := reflect.ValueOf(copied).String(); got != want.Text {
		t.Errorf("y copies %q, want %q", got, want.Text)
	}
	m.Update(press("y"))
	n := m.Notices.Text(m.Feed.Foreseen)
	if !strings.HasPrefix(n.Text, "copied") || !strings.Contains(n.Text, want.Runs) {
		t.Errorf("it says %q", n.Text)
	}
	if m.Update(press("esc")); m.Keys.Layer != nil {
		t.Error("esc does not close it")
	}
}

// A program that is wider than the screen goes aside, and back.
func TestWideCode(t *testing.T) {
	m := sampled(t, "gaussian", 60, 20)
	m.command(t, "code numpy")
	if got := m.text(); !strings.Contains(got, "# V = α V") {
		t.Fatalf("the program:\n%s", got)
	}
	m.Update(press("right"))
	if got := m.text(); strings.Contains(got, "# V = α V") || !strings.Contains(got, "│ V + (1-α) ḡ²") {
		t.Errorf("aside:\n%s", got)
	}
	if m.Update(press("home")); !strings.Contains(m.text(), "# V = α V") {
		t.Errorf("back:\n%s", m.text())
	}
}

// Where there is no program the screen says so and nothing opens.
func TestNoCode(t *testing.T) {
	m := sampled(t, "blr:synthetic", 120, 36)
	m.command(t, "code numpy")
	n := m.Notices.Text(m.Feed.Foreseen)
	if m.Keys.Layer != nil || !n.Bad || !strings.Contains(n.Text, "there is no program of the target blr:synthetic") {
		t.Errorf("%+v, open: %v", n, m.Keys.Layer)
	}
}

// A text that no line holds is not pasted, and the screen says so.
func TestLongPaste(t *testing.T) {
	m := sampled(t, "gaussian", 80, 24)
	m.Update(press("t"))
	m.Update(tea.PasteMsg{Content: strings.Repeat("x+", 500_000)})
	m.says(t, "the pasted text has 1,000,000 characters; want at most 4,096")
}
