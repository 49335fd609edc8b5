//go:build !noasm

package f32

func (p path) maxPool(dst []float32, which []uint8, x []float32, s Image) {
	if !p.inVectors(s) {
		maxPoolGeneric(dst, which, x, s)
		return
	}
	line, channels, squares := 4*s.Width*s.Channels, 4*s.Channels, s.Width/2
	eachLine(s, func(out, in int) {
		if p == avx512 { // without a function between: a line is short
			maxPoolAVX512(&dst[out], &which[out], &x[in], line, channels, squares)
		} else {
			maxPoolAVX2(&dst[out], &which[out], &x[in], line, channels, squares)
		}
	})
}

func (p path) maxPoolBack(dx, dy []float32, which []uint8, s Image) {
	if !p.inVectors(s) {
		maxPoolBackGeneric(dx, dy, which, s)
		return
	}
	eachLine(s, func(out, in int) {
		p.unpoolLine(dx[in:], dy[out:], which[out:], s.Width*s.Channels, s.Channels, s.Width/2)
	})
}

func (p path) unpoolLine(dx, dy []float32, which []uint8, line, channels, squares int) {
	if p <= generic || p.whole(channels) != channels {
		unpoolLineGeneric(dx, dy, which, line, channels, squares)
		return
	}
	if p == avx512 {
		maxPoolBackAVX512(&dx[0], &dy[0], &which[0], 4*line, 4*channels, squares)
	} else {
		maxPoolBackAVX2(&dx[0], &dy[0], &which[0], 4*line, 4*channels, squares)
	}
}
