package f32

import "fmt"

// An Image is the shape of a batch of images in NHWC order.
type Image struct{ Batch, Height, Width, Channels int }

// Len is the number of values of the images.
func (s Image) Len() int { return s.Batch * s.Height * s.Width * s.Channels }

// Pooled is the shape after pooling 2×2; an odd last row or column is left out.
func (s Image) Pooled() Image { return Image{s.Batch, s.Height / 2, s.Width / 2, s.Channels} }

func (s Image) check(who string, have int) {
	if s.Batch < 0 || s.Height < 0 || s.Width < 0 || s.Channels < 0 || have != s.Len() {
		panic(fmt.Sprintf("f32: %s: %d numbers for images %+v", who, have, s))
	}
}

// MaxPool sets dst, of shape s.Pooled(), to the maxima of the 2×2 squares of x, of shape s, and which to where they
// are: 2·row + column within the square, the first of equal ones. NaN counts as the greatest number.
//
// Pooling commutes with a bias of each channel and with the rectifier: done
// before them it leaves them a quarter of the work and gives the same values.
func MaxPool(dst []float32, which []uint8, x []float32, s Image) {
	s.check("MaxPool", len(x))
	s.Pooled().check("MaxPool", len(dst))
	sameLength("MaxPool", "places", len(which), len(dst))
	active.maxPool(dst, which, x, s)
}

func maxPoolGeneric(dst []float32, which []uint8, x []float32, s Image) {
	c, line := s.Channels, s.Width*s.Channels
	eachSquare(s, func(out, in int) {
		maxOfFour(dst[out:][:c], which[out:][:c], x[in:], line, c)
	})
}

// eachSquare calls f with where each square's channels begin in the pooled images and in the images.
func eachSquare(s Image, f func(out, in int)) {
	out := 0
	for n := range s.Batch {
		for y := range s.Height / 2 {
			for x := range s.Width / 2 {
				f(out, ((n*s.Height+2*y)*s.Width+2*x)*s.Channels)
				out += s.Channels
			}
		}
	}
}

// maxOfFour pools a square: its pixels are at 0, c, line and line+c of x.
func maxOfFour(dst []float32, which []uint8, x []float32, line, c int) {
	for j := range dst {
		best, at := x[j], uint8(0)
		for q, v := range [...]float32{x[j+c], x[j+line], x[j+line+c]} {
			if v > best || v != v {
				best, at = v, uint8(q+1)
			}
		}
		dst[j], which[j] = best, at
	}
}

// MaxPoolBack sets dx, of shape s, to the gradient by MaxPool's input: dy, of shape
// s.Pooled(), where the maxima were, and 0 elsewhere.
func MaxPoolBack(dx, dy []float32, which []uint8, s Image) {
	s.check("MaxPoolBack", len(dx))
	s.Pooled().check("MaxPoolBack", len(dy))
	sameLength("MaxPoolBack", "places", len(which), len(dy))
	if s.Height%2 == 1 || s.Width%2 == 1 {
		clear(dx)
	}
	active.maxPoolBack(dx, dy, which, s)
}

func maxPoolBackGeneric(dx, dy []float32, which []uint8, s Image) {
	c, line := s.Channels, s.Width*s.Channels
	eachSquare(s, func(out, in int) {
		toOneOfFour(dx[in:], dy[out:][:c], which[out:][:c], line, c)
	})
}

// toOneOfFour is the gradient of maxOfFour.
func toOneOfFour(dx, dy []float32, which []uint8, line, c int) {
	for j, d := range dy {
		dx[j], dx[j+c], dx[j+line], dx[j+line+c] = 0, 0, 0, 0
		w := int(which[j])
		dx[j+w&1*c+w>>1*line] = d
	}
}

// unpoolLineGeneric is maxPoolBackGeneric for squares side by side in two lines, so many numbers apart.
func unpoolLineGeneric(dx, dy []float32, which []uint8, line, channels, squares int) {
	for i := range squares {
		toOneOfFour(dx[2*i*channels:], dy[i*channels:][:channels], which[i*channels:][:channels], line, channels)
	}
}
