package queue

import "time"

// A Meter measures a session's steps a second over about the last second of sampling.
type Meter struct {
	steps uint64 // since the rate was taken last
	took  time.Duration
	last  float64
}

// Add says how many steps were executed in some more time of sampling.
func (m *Meter) Add(steps uint64, took time.Duration) {
	m.steps += steps
	m.took += took
	if m.took >= 500*time.Millisecond {
		m.last = float64(m.steps) / m.took.Seconds()
		m.steps, m.took = 0, 0
	}
}

// Rate is the steps a second, 0 before there were any.
func (m *Meter) Rate() float64 {
	if m.last == 0 && m.took > 0 {
		return float64(m.steps) / m.took.Seconds()
	}
	return m.last
}
