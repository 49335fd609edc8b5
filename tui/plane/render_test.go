package plane

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/theme"
)

func TestSGRChangesOnlyWhatDiffers(t *testing.T) {
	a, b := theme.RGB(1, 22, 133), theme.RGB(9, 9, 9)
	for _, c := range []struct {
		from, to Style
		want     string
	}{
		{Style{FG: a}, Style{FG: a, BG: b}, "\x1b[48;2;9;9;9m"},
		{Style{FG: a, BG: b}, Style{BG: b}, "\x1b[39m"},
		{Style{FG: a, BG: b}, Style{FG: a}, "\x1b[49m"},
		{Style{Attr: theme.Bold | theme.Faint}, Style{Attr: theme.Bold}, "\x1b[0;1m"},
		{Style{}, Style{Attr: theme.Faint | theme.Italic | theme.Underline | theme.Reverse}, "\x1b[2;3;4;7m"},
		{Style{Attr: theme.Bold}, Style{}, "\x1b[m"},
	} {
		if got := string(AppendSGR(nil, c.from, c.to)); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
