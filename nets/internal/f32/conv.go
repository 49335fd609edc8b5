package f32

import "fmt"

// A Conv is the shape of a convolution with stride 1 and "same" zero padding: the
// images keep their size, and each pixel sees the Kernel×Kernel square around it,
// Kernel being odd. Weights are in the order (row, column, in, out), as a matrix
// of Patch() rows and Out columns.
type Conv struct{ Height, Width, In, Out, Kernel int }

// Patch is how many numbers a pixel sees: Kernel²·In.
func (s Conv) Patch() int { return s.Kernel * s.Kernel * s.In }

// Input and Output are the shapes of a batch before and after.
func (s Conv) Input(batch int) Image  { return Image{batch, s.Height, s.Width, s.In} }
func (s Conv) Output(batch int) Image { return Image{batch, s.Height, s.Width, s.Out} }

func (s Conv) check(who string, batch int, x, w, y []float32) {
	if s.Height < 1 || s.Width < 1 || s.In < 1 || s.Out < 1 || s.Kernel < 1 || s.Kernel%2 == 0 {
		panic(fmt.Sprintf("f32: %s: shape %+v", who, s))
	}
	s.Input(batch).check(who, len(x))
	s.Output(batch).check(who, len(y))
	sameLength(who, "weights", len(w), s.Patch()*s.Out)
}

// Forward sets y = x * w for a batch of images: y[n,r,c,o] = Σ x[n,r+i-h,c+j-h,k]
// w[i,j,k,o] with h = (Kernel-1)/2, summed in order as in MatMul with K = Patch().
// Where weights or inputs are not finite, sums beside the border may be NaN or
// not, by path. Images may be computed by separate calls with the same bits.
func (s Conv) Forward(y, x, w []float32, batch int, ws *Workspace) {
	s.check("Conv.Forward", batch, x, w, y)
	active.conv(s, y, x, w, batch, ws)
}

func convGeneric(s Conv, y, x, w []float32, batch int) {
	clear(y)
	s.eachTap(batch, func(in, out, tap int) {
		dst := y[out*s.Out:][:s.Out]
		for k, v := range x[in*s.In:][:s.In] {
			axpyGeneric(dst, v, w[(tap*s.In+k)*s.Out:][:s.Out])
		}
	})
}

// BackData sets dx to the gradient by the images, given dy by the convolution:
// dx[n,r,c,k] = Σ dy[n,r-i+h,c-j+h,o] w[i,j,k,o]. Images may be computed by
// separate calls with the same bits.
func (s Conv) BackData(dx, dy, w []float32, batch int, ws *Workspace) {
	s.check("Conv.BackData", batch, dx, w, dy)
	active.convBackData(s, dx, dy, w, batch, ws)
}

func convBackDataGeneric(s Conv, dx, dy, w []float32, batch int) {
	clear(dx)
	s.eachTap(batch, func(in, out, tap int) {
		dst := dx[in*s.In:][:s.In]
		for k := range dst {
			dst[k] = dot(dst[k], dy[out*s.Out:][:s.Out], w[(tap*s.In+k)*s.Out:][:s.Out])
		}
	})
}

// BackWeights sets rows from ≤ p < to of dw, the gradient by the weights as a
// matrix of Patch() rows: dw[i,j,k,o] = Σ x[n,r+i-h,c+j-h,k] dy[n,r,c,o] over all
// pixels of the batch. dw is the whole matrix; its other rows are left alone.
func (s Conv) BackWeights(dw, x, dy []float32, batch, from, to int, ws *Workspace) {
	s.check("Conv.BackWeights", batch, x, dw, dy)
	if from < 0 || to < from || s.Patch() < to {
		panic(fmt.Sprintf("f32: Conv.BackWeights: rows %d to %d of %d", from, to, s.Patch()))
	}
	active.convBackWeights(s, dw, x, dy, batch, from, to, ws)
}

func convBackWeightsGeneric(s Conv, dw, x, dy []float32, batch, from, to int) {
	clear(dw[from*s.Out : to*s.Out])
	s.eachTap(batch, func(in, out, tap int) {
		for k := max(0, from-tap*s.In); k < min(s.In, to-tap*s.In); k++ {
			axpyGeneric(dw[(tap*s.In+k)*s.Out:][:s.Out], x[in*s.In+k], dy[out*s.Out:][:s.Out])
		}
	})
}

// eachTap calls f for each pixel and each place of the kernel that is in the image
// there, with the numbers of the pixel read, of the pixel written and of the
// place.
func (s Conv) eachTap(batch int, f func(in, out, tap int)) {
	half := s.Kernel / 2
	for n := range batch {
		for r := range s.Height {
			for c := range s.Width {
				for i := max(0, half-r); i < min(s.Kernel, s.Height+half-r); i++ {
					for j := max(0, half-c); j < min(s.Kernel, s.Width+half-c); j++ {
						f((n*s.Height+r+i-half)*s.Width+c+j-half, (n*s.Height+r)*s.Width+c, i*s.Kernel+j)
					}
				}
			}
		}
	}
}
