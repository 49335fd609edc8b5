package class

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A cost measures what the process takes of the machine.
type cost struct {
	at   time.Time
	used time.Duration // of the processors, until then
	says string
}

// costEvery is the time over which it is measured.
const costEvery = 2 * time.Second

// now is what the process takes of processors and memory, and how soon keys are answered.
func (c *cost) now(keys *latency) string {
	now := time.Now()
	took := now.Sub(c.at)
	if took < costEvery {
		return c.says
	}
	var all []string
	used, known := processorTime()
	if known && !c.at.IsZero() {
		all = append(all, fmt.Sprintf("%.1f of %d cores", (used-c.used).Seconds()/took.Seconds(), runtime.NumCPU()))
	}
	held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(held)
	all = append(all, fmt.Sprintf("%d MB", (held[0].Value.Uint64()-held[1].Value.Uint64())>>20))
	if d := keys.high(); d > 0 {
		all = append(all, fmt.Sprintf("95%% of keys within %d ms", d.Milliseconds()))
	}
	c.at, c.used, c.says = now, used, strings.Join(all, ", ")
	return c.says
}

// slowness is a controller's row that says that all sessions of the room are slowed down, while they are, or that they
// stand.
type slowness struct {
	desk  *control.Desk
	stand func() bool // that they stand; nil where another row says it
}

// stands reports whether all sessions stand and the row says it.
func (s *slowness) stands() bool { return s.stand != nil && s.stand() }

// cut is the part of the speed that is taken away.
func (s *slowness) cut() float64 {
	if !s.desk.Feed.Begun() {
		return 0
	}
	return s.desk.Feed.Newest.Cut
}

func (s *slowness) Slot(int) control.Slot {
	if (s.cut() > 1-slowed || s.stands()) && !s.desk.Screen.Compact() {
		return control.Slot{At: control.Bottom, Rows: 1}
	}
	return control.Slot{}
}

func (s *slowness) Draw(g plane.Region, f *pane.Frame) {
	if s.stands() {
		g.TextFit(1, 0, g.W()-2, f.Theme, fmt.Sprintf("frozen: the students' sessions stand, and they see this screen "+
			"(lecturer: %s, then %s lets go)", s.desk.Keys.First("class"), freezeKey), f.Theme.Warn)
		return
	}
	g.TextFit(1, 0, g.W()-2, f.Theme,
		fmt.Sprintf("the room is at %.0f%% of its speed: the machine does not keep up", 100*(1-s.cut())), f.Theme.Warn)
}
