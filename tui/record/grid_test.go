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

// drawn is a grid with text on it.
func drawn(text string, w, h int) *Grid {
	p := plane.NewPlane(w, h)
	for y, line := range strings.Split(text, "\n") {
		p.Region().Text(0, y, line, theme.Style{})
	}
	return Of(p)
}

// A plane comes back cell by cell, but for the styles that do not show on blanks.
func TestOf(t *testing.T) {
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
		got := Of(p)
		for i, c := range got.Cells {
			want := g.Cells[i]
			if c.Text != want.Text || c.Text != " " && c.Style != want.Style || c.Style.BG != want.Style.BG {
				t.Fatalf("cell %d of %d×%d is %+v, want %+v", i, w, h, c, want)
			}
		}
	}
	if got := lines(drawn("日本\na日b", 3, 2)); got != "日 \na日" {
		t.Errorf("wide characters are %q", got)
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
	g := drawn("abcd\nefgh\n日本x\nijkl", 5, 4)
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
