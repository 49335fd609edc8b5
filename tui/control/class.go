package control

import (
	"slices"

	"github.com/psgld/psgld-tui/tui/lesson"
)

// A Class is a room whose people play lessons beside each other.
type Class interface {
	// Shows is told what stands on the card whenever that may have changed; nil for no lesson.
	Shows(at *Scene)
	// Predicts takes a prediction, by the index of the choice.
	Predicts(at *Scene, choice int)
	// Holds says who closes the question of a scene, while it is open; empty where nobody need.
	// Until then a prediction waits, and another may take its place.
	Holds(at *Scene) string
	// Outcome is what the room has found in a scene, to be said with what it reveals; empty for nothing.
	Outcome(at *Scene) string
}

// A Scene is where somebody is in a lesson.
type Scene struct {
	Lesson *lesson.Lesson
	lesson.Card
}

// Is reports whether two places are in the same scene.
func (p *Scene) Is(o *Scene) bool {
	return p != nil && o != nil && p.Lesson.Name == o.Lesson.Name && p.At == o.At && p.Question == o.Question &&
		slices.Equal(p.Choices, o.Choices)
}

// What a class tells the controller of lessons.
type (
	// CloseMsg closes the question of a scene: predictions that wait are made, and who has made none goes on without.
	CloseMsg struct{ At *Scene }
	// JoinMsg goes to a scene, of the session at hand if that is the lesson's and has come to
	// it, else of the one with which the scene begins.
	JoinMsg struct{ At *Scene }
)
