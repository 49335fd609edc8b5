package theme

// sixteen are colours that a terminal with sixteen rounds to each of them, in their order: black, red,
// green, yellow, blue, magenta, cyan and white, then the same, bright.
var sixteen = [16]Color{
	RGB(0, 0, 0), RGB(0x80, 0, 0), RGB(0, 0x80, 0), RGB(0x80, 0x80, 0),
	RGB(0, 0, 0x80), RGB(0x80, 0, 0x80), RGB(0, 0x80, 0x80), RGB(0x9e, 0x9e, 0x9e),
	RGB(0x6c, 0x6c, 0x6c), RGB(0xff, 0, 0), RGB(0, 0xff, 0), RGB(0xff, 0xff, 0),
	RGB(0, 0, 0xff), RGB(0xff, 0, 0xff), RGB(0, 0xff, 0xff), RGB(0xff, 0xff, 0xff),
}

// basic gives what must be told apart colours that are among the sixteen, the same in all palettes:
// rounded, an orange lane would be as red as what is bad.
func (t *Theme) basic() {
	bright, muted := [NumLanes]int{12, 11, 10, 13}, [NumLanes]int{4, 3, 2, 5}
	truth, accent, good, warn, bad := 15, 14, 10, 3, 9
	low, high := 8, 7
	if !t.Dark { // muted on white is grey: the bright colours are hard to see there
		bright, muted = muted, [NumLanes]int{7, 7, 7, 7}
		truth, accent, good, warn, bad = 0, 6, 2, 3, 1
		low, high = 7, 8
	}
	for s, i := range map[*Style]int{&t.Truth: truth, &t.Good: good, &t.Warn: warn, &t.Bad: bad, &t.TitleFocus: accent,
		&t.Focus: accent, &t.Accent: accent, &t.SliderFill: accent, &t.Key: accent} {
		s.FG = sixteen[i]
	}
	for i := range t.Lane {
		l := &t.Lane[i]
		l.Style.FG, l.Ring.FG, l.Soft.FG = sixteen[bright[i]], sixteen[bright[i]], sixteen[muted[i]]
		for k := range l.Trail {
			l.Trail[k].FG = sixteen[[]int{muted[i], bright[i]}[2*k/TrailShades]]
		}
	}
	for i := range t.Contour {
		t.Contour[i].FG = sixteen[[]int{low, high}[2*i/ContourShades]]
	}
	for i := range t.Heat {
		t.Heat[i].FG = sixteen[[]int{4, 8, 7, 11}[4*i/HeatShades]]
	}
}
