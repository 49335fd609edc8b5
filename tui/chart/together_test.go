package chart

import (
	"math/rand/v2"
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
			c.Series = append(c.Series, laneSeries(th, i, "lane", nil, y))
		}
		c.Top = top + 1
		text := planetest.Picture(th, 80, 9, func(g plane.Region) { c.Draw(g, th) })
		under, all := "", ""
		for i := range 4 {
			glyph := string(laneAt(th, i).Glyph)
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
				if string(end[3]) != string(laneAt(th, top).Glyph) || strings.ContainsRune(under, end[3]) {
					t.Errorf("%d on top: the last is %q", top, string(end[3]))
				}
			}
		}
		if ends != 1 {
			t.Errorf("%d on top: the ends are in %d rows of\n%s", top, ends, text)
		}
	}
}

// In strips each lane has its own rows on one scale, and a series that is over another has its
// cells alone.
func TestLinesInStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	th := planetest.Plain()
	for range 100 {
		lanes, w, h := 2+r.IntN(3), 40+r.IntN(100), 12+r.IntN(30)
		c := Lines{Strips: lanes}
		level := make([]float64, lanes)
		for i := range lanes {
			level[i] = 0.3 + 0.4*r.Float64()
			noisy := Series{Style: laneAt(th, i).Soft, Strip: i}
			over := Series{Style: laneAt(th, i).Style, Strip: i, Over: true}
			for k := range 300 {
				noisy.Y, over.Y = append(noisy.Y, level[i]+r.Float64()-0.5), append(over.Y, level[i])
				noisy.X, over.X = append(noisy.X, float64(k)), append(over.X, float64(k))
			}
			c.Series = append(c.Series, noisy, over)
		}
		p := plane.NewPlane(w, h)
		at := c.Draw(p.Region(), th)
		g := p.Region().Sub(at.Plot)
		var lp linePlot // for the axis of the strips
		tall := 0
		for i := range lanes {
			from, to := stripRows(i, lanes, g.H())
			if tall == 0 {
				tall = to - from
				lp = linePlot{Lines: &c, Region: g.Sub(plane.Rect{W: g.W(), H: tall}), th: th, series: c.Series,
					sx: 2, sy: 4}
				lp.scale(Range{0, 299})
			}
			dot := lp.fromTop(lp.dotRow(level[i]))
			for x := range g.W() {
				if v := at.At((float64(x)+0.5)/float64(g.W()), false); v > 1 && v < 298 {
					got := g.At(x, from+dot/4)
					if !isBraille(got) || uint8(got)&^(brailleBit[dot%4<<1]|brailleBit[dot%4<<1|1]) != 0 ||
						uint8(got) == 0 {
						t.Fatalf("%d lanes, %d×%d: lane %d has %q in column %d\n%s", lanes, w, h, i, got, x,
							p.RenderPlain())
					}
				}
			}
		}
	}
}

// A legend gives up the ends of names before the names.
func TestLegendCuts(t *testing.T) {
	th := planetest.Plain()
	series := []Series{
		laneSeries(th, 0, "A pSGLD, ε 0.3", nil, nil), {}, laneSeries(th, 1, "B pSGLD, ε 0.1", nil, nil),
	}
	for w, want := range map[int]string{
		60: "● A pSGLD, ε 0.3  ▲ B pSGLD, ε 0.1", 36: "● A pSGLD, ε 0.3  ▲ B pSGLD, ε 0.1", 34: "● A pSGLD  ▲ B pSGLD",
		20: "● A  ▲ B", 10: "● A  ▲ B", 9: "● ▲", 8: "● ▲", 5: "● ▲", 3: "",
	} {
		got := strings.TrimSpace(planetest.Picture(th, w, 1, func(g plane.Region) { Legend(g, th, series) }))
		if got != want {
			t.Errorf("%d columns: %q, want %q", w, got, want)
		}
	}
}
