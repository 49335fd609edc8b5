package cli

import (
	"fmt"
	"os"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/tui/report"
	"github.com/psgld/psgld-tui/tui/theme"
)

// figureWidth is how wide figures are drawn where there is no terminal.
const figureWidth = 100

// drawFigure draws a figure: in colour on a terminal that has any, in plain text
// elsewhere.
func (e *env) drawFigure(f figure.Figure) {
	th, profile := e.figureTheme()
	if !isTerminal(e.out.w) {
		fmt.Fprintln(raw{e.out}, report.Figure(f, figureWidth, th))
		return
	}
	w := colorprofile.Writer{Forward: raw{e.out}, Profile: profile} // fewer colours where the terminal has fewer
	width, _ := terminalSize(e.out.w)
	// e.out remembers its error.
	_, _ = w.WriteString(strings.TrimRight(report.Figure(f, width, th), "\n") + "\n\n")
}

// figureTheme is how figures look on standard output, and the colours that it has.
func (e *env) figureTheme() (theme.Theme, colorprofile.Profile) {
	ascii := e.out.ascii || os.Getenv("TERM") == "dumb"
	if !isTerminal(e.out.w) {
		return theme.New(true, true, ascii), colorprofile.NoTTY
	}
	profile := colorprofile.Detect(e.out.w, os.Environ())
	return theme.New(e.darkTerminal(), profile <= colorprofile.ASCII, ascii), profile
}

// darkTerminal asks the terminal for its background, which is dark if it does not
// answer.
func (e *env) darkTerminal() bool {
	in, ok1 := e.in.(*os.File)
	out, ok2 := e.out.w.(*os.File)
	if !ok1 || !ok2 || !isTerminal(in) {
		return true
	}
	return lipgloss.HasDarkBackground(in, out)
}
