package app

import "time"

// A pace keeps drawing from taking the time that messages need. Bubble Tea asks for a frame after each of them, and
// shows thirty a second: between two drawings lies twice the time that the first took, or a frame's. Hundreds of keys
// or moves of the mouse that come at once are thus taken in before the screen is drawn for the last of them.
type pace struct {
	later func(time.Duration) // has the screen drawn after a time
	next  time.Time           // when drawing may begin again
	asked bool                // later was called
}

// drawMsg says that what was held back may be drawn.
type drawMsg struct{}

// holds reports whether it is too early to draw, and then has it done later.
func (p *pace) holds() bool {
	wait := time.Until(p.next)
	if wait > 0 && !p.asked {
		p.asked = true
		p.later(wait)
	}
	return wait > 0
}

// draw draws and takes the time. Frames are shown some time apart.
func (p *pace) draw(frame time.Duration, f func()) {
	began := time.Now()
	f()
	end := time.Now()
	p.next, p.asked = end.Add(min(2*end.Sub(began), frame)), false
}
