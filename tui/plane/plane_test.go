package plane_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/planetest"

	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func TestRenderWritesRuns(t *testing.T) {
	red, bold := plane.Style{FG: theme.RGB(255, 0, 7)}, plane.Style{FG: theme.RGB(255, 0, 7), Attr: theme.Bold}
	onBlue := plane.Style{BG: theme.RGB(0, 0, 99)}
	p := plane.NewPlane(8, 2)
	p.Region().Text(0, 0, "ab", red)
	p.Region().Text(2, 0, "  ", bold) // blanks take whatever style runs
	p.Region().Text(4, 0, "c", bold)
	p.Region().Text(5, 0, "d", red)
	p.Region().Text(0, 1, " x", onBlue)
	want := "\x1b[38;2;255;0;7mab  \x1b[1mc\x1b[0;38;2;255;0;7md  \x1b[m\n" +
		"\x1b[48;2;0;0;99m x\x1b[m      "
	if got := p.Render(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := p.RenderPlain(); got != "ab  cd\n x" {
		t.Errorf("plain %q", got)
	}
}

func TestWideCharacters(t *testing.T) {
	p := plane.NewPlane(6, 1)
	check := func(what, want string) {
		t.Helper()
		if got := p.RenderPlain(); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
		planetest.CheckSize(t, p)
		p.Clear()
	}
	if n := p.Region().Text(0, 0, "a世b", plane.Style{}); n != 4 {
		t.Errorf("a世b is %d wide", n)
	}
	check("as it is", "a世b")
	p.Region().Text(5, 0, "世", plane.Style{})
	check("in the last column", "")
	p.Region().Text(0, 0, "世界", plane.Style{})
	p.Region().Set(1, 0, 'x', plane.Style{})
	check("right half overwritten", " x界")
	p.Region().Text(0, 0, "世界", plane.Style{})
	p.Region().Set(2, 0, 'x', plane.Style{})
	check("left half overwritten", "世x")
	p.Region().Text(0, 0, "世界", plane.Style{})
	p.Region().Text(1, 0, "字", plane.Style{})
	check("across two", " 字")
	p.Region().Text(-1, 0, "世x", plane.Style{})
	check("cut on the left", " x")
	p.Region().Text(0, 0, "e\u0301👩‍🔬f", plane.Style{})
	check("graphemes", "e\u0301👩‍🔬f")
}

func TestTextReplacesControls(t *testing.T) {
	for in, want := range map[string]string{
		"a\tb\nc":         "a·b·c",
		"\x1b[31mred":     "·[31mred",
		"é\r\nx":          "é·x",
		"\u009b31m":       "·31m",
		"a\u2028b":        "a·b",
		"a\u200bb":        "a·b",
		"a\u202eb\u00adc": "a·b·c",
		"x\U000e0041y":    "\ufffdy",
		"bad\xff\xfebyte": "bad\ufffd\ufffdbyte",
		"nul\x00":         "nul·",
	} {
		p := plane.NewPlane(20, 1)
		end := p.Region().Text(0, 0, in, plane.Style{})
		if got := p.RenderPlain(); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		if end != plane.Width(in) {
			t.Errorf("%q: ends at %d, width %d", in, end, plane.Width(in))
		}
		planetest.CheckSize(t, p)
	}
}

func TestASCIIPlane(t *testing.T) {
	p := plane.NewPlane(30, 1)
	p.ASCII = true
	p.Region().Text(0, 0, "ε 0.1→0.3 τ… 世 ▲ 👩‍🔬 é", plane.Style{})
	if got, want := p.RenderPlain(), "eps 0.1->0.3 tau~ ?? ^ ?? ?"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	planetest.CheckSize(t, p)
}

func TestRegionClips(t *testing.T) {
	p := plane.NewPlane(10, 4)
	g := p.Sub(plane.Rect{X: 2, Y: 1, W: 5, H: 2})
	g.Text(-2, 0, "abcdefghijkl", plane.Style{})
	g.Text(0, 5, "no", plane.Style{})
	g.TextRight(5, 1, "end", plane.Style{})
	if got := p.RenderPlain(); got != "\n  cdefg\n    end\n" {
		t.Errorf("%q", got)
	}
	if s := g.Sub(plane.Rect{X: -3, Y: -3, W: 100, H: 100}); s.Rect() != (plane.Rect{X: 2, Y: 1, W: 5, H: 2}) {
		t.Errorf("sub %v", s.Rect())
	}
	if s := g.Sub(plane.Rect{X: 9, Y: 9, W: 5, H: 5}); !s.Empty() {
		t.Errorf("sub %v is not empty", s.Rect())
	}
	var none plane.Region
	none.Text(0, 0, "x世", plane.Style{})
	none.Fill('x', plane.Style{})
	none.Box(planetest.Dark(), plane.Box{Title: "x"})
	none.Highlight(plane.Style{})
}

func TestTextFit(t *testing.T) {
	th := planetest.Plain()
	for width, want := range map[int]string{0: "", 1: "…", 2: "g…", 7: "gaussi…", 8: "gaussian", 12: "gaussian"} {
		p := plane.NewPlane(9, 1)
		p.Region().TextFit(0, 0, width, th, "gaussian", plane.Style{})
		if got := p.RenderPlain(); got != want {
			t.Errorf("%d: %q, want %q", width, got, want)
		}
	}
}

// The end of a text is all of it that there is room for, of whole characters.
func TestTail(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 5, "abc"}, {"abc", 2, "bc"}, {"abc", 0, ""}, {"abc", -1, ""}, {"", 3, ""}, {"a語b", 2, "b"},
		{"a語b", 3, "語b"}, {"xe\u0301y", 2, "e\u0301y"}} {
		if got := plane.Tail(c.text, c.width); got != c.want {
			t.Errorf("the last %d cells of %q are %q, want %q", c.width, c.text, got, c.want)
		}
	}
}

