package app

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// header draws one line: target, step, speed, seed, phase, and how lanes run.
// What matters least goes first when it is too long.
func header(g plane.Region, f *frame) {
	th := &f.Theme
	if f.Snap == nil {
		g.TextFit(1, 0, g.W()-1, f.Theme, "psgld-tui", th.Title)
		return
	}
	var l pane.Line
	headerLine(&l, g.W(), f)
	in, gap := headerRoom(g.Bounds())
	l.Draw(g.Sub(in), gap)
}

// headerRoom is where the header's parts stand, and what is between them.
func headerRoom(r plane.Rect) (in plane.Rect, gap int) {
	if r.W < 20 {
		return r, 1
	}
	return r.Pad(0, 1, 0, 1), 3
}

// headerLine writes the header's parts for a row of w columns, with what a click on one does.
func headerLine(l *pane.Line, w int, f *frame) {
	th := &f.Theme
	rank, perStep := 9, " steps/s"
	if f.filming && w < 100 { // a recording says what it is of
		rank, perStep = 6, "/s"
	}
	l.Add(rank, "psgld-tui", th.Title, th.Title)
	if p := f.Problem(); p != nil {
		q := l.Add(2, "", th.Text, th.Text)
		q.Text, q.Does = briefTitle(p.Title, w-leastBeside), plane.Call("target")
	}
	if v := f.Focused(); v != nil {
		p := l.Add(1, "step", th.Dim, th.Text)
		p.Does = plane.Call("history")
		most := pane.Most(&f.Frame, reached)
		if f.Snap.Phase == state.Running {
			p.Least = len("step 9,999,999")
		}
		if f.Snap.Phase == state.Running && f.Snap.Speed == 0 {
			p.Text = plane.Count(most)
		} else {
			p.Text = plane.Commas(most) // one step more must show
		}
		headerLag(l, &f.Frame, most)
		if f.HasData() {
			p := l.Add(5, "epoch", th.Dim, th.Text, plane.Number(v.Epoch, 6))
			if epochsDiffer(f.Snap.Lanes) {
				p.Text += " of " + state.LaneLetter(v.ID)
			}
			if end := f.Snap.Config.Epochs; end > 0 {
				p.Text += " of " + plane.Number(end, 6)
			}
		}
		if u := f.Snap.Config.Until; u.Wanted() {
			l.Add(6, "until", th.Dim, th.Text, u.String())
		}
		if f.Snap.Phase == state.Running && v.Left > 0 && !math.IsInf(v.Left, 0) {
			l.Add(3, "", th.Dim, th.Text, wording.Duration(v.Left)+" left")
		}
	}
	switch {
	case f.Snap.Speed > 0:
		label, unit, ends := "speed", perSecond(f.Snap.Speed), "full speed"
		if f.starting {
			label = "slow start"
			if w < 100 {
				unit, ends = "/s", "faster"
			}
		}
		l.Add(4, label, th.Dim, th.Accent, plane.Number(f.Snap.Speed, 6)+unit)
		if f.starting && f.Keys != nil {
			l.Add(6, f.Keys("faster"), th.Accent, th.Dim, ends).Does = plane.Call("faster")
		}
	case f.Snap.Phase == state.Running && f.Any(quantity.Stepped): // how fast a file is read says nothing of who writes it
		p := l.Add(4, "", th.Dim, th.Text)
		if p.Least = rateWidth + len(perStep); f.Snap.Tape.Seeking {
			p.Text = "seeking" // steps that are taken again say nothing of the speed
		} else {
			p.Text = plane.Number(f.Snap.Rate, rateWidth) + perStep
		}
	}
	if f.Any(quantity.Stepped) {
		l.Add(7, "seed", th.Dim, th.Text, strconv.FormatUint(f.Snap.Config.Seed, 10))
	}
	glyph, style, name := f.Phase()
	p := l.Add(0, "", th.Dim, style, string(glyph), " ", name)
	p.Does = plane.Call("pause")
	if f.Snap.Replaying > 0 && !f.taped { // the tape says it too
		l.Add(6, "replaying", th.Warn, th.Warn, plane.Count(uint64(f.Snap.Replaying)))
	}
	if f.Panes != nil && f.Panes.Zoomed(f.Zoom) {
		p := l.Add(2, "", th.Accent, th.Accent)
		p.Text, p.Does = "zoomed", plane.Call("zoom.all")
	}
	if f.filming {
		l.Add(1, "", th.Bad, th.Bad, string(th.Glyphs.DotPoint[2])+" rec").Does = plane.Call("cast.end")
	}
	if len(f.Lanes()) > 1 {
		p := l.Add(8, "", th.Dim, th.Dim)
		p.Term, p.Does = wording.Together, plane.Call("race")
		if f.Snap.Config.Race {
			p.Term = wording.Race
		}
		p.Text, _ = p.Term.Explain()
	}
}

// leastBeside is what the step and the phase take beside a target's title.
const leastBeside = len(" step 9,999,999   " + "   > running ")

// briefTitle leaves out how large the data and the model are from the end of a title that is longer than its room.
func briefTitle(title string, room int) string {
	for plane.Width(title) > room {
		at := strings.LastIndex(title, ", ")
		if at < 0 || !strings.Contains(title[at:], " = ") {
			break
		}
		title = title[:at]
	}
	return title
}

// rateWidth is the width of a number of steps a second.
const rateWidth = 6

