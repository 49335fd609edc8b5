package engine

import "github.com/psgld/psgld-tui/engine/quantity"

// Point is one point of a lane's curves. What a target does not have is NaN.
type Point struct {
	Step    uint64
	Epoch   float64 // passes over the data
	Seconds float64 // sampling time; the only field that differs from run to run
	Draws   uint64  // in the window

	CovError   float64 // Σ|estimated - true| over the covariance's entries
	MeanError  float64 // root mean squared error of the mean
	LogPost    float64 // log posterior density of the newest draw, up to a constant
	Loss       float64 // -(1/N) Σ log p(d | θ) at the newest draw; of a network, the mean over the minibatches of the draws since the last point
	ELBO       float64 // of a variational family, the mean over the last thousand steps or more
	Temp       float64 // configurational temperature
	TestError  float64 // of the averaged probabilities, as are the next four
	TrainError float64
	TestNLL    float64 // these of the training set where there is no test set
	TestBrier  float64
	TestECE    float64
	Newest     float64 // test error of the newest draw alone, or its training error where there is no test set
	NewestNLL  float64
	Drift      float64 // ‖drift‖ of the step
	Noise      float64 // ‖injected noise‖ of the step
	GMin, GMax float64
	Eps        float64
	X, Y       float64 // the first two coordinates of the newest draw

	Values quantity.Point
}

// Of is a charted quantity at the point, NaN where it cannot be trusted.
func (p *Point) Of(id quantity.ID) float64 {
	v, _ := p.Values.Of(id)
	return v
}

// score fills in the scores of the draw, which are the training set's where there is no
// test set.
func (p *Point) score(s *quantity.Scores, test bool) {
	p.Values.Score(s)
	of := &s.Training
	if p.TrainError = of.Error; test {
		of = &s.Test
		p.TestError = of.Error
	}
	p.TestNLL, p.TestBrier, p.TestECE = of.NLL, of.Brier, of.ECE
	p.Newest, p.NewestNLL = s.Newest.Error, s.Newest.NLL
}

// historyCap bounds a lane's points.
const historyCap = 512

// history is a lane's points, each stride draws apart. When it is full, every
// other point goes and the stride doubles. The points that it hands out are
// never changed, so snapshots share them.
type history struct {
	points []Point
	stride uint64
	next   uint64 // draw count of the next point
}

func newHistory() history { return history{stride: 1, next: 1} }

// due reports whether the point of a lane's kept-th draw is wanted.
func (h *history) due(kept uint64) bool { return kept >= h.next }

func (h *history) add(kept uint64, p Point) {
	if len(h.points) == historyCap {
		half := make([]Point, 0, historyCap)
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
