package dataset

// A knot is a point that a pen passes, x to the right and y down in a unit
// square. The pen turns smoothly there unless it is a corner.
type knot struct {
	x, y   float64
	corner bool
}

// A glyph is one way to write a digit: strokes, each a run of knots, and how
// often it is used relative to the digit's other ways.
type glyph struct {
	weight  float64
	strokes [][]knot
}

// glyphs are the ways to write each digit.
func glyphs() [digits][]glyph {
	at := func(x, y float64) knot { return knot{x, y, false} }
	turn := func(x, y float64) knot { return knot{x, y, true} }
	way := func(weight float64, strokes ...[]knot) glyph { return glyph{weight, strokes} }
	line := func(k ...knot) []knot { return k }
	return [digits][]glyph{
		0: {
			way(3, line(at(.56, .09), at(.38, .1), at(.24, .28), at(.2, .55), at(.29, .82), at(.5, .92), at(.71, .81), at(.8, .52), at(.74, .24), at(.58, .1), at(.42, .09))),
			way(1, line(at(.64, .1), at(.46, .11), at(.3, .32), at(.25, .6), at(.34, .87), at(.56, .9), at(.72, .7), at(.76, .4), at(.67, .15), at(.5, .06))),
			way(1, line(at(.4, .12), at(.57, .1), at(.73, .26), at(.77, .55), at(.67, .83), at(.46, .92), at(.27, .79), at(.21, .5), at(.28, .22), at(.45, .08), at(.57, .1))),
		},
		1: {
			way(4, line(at(.51, .07), at(.5, .5), at(.49, .93))),
			way(2, line(at(.33, .28), turn(.53, .08), at(.52, .5), at(.51, .93))),
			way(1, line(at(.33, .26), turn(.52, .08), at(.51, .5), at(.5, .9)), line(at(.29, .91), at(.5, .9), at(.74, .9))),
		},
		2: {
			way(3, line(at(.24, .3), at(.34, .12), at(.57, .08), at(.74, .24), at(.68, .46), at(.46, .7), turn(.22, .9), at(.5, .89), at(.82, .88))),
			way(3, line(at(.26, .26), at(.4, .1), at(.62, .11), at(.72, .3), at(.6, .54), at(.42, .78), at(.26, .9), at(.17, .82), at(.29, .74), at(.48, .84), at(.66, .92), at(.84, .84))),
			way(1, line(at(.28, .2), at(.5, .07), at(.72, .2), at(.66, .48), at(.4, .8), turn(.3, .9), at(.44, .8), at(.6, .9), at(.8, .86))),
		},
		3: {
			way(3, line(at(.25, .18), at(.46, .07), at(.7, .18), at(.65, .38), turn(.42, .47), at(.68, .54), at(.77, .74), at(.56, .92), at(.23, .83))),
			way(1, line(at(.24, .1), turn(.74, .1), turn(.44, .42), at(.7, .5), at(.75, .72), at(.54, .92), at(.22, .82))),
			way(2, line(at(.28, .14), at(.54, .07), at(.69, .22), at(.58, .41), at(.42, .47), at(.44, .5), at(.64, .55), at(.71, .75), at(.5, .93), at(.25, .87))),
		},
		4: {
			way(3, line(at(.3, .1), at(.25, .34), turn(.22, .56), at(.5, .57), at(.8, .53)), line(at(.69, .12), at(.65, .5), at(.61, .93))),
			way(2, line(at(.2, .1), turn(.24, .48), at(.5, .53), turn(.7, .5), turn(.72, .1), at(.7, .5), at(.66, .93))),
			way(2, line(at(.62, .08), at(.4, .36), turn(.18, .63), at(.5, .62), at(.84, .62)), line(at(.63, .08), at(.61, .5), at(.6, .93))),
		},
		5: {
			way(3, line(at(.32, .1), at(.29, .28), turn(.26, .46), at(.46, .4), at(.72, .5), at(.76, .72), at(.56, .91), at(.24, .86)), line(at(.32, .1), at(.54, .11), at(.78, .08))),
			way(2, line(at(.76, .1), turn(.35, .12), turn(.29, .44), at(.52, .4), at(.72, .54), at(.7, .8), at(.46, .92), at(.22, .82))),
			way(1, line(at(.74, .1), at(.5, .1), at(.32, .22), at(.36, .42), at(.6, .54), at(.7, .72), at(.5, .92), at(.24, .84))),
		},
		6: {
			way(3, line(at(.66, .08), at(.42, .26), at(.26, .56), at(.29, .82), at(.52, .92), at(.74, .8), at(.7, .6), at(.5, .53), at(.29, .68))),
			way(2, line(at(.54, .06), at(.36, .36), at(.27, .68), at(.4, .9), at(.62, .88), at(.7, .7), at(.54, .58), at(.36, .68), at(.3, .8))),
			way(1, line(at(.72, .14), at(.56, .08), at(.36, .24), at(.25, .56), at(.32, .86), at(.56, .92), at(.72, .76), at(.6, .58), at(.38, .6), at(.28, .7))),
		},
		7: {
			way(3, line(at(.22, .13), at(.5, .12), turn(.78, .1), at(.6, .48), at(.46, .93))),
			way(2, line(at(.22, .14), at(.5, .12), turn(.77, .1), at(.6, .46), at(.47, .93)), line(at(.34, .52), at(.54, .5), at(.74, .47))),
			way(1, line(at(.22, .28), turn(.25, .12), at(.5, .13), turn(.76, .1), at(.56, .48), at(.5, .92))),
			way(1, line(at(.23, .18), at(.44, .1), at(.7, .11), at(.68, .3), at(.52, .6), at(.42, .93))),
		},
		8: {
			way(3, line(at(.68, .2), at(.5, .07), at(.31, .2), at(.42, .43), at(.65, .6), at(.71, .8), at(.5, .93), at(.28, .8), at(.36, .6), at(.57, .45), at(.71, .27), at(.64, .12))),
			way(1, line(at(.5, .07), at(.32, .17), at(.34, .38), at(.5, .46), at(.66, .38), at(.68, .18), at(.5, .07)),
				line(at(.5, .46), at(.28, .59), at(.28, .82), at(.5, .93), at(.72, .82), at(.72, .59), at(.5, .46))),
			way(1, line(at(.34, .16), at(.54, .07), at(.7, .18), at(.58, .42), at(.36, .6), at(.28, .8), at(.48, .93), at(.7, .8), at(.62, .58), at(.4, .42), at(.29, .24), at(.4, .12))),
		},
		9: {
			way(3, line(at(.7, .2), at(.52, .08), at(.31, .18), at(.29, .4), at(.48, .5), at(.66, .38), turn(.71, .18), at(.68, .55), at(.62, .93))),
			way(2, line(at(.72, .22), at(.54, .08), at(.33, .15), at(.28, .36), at(.44, .48), at(.64, .4), turn(.73, .18), at(.73, .52), at(.62, .84), at(.42, .92), at(.27, .84))),
			way(1, line(at(.66, .12), at(.42, .1), at(.28, .28), at(.4, .46), at(.6, .42), at(.7, .18), at(.69, .5), at(.52, .93))),
		},
	}
}
