package study

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/targets"
)

// A Clock estimates how long jobs take, by running a session of each kind for a moment.
// The zero value has timed none.
type Clock struct {
	steps map[string]time.Duration // of one step, by the kind of session
	ends  map[string]ends          // by the kind of session, or by the network
}

// ends is the time that a session takes beside its steps: once, and for each draw.
type ends struct{ start, draw time.Duration }

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
	if c.steps == nil {
		c.steps, c.ends = map[string]time.Duration{}, map[string]ends{}
	}
	l := j.Config.Lanes[0]
	kind, _ := j.kind()
	kind += fmt.Sprint(l.Or(sampler.KeyBatch, 0), len(j.Config.Lanes))
	around := kind
	if m, _ := catalog.Find(l.Sampler); p.F32 != nil && m.Kind != sampler.Variational {
		around = p.Spec + " " + p.Dataset // a network predicts by θ, whatever the method
	}
	end, err := once(c.ends, around, func() (ends, error) { return clockEnds(ctx, j.Config, p) })
	step := time.Duration(0)
	if err == nil {
		step, err = once(c.steps, kind, func() (time.Duration, error) { return clockStep(ctx, j.Config, p) })
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", j.ID, err)
	}
	steps := stepsOf(j.Config, p)
	draws := max(steps-l.Or(sampler.KeyBurnIn, 0), 0) / l.Or(sampler.KeyThin, 1)
	return end.start + time.Duration(steps*float64(step)) + time.Duration(draws*float64(end.draw)), nil
}

// once returns what is known by a key, or finds it.
func once[T any](known map[string]T, key string, find func() (T, error)) (T, error) {
	if x, ok := known[key]; ok {
		return x, nil
	}
	x, err := find()
	if err == nil {
		known[key] = x
	}
	return x, err
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

// neverThin is a thinning by which a short session keeps no draw.
const neverThin = 1e9

// clockStep is the mean time of a step of all lanes together, over a moment.
func clockStep(ctx context.Context, c engine.Config, p *targets.Problem) (time.Duration, error) {
	c.Steps, c.Epochs, c.Seconds = 0, 0, moment.Seconds()
	_, busy, steps, err := timed(ctx, c, p, neverThin)
	if err != nil || steps == 0 {
		return 0, err
	}
	return busy / time.Duration(steps), nil
}

// clockEnds times what a session does beside its steps. A network's predictions are timed
// on some of its test images. Cheap draws are timed by many, since the first one sets
// things up. A draw of a target that predicts nothing counts for no time.
func clockEnds(ctx context.Context, c engine.Config, p *targets.Problem) (ends, error) {
	c.Steps, c.Epochs, c.Seconds = 1, 0, 0
	wall, busy, _, err := timed(ctx, c, p, neverThin)
	if err != nil {
		return ends{}, err
	}
	e := ends{start: max(wall-busy, 0)}
	if m, _ := catalog.Find(c.Lanes[0].Sampler); p.F32 != nil && m.Kind != sampler.Variational {
		e.draw = clockRows(p.F32)
		return e, nil
	}
	_, predicts := p.Impl().(targets.Predictor[float64])
	if p.F32 == nil && !predicts {
		return e, nil
	}
	drawn, busy, _, err := timed(ctx, c, p, 1)
	first := max(drawn-busy-e.start, 0)
	if err != nil || first > moment {
		e.draw = first
		return e, err
	}
	c.Steps = manyDraws + 1
	all, busy, _, err := timed(ctx, c, p, 1)
	e.draw = max(all-busy-e.start-first, 0) / manyDraws
	return e, err
}

// clockedRows is the number of images on which a network's predictions are timed.
const clockedRows = 100

// clockRows is the time of a draw's predictions on a network's test set, from the second
// prediction of clockedRows images.
func clockRows(t targets.Target[float32]) time.Duration {
	fork := t.(targets.Forker[float32]).Fork(1)
	defer fork.Close()
	by, ok := fork.(targets.PicturePredictor[float32])
	if !ok || len(by.Labels(targets.Test)) == 0 {
		return 0
	}
	pixels := bytes.Repeat(by.Picture(targets.Test, 0), clockedRows)
	probs, theta := make([]float64, clockedRows*by.Classes()), make([]float32, t.Dim())
	by.PredictPictures(probs, theta, pixels)
	began := time.Now()
	by.PredictPictures(probs, theta, pixels)
	return time.Since(began) * time.Duration(len(by.Labels(targets.Test))) / clockedRows
}

// manyDraws is the number of cheap draws that are timed together.
const manyDraws = 300

// timed runs a session without burn-in that keeps every thin-th draw. It returns
// the time in all, the time in steps, and the steps.
func timed(ctx context.Context, c engine.Config, p *targets.Problem, thin float64) (wall, busy time.Duration, steps uint64, err error) {
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
