package record

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// lines are a grid's characters.
func lines(g *Grid) string {
	var b strings.Builder
	for y := range g.H {
		if y > 0 {
			b.WriteByte('\n')
		}
		for x := range g.W {
			b.WriteString(g.At(x, y).Text)
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		frame string
		w, h  int
		want  string
	}{
		{"", 2, 2, "  \n  "},
		{"ab\ncd", 2, 2, "ab\ncd"},
		{"ab\r\ncd", 3, 1, "ab "},
		{"abc\nd", 2, 3, "ab\nd \n  "},
		{"\x1b[1mε\x1b[m=\x1b[38;2;1;2;3m1", 4, 1, "ε=1 "},
		{"日本", 3, 1, "日 "},
		{"a日", 2, 1, "a "},
		{"\x1b[5;5Ha\x1b]0;title\x07b\tc", 4, 1, "abc "},
		{"e\u0301x", 3, 1, "e\u0301x "},
		{"a\xffb", 3, 1, "a\ufffdb"},
		{"abc", 0, 5, "\n\n\n\n"},
		{"abc", 5, -1, ""},
	} {
		g := Parse(c.frame, c.w, c.h)
		if got := lines(g); got != c.want {
			t.Errorf("%q in %d×%d is %q, want %q", c.frame, c.w, c.h, got, c.want)
		}
	}
}

func TestParseStyles(t *testing.T) {
	red, blue := theme.RGB(1, 2, 3), theme.RGB(4, 5, 6)
	for _, c := range []struct {
		sgr  string
		want theme.Style
	}{
		{"", theme.Style{}},
		{"1", theme.Style{Attr: theme.Bold}},
		{"1;2;3;4;7", theme.Style{Attr: theme.Bold | theme.Faint | theme.Italic | theme.Underline | theme.Reverse}},
		{"1;4;22", theme.Style{Attr: theme.Underline}},
		{"1;0;3", theme.Style{Attr: theme.Italic}},
		{"7;27;4;24;3;23", theme.Style{}},
		{"38;2;1;2;3", theme.Style{FG: red}},
		{"38;2;1;2;3;48;2;4;5;6;1", theme.Style{FG: red, BG: blue, Attr: theme.Bold}},
		{"38:2::1:2:3", theme.Style{FG: red}},
		{"38;2;1;2;3;39", theme.Style{}},
		{"48;2;1;2;3;49", theme.Style{}},
		{"31", theme.Style{FG: theme.RGB(128, 0, 0)}},
		{"91", theme.Style{FG: theme.RGB(255, 0, 0)}},
		{"44", theme.Style{BG: theme.RGB(0, 0, 128)}},
		{"103", theme.Style{BG: theme.RGB(255, 255, 0)}},
		{"38;5;16", theme.Style{FG: theme.RGB(0, 0, 0)}},
		{"48;5;231", theme.Style{BG: theme.RGB(255, 255, 255)}},
		{"4:3", theme.Style{Attr: theme.Underline}},
		{"4;4:0", theme.Style{}},
		{"58;2;1;2;3;1", theme.Style{Attr: theme.Bold}},
		{"38", theme.Style{}},
		{"5;9;53", theme.Style{}},
	} {
		if got := Parse("\x1b["+c.sgr+"mx", 1, 1).At(0, 0).Style; got != c.want {
			t.Errorf("SGR %s is %v, want %v", c.sgr, got, c.want)
		}
	}
	if got := Parse("\x1b[1mx\x1b[my", 2, 1).At(1, 0).Style; got != (theme.Style{}) {
		t.Errorf("after a reset: %v", got)
	}
}

// A plane's own frame comes back cell by cell.
func TestParseReadsWhatThePlaneWrites(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		w, h := 1+rng.IntN(40), 1+rng.IntN(12)
		g := noise(rng, w, h)
		p := plane.NewPlane(w, h)
		for y := range h {
			for x := range w {
				c := g.At(x, y)
				p.Region().Text(x, y, c.Text, c.Style)
			}
		}
		got := Parse(p.Render(), w, h)
		for i, c := range got.Cells {
			want := g.Cells[i]
			if c.Text != want.Text || c.Text != " " && c.Style != want.Style || c.Style.BG != want.Style.BG {
				t.Fatalf("cell %d of %d×%d is %+v, want %+v", i, w, h, c, want)
			}
		}
	}
}

// noise is a grid of random characters of one cell and styles.
func noise(rng *rand.Rand, w, h int) *Grid {
	g := newGrid(w, h)
	texts := []rune("aZ09 .~─│╭╯⣿⠁▀▂█●▲ελΓ₁→· ")
	for i := range g.Cells {
		c := Cell{Text: string(texts[rng.IntN(len(texts))])}
		if rng.IntN(3) > 0 {
			c.Style.Attr = theme.Attr(rng.IntN(32))
		}
		if rng.IntN(2) > 0 {
			c.Style.FG = theme.RGB(uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)))
		}
		if rng.IntN(4) == 0 {
			c.Style.BG = theme.RGB(uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)))
		}
		g.Cells[i] = c
	}
	return g
}

func TestCrop(t *testing.T) {
	g := Parse("abcd\nefgh\n日本x\nijkl", 5, 4)
	for _, c := range []struct {
		r    plane.Rect
		want string
	}{
		{plane.Rect{X: 1, Y: 0, W: 2, H: 2}, "bc\nfg"},
		{plane.Rect{X: -1, Y: -1, W: 3, H: 2}, "ab"},
		{plane.Rect{X: 3, Y: 1, W: 9, H: 1}, "h "},
		{plane.Rect{X: 1, Y: 2, W: 2, H: 1}, "  "}, // half of each
		{plane.Rect{X: 0, Y: 2, W: 4, H: 1}, "日本"},
		{plane.Rect{X: 9, Y: 9, W: 2, H: 2}, ""},
	} {
		if got := lines(g.Crop(c.r)); got != c.want {
			t.Errorf("%+v is %q, want %q", c.r, got, c.want)
		}
	}
	whole := g.Crop(plane.Rect{W: 5, H: 4})
	if !slices.Equal(whole.Cells, g.Cells) {
		t.Error("all of a grid is another grid")
	}
}

// The focused pane is found by its border, with its title, legend and foot, in
// every theme.
func TestPane(t *testing.T) {
	for _, th := range []theme.Theme{theme.New(true, false, false), theme.New(false, true, false), theme.New(true, true, true)} {
		p := plane.NewPlane(60, 20)
		p.ASCII = th.ASCII
		left, right := plane.Rect{W: 30, H: 20}, plane.Rect{X: 30, W: 30, H: 20}
		p.Sub(left).Box(th, plane.Box{Title: "another", Right: "text", Foot: "foot"})
		p.Sub(right).Box(th, plane.Box{Title: "a pane", Right: "right", Foot: "foot", Mark: th.Lane[0].Glyph, Focused: true})
		g := Parse(p.Render(), 60, 20)
		if r, ok := g.Pane(th.Focus); !ok || r != right {
			t.Errorf("NoColor %v, ASCII %v: the pane is %+v, want %+v", th.NoColor, th.ASCII, r, right)
		}
		if _, ok := g.Crop(left).Pane(th.Focus); ok {
			t.Error("a pane is found where none has the focus")
		}
	}
}
