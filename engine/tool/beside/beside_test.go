package beside

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// The work takes its share of the time while lanes run and rests no more when they stop, the
// newest task comes first, the oldest are dropped, and a panic ends it.
func TestWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pokes := 0
		w := New("the work", 3, func() { pokes++ })
		defer w.Close()
		var did []int
		task := func(n int) Task {
			return func(rest func(time.Duration) bool) {
				time.Sleep(time.Second)
				did = append(did, n)
				rest(time.Second)
			}
		}
		start := time.Now()
		w.Ask([]Task{task(1), task(2), task(3), task(4)}, true)
		time.Sleep(59 * time.Second) // the third rests
		w.Ask(nil, false)
		synctest.Wait()
		took := time.Since(start).Seconds()
		if !slices.Equal(did, []int{4, 3, 2}) || !w.Settled() || math.Abs(took-59) > 1e-9 || pokes != 3 {
			t.Errorf("%v after %g s, settled %v, %d pokes", did, took, w.Settled(), pokes)
		}
		if !w.News() || w.Look() != nil || w.News() {
			t.Error("the news are not there, or stay")
		}
		w.Ask([]Task{task(5), func(func(time.Duration) bool) { panic("no") }}, false)
		synctest.Wait()
		w.Ask([]Task{task(6)}, true)
		if p, ok := w.Look().(*caught.Panic); !ok || p.Where != "the work" || !w.Settled() || len(did) != 3 {
			t.Errorf("%v, settled %v, %v", w.Look(), w.Settled(), did)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var did []int
		w := New("the work", 0, func() {})
		defer w.Close()
		for n := range 5 { // in the order in which they were asked for, and none is dropped
			w.Ask([]Task{func(func(time.Duration) bool) { did = append(did, n) }}, true)
		}
		synctest.Wait()
		if !slices.Equal(did, []int{0, 1, 2, 3, 4}) {
			t.Errorf("tasks were done in the order %v", did)
		}
	})
	var none *Worker
	none.Ask([]Task{nil}, true)
	none.Close()
	if none.News() || none.Look() != nil || !none.Settled() {
		t.Error("no worker has work")
	}
}
