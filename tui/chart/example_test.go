package chart_test

import (
	"fmt"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A pane with a chart, numbers and a slider.
func Example() {
	th := theme.New(true, false, false)
	p := plane.NewPlane(44, 10)

	in := p.Region().Box(th, plane.Box{
		Title: "A pSGLD", Mark: th.Lane[0].Glyph, MarkStyle: th.Lane[0].Style, Right: "race",
	})
	foot, body := in.Bounds().CutBottom(2)

	chart.Bars(in.Sub(body), th, []chart.Bar{
		{Label: "pSGLD", Glyph: th.Lane[0].Glyph, Value: 899, Style: th.Lane[0].Style},
		{Label: "SGLD", Glyph: th.Lane[1].Glyph, Value: 1016, Style: th.Lane[1].Style},
	})

	numbers := in.Sub(foot)
	x := numbers.Text(0, 0, "error ", th.Dim)
	numbers.TextRight(x+6, 0, plane.Number(0.1531, 6), th.Text)
	x = numbers.Text(0, 1, "ε 0.300 ", th.Dim)
	chart.Slider(numbers.Sub(plane.Rect{X: x, Y: 1, W: 12, H: 1}), th, 0.6, plane.Style{})

	fmt.Println(p.RenderPlain()) // Render has the colours
	// Output:
	// ╭ ● A pSGLD ───────────────────────── race ╮
	// │● pSGLD ███████████████████████▉···    899│
	// │▲ SGLD  ███████████████████████████  1,016│
	// │                                          │
	// │                                          │
	// │                                          │
	// │                                          │
	// │error  0.153                              │
	// │ε 0.300 ▕─────●────▏                      │
	// ╰──────────────────────────────────────────╯
}
