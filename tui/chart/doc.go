// Package chart draws for the terminal: a plane of cells, and charts on regions
// of it. It is pure: data, size and theme go in, cells come out; there is no
// state that outlives a call but scratch memory, and nothing is read from the
// terminal. Nothing is drawn outside the region given, at any size, and no data
// makes it panic: what is NaN or infinite is left out or said so.
//
// A pane is composed on a plane that lives as long as the screen:
//
//	th := theme.New(true, false, false)
//	plane := chart.NewPlane(120, 36)
//
//	plane.Clear() // once a frame
//	upper, lower := plane.Bounds().CutTop(22)
//	left, _ := upper.CutLeft(60)
//
//	in := plane.Box(left, th, chart.Box{Title: "A pSGLD", Mark: th.Lane[0].Glyph, MarkStyle: th.Lane[0].Style})
//	plot := axes.Plot(in)                                // axes is a chart.Axes
//	win := chart.Window{-2, 2, -3, 3}.Equal(plot.Size()) // one unit equally long on both axes
//	if !contours.Fits(th, plot.W(), plot.H(), win) {
//		contours = chart.NewContours(th, plot.W(), plot.H(), win, []float64{peak - 2, peak - 0.5}, logDensity)
//	}
//	axes.Draw(in, th, win)
//	canvas.Reset(th, plot.W(), plot.H(), win)            // canvas is a chart.Braille kept by the pane
//	canvas.Contours(contours, th.Contour[:])
//	for i := range xs {                                  // oldest first
//		canvas.Point(xs[i], ys[i], chart.Pen{Style: th.Lane[0].TrailAt(age(i))})
//	}
//	canvas.Ellipse(mean, cov, 1, chart.Pen{Style: th.Truth, Layer: chart.LayerLine})
//	canvas.Draw(plot, th)
//
//	lines.Series = append(lines.Series[:0], chart.LaneSeries(th, 0, "pSGLD", steps, errors))
//	lines.Y.Log = true                                   // lines is a chart.Lines kept by the pane
//	lines.Marks = []chart.VMark{{X: 12400, Label: "ε 0.1→0.3"}}
//	lines.Draw(plane.Box(lower, th, chart.Box{Title: "covariance error"}), th)
//
//	frame := plane.Render()
//
// Coordinates of a Region start at its upper left cell. A Style is the theme's;
// a chart takes a whole theme for its glyphs and secondary styles.
package chart
