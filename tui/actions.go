package tui

import (
	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// actions says what each key of the main screen does.
func actions() map[keymap.Action]action {
	return map[keymap.Action]action{
		keymap.Pause:      (*model).pause,
		keymap.Step:       func(m *model) tea.Cmd { return m.stepBy(1) },
		keymap.Slower:     func(m *model) tea.Cmd { return m.faster(-1) },
		keymap.Faster:     func(m *model) tea.Cmd { return m.faster(1) },
		keymap.Restart:    func(m *model) tea.Cmd { return m.restart(m.Feed.Shown.Config.Seed) },
		keymap.NewSeed:    func(m *model) tea.Cmd { return m.restart(m.Feed.Shown.Config.Seed + 1) },
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
		keymap.Undo:       (*model).undo,
		keymap.Redo:       (*model).redo,

		keymap.NextLane:   func(m *model) tea.Cmd { m.Focus.Move(m.Feed.Shown, 1); return nil },
		keymap.PrevLane:   func(m *model) tea.Cmd { m.Focus.Move(m.Feed.Shown, -1); return nil },
		keymap.Link:       link,
		keymap.AddLane:    pickLane,
		keymap.RemoveLane: (*model).removeLane,
		keymap.Target:     pickTarget,
		keymap.Sampler:    pickSampler,

		keymap.View1:           func(m *model) tea.Cmd { return m.toView(stageView) },
		keymap.View2:           func(m *model) tea.Cmd { return m.toView(diagnosticsView) },
		keymap.View3:           func(m *model) tea.Cmd { return m.toView(learningView) },
		keymap.View4:           func(m *model) tea.Cmd { return m.toView(weightsView) },
		keymap.View5:           func(m *model) tea.Cmd { return m.toView(predictionsView) },
		keymap.View6:           func(m *model) tea.Cmd { return m.toView(sweepView) },
		keymap.NextPredictions: func(m *model) tea.Cmd { return m.browse(1) },
		keymap.PrevPredictions: func(m *model) tea.Cmd { return m.browse(-1) },
		keymap.Browse:          (*model).toBrowse,
		keymap.ShiftKind:       func(m *model) tea.Cmd { return m.shiftKind(1) },
		keymap.ShiftKindBack:   func(m *model) tea.Cmd { return m.shiftKind(-1) },
		keymap.ShiftDown:       func(m *model) tea.Cmd { return m.shiftBy(-1) },
		keymap.ShiftUp:         func(m *model) tea.Cmd { return m.shiftBy(1) },
		keymap.ShiftFarDown:    func(m *model) tea.Cmd { return m.shiftBy(-allCross) },
		keymap.ShiftFarUp:      func(m *model) tea.Cmd { return m.shiftBy(allCross) },
		keymap.ImagePrev:       func(m *model) tea.Cmd { return m.imageBy(-1) },
		keymap.ImageNext:       func(m *model) tea.Cmd { return m.imageBy(1) },
		keymap.LeaveImages:     (*model).leaveBrowse,
		keymap.XAxis:           nextXAxis,
		keymap.LogAxes:         nextLogAxes,
		keymap.WatchX:          func(m *model) tea.Cmd { return m.watchNext(0) },
		keymap.WatchY:          func(m *model) tea.Cmd { return m.watchNext(1) },
		keymap.Principal:       (*model).watchPrincipal,

		keymap.NextPane:      func(m *model) tea.Cmd { return m.nextPane(1) },
		keymap.PrevPane:      func(m *model) tea.Cmd { return m.nextPane(-1) },
		keymap.PaneLeft:      func(m *model) tea.Cmd { return m.paneBeside(-1, 0) },
		keymap.PaneRight:     func(m *model) tea.Cmd { return m.paneBeside(1, 0) },
		keymap.PaneUp:        func(m *model) tea.Cmd { return m.paneBeside(0, -1) },
		keymap.PaneDown:      func(m *model) tea.Cmd { return m.paneBeside(0, 1) },
		keymap.Maximise:      (*model).maximise,
		keymap.Projector:     (*model).project,
		keymap.Overlay:       (*model).overlayLanes,
		keymap.Card:          (*model).showCard,
		keymap.Inspect:       (*model).inspect,
		keymap.ZoomIn:        func(m *model) tea.Cmd { return m.zoomBy(1) },
		keymap.ZoomOut:       func(m *model) tea.Cmd { return m.zoomBy(-1) },
		keymap.ZoomAll:       (*model).zoomAll,
		keymap.PanLeft:       func(m *model) tea.Cmd { return m.pan(-1) },
		keymap.PanRight:      func(m *model) tea.Cmd { return m.pan(1) },
		keymap.CrossLeft:     func(m *model) tea.Cmd { return m.moveCross(-1, 0) },
		keymap.CrossRight:    func(m *model) tea.Cmd { return m.moveCross(1, 0) },
		keymap.CrossUp:       func(m *model) tea.Cmd { return m.moveCross(0, 1) },
		keymap.CrossDown:     func(m *model) tea.Cmd { return m.moveCross(0, -1) },
		keymap.CrossFarLeft:  func(m *model) tea.Cmd { return m.moveCross(-farCross, 0) },
		keymap.CrossFarRight: func(m *model) tea.Cmd { return m.moveCross(farCross, 0) },
		keymap.CrossFirst:    func(m *model) tea.Cmd { return m.moveCross(-allCross, 0) },
		keymap.CrossLast:     func(m *model) tea.Cmd { return m.moveCross(allCross, 0) },
		keymap.Theme:         (*model).nextTheme,
		keymap.Lessons:       pickLesson,

		keymap.Palette: openPalette,
		keymap.Help:    openHelp,
		keymap.Words:   openWords,
		keymap.Back:    (*model).back,
		keymap.Copy:    copyLine,
		keymap.Write:   func(m *model) tea.Cmd { return m.write("") },

		keymap.Sessions: pickSession,
		keymap.Before:   (*model).sessionBefore,
		keymap.Film:     func(m *model) tea.Cmd { return m.film("") },
		keymap.Picture:  func(m *model) tea.Cmd { return m.picture("", false) },

		keymap.Tape:           (*model).scrub,
		keymap.TapeBack:       func(m *model) tea.Cmd { return m.seekBy(-1) },
		keymap.TapeForward:    func(m *model) tea.Cmd { return m.seekBy(1) },
		keymap.TapeFarBack:    func(m *model) tea.Cmd { return m.seekBy(-10) },
		keymap.TapeFarForward: func(m *model) tea.Cmd { return m.seekBy(10) },
		keymap.TapeStepBack:   (*model).tapeStepBack,
		keymap.TapeStep:       (*model).tapeStep,
		keymap.TapePrevTurn:   func(m *model) tea.Cmd { return m.seekTurn(-1) },
		keymap.TapeNextTurn:   func(m *model) tea.Cmd { return m.seekTurn(1) },
		keymap.TapeStart:      func(m *model) tea.Cmd { return m.seekEnd(false) },
		keymap.TapeEnd:        func(m *model) tea.Cmd { return m.seekEnd(true) },
		keymap.TapePlay:       (*model).tapePlay,
		keymap.TapePlayBack:   (*model).playBack,
		keymap.TapeType:       typeStep,
		keymap.TapeLeave:      (*model).leaveTape,

		keymap.CellLeft:     func(m *model) tea.Cmd { return m.moveCell(-1) },
		keymap.CellRight:    func(m *model) tea.Cmd { return m.moveCell(1) },
		keymap.CellFarLeft:  func(m *model) tea.Cmd { return m.moveCell(-farCross) },
		keymap.CellFarRight: func(m *model) tea.Cmd { return m.moveCell(farCross) },
		keymap.CellFirst:    func(m *model) tea.Cmd { return m.moveCell(-allCross) },
		keymap.CellLast:     func(m *model) tea.Cmd { return m.moveCell(allCross) },
		keymap.CellJump:     (*model).jump,
		keymap.GridPause:    (*model).pauseGrid,
		keymap.GridAgain:    (*model).againGrid,
		keymap.GridShorter:  func(m *model) tea.Cmd { return m.longer(-1) },
		keymap.GridLonger:   func(m *model) tea.Cmd { return m.longer(1) },

		keymap.Suspend: (*model).stop,
		keymap.Quit:    (*model).quit,
	}
}

// typeValue begins to type a value for the selected parameter.
func typeValue(m *model) tea.Cmd {
	if p, ok := m.Selected(); ok {
		m.mode = &valueInput{param: p}
	}
	return nil
}

func link(m *model) tea.Cmd {
	m.Focus.Separate = !m.Focus.Separate
	if m.Focus.Separate {
		return m.Say(false, "turns apply to lane "+engine.LaneLetter(m.Lane().ID)+" alone")
	}
	return m.Say(false, "turns apply to all lanes")
}

// nextXAxis shows curves against the next thing that the target has.
func nextXAxis(m *model) tea.Cmd {
	names := [...]string{pane.ByStep: "steps", pane.ByEpoch: "epochs", pane.ByGradient: "gradients", pane.ByClock: "seconds"}
	x := (m.Focus.X + 1) % pane.XAxis(len(names))
	if x == pane.ByEpoch && !m.Feed.Shown.Problem.HasData() {
		x++
	}
	m.Focus.X = x
	return m.sayKept("curves against "+names[x], func(s prefs.Settings) any { return s.XAxis })
}

// nextLogAxes goes through the four pairs of axes.
func nextLogAxes(m *model) tea.Cmd {
	f := &m.Focus
	switch {
	case !f.LinearY && !f.LogX:
		f.LogX = true
	case !f.LinearY:
		f.LinearY = true
	case f.LogX:
		f.LogX = false
	default:
		f.LinearY = false
	}
	word := map[bool]string{false: "linear", true: "log"}
	return m.sayKept("x "+word[f.LogX]+", y "+word[!f.LinearY], func(s prefs.Settings) any { return [2]bool{s.LogX, s.LogY} })
}
