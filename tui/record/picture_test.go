package record

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/bits"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"golang.org/x/image/font/sfnt"
)

var update = flag.Bool("update", false, "write the golden files")

// sample has a box, a title, colours, braille, blocks, text that fonts lack and
// text that XML does not take as it is.
func sample() *Grid {
	p := plane.NewPlane(12, 3)
	for y, line := range []string{"╭ ● A <&> ─╮", "│⣿⠃▀▂ 0.3 │", "╰┄┄ ε→θ₁ 日╯"} {
		p.Region().Text(0, y, line, theme.Style{})
	}
	amber := theme.RGB(230, 159, 0)
	p.Region().Text(2, 0, "● A <&>", theme.Style{FG: theme.RGB(127, 209, 255), Attr: theme.Bold})
	p.Region().Text(1, 1, "⣿⠃▀▂", theme.Style{FG: amber})
	p.Region().Text(5, 1, " 0.3 ", theme.Style{FG: amber, BG: theme.RGB(30, 40, 50)})
	p.Region().Text(9, 2, "日", theme.Style{Attr: theme.Reverse})
	return Of(p)
}

// dark is the bare screen in the dark theme's colours.
func dark() Options { return Like(theme.New(true, false, false)) }

func titled(title string, window bool) Options {
	o := dark()
	o.Title, o.Window = title, window
	return o
}

