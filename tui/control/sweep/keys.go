package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	view "github.com/psgld/psgld-tui/tui/view/sweep"
)

func (c *Sweep) Bindings() []control.Binding {
	onGrid := func() bool { return c.open() && !c.Focus.Read && !c.Screen.Compact() }
	do := func(command string) func() tea.Cmd { return control.By(c.Keys.Do, command) }
	const far, all = 10, scan.MostCells
	const choose, cells, ends, param, value = "sweep: select a cell", "sweep: ten cells back, ten forward",
		"sweep: first cell, last cell", "sweep: over another parameter", "sweep: turn the session's own value"
	return append(
		control.In(control.Grid, onGrid, []control.Binding{
			{Name: "sweep: cell before", Keys: "left", Help: choose, Hint: "cell", Rank: 3, Do: control.By(c.move, -1)},
			{Name: "sweep: next cell", Keys: "right", Help: choose, Hint: "cell", Rank: 3, Do: control.By(c.move, 1)},
			{Name: "sweep: ten cells before", Keys: "shift+left pgdown", Help: cells, Do: control.By(c.move, -far)},
			{Name: "sweep: ten cells on", Keys: "shift+right pgup", Help: cells, Do: control.By(c.move, far)},
			{Name: "sweep: first cell", Keys: "home", Help: ends, Do: control.By(c.move, -all)},
			{Name: "sweep: last cell", Keys: "end", Help: ends, Do: control.By(c.move, all)},
			{Name: "sweep: jump to the cell", Keys: "enter", Help: "sweep: give the session the cell's value",
				Hint: "jump to it", Rank: 1, Do: c.jump},
			{Name: "sweep: parameter before", Keys: "up", Help: param, Hint: "parameter", Rank: 4, Do: do("previous parameter")},
			{Name: "sweep: next parameter", Keys: "down", Help: param, Hint: "parameter", Rank: 4, Do: do("next parameter")},
			{Name: "sweep: turn down", Keys: "-", Help: value, Hint: "turn", Rank: 6, Do: do("turn down")},
			{Name: "sweep: turn up", Keys: "+", Help: value, Hint: "turn", Rank: 6, Do: do("turn up")},
			{Name: "sweep: pause", Keys: "p", Help: "sweep: pause the grid, or go on", HintNow: c.pauseHint, Do: c.pause},
			{Name: "sweep: anew", Keys: "n", Help: "sweep: run a new grid around the present value", Hint: "new grid",
				Rank: 5, Do: c.again},
		}),
		control.Binding{Name: view.DoCell, At: c.click,
			Examples: []string{"click a cell: select it; double click: jump"}},
		control.Binding{Name: "sweep",
			Help: "sweep over a range, such as eps=1e-4:1:log:12; without one coarse to fine",
			Do:   func() tea.Cmd { return c.over(study.Axis{}, "") }, With: c.rangeOf},
		control.Binding{Name: "tune", Help: "search the ε of least error, for a run of so many steps",
			Do: control.By(c.tune, uint64(0)), With: c.tuneOf},
		control.Binding{Name: "grid", Help: "size of a sweep: cells N, steps N, seeds N", With: c.sizeOf})
}

const noGrid, noParam = "no grid is shown yet",
	"a grid goes over a parameter of the focused lane or of the target: select one"

// pauseHint is empty over a search, which does not pause.
func (c *Sweep) pauseHint() (hint string, rank int) {
	if c.search != nil {
		return "", 0
	}
	return "pause it", 8
}

func (c *Sweep) move(by int) tea.Cmd {
	d := c.Shown.Data
	if d == nil || len(d.Values) == 0 {
		return c.Say(false, noGrid)
	}
	c.Shown.At = min(max(c.Shown.At+by, 0), len(d.Values)-1)
	c.Focus.Cross = pane.Cross{} // the cursor's numbers, and not those under the mouse
	return nil
}

// click puts the cursor on a cell, and jumps to it at the second of two clicks.
func (c *Sweep) click(at control.Hit) tea.Cmd {
	p, ok := c.Screen.Panes.Find(at.Args[0])
	if !ok || c.Shown.Data == nil {
		return nil
	}
	c.FocusPane(p)
	i := view.CellAt(at.X, at.W, len(c.Shown.Data.Values))
	if at.Twice && i == c.Shown.At {
		return c.jump()
	}
	c.Shown.At = i
	return nil
}

// jump takes the session to the cell under the cursor. A session that is paused runs as
// far as the cell did. Of a search it takes ε alone. Where the strip's "more" is selected, that is opened.
func (c *Sweep) jump() tea.Cmd {
	d := c.Shown.Data
	switch {
	case c.Focus.OnMore:
		return c.Desk.Keys.Do("more parameters")
	case d == nil || c.Shown.At >= len(d.Values) || c.grid == nil && c.search == nil:
		return c.Say(false, noGrid)
	case c.search != nil:
		return c.take(d, c.Shown.At)
	}
	p, x, snap, to := &d.Param, d.Values[c.Shown.At], c.Feed.Foreseen, &c.grid.Sweep.Config
	var cmds []tea.Cmd
	text := fmt.Sprintf("the session now has the cell's %s %s and seed %d", p.Symbol, d.Text(c.Shown.At), to.Seed)
	var back []string
	if c.Feed.Newest.Tape.At > 0 {
		back = append(back, c.Keys.First("history")+" goes back to what ran")
	}
	if slices.ContainsFunc(snap.Lanes, func(l engine.LaneView) bool { return l.Setting.Or(p.Key, x) != x }) {
		cmds = append(cmds, c.Feed.Send(state.SetParam{Lane: state.AllLanes, Key: p.Key, Value: x}))
		back = append(back, c.Keys.First("undo")+" turns "+p.Symbol+" back")
	}
	cmds = append(cmds, c.Feed.Send(state.Restart{Seed: to.Seed}))
	if snap.Phase == state.Paused {
		cmds = append(cmds, c.Feed.Send(state.StepBy{N: to.Steps}))
		text += ", " + plane.Count(to.Steps) + " steps"
	}
	text = strings.TrimSuffix(text+"; "+strings.Join(back, ", "), "; ")
	return tea.Batch(append(cmds, c.Say(false, text))...)
}

