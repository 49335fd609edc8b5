package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
)

// session is what the screen asks of an engine.Session.
type session interface {
	Send(engine.Command) (serial uint64)
	Snapshot() *engine.Snapshot
	Changed() <-chan struct{}
}

// feed brings snapshots in and takes commands out. While the session runs it
// looks for a new snapshot at every tick; while the session rests nothing ticks,
// and the next change wakes it.
type feed struct {
	session session
	ended   <-chan struct{} // closed when the program ends

	snap *engine.Snapshot
	// shown is snap with the expected effects of commands that it does not
	// know of yet, so that a key shows at once and fast repeats accumulate.
	shown   *engine.Snapshot
	pending []expectation

	// ask looks at a command before it is sent, and returns what is to be done with its
	// serial afterwards; nil for nothing.
	ask func(engine.Command) func(serial uint64) tea.Cmd

	sent     uint64 // serial of the newest command
	interval time.Duration
	ticking  bool
	tag      int // of the chain of ticks that counts
}

// An expectation is what a command that was sent will do to the snapshot.
type expectation struct {
	serial uint64 // of the command
	effect func(*engine.Snapshot)
}

type (
	tickMsg    struct{ tag int }
	changedMsg struct{}
)

func newFeed(ctx context.Context, s session, fps int) feed {
	if fps <= 0 {
		fps = DefaultFPS
	}
	snap := s.Snapshot()
	return feed{
		session: s, ended: ctx.Done(), snap: snap, shown: snap, sent: snap.Applied,
		interval: time.Second / time.Duration(fps),
	}
}

// send sends a command with its expected effect, nil for one that the screen
// does not foresee. It returns the command that keeps snapshots coming.
func (f *feed) send(c engine.Command, effect func(*engine.Snapshot)) tea.Cmd {
	var told func(serial uint64) tea.Cmd
	if f.ask != nil {
		told = f.ask(c)
	}
	f.sent = f.session.Send(c)
	if effect != nil {
		f.pending = append(f.pending, expectation{f.sent, effect})
		f.foresee()
	}
	f.session.Snapshot() // ask for one that knows of the command
	if told != nil {
		return tea.Batch(f.start(), told(f.sent))
	}
	return f.start()
}

// foresee works out the snapshot shown.
func (f *feed) foresee() {
	f.pending = slices.DeleteFunc(f.pending, func(e expectation) bool { return e.serial <= f.snap.Applied })
	f.shown = f.snap
	if len(f.pending) == 0 {
		return
	}
	s := *f.snap
	s.Lanes = slices.Clone(s.Lanes)
	for _, e := range f.pending {
		e.effect(&s)
	}
	f.shown = &s
}

// awaiting reports whether a command was sent of which the snapshot does not
// know.
func (f *feed) awaiting() bool { return f.snap.Applied < f.sent }

// live reports whether new snapshots are to be expected.
func (f *feed) live() bool { return f.snap.Phase == engine.Running || f.awaiting() }

// pull takes the newest snapshot and reports whether there was one.
func (f *feed) pull() bool {
	s := f.session.Snapshot()
	if s.Version == f.snap.Version {
		return false
	}
	f.snap = s
	f.sent = max(f.sent, s.Applied) // who writes the session has sent one too
	f.foresee()
	return true
}

// start begins a chain of ticks if one is needed and none is under way.
func (f *feed) start() tea.Cmd {
	if f.ticking || !f.live() {
		return nil
	}
	f.ticking = true
	f.tag++
	return f.tick()
}

func (f *feed) tick() tea.Cmd {
	tag := f.tag
	return tea.Tick(f.interval, func(time.Time) tea.Msg { return tickMsg{tag} })
}

// onTick handles a tick and reports whether there is a new snapshot. The chain
// ends when nothing is to be expected.
func (f *feed) onTick(msg tickMsg) (fresh bool, next tea.Cmd) {
	if msg.tag != f.tag || !f.ticking {
		return false, nil
	}
	fresh = f.pull()
	if !f.live() {
		f.ticking = false
		return fresh, nil
	}
	return fresh, f.tick()
}

// onChanged handles a wake-up: it matters while a command awaits its effect,
// and while nothing ticks.
func (f *feed) onChanged() (fresh bool, next tea.Cmd) {
	if f.awaiting() || !f.ticking {
		fresh = f.pull()
	}
	return fresh, tea.Batch(f.wait(), f.start())
}

// wait blocks until the session publishes a snapshot. Exactly one wait is under
// way at any time.
func (f *feed) wait() tea.Cmd {
	changed, ended := f.session.Changed(), f.ended
	return func() tea.Msg {
		select {
		case <-changed:
			return changedMsg{}
		case <-ended:
			return nil
		}
	}
}
