package sweep

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/tui/control"
	views "github.com/psgld/psgld-tui/tui/view"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
)

// asks has a command of the palette done.
func (c *Sweep) asks(t *testing.T, name, arg string) {
	t.Helper()
	b := control.ByName(c.Desk.Keys.Bindings, name)
	do := b.Do
	if arg != "" {
		var err error
		if do, err = b.With(arg); err != nil {
			t.Fatal(err)
		}
	}
	do()
	c.Focus.View = views.Sweep
	c.follow()
}

// A search ends on the ε that it has found, and enter gives that to the lane that it is of.
func TestSearchOnTheScreen(t *testing.T) {
	innerlooptest.Skip(t, "a whole search")
	c, r := rest(t, scan.Size{})
	c.asks(t, "tune", "20000")
	if c.search == nil || c.Shown.Data.Told == "" || c.grid != nil {
		t.Fatalf("no search: %+v", c.Shown.Data)
	}
	c.waits(t)
	d := c.Shown.Data
	if d.State != view.Done || !strings.Contains(d.Told, "SGLD at ε = ") || !strings.Contains(d.Told, "enter takes it") {
		t.Fatalf("it says %q", d.Told)
	}
	if v := d.Lanes[1].Cells[c.Shown.At].Of[quantity.StepError]; v.N != 1 || !(v.Mean > 0) {
		t.Errorf("the cell under the cursor has %+v", v)
	}
	c.press(t, "enter")
	want := state.SetParam{Lane: d.Lanes[1].ID, Key: "eps", Value: d.Values[c.Shown.At]}
	if len(r.sent) != 1 || r.sent[0] != state.Command(want) {
		t.Errorf("sent %#v, want %#v", r.sent, want)
	}
	if says := "B's ε is " + d.Text(c.Shown.At) + " now"; c.says() != says {
		t.Errorf("it says %q, want %q", c.says(), says)
	}
}

// Space stops a search, as it stops the lanes; another parameter takes its place; and nothing is searched where nothing
// outside the screen may be reached.
func TestSearchesEnd(t *testing.T) {
	c, r := rest(t, scan.Size{Cells: 3, Steps: 100, Seeds: 1})
	c.asks(t, "tune", "")
	of := c.job
	snap := *r.snap
	if snap.Phase = state.Running; r.snap.Phase == state.Running {
		snap.Phase = state.Paused
	}
	c.Feed.Foreseen = &snap
	c.follow()
	<-of.Ended
	if c.showSearch(); !strings.Contains(c.Shown.Data.Told, "was stopped") {
		t.Errorf("after the session went on it says %q", c.Shown.Data.Told)
	}
	c.press(t, "down")
	if c.search != nil || c.grid == nil {
		t.Error("another parameter has no grid")
	}
	c.Outside.Closed = "this is a class"
	c.asks(t, "tune", "")
	if c.search != nil || !strings.Contains(c.says(), "this is a class") {
		t.Errorf("in a class it says %q", c.says())
	}
}

// A grid over a range has its values, and all of them run.
func TestRangeOfAGrid(t *testing.T) {
	c, _ := rest(t, scan.Size{Steps: 100, Seeds: 1})
	c.asks(t, "sweep", "eps=0.01:1:log:3")
	c.waits(t)
	d := c.Shown.Data
	if len(d.Values) != 3 || d.Values[0] != 0.01 || d.Values[2] != 1 || d.Done != 3 || d.State != view.Done {
		t.Fatalf("%+v", d.Known)
	}
	c.asks(t, "sweep", "")
	if d := c.Shown.Data; len(d.Values) < 30 {
		t.Errorf("without a range it has %d values", len(d.Values))
	}
	b := control.ByName(c.Desk.Keys.Bindings, "sweep")
	for _, arg := range []string{"eps", "eps=1:2", "nothing=1,2", "eps=-1,1"} {
		if _, err := b.With(arg); err == nil {
			t.Errorf("%q is taken", arg)
		}
	}
}
