package session

import "github.com/psgld/psgld-tui/engine"

// historyCap bounds a lane's points.
const historyCap = 512

// history is a lane's points, each stride draws of every chain apart. When it is full, every
// other point goes and the stride doubles. The points that it hands out are
// never changed, so snapshots share them.
//
// A point is planned when its draw is kept and added when that has been evaluated, which
// on another goroutine is later. Which points there are follows from the plan alone.
type history struct {
	points  []engine.Point
	planned int // how many there are with those that wait to be added
	stride  uint64
	next    uint64 // draw count of the next point
}

func newHistory() history { return history{stride: 1, next: 1} }

// A planned point is one that waits for the scores of its draw.
type plannedPoint struct {
	engine.Point
	halve bool // every other point goes before it is added
	off   bool // it is left out: its draw is none of the stride that has just doubled
}

// due reports whether the point of a lane's kept-th draw is wanted.
func (h *history) due(kept uint64) bool { return kept >= h.next }

// plan takes the point of a lane's kept-th draw into the plan.
func (h *history) plan(kept uint64, p engine.Point) plannedPoint {
	halve := h.planned == historyCap
	if halve {
		h.planned /= 2
		h.stride *= 2
	}
	off := kept%h.stride != 0
	if !off {
		h.planned++
	}
	h.next = (kept/h.stride + 1) * h.stride
	return plannedPoint{p, halve, off}
}

// add adds the oldest point that is planned and not added yet.
func (h *history) add(p *plannedPoint) {
	if p.halve {
		half := make([]engine.Point, 0, historyCap)
		for i := 1; i < len(h.points); i += 2 {
			half = append(half, h.points[i])
		}
		h.points = half
	}
	if !p.off {
		h.points = append(h.points, p.Point)
	}
}

// cut drops the points after a step, which a rewind has undone. None waits to be added.
func (h *history) cut(step uint64) {
	n := len(h.points)
	for n > 0 && h.points[n-1].Step > step {
		n--
	}
	h.points = h.points[:n:n] // the next append copies, so snapshots keep theirs
	h.planned = n
}