func TestHighlightKeepsText(t *testing.T) {
	p := plane.NewPlane(4, 1)
	fg := plane.Style{FG: theme.RGB(1, 1, 1)}
	p.Region().Text(0, 0, "ab", fg)
	p.Region().Highlight(plane.Style{FG: theme.RGB(3, 3, 3), BG: theme.RGB(2, 2, 2)})
	if got, want := p.Region().StyleAt(0, 0), (plane.Style{FG: fg.FG, BG: theme.RGB(2, 2, 2)}); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	p.Region().Restyle(1, 0, fg)
	if p.Region().StyleAt(1, 0) != fg || p.Region().At(1, 0) != 'b' {
		t.Error("Restyle must keep the character")
	}
}

func TestBoxes(t *testing.T) {
	for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
		name := "box"
		if th.ASCII {
			name = "box-ascii"
		}
		var out []string
		for _, w := range []int{34, 20, 12, 7, 5, 2} {
			out = append(out, planetest.Picture(th, w, 3, func(g plane.Region) {
				in := g.Box(th, plane.Box{Title: "A pSGLD", Mark: th.Lane[0].Glyph, Right: "ε 0.300", Foot: "diverged"})
				in.Fill('.', plane.Style{})
			}))
		}
		goldentest.Text(t, name, strings.Join(out, "\n"))
	}
}

func TestBoxesAnywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	words := []string{"", "x", "a longer title 世界", "ε\x1b[2J", strings.Repeat("w", 400)}
	for range 400 {
		th := planetest.Themes()[r.IntN(5)]
		b := plane.Box{Title: words[r.IntN(5)], Right: words[r.IntN(5)], Foot: words[r.IntN(5)],
			Focused: r.IntN(2) == 0}
		if r.IntN(2) == 0 {
			b.Mark = '●'
		}
		planetest.Guarded(t, th, planetest.Size(r), r.IntN(6),
			func(g plane.Region) { g.Box(th, b).Fill('x', plane.Style{}) })
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
		w = max(w%50, -w%50)
		for _, th := range []theme.Theme{planetest.Plain(), planetest.ASCII()} {
			planetest.Guarded(t, th, w, 1, func(g plane.Region) {
				if end, want := g.Text(x, 0, s, plane.Style{}), x+plane.Width(g.Spell(s)); end != want {
					t.Fatalf("%q ends at %d, want %d", s, end, want)
				}
			})
		}
	})
}

func TestResizeBlanks(t *testing.T) {
	p := plane.NewPlane(-1, 5)
	if p.Render() != "\n\n\n\n" {
		t.Errorf("%q", p.Render())
	}
	p.Resize(3, 1)
	p.Region().Text(0, 0, "abc", plane.Style{})
	p.Resize(2, 2)
	if got := p.Render(); got != "  \n  " {
		t.Errorf("%q", got)
	}
}
