package queue

import "time"

// A Meter measures a session's steps a second over about the last second of sampling.
type Meter struct {
	steps, base uint64
	took, since time.Duration
	last        float64
}

// Add says how many steps were executed in all, after some more time of sampling.
func (m *Meter) Add(executed uint64, took time.Duration) {
	m.steps = executed
	m.took += took
	if d := m.took - m.since; d >= 500*time.Millisecond {
		m.last = float64(m.steps-m.base) / d.Seconds()
		m.since, m.base = m.took, m.steps
	}
}

// Rate is the steps a second, 0 before there were any.
func (m *Meter) Rate() float64 {
	if m.last == 0 && m.took > 0 {
		return float64(m.steps-m.base) / m.took.Seconds()
	}
	return m.last
}
