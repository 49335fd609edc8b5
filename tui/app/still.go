package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/driver"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Still shows a session that was not run yet on a screen of w×h cells without a terminal, and returns what is on it
// after a script, and where the focused pane is, which is empty on a screen without panes. The session is paused from
// its first step on; what of the script are steps runs by their number. Nothing on the frame depends on the clock:
// speeds and seconds are missing, and notices stay until a key answers them. A script that writes, copies or quits does
// not.
//
// The script is words apart by blanks: keys as Bubble Tea names them, such as 2, shift+left or space; names of
// commands, such as undo or layout-projector; steps=N, which runs N steps in every lane; type=TEXT, which types a text
// without blanks; and runs=N, after which the grid of view 6 is paused as soon as N of its runs are done.
//
// Options.Progress is told, a few times a second, what is waited for.
func Still(ctx context.Context, s *session.Session, o Options, w, h int,
	script string) (screen *plane.Plane, focused plane.Rect, err error) {
	words, err := grammar.Script(script)
	if err != nil {
		return nil, plane.Rect{}, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	driver := driver.Drive(ctx, s)
	still := &stillSession{ctx: ctx, driver: driver}
	if o.Progress != nil {
		driver.Waits = func(s *engine.Snapshot, done float64) {
			o.Progress(done, fmt.Sprintf("step %s", plane.Count(s.Lanes[0].Step)))
		}
	}
	still.Send(state.Pause{})

	m := newModel(ctx, still, o)
	m.Now = func() time.Time { return still.now }
	defer func() { m.tell(control.EndMsg{Failed: o.Warn}) }()
	for _, w := range words {
		if _, ok := namedKey(w.Key); w.Key != "" && !ok && m.named(w.Key) == nil {
			return nil, plane.Rect{}, fmt.Errorf("%q is no key, no command, steps=N, runs=N or type=TEXT", w.Key)
		}
	}
	m.Init()
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for _, word := range words {
		if still.err != nil {
			break
		}
		act(m, still, word)
	}
	if err := cmp.Or(driver.Stop(), ctx.Err()); err != nil {
		return nil, plane.Rect{}, err
	}
	// A session that has stopped has evaluated all of its draws.
	still.snap = timeless(s.Snapshot())
	look(m)
	m.Screen.Dirty = true
	m.View()
	p, _ := m.Screen.PaneToStart(&m.Focus)
	return m.Screen.Plane, p.Rect, nil
}

// namedKey makes the message of a key as Bubble Tea names it, or as the help does.
func namedKey(name string) (tea.KeyPressMsg, bool) {
	name = control.Spelled(name)
	var mod tea.KeyMod
	for _, m := range []struct {
		prefix string
		mod    tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, ok := strings.CutPrefix(name, m.prefix); ok && rest != "" {
			mod, name = mod|m.mod, rest
		}
	}
	if code, ok := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	}[name]; ok {
		return tea.KeyPressMsg{Code: code, Mod: mod}, true
	}
	if name == "space" {
		return tea.KeyPressMsg{Code: tea.KeySpace, Mod: mod, Text: " "}, true
	}
	r, n := utf8.DecodeRuneInString(name)
	if n != len(name) || r == utf8.RuneError {
		return tea.KeyPressMsg{}, false
	}
	k := tea.KeyPressMsg{Code: r, Mod: mod}
	if mod == 0 {
		k.Text = name
	}
	return k, true
}

func isKey(name string) bool {
	if n, ok := strings.CutPrefix(name, "f"); ok && n != "" {
		k, err := strconv.Atoi(n)
		return err == nil && 1 <= k && k <= 12
	}
	_, ok := namedKey(name)
	return ok
}

// named is what a command does that a word of a script names, with dashes for blanks, as in
// layout-projector; nil if nothing is called so.
func (m *model) named(word string) func() tea.Cmd {
	name := strings.ReplaceAll(word, "-", " ")
	for i := range m.Keys.Bindings {
		if b := &m.Keys.Bindings[i]; b.When == nil && b.Do != nil && b.Called(name) {
			return b.Do
		}
	}
	name, arg, _ := strings.Cut(name, " ")
	if b := control.ByName(m.Keys.Bindings, name); b != nil && b.With != nil {
		return func() tea.Cmd {
			do, err := b.With(arg)
			if err != nil {
				return m.Say(true, name+" "+err.Error())
			}
			return do()
		}
	}
	return nil
}

