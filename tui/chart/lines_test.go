package chart

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// errorChart is a chart as the stage has it: two lanes, a log axis, marks.
func errorChart(th theme.Theme) *Lines {
	xs, a, b := curves(600)
	return &Lines{
		Series:     []Series{laneSeries(th, 0, "pSGLD", xs, a), laneSeries(th, 1, "SGLD", xs, b)},
		Y:          Scale{Log: true},
		Marks:      []VMark{{4000, "ε 0.1→0.3"}, {9000, "α 0.9"}},
		References: []Reference{{Y: 0.15, Label: "bias 0.15"}, {Y: 0.3, Label: "at most", Light: true}},
	}
}

func TestLinesGolden(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		for _, s := range [][2]int{{100, 18}, {58, 10}, {30, 6}, {16, 4}, {10, 2}} {
			name := fmt.Sprintf("lines-%dx%d", s[0], s[1])
			if th.ASCII {
				name += "-ascii"
			}
			goldentest.Text(t, name,
				planetest.Picture(th, s[0], s[1], func(g plane.Region) { errorChart(th).Draw(g, th) }))
		}
	}
}

func TestLinesACFGolden(t *testing.T) {
	th := planetest.Plain()
	var fast, slow []float64
	for lag := range 61 {
		fast = append(fast, math.Pow(0.85, float64(lag)))
		slow = append(slow, math.Pow(0.95, float64(lag)))
	}
	c := Lines{
		Series:     []Series{laneSeries(th, 0, "pSGLD", nil, fast), laneSeries(th, 1, "SGLD", nil, slow)},
		Y:          Scale{Fix: true, Range: Range{-0.2, 1}},
		References: []Reference{{Y: 0}},
	}
	goldentest.Text(t, "lines-acf", planetest.Picture(th, 60, 11, func(g plane.Region) { c.Draw(g, th) }))
}

func TestLinesWithoutData(t *testing.T) {
	th := planetest.Plain()
	nan := math.NaN()
	for _, c := range []struct {
		name string
		c    Lines
		want string
	}{
		{"nothing", Lines{}, "no data yet"},
		{"its own words", Lines{Empty: "diverged"}, "diverged"},
		{"empty series", Lines{Series: []Series{{Y: nil}, {X: []float64{1}, Y: nil}}}, "no data yet"},
		{"no finite point", Lines{Series: []Series{{Y: []float64{nan, math.Inf(1), math.Inf(-1)}}}}, "no data yet"},
		{"log of nothing positive", Lines{Y: Scale{Log: true}, Series: []Series{{Y: []float64{0, -1, -2}}}},
			"no data yet"},
		{"one point", Lines{Series: []Series{{Y: []float64{3}}}}, "one point so far"},
		{"one place", Lines{Series: []Series{{X: []float64{2, 2}, Y: []float64{3, 4}}}}, "one point so far"},
	} {
		got := planetest.Picture(th, 40, 9, func(g plane.Region) { c.c.Draw(g, th) })
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	c := Lines{Series: []Series{{Y: []float64{3, 3, 3}}}}
	got := planetest.Picture(th, 40, 9, func(g plane.Region) { c.Draw(g, th) })
	if !strings.Contains(got, "⣀⣀⣀⣀⣀⣀⣀⣀") && !strings.Contains(got, "⠤⠤⠤⠤⠤⠤⠤⠤") || strings.Contains(got, "data") {
		t.Errorf("a constant series is a level line:\n%s", got)
	}
}

// TestAsciigraphFits: with series in units of rows, asciigraph's pictures are within the plot,
// whatever its size.
func TestAsciigraphFits(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	th := planetest.Plain()
	for i := range 300 {
		w, h := 1+r.IntN(250), 2+r.IntN(80)
		series := []Series{{Y: planetest.Floats(r, 60)}, {Y: planetest.Floats(r, 5), Line: 1},
			{Y: planetest.Floats(r, 9), Low: planetest.Floats(r, 9), High: planetest.Floats(r, 9)}}
		p := &linePlot{Lines: new(Lines), Region: plane.NewPlane(w, h).Region(), th: th, series: series, sx: 1, sy: 1}
		if i%2 == 0 {
			p.sx, p.sy = 2, 4
		}
		xs, n := p.extentX()
		if n < 2 {
			continue
		}
		p.scale(xs)
		for k := range series {
			eachPart(p.stroke(k), func(x, y int, _ byte) {
				if x < 0 || x >= w*p.sx || y < 0 || y >= h*p.sy {
					t.Fatalf("a part in column %d and row %d of %d×%d", x, y, w*p.sx, h*p.sy)
				}
			})
		}
	}
}

// TestLinesPlaceValues: on a plot whose dots are whole units the line passes through the
// dot of each value, and through no other.
func TestLinesPlaceValues(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		sx, sy := 2, 4
		if th.ASCII {
			sx, sy = 1, 1
		}
		ys := []float64{0, 0, 3, 3, 6, 6, 1, 1, 5, 5, 2, 2, 4, 4}
		c := &Lines{
			Series: []Series{{Y: ys, Style: th.Text}},
			X:      Scale{Fix: true, Range: Range{0, 13}}, Y: Scale{Fix: true, Range: Range{0, 6}},
		}
		p := plane.NewPlane(14, 9)
		c.Draw(p.Region(), th) // too narrow for labels of Y: 14 columns of plot, 2 rows for X, 7 for the plot
		// A cell holds a unit either way, with the whole numbers in its middle.
		at := func(edge int) float64 {
			x := float64(edge)/float64(sx) - 0.5
			i := min(max(int(math.Floor(x)), 0), 12)
			f := min(max(x-float64(i), 0), 1)
			return (1-f)*ys[i] + f*ys[i+1]
		}
		dot := func(v float64) int { return int(math.Round((v+0.5)*float64(sy) - 0.5)) }
		if sx == 1 { // values lie between two edges
			at = func(edge int) float64 { return ys[max(edge-1, 0)] }
		}
		for x := range 13*sx - 1 {
			from, to := dot(at(x)), dot(at(x+1))
			if sx > 1 && x == 0 {
				continue // before the first value
			}
			for row := range 7 * sy {
				r := p.Region().At(x/sx, row/sy)
				on := r != 0
				if sx > 1 {
					on = isBraille(r) && r&rune(brailleBit[row%sy<<1|x%sx]) != 0
				}
				v := 7*sy - 1 - row
				if between := v >= min(from, to) && v <= max(from, to); on != between {
					t.Fatalf("column %d, dot %v: drawn %v, want %v\n%s", x, v, on, between, p.RenderPlain())
				}
			}
		}
	}
}

