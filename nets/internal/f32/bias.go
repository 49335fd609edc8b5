package f32

// AddBias adds bias to every row of y.
func AddBias(y Matrix, bias []float32) {
	y.check("AddBias")
	sameLength("AddBias", "biases", len(bias), y.Cols)
	for i := range y.Rows {
		active.axpy(y.Row(i), 1, bias)
	}
}

// AddBiasReLU sets every row of y to max(0, y + bias). NaN stays NaN.
func AddBiasReLU(y Matrix, bias []float32) {
	y.check("AddBiasReLU")
	sameLength("AddBiasReLU", "biases", len(bias), y.Cols)
	active.addBiasReLU(y, bias)
}

func addBiasReLUGeneric(y Matrix, bias []float32) {
	for i := range y.Rows {
		row := y.Row(i)
		bias := bias[:len(row)]
		for j, v := range row {
			v += bias[j]
			if 0 > v {
				v = 0
			}
			row[j] = v
		}
	}
}

// ReLUBack sets dy to 0 where y ≤ 0; y is what the rectifier put out and dy the
// gradient by it, which becomes the gradient by what went in.
func ReLUBack(dy, y Matrix) {
	sameShape("ReLUBack", dy, y)
	active.reluBack(dy, y)
}

func reluBackGeneric(dy, y Matrix) {
	for i := range dy.Rows {
		d := dy.Row(i)
		for j, v := range y.Row(i) {
			if v <= 0 {
				d[j] = 0
			}
		}
	}
}

// sumBlock is how many rows ColumnSums adds up before it adds to the total.
const sumBlock = 256

// ColumnSums sets dst[j] = Σ y[i,j], or adds that if add; the gradient by a bias. Blocks of 256 rows are added up in
// order, and their sums in order: the error is at most (256 + Rows/256)·2⁻²⁴·Σ|y|. The bits are the same on all paths.
func ColumnSums(dst []float32, y Matrix, add bool) {
	y.check("ColumnSums")
	sameLength("ColumnSums", "sums", len(dst), y.Cols)
	if !add {
		clear(dst)
	}
	for i := 0; i < y.Rows; i += sumBlock {
		active.addRows(dst, y.Between(i, min(i+sumBlock, y.Rows)))
	}
}

// addRowsGeneric adds the sum of the rows of y to dst.
func addRowsGeneric(dst []float32, y Matrix) {
	const width = 64
	for j := 0; j < y.Cols; j += width {
		var sums [width]float32
		s := sums[:min(width, y.Cols-j)]
		for i := range y.Rows {
			for c, v := range y.Row(i)[j:][:len(s)] {
				s[c] += v
			}
		}
		for c, v := range s {
			dst[j+c] += v
		}
	}
}
