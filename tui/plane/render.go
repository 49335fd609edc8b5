package plane

import (
	"strconv"
	"unicode/utf8"
)

// Render writes the plane: H lines of exactly W cells joined by newlines, with an SGR sequence only where the style
// changes and a reset at the end of a coloured line. Colours are 24-bit; Bubble Tea reduces them to what the terminal
// has. The string is the only allocation once the buffer has grown.
func (p *Plane) Render() string {
	out := p.out[:0]
	for y := range p.h {
		if y > 0 {
			out = append(out, '\n')
		}
		var cur Style
		row := p.cells[y*p.w : (y+1)*p.w]
		for i := range row {
			c := &row[i]
			if c.r == trailing {
				continue
			}
			if c.image != 0 {
				m := &p.shown[c.image-1]
				if piece := (Style{FG: m.name}); piece != cur {
					out = AppendSGR(out, cur, piece)
					cur = piece
				}
				out = p.Images.AppendPiece(out, i-m.x, y-m.y)
				continue
			}
			if c.style != cur && !(c.r == 0 && c.style.SameBlank(cur)) {
				out = AppendSGR(out, cur, c.style)
				cur = c.style
			}
			switch r := c.r; {
			case r == 0:
				out = append(out, ' ')
			case p.Octants && isBraille(r):
				out = p.appendCell(out, p.dots(r))
			case r >= 0x2500 && r < 0x2900 && !p.ASCII: // lines, blocks and dots, whose UTF-8 has three bytes
				out = append(out, 0xe2, 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			default:
				out = p.appendCell(out, r)
			}
		}
		if cur != (Style{}) {
			out = append(out, "\x1b[m"...)
		}
	}
	if p.Images != nil {
		p.Images.Framed()
	}
	p.out = out
	return string(out)
}

// RenderPlain writes the characters alone, without trailing blanks: for golden files and for screens without styles.
func (p *Plane) RenderPlain() string {
	var out []byte
	for y := range p.h {
		if y > 0 {
			out = append(out, '\n')
		}
		row := p.cells[y*p.w : (y+1)*p.w]
		end := len(row)
		for end > 0 && row[end-1].r == 0 {
			end--
		}
		for _, c := range row[:end] {
			if c.r != trailing {
				out = p.appendCell(out, p.dots(c.r))
			}
		}
	}
	return string(out)
}

// TextAt is the character of a cell, as Render writes it; empty in the right half of one that is two cells wide.
func (p *Plane) TextAt(x, y int) string {
	c := p.cells[y*p.w+x]
	if c.r == trailing {
		return ""
	}
	return string(p.appendCell(nil, c.r))
}

func (p *Plane) appendCell(out []byte, r rune) []byte {
	switch {
	case r == 0:
		return append(out, ' ')
	case r > 0 && r < utf8.RuneSelf:
		return append(out, byte(r))
	case p.ASCII:
		return append(out, asciiFor(p, r)...)
	case r > 0:
		return utf8.AppendRune(out, r)
	}
	return append(out, p.long[trailing-1-r]...)
}

// AppendSGR writes the change from one style to another. A style that loses an
// attribute starts over, since bold and faint share their off code.
func AppendSGR(out []byte, from, to Style) []byte {
	if to == (Style{}) {
		return append(out, "\x1b[m"...)
	}
	out = append(out, "\x1b["...)
	first := true
	sep := func() {
		if !first {
			out = append(out, ';')
		}
		first = false
	}
	if from.Attr&^to.Attr != 0 {
		sep()
		out = append(out, '0')
		from = Style{}
	}
	if added := to.Attr &^ from.Attr; added != 0 {
		for i, code := range [...]byte{'1', '2', '3', '4', '7'} {
			if added&(1<<i) != 0 {
				sep()
				out = append(out, code)
			}
		}
	}
	if from.FG != to.FG {
		sep()
		out = appendColor(out, to.FG, '3')
	}
	if from.BG != to.BG {
		sep()
		out = appendColor(out, to.BG, '4')
	}
	return append(out, 'm')
}

// appendColor writes 38;2;r;g;b, or 39 for no colour; layer '4' gives 48 and 49.
func appendColor(out []byte, c Color, layer byte) []byte {
	if !c.IsSet() {
		return append(out, layer, '9')
	}
	out = append(out, layer, '8', ';', '2', ';')
	r, g, b := c.Channels()
	out = append(strconv.AppendUint(out, uint64(r), 10), ';')
	out = append(strconv.AppendUint(out, uint64(g), 10), ';')
	return strconv.AppendUint(out, uint64(b), 10)
}