func TestLinesAverageWithinAColumn(t *testing.T) {
	// Points alternating between 1 and 9 average to 5 in every column, to 3 on a
	// log axis: with an even number of points a column exactly.
	n, w := 2000, 20
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range ys {
		xs[i], ys[i] = math.Round(float64(i/2)*float64(w)/float64(n/2-1)), float64(1+i%2*8)
	}
	for _, log := range []bool{false, true} {
		p := &linePlot{Lines: &Lines{Y: Scale{Log: log}}, Region: plane.NewPlane(w, 1).Region(),
			x: Axis{Range: Range{0, float64(w)}}, sx: 1, sy: 1}
		want := map[bool]float64{false: 5, true: 3}[log]
		for i, v := range p.resample(&Series{X: xs, Y: ys}) {
			if math.Abs(v-want) > 1e-12 {
				t.Errorf("log %v, edge %d: %v, want %v", log, i, v, want)
			}
		}
	}
}

func TestLinesGaps(t *testing.T) {
	th := planetest.Plain()
	ys := make([]float64, 41)
	for i := range ys {
		ys[i] = 1
		if i >= 15 && i < 25 {
			ys[i] = math.NaN()
		}
	}
	c := &Lines{Series: []Series{{Y: ys}}, Y: Scale{Fix: true, Range: Range{0, 2}}}
	row := func(c *Lines) string { // of the line, the third of the seven rows
		picture := planetest.Picture(th, 50, 9, func(g plane.Region) { c.Draw(g, th) })
		_, line, _ := strings.Cut(strings.Split(picture, "\n")[3], "┤")
		return line
	}
	if got := row(c); strings.Count(got, " ") != 10 || len(strings.Fields(got)) != 2 {
		t.Errorf("no gap: %q", got)
	}
	// Points that are merely sparse are joined.
	c = &Lines{Series: []Series{{X: []float64{0, 40}, Y: []float64{1, 1}}}, Y: Scale{Fix: true, Range: Range{0, 2}}}
	if got := row(c); strings.Contains(strings.TrimSpace(got), " ") || utf8.RuneCountInString(got) < 40 {
		t.Errorf("sparse points are not joined: %q", got)
	}
}

