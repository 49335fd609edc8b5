package dialog

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/tui/control"
)

// A command is shown whole, with nothing hidden in it, is started by Y alone, and starts nothing that terminals obey.
func TestCommandIsAskedFor(t *testing.T) {
	for _, command := range []string{"python3 model.py", "sh -c '" + strings.Repeat("x   y; ", 60) + "'",
		"echo \x1b[2J\u202e", "true # \ntrue", strings.Repeat("☁\ufe0f", 50) + "; true"} {
		for _, size := range [][2]int{{40, 20}, {80, 24}, {120, 36}} {
			d := desk()
			d.Screen.Width, d.Screen.Height, d.Outside.Commands = size[0], size[1], new(child.Commands)
			did := ""
			do := func(what string) func() tea.Cmd { return func() tea.Cmd { did = what; return nil } }
			err := fmt.Errorf("r.json: %w", &targets.Forbidden{Command: command})
			if _, asks := Permit(d, err, do("again"), do("refused")); !asks || d.Keys.Layer == nil {
				t.Fatal("it does not ask")
			}
			shown := draw(d, d.Keys.Layer).RenderPlain()
			var got strings.Builder
			for line := range strings.Lines(shown) {
				if in := strings.Split(line, "│"); len(in) == 3 {
					got.WriteString(strings.TrimSpace(in[1]))
				}
			}
			want := strings.ReplaceAll(Visible(command), " ", "")
			whole := strings.Contains(strings.ReplaceAll(got.String(), " ", ""), want)
			if strings.Contains(shown, "\x1b[2J") {
				t.Errorf("the command reaches the terminal: %q", shown)
			}
			if yes := control.ByKey(d.Keys.Layer.Bindings(), "Y"); (yes != nil) != whole {
				t.Errorf("%v: shown whole %v, can be started %v:\n%s", size, whole, yes != nil, shown)
			}
			layer := d.Keys.Layer
			press(layer, "n")
			if did != "refused" || d.Outside.Commands.Allows(command) || d.Keys.Layer != nil {
				t.Errorf("n does %q", did)
			}
			if !whole {
				continue
			}
			d.Keys.Layer = layer
			press(layer, "Y")
			allows := d.Outside.Commands.Allows
			if did != "again" || !allows(command) || allows(command+" ") || d.Keys.Layer != nil {
				t.Errorf("Y does %q", did)
			}
		}
	}
	d := desk()
	if _, asks := Permit(d, errors.New("no such file"), nil, nil); asks {
		t.Error("it asks about another error")
	}
	if _, asks := Permit(d, &targets.Forbidden{Command: "true"}, nil, nil); asks {
		t.Error("it asks where no commands may be started")
	}
}
