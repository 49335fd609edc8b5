package plane

// isBraille reports whether r is one of the braille patterns, which are eight dots a cell.
func isBraille(r rune) bool { return r >= 0x2800 && r < 0x2900 }

// dots is a rune as it is rendered: a braille pattern may be an octant.
func (p *Plane) dots(r rune) rune {
	if p.Octants && !p.ASCII && isBraille(r) {
		return octants[r&0xff]
	}
	return r
}

// octants are the block octants (Unicode 16, U+1CD00 to U+1CDE5) by braille pattern: each
// dot is an eighth of the cell, and dots that touch leave no gap.
var octants = func() (all [256]rune) {
	// Octants have a bit for each eighth from the upper left, two a row, and their code
	// points rise with the bits. Those that other blocks have already are left out.
	elsewhere := map[uint8]rune{
		0x00: ' ', 0x01: 0x1CEA8, 0x02: 0x1CEAB, 0x03: 0x1FB82, 0x05: '▘', 0x0A: '▝', 0x0F: '▀',
		0x14: 0x1FBE6, 0x28: 0x1FBE7, 0x3F: 0x1FB85, 0x40: 0x1CEA3, 0x50: '▖', 0x55: '▌', 0x5A: '▞',
		0x5F: '▛', 0x80: 0x1CEA0, 0xA0: '▗', 0xA5: '▚', 0xAA: '▐', 0xAF: '▜', 0xC0: '▂', 0xF0: '▄',
		0xF5: '▙', 0xFA: '▟', 0xFC: '▆', 0xFF: '█',
	}
	braille := [8]uint8{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80} // in the order of the eighths
	next := rune(0x1CD00)
	for bits := range 256 {
		r, known := elsewhere[uint8(bits)]
		if !known {
			r = next
			next++
		}
		pattern := uint8(0)
		for i, dot := range braille {
			if bits>>i&1 != 0 {
				pattern |= dot
			}
		}
		all[pattern] = r
	}
	return all
}()
