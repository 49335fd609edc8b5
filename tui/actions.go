package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/panel"
)

// actions says what each key of the main screen does.
func actions() map[keymap.Action]action {
	send := func(c engine.Command) action {
		return func(m *model) tea.Cmd { return m.feed.send(c, nil) }
	}
	return map[keymap.Action]action{
		keymap.Pause:      (*model).pause,
		keymap.Step:       func(m *model) tea.Cmd { return m.stepBy(1) },
		keymap.Slower:     func(m *model) tea.Cmd { return m.faster(-1) },
		keymap.Faster:     func(m *model) tea.Cmd { return m.faster(1) },
		keymap.Restart:    func(m *model) tea.Cmd { return m.restart(m.feed.shown.Config.Seed) },
		keymap.NewSeed:    func(m *model) tea.Cmd { return m.restart(m.feed.shown.Config.Seed + 1) },
		keymap.RewindHalf: (*model).rescue,
		keymap.Rewind:     func(m *model) tea.Cmd { return m.rewind(rewindSteps, 1) },
		keymap.Race:       (*model).race,

		keymap.SelectPrev: func(m *model) tea.Cmd { return m.selectBy(-1) },
		keymap.SelectNext: func(m *model) tea.Cmd { return m.selectBy(1) },
		keymap.TurnDown:   func(m *model) tea.Cmd { return m.turn(-1) },
		keymap.TurnUp:     func(m *model) tea.Cmd { return m.turn(1) },
		keymap.CoarseDown: func(m *model) tea.Cmd { return m.turn(-5) },
		keymap.CoarseUp:   func(m *model) tea.Cmd { return m.turn(5) },
		keymap.Type:       typeValue,
		keymap.Undo:       send(engine.Undo{}),
		keymap.Redo:       send(engine.Redo{}),

		keymap.NextLane:   func(m *model) tea.Cmd { m.focus.move(m.feed.shown, 1); return nil },
		keymap.PrevLane:   func(m *model) tea.Cmd { m.focus.move(m.feed.shown, -1); return nil },
		keymap.Link:       link,
		keymap.AddLane:    pickLane,
		keymap.RemoveLane: (*model).removeLane,
		keymap.Target:     pickTarget,
		keymap.Sampler:    pickSampler,

		keymap.View1:           func(m *model) tea.Cmd { return m.show(stageView) },
		keymap.View2:           func(m *model) tea.Cmd { return m.show(diagnosticsView) },
		keymap.View3:           func(m *model) tea.Cmd { return m.show(learningView) },
		keymap.View4:           func(m *model) tea.Cmd { return m.show(weightsView) },
		keymap.View5:           func(m *model) tea.Cmd { return m.show(predictionsView) },
		keymap.NextPredictions: func(m *model) tea.Cmd { return m.browse(1) },
		keymap.PrevPredictions: func(m *model) tea.Cmd { return m.browse(-1) },
		keymap.XAxis:           nextXAxis,
		keymap.LogAxes:         nextLogAxes,
		keymap.WatchX:          func(m *model) tea.Cmd { return m.watchNext(0) },
		keymap.WatchY:          func(m *model) tea.Cmd { return m.watchNext(1) },
		keymap.Principal:       (*model).watchPrincipal,

		keymap.Palette: openPalette,
		keymap.Help:    openHelp,
		keymap.Back:    func(m *model) tea.Cmd { m.notices.clear(); return nil },
		keymap.Copy:    copyLine,
		keymap.Write:   func(m *model) tea.Cmd { return m.write("") },
		keymap.Quit:    func(*model) tea.Cmd { return tea.Quit },
	}
}

// typeValue begins to type a value for the selected parameter.
func typeValue(m *model) tea.Cmd {
	if p, ok := m.selected(); ok {
		m.mode = &valueInput{param: p}
	}
	return nil
}

func link(m *model) tea.Cmd {
	m.focus.separate = !m.focus.separate
	if m.focus.separate {
		return m.say(false, "turns apply to lane "+engine.LaneLetter(m.lane().ID)+" alone")
	}
	return m.say(false, "turns apply to all lanes")
}

// nextXAxis shows curves against the next thing that the target has.
func nextXAxis(m *model) tea.Cmd {
	names := [...]string{panel.ByStep: "steps", panel.ByEpoch: "epochs", panel.ByGradient: "gradients", panel.ByClock: "seconds"}
	x := (m.focus.x + 1) % panel.XAxis(len(names))
	if x == panel.ByEpoch && !m.feed.shown.Problem.HasData() {
		x++
	}
	m.focus.x = x
	return m.say(false, "curves against "+names[x])
}

// nextLogAxes goes through the four pairs of axes.
func nextLogAxes(m *model) tea.Cmd {
	f := &m.focus
	switch {
	case !f.linearY && !f.logX:
		f.logX = true
	case !f.linearY:
		f.linearY = true
	case f.logX:
		f.logX = false
	default:
		f.linearY = false
	}
	word := map[bool]string{false: "linear", true: "log"}
	return m.say(false, "x "+word[f.logX]+", y "+word[!f.linearY])
}
