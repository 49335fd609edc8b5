package panel

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// partCap is the number of bytes that a part's value can have.
const partCap = 48

// A part is a piece of a line that is shown whole or not at all: a label and a
// value, each in its style. The value is text or bytes of single-width runes,
// so that numbers are written without allocation.
type part struct {
	label      string
	labelStyle plane.Style
	text       string
	buf        [partCap]byte
	n          int
	style      plane.Style
	does       keymap.Action // what a click on it does
	rank       int           // when the line is too narrow the highest rank goes first
	least      int           // the width that it has at least, so that what follows stands still
}

// line is a row of parts, or several rows of them.
type line struct {
	parts [16]part
	n     int
}

// add appends a part; beyond the line's capacity the last one is overwritten.
func (l *line) add(rank int, label string, labelStyle, style plane.Style) *part {
	p := &l.parts[min(l.n, len(l.parts)-1)]
	*p = part{label: label, labelStyle: labelStyle, style: style, rank: rank}
	l.n = min(l.n+1, len(l.parts))
	return p
}

func (p *part) bytes(b ...byte) *part {
	p.n += copy(p.buf[p.n:], b)
	return p
}

// str appends to the value's bytes; text from outside goes to the field text,
// which has no limit and may be of any width.
func (p *part) str(s string) *part {
	p.n += copy(p.buf[p.n:], s)
	return p
}

func (p *part) rune(r rune) *part {
	var b [utf8.UTFMax]byte
	return p.bytes(b[:utf8.EncodeRune(b[:], r)]...)
}

func (p *part) uint(n uint64) *part {
	var b [partCap]byte
	return p.bytes(strconv.AppendUint(b[:0], n, 10)...)
}

func (p *part) number(v float64, width int) *part {
	var b [partCap]byte
	return p.bytes(plane.AppendNumber(b[:0], v, width)...)
}

func (p *part) count(n uint64) *part {
	var b [partCap]byte
	return p.bytes(plane.AppendCount(b[:0], n)...)
}

// grouped writes every digit, with a comma at each thousand.
func (p *part) grouped(n uint64) *part { return p.str(plane.Commas(n)) }

// duration writes a time in seconds in its two largest units: 1m40s, 2h05m.
func (p *part) duration(seconds float64) *part {
	if !(seconds >= 0 && seconds < 1e9) {
		return p.str("–")
	}
	n := uint64(math.Ceil(seconds))
	two := func(big, small uint64, b, s byte) *part {
		p.uint(big).bytes(b)
		if small < 10 {
			p.bytes('0')
		}
		return p.uint(small).bytes(s)
	}
	switch {
	case n < 60:
		return p.uint(n).bytes('s')
	case n < 3600:
		return two(n/60, n%60, 'm', 's')
	case n < 86400:
		return two(n/3600, n/60%60, 'h', 'm')
	}
	return two(n/86400, n/3600%24, 'd', 'h')
}

// measured writes a number that is whole by chance alone, with its zeros.
func (p *part) measured(v float64, width int) *part {
	var b [partCap]byte
	return p.bytes(plane.AppendMeasured(b[:0], v, width)...)
}

// countIn is count, with fewer digits where a width has no room for all.
func (p *part) countIn(n uint64, width int) *part {
	if p.count(n); p.width() > width {
		p.n = 0
		p.number(float64(n), width)
	}
	return p
}

// shorten cuts a value that is wider than a width, and marks that.
func (p *part) shorten(th *theme.Theme, width int) {
	if width < 1 || utf8.RuneCount(p.buf[:p.n]) <= width {
		return
	}
	end := 0
	for range width - 1 {
		_, n := utf8.DecodeRune(p.buf[end:p.n])
		end += n
	}
	p.n = end
	p.rune(th.Glyphs.Ellipsis)
}

// draws writes a number of draws.
func (p *part) draws(n uint64) *part {
	return p.count(n).str(plural(int(n), " draw", " draws"))
}

// percent writes a share as a percentage with two decimals at most.
func (p *part) percent(v float64) *part {
	p.measured(v*100, 5)
	if !math.IsNaN(v) {
		p.str(" %")
	}
	return p
}

