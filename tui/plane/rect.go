package plane

// Rect is a block of cells: X to the right, Y down, W and H not negative in any Rect that this package returns.
type Rect struct{ X, Y, W, H int }

// Empty reports whether r holds no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell (x, y) is in r; for hit tests of the mouse.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && y >= r.Y && x-r.X < r.W && y-r.Y < r.H
}

// Pad takes cells off the top, right, bottom and left.
func (r Rect) Pad(top, right, bottom, left int) Rect {
	out := Rect{r.X + left, r.Y + top, r.W - left - right, r.H - top - bottom}
	out.W, out.H = max(out.W, 0), max(out.H, 0)
	return out
}

// Intersect returns the cells in both.
func (r Rect) Intersect(s Rect) Rect {
	x0, y0 := max(r.X, s.X), max(r.Y, s.Y)
	x1, y1 := min(r.X+max(r.W, 0), s.X+max(s.W, 0)), min(r.Y+max(r.H, 0), s.Y+max(s.H, 0))
	return Rect{x0, y0, max(x1-x0, 0), max(y1-y0, 0)}
}

// CutTop splits r into its first n rows and the rest. n is clamped to r.
func (r Rect) CutTop(n int) (top, rest Rect) {
	n = min(max(n, 0), max(r.H, 0))
	return Rect{r.X, r.Y, max(r.W, 0), n}, Rect{r.X, r.Y + n, max(r.W, 0), max(r.H, 0) - n}
}

// CutBottom splits r into its last n rows and the rest.
func (r Rect) CutBottom(n int) (bottom, rest Rect) {
	rest, bottom = r.CutTop(r.H - n)
	return bottom, rest
}

// CutLeft splits r into its first n columns and the rest.
func (r Rect) CutLeft(n int) (left, rest Rect) {
	n = min(max(n, 0), max(r.W, 0))
	return Rect{r.X, r.Y, n, max(r.H, 0)}, Rect{r.X + n, r.Y, max(r.W, 0) - n, max(r.H, 0)}
}

// CutRight splits r into its last n columns and the rest.
func (r Rect) CutRight(n int) (right, rest Rect) {
	rest, right = r.CutLeft(r.W - n)
	return right, rest
}
