package measure

import (
	"fmt"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/metrics"
)

// principalView replaces the watched coordinates of a view by the draws' first two principal directions. A draw is
// shown at (uᵀ(θ-m), wᵀ(θ-m)), with m the window's mean and u, w the leading eigenvectors of its covariance. The
// directions have no statistics but their standard deviations, which are the roots of the eigenvalues. Without a
// covariance it leaves v alone.
func (m *Measures[F]) principalView(v *engine.LaneView) {
	d := len(m.Tracked)
	if d < 2 || m.Window.Draws < 2 || !m.pool.Cov(m.truth.cov) {
		return
	}
	directions := metrics.Principal(m.truth.cov, d, 2)
	if directions == nil {
		return
	}
	v.Principal, v.Thinned = true, nil
	v.Trace.Steps, v.Trace.Coords = nil, [2]engine.TraceBins{}
	for k, direction := range directions {
		dir, variance, local := direction.Of, direction.Variance, 0.0
		for i, u := range dir {
			local += float64(u * u * m.Injected(v.Eps, m.Tracked[i]))
		}
		v.Names[k] = fmt.Sprintf("PC%d %.0f%%", k+1, 100*direction.Share)
		v.Local[k] = math.Sqrt(local)
		v.Now[k] = m.project([...][]float64{v.TrailX, v.TrailY}[k], m.Records.Chains[0], dir)
		for j := range v.Chains {
			c := &v.Chains[j]
			c.Now[k] = m.project([...][]float64{c.TrailX, c.TrailY}[k], m.Records.Chains[j], dir)
			c.Ranks[k] = nil
		}
		none := metrics.Withheld(metrics.TooShort, m.Window.Draws)
		v.Coords[k] = engine.Coord{Rough: none}
		values := &v.Coords[k].Values
		for i := range values {
			values[i] = none
		}
		unknown := math.NaN()
		values[quantity.Mean] = metrics.Known(0, unknown, m.Window.Draws) // the draws are shown about it
		values[quantity.SD] = metrics.Known(math.Sqrt(variance), unknown, m.Window.Draws)
		values[quantity.Variance] = metrics.Known(variance, unknown, m.Window.Draws)
		v.ACF[k] = nil
		v.Cov[k*2] = variance
	}
	v.Cov[1] = 0
}

// project sets a trail to the newest draws of a chain along a direction, about the window's mean, and returns where
// the chain stands on it.
func (m *Measures[F]) project(trail []float64, c *record.Chain[F], dir []float64) (now float64) {
	clear(trail)
	col := make([]float64, 0, len(trail))
	theta := m.Shown(c.State.Theta)
	for i, u := range dir {
		mean := m.pool.Mean(i)
		now += float64(u * (float64(theta[m.Tracked[i]]) - mean))
		col = c.Ring.Append(col[:0], i, len(trail))
		for j, x := range col {
			trail[j] += float64(u * (x - mean))
		}
	}
	return now
}
