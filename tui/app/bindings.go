package app

import (
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// bindings lists what can be done, concern by concern. Those for a state of the screen
// come in the order in which keys are asked of them.
func (m *model) bindings() []control.Binding {
	var all []control.Binding
	for _, c := range m.controllers {
		all = append(all, c.Bindings()...)
	}
	return slices.Concat(all, m.viewBindings(), m.imageBindings(), m.axisBindings(), m.paneBindings(), m.readBindings(),
		m.sweepBindings(), m.keepBindings(), m.openBindings(), m.rootBindings(), m.verbs(), dialog.Keys())
}

func (m *model) viewBindings() []control.Binding {
	view := func(n int, name, help string) control.Binding {
		return control.Binding{Name: "view: " + name, Keys: strconv.Itoa(n + 1), Help: help, Group: control.Views, Hint: "view", Rank: 9, Do: func() tea.Cmd { return m.toView(n) }}
	}
	return []control.Binding{
		view(stageView, "stage", "stage, diagnostics, learning"),
		view(diagnosticsView, "diagnostics", "stage, diagnostics, learning"),
		view(learningView, "learning", "stage, diagnostics, learning"),
		view(weightsView, "weights", "weights, predictions"),
		view(predictionsView, "predictions", "weights, predictions"),
		view(sweepView, "sweep", "a grid over the selected parameter"),
		{Name: "view.next", At: func(control.Hit) tea.Cmd { return m.toView((m.Focus.View + 1) % len(m.screen.views)) }},
		{Name: "lane.focus", At: m.focusLane},
	}
}

func (m *model) imageBindings() []control.Binding {
	state := func() bool { return !m.Focus.Read && m.browsing() }
	by := func(f func(int) tea.Cmd, n int) func() tea.Cmd { return func() tea.Cmd { return f(n) } }
	const pages, choose, shift, ends, page, kind = "predictions: the next, those before", "images: the one before, the next", "images: shift them less, more",
		"images: to the ends of the shift", "images: the next page, that before", "images: shift by something else"
	return slices.Concat(
		control.In(control.Views, nil, []control.Binding{
			{Name: "next predictions", Keys: "n )", Help: pages, Do: by(m.browse, 1)},
			{Name: "previous predictions", Keys: "P (", Help: pages, Do: by(m.browse, -1)},
			{Name: "browse and shift images", Keys: "i", Help: "predictions: arrows choose and shift", Do: m.toBrowse},
			{Name: "shift the inputs", Keys: "I", Help: "predictions: shift the inputs by what", Do: by(m.shiftKind, 1)},
		}),
		control.In(control.Views, state, []control.Binding{
			{Name: "images: choose the one before", Keys: "up k", Help: choose, Hint: "choose", Rank: 3, Do: by(m.imageBy, -1)},
			{Name: "images: choose the next", Keys: "down j", Help: choose, Hint: "choose", Rank: 3, Do: by(m.imageBy, 1)},
			{Name: "images: shift less", Keys: "left h", Help: shift, Hint: "shift", Rank: 2, Do: by(m.shiftBy, -1)},
			{Name: "images: shift more", Keys: "right l", Help: shift, Hint: "shift", Rank: 2, Do: by(m.shiftBy, 1)},
			{Name: "images: no shift", Keys: "shift+left home", Help: ends, Do: by(m.shiftBy, -allCross)},
			{Name: "images: all of the shift", Keys: "shift+right end", Help: ends, Do: by(m.shiftBy, allCross)},
			{Name: "images: next page", Keys: "pgdown", Help: page, Do: by(m.browse, 1)},
			{Name: "images: page before", Keys: "pgup", Help: page, Do: by(m.browse, -1)},
			{Name: "images: next shift", Keys: "tab", Help: kind, Hint: "by what", Rank: 4, Do: by(m.shiftKind, 1)},
			{Name: "images: shift before", Keys: "shift+tab", Help: kind, Do: by(m.shiftKind, -1)},
			{Name: "images: leave", Keys: "esc enter", Help: "images: back", Hint: "back", Rank: 1, Do: m.leaveBrowse},
		}),
	)
}

func (m *model) axisBindings() []control.Binding {
	const watch = "next coordinate on the x, y axis"
	return slices.Concat(
		control.In(control.Views, nil, []control.Binding{
			{Name: "x axis", Keys: "X", Help: "against steps, epochs, gradients, time", Do: m.nextXAxis},
			{Name: "log axes", Keys: "L", Help: "logarithmic axes", Do: m.nextLogAxes},
			{Name: "watch: next on the x axis", Keys: "c", Help: watch, Do: func() tea.Cmd { return m.watchNext(0) }},
			{Name: "watch: next on the y axis", Keys: "C", Help: watch, Do: func() tea.Cmd { return m.watchNext(1) }},
			{Name: "watch: principal directions", Keys: "p", Help: "the draws' principal directions", Do: m.watchPrincipal},
		}),
	)
}

func (m *model) paneBindings() []control.Binding {
	beside := func(dx, dy int) func() tea.Cmd { return func() tea.Cmd { return m.paneBeside(dx, dy) } }
	const other, way = "focus another pane", "focus the pane that way"
	return slices.Concat(
		control.In(control.Panes, nil, []control.Binding{
			{Name: "next pane", Keys: "o", Help: other, Do: func() tea.Cmd { return m.nextPane(1) }},
			{Name: "previous pane", Keys: "O", Help: other, Do: func() tea.Cmd { return m.nextPane(-1) }},
			{Keys: "ctrl+left", Help: way, Do: beside(-1, 0)},
			{Keys: "ctrl+right", Help: way, Do: beside(1, 0)},
			{Keys: "ctrl+up", Help: way, Do: beside(0, -1)},
			{Keys: "ctrl+down", Help: way, Do: beside(0, 1)},
			{Name: "maximise the pane", Keys: "f", Help: "the focused pane alone, or all", Do: m.maximise},
			{Name: "projector mode", Keys: "F", Help: "projector: one big pane, thick lines", Do: m.project},
			{Name: "lanes over each other", Keys: "V", Help: "stage: lanes over each other", Do: m.overlayLanes},
			{Name: "before and after", Keys: "d", Help: "before and after the newest tweak", Do: m.showCard},
		}),
	)
}

func (m *model) readBindings() []control.Binding {
	state := func() bool { return m.Focus.Read }
	cross := func(dx, dy int) func() tea.Cmd { return func() tea.Cmd { return m.moveCross(dx, dy) } }
	zoom := func(by float64) func() tea.Cmd { return func() tea.Cmd { return m.zoomBy(by) } }
	pan := func(by float64) func() tea.Cmd { return func() tea.Cmd { return m.pan(by) } }
	const all, along, move, far, ends, about = "zoom in, out, show all", "move what is zoomed", "values: move the cross", "values: move it far", "values: to the first, the last", "values: zoom about the cross"
	return slices.Concat(
		control.In(control.Panes, nil, []control.Binding{
			{Name: "exact values", Keys: "v", Help: "exact values of a chart", Do: m.inspect},
			{Name: "zoom in", Keys: "=", Help: all, Do: zoom(1)},
			{Name: "zoom out", Keys: "_", Help: all, Do: zoom(-1)},
			{Name: "show all of each axis", Keys: "0", Help: all, Do: m.zoomAll},
			{Name: "move along, left", Keys: "{", Help: along, Do: pan(-1)},
			{Name: "move along, right", Keys: "}", Help: along, Do: pan(1)},
		}),
		control.In(control.Panes, state, []control.Binding{
			{Name: "values: left", Keys: "left h", Help: move, Hint: "move", Rank: 3, Do: cross(-1, 0)},
			{Name: "values: right", Keys: "right l", Help: move, Hint: "move", Rank: 3, Do: cross(1, 0)},
			{Name: "values: up", Keys: "up k", Help: move, Do: cross(0, 1)},
			{Name: "values: down", Keys: "down j", Help: move, Do: cross(0, -1)},
			{Name: "values: far left", Keys: "shift+left pgdown", Help: far, Do: cross(-farCross, 0)},
			{Name: "values: far right", Keys: "shift+right pgup", Help: far, Do: cross(farCross, 0)},
			{Name: "values: first", Keys: "home", Help: ends, Do: cross(-allCross, 0)},
			{Name: "values: last", Keys: "end", Help: ends, Do: cross(allCross, 0)},
			{Name: "values: zoom in", Keys: "+ enter", Help: about, Hint: "zoom", Rank: 4, Do: zoom(1)},
			{Name: "values: zoom out", Keys: "-", Help: about, Hint: "zoom", Rank: 4, Do: zoom(-1)},
			{Name: "values: leave", Keys: "esc", Help: "values: back", Hint: "back", Rank: 1, Do: m.back},
		}),
	)
}

func (m *model) sweepBindings() []control.Binding {
	cell := func(n int) func() tea.Cmd { return func() tea.Cmd { return m.moveCell(n) } }
	named := func(name string) func() tea.Cmd { return func() tea.Cmd { return m.Desk.Do(name) } }
	longer := func(n int) func() tea.Cmd { return func() tea.Cmd { return m.longer(n) } }
	const choose, far, ends, param, value, length = "sweep: choose a cell", "sweep: ten cells on", "sweep: to the first cell, the last", "sweep: over another parameter", "sweep: turn the session's value", "sweep: shorter cells, longer ones"
	return slices.Concat(
		control.In(control.Grid, m.onGrid, []control.Binding{
			{Name: "sweep: cell before", Keys: "left", Help: choose, Hint: "cell", Rank: 3, Do: cell(-1)},
			{Name: "sweep: next cell", Keys: "right", Help: choose, Hint: "cell", Rank: 3, Do: cell(1)},
			{Name: "sweep: ten cells before", Keys: "shift+left pgdown", Help: far, Do: cell(-farCross)},
			{Name: "sweep: ten cells on", Keys: "shift+right pgup", Help: far, Do: cell(farCross)},
			{Name: "sweep: first cell", Keys: "home", Help: ends, Do: cell(-allCross)},
			{Name: "sweep: last cell", Keys: "end", Help: ends, Do: cell(allCross)},
			{Name: "sweep: jump to the cell", Keys: "enter", Help: "sweep: the session jumps to the cell", Hint: "jump to it", Rank: 1, Do: m.jump},
			{Name: "sweep: parameter before", Keys: "up k", Help: param, Hint: "parameter", Rank: 4, Do: named("previous parameter")},
			{Name: "sweep: next parameter", Keys: "down j", Help: param, Hint: "parameter", Rank: 4, Do: named("next parameter")},
			{Name: "sweep: turn down", Keys: "-", Help: value, Hint: "turn", Rank: 6, Do: named("turn down")},
			{Name: "sweep: turn up", Keys: "+", Help: value, Hint: "turn", Rank: 6, Do: named("turn up")},
			{Name: "sweep: shorter cells", Keys: "(", Help: length, Hint: "length", Rank: 7, Do: longer(-1)},
			{Name: "sweep: longer cells", Keys: ")", Help: length, Hint: "length", Rank: 7, Do: longer(1)},
			{Name: "sweep: pause", Keys: "P", Help: "sweep: pause it or go on", Hint: "pause it", Rank: 8, Do: m.pauseGrid},
			{Name: "sweep: anew", Keys: "G", Help: "sweep: anew about the present value", Hint: "anew", Rank: 5, Do: m.againGrid},
		}),
	)
}

func (m *model) keepBindings() []control.Binding {
	theme := word("theme", "colours: auto, dark, light", prefs.Themes(), m.setTheme)
	theme.Keys, theme.Do = "T", m.nextTheme
	write := func(dir string) (func() tea.Cmd, error) { return func() tea.Cmd { return m.write(dir) }, nil }
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			theme,
			{Name: "copy the command line", Keys: "y", Help: "copy the command line of this session", Do: m.copyLine},
			{Name: "write", Keys: "w", Help: "save: write the session and its draws", Do: func() tea.Cmd { return m.write("") }, With: write},
			{Name: "open a session …", Keys: "E", Help: "open a session that was written", Do: m.pickSession},
			{Name: "session before", Keys: "B", Help: "back to the session before this one", Do: m.sessionBefore},
			{Name: "record the screen", Keys: "ctrl+r", Help: "record the screen as a cast, or stop", Do: func() tea.Cmd { return m.film("") }},
			{Name: "picture of the screen", Keys: "W", Help: "the screen as SVG; :picture F.png", Do: func() tea.Cmd { return m.picture("", false) }},
		}),
	)
}

