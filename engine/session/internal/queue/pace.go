package queue

import "time"

// A Pace is a limit of steps a second. The zero value has no limit.
//
// A session at a slow pace wakes for each step, so that one sees it happen. At a fast one it wakes when a frame is
// asked for, or at each Beat, and makes the steps that have fallen due. Steps that fell due longer than Arrears ago are
// left out: a machine that was busy with something else does not make up for it in one jump.
type Pace struct {
	perSecond float64
	cut       float64 // the part of perSecond that is taken away
	due       float64 // steps, as of counted
	counted   time.Time
}

const (
	// Slow is the most steps a second of a session that wakes for each of them.
	Slow = 100
	// Beat is how often a fast session makes its steps if nobody asks for a frame.
	Beat = 50 * time.Millisecond
	// Apart is the time between two counts of the steps that are due at a fast pace, at least:
	// a session that is behind makes them many at a time all the same.
	Apart = 12 * time.Millisecond
	// Arrears is for how long steps stay due. It is two beats.
	Arrears = 2 * Beat
)

// Set limits the steps a second from now on. 0 is no limit.
func (p *Pace) Set(perSecond float64, now time.Time) {
	p.count(now)
	p.perSecond = max(0, perSecond)
	p.due = min(p.due, p.most())
}

// Scale has the limit be so many times as large from now on, from 0 to 1.
func (p *Pace) Scale(factor float64, now time.Time) {
	if 1-factor == p.cut {
		return
	}
	p.count(now)
	p.cut = 1 - factor
	p.due = min(p.due, p.most())
}

// Cut is the part of the limit that Scale takes away.
func (p *Pace) Cut() float64 {
	if !p.Limited() {
		return 0
	}
	return p.cut
}

// Rate is the steps a second that are made, 0 for no limit.
func (p *Pace) Rate() float64 { return p.perSecond * (1 - p.cut) }

// Restart has no step be due now.
func (p *Pace) Restart(now time.Time) { p.due, p.counted = 0, now }

// PerSecond is the limit, 0 for none.
func (p *Pace) PerSecond() float64 { return p.perSecond }

// Limited reports whether there is a limit.
func (p *Pace) Limited() bool { return p.perSecond > 0 }

// Fast reports whether there is a limit at which a session does not wake for each step.
func (p *Pace) Fast() bool { return p.Rate() > Slow }

// Due is how many steps have fallen due and were not made. More are counted once all of those are made.
func (p *Pace) Due(now time.Time) uint64 {
	if p.due < 1 && (!p.Fast() || now.Sub(p.counted) >= Apart) {
		p.count(now)
	}
	return uint64(max(0, p.due))
}

// count counts the steps that have fallen due up to now.
func (p *Pace) count(now time.Time) {
	p.due = min(p.due+float64(p.Rate()*now.Sub(p.counted).Seconds()), p.most())
	p.counted = now
}

// most is how many steps can be due: one that has just fallen due, and those of Arrears.
func (p *Pace) most() float64 { return 1 + float64(p.Rate()*Arrears.Seconds()) }

// Made says that n steps were made.
func (p *Pace) Made(n uint64) {
	if p.Limited() {
		p.due -= float64(n)
	}
}

// Busy reports whether steps that fell due less than a time ago are still to be made.
func (p *Pace) Busy(now time.Time, less time.Duration) bool {
	return p.Limited() && p.due >= 1 && now.Sub(p.counted) < less
}

// Late is how late the steps that were counted last are, all of which were made by now, as a part of the time between
// two counts. They fell due at a time, or when they were counted if that is zero.
func (p *Pace) Late(fell, now time.Time) float64 {
	if fell.IsZero() {
		fell = p.counted
	}
	return now.Sub(fell).Seconds() / max(Beat.Seconds(), 1/p.Rate())
}

// Next is the time to when Due has a step.
func (p *Pace) Next(now time.Time) time.Duration {
	d := time.Duration(max(0, 1-p.due) / p.Rate() * float64(time.Second))
	if p.Fast() {
		d = max(d, Apart)
	}
	return d - now.Sub(p.counted)
}

// Sleep is how long a session at a limit may sleep that nobody asks for a frame.
func (p *Pace) Sleep(now time.Time) time.Duration {
	if p.Fast() {
		return Beat
	}
	return p.Next(now)
}
