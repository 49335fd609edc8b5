package control

import (
	"context"
	"slices"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/view"
)

// Session is what the screen asks of a session.Session.
type Session interface {
	Send(state.Command) (serial uint64)
	Snapshot() *engine.Snapshot
	Changed() <-chan struct{}
}

// Feed brings snapshots in and takes commands out. While the session runs it looks for a new snapshot at every tick;
// while the session rests nothing ticks, and the next change wakes it.
type Feed struct {
	Session Session
	ended   <-chan struct{} // closed when the program ends

	// Newest is what the session published last. Foreseen is Newest with the expected effects of commands that it does
	// not know of yet, so that a key shows at once and fast repeats accumulate. Panes see what Displayed returns:
	// Foreseen, but for the first moments of a seek.
	Newest   *engine.Snapshot
	Foreseen *engine.Snapshot
	pending  []expectation

	// Sending are functions that see each command before it is sent. What one returns is called
	// with the command's serial afterwards, unless it is nil.
	Sending []func(state.Command) func(serial uint64) tea.Cmd

	// Undone is the place on the tape to which undo has gone back. To resume there drops what is
	// ahead. It is nil if the session has moved on or the user goes along the tape.
	Undone *uint64
	// Branched says that the session has gone on from the midst of its tape since it was written.
	Branched bool
	// Halted is the serial of the command that stops a seek, 0 if none does.
	Halted uint64
	// still is what was shown when the newest seek began. It stands for shortSeek, so that a
	// short seek shows its end alone.
	still *engine.Snapshot
	since time.Time

	// Written counts the bytes sent to the terminal; nil where nobody counts. Ticks lie so far
	// apart that they are Rate bytes a second at most; 0 is no limit.
	Written *atomic.Int64
	Rate    float64
	sent    int64     // Written at the last tick
	due     time.Time // of the next tick

	Sent     uint64        // serial of the newest command
	Interval time.Duration // between two ticks, at least
	Ticking  bool          // a chain of ticks is under way
	Tag      int           // of the chain of ticks that counts
}

// An expectation is a command that was sent, which will change what the snapshot shows.
type expectation struct {
	serial  uint64 // of the command
	command state.Command
}

type (
	// TickMsg is the time to look for a new snapshot, of the chain of ticks with a tag.
	TickMsg struct{ Tag int }
	// ChangedMsg says that the session has published a snapshot.
	ChangedMsg struct{}
)

// DefaultFPS is how often the screen looks for a new snapshot.
const DefaultFPS = 30

// NewFeed looks at a session fps times a second, or DefaultFPS times if that is 0. The program
// ends with ctx. If s is nil, Begin gives the session.
func NewFeed(ctx context.Context, s Session, fps int) Feed {
	if fps <= 0 {
		fps = DefaultFPS
	}
	f := Feed{ended: ctx.Done(), Interval: time.Second / time.Duration(fps)}
	if s != nil {
		f.Begin(s)
	}
	return f
}

// Begun reports whether there is a session. Until then there is what is loading alone.
func (f *Feed) Begun() bool { return f.Session != nil }

// Lacks is why a view has nothing to show for the target, empty where it has.
func (f *Feed) Lacks(at int) string {
	if !f.Begun() {
		return ""
	}
	return view.Lacking(at, f.Foreseen.Problem)
}

// Begin gives the feed its session.
func (f *Feed) Begin(s Session) {
	snap := s.Snapshot()
	f.Session, f.Newest, f.Foreseen, f.Sent = s, snap, snap, snap.Applied
}

// Send sends a command, and shows its effect at once as far as it can be foreseen. What it returns
// keeps snapshots coming.
func (f *Feed) Send(c state.Command) tea.Cmd { return f.send(c, c) }

// SendInGesture is Send for a command that goes on with the gesture of the one before.
func (f *Feed) SendInGesture(c state.Command) tea.Cmd {
	return f.send(c, state.InGesture{Command: c})
}

// send sends form, which is c, or c in a gesture.
func (f *Feed) send(c, form state.Command) tea.Cmd {
	var told []func(serial uint64) tea.Cmd
	for _, look := range f.Sending {
		if then := look(c); then != nil {
			told = append(told, then)
		}
	}
	switch c.(type) {
	case state.Seek, state.Load, state.Branch, state.Return:
		f.Undone = nil
	}
	if state.Changes(c) {
		f.Undone = nil
	}
	f.Sent = f.Session.Send(form)
	f.pending = append(f.pending, expectation{f.Sent, form})
	f.foresee()
	f.Session.Snapshot() // ask for one that knows of the command
	next := f.Start()
	for _, then := range told {
		next = tea.Batch(next, then(f.Sent))
	}
	return next
}

// Order is Send before the session runs: there are no ticks yet.
func (f *Feed) Order(c state.Command) { f.Sent = f.Session.Send(c) }

// foresee works out the snapshot shown.
func (f *Feed) foresee() {
	f.pending = slices.DeleteFunc(f.pending, func(e expectation) bool { return e.serial <= f.Newest.Applied })
	f.Foreseen = f.Newest
	if len(f.pending) == 0 {
		return
	}
	to := f.Newest.State()
	for _, e := range f.pending {
		if next, _, err := state.Apply(to, e.command); err == nil {
			to = next
		}
	}
	f.Foreseen = foreseen(f.Newest, &to)
}

// Awaiting reports whether the newest snapshot does not know of a command that was sent.
func (f *Feed) Awaiting() bool { return f.Newest.Applied < f.Sent }

// live reports whether new snapshots are to be expected.
func (f *Feed) live() bool { return f.Newest.Phase == state.Running || f.Awaiting() }