func (c *Sweep) rangeOf(arg string) (func() tea.Cmd, error) {
	s := c.Feed.Foreseen
	a, err := grammar.ParseAxis(arg, s.Problem,
		list.Map(s.Lanes, func(l engine.LaneView) state.Setting { return l.Setting }))
	if err != nil {
		return nil, err
	}
	if slices.Sort(a.Values); len(a.Values) > scan.MostCells {
		return nil, fmt.Errorf("at most %d values, got %d", scan.MostCells, len(a.Values))
	}
	return func() tea.Cmd { return c.over(a, arg) }, nil
}

// over shows a grid over an axis, or, of none, one over the selected parameter from coarse to fine.
func (c *Sweep) over(a study.Axis, text string) tea.Cmd {
	c.turnTo(a, text)
	return tea.Batch(c.Keys.Do("view: sweep"), c.follow())
}

// turnTo leaves a search and a range for an axis.
func (c *Sweep) turnTo(a study.Axis, text string) {
	if c.search != nil {
		c.stop()
		c.search, c.Shown.Data = nil, nil
	}
	c.axis, c.Size.Range, c.focused = a, text, c.Focus.Param
}

func (c *Sweep) pause() tea.Cmd {
	if c.search != nil {
		return c.Say(false, "a search of ε does not pause: :tune begins one anew")
	}
	if c.grid == nil || c.grid.Whole() {
		return c.Say(false, "no grid runs: "+c.Keys.First("sweep: anew")+" runs one around the present value")
	}
	if c.paused {
		return tea.Batch(c.hold(false), c.Say(false, "the grid goes on"))
	}
	return tea.Batch(c.hold(true), c.Say(false, "the grid is paused: "+c.Keys.First("sweep: pause")+" goes on"))
}

// hold pauses the grid, or has it go on.
func (c *Sweep) hold(on bool) tea.Cmd {
	if c.paused = on; !on {
		return c.start()
	}
	c.stop()
	c.publish()
	return nil
}

// again makes the grid anew about the present value, on the present seed.
func (c *Sweep) again() tea.Cmd {
	p, ok := c.param()
	if !ok {
		return c.Say(false, noParam)
	}
	if c.grid != nil && (c.asked == 0 || c.asked+1 != c.Keys.Press) {
		if done, total := c.grid.Progress(); done > 0 {
			c.asked = c.Keys.Press
			return c.Say(false, fmt.Sprintf("%s again throws %d of %d runs away for a new grid",
				c.Keys.First("sweep: anew"), done, total))
		}
	}
	c.asked = 0
	c.stop()
	c.search = nil
	c.grids = slices.DeleteFunc(c.grids, func(g *scan.Scan) bool { return g == c.grid })
	c.grid, c.Shown.Data, c.note, c.paused = nil, nil, "", false
	cmd := c.newGrid(p)
	return tea.Batch(cmd, c.Say(false,
		fmt.Sprintf("a grid over %s around %s", p.Symbol, p.Format(c.Lane().Setting.Value(p.Key)))))
}

func (c *Sweep) sizeOf(arg string) (func() tea.Cmd, error) {
	what, text, _ := strings.Cut(arg, " ")
	n, err := strconv.Atoi(strings.TrimSpace(text))
	z, least, most := c.Size, 0, 0
	switch what {
	case "cells":
		z.Cells, least, most = n, scan.LeastCells, scan.MostCells
	case "steps":
		z.Steps, least, most = uint64(n), scan.LeastSteps, scan.MostSteps
	case "seeds":
		z.Seeds, least, most = n, scan.LeastSeeds, scan.MostSeeds
	default:
		return nil, fmt.Errorf("must be cells N, steps N or seeds N, got %q", arg)
	}
	if err != nil || n != 0 && (n < least || n > most) {
		return nil, fmt.Errorf("%s must be %s to %s, or 0 for the usual, got %q", what, plane.Commas(uint64(least)),
			plane.Commas(uint64(most)), text)
	}
	return func() tea.Cmd { return c.resize(z) }, nil
}

// resize changes the size of the grid. Where that is another, another grid runs, and what has run of this one is kept.
func (c *Sweep) resize(z scan.Size) tea.Cmd {
	if z.Steps == (scan.Size{Cells: z.Cells, Seeds: z.Seeds, Range: z.Range}).Of(c.Feed.Foreseen,
		c.grid != nil && c.grid.Sweep.Config.Bias).Steps {
		z.Steps = 0 // so that the grid that has it is found
	}
	c.Size = z
	was := c.grid
	cmd, text := c.follow(), "the next grid has that size; view "+c.Keys.First("view: sweep")+" shows it"
	if c.open() && c.grid != nil {
		k := c.grid.Known()
		text = fmt.Sprintf("%d cells of %s steps, %d%s", len(k.Values), plane.Count(k.Steps), k.Seeds,
			plane.Plural(k.Seeds, " seed", " seeds"))
		if was != nil && was != c.grid && was.Known().Done > 0 {
			text += fmt.Sprintf("; what has run of %s steps is kept", plane.Count(was.Sweep.Config.Steps))
		}
	}
	return tea.Batch(cmd, c.Say(false, text))
}
