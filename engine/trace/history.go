package trace

import "github.com/psgld/psgld-tui/engine"

// HistoryCap is the most points of a History.
const HistoryCap = 512

// History is a lane's points, each stride draws of every chain apart. When it is full, every other point goes and the
// stride doubles. The points that it hands out are never changed, so snapshots share them.
//
// A point is planned when its draw is kept and added when that has been evaluated, which
// on another goroutine is later. Which points there are follows from the plan alone.
type History struct {
	points  []engine.Point
	planned int // how many there are with those that wait to be added
	stride  uint64
	next    uint64 // draw count of the next point
}

// NewHistory returns a history without points.
func NewHistory() History { return History{stride: 1, next: 1} }

// Planned is a point that waits for the scores of its draw.
type Planned struct {
	engine.Point
	halve bool // every other point goes before it is added
	off   bool // it is left out: its draw is none of the stride that has just doubled
}

// Due reports whether the point of the draws that so many chains have kept together is wanted.
func (h *History) Due(kept, chains uint64) bool { return kept >= h.next*chains }

// Until is how many draws of every chain there are to the next point, after so many.
func (h *History) Until(rounds uint64) uint64 { return h.next - rounds }

// Plan takes the point of a lane's kept-th draw into the plan.
func (h *History) Plan(kept uint64, p engine.Point) Planned {
	halve := h.planned == HistoryCap
	if halve {
		h.planned /= 2
		h.stride *= 2
	}
	off := kept%h.stride != 0
	if !off {
		h.planned++
	}
	h.next = (kept/h.stride + 1) * h.stride
	return Planned{p, halve, off}
}

// Add adds the oldest point that is planned and not added yet.
func (h *History) Add(p *Planned) {
	if p.halve {
		half := make([]engine.Point, 0, HistoryCap)
		for i := 1; i < len(h.points); i += 2 {
			half = append(half, h.points[i])
		}
		h.points = half
	}
	if !p.off {
		h.points = append(h.points, p.Point)
	}
}

// Cut drops the points after a step, which a rewind has undone. None waits to be added.
func (h *History) Cut(step uint64) {
	n := len(h.points)
	for n > 0 && h.points[n-1].Step > step {
		n--
	}
	h.points = h.points[:n:n] // the next append copies, so snapshots keep theirs
	h.planned = n
}

// Points returns the points, oldest first.
func (h *History) Points() []engine.Point { return h.points[:len(h.points):len(h.points)] }

// Newest is the newest point, nil if there is none.
func (h *History) Newest() *engine.Point {
	if len(h.points) == 0 {
		return nil
	}
	return &h.points[len(h.points)-1]
}

// Share returns a copy that shares the points.
func (h *History) Share() History {
	k := *h
	k.points = h.Points()
	return k
}
