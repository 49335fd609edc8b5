package timeline

import (
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

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
