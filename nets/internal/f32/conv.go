package f32

// A Conv is the shape of a convolution with stride 1 and "same" zero padding: the images keep their size, and each
// pixel sees the Kernel×Kernel square around it, Kernel being odd. Weights are in the order (row, column, in, out), as
// a matrix of Patch() rows and Out columns.
type Conv struct{ Height, Width, In, Out, Kernel int }

// Patch is how many numbers a pixel sees: Kernel²·In.
func (s Conv) Patch() int { return s.Kernel * s.Kernel * s.In }

// Input and Output are the shapes of a batch before and after.
func (s Conv) Input(batch int) Image  { return Image{batch, s.Height, s.Width, s.In} }
func (s Conv) Output(batch int) Image { return Image{batch, s.Height, s.Width, s.Out} }

func (s Conv) valid() bool {
	return s.Height > 0 && s.Width > 0 && s.In > 0 && s.Out > 0 && s.Kernel > 0 && s.Kernel%2 == 1
}

// convInGo defines conv: y = x * w for a batch of images, y[n,r,c,o] = Σ x[n,r+i-h,c+j-h,k] w[i,j,k,o] with h =
// (Kernel-1)/2, summed in the order of i, j and k, where x is 0 beside the image: a weight that is not finite makes
// sums at the border NaN, but on the generic path. Images may be computed by separate calls with the same bits.
func (pt path) convInGo(s Conv, y, x, w []float32, batch int, ws *Workspace) {
	clear(y)
	pt.eachTap(s, batch, x, s.In, ws, func(seen []float32, to, tap int) {
		dst := y[to*s.Out:][:s.Out]
		for k, v := range seen {
			pt.addTimes(dst, v, w[(tap*s.In+k)*s.Out:])
		}
	})
}

// convBackDataInGo defines convBackData, the gradient by the images, given dy by the convolution: dx[n,r,c,k] = Σ
// dy[n,r-i+h,c-j+h,o] w[i,j,k,o], summed from the last i and j to the first, and there in the order of o. It is the
// convolution of dy with the kernel turned by half a circle and its channels exchanged. Images may be computed by
// separate calls with the same bits.
func (pt path) convBackDataInGo(s Conv, dx, dy, w []float32, batch int, ws *Workspace) {
	clear(dx)
	taps := s.Kernel * s.Kernel
	pt.eachTap(s, batch, dy, s.Out, ws, func(seen []float32, to, tap int) {
		dst := dx[to*s.In:][:s.In]
		for k := range dst {
			dst[k] = pt.dot(dst[k], seen, w[((taps-1-tap)*s.In+k)*s.Out:])
		}
	})
}

// lines is how many lines of an image convBackWeights adds up before it adds to the images and
// lines before: as many as a sum may have terms, and a copy with its border has room.
func (s Conv) lines() int {
	return max(1, min(s.Height, leftPack/s.padded()-s.Kernel+1, maxTerms/s.Width))
}

// padded is how many numbers a line has with its border.
func (s Conv) padded() int { return (s.Width + s.Kernel - 1) * s.In }

// convBackWeightsInGo defines convBackWeights, rows from ≤ p < to of dw, the gradient by the weights as a matrix of
// Patch() rows: dw[i,j,k,o] = Σ x[n,r+i-h,c+j-h,k] dy[n,r,c,o] over all pixels of the batch, summed in order over some
// lines of an image, and then over such parts; or it adds them. dw is the whole matrix; its other rows are left alone.
func (pt path) convBackWeightsInGo(s Conv, dw, x, dy []float32, batch, from, to int, add bool) {
	if !add {
		clear(dw[from*s.Out : to*s.Out])
	}
	lines := s.lines()
	for n := range batch {
		image, grad := x[n*s.Height*s.Width*s.In:], dy[n*s.Height*s.Width*s.Out:]
		for top := 0; top < s.Height; top += lines {
			bottom := min(top+lines, s.Height)
			for row := from; row < to; row++ {
				pt.weightsInGo(s, dw[row*s.Out:][:s.Out], image, grad, row, top, bottom, add || n > 0 || top > 0)
			}
		}
	}
}

// weightsInGo sums up a row of the weights' gradient over some lines of an image.
func (pt path) weightsInGo(s Conv, dw, image, grad []float32, row, top, bottom int, add bool) {
	tap, k := row/s.In, row%s.In
	down, right := tap/s.Kernel-s.Kernel/2, tap%s.Kernel-s.Kernel/2
	var all sums
	for o := 0; o < s.Out; o += len(all) {
		dst := dw[o:min(o+len(all), s.Out)]
		clear(all[:len(dst)])
		for r := top; r < bottom; r++ {
			for c := range s.Width {
				x := float32(0)
				if at := s.pixel(r+down, c+right); at >= 0 {
					x = image[at*s.In+k]
				} else if pt == generic {
					continue
				}
				pt.addTimes(all[:len(dst)], x, grad[(r*s.Width+c)*s.Out+o:])
			}
		}
		all.put(dst, add)
	}
}

// eachTap calls f for each pixel and each place of the kernel, with the channels seen there and the numbers of the
// pixel and of the place. Beside the image zeros are seen, which the generic path leaves out.
func (pt path) eachTap(s Conv, batch int, x []float32, channels int, ws *Workspace,
	f func(seen []float32, to, tap int)) {
	ws.reserve(channels, 0)
	zeros := ws.left[:channels]
	clear(zeros)
	pixels := s.Height * s.Width
	for to := range batch * pixels {
		image := x[to/pixels*pixels*channels:]
		top, left := to%pixels/s.Width-s.Kernel/2, to%s.Width-s.Kernel/2
		for i := range s.Kernel {
			for j := range s.Kernel {
				if at := s.pixel(top+i, left+j); at >= 0 {
					f(image[at*channels:][:channels], to, i*s.Kernel+j)
				} else if pt != generic {
					f(zeros, to, i*s.Kernel+j)
				}
			}
		}
	}
}

// pixel is the number of a pixel in its image, or -1 beside it.
func (s Conv) pixel(r, c int) int {
	if r < 0 || r >= s.Height || c < 0 || c >= s.Width {
		return -1
	}
	return r*s.Width + c
}
