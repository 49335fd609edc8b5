package timeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A State is a copy of a session, which is never changed.
type State[S any] interface {
	// Bytes is the memory of its own.
	Bytes() int
	// BytesBeyond is the memory that it may share with other states, as far as another
	// one, or a zero one, does not have it.
	BytesBeyond(other S) int
}

// A Keyframe is a session at a place, with so many entries done.
type Keyframe[S any] struct {
	At    uint64
	Done  int
	State S

	bytes, beyond int // of the state, as its methods say; beyond the keyframe before it
}

// A Budget is what keyframes may take.
type Budget struct {
	Bytes int
	Apart time.Duration // the time between two copies, at least
	Share time.Duration // 1/Share of the time goes into copies, at most
	// Least is how many keyframes there are even beyond Bytes; there are none where so
	// many would take more than half of Bytes of their own.
	Least int
}

// DefaultBudget keeps keyframes at a frame's rate: going back by what ran in a frame is running it again at most.
var DefaultBudget = Budget{Bytes: 128 << 20, Apart: 25 * time.Millisecond, Share: 20, Least: 4}

const (
	most     = 200 // keyframes
	patience = 4   // times as long as between two copies a copy waits
	spread   = 32  // keyframes lie alike over the last spread-th of a timeline
)

// Due reports whether a session at a place, which has run for some time since the last call, is to be copied. On the
// way back it is copied more often, halfway to where it goes each time, since it is likely to go back further. While
// busy a copy would wait, and the session with it: better a while later, if anybody watches.
func (t *Timeline[E, S]) Due(at uint64, ran time.Duration, busy func() bool) bool {
	t.since += ran
	usual := max(t.budget.Apart, t.budget.Share*t.cost)
	if t.since < usual && !(t.Seeking && t.since >= max(t.budget.Apart/4, 2*t.cost)) {
		return false
	}
	if !t.Seeking && t.since < patience*usual && busy() {
		return false
	}
	i, found := t.find(at)
	before := uint64(0)
	if i > 0 {
		before = t.frames[i-1].At
	}
	halfway := t.To-min(at, t.To) <= (t.To-min(before, t.To))/2
	return !found && (t.since >= usual || halfway)
}

// Keyframes is how many keyframes there are.
func (t *Timeline[E, S]) Keyframes() int { return len(t.frames) }

// find is where a keyframe at a place stands among the others.
func (t *Timeline[E, S]) find(at uint64) (i int, found bool) {
	return slices.BinarySearchFunc(t.frames, at, func(k Keyframe[S], at uint64) int { return cmp.Compare(k.At, at) })
}

// Keep makes a keyframe at a place of what state copies.
func (t *Timeline[E, S]) Keep(at uint64, state func() S) {
	start := time.Now()
	k := Keyframe[S]{At: at, Done: len(t.done), State: state()}
	k.bytes = k.State.Bytes()
	if t.since, t.cost = 0, time.Since(start); t.tooLarge(k) {
		return
	}
	i, _ := t.find(at)
	t.frames = slices.Insert(t.frames, i, k)
	t.weigh(i)
	t.weigh(i + 1)
	if t.Seeking {
		at = t.To
	}
	t.thin(at, t.budget.Bytes, t.budget.Least)
}

// weigh works out beyond of the keyframe at i, if there is one. Keyframes that share memory follow each other, or it is
// as if there were more of it: the sum is what they take at most.
func (t *Timeline[E, S]) weigh(i int) {
	if i >= len(t.frames) {
		return
	}
	var other S
	if i > 0 {
		other = t.frames[i-1].State
	}
	t.frames[i].beyond = t.frames[i].State.BytesBeyond(other)
}

// Resize gives the budget so many bytes, and drops keyframes until the others fit, as seen from a place.
func (t *Timeline[E, S]) Resize(head uint64, bytes int) {
	t.budget.Bytes = bytes
	t.frames = slices.DeleteFunc(t.frames, t.tooLarge)
	for i := range t.frames {
		t.weigh(i)
	}
	t.thin(head, bytes, t.budget.Least)
}

// tooLarge reports whether so few keyframes of a size fit that there are none.
func (t *Timeline[E, S]) tooLarge(k Keyframe[S]) bool {
	return t.budget.Least*k.bytes > t.budget.Bytes/2
}

// Size is how many bytes the keyframes take.
func (t *Timeline[E, S]) Size() int {
	return list.Sum(t.frames, func(k Keyframe[S]) int { return k.bytes + k.beyond })
}

// thin drops keyframes until there is room for the others: first those that stand
// closest to their neighbours for how far they are from head.
func (t *Timeline[E, S]) thin(head uint64, room, least int) {
	for n := len(t.frames); n > most || n > least && t.Size() > room; n-- {
		end := max(head, t.frames[n-1].At)
		worst, closest := -1, 0.0
		for i := range t.frames {
			before, after, at := uint64(0), end, t.frames[i].At
			if i > 0 {
				before = t.frames[i-1].At
			}
			if i+1 < n {
				after = t.frames[i+1].At
			}
			away := float64(max(at, head)-min(at, head)) + float64(float64(end)/spread) + 1
			if at <= head && head < after || at == end {
				continue // the newest, from which it goes on
			}
			if gap := float64(after-before) / away; worst < 0 || gap < closest {
				worst, closest = i, gap
			}
		}
		if worst < 0 {
			break
		}
		t.frames = slices.Delete(t.frames, worst, worst+1)
		t.weigh(worst)
	}
}
