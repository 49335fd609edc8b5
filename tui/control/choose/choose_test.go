package choose

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/theme"
)

// What is wrong with a formula stands beside it while it is typed, and the last ones that were
// sampled come first.
func TestFormulaList(t *testing.T) {
	d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: 100, Height: 40}}
	d.Settings.Formulas = []string{"-x^4"}
	c := &Choose{Desk: d, refused: map[string]string{}}
	control.Remember(&d.Settings.Formulas, "-x^2*b;b=2")
	c.pickFormula()
	list := d.Keys.Layer.(*dialog.Chooser)
	if all := list.Shown(); len(all) != 2+len(textbook) || all[0].Name != "-x^2*b;b=2" || all[1].Name != "-x^4" {
		t.Errorf("%d formulas, %+v", len(all), all[:2])
	}
	for _, ch := range list.Shown() {
		if ch.Why != "" || ch.Take == nil {
			t.Errorf("%s: %s", ch.Name, ch.Why)
		}
	}
	for text, why := range map[string]string{
		"-x^2":    "",
		"-x^2*q":  `column 6: "q" is neither a coordinate (x, y, t1 …), a constant (pi, e) nor a setting; add ;q=VALUE`,
		"-x^2 +*": `column 7: "*" stands there, want a number, a name or (`,
	} {
		if ch := list.Typed(text)[0]; ch.Why != why || (ch.Take == nil) != (why != "") {
			t.Errorf("%s: %q", text, ch.Why)
		}
	}
	for i := range 20 {
		control.Remember(&d.Settings.Formulas, fmt.Sprintf("-x^2*%d", i))
	}
	control.Remember(&d.Settings.Formulas, "-x^2*18")
	if all := d.Settings.Formulas; len(all) != 8 || all[0] != "-x^2*18" || all[1] != "-x^2*19" || all[2] != "-x^2*17" {
		t.Errorf("remembered %q", all)
	}
}

// Whoever looks for a regression on data of their own finds one to begin with, and no file is needed for it.
func TestDataTargetIsOffered(t *testing.T) {
	d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: 100, Height: 40}}
	d.Feed.Foreseen = new(engine.Snapshot)
	(&Choose{Desk: d, refused: map[string]string{}}).pickTarget()
	l := d.Keys.Layer.(*dialog.Chooser)
	for _, r := range "data" {
		l.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	ch := l.Shown()[0]
	if p, err := targets.Open(ch.Name, targets.Options{}); err != nil || p.Dim() != 3 || p.N() != 50 {
		t.Errorf("the first for “data” is %q: %v", ch.Name, err)
	}
}

// A command that is typed as a model may start. One that is pasted, or remembered from before, is
// not allowed by being chosen, and is shown with nothing hidden in it.
func TestModelList(t *testing.T) {
	for _, c := range []struct {
		paste, kept bool
		command     string
	}{{command: "python3 model.py"}, {paste: true, command: "python3 model.py"},
		{kept: true, command: "sh \x1b[8m -c x"}} {
		d := &control.Desk{Theme: theme.New(true, true, false), Screen: control.Screen{Width: 100, Height: 40}}
		d.Outside.Commands = &child.Commands{}
		s := &Choose{Desk: d, refused: map[string]string{}}
		d.Feed.Foreseen = new(engine.Snapshot)
		if c.kept {
			d.Settings.Models = []string{c.command}
		}
		s.pickModel()
		l := d.Keys.Layer.(*dialog.Chooser)
		if all := l.Shown(); !c.kept && (len(all) != len(models) || all[0].Take != nil) {
			t.Errorf("before there is a model it offers %+v", all)
		}
		switch {
		case c.paste:
			l.Update(tea.PasteMsg{Content: c.command})
		case !c.kept:
			for _, r := range c.command {
				l.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
		ch := l.Shown()[0]
		if c.kept && ch.Name != `"sh \x1b[8m -c x"` {
			t.Errorf("it is shown as %s", ch.Name)
		}
		ch.Take()
		if got, want := d.Outside.Commands.Allows(c.command), !c.paste && !c.kept; got != want {
			t.Errorf("%+v: allowed %v, want %v", c, got, want)
		}
	}
	var s control.Settings
	control.Remember(&s.Models, "a")
	control.Remember(&s.Models, "b")
	control.Remember(&s.Models, "a")
	if got := s.Models; len(got) != 2 || got[0] != "a" {
		t.Errorf("remembered %q", got)
	}
}
