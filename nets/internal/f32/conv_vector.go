package f32

// The convolutions read images where they are, but for a border of zeros: a line of
// the kernel on neighbouring pixels is a small product whose rows overlap. With
// the lines of the kernel as runs of a tile no matrix of patches is written.

// conv computes as many panels of channels at a time as have their weights packed, for one image after the other.
func (pt path) conv(s Conv, y, x, w []float32, batch int, ws *Workspace) {
	if pt <= generic {
		pt.convInGo(s, y, x, w, batch, ws)
		return
	}
	weights := Mat(s.Patch(), s.Out, w)
	pt.slide(s, y, x, batch, ws, func(dst []float32, width, from, to int) {
		pt.packRows(dst, width, weights.Columns(from, to))
	})
}

func (pt path) convBackData(s Conv, dx, dy, w []float32, batch int, ws *Workspace) {
	if pt <= generic {
		pt.convBackDataInGo(s, dx, dy, w, batch, ws)
		return
	}
	back := Conv{Height: s.Height, Width: s.Width, In: s.Out, Out: s.In, Kernel: s.Kernel}
	taps := s.Kernel * s.Kernel
	pt.slide(back, dx, dy, batch, ws, func(dst []float32, width, from, to int) {
		// In this order, as a pack may write to some rows after its last.
		for tap := range taps {
			turned := Mat(s.In, s.Out, w[(taps-1-tap)*s.In*s.Out:])
			pt.packTransposed(dst[tap*s.Out*width:], width, turned.Between(from, to))
		}
	})
}

// slack is how many rows packTransposed may write after the last.
const slack = 15

// pad copies the lines that rows from ≤ r < to of the result depend on, with zeros around.
func (s Conv) pad(dst, image []float32, from, to int) {
	line, half := s.Width*s.In, s.Kernel/2
	for r := from - half; r < to+half; r++ {
		d := dst[:s.padded()]
		dst = dst[len(d):]
		if r < 0 || r >= s.Height {
			clear(d)
			continue
		}
		clear(d[:half*s.In])
		copy(d[half*s.In:], image[r*line:][:line])
		clear(d[half*s.In+line:])
	}
}

// slide computes a convolution; pack fills a panel with the weights of some of the channels that come out.
func (pt path) slide(s Conv, y, x []float32, batch int, ws *Workspace, pack func(dst []float32, width, from, to int)) {
	_, width := pt.tileSize()
	panel := s.Patch() * width
	ws.reserve(s.Kernel*s.padded(), panel+slack*width)
	group := (len(ws.right) - slack*width) / panel * width // channels
	lines := max(1, min(s.Height, leftPack/s.padded()-s.Kernel+1))
	t := tile{
		rowA: 4 * s.In, stepA: 4, stepB: 4 * width, rowC: 4 * s.Out,
		steps: s.Kernel * s.In, runs: s.Kernel, jumpA: 4 * (s.padded() - s.Kernel*s.In),
	}
	for first := 0; first < s.Out; first += group {
		last := min(first+group, s.Out)
		for j := first; j < last; j += width {
			pack(ws.right[(j-first)*s.Patch():], width, j, min(j+width, last))
		}
		for n := range batch {
			image, result := x[n*s.Height*s.Width*s.In:], y[n*s.Height*s.Width*s.Out:]
			for from := 0; from < s.Height; from += lines {
				to := min(from+lines, s.Height)
				s.pad(ws.left, image, from, to)
				for j := first; j < last; j += width {
					t.b = &ws.right[(j-first)*s.Patch()]
					for r := from; r < to; r++ {
						t.a = &ws.left[(r-from)*s.padded()]
						t.c = &result[r*s.Width*s.Out+j]
						pt.run(&t, s.Width, min(width, last-j), ws)
					}
				}
			}
		}
	}
}

// convBackWeights adds up an image, or as many of its lines as a tile takes terms, in tiles of patch entries, which are
// contiguous within a line of the kernel. The sums of images are added in order.
func (pt path) convBackWeights(s Conv, dw, x, dy []float32, batch, from, to int, add bool, ws *Workspace) {
	if pt <= generic || batch == 0 {
		pt.convBackWeightsInGo(s, dw, x, dy, batch, from, to, add)
		return
	}
	_, width := pt.tileSize()
	lines := s.lines()
	ws.reserve((lines+s.Kernel-1)*s.padded(), lines*s.Width*width)
	entries := s.Kernel * s.In // of a line of the kernel
	t := tile{
		rowA: 4, stepA: 4 * s.In, rowC: 4 * s.Out,
		steps: s.Width, jumpA: 4 * (s.Kernel - 1) * s.In,
	}
	if add {
		t.add = 1
	}
	for n := range batch {
		image, grad := x[n*s.Height*s.Width*s.In:], dy[n*s.Height*s.Width*s.Out:]
		for top := 0; top < s.Height; top += lines {
			bottom := min(top+lines, s.Height)
			t.runs = bottom - top
			s.pad(ws.left, image, top, bottom)
			for j := 0; j < s.Out; j += width {
				columns := min(width, s.Out-j)
				t.b, t.stepB = &grad[top*s.Width*s.Out+j], 4*s.Out
				if columns < width && !pt.masks() {
					m := Matrix{t.runs * s.Width, columns, s.Out, grad[top*s.Width*s.Out+j:]}
					pt.packRows(ws.right, width, m)
					t.b, t.stepB = &ws.right[0], 4*width
				}
				for i := range s.Kernel {
					low, high := max(from-i*entries, 0), min(to-i*entries, entries)
					if low >= high {
						continue
					}
					t.a = &ws.left[i*s.padded()+low]
					t.c = &dw[(i*entries+low)*s.Out+j]
					pt.run(&t, high-low, columns, ws)
				}
			}
			t.add = 1
		}
	}
}
