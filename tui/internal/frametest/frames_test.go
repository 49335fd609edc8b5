package frametest

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/theme"
)

// boxes is a plane with two boxes beside each other, one with a box on it.
func boxes(th theme.Theme) *plane.Plane {
	p := plane.NewPlane(40, 12)
	p.Sub(plane.Rect{W: 20, H: 12}).Box(th, plane.Box{Title: "A", Foot: "step"})
	p.Sub(plane.Rect{X: 20, W: 20, H: 12}).Box(th, plane.Box{Title: "B", Right: "right", Focused: true})
	p.Sub(plane.Rect{X: 20, W: 20, H: 12}).Heavy(th)
	p.Sub(plane.Rect{X: 5, Y: 4, W: 9, H: 4}).Box(th, plane.Box{})
	p.Region().Set(30, 5, '╭', th.Lane[0].Style) // a curve
	return p
}

// Closed borders are found closed, and every hole in one is found, but for one in
// the text on an edge.
func TestOpen(t *testing.T) {
	for _, th := range []theme.Theme{theme.New(true, false, false), theme.New(false, false, false),
		theme.New(true, true, false)} {
		whole := boxes(th)
		if open := Open(record.Of(whole), th); open != "" {
			t.Fatalf("%s:\n%s", open, whole.RenderPlain())
		}
		g := record.Of(whole)
		for y := range 12 {
			for x := range 40 {
				c := g.At(x, y)
				if !edged(c, th) || !strings.Contains("╭╮╰╯┏┓┗┛│┃─━", c.Text) {
					continue
				}
				level := strings.Contains("─━", c.Text)
				for _, hole := range []rune{' ', 'x'} {
					text := level && (hole == 'x' || g.At(x-1, y).Text == " " || g.At(x+1, y).Text == " ")
					p := boxes(th)
					p.Region().Set(x, y, hole, th.Border)
					if open := Open(record.Of(p), th); open == "" && !text {
						t.Errorf("%q at column %d of row %d is not found:\n%s", hole, x, y, p.RenderPlain())
					}
				}
			}
		}
		// What covers a border hides it, and nothing else does.
		p := boxes(th)
		at := plane.Rect{X: 15, Y: 2, W: 10, H: 5}
		p.Sub(at).Fill(' ', plane.Style{})
		if Open(record.Of(p), th) == "" {
			t.Error("a hole is taken for closed")
		}
		if open := Open(record.Of(p), th, at); open != "" {
			t.Errorf("under a cover: %s", open)
		}
	}
}

func TestNotation(t *testing.T) {
	red, blue := plane.Style{FG: theme.RGB(255, 0, 0)}, plane.Style{FG: theme.RGB(0, 0, 255), Attr: theme.Bold}
	draw := func(a, b plane.Style) *plane.Plane {
		p := plane.NewPlane(8, 3)
		p.Region().Text(1, 0, "ab c", a)
		p.Region().Text(5, 0, "d", b)
		p.Region().Text(0, 1, "日", b)
		p.Region().Text(3, 1, " ", plane.Style{BG: theme.RGB(1, 2, 3)})
		return p
	}
	other := plane.NewPlane(8, 3)
	other.Region().Text(0, 0, "other", plane.Style{})
	got := Notation(draw(red, blue), other, draw(blue, blue))
	want := " ab cd\n日\n\n\n.4AB\n3BC\n\n\nA ff0000 | 0000ff bold\nB 0000ff bold | 0000ff bold\nC on 010203 | on 010203" +
		"\n\nother\n\n\n\n5.\n\n\n\n"
	if got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
}
