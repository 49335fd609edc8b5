//go:build !windows

package cli

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// What is written to a terminal is no wider than it, and breaks at words. Elsewhere lines are
// as long as they are.
func TestNarrowTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("many processes")
	}
	for args, want := range map[string]string{
		"--help": "    reproduce [--flags]         Reproduce the paper's tables and figures",
		"run --help": "    psgld-tui run --samplers 'psgld:alpha=0.9999;gamma=on,sgld:eps=0.1' \\\n      " +
			"--draws out",
		"sweep --help":        "    --grid",
		"class --help":        "    --students",
		"samplers psgld":      "  freeze     freeze   never      a whole number, 1 or    the step from which V",
		"data list --data /x": "synthetic   1,000 + 1,000                generated, two classes        built in",
		"run --steps 2000":    "\nlane  sampler  of which noise",
		"reproduce list": "  Covariance error and autocorrelation time on a 2D Gaussian (section 5.1,\n  " +
			"figure 1(a))",
	} {
		tty, read := terminal(t)
		p := program(t, t.TempDir(), strings.Fields(args)...)
		p.Stdout, p.Stderr = tty, nil
		if err := p.Run(); err != nil {
			t.Fatalf("%s: %v", args, err)
		}
		lines := strings.Split(ansi.Strip(strings.ReplaceAll(read(), "\r", "")), "\n")
		for i, line := range lines {
			if lines[i] = strings.TrimRight(line, " "); lipgloss.Width(lines[i]) > 80 {
				t.Errorf("%s is %d wide: %q", args, lipgloss.Width(lines[i]), line)
			}
		}
		if out := strings.Join(lines, "\n"); !strings.Contains(out, want) {
			t.Errorf("%s: no %q in\n%s", args, want, out)
		}
	}
}
