package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/theme"
)

// model is the root of the program. It routes messages to its parts.
type model struct {
	*control.Desk
	controls
	opts     Options
	opener   opener
	screen   screen
	pointer  pointer
	settings settings
	tape     taping
	course   course
	sweep    sweeping
}

// controls are what the user's hands reach.
type controls struct {
	keys    *keymap.Map
	actions map[keymap.Action]action
	mode    mode // what takes the keys; nil for the main screen
	drag    drag
	turns   turns // by keys and the wheel
	// unwritten is what a quit would lose.
	unwritten unwritten
}

// An action does what a key of the main screen or a line of the palette asks
// for.
type action func(*model) tea.Cmd

func newModel(ctx context.Context, s control.Session, o Options) *model {
	kept := openSettings(&o)
	m := &model{
		controls: controls{keys: keymap.New(), actions: actions()},
		opts:     o, settings: kept,
		Desk: &control.Desk{Feed: control.NewFeed(ctx, s, o.FPS)},
	}
	m.Theme, m.screen = newScreen(o)
	m.Focus.Param = "eps"
	m.Focus.Lane = m.Feed.Snap.Lanes[0].ID
	m.Notices.Seen = m.Feed.Snap.Notice.Serial
	m.opener.refused = map[string]string{}
	m.Feed.Ask = m.branching
	m.sweep.ctx = ctx
	if o.Lesson != nil {
		all, _ := m.lessons()
		m.course.begin(o.Lesson, all, &m.Feed)
	}
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.Feed.Wait(), m.Feed.Start()}
	if m.opts.Dark == nil && !m.Theme.NoColor {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if note := m.Feed.Snap.Problem.Note; note != "" {
		cmds = append(cmds, m.Say(false, note))
	}
	cmds = append(cmds, m.followed(m.apply()))
	return tea.Batch(cmds...)
}

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case control.TickMsg:
		before := m.Feed.Snap
		fresh, next := m.Feed.OnTick(msg)
		return m, m.took(before, fresh, next)
	case control.ChangedMsg:
		before := m.Feed.Snap
		fresh, next := m.Feed.OnChanged()
		return m, m.took(before, fresh, next)
	case tea.KeyPressMsg:
		m.Dirty = true
		return m, m.followed(m.press(msg))
	case tea.PasteMsg:
		m.Dirty = true
		return m, m.paste(msg.Content)
	case tea.MouseMsg:
		return m, m.followed(m.mouse(msg))
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
		return m, m.filmFromStart()
	case tea.BackgroundColorMsg:
		if !m.settings.fixed {
			m.SetDark(msg.IsDark())
		}
	case hoverMsg:
		m.hovered()
	case tea.ColorProfileMsg:
		switch {
		case msg.Profile <= colorprofile.ASCII:
			m.Restyle(func(l *theme.Look) { l.NoColor = true })
		case msg.Profile == colorprofile.ANSI:
			m.Restyle(func(l *theme.Look) { l.Sixteen = true })
		}
	case control.NoticeOverMsg:
		m.Dirty = m.Notices.Over(msg) || m.Dirty
	case openedMsg:
		m.Dirty = true
		return m, m.opened(msg)
	case sceneMsg:
		m.Dirty = true
		return m, m.sceneOpened(msg)
	case loadedMsg:
		m.Dirty = true
		return m, m.loaded(msg)
	case backMsg:
		return m, m.backStep(msg)
	case filmEndedMsg:
		m.Dirty = true
		return m, m.filmed(msg)
	case sweptMsg:
		return m, m.sweptSome(msg)
	case sweepDueMsg:
		return m, m.sweepDue(msg)
	case resumedMsg:
		return m, m.resumed(msg)
	case savedMsg:
		m.Dirty = true
		return m, m.saved(msg)
	case wroteMsg:
		m.Dirty = true
		return m, m.wrote(msg)
	}
	return m, nil
}

// View implements tea.Model.
func (m *model) View() tea.View {
	if m.Dirty {
		m.draw()
		w, h := m.Width, m.Height
		m.screen.filming.shoot(m.screen.frame, w, h)
	}
	return tea.View{Content: m.screen.frame, AltScreen: true, MouseMode: tea.MouseModeAllMotion}
}

