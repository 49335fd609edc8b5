// Package timeline is the log of a session with keyframes to seek in it.
//
// How it works. A place counts the steps that a session has run; it never goes back. What changes a session's numbers
// is an entry at the place where it was done. The log is the entries done and those ahead, which there are in a
// recording that is played and wherever a session has gone back. A keyframe is a copy of the session between two steps.
// To seek is to restore the newest keyframe before a place, or to begin anew where there is none, and to run on from
// there, doing the entries ahead at their places: the session has the same numbers there as before. An entry that is
// done where others are ahead makes a branch: those are dropped, with the keyframes that know of them. To undo a change
// of settings is an entry like any other, since steps have been run under the change; [Undo] only knows what to go back
// to.
//
// A Timeline knows neither steps nor states: the session runs, copies and restores,
// and its Timeline says from where, what and when.
package timeline

import (
	"slices"
	"time"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Entry is a command that was done at a place.
type Entry interface{ Place() uint64 }

// A Timeline is the log of a session, its keyframes, and the place that it seeks.
type Timeline[E Entry, S State[S]] struct {
	done, ahead []E

	Seeking bool
	To      uint64 // the place that is sought, or that was sought last

	budget Budget
	frames []Keyframe[S] // by place
	since  time.Duration // run since the newest was copied
	cost   time.Duration // of copying that
}

// New begins a Timeline with entries ahead.
func New[E Entry, S State[S]](ahead []E, b Budget) Timeline[E, S] {
	return Timeline[E, S]{ahead: ahead, budget: b}
}

// Done returns the entries done, in order. The caller does not change them.
func (t *Timeline[E, S]) Done() []E { return t.done[:len(t.done):len(t.done)] }

// Ahead returns the entries that are still to be done.
func (t *Timeline[E, S]) Ahead() []E { return t.ahead }

// End is the last place that is known of a session at a place.
func (t *Timeline[E, S]) End(at uint64) uint64 {
	if n := len(t.ahead); n > 0 {
		return max(at, t.ahead[n-1].Place())
	}
	return at
}

// Do adds an entry that was done. Where others are ahead it makes a branch.
func (t *Timeline[E, S]) Do(e E) {
	if len(t.ahead) > 0 {
		t.Cut(e.Place())
	}
	t.done = append(t.done, e)
}

// Pass says that the next entry ahead was done, as e.
func (t *Timeline[E, S]) Pass(e E) { t.ahead, t.done = t.ahead[1:], append(t.done, e) }

// Skip drops the next entry ahead.
func (t *Timeline[E, S]) Skip() { t.ahead = t.ahead[1:] }

// Cut drops all that is ahead of a place, and ends a seek.
func (t *Timeline[E, S]) Cut(at uint64) {
	t.ahead, t.Seeking = nil, false
	t.frames = slices.DeleteFunc(t.frames, func(k Keyframe[S]) bool { return k.At > at || k.Done > len(t.done) })
}

// Stop makes an entry the last one ahead, if there is none: the place to which a session that goes back has come.
func (t *Timeline[E, S]) Stop(e E) {
	if len(t.ahead) == 0 {
		t.ahead = []E{e}
	}
}

// Back leaves n entries done, and has the others ahead.
func (t *Timeline[E, S]) Back(n int) {
	all := slices.Concat(t.done, t.ahead)
	t.done, t.ahead = all[:n:n], all[n:]
	t.since = 0
}

// Seek says that the session is on its way to a place.
func (t *Timeline[E, S]) Seek(to uint64) { t.Seeking, t.To = true, to }

// Nearest is the newest keyframe from which the way to a place is shorter than from
// where the session stands, with warm-up steps to spare; nil if there is none. At least
// a step is left to run, so that what is known of the newest step alone is known there.
func (t *Timeline[E, S]) Nearest(at, to, warmUp uint64) *Keyframe[S] {
	for i := len(t.frames) - 1; i >= 0; i-- {
		if k := &t.frames[i]; k.At+warmUp < to && (to < at || k.At > at) {
			return k
		}
	}
	return nil
}

// Shelved is the timeline of a session at a place, to be played from its beginning at another
// time. Its keyframes take a part of the budget.
func (t *Timeline[E, S]) Shelved(at uint64) Timeline[E, S] {
	l := Timeline[E, S]{ahead: slices.Concat(t.done, t.ahead), budget: t.budget, frames: slices.Clone(t.frames)}
	l.thin(at, t.budget.Bytes/shelvedShare, 1)
	return l
}

// shelvedShare is the part of its budget that a shelved timeline keeps: an eighth.
const shelvedShare = 8

// Portion is the budget with which a timeline and so many shelved ones take the given bytes together.
func Portion(bytes, shelved int) int { return bytes / (shelvedShare + shelved) * shelvedShare }

// mostUndo is how many changes can be undone.
const mostUndo = 64

// Undo holds the settings before each change, and those after each change that was
// undone. A copy of it is not changed by what is done to the other.
type Undo[S any] struct{ before, after []S }

// Change takes note of the settings before a change. What was undone cannot be made again after it.
func (u *Undo[S]) Change(before S) {
	all := append(slices.Clip(u.before), before)
	u.before, u.after = all[max(0, len(all)-mostUndo):], nil
}

// Mend rewrites the settings before each change, leaves out the newest of them as long as
// they are the present ones, and forgets what was undone.
func (u *Undo[S]) Mend(rewrite func(S) S, present func(S) bool) {
	before := list.Map(u.before, rewrite)
	for len(before) > 0 && present(before[len(before)-1]) {
		before = before[:len(before)-1]
	}
	u.before, u.after = before, nil
}

// Undo returns the settings before the newest change, given the present ones, if there was a change.
func (u *Undo[S]) Undo(now S) (then S, ok bool) { return move(&u.before, &u.after, now) }

// Redo returns the settings after the change that was undone last, given the present ones, if there was one.
func (u *Undo[S]) Redo(now S) (then S, ok bool) { return move(&u.after, &u.before, now) }

func move[S any](from, to *[]S, now S) (then S, ok bool) {
	n := len(*from)
	if n == 0 {
		return then, false
	}
	then = (*from)[n-1]
	*from, *to = (*from)[:n-1], append(slices.Clip(*to), now)
	return then, true
}

// CanUndo reports whether there is a change to undo.
func (u *Undo[S]) CanUndo() bool { return len(u.before) > 0 }

// CanRedo reports whether there is a change to make again.
func (u *Undo[S]) CanRedo() bool { return len(u.after) > 0 }
