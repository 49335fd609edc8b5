package plane

import (
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
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

// A frame costs its string and nothing else, of dots as of octants.
func TestRenderAllocatesItsString(t *testing.T) {
	for _, octants := range []bool{false, true} {
		p := NewPlane(40, 10)
		p.Octants = octants
		for y := range 10 {
			p.Region().Text(0, y, "⠁⣿─█ a line with dots", Style{FG: theme.RGB(uint8(20*y), 0, 0)})
		}
		p.Render()
		if n := alloctest.PerRun(20, func() { p.Render() }); n != 1 {
			t.Errorf("octants %v: %v allocations", octants, n)
		}
	}
}
