package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// header draws one line: target, step, speed, seed, phase, and how lanes run.
// What matters least goes first when it is too long.
func header(g plane.Region, f *Frame) {
	th := &f.Theme
	if f.Snap == nil {
		g.TextFit(1, 0, g.W()-1, f.Theme, "psgld-tui", th.Title)
		return
	}
	var l line
	headerLine(&l, g.W(), f)
	in, gap := headerRoom(g.Bounds())
	l.draw(g.Sub(in), gap)
}

// headerRoom is where the header's parts stand, and what is between them.
func headerRoom(r plane.Rect) (in plane.Rect, gap int) {
	if r.W < 20 {
		return r, 1
	}
	return r.Pad(0, 1, 0, 1), 3
}

// headerLine writes the header's parts for a row of w columns, with what a
// click on one does.
func headerLine(l *line, w int, f *Frame) {
	th := &f.Theme
	rank, perStep := 9, " steps/s"
	if f.Filming && w < 100 { // a recording says what it is of
		rank, perStep = 6, "/s"
	}
	l.add(rank, "psgld-tui", th.Title, th.Title)
	if p := f.problem(); p != nil {
		q := l.add(2, "", th.Text, th.Text)
		q.text, q.does = p.Title, keymap.Target
	}
	if v := f.lane(); v != nil {
		p := l.add(1, "step", th.Dim, th.Text)
		p.does = keymap.Tape
		most := furthest(f)
		if f.Snap.Phase == engine.Running {
			p.least = len("step 9,999,999")
		}
		if f.Snap.Phase == engine.Running && f.Snap.Speed == 0 {
			p.text = plane.Count(most)
		} else {
			p.text = plane.Commas(most) // one step more must show
		}
		headerLag(l, f, most)
		if f.hasData() {
			p := l.add(5, "epoch", th.Dim, th.Text, plane.Number(v.Epoch, 6))
			if end := f.Snap.Config.Epochs; end > 0 {
				p.text += " of " + plane.Number(end, 6)
			}
		}
		if f.Snap.Phase == engine.Running && v.Left > 0 && !math.IsInf(v.Left, 0) {
			l.add(3, "", th.Dim, th.Text, duration(v.Left)+" left")
		}
	}
	switch {
	case f.Snap.Speed > 0:
		l.add(4, "slow motion", th.Dim, th.Accent, plane.Number(f.Snap.Speed, 6)+perSecond(f.Snap.Speed))
	case f.Snap.Phase == engine.Running:
		p := l.add(4, "", th.Dim, th.Text)
		if p.least = rateWidth + len(perStep); f.Snap.Tape.Seeking {
			p.text = "seeking" // steps that are taken again say nothing of the speed
		} else {
			p.text = plane.Number(f.Snap.Rate, rateWidth) + perStep
		}
	}
	l.add(7, "seed", th.Dim, th.Text, whole(f.Snap.Config.Seed))
	glyph, style, name := phase(f)
	p := l.add(0, "", th.Dim, style, string(glyph), " ", name)
	p.does = keymap.Pause
	if f.Snap.Replaying > 0 && !f.Tape.On && !f.Tape.Scrub { // the tape says it too
		l.add(6, "replaying", th.Warn, th.Warn, plane.Count(uint64(f.Snap.Replaying)))
	}
	if f.zoomed() {
		p := l.add(2, "", th.Accent, th.Accent)
		p.text, p.does = "zoomed", keymap.ZoomAll
	}
	if f.Filming {
		l.add(1, "", th.Bad, th.Bad, string(th.Glyphs.DotPoint[2])+" rec").does = keymap.Film
	}
	mode := "lockstep"
	if f.Snap.Config.Race {
		mode = "race"
	}
	if len(f.lanes()) > 1 {
		p := l.add(8, "", th.Dim, th.Dim)
		p.text, p.does = mode, keymap.Race
	}
}

// rateWidth is the width of a number of steps a second.
const rateWidth = 6

func perSecond(steps float64) string {
	if steps == 1 {
		return " step/s"
	}
	return " steps/s"
}

// zoomed reports whether a pane shows only a part of what it could: the newest
// may be out of sight.
func (f *Frame) zoomed() bool {
	if f.Panes == nil {
		return false
	}
	for _, p := range f.Panes.All() {
		at := &p.Plot
		if p.Rect.Empty() || at.Rect.Empty() {
			continue
		}
		if at.AxisX != NoAxis && f.Zoom[at.AxisX].Set() || at.AxisY != NoAxis && f.Zoom[at.AxisY].Set() {
			return true
		}
	}
	return false
}

// headerLag says where a lane is that is behind: the focused one, else the one that
// is furthest behind.
func headerLag(l *line, f *Frame, most uint64) {
	v := f.lane()
	rank := 1
	if v.Step == most {
		rank = 3
		for i := range f.lanes() {
			if o := &f.Snap.Lanes[i]; o.Step < v.Step {
				v = o
			}
		}
	}
	if v.Step < most {
		p := l.add(rank, "", f.Theme.Dim, f.Theme.Text, letter(v.ID)+" at "+plane.Count(v.Step))
		p.does = keymap.Tape
	}
}

// furthest is the step of the lane that has come furthest: after a divergence, a
// rewind or in a race they differ.
func furthest(f *Frame) uint64 {
	most := uint64(0)
	for _, v := range f.lanes() {
		most = max(most, v.Step)
	}
	return most
}

// phase is the glyph, style and name of what the session does.
func phase(f *Frame) (rune, plane.Style, string) {
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
