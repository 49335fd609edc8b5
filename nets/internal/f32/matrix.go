package f32

import "fmt"

// A Matrix is a view of row-major numbers: element i, j is Data[i*Stride+j].
type Matrix struct {
	Rows, Cols, Stride int
	Data               []float32
}

// Mat views the first rows·cols numbers of data as a matrix without gaps.
func Mat(rows, cols int, data []float32) Matrix {
	m := Matrix{rows, cols, cols, data}
	m.check("Mat")
	return m
}

// Columns is the view of columns from ≤ j < to.
func (m Matrix) Columns(from, to int) Matrix {
	if from < 0 || to < from || m.Cols < to {
		panic(fmt.Sprintf("f32: columns %d to %d of %d", from, to, m.Cols))
	}
	v := Matrix{m.Rows, to - from, m.Stride, m.Data}
	if !v.empty() {
		v.Data = m.Data[from:]
	}
	return v
}

// Between is the view of rows from ≤ i < to.
func (m Matrix) Between(from, to int) Matrix {
	if from < 0 || to < from || m.Rows < to {
		panic(fmt.Sprintf("f32: rows %d to %d of %d", from, to, m.Rows))
	}
	v := Matrix{to - from, m.Cols, m.Stride, m.Data}
	if !v.empty() {
		v.Data = m.Data[from*m.Stride:]
	}
	return v
}

// Row is row i.
func (m Matrix) Row(i int) []float32 { return m.Data[i*m.Stride:][:m.Cols:m.Cols] }

func (m Matrix) empty() bool { return m.Rows == 0 || m.Cols == 0 }

// check panics where the numbers of the matrix are not all in Data.
func (m Matrix) check(who string) {
	if m.Rows < 0 || m.Cols < 0 || !m.empty() && (m.Stride < m.Cols || len(m.Data) < (m.Rows-1)*m.Stride+m.Cols) {
		panic(fmt.Sprintf("f32: %s: a %d×%d matrix with stride %d in %d numbers",
			who, m.Rows, m.Cols, m.Stride, len(m.Data)))
	}
}

// sameShape panics where the shapes of two matrices differ.
func sameShape(who string, a, b Matrix) {
	a.check(who)
	b.check(who)
	if a.Rows != b.Rows || a.Cols != b.Cols {
		panic(fmt.Sprintf("f32: %s: %d×%d with %d×%d", who, a.Rows, a.Cols, b.Rows, b.Cols))
	}
}

// sameLength panics where a slice that goes with a matrix has not n numbers.
func sameLength(who, what string, have, n int) {
	if have != n {
		panic(fmt.Sprintf("f32: %s: %d %s, want %d", who, have, what, n))
	}
}

// transpose sets dst to the columns of m, one after another.
func (pt path) transpose(dst []float32, m Matrix) {
	for i := range m.Rows {
		for j, v := range m.Row(i) {
			dst[j*m.Rows+i] = v
		}
	}
}