// took handles a new snapshot, if there is one.
func (m *model) took(before *engine.Snapshot, fresh bool, next tea.Cmd) tea.Cmd {
	if !fresh {
		return next
	}
	m.Dirty = true
	m.Focus.Follow(before, m.Feed.Snap)
	m.unwritten.note(before, m.Feed.Snap)
	if !m.tape.on {
		m.tweaked(before)
	}
	m.screen.filming.mark(before, m.Feed.Snap)
	return m.followed(tea.Batch(next, m.Notices.Pull(m.Feed.Snap), m.lost(before), m.moved(before), m.taught()))
}

// press handles a key. Esc twice at once comes from a terminal as alt+esc does,
// and means the two.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	if k.Code != tea.KeyEscape || !k.Mod.Contains(tea.ModAlt) {
		return m.key(k)
	}
	esc := tea.KeyPressMsg{Code: tea.KeyEscape}
	return tea.Batch(m.key(esc), m.key(esc))
}

// key routes a key.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.keys.Action(k.String(), keymap.Always, keymap.Main) != keymap.Quit {
		m.unwritten.asked = false
	}
	if act, ok := m.actions[m.keys.Action(k.String(), keymap.Always)]; ok {
		return act(m)
	}
	if m.mode != nil {
		return m.mode.key(m, k)
	}
	m.Notices.Answer()
	cmd := m.mainKey(k)
	m.Notices.Answered(m.Feed.Snap, m.Feed.Sent)
	return cmd
}

// mainKey does what a key asks for where nothing is open.
func (m *model) mainKey(k tea.KeyPressMsg) tea.Cmd {
	if cmd, ok := m.scrubKey(k.String()); ok {
		return cmd
	}
	contexts := m.mainContexts()
	if contexts[0] == keymap.Main || m.keys.Action(k.String(), contexts[0]) == keymap.None {
		if cmd, ok := m.lessonKey(k.String()); ok {
			return cmd
		}
	}
	if act, ok := m.actions[m.keys.Action(k.String(), contexts...)]; ok {
		return act(m)
	}
	return m.noKey(k)
}

// places are where keys have a meaning of their own, and what leads there.
var places = [...]struct {
	context keymap.Context
	name    string
	by      keymap.Action
}{
	{keymap.Lesson, "in a lesson", keymap.Lessons},
	{keymap.Scrub, "on the tape", keymap.Tape},
	{keymap.Cells, "in the sweep", keymap.View6},
	{keymap.Images, "among images", keymap.Browse},
	{keymap.Reading, "on a chart's values", keymap.Inspect},
}

// noKey says of a key that does nothing here where it does something, or where the
// keys are listed.
func (m *model) noKey(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	for _, p := range places {
		if help := m.keys.Explain(key, p.context); help != "" {
			_, what, _ := strings.Cut(help, ": ")
			return m.Say(false, fmt.Sprintf("%s does nothing here; %s (%s): %s", keymap.Label(key), p.name, m.keys.Key(p.by), what))
		}
	}
	if k.Text == "" && m.keys.Action(key, keymap.Choose, keymap.Edit) == keymap.None {
		return nil // what a terminal may send by itself
	}
	return m.Say(false, keymap.Label(key)+" does nothing here; "+m.keys.Key(keymap.Help)+" lists the keys")
}

// mainContexts are the contexts of a key where nothing is open, but for the tape
// and a lesson, which may leave it to them.
func (m *model) mainContexts() []keymap.Context {
	switch {
	case m.onGrid():
		return []keymap.Context{keymap.Cells, keymap.Main}
	case m.Focus.Read:
		return []keymap.Context{keymap.Reading, keymap.Main}
	case m.browsing():
		return []keymap.Context{keymap.Images, keymap.Main}
	}
	return []keymap.Context{keymap.Main}
}

// contexts are those in which a key may mean something.
func (m *model) contexts() []keymap.Context {
	switch {
	case m.mode != nil:
		return []keymap.Context{keymap.Choose, keymap.Edit}
	case m.tape.on:
		return append([]keymap.Context{keymap.Scrub}, m.mainContexts()...)
	case m.course.on:
		return append([]keymap.Context{keymap.Lesson}, m.mainContexts()...)
	}
	return m.mainContexts()
}

// paste routes pasted text, which has a place only where text is typed.
func (m *model) paste(text string) tea.Cmd {
	if m.mode != nil {
		m.mode.paste(m, text)
	}
	return nil
}
