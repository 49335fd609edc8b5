package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Furthest is the step of the lane that has come furthest: after a divergence, a
// rewind or in a race they differ.
func (f *Frame) Furthest() uint64 {
	most := uint64(0)
	for _, v := range f.Lanes() {
		most = max(most, v.Step)
	}
	return most
}

// Phase is the glyph, style and name of what the session does.
func (f *Frame) Phase() (rune, plane.Style, string) {
	th := &f.Theme
	switch f.Snap.Phase {
	case engine.Running:
		return th.Glyphs.Running, th.Good, "running"
	case engine.Paused:
		return th.Glyphs.Paused, th.Warn, "paused"
	case engine.Done:
		return th.Glyphs.Done, th.Text, "done"
	}
	return th.Glyphs.Fail, th.Bad, "diverged"
}
