package nets

import "github.com/psgld/psgld-tui/nets/internal/f32"

// MatMul sets dst = a·b by the workspace's workers, for those who multiply matrices
// of their own: a is m×k, b k×n and dst m×n, row by row. The bits do not depend on
// the number of workers. It does not allocate.
func (ws *Workspace) MatMul(dst, a, b []float32, m, k, n int) {
	ws.team.MatMul(f32.Mat(m, n, dst), f32.Mat(m, k, a), f32.Mat(k, n, b), false)
}

// MatTMul sets dst = aᵀ·b likewise: a is k×m, b k×n and dst m×n.
func (ws *Workspace) MatTMul(dst, a, b []float32, m, k, n int) {
	ws.team.MatTMul(f32.Mat(m, n, dst), f32.Mat(k, m, a), f32.Mat(k, n, b), false)
}
