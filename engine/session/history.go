package session

import "github.com/psgld/psgld-tui/engine"

// historyCap bounds a lane's points.
const historyCap = 512

// history is a lane's points, each stride draws apart. When it is full, every
// other point goes and the stride doubles. The points that it hands out are
// never changed, so snapshots share them.
type history struct {
	points []engine.Point
	stride uint64
	next   uint64 // draw count of the next point
}

func newHistory() history { return history{stride: 1, next: 1} }

// due reports whether the point of a lane's kept-th draw is wanted.
func (h *history) due(kept uint64) bool { return kept >= h.next }

func (h *history) add(kept uint64, p engine.Point) {
	if len(h.points) == historyCap {
		half := make([]engine.Point, 0, historyCap)
		for i := 1; i < historyCap; i += 2 {
			half = append(half, h.points[i])
		}
		h.points = half
		h.stride *= 2
	}
	if kept%h.stride == 0 {
		h.points = append(h.points, p)
	}
	h.next = (kept/h.stride + 1) * h.stride
}

// cut drops the points after a step, which a rewind has undone.
func (h *history) cut(step uint64) {
	n := len(h.points)
	for n > 0 && h.points[n-1].Step > step {
		n--
	}
	h.points = h.points[:n:n] // the next append copies, so snapshots keep theirs
}