func perSecond(steps float64) string {
	if steps == 1 {
		return " step/s"
	}
	return " steps/s"
}

// reached is the step to which a lane has come. Of one that has diverged it is the step whose
// result could not be used, of which its pane and the notice speak.
func reached(v *engine.LaneView) uint64 {
	if v.Diverged != nil {
		return v.Diverged.Step
	}
	return v.Step
}

// headerLag says where a lane is that is behind: the focused one, else the one that is furthest behind.
func headerLag(l *pane.Line, f *pane.Frame, most uint64) {
	v := f.Focused()
	rank := 1
	if reached(v) == most {
		rank = 3
		for _, o := range f.EachLane() {
			if reached(o) < reached(v) {
				v = o
			}
		}
	}
	if reached(v) < most {
		at := " at "
		if v.Diverged != nil {
			at = " diverged at "
		}
		p := l.Add(rank, "", f.Theme.Dim, f.Theme.Text, pane.Letter(v.ID)+at+plane.Count(reached(v)))
		p.Does = plane.Call("history")
	}
}

func epochsDiffer(lanes []engine.LaneView) bool {
	a := &lanes[0]
	return slices.ContainsFunc(lanes[1:], func(b engine.LaneView) bool {
		x, y := a.Epoch*float64(b.Step), b.Epoch*float64(a.Step)
		return math.Abs(x-y) > 1e-6*(x+y)
	})
}

// narrowFooter is the width below which the footer has no margin.
const narrowFooter = 20

// footer draws the newest notice, or the hints of keys where there is none.
func footer(g plane.Region, f *frame) {
	x := 1
	if g.W() < narrowFooter {
		x = 0
	}
	if f.note.Text == "" {
		drawHints(g, x, f)
		return
	}
	style := markNotice(g, x, f)
	g.TextFit(x+2, 0, g.W()-x-2, f.Theme, f.note.Text, style)
}

// markNotice draws the mark of the notice and returns its style. A click puts the notice away.
func markNotice(g plane.Region, x int, f *frame) plane.Style {
	glyph, style := f.Theme.Glyphs.Bullet, f.Theme.Accent
	if f.note.Bad {
		glyph, style = f.Theme.Glyphs.Warning, f.Theme.Warn
	}
	g.Set(x, 0, glyph, style)
	g.Zone(noticeZone)
	return style
}

var noticeZone = plane.Zone{ID: "notice", Click: plane.Call("notice.clear")}

// drawHints draws the line of keys from column x on, with the entry that the mouse is on highlighted. A click does what
// its key does: of two the one that is clicked, of a row of views the next.
func drawHints(g plane.Region, x int, f *frame) {
	th := &f.Theme
	first := x
	for i, h := range f.hints {
		key := h.Key(th.ASCII)
		keys, does := plane.Width(key), g.Spell(h.Does)
		w := keys + plane.Width(does)
		if keys > 0 {
			w++
		}
		if x+w > g.W() {
			return
		}
		if x > first {
			g.Set(x-2, 0, th.Glyphs.Bullet, th.Faint)
		}
		if g.Text(x, 0, key, th.Key); keys > 0 {
			g.Set(x+keys, 0, ' ', th.Dim)
		}
		g.Text(x+w-plane.Width(does), 0, does, th.Dim)
		id := "hint:" + strconv.Itoa(i)
		zone := func(from, to int, name string) {
			g.Zone(plane.Zone{Rect: plane.Rect{X: x + from, W: to - from, H: 1}, ID: id, Click: plane.Call(name)})
		}
		switch n := len(h.Names); {
		case n == 1:
			zone(0, w, h.Names[0])
		case n == 2:
			zone(0, w, h.Names[1])
			zone(0, (keys+1)/2, h.Names[0])
		case n > 2:
			zone(0, w, "view.next")
			zone(0, 1, h.Names[0])
			zone(keys-1, keys, h.Names[n-1])
		}
		if f.hot == id && len(h.Names) > 0 {
			g.Sub(plane.Rect{X: x, W: w, H: 1}).Highlight(th.Highlight)
		}
		x += w + plane.Width(control.HintGap)
	}
}

// mostNotice is the most rows of a notice, and leastView the rows that it leaves the view.
const mostNotice, leastView = 6, 6

// lifted is how many of the rows above the bottom rows a notice takes: none if it stands in
// the footer, or something is open there.
func lifted(f *frame, foot plane.Rect, above int) int {
	text := f.note.Text
	if text == "" || f.Covered {
		return 0
	}
	if f.Theme.ASCII {
		text = plane.Spell(text)
	}
	if rows := min(len(plane.Wrap(text, foot.W-4)), mostNotice, above/3, above-leastView); rows > 1 {
		return rows
	}
	return 0
}

// foot draws what is below the rows at the bottom: a notice or the hint of keys. A notice
// that is too long for one row stands above them, in rows of its own.
func foot(g plane.Region, f *frame, foot, note plane.Rect) {
	if note.Empty() {
		footer(g.Sub(foot), f)
		return
	}
	at := g.Sub(note)
	at.Fill(' ', plane.Style{})
	style := markNotice(at, 1, f)
	at.Sub(plane.Rect{X: 3, W: foot.W - 4, H: note.H}).TextWrapped(f.note.Text, style)
	drawHints(g.Sub(foot).Row(0), 1, f)
}
