package study

import (
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Pace estimates how long the remaining jobs take, from the jobs of their kind that are
// done. The zero value has none. One goroutine at a time may use a Pace.
type Pace struct{ kinds map[string]*pace }

// pace is how long the jobs of a kind took, and how much of them is left.
type pace struct {
	seconds, amount, done float64
	left, todo            float64 // amount and jobs
}

// kind names the jobs whose time is proportional to their amount of steps, epochs or seconds.
func (j Job) kind() (name string, amount float64) {
	c := j.Config
	parts := append([]string{c.Target, c.Dataset}, list.Map(c.Lanes, func(l state.Setting) string { return l.Sampler })...)
	unit, amount := "seconds", c.Seconds
	switch {
	case c.Steps > 0:
		unit, amount = "steps", float64(c.Steps)
	case c.Epochs > 0:
		unit, amount = "epochs", c.Epochs
	}
	return strings.Join(append(parts, unit), " "), amount
}

func (p *Pace) of(j Job) (k *pace, amount float64) {
	name, amount := j.kind()
	if p.kinds == nil {
		p.kinds = map[string]*pace{}
	}
	if p.kinds[name] == nil {
		p.kinds[name] = &pace{}
	}
	return p.kinds[name], amount
}

// Expect adds so many jobs like j that are to be done.
func (p *Pace) Expect(j Job, jobs int) {
	k, amount := p.of(j)
	k.left, k.todo = k.left+amount*float64(jobs), k.todo+float64(jobs)
}

// Done takes note that an expected job is done.
func (p *Pace) Done(j Job, o Outcome) {
	k, amount := p.of(j)
	k.left, k.todo = k.left-amount, k.todo-1
	if o.Skipped == "" {
		k.seconds, k.amount, k.done = k.seconds+o.Seconds, k.amount+amount, k.done+1
	}
}

// Of is how long a job takes by those of its kind that are done; false where none is.
func (p *Pace) Of(j Job) (time.Duration, bool) {
	k, amount := p.of(j)
	return time.Duration(k.seconds / k.amount * amount * float64(time.Second)), k.amount > 0
}

// Work is the time that all jobs take on one thread, done and left. A job of a kind of which none is done counts with
// the mean of those that are. known is false until the first job is done.
func (p *Pace) Work() (done, left time.Duration, known bool) {
	var seconds, jobs, rest, others float64
	for _, k := range p.kinds {
		seconds, jobs = seconds+k.seconds, jobs+k.done
		if k.amount > 0 {
			rest += k.seconds / k.amount * k.left
		} else {
			others += k.todo
		}
	}
	if jobs == 0 {
		return 0, 0, false
	}
	rest += seconds / jobs * others
	return time.Duration(seconds * float64(time.Second)), time.Duration(rest * float64(time.Second)), true
}
