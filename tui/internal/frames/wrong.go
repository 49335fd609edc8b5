package frames

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Wrong says what is wrong with a screen whatever it shows, and is empty if nothing is:
// another number of lines than it has rows, one wider than it, a control character, or an open
// border. Borders are looked at in themes that tell them from curves by colour; over is
// what is drawn over some.
func Wrong(p *plane.Plane, th theme.Theme, over ...plane.Rect) string {
	w, h := p.Size()
	if h == 0 {
		return ""
	}
	lines := strings.Split(p.Render(), "\n")
	if len(lines) != h {
		return fmt.Sprintf("%d lines for %d rows", len(lines), h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			return fmt.Sprintf("row %d is %d wide, for %d columns: %q", i, n, w, l)
		}
		for k := range len(l) {
			if c := l[k]; c < ' ' && (c != '\x1b' || !strings.HasPrefix(l[k:], "\x1b[")) || c == 0x7f {
				return fmt.Sprintf("row %d holds the control character %q: %q", i, c, l)
			}
		}
	}
	if th.ASCII || th.NoColor {
		return ""
	}
	return Open(record.Of(p), th, over...)
}