// Pull takes the newest snapshot and reports whether there was one.
func (f *Feed) Pull() bool {
	s := f.Session.Snapshot()
	if s.Version == f.Newest.Version {
		return false
	}
	f.Newest = s
	f.Sent = max(f.Sent, s.Applied) // who writes the session has sent one too
	f.foresee()
	return true
}

// Start begins a chain of ticks if one is needed and none is under way.
func (f *Feed) Start() tea.Cmd {
	if f.Ticking || !f.live() {
		return nil
	}
	f.Ticking = true
	f.Tag++
	return f.tick()
}

// tick waits for the next tick, which is due an interval after the last one was due. It waits for
// half an interval at least, however long that tick took.
func (f *Feed) tick() tea.Cmd {
	tag, now := f.Tag, time.Now()
	if f.due = f.due.Add(max(f.Interval, f.owed())); f.due.Before(now.Add(f.Interval / 2)) {
		f.due = now.Add(f.Interval / 2)
	}
	return tea.Tick(f.due.Sub(now), func(time.Time) tea.Msg { return TickMsg{tag} })
}

// owed is how long the line is busy, at Rate, with what was written since the last tick. It is a
// second at most, as after all cells were drawn.
func (f *Feed) owed() time.Duration {
	if f.Written == nil || f.Rate <= 0 {
		return 0
	}
	n := f.Written.Load()
	busy := float64(n-f.sent) / f.Rate
	f.sent = n
	return time.Duration(min(busy, 1) * float64(time.Second))
}

// OnTick handles a tick and reports whether there is a new snapshot. The chain ends when nothing is to be expected.
func (f *Feed) OnTick(msg TickMsg) (fresh bool, next tea.Cmd) {
	if msg.Tag != f.Tag || !f.Ticking {
		return false, nil
	}
	fresh = f.Pull()
	if !f.live() {
		f.Ticking = false
		return fresh, nil
	}
	return fresh, f.tick()
}

// OnChanged handles a wake-up: it matters while a command awaits its effect, and while nothing ticks.
func (f *Feed) OnChanged() (fresh bool, next tea.Cmd) {
	if f.Awaiting() || !f.Ticking {
		fresh = f.Pull()
	}
	return fresh, tea.Batch(f.Wait(), f.Start())
}

// Wait blocks until the session publishes a snapshot. Exactly one wait is under way at any time.
func (f *Feed) Wait() tea.Cmd {
	changed, ended := f.Session.Changed(), f.ended
	return func() tea.Msg {
		select {
		case <-changed:
			return ChangedMsg{}
		case <-ended:
			return nil
		}
	}
}

// shortSeek is how long a seek moves nothing but the tape.
const shortSeek = 250 * time.Millisecond

// Seek goes to a place of the tape.
func (f *Feed) Seek(to uint64) tea.Cmd {
	s := f.Foreseen
	to = min(to, s.Tape.End)
	if !s.Tape.Seeking {
		f.still, f.since = s, time.Now()
	}
	return f.Send(state.Seek{To: to})
}

// Halt stops the session, and a seek where it is.
func (f *Feed) Halt() tea.Cmd {
	seeking := f.Foreseen.Tape.Seeking
	cmd := f.Send(state.Pause{})
	if seeking {
		f.Halted = f.Sent
	}
	return cmd
}

// Displayed is the snapshot that is drawn: the newest, but for the first moments of a seek.
func (f *Feed) Displayed() *engine.Snapshot {
	s := f.Foreseen
	if f.still == nil || !s.Tape.Seeking || time.Since(f.since) > shortSeek {
		return s
	}
	out := *f.still
	out.Tape, out.Phase, out.Notice, out.Speed = s.Tape, s.Phase, s.Notice, s.Speed
	out.Tape.At = f.still.Tape.At
	return &out
}

// Ahead reports whether some of the tape is ahead.
func Ahead(t *engine.Tape) bool { return t.At < t.End || t.Seeking && t.To < t.At }

// Heading is where the session stands, or where it seeks to.
func Heading(t *engine.Tape) uint64 {
	if t.Seeking {
		return t.To
	}
	return t.At
}

// foreseen is a snapshot with what a state says that is ahead of it. Lanes that are made anew, and those of another
// sampler, are as they were until the session has them. Of another target its mode alone is shown.
func foreseen(newest *engine.Snapshot, to *state.State) *engine.Snapshot {
	s, m := *newest, &to.Mode
	s.Phase, s.Speed, s.Tape.Seeking, s.Tape.To = m.Phase, m.Speed, m.Seeking, m.To
	if s.Shift != nil {
		v := *s.Shift
		v.Asked = m.Shift
		s.Shift = &v
	}
	if to.Problem.Opened() != newest.Problem.Opened() {
		return &s
	}
	c := &to.Config
	s.Config.Seed, s.Config.Chains, s.Config.Race, s.Config.Bias = c.Seed, c.Chains, c.Race, c.Bias
	s.Lanes = nil
	for _, v := range newest.Lanes {
		i := slices.IndexFunc(to.Lanes, func(l state.Lane) bool { return l.ID == v.ID })
		if i < 0 {
			continue
		}
		if set := to.Lanes[i].Setting; set.Sampler == v.Setting.Sampler {
			if from := v.Setting.Eps(); from > 0 {
				v.Eps *= set.Eps() / from // the step in force changes in proportion to ε
			}
			v.Setting = set
		}
		if !m.Watch.Principal {
			v.Watch = [2]int{m.Watch.X, m.Watch.Y}
		}
		s.Lanes = append(s.Lanes, v)
	}
	return &s
}
