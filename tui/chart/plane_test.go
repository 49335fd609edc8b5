package chart

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/theme"
)

func TestRenderWritesRuns(t *testing.T) {
	red, bold := Style{FG: theme.RGB(255, 0, 7)}, Style{FG: theme.RGB(255, 0, 7), Attr: theme.Bold}
	onBlue := Style{BG: theme.RGB(0, 0, 99)}
	p := NewPlane(8, 2)
	p.Text(0, 0, "ab", red)
	p.Text(2, 0, "  ", bold) // blanks take whatever style runs
	p.Text(4, 0, "c", bold)
	p.Text(5, 0, "d", red)
	p.Text(0, 1, " x", onBlue)
	want := "\x1b[38;2;255;0;7mab  \x1b[1mc\x1b[0;38;2;255;0;7md  \x1b[m\n" +
		"\x1b[48;2;0;0;99m x\x1b[m      "
	if got := p.Render(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := p.RenderPlain(); got != "ab  cd\n x" {
		t.Errorf("plain %q", got)
	}
}

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
		if got := string(appendSGR(nil, c.from, c.to)); got != c.want {
			t.Errorf("%v to %v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
}

func TestWideCharacters(t *testing.T) {
	p := NewPlane(6, 1)
	check := func(what, want string) {
		t.Helper()
		if got := p.RenderPlain(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
		checkSize(t, p)
		p.Clear()
	}
	if n := p.Text(0, 0, "a世b", Style{}); n != 4 {
		t.Errorf("a世b is %d wide", n)
	}
	check("as it is", "a世b")
	p.Text(5, 0, "世", Style{})
	check("in the last column", "")
	p.Text(0, 0, "世界", Style{})
	p.Set(1, 0, 'x', Style{})
	check("right half overwritten", " x界")
	p.Text(0, 0, "世界", Style{})
	p.Set(2, 0, 'x', Style{})
	check("left half overwritten", "世x")
	p.Text(0, 0, "世界", Style{})
	p.Text(1, 0, "字", Style{})
	check("across two", " 字")
	p.Text(-1, 0, "世x", Style{})
	check("cut on the left", " x")
	p.Text(0, 0, "e\u0301👩‍🔬f", Style{})
	check("graphemes", "e\u0301👩‍🔬f")
}

func TestTextReplacesControls(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\nc":         "a·b·c",
		"\x1b[31mred":     "·[31mred",
		"é\r\nx":          "é·x",
		"\u009b31m":       "·31m",
		"a\u2028b":        "a·b",
		"a\u200bb":        "ab",
		"bad\xff\xfebyte": "bad\ufffd\ufffdbyte",
		"nul\x00":         "nul·",
	} {
		p := NewPlane(20, 1)
		end := p.Text(0, 0, in, Style{})
		if got := p.RenderPlain(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if end != Width(in) {
			t.Errorf("%q: ends at %d, width %d", in, end, Width(in))
		}
		checkSize(t, p)
	}
}

func TestASCIIPlane(t *testing.T) {
	p := NewPlane(30, 1)
	p.ASCII = true
	p.Text(0, 0, "ε 0.1→0.3 τ… 世 ▲ 👩‍🔬 é", Style{})
	if got, want := p.RenderPlain(), "eps 0.1->0.3 tau~ ?? ^ ?? ?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	checkSize(t, p)
}

func TestRegionClips(t *testing.T) {
	p := NewPlane(10, 4)
	g := p.Sub(Rect{2, 1, 5, 2})
	g.Text(-2, 0, "abcdefghijkl", Style{})
	g.Text(0, 5, "no", Style{})
	g.TextRight(5, 1, "end", Style{})
	if got := p.RenderPlain(); got != "\n  cdefg\n    end\n" {
		t.Errorf("%q", got)
	}
	if s := g.Sub(Rect{-3, -3, 100, 100}); s.Rect() != (Rect{2, 1, 5, 2}) {
		t.Errorf("sub %v", s.Rect())
	}
	if s := g.Sub(Rect{9, 9, 5, 5}); !s.Empty() {
		t.Errorf("sub %v is not empty", s.Rect())
	}
	var none Region
	none.Text(0, 0, "x世", Style{})
	none.Fill('x', Style{})
	none.Box(dark(), Box{Title: "x"})
	none.Highlight(Style{})
}

func TestTextFit(t *testing.T) {
	th := plain()
	for width, want := range map[int]string{0: "", 1: "…", 2: "g…", 7: "gaussi…", 8: "gaussian", 12: "gaussian"} {
		p := NewPlane(9, 1)
		p.Region().TextFit(0, 0, width, th, "gaussian", Style{})
		if got := p.RenderPlain(); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

func TestHighlightKeepsText(t *testing.T) {
	p := NewPlane(4, 1)
	fg := Style{FG: theme.RGB(1, 1, 1)}
	p.Text(0, 0, "ab", fg)
	p.Region().Highlight(Style{FG: theme.RGB(3, 3, 3), BG: theme.RGB(2, 2, 2)})
	if got, want := p.Region().styleAt(0, 0), (Style{FG: fg.FG, BG: theme.RGB(2, 2, 2)}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	p.Region().Restyle(1, 0, fg)
	if p.Region().styleAt(1, 0) != fg || p.Region().at(1, 0) != 'b' {
		t.Error("Restyle must keep the character")
	}
}

func TestBoxes(t *testing.T) {
	for _, th := range []theme.Theme{plain(), ascii()} {
		name := "box"
		if th.ASCII {
			name = "box-ascii"
		}
		var out []string
		for _, w := range []int{34, 20, 12, 7, 5, 2} {
			out = append(out, picture(th, w, 3, func(g Region) {
				in := g.Box(th, Box{Title: "A pSGLD", Mark: th.Lane[0].Glyph, Right: "ε 0.300", Foot: "diverged"})
				in.Fill('.', Style{})
			}))
		}
		golden.Text(t, name, strings.Join(out, "\n"))
	}
}

func TestBoxesAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "x", "a longer title 世界", "ε\x1b[2J", strings.Repeat("w", 400)}
	for range 400 {
		th := themes()[r.IntN(5)]
		b := Box{Title: words[r.IntN(5)], Right: words[r.IntN(5)], Foot: words[r.IntN(5)], Focused: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			b.Mark = '●'
			b.Legend = []Series{{Name: words[r.IntN(5)]}, {Name: words[r.IntN(5)], Glyph: '▲'}}
		}
		guarded(t, th, size(r), r.IntN(6), func(g Region) { g.Box(th, b).Fill('x', Style{}) })
	}
}

func FuzzText(f *testing.F) {
	f.Add("plain", 3, 10)
	f.Add("a世\t👩‍🔬e\u0301\x1b[31m\xff", -2, 5)
	f.Add("\r\n\u0300\u200d\u202e", 0, 1)
	f.Add("0\xf4 4σ²λ ± ε", 102, 89)
	f.Fuzz(func(t *testing.T, s string, x, w int) {
		if x < -1000 || x > 1000 || len(s) > 1000 {
			return
		}
		w = abs(w % 50)
		for _, th := range []theme.Theme{plain(), ascii()} {
			guarded(t, th, w, 1, func(g Region) {
				if end, want := g.Text(x, 0, s, Style{}), x+Width(g.Spell(s)); end != want {
					t.Fatalf("%q ends at %d, want %d", s, end, want)
				}
			})
		}
	})
}

func TestPlaneAllocations(t *testing.T) {
	p := NewPlane(200, 60)
	th := dark()
	frame := func() {
		p.Clear()
		for y := range 30 {
			p.Text(0, y, "error 0.153   τ 6.9   ESS 899   世界", th.Lane[y%4].Style)
			p.Region().Number(60, y, 8, 1234.5, th.Text)
		}
		p.Box(Rect{80, 0, 100, 40}, th, Box{Title: "pSGLD", Right: "ε"})
	}
	frame()
	if n := testing.AllocsPerRun(20, frame); n > 0 {
		t.Errorf("drawing allocates %v times", n)
	}
	p.Render()
	if n := testing.AllocsPerRun(20, func() { _ = p.Render() }); n > 1 {
		t.Errorf("Render allocates %v times, want the string alone", n)
	}
}

func TestResizeBlanks(t *testing.T) {
	p := NewPlane(-1, 5)
	if p.Render() != "\n\n\n\n" {
		t.Errorf("%q", p.Render())
	}
	p.Resize(3, 1)
	p.Text(0, 0, "abc", Style{})
	p.Resize(2, 2)
	if got := p.Render(); got != "  \n  " {
		t.Errorf("%q", got)
	}
}
