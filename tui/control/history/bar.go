package history

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// rows is how many rows of a screen of w columns the bar takes where it is shown, of so many.
func rows(shown bool, w, room int) int {
	if !shown || w < leastWidth {
		return 0
	}
	return max(0, min(2, room-besideRows))
}

// The least that a screen has beside its tape, and the columns from which on both ends are written.
const (
	leastWidth = 12
	besideRows = 3
	tapeEnds   = 50
)

// cell is the column of a place on a bar of w columns, 0 to w-3.
func cell(place, end uint64, w int) int {
	if end == 0 {
		return 0
	}
	return chart.SliderCell(float64(min(place, end))/float64(end), w)
}

// draw draws the session's tape on the rows of g: where it stands, where
// something was turned or will be, and where it is going.
func draw(g plane.Region, f *pane.Frame) {
	if g.Empty() || f.Snap == nil {
		return
	}
	th, at := &f.Theme, &f.Snap.Tape
	gl := &th.Glyphs
	rail := g.Row(0).Pad(0, 1, 0, 1)
	if g.W() >= tapeEnds {
		now, end := plane.Commas(at.At), plane.Commas(at.End)
		ends := max(len(now), len(end)) // the bar stands still while it plays
		rail = rail.Pad(0, len(end)+1, 0, 2+ends+1)
		glyph, style, _ := f.Phase()
		g.Set(1, 0, glyph, style)
		g.TextRight(3+ends, 0, now, th.Text)
		g.TextRight(g.W()-1, 0, end, th.Dim)
	}
	w := rail.W()
	if w < 3 {
		return
	}
	rail.Zone(plane.Zone{ID: "tape", Click: plane.Call("history.seek"), Drag: plane.Call("history.seek")})
	here := 1 + cell(at.At, at.End, w)
	rail.Set(0, 0, gl.SliderLeft, th.Border)
	rail.HLine(1, 0, w-2, gl.SliderTrack, th.Border)
	rail.HLine(1, 0, here-1, th.Rune('━', '='), th.SliderFill) // must differ without colour too
	rail.Set(w-1, 0, gl.SliderRight, th.Border)
	for i := range at.Events {
		rail.Set(1+cell(at.Events[i].At, at.End, w), 0, gl.Mark, th.Mark)
	}
	if at.Seeking {
		rail.Set(1+cell(at.To, at.End, w), 0, gl.Pointer, th.Warn)
	}
	rail.Set(here, 0, gl.SliderKnob, th.Accent)
	if g.H() > 1 {
		line(g.Row(1), f)
	}
}

// line says what stands where on the tape.
func line(g plane.Region, f *pane.Frame) {
	th, at := &f.Theme, &f.Snap.Tape
	var l pane.Line
	switch {
	case at.Seeking:
		p := l.Add(0, "going to", th.Warn, th.Warn, plane.Commas(at.To))
		if at.To > 0 {
			p.Text += ", " + plane.Number(math.Floor(100*float64(min(at.At, at.To))/float64(at.To)), 4) + " %"
		}
	case at.At < at.End:
		l.Add(0, "", th.Dim, th.Text, plane.Number(math.Floor(100*float64(at.At)/float64(at.End)), 4)+" %")
	default:
		l.Add(0, "", th.Dim, th.Text, "the end")
	}
	past := passed(at)
	counted(&l, f)
	if n := len(at.Events); n == 0 {
		l.Add(2, "", th.Dim, th.Dim, "nothing was changed")
	} else {
		if past > 0 {
			turn(&l, 1, "last", f, &at.Events[past-1], past, n)
		}
		if past < n {
			turn(&l, 2, "next", f, &at.Events[past], past+1, n)
		}
	}
	l.Draw(g.Pad(0, 1, 0, 1), 3)
}