// spell writes a part with ASCII alone, as it is then measured and drawn.
func (p *part) spell() {
	p.label, p.text = plane.Spell(p.label), plane.Spell(p.text)
	for i := range p.n {
		if p.buf[i] >= utf8.RuneSelf {
			s := plane.Spell(string(p.buf[:p.n]))
			p.n = copy(p.buf[:], s)
			return
		}
	}
}

// spell writes the parts with ASCII alone where that is all the region has. What
// is measured before it is drawn is spelled first.
func (l *line) spell(g plane.Region) {
	if !g.ASCII() {
		return
	}
	for i := range l.n {
		l.parts[i].spell()
	}
}

func (p *part) width() int {
	w := plane.Width(p.label) + plane.Width(p.text) + utf8.RuneCount(p.buf[:p.n])
	if p.label != "" && (p.text != "" || p.n > 0) {
		w++
	}
	return max(w, p.least)
}

func (p *part) draw(g plane.Region, x, y int) int {
	return max(p.write(g, x, y), x+p.least)
}

func (p *part) write(g plane.Region, x, y int) int {
	if g.ASCII() {
		p.spell()
	}
	if p.label != "" {
		x = g.Text(x, y, p.label, p.labelStyle)
		if p.text == "" && p.n == 0 {
			return x
		}
		g.Set(x, y, ' ', p.labelStyle)
		x++
	}
	x = g.Text(x, y, p.text, p.style)
	return runes(g, x, y, p.buf[:p.n], p.style)
}

// runes writes UTF-8 of single-width runes and returns the column after it.
func runes(g plane.Region, x, y int, text []byte, s plane.Style) int {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		g.Set(x, y, r, s)
		text = text[n:]
		x++
	}
	return x
}

// right writes a part so that it ends before column x.
func (p *part) right(g plane.Region, x, y int) {
	if g.ASCII() {
		p.spell()
	}
	p.draw(g, x-p.width(), y)
}

// place gives every part a row, filling rows of width w in order with gap
// columns between parts. The parts of highest rank get none until the rest fits
// into rows.
func (l *line) place(w, rows, gap int) (row [16]int, used int) {
	limit := math.MaxInt
	for {
		x, y, worst := 0, 0, -1
		fits := true
		for i := range l.n {
			p := &l.parts[i]
			row[i] = -1
			if p.rank >= limit {
				continue
			}
			worst = max(worst, p.rank)
			n := p.width()
			if x > 0 && x+gap+n > w {
				x, y = 0, y+1
			}
			if n > w || y >= rows {
				fits = false
			}
			if x > 0 {
				x += gap
			}
			x += n
			row[i] = y
		}
		if fits || worst < 0 {
			return row, y + 1
		}
		limit = worst
	}
}

// actionAt is what a click does on column x of a line that is drawn on one row of
// width w with gap columns between parts.
func (l *line) actionAt(w, gap, x int, ascii bool) keymap.Action {
	if ascii {
		for i := range l.n {
			l.parts[i].spell()
		}
	}
	row, _ := l.place(w, 1, gap)
	for i := range l.n {
		if row[i] != 0 {
			continue
		}
		n := l.parts[i].width()
		if x >= 0 && x < n {
			return l.parts[i].does
		}
		x -= n + gap
	}
	return keymap.None
}

// drawSome is draw for a line of which something must show: where not even the first
// part has room, what there is of it.
func (l *line) drawSome(g plane.Region, th theme.Theme, gap int) {
	if _, x := l.draw(g, gap); x > 0 || l.n == 0 {
		return
	}
	p := &l.parts[0]
	x := 0
	if p.label != "" {
		x = g.TextFit(0, 0, g.W(), th, p.label, p.labelStyle) + 1
	}
	p.shorten(&th, g.W()-x)
	runes(g, x, 0, p.buf[:p.n], p.style)
}

// draw writes the parts from the upper left of g and returns the number of rows
// used and the column after the last part.
func (l *line) draw(g plane.Region, gap int) (rows, x int) {
	l.spell(g)
	row, used := l.place(g.W(), g.H(), gap)
	y := 0
	for i := range l.n {
		if row[i] < 0 {
			continue
		}
		if row[i] != y {
			x, y = 0, row[i]
		}
		if x > 0 {
			x += gap
		}
		x = l.parts[i].draw(g, x, y)
	}
	return used, x
}