// Names of what opens by itself what it is asked from.
const paletteName, helpName, wordsName = "command …", "help", "what is this?"

func (m *model) openBindings() []control.Binding {
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: paletteName, Keys: ":", Help: "any command by name, as in eps 0.3", Hint: "command", Rank: 10, Do: m.openPalette},
			{Name: helpName, Keys: "?", Help: "this help", Hint: "help", Rank: 1, Do: m.openHelp},
			{Name: wordsName, Keys: "H", Help: "what the words of the pane mean", Do: m.openWords},
			{Keys: "esc", Help: "back; clear the notice", Do: m.back},
			{Name: "notice.clear", At: func(control.Hit) tea.Cmd { m.Notices.Clear(); return nil }},
		}),
	)
}

func (m *model) rootBindings() []control.Binding {
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: "suspend", Keys: "ctrl+z", Help: "to the shell, whose fg comes back", Always: true, Do: m.stop},
			{Name: "quit", Keys: "q", Help: "quit", Hint: "quit", Rank: 2, Do: m.quit},
			{Keys: "ctrl+c", Help: "quit", Always: true, Do: m.quit},
		}),
	)
}

// focusLane focuses the lane whose line was hit.
func (m *model) focusLane(at control.Hit) tea.Cmd {
	if id, err := strconv.Atoi(at.Args[0]); err == nil {
		m.Focus.Lane = id
	}
	return nil
}
