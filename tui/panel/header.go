package panel

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Header draws one line: target, step, speed, seed, phase, and how lanes run.
// What matters least goes first when it is too long.
func Header(g chart.Region, f Frame) { header(g.Row(0), &f) }

func header(g chart.Region, f *Frame) {
	th := &f.Theme
	if f.Snap == nil {
		g.TextFit(1, 0, g.W()-1, f.Theme, "psgld-tui", th.Title)
		return
	}
	var l line
	l.add(9, "psgld-tui", th.Title, th.Title)
	if p := f.problem(); p != nil {
		l.add(2, "", th.Text, th.Text).text = p.Title
	}
	if v := f.lane(); v != nil {
		p := l.add(1, "step", th.Dim, th.Text)
		most := furthest(f)
		if f.Snap.Phase == engine.Running && f.Snap.Speed == 0 {
			p.count(most)
		} else {
			p.grouped(most) // one step more must show
		}
		if v.Step != most {
			p.str(", ").str(letter(v.ID)).str(" at ").count(v.Step)
		}
		if f.hasData() {
			p := l.add(5, "epoch", th.Dim, th.Text).number(v.Epoch, 6)
			if end := f.Snap.Config.Epochs; end > 0 {
				p.str(" of ").number(end, 6)
			}
		}
		if f.Snap.Phase == engine.Running && v.Left > 0 && !math.IsInf(v.Left, 0) {
			l.add(3, "", th.Dim, th.Text).duration(v.Left).str(" left")
		}
	}
	switch {
	case f.Snap.Speed > 0:
		l.add(4, "slow motion", th.Dim, th.Accent).number(f.Snap.Speed, 6).str(" steps/s")
	case f.Snap.Phase == engine.Running:
		l.add(4, "", th.Dim, th.Text).number(f.Snap.Rate, 6).str(" steps/s")
	}
	l.add(7, "seed", th.Dim, th.Text).uint(f.Snap.Config.Seed)
	glyph, style, name := phase(f)
	p := l.add(0, "", th.Dim, style)
	p.rune(glyph)
	p.bytes(' ')
	p.str(name)
	if f.Snap.Replaying > 0 && !f.Tape.On && !f.Tape.Scrub { // the tape says it too
		l.add(6, "replaying", th.Warn, th.Warn).count(uint64(f.Snap.Replaying))
	}
	if f.zoomed() {
		l.add(2, "", th.Accent, th.Accent).text = "zoomed"
	}
	if f.Filming {
		l.add(1, "", th.Bad, th.Bad).rune(th.Glyphs.DotPoint[2]).str(" rec")
	}
	mode := "lockstep"
	if f.Snap.Config.Race {
		mode = "race"
	}
	if len(f.lanes()) > 1 {
		l.add(8, "", th.Dim, th.Dim).text = mode
	}
	if g.W() < 20 {
		l.draw(g, 1)
		return
	}
	l.draw(g.Sub(g.Bounds().Pad(0, 1, 0, 1)), 3)
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
func phase(f *Frame) (rune, chart.Style, string) {
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

// Footer draws the newest notice, or the hint of keys where there is none.
func Footer(g chart.Region, f Frame) { footer(g.Row(0), &f) }

func footer(g chart.Region, f *Frame) {
	th := &f.Theme
	x := 1
	if g.W() < 20 {
		x = 0
	}
	if n, ok := f.notice(); ok {
		glyph, style := th.Glyphs.Bullet, th.Accent
		if n.Bad {
			glyph, style = th.Glyphs.Warning, th.Warn
		}
		g.Set(x, 0, glyph, style)
		g.TextFit(x+2, 0, g.W()-x-2, f.Theme, n.Text, style)
		return
	}
	hint(g, x, f)
}

// hint writes the line of keys: the first word of each entry, up to the
// separator, is a key.
func hint(g chart.Region, x int, f *Frame) {
	th := &f.Theme
	rest := f.Hint
	for rest != "" {
		entry := rest
		if i := strings.Index(rest, " · "); i >= 0 {
			entry, rest = rest[:i], rest[i+len(" · "):]
		} else {
			rest = ""
		}
		if x+chart.Width(entry) > g.W() {
			return
		}
		key, what := entry, ""
		if i := strings.Index(entry, " "); i >= 0 {
			key, what = entry[:i], entry[i:]
		}
		x = g.Text(x, 0, key, th.Key)
		x = g.Text(x, 0, what, th.Dim)
		if rest != "" {
			x = g.Text(x, 0, " ", th.Dim)
			g.Set(x, 0, th.Glyphs.Bullet, th.Faint)
			x += 2
		}
	}
}