// counted says which step of the lanes a place of the tape is, where it is another:
// places count all steps from the start, in a race those of whichever lane was ahead
// between two events, and lanes begin again at a restart and go back at a rewind.
func counted(l *pane.Line, f *pane.Frame) {
	th, at := &f.Theme, &f.Snap.Tape
	step := pane.Most(f, func(v *engine.LaneView) uint64 { return v.Step })
	if step == at.At || at.Seeking || len(f.Lanes()) == 0 {
		return
	}
	run, runs, back := uint64(1), uint64(1), false
	for i := range at.Events {
		switch at.Events[i].Command.(type) {
		case state.Rewind:
			back = back || i < passed(at)
		case state.Restart, state.SetTarget:
			runs++
			if i < passed(at) {
				run++
			}
		}
	}
	p := l.Add(1, "= step", th.Dim, th.Text, plane.Commas(step))
	switch {
	case runs > 1:
		p.Text += " of run " + strconv.FormatUint(run, 10) + "/" + strconv.FormatUint(runs, 10)
	case back:
		p.Text += " after going back"
	}
}

// passed is how many of a tape's events are behind it.
func passed(t *engine.Tape) int {
	n := 0
	for n < len(t.Events) && t.Events[n].At <= t.At {
		n++
	}
	return n
}

// turn adds an event, the k-th of n, with its place.
func turn(l *pane.Line, rank int, label string, f *pane.Frame, t *engine.LoggedCommand, k, n int) {
	l.Add(rank, label, f.Theme.Dim, f.Theme.Text, fmt.Sprintf("%d/%d ", k, n), turnText(f, t), " @", plane.Commas(t.At))
}

// name is a name from a file, cut to a few columns.
func name(f *pane.Frame, text string) string {
	return ansi.Truncate(text, 16, string(f.Theme.Glyphs.Ellipsis))
}

func turnText(f *pane.Frame, t *engine.LoggedCommand) string {
	who := ""
	if t.Lane >= 0 && len(f.Lanes()) > 1 {
		who = pane.Letter(t.Lane) + " "
	}
	switch c := t.Command.(type) {
	case state.SetParam:
		q, ok := paramOf(f, c.Key)
		if !ok {
			return who + name(f, c.Key) + " " + plane.Number(c.Value, 7)
		}
		return who + pane.SymbolOf(&f.Theme, &q) + " " + pane.ParamText(q, c.Value, 0)
	case state.SetEach:
		q, ok := paramOf(f, c.Key)
		if !ok {
			return who + name(f, c.Key)
		}
		who += pane.SymbolOf(&f.Theme, &q)
		for _, x := range c.Values[:min(len(f.Lanes()), len(c.Values))] {
			who += " " + pane.ParamText(q, x, 0)
		}
		return who
	case state.SetSampler:
		return who + name(f, c.Name)
	case state.SetSchedule:
		return who + "schedule"
	case state.AddLane:
		return who + "added, " + name(f, c.Name)
	case state.RemoveLane:
		return who + "removed"
	case state.SetTarget:
		return who + "target " + name(f, c.Target)
	case state.Restart:
		who += "restart, seed " + strconv.FormatUint(c.Seed, 10)
		if c.Chains > 0 {
			who += ", chains " + strconv.Itoa(c.Chains)
		}
		return who
	case state.Rewind:
		who += "back " + plane.Count(c.Steps)
		if x := c.EpsFactor; x > 0 && x != 1 {
			who += fmt.Sprintf(", ε × %.4g", x)
		}
		return who
	case state.Undo:
		return who + "undo"
	case state.Redo:
		return who + "redo"
	case state.AddPoint:
		return who + "point " + c.String()
	case state.ClearPoints:
		return who + "point clear"
	case state.SetRace:
		if c.On {
			return who + "race"
		}
		return who + "together"
	case state.SetUntil:
		return who + "until " + cmp.Or(c.Until.String(), "off")
	case state.SetTruth:
		return who + "truth " + name(f, cmp.Or(c.Truth.By(), "off"))
	case state.SetBias:
		return who + "bias " + map[bool]string{true: "on", false: "off"}[c.On]
	}
	return who + "changed"
}

// paramOf is the parameter with a key in one of the lanes.
func paramOf(f *pane.Frame, key string) (param.Param, bool) {
	q, _, ok := param.Find(f.FocusedParams(), key)
	for _, v := range f.EachLane() {
		if !ok {
			q, _, ok = param.Find(f.ParamsOf(v), key)
		}
	}
	return q, ok
}
