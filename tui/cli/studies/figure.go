package studies

import (
	"fmt"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/report"
	"github.com/psgld/psgld-tui/tui/theme"
)

// figureWidth is how wide figures are drawn where there is no terminal.
const figureWidth = 100

// drawFigure draws a figure: in colour on a terminal that has any, in plain text
// elsewhere.
func (e *Env) drawFigure(f figure.Figure) {
	th, profile := e.figureTheme()
	if !console.IsTerminal(e.Out.W) {
		fmt.Fprintln(e.Out.Raw(), report.Figure(f, figureWidth, th))
		return
	}
	w := colorprofile.Writer{Forward: e.Out.Raw(), Profile: profile} // fewer colours where the terminal has fewer
	width, _ := console.TerminalSize(e.Out.W)
	// e.out remembers its error.
	_, _ = w.WriteString(strings.TrimRight(report.Figure(f, width, th), "\n") + "\n\n")
}

// figureTheme is how figures look on standard output, and the colours that it has.
func (e *Env) figureTheme() (theme.Theme, colorprofile.Profile) {
	ascii := e.Out.ASCII() || os.Getenv("TERM") == "dumb"
	if !console.IsTerminal(e.Out.W) {
		return theme.New(true, true, ascii), colorprofile.NoTTY
	}
	profile := colorprofile.Detect(e.Out.W, os.Environ())
	return theme.New(e.darkTerminal(), profile <= colorprofile.ASCII, ascii), profile
}

// darkTerminal asks the terminal for its background, which is dark if it does not
// answer.
func (e *Env) darkTerminal() bool {
	in, ok1 := e.In.(*os.File)
	out, ok2 := e.Out.W.(*os.File)
	if !ok1 || !ok2 || !console.IsTerminal(in) {
		return true
	}
	return lipgloss.HasDarkBackground(in, out)
}
