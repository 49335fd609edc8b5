// Package plane holds the character cells of a screen.
//
// A plane lives as long as the screen. Each frame clears it, draws on regions of it and renders it to a string:
//
//	th := theme.New(true, false, false)
//	p := plane.NewPlane(120, 36)
//
//	p.Clear()
//	upper, lower := p.Bounds().CutTop(22)
//	in := p.Sub(upper).Box(th, plane.Box{Title: "A pSGLD", Mark: th.Lane[0].Glyph, MarkStyle: th.Lane[0].Style})
//	in.Text(1, 0, "error", th.Dim)
//	in.TextRight(12, 0, plane.Number(0.153, 5), th.Text)
//	p.Sub(lower).Box(th, plane.Box{Title: "covariance error"})
//
//	frame := p.Render()
//
// Coordinates of a Region start at its upper left cell, and drawing outside
// it is dropped. No text and no number makes drawing panic. A Style is the theme's.
package plane