// act does what a word of a script says.
func act(m *model, s *stillSession, w grammar.Word) {
	if w.Move.Name != "" {
		s.now = s.now.Add(time.Hour)
		commands, _ := w.Move.Commands(m.Feed.Foreseen.State())
		for _, c := range commands {
			m.Feed.Send(c)
		}
		look(m)
	}
	var acts []func() tea.Cmd
	press := func(k tea.KeyPressMsg) {
		acts = append(acts, func() tea.Cmd { _, cmd := m.Update(k); return cmd })
	}
	for _, r := range w.Text {
		press(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	if k, ok := namedKey(w.Key); ok {
		press(k)
	} else if do := m.named(w.Key); do != nil {
		acts = append(acts, func() tea.Cmd { m.Keys.Press++; return m.followed(do()) })
	}
	for _, act := range acts {
		serial := m.Fetches
		cmd := act()
		look(m) // the session has done at once what it was told
		if m.Fetches == serial {
			continue
		}
		// A target, a lesson's scene or a recording that is opened beside the screen.
		opened := make(chan tea.Msg, 1)
		go findOpened(cmd, opened)
		select {
		case msg := <-opened:
			m.Update(msg)
			look(m)
		case <-s.ctx.Done():
		}
	}
	m.tell(control.SettleMsg{Context: s.ctx, Runs: w.Runs, Progress: m.opts.Progress})
	s.settle()
	look(m)
}

// look takes the newest snapshot, as a tick does.
func look(m *model) {
	before := m.Feed.Newest
	m.took(before, m.Feed.Pull(), nil)
	m.draw() // keys go by the panes of the newest frame
}

// findOpened carries out commands until one of them has opened something. Others
// are timers, of which a still has no need.
func findOpened(cmd tea.Cmd, to chan<- tea.Msg) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case control.OpenedMsg:
		to <- msg
	case tea.BatchMsg:
		for _, c := range msg {
			go findOpened(c, to)
		}
	}
}

// stillSession is a session that has done what it is told when Send returns.
type stillSession struct {
	ctx    context.Context
	driver *driver.Driver
	snap   *engine.Snapshot
	err    error     // why the session has ended
	now    time.Time // a clock that goes on with steps alone
}

func (s *stillSession) Snapshot() *engine.Snapshot { return s.snap }

// Changed never receives: the still itself says when to look.
func (s *stillSession) Changed() <-chan struct{} { return nil }

func (s *stillSession) Send(c state.Command) (serial uint64) {
	// What resumes would run for as long as the machine lets it.
	if _, resumes := c.(state.Resume); !resumes && s.err == nil {
		var snap *engine.Snapshot
		snap, s.err = s.driver.Send(c)
		s.snap = timeless(snap)
	}
	return s.snap.Applied
}

// settle waits until shifted images are predicted, discrepancies worked out and chains compared.
func (s *stillSession) settle() {
	v := s.snap.Shift
	if s.snap.Discrepancy == nil && !s.snap.Comparing && (v == nil || v.Asked.Kind == targets.NoShift) {
		return
	}
	for s.err == nil {
		before := s.snap.Settled()
		if s.Send(state.Pause{}); before && s.snap.Settled() { // a snapshot that has it all
			return
		}
		select {
		case <-s.driver.Ended:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// timeless is a snapshot without what differs from run to run.
func timeless(snap *engine.Snapshot) *engine.Snapshot {
	nan := math.NaN()
	out := *snap
	out.Rate = nan
	out.Lanes = slices.Clone(snap.Lanes)
	for i := range out.Lanes {
		l := &out.Lanes[i]
		l.Seconds, l.Left, l.Values = nan, nan, l.Values.Timeless()
		if l.Previous != nil {
			p := *l.Previous
			p.Values = p.Values.Timeless()
			l.Previous = &p
		}
		l.History = slices.Clone(l.History)
		for k := range l.History {
			l.History[k].Seconds = nan
		}
	}
	out.Marks = slices.Clone(snap.Marks)
	for i := range out.Marks {
		out.Marks[i].Seconds = nan
	}
	return &out
}
