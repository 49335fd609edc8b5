package theme

// Glyphs is every character that charts and panels draw with.
type Glyphs struct {
	// Braille says whether a plane of draws has 2×4 dots a cell (braille patterns) or one dot a cell (Dots, below).
	Braille bool

	// Box corners and edges, then the tees of an axis.
	TopLeft, TopRight, BottomLeft, BottomRight, Horizontal, Vertical rune
	AxisCorner, TickX, TickY                                         rune

	Lanes [4]rune // the marks of lanes A to D

	// Dashes are how a lane's line in a chart of dots is broken: so many dots are drawn, so many left out, in turn;
	// none of it is solid. Without dots Lines has the characters of a lane's line: along, up, then the corners
	// down-right, down-left, up-right, up-left. Either way lines differ without colour.
	Dashes [4][]uint8
	Lines  [4]string

	// VBlock fills a cell from below in eighths, HBlock from the left; index 0
	// is empty and 8 is full. ASCII has fewer steps and repeats them.
	VBlock, HBlock [9]rune
	// Shade goes from empty to full in five steps.
	Shade [5]rune

	// Dots of the plane when Braille is false: a contour, a line, then points
	// by how many fall into the cell (one, a few, many).
	DotContour, DotLine rune
	DotPoint            [3]rune

	SliderLeft, SliderRight, SliderTrack, SliderKnob rune

	Mark, Reference       rune // vertical mark of a change, horizontal reference line
	Curve                 rune // one point of a truth curve
	Cross, Mean           rune // a diverged place, a mean
	Ellipsis, Bullet      rune
	Pointer               rune // the selected row of a list
	Running, Paused, Done rune
	OK, Warning, Fail     rune
}

// unicodeGlyphs needs a font with box drawing, blocks and braille patterns.
func unicodeGlyphs() Glyphs {
	return Glyphs{
		Braille: true,
		TopLeft: '╭', TopRight: '╮', BottomLeft: '╰', BottomRight: '╯', Horizontal: '─', Vertical: '│',
		AxisCorner: '└', TickX: '┬', TickY: '┤',
		Lanes:      [4]rune{'●', '▲', '■', '◆'},
		Dashes:     [4][]uint8{nil, {7, 3}, {1, 3}, {8, 3, 1, 3}},
		VBlock:     [9]rune{' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'},
		HBlock:     [9]rune{' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'},
		Shade:      [5]rune{' ', '░', '▒', '▓', '█'},
		DotContour: '·', DotLine: '•', DotPoint: [3]rune{'∘', '○', '●'},
		SliderLeft: '▕', SliderRight: '▏', SliderTrack: '─', SliderKnob: '●',
		Mark: '┆', Reference: '┈', Curve: '•', Cross: '✗', Mean: '+',
		Ellipsis: '…', Bullet: '·', Pointer: '▸',
		Running: '▶', Paused: '‖', Done: '■', OK: '✓', Warning: '!', Fail: '✗',
	}
}

// asciiGlyphs keeps to printable ASCII.
func asciiGlyphs() Glyphs {
	return Glyphs{
		TopLeft: '+', TopRight: '+', BottomLeft: '+', BottomRight: '+', Horizontal: '-', Vertical: '|',
		AxisCorner: '+', TickX: '+', TickY: '+',
		Lanes:      [4]rune{'o', '^', '#', '+'},
		Lines:      [4]string{"-|..''", "::::::", "~!~~~~", "=H===="},
		VBlock:     [9]rune{' ', '_', '_', '.', '.', 'o', 'o', '#', '#'},
		HBlock:     [9]rune{' ', ' ', ' ', '-', '-', '=', '=', '#', '#'},
		Shade:      [5]rune{' ', '.', ':', '+', '#'},
		DotContour: '.', DotLine: ':', DotPoint: [3]rune{'o', 'O', '@'},
		SliderLeft: '[', SliderRight: ']', SliderTrack: '-', SliderKnob: 'o',
		Mark: '|', Reference: '.', Curve: '*', Cross: 'x', Mean: '+',
		Ellipsis: '~', Bullet: '.', Pointer: '>',
		Running: '>', Paused: '=', Done: '#', OK: '+', Warning: '!', Fail: 'x',
	}
}
