package chart

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/plane"
)

// Lines that lie on each other are all seen: the one that is asked for on top, the
// others by their glyphs on it, and the ends of all beside each other.
func TestLinesTogether(t *testing.T) {
	th := planetest.Plain()
	y := make([]float64, 60)
	for i := range y {
		y[i] = 1 + 1/float64(1+i)
	}
	for top := range 4 {
		var c Lines
		for i := range 4 {
			c.Series = append(c.Series, LaneSeries(th, i, "lane", nil, y))
		}
		c.Top = top + 1
		text := planetest.Picture(th, 80, 9, func(g plane.Region) { c.Draw(g, th) })
		under, all := "", ""
		for i := range 4 {
			glyph := string(th.LaneAt(i).Glyph)
			if all += glyph; i != top {
				under += glyph
			}
			if n := strings.Count(text, glyph); (n > 2) != (i != top) || n < 1 {
				t.Errorf("%d on top: %d of %s in\n%s", top, n, glyph, text)
			}
		}
		ends := 0
		for _, row := range strings.Split(text, "\n") {
			row = strings.TrimRight(row, " ")
			if end := []rune(row); len(end) > 70 && strings.ContainsRune(all, end[len(end)-1]) {
				ends++
				end = end[len(end)-4:]
				for _, r := range end {
					if !strings.ContainsRune(all, r) {
						t.Errorf("%d on top: the ends are %q", top, string(end))
					}
				}
				if string(end[3]) != string(th.LaneAt(top).Glyph) || strings.ContainsRune(under, end[3]) {
					t.Errorf("%d on top: the last is %q", top, string(end[3]))
				}
			}
		}
		if ends != 1 {
			t.Errorf("%d on top: the ends are in %d rows of\n%s", top, ends, text)
		}
	}
}

// A legend gives up the ends of names before the names.
func TestLegendCuts(t *testing.T) {
	th := planetest.Plain()
	series := []Series{
		LaneSeries(th, 0, "A pSGLD, ε 0.3", nil, nil), {}, LaneSeries(th, 1, "B pSGLD, ε 0.1", nil, nil),
	}
	for w, want := range map[int]string{
		60: "● A pSGLD, ε 0.3  ▲ B pSGLD, ε 0.1", 36: "● A pSGLD, ε 0.3  ▲ B pSGLD, ε 0.1", 34: "● A pSGLD  ▲ B pSGLD",
		20: "● A  ▲ B", 9: "● A  ▲ B", 8: "● ▲", 5: "● ▲", 3: "",
	} {
		if got := strings.TrimSpace(planetest.Picture(th, w, 1, func(g plane.Region) { Legend(g, th, series) })); got != want {
			t.Errorf("%d columns: %q, want %q", w, got, want)
		}
	}
}
