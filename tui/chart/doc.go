// Package chart draws charts on regions of a plane.
//
// It is pure: data, size and theme go in, cells come out. A chart stays inside its region at any size, and no data
// makes it panic: values that are NaN or infinite are left out or named.
//
// A density in the plane is drawn on a canvas of dots inside labelled axes:
//
//	plot := chart.Plot(in)                               // in is a plane.Region
//	win := chart.Window{chart.Range{-2, 2}, chart.Range{-3, 3}}.True(th, plot.W(), plot.H(), 0) // one scale for both
//	if !contours.Fits(th, plot.W(), plot.H(), win.Window) {
//		contours = chart.NewContours(th, plot.W(), plot.H(), win.Window, []float64{peak - 2, peak - 0.5}, logDensity)
//	}
//	win.Axes(in, th, "x", "y")
//	canvas.Reset(th, plot.W(), plot.H(), win.Window)     // canvas is a chart.Braille
//	canvas.Contours(contours, th.Contour[:], nil)
//	for i := range xs {                                  // oldest first
//		canvas.Point(xs[i], ys[i], chart.Pen{Style: th.Lane[0].TrailAt(age(i))})
//	}
//	canvas.Ellipse(mean, cov, 1, chart.Pen{Style: th.Truth, Layer: chart.LayerLine})
//	canvas.Draw(plot, th)
//
// A line chart is a Lines:
//
//	lines := chart.Lines{
//		Series: []chart.Series{{Name: "pSGLD", X: steps, Y: errors, Style: th.Lane[0].Style}},
//		Y:      chart.Scale{Log: true},
//		Marks:  []chart.VMark{{X: 12400, Label: "ε 0.1→0.3"}},
//	}
//	at := lines.Draw(p.Sub(lower).Box(th, plane.Box{Title: "covariance error"}), th)
//
// A chart takes a whole theme for its glyphs and secondary styles.
package chart
