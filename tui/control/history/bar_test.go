package history

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// taped is a frame of a session in the midst of a tape.
func taped() pane.Frame {
	s := *scenetest.Of("turned")
	s.Phase = state.Paused
	s.Tape = engine.Tape{At: 12_400, End: 50_000, Events: []engine.LoggedCommand{
		{At: 6000, Lane: state.AllLanes,
			Event: state.Event{Command: state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.1}}},
		{At: 20_000, Lane: 1, Event: state.Event{Command: state.SetSampler{Lane: 1, Name: "sghmc"}}},
		{At: 41_000, Lane: state.AllLanes, Event: state.Event{Command: state.Restart{Seed: 7}}},
	}}
	return viewtest.Frame(&s)
}

// The bar in its states, one below the other.
func TestTapeBar(t *testing.T) {
	var out strings.Builder
	show := func(title string, w int, change func(*pane.Frame)) {
		f := taped()
		c := *f.Snap
		c.Lanes = slices.Clone(c.Lanes)
		f.Snap = &c
		change(&f)
		p := plane.NewPlane(w, rows(true, w, 30))
		p.ASCII = f.Theme.ASCII
		draw(p.Region(), &f)
		out.WriteString("== " + title + "\n" + p.RenderPlain() + "\n")
	}
	at := func(f *pane.Frame, place, step uint64) {
		f.Snap.Tape.At = place
		for i := range f.Snap.Lanes {
			f.Snap.Lanes[i].Step = step
		}
	}
	for _, ascii := range []bool{false, true} {
		look := func(f *pane.Frame) { f.Theme = theme.New(true, true, ascii) }
		for _, w := range []int{200, 120, 80, 40, 20} {
			show("paused", w, look)
		}
		show("plays", 80, func(f *pane.Frame) { look(f); f.Snap.Phase = state.Running })
		show("going back", 120, func(f *pane.Frame) {
			look(f)
			f.Snap.Phase, f.Snap.Tape.Seeking, f.Snap.Tape.To, f.Snap.Tape.At = state.Running, true, 9000, 4100
		})
		show("at the end", 80, func(f *pane.Frame) { look(f); at(f, 50_000, 9000) })
		show("at the start", 80, func(f *pane.Frame) { look(f); at(f, 0, 0) })
		show("nothing was changed", 80, func(f *pane.Frame) { look(f); f.Snap.Tape.Events = nil })
		show("nothing at all", 80, func(f *pane.Frame) { look(f); f.Snap.Tape = engine.Tape{}; at(f, 0, 0) })
		show("at a restart", 80, func(f *pane.Frame) { look(f); at(f, 41_000, 0) })
		show("a step after a restart", 120, func(f *pane.Frame) { look(f); at(f, 41_001, 1) })
		show("after a rewind", 120, func(f *pane.Frame) {
			look(f)
			at(f, 30_000, 29_800)
			back := engine.LoggedCommand{At: 29_000, Lane: 0, Event: state.Event{Command: state.Rewind{Steps: 200}}}
			f.Snap.Tape.Events = append(slices.Clone(f.Snap.Tape.Events[:2]), back)
		})
		show("in a race, in which now one is ahead and then the other", 120, func(f *pane.Frame) {
			look(f)
			at(f, 30_000, 29_800)
			f.Snap.Tape.Events = f.Snap.Tape.Events[:2]
		})
	}
	goldentest.Text(t, "bar", strings.TrimSuffix(out.String(), "\n"))
}

// Each command has its words, and what comes from a file cannot break the line.
func TestTapeTurns(t *testing.T) {
	f := taped()
	for _, c := range []struct {
		lane int
		cmd  state.Command
		want string
	}{
		{state.AllLanes, state.SetParam{Key: "eps", Value: 0.3}, "ε 0.3"},
		{1, state.SetParam{Key: "alpha", Value: 0.9}, "B α 0.9000"},
		{0, state.SetParam{Key: "no\x1b[31m漢such", Value: math.Inf(1)}, "A no·[31m漢such"},
		{1, state.SetSampler{Name: "sghmc"}, "B sghmc"},
		{0, state.SetSchedule{}, "A schedule"},
		{2, state.AddLane{Name: "psgld"}, "C added, psgld"},
		{2, state.RemoveLane{}, "C removed"},
		{state.AllLanes, state.SetTarget{Target: "blr:/a/long/way/to/a/file.csv"}, "target blr:/a/long/way…"},
		{state.AllLanes, state.Restart{Seed: 7}, "restart, seed 7"},
		{state.AllLanes, state.Restart{Seed: 7, Chains: 4}, "restart, seed 7, chains 4"},
		{state.AllLanes, state.Rewind{Steps: 200}, "back 200"},
		{state.AllLanes, state.Rewind{Steps: 200, EpsFactor: 0.5}, "back 200, ε × 0.5"},
		{state.AllLanes, state.SetUntil{Until: quantity.Until{quantity.ESS: 400}}, "until ess=400"},
		{state.AllLanes, state.SetUntil{}, "until off"},
		{state.AllLanes, state.Undo{}, "undo"},
		{state.AllLanes, state.Redo{}, "redo"},
		{state.AllLanes, state.SetRace{On: true}, "race"},
		{state.AllLanes, state.SetRace{}, "together"},
		{state.AllLanes, state.SetTruth{Truth: state.Truth{Sampler: "hmc"}}, "truth hmc"},
		{state.AllLanes, state.SetTruth{}, "truth off"},
		{state.AllLanes, state.SetBias{On: true}, "bias on"},
		{state.AllLanes, nil, "changed"},
	} {
		p := plane.NewPlane(80, 1)
		p.Region().Text(0, 0, turnText(&f, &engine.LoggedCommand{Lane: c.lane, Event: state.Event{Command: c.cmd}}),
			plane.Style{})
		if got := p.RenderPlain(); !strings.HasPrefix(got, c.want) {
			t.Errorf("%#v is %q, want %q", c.cmd, got, c.want)
		}
	}
}

// The place under the mouse is the one under the knob.
func TestTapeZone(t *testing.T) {
	for _, w := range []int{12, 30, 80, 120, 300} {
		f := taped()
		found := 0
		for x := range w {
			p := plane.NewPlane(w, 2)
			draw(p.Region(), &f)
			if z := p.ZoneAt(w/2, 1); !z.Rect.Empty() {
				t.Fatalf("width %d: %s below the bar", w, z.ID)
			}
			z := p.ZoneAt(x, 0)
			if z.Rect.Empty() {
				continue
			}
			found++
			place := func(x int) uint64 {
				return uint64(math.Round(chart.SliderFrac(x-z.Rect.X, z.Rect.W) * float64(f.Snap.Tape.End)))
			}
			f.Snap.Tape.At = place(x)
			p.Clear()
			draw(p.Region(), &f)
			row := strings.Split(p.RenderPlain(), "\n")[0]
			// The ends of the bar are beyond its first and last cell.
			k := strings.IndexRune(row, f.Theme.Glyphs.SliderKnob)
			if (k < 0 || len([]rune(row[:k])) != x) && place(x-1) != place(x) && place(x+1) != place(x) {
				t.Errorf("width %d: column %d is place %d, whose knob is elsewhere: %q", w, x, place(x), row)
			}
		}
		if found < w/2-12 {
			t.Errorf("width %d: the bar has %d columns", w, found)
		}
	}
}