func TestLinesMarks(t *testing.T) {
	th := planetest.Plain()
	c := errorChart(th)
	c.Marks = []VMark{{0, "first"}, {5990, "left out"}, {6000, "middle"}, {11980, "the last"}, {99999, "beyond"},
		{math.NaN(), "nowhere"}}
	got := planetest.Picture(th, 60, 14, func(g plane.Region) { c.Draw(g, th) })
	for _, want := range []string{"┆first", "┆middle", "the last┆"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for _, never := range []string{"left out", "beyond", "nowhere"} {
		if strings.Contains(got, never) {
			t.Errorf("%q in\n%s", never, got)
		}
	}
}

// The label of a mark in a plot without a row for it covers nothing of a curve, and is
// whole or not there.
func TestLinesMarkLabelHidesNoCurve(t *testing.T) {
	th := planetest.Plain()
	const label = "B ε 0.35→0.555 @101,9"
	level := func(from, to float64) (ys []float64) {
		for i := range 41 {
			ys = append(ys, from+(to-from)*float64(i)/40)
		}
		return ys
	}
	for _, c := range []struct {
		name string
		all  [][]float64
		row  int // of the label, -1 for none
	}{
		{"below", [][]float64{level(0, 0)}, 0},
		{"above", [][]float64{level(9, 9)}, 3},
		{"above and below", [][]float64{level(9, 9), level(0, 0)}, -1},
		{"across", [][]float64{level(0, 9)}, -1},
	} {
		for _, x := range []float64{4, 39} {
			draw := func(marks ...VMark) []string {
				l := Lines{X: Scale{Own: true}, Y: Scale{Fix: true, Range: Range{0, 9}}, Marks: marks}
				for i, ys := range c.all {
					l.Series = append(l.Series, laneSeries(th, i, "", nil, ys))
				}
				return strings.Split(planetest.Picture(th, 60, 4, func(g plane.Region) { l.Draw(g, th) }), "\n")
			}
			bare, marked := draw(), draw(VMark{x, label})
			row := -1
			for y, line := range marked {
				if strings.Contains(line, "┆"+label) || strings.Contains(line, label+"┆") {
					row = y
				} else if strings.Contains(line, "ε") {
					t.Errorf("%s: the label is cut: %q", c.name, line)
				}
				was := []rune(bare[min(y, len(bare)-1)])
				for i, r := range []rune(line) {
					if i < len(was) && (isBraille(was[i]) || was[i] == '●' || was[i] == '▲') && r != was[i] {
						t.Errorf("%s: %q hides %q", c.name, line, bare[y])
						break
					}
				}
			}
			if row != c.row && !(c.name == "across" && row >= 0) {
				t.Errorf("%s, at %v: the label is in row %d, want %d:\n%s", c.name, x, row, c.row,
					strings.Join(marked, "\n"))
			}
		}
	}
}

// The cross leaves all curves, and lights the dot of each one's value, also of two in one
// cell.
func TestLinesCrossMeetsValues(t *testing.T) {
	th := planetest.Plain()
	c := Lines{X: Scale{Own: true}, Y: Scale{Fix: true, Range: Range{0, 1}}}
	for i, v := range []float64{0.557, 0.533, 0.1} {
		ys := make([]float64, 11)
		for k := range ys {
			ys[k] = math.Pow(v, float64(k)/4)
		}
		c.Series = append(c.Series, laneSeries(th, i, "", nil, ys))
	}
	draw := func() plane.Region {
		p := plane.NewPlane(47, 10) // 40 columns for ten lags
		c.Draw(p.Region(), th)
		return p.Region()
	}
	bare := draw()
	c.Cross, c.Crossed = 4, true
	crossed := draw()
	p := &linePlot{Lines: &c, Region: bare.Sub(plane.Rect{X: 7, W: 40, H: 10}), th: th, series: c.Series, sx: 2, sy: 4}
	p.scale(Range{0, 10})
	const col = 7 + 16
	for _, s := range c.Series {
		dot := p.fromTop(p.dotRow(s.Y[4]))
		r := crossed.At(col, dot/4)
		if !isBraille(r) || r&rune(brailleBit[dot%4<<1]) == 0 || crossed.StyleAt(col, dot/4).Attr&theme.Bold == 0 {
			t.Errorf("the dot of %v is not lit:\n%s", s.Y[4],
				planetest.Picture(th, 47, 10, func(g plane.Region) { c.Draw(g, th) }))
		}
	}
	for y := range 10 {
		for x := range 47 {
			was, is := bare.At(x, y), crossed.At(x, y)
			if isBraille(was) && (!isBraille(is) || was&^is != 0) || x != col && was != is {
				t.Errorf("the cross turns %q into %q at %d, %d", was, is, x, y)
			}
		}
	}
}

func TestLinesKeepStyles(t *testing.T) {
	th := planetest.Dark()
	c := errorChart(th)
	p := plane.NewPlane(100, 18)
	c.Draw(p.Region(), th)
	found := map[plane.Style]int{}
	for y := range 18 {
		for x := range 100 {
			if p.Region().At(x, y) != 0 {
				found[p.Region().StyleAt(x, y)]++
			}
		}
	}
	for i, s := range c.Series {
		if found[s.Style] < 80 {
			t.Errorf("series %d has %d cells of its style", i, found[s.Style])
		}
	}
	if found[plane.Style{}] > 0 {
		t.Errorf("%d cells without a style", found[plane.Style{}])
	}
}

func TestLegend(t *testing.T) {
	th := planetest.Plain()
	s := []Series{laneSeries(th, 0, "pSGLD", nil, nil), {Name: ""}, laneSeries(th, 1, "SGLD", nil, nil)}
	for w, want := range map[int]string{24: "        ● pSGLD  ▲ SGLD", 15: "           ● ▲", 5: " ● ▲", 4: ""} {
		if got := planetest.Picture(th, w, 1, func(g plane.Region) { Legend(g, th, s) }); got != want {
			t.Errorf("%d: %q, want %q", w, got, want)
		}
	}
}

// randomLines is any chart that a caller could ask for.
func randomLines(r *rand.Rand, th theme.Theme) *Lines {
	c := &Lines{YWidth: r.IntN(12) - 2}
	for i := range r.IntN(MaxSeries + 3) {
		s := laneSeries(th, i, strings.Repeat("n", r.IntN(9)), planetest.Floats(r, r.IntN(400)),
			planetest.Floats(r, r.IntN(400)))
		if r.IntN(3) == 0 {
			s.X = nil
		}
		if r.IntN(4) == 0 {
			s.Glyph, s.Line = 0, -i
		}
		c.Series = append(c.Series, s)
	}
	scale := func() Scale {
		return Scale{Log: r.IntN(2) == 0, Fix: r.IntN(3) == 0, Range: Range{planetest.Hostile(r), planetest.Hostile(r)}}
	}
	c.X, c.Y = scale(), scale()
	for range r.IntN(4) {
		c.Marks = append(c.Marks, VMark{planetest.Hostile(r), strings.Repeat("ε", r.IntN(30))})
		label := strings.Repeat("世", r.IntN(9))
		c.References = append(c.References, Reference{planetest.Hostile(r), label, r.IntN(2) == 0, false})
	}
	return c
}

func TestLinesAnywhere(t *testing.T) {
	innerlooptest.Skip(t, "random lines")
	r := rand.New(rand.NewPCG(21, 22))
	for range 400 {
		th := planetest.Themes()[r.IntN(5)]
		c := randomLines(r, th)
		planetest.Guarded(t, th, planetest.Size(r), planetest.Size(r)/2, func(g plane.Region) { c.Draw(g, th) })
	}
}

func FuzzLines(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, 40, 12, 1.0, math.Inf(1), uint8(seed))
	}
	f.Add(uint64(9), 300, 1, math.NaN(), math.MaxFloat64, uint8(3))
	f.Add(uint64(10), 20, 5, 5e-324, -1e-300, uint8(255))
	f.Add(uint64(0x3f), 0x7d, -0x3f, -8.0, -47.0, uint8(0xde)) // a log axis whose ends are not positive
	f.Add(uint64(13), 67, 88, 5e-324, -11.0, uint8(0x88))      // labels of one column, which never differ
	f.Fuzz(func(t *testing.T, seed uint64, w, h int, a, b float64, mode uint8) {
		r := rand.New(rand.NewPCG(seed, 0))
		th := planetest.Themes()[int(mode)%5]
		c := randomLines(r, th)
		c.X.Log, c.Y.Log, c.X.Fix, c.Y.Fix = mode&1 != 0, mode&2 != 0, mode&4 != 0, mode&8 != 0
		c.X.Lo, c.Y.Lo, c.X.Hi, c.Y.Hi = a, b, b, a
		if mode&16 != 0 {
			c.X.Lo, c.X.Hi, c.Y.Lo, c.Y.Hi = b, a, a, b
		}
		c.Series = append(c.Series[:min(len(c.Series), 2)],
			Series{X: []float64{a, b, a + b}, Y: []float64{b, a, a * b}, Glyph: 'x'})
		planetest.Guarded(t, th, abs(w%300), abs(h%100), func(g plane.Region) { c.Draw(g, th) })
	})
}
