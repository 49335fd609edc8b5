package frametest

import (
	"cmp"
	"fmt"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Obeyed says what of a text a terminal would not show in cells but obey, by a terminal
// emulator's parser: the first of it, empty if there is nothing. Styles may be in it.
func Obeyed(text string, styles bool) (what string) {
	tell := func(format string, args ...any) { what = cmp.Or(what, fmt.Sprintf(format, args...)) }
	p := ansi.NewParser()
	p.SetHandler(ansi.Handler{
		Print: func(r rune) {
			if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				tell("the character %U", r)
			}
		},
		Execute: func(b byte) { tell("the control character %#x", b) },
		HandleCsi: func(cmd ansi.Cmd, _ ansi.Params) {
			if !styles || cmd != 'm' {
				tell("the control sequence %q", rune(cmd.Final()))
			}
		},
		HandleEsc: func(cmd ansi.Cmd) { tell("the escape sequence %q", rune(cmd.Final())) },
		HandleDcs: func(ansi.Cmd, ansi.Params, []byte) { tell("a device control string") },
		HandleOsc: func(int, []byte) { tell("an operating system command") },
		HandlePm:  func([]byte) { tell("a privacy message") },
		HandleApc: func([]byte) { tell("an application command") },
		HandleSos: func([]byte) { tell("a string") },
	})
	for i := range len(text) {
		p.Advance(text[i])
	}
	if p.State() != 0 { // parser.GroundState
		tell("a sequence without its end")
	}
	return what
}
