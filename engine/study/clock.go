package study

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/list"
)

// A Clock estimates how long jobs take, by running a session of each kind for a moment.
// The zero value has timed none.
type Clock struct {
	costs map[string]cost // by the kind of session
}

// A cost is the time that a session takes: once, for a step of all lanes, and for a draw.
type cost struct{ start, step, draw time.Duration }

// moment is how long a session is timed.
const moment = 30 * time.Millisecond

// Estimate is how long jobs take on so many threads:
//
//	Σ (start + steps · step + draws · draw) / threads,
//
// or the time of the longest job, if that is more. Jobs whose data are absent take none.
func (c *Clock) Estimate(ctx context.Context, jobs []Job, open func(context.Context, Job) (*targets.Problem, error), threads int) (time.Duration, error) {
	var sum, longest time.Duration
	for _, j := range jobs {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		j.Config.Truth = engine.Truth{} // it is found once for all jobs
		p, err := open(ctx, j)
		if Absent(err) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("%s: %w", j.ID, err)
		}
		d, err := c.of(ctx, j, p)
		if err != nil {
			return 0, err
		}
		sum += d
		longest = max(longest, d)
	}
	return max(sum/time.Duration(max(min(threads, len(jobs)), 1)), longest), nil
}

// of is how long a job takes.
func (c *Clock) of(ctx context.Context, j Job, p *targets.Problem) (time.Duration, error) {
	if j.Config.Steps == 0 && j.Config.Epochs == 0 {
		return time.Duration(j.Config.Seconds * float64(time.Second)), nil
	}
	l := j.Config.Lanes[0]
	kind, _ := j.kind()
	kind += fmt.Sprint(l.Or(sampler.KeyBatch, 0))
	one, known := c.costs[kind]
	if !known {
		var err error
		if one, err = costOf(ctx, j.Config, p); err != nil {
			return 0, fmt.Errorf("%s: %w", j.ID, err)
		}
		if c.costs == nil {
			c.costs = map[string]cost{}
		}
		c.costs[kind] = one
	}
	steps := stepsOf(j.Config, p)
	draws := max(steps-l.Or(sampler.KeyBurnIn, 0), 0) / l.Or(sampler.KeyThin, 1)
	return one.start + time.Duration(steps*float64(one.step)) + time.Duration(draws*float64(one.draw)), nil
}

// stepsOf is the number of steps of a session's first lane.
func stepsOf(c engine.Config, p *targets.Problem) float64 {
	if c.Steps > 0 {
		return float64(c.Steps)
	}
	batch := c.Lanes[0].Or(sampler.KeyBatch, 0)
	if batch == 0 {
		batch = float64(p.N())
	}
	return c.Epochs * float64(p.N()) / batch
}

// costOf times a session for a moment without draws, and draws by another that keeps every
// step's. A network's draw is timed by its predictions on some of its test images. A draw of
// a target that predicts nothing counts for no time.
func costOf(ctx context.Context, c engine.Config, p *targets.Problem) (one cost, err error) {
	const never = 1e9
	wall, busy, steps, err := timed(ctx, c, p, never)
	if err != nil {
		return one, err
	}
	one.start, one.step = max(wall-busy, 0), busy/time.Duration(max(steps, 1))
	_, predicts := p.Impl().(targets.Predictor[float64])
	switch {
	case p.F32 != nil:
		one.draw = clockRows(p.F32)
	case predicts:
		wall, busy, steps, err = timed(ctx, c, p, 1)
		one.draw = max(wall-busy-one.start, 0) / time.Duration(max(steps, 1))
	}
	return one, err
}

// clockedRows is the number of images on which a network's predictions are timed.
const clockedRows = 100

// clockRows is the time of a draw's predictions on a network's test set, from the second
// prediction of clockedRows images.
func clockRows(t targets.Target[float32]) time.Duration {
	fork := t.(targets.Forker[float32]).Fork(1)
	defer fork.Close()
	by, ok := fork.(targets.PicturePredictor[float32])
	if !ok || len(by.Labels(dataset.Test)) == 0 {
		return 0
	}
	pixels := bytes.Repeat(by.Picture(dataset.Test, 0), clockedRows)
	probs, theta := make([]float64, clockedRows*by.Classes()), make([]float32, t.Dim())
	by.PredictPictures(probs, theta, pixels)
	began := time.Now()
	by.PredictPictures(probs, theta, pixels)
	return time.Since(began) * time.Duration(len(by.Labels(dataset.Test))) / clockedRows
}

// timed runs a session without burn-in for a moment, keeping every thin-th draw. It returns
// the time in all, the time in steps, and the steps.
func timed(ctx context.Context, c engine.Config, p *targets.Problem, thin float64) (wall, busy time.Duration, steps uint64, err error) {
	c = c.Unlimited()
	c.Seconds = moment.Seconds()
	c.Lanes = slices.Clone(c.Lanes)
	for i, l := range c.Lanes {
		for key, v := range map[string]float64{sampler.KeyThin: thin, sampler.KeyBurnIn: 0} {
			if l.Has(key) {
				l = l.With(key, v)
			}
		}
		c.Lanes[i] = l
	}
	began := time.Now()
	s, err := session.New(c, p, session.Runtime{Threads: 1})
	if err != nil {
		return 0, 0, 0, err
	}
	if err := s.Run(ctx); err != nil {
		return 0, 0, 0, err
	}
	wall = time.Since(began)
	for _, l := range s.Result("").Lanes {
		busy += time.Duration(l.Seconds * float64(time.Second))
		steps = max(steps, l.Steps)
	}
	return wall, busy, steps, nil
}

// A Pace estimates how long the remaining jobs take, from the jobs of their kind that are
// done. The zero value has none. One goroutine at a time may use a Pace.
type Pace struct{ kinds map[string]*pace }

// pace is how long the jobs of a kind took, and how much of them is left.
type pace struct {
	seconds, amount, done float64
	left, todo            float64 // amount and jobs
}

// kind names the jobs whose time is proportional to their amount of steps, epochs or
// seconds.
func (j Job) kind() (name string, amount float64) {
	c := j.Config
	parts := append([]string{c.Target, c.Dataset}, list.Map(c.Lanes, func(l engine.Lane) string { return l.Sampler })...)
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

// Work is the time that all jobs take on one thread, done and left. A job of a kind of
// which none is done counts with the mean of those that are. known is false until the
// first job is done.
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
