package timeline

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type turn struct {
	at   uint64
	name string
}

func (t turn) Place() uint64 { return t.at }

// memory is a state that has bytes of its own, and pieces of a size that it shares.
type memory struct {
	own    int
	pieces map[int]int
}

func (m *memory) Bytes() int { return m.own }

func (m *memory) BytesBeyond(other *memory) int {
	sum := 0
	for piece, size := range m.pieces {
		if other == nil || other.pieces[piece] == 0 {
			sum += size
		}
	}
	return sum
}

// never makes no keyframe by itself.
var never = Budget{Bytes: 1 << 20, Least: 4}

func names(all []turn) (s string) {
	for _, t := range all {
		s += t.name
	}
	return s
}

// A log goes back and comes again, and a branch drops what was ahead with its
// keyframes.
func TestLog(t *testing.T) {
	l := New[turn, *memory](nil, never)
	says := func(done, ahead string, end uint64) {
		t.Helper()
		if names(l.Done()) != done || names(l.Ahead()) != ahead || l.End(7) != end {
			t.Errorf("done %s, ahead %s, end %d; want %s, %s, %d", names(l.Done()), names(l.Ahead()), l.End(7), done,
				ahead, end)
		}
	}
	keep := func(at uint64) { l.Keep(at, func() *memory { return &memory{own: 1} }) }
	keep(5)
	l.Do(turn{10, "a"})
	keep(10)
	keep(15)
	l.Do(turn{20, "b"})
	keep(25)
	says("ab", "", 7)
	done := l.Done()
	l.Stop(turn{30, "."})
	l.Stop(turn{40, "!"}) // it has an end
	says("ab", ".", 30)
	shelved := l.Shelved(30)
	l.Back(1)
	l.Seek(18)
	says("a", "b.", 30)
	if k := l.Nearest(30, 18, 0); k == nil || k.At != 15 || k.Done != 1 {
		t.Errorf("nearest to 18 is %+v", k)
	}
	l.Pass(turn{20, "B"}) // as it was done this time
	says("aB", ".", 30)
	l.Skip()
	says("aB", "", 7)
	l.Back(1)
	l.Seek(12)
	l.Do(turn{12, "c"})
	says("ac", "", 7)
	if l.Seeking || l.Keyframes() != 2 {
		t.Errorf("seeking %v with %d keyframes after a branch, want the 2 before it", l.Seeking, l.Keyframes())
	}
	l.Do(turn{13, "d"})
	if names(done) != "ab" || names(shelved.Done()) != "" || names(shelved.Ahead()) != "ab." ||
		shelved.Keyframes() != 4 {
		t.Errorf("the branch has changed what was left: %s, %s, %d keyframes", names(done), names(shelved.Ahead()),
			shelved.Keyframes())
	}
}

// From a keyframe the way is shorter than from where the session stands, and some of it
// is left to run.
func TestNearest(t *testing.T) {
	l := New[turn, *memory](nil, never)
	for _, at := range []uint64{100, 200, 300} {
		l.Keep(at, func() *memory { return &memory{own: 1} })
	}
	for _, c := range []struct{ at, to, warmUp, want uint64 }{
		{350, 340, 0, 300}, {350, 300, 0, 200}, {350, 101, 0, 100}, {350, 100, 0, 0}, {350, 250, 60, 100},
		{50, 340, 0, 300}, {250, 299, 0, 0}, {250, 301, 0, 300}, {310, 400, 0, 0},
	} {
		got := uint64(0)
		if k := l.Nearest(c.at, c.to, c.warmUp); k != nil {
			got = k.At
		}
		if got != c.want {
			t.Errorf("from %d to %d by way of %d, want %d", c.at, c.to, got, c.want)
		}
	}
}

// However long a timeline is, its keyframes are few, and take no more than their
// budget; those near its head lie closest.
func TestKeyframesAreFew(t *testing.T) {
	l := New[turn, *memory](nil, Budget{Bytes: 1 << 20, Least: 4})
	for at := uint64(1); at <= 20_000; at++ {
		l.Keep(100*at, func() *memory { return &memory{own: 1 << 14} })
	}
	n := len(l.frames)
	if n != 64 {
		t.Errorf("%d keyframes of 16 kB in 1 MB", n)
	}
	last := l.frames[n-1].At - l.frames[n-2].At
	widest := l.frames[0].At
	for i := 1; i < n; i++ {
		widest = max(widest, l.frames[i].At-l.frames[i-1].At)
	}
	if 10*last > widest || widest > 2_000_000/8 {
		t.Errorf("the newest lie %d apart, and others up to %d", last, widest)
	}
	if l.thin(0, 1<<20, 4); l.frames[0].At > 2_000_000/8 {
		t.Errorf("the first is at %d", l.frames[0].At)
	}
	if l.thin(0, 1, 4); len(l.frames) != 4 {
		t.Errorf("%d keyframes where there is no room", len(l.frames))
	}
	if l.thin(l.frames[1].At, 1, 1); len(l.frames) > 2 || l.frames[0].At > l.frames[len(l.frames)-1].At {
		t.Errorf("%d keyframes where one is enough", len(l.frames))
	}
	if l = New[turn, *memory](nil, Budget{Bytes: 1 << 20, Least: 4}); true {
		if l.Keep(1, func() *memory { return &memory{own: 1 << 18} }); l.Keyframes() != 0 {
			t.Error("a keyframe of which there is no room for four")
		}
	}
}

// What keyframes share is counted once, with whichever of them is dropped.
func TestSharedMemoryCountsOnce(t *testing.T) {
	l := New[turn, *memory](nil, Budget{Bytes: 1 << 40, Least: 4})
	r := rand.New(rand.NewPCG(1, 2))
	for at := range uint64(8) {
		m := &memory{own: 100, pieces: map[int]int{0: 1000}} // and a run of newer ones
		for piece := range 3 {
			m.pieces[int(at)+piece] = 1000 + int(at) + piece
		}
		m.pieces[0] = 1000
		l.Keep(at, func() *memory { return m })
	}
	for len(l.frames) > 0 {
		distinct, want := map[int]int{}, 0
		for _, k := range l.frames {
			want += k.State.own
			for piece, size := range k.State.pieces {
				distinct[piece] = size
			}
		}
		for _, size := range distinct {
			want += size
		}
		if got := l.Size(); got != want {
			t.Errorf("%d keyframes take %d bytes, it is said, want %d", len(l.frames), got, want)
		}
		i := r.IntN(len(l.frames))
		l.frames = slices.Delete(l.frames, i, i+1)
		l.weigh(i)
	}
}

// A change is undone and made again, and a copy knows nothing of it.
func TestUndo(t *testing.T) {
	var u Undo[int]
	if _, ok := u.Undo(0); ok || u.CanUndo() || u.CanRedo() {
		t.Error("undid nothing")
	}
	for x := range 100 {
		u.Change(x)
	}
	whole := u
	for x := 99; x >= 36; x-- {
		if then, ok := u.Undo(x + 1); !ok || then != x {
			t.Fatalf("undid %d, %v, want %d", then, ok, x)
		}
	}
	if u.CanUndo() {
		t.Error("more than 64 changes can be undone")
	}
	if then, ok := u.Redo(36); !ok || then != 37 {
		t.Errorf("made %d again, want 37", then)
	}
	u.Change(37)
	if u.CanRedo() {
		t.Error("something is made again after another change")
	}
	if then, ok := whole.Undo(100); !ok || then != 99 {
		t.Errorf("the copy undid %d", then)
	}
}