func svgOf(t testing.TB, g *Grid, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := g.SVG(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func pngOf(t testing.TB, g *Grid, o Options) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := g.PNG(&b, o); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func wellFormed(s string) error {
	for d := xml.NewDecoder(strings.NewReader(s)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestSVG(t *testing.T) {
	g := sample()
	got := svgOf(t, g, titled("a < b", true))
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("testdata/sample.svg", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/sample.svg")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the picture differs from testdata/sample.svg (run with -update after looking at it):\n%s", got)
	}
	if err := wellFormed(got); err != nil {
		t.Error(err)
	}
}

// An SVG keeps its text as text, each character at its own cell.
func TestSVGText(t *testing.T) {
	got := svgOf(t, drawn("ab c  d ε", 9, 1), dark())
	for _, want := range []string{
		`<text x="9" y="22.9" textLength="36" lengthAdjust="spacingAndGlyphs" fill="#d7dae0">ab c</text>`,
		`<text x="63" y="22.9" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#d7dae0">d</text>`,
		`<text x="81" y="22.9" textLength="9" lengthAdjust="spacingAndGlyphs" fill="#d7dae0">ε</text>`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
}

// Colours are where the cells are, to the pixel.
func TestPNG(t *testing.T) {
	red, blue := theme.RGB(200, 10, 20), theme.RGB(20, 30, 210)
	g := newGrid(4, 2)
	*g.At(0, 0) = Cell{"▀", theme.Style{FG: red, BG: blue}}
	*g.At(1, 0) = Cell{" ", theme.Style{FG: red, Attr: theme.Reverse}}
	*g.At(2, 0) = Cell{"▌", theme.Style{FG: red}}
	*g.At(3, 1) = Cell{"█", theme.Style{FG: blue}}
	m := pngOf(t, g, dark())
	if want := image.Rect(0, 0, (4*9+18)*scale, (2*18+18)*scale); m.Bounds() != want {
		t.Errorf("the picture is %v, want %v", m.Bounds(), want)
	}
	ground := dark().Ground
	for _, c := range []struct {
		x, y float64 // in cells
		want theme.Color
	}{
		{0.1, 0.1, red}, {0.9, 0.45, red}, {0.1, 0.55, blue}, {0.9, 0.9, blue},
		{1.5, 0.5, red}, {2.2, 0.5, red}, {2.8, 0.5, ground}, {3.5, 1.5, blue},
		{-0.5, 0.5, ground}, {3.5, 0.5, ground}, {4.5, 1.5, ground},
	} {
		x, y := int((9+9*c.x)*scale), int((9+18*c.y)*scale)
		if got := theme.FromColor(m.At(x, y)); got != c.want {
			t.Errorf("at (%g, %g) is %x, want %x", c.x, c.y, got, c.want)
		}
	}
	if err := newGrid(4000, 10).PNG(io.Discard, dark()); err == nil {
		t.Error("a picture of 72,000 pixels is drawn")
	}
}

// ink says at which edges of a cell a character has ink: up, down, left, right.
func ink(t *testing.T, r rune) (at [4]bool) {
	g := newGrid(1, 1)
	*g.At(0, 0) = Cell{string(r), theme.Style{FG: theme.RGB(255, 255, 255)}}
	m := pngOf(t, g, Options{Ink: dark().Ink, Ground: theme.RGB(0, 0, 0)}) // margins of half a cell, scale 2
	full := func(x, y int) bool { v, _, _, _ := m.At(18+x, 18+y).RGBA(); return v > 0xf000 }
	for x := range 18 {
		at[0] = at[0] || full(x, 0)
		at[1] = at[1] || full(x, 35)
	}
	for y := range 36 {
		at[2] = at[2] || full(0, y)
		at[3] = at[3] || full(17, y)
	}
	return at
}

// Every box drawing reaches the edges to which it has arms, and no others, so
// that neighbours join.
func TestBoxDrawingsReachTheirEdges(t *testing.T) {
	round := map[rune][4]int{'╭': {0, 1, 0, 1}, '╮': {0, 1, 1, 0}, '╯': {1, 0, 1, 0}, '╰': {1, 0, 0, 1}}
	for r := rune(0x2500); r < 0x2580; r++ {
		a, ok := arms(r)
		if !ok {
			if a, ok = round[r]; !ok {
				continue
			}
		}
		got := ink(t, r)
		for i, n := range a {
			if got[i] != (n > 0) {
				t.Errorf("%c: ink at its edges (up, down, left, right) %v, want arms %v", r, got, a)
				break
			}
		}
	}
}

func TestBrailleHasItsDots(t *testing.T) {
	for i := range 256 {
		n := 0
		shape(rune(0x2800+i), pen{dot: func(x, y, r float64) {
			n++
			if x-r < 0 || y-r < 0 || x+r > cellW || y+r > cellH {
				t.Errorf("pattern %02x: a dot at (%g, %g) is not in its cell", i, x, y)
			}
		}})
		if n != bits.OnesCount(uint(i)) {
			t.Errorf("pattern %02x has %d dots", i, n)
		}
	}
}

// Quadrants have the area that they say.
func TestQuadrants(t *testing.T) {
	for r, want := range map[rune]float64{'▖': 1, '▗': 1, '▘': 1, '▙': 3, '▚': 2, '▛': 3, '▜': 3, '▝': 1, '▞': 2,
		'▟': 3} {
		area := 0.0
		shape(r, pen{rect: func(_, _, w, h, _ float64) { area += w * h / (cellW * cellH / 4) }})
		if area != want {
			t.Errorf("%c has %g quarters, want %g", r, area, want)
		}
	}
}

// Whatever the screen writes can be drawn: by geometry, or by both fonts.
func TestEveryCharacterCanBeDrawn(t *testing.T) {
	text := fmt.Sprint(theme.New(true, false, false).Glyphs) + "‖≈≤≥±→←↑↓×√∞²³…–—·★ḡ∇ἀαβγδεζηθκλμνπρστφχψωΓΔΛΣΦΨΩ₀₁₂₃∂"
	for _, m := range catalog.Methods() {
		text += m.Title + m.Doc + m.Equation + m.Source
	}
	g := theme.New(true, false, false).Glyphs
	for _, r := range append(append(append(g.VBlock[:], g.HBlock[:]...), g.Shade[:]...), g.TopLeft, g.TopRight,
		g.BottomLeft, g.BottomRight,
		g.Horizontal, g.Vertical, g.AxisCorner, g.TickX, g.TickY, g.SliderLeft, g.SliderRight, g.SliderTrack,
		g.SliderKnob, g.Mark, g.Reference,
		g.Curve, g.Cross, g.Mean, g.Ellipsis, g.Bullet, g.Pointer, g.Running, g.Paused, g.Done, g.OK) {
		text += string(r)
	}
	var buf sfnt.Buffer
	for name, ttf := range map[string][]byte{"regular": dejavusansmono.TTF, "bold": dejavusansmonobold.TTF} {
		f, err := sfnt.Parse(ttf)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range text {
			none := pen{rect: func(_, _, _, _, _ float64) {}, dot: func(_, _, _ float64) {}, path: func(path) {}}
			if i, err := f.GlyphIndex(&buf, r); r >= ' ' && (err != nil || i == 0) && !shape(r, none) {
				t.Errorf("the %s font has no %q (%U)", name, r, r)
			}
		}
	}
}

// The same grid makes the same bytes.
func TestPicturesAreTheSameEveryTime(t *testing.T) {
	g := noise(rand.New(rand.NewPCG(3, 4)), 40, 10)
	var first [2][]byte
	for range 3 {
		var a, b bytes.Buffer
		if err := errors.Join(g.SVG(&a, dark()), g.PNG(&b, dark())); err != nil {
			t.Fatal(err)
		}
		if first[0] == nil {
			first = [2][]byte{a.Bytes(), b.Bytes()}
		}
		if !bytes.Equal(first[0], a.Bytes()) || !bytes.Equal(first[1], b.Bytes()) {
			t.Fatal("another picture of the same grid")
		}
	}
}

// No text makes a picture panic; cells are whole, and a picture is XML.
func FuzzPicture(f *testing.F) {
	f.Add("╭ ● A <&> ─╮\n│⣿⠃▀▂ 0.3 │", 12, 3)
	f.Add("\x1b[38;2;1m\x1b[48:2::1m\x1b[4:m日\x1b[", 3, 2)
	f.Add("a\u0301\u200d👩‍👩‍👧\xff\xc3\n\r\n\t\ufffe\u0085", 4, 4)
	f.Add("", 0, -1)
	f.Fuzz(func(t *testing.T, text string, w, h int) {
		w, h = w%40, h%12
		g := drawn(text, w, h)
		if g.W != max(w, 0) || g.H != max(h, 0) || len(g.Cells) != g.W*g.H {
			t.Fatalf("%d×%d cells, want %d×%d", g.W, g.H, w, h)
		}
		for i, c := range g.Cells {
			if c.Text == "" && i%g.W == 0 {
				t.Error("the first cell of a row belongs to none")
			}
			if !utf8.ValidString(c.Text) || strings.ContainsFunc(c.Text, unicode.IsControl) {
				t.Errorf("cell %d holds %q", i, c.Text)
			}
		}
		s := svgOf(t, g, titled(text, h%2 == 0))
		if err := wellFormed(s); err != nil {
			t.Errorf("%v in\n%s", err, s)
		}
		if err := g.PNG(io.Discard, dark()); err != nil {
			t.Error(err)
		}
	})
}

func BenchmarkPNG(b *testing.B) {
	g := noise(rand.New(rand.NewPCG(7, 8)), 120, 36)
	for b.Loop() {
		if err := g.PNG(io.Discard, dark()); err != nil {
			b.Fatal(err)
		}
	}
}
