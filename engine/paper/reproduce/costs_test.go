//go:build unix

package reproduce

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

var update = flag.Bool("update", false,
	"time the kinds of sessions that costs.json lacks; all, if it is of another machine")

// The table of costs has every kind of session, with the paper's data and without, whatever
// the seed.
func TestCosts(t *testing.T) {
	innerlooptest.Skip(t, "it runs a part of each experiment")
	table := costs()
	if *update && table.Machine != study.Machine() {
		table = costTable{Machine: study.Machine(), Kinds: map[string]cost{}}
	}
	used := map[string]bool{}
	for _, dir := range []string{os.Getenv("PSGLD_DATA"), t.TempDir()} {
		open := &study.Targets{Options: targets.Options{DataDir: dir}}
		for _, scale := range []paper.Scale{paper.Quick, paper.Full} {
			r, err := New([]string{"all"}, "", scale, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, r.Seed = range []uint64{1, 7} {
				sections, err := r.Sections(open)
				if err != nil {
					t.Fatal(err)
				}
				kinds := map[string][]study.Job{}
				for _, j := range r.Plan(sections).Jobs {
					kinds[costKind(j.Config)] = append(kinds[costKind(j.Config)], j)
				}
				for kind, jobs := range kinds {
					used[kind] = true
					c, timed := table.Kinds[kind]
					switch {
					case !timed && *update:
						table.Kinds[kind] = costOf(t, jobs, open)
					case !timed || !(c.Step > 0 || c.Row > 0):
						t.Errorf("sessions of %s cost %+v: time them with -update", kind, c)
					}
				}
			}
		}
	}
	if *update {
		maps.DeleteFunc(table.Kinds, func(kind string, _ cost) bool {
			return os.Getenv("PSGLD_DATA") != "" && !used[kind]
		})
		b, err := json.MarshalIndent(table, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("costs.json", append(b, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dir := os.Getenv("PSGLD_DATA")
	for kind := range table.Kinds {
		of := strings.Fields(kind) // a target, of some their data, and a method
		if len(of) == 3 && targets.Absent(of[0], targets.Options{DataDir: dir, Dataset: of[1]}) != "" {
			continue // such as a data set that lies packed
		}
		if dir != "" && !used[kind] {
			t.Errorf("no session is of %s: write the table with -update", kind)
		}
	}
}

func TestSeconds(t *testing.T) {
	sgld := costs().Kinds["gaussian sgld"]
	open := &study.Targets{}
	job := func(steps uint64) study.Job {
		return study.Job{Config: state.Config{Target: "gaussian:a=0.5;noise=0.1", Steps: steps,
			Lanes: []state.Setting{{Sampler: "sgld"}}}}
	}
	one := sgld.seconds(work{steps: 1e6, draws: 1e6})
	for threads, want := range map[int]float64{1: 3 * one, 2: 1.5 * one, 100: one} {
		got, err := Seconds([]study.Job{job(1e6), job(1e6), job(1e6)}, open, threads)
		low, high := want*min(sgld.Whole, 1), want*max(sgld.Whole, 1)
		if err != nil || math.Abs(got.Low/low-1) > 1e-9 || math.Abs(got.High/high-1) > 1e-9 {
			t.Errorf("%d threads: %v s, %v, want %g to %g s", threads, got, err, low, high)
		}
	}
}

// costOf times the job with the smallest minibatch, and that with the largest if there is another.
func costOf(t *testing.T, jobs []study.Job, open *study.Targets) cost {
	batch := func(j study.Job) float64 {
		w, err := workOf(j, open)
		if err != nil {
			t.Fatal(err)
		}
		return w.batch
	}
	byBatch := func(a, b study.Job) int { return cmp.Compare(batch(a), batch(b)) }
	small, large := slices.MinFunc(jobs, byBatch), slices.MaxFunc(jobs, byBatch)
	c := timedCost(t, small, open)
	if rows := batch(large) - batch(small); rows > 0 {
		c.Row = (timedCost(t, large, open).Step - c.Step) / rows
		c.Step -= batch(small) * c.Row
	}
	bySteps := func(a, b study.Job) int { return cmp.Compare(a.Config.Steps, b.Config.Steps) }
	c.Whole = whole(t, slices.MaxFunc(jobs, bySteps), open, c)
	for _, x := range []*float64{&c.Start, &c.Step, &c.Row, &c.Draw, &c.Whole} {
		*x, _ = strconv.ParseFloat(strconv.FormatFloat(*x, 'g', 3, 64), 64)
	}
	return c
}

// whole is the time of a job with its own burn-in and thinning, cut where c says that it takes a second, over what
// c says of it.
func whole(t *testing.T, j study.Job, open *study.Targets, c cost) float64 {
	const bound = 1 // s
	p, err := open.OpenJob(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	w, err := workOf(j, open)
	if err != nil {
		t.Fatal(err)
	}
	steps := w.steps
	if s := c.seconds(w); s > bound {
		steps = max(1, math.Floor(steps*bound/s))
	}
	j.Config = j.Config.Unlimited()
	j.Config.Steps = uint64(steps)
	if w, err = workOf(j, open); err != nil {
		t.Fatal(err)
	}
	return ran(t, j.Config, p) / c.seconds(w)
}

// ran is the time of a session.
func ran(t *testing.T, c state.Config, p *targets.Problem) float64 {
	runtime.GC() // its time would be the session's
	began := processorTime(t)
	s, err := session.New(c, p, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return processorTime(t) - began
}

// timedCost times sessions without draws, and others that keep every step's. A network's draw
// is timed by its predictions on some of its test images.
func timedCost(t *testing.T, j study.Job, open *study.Targets) (c cost) {
	p, err := open.OpenJob(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	const never = 1e9
	c.Start, c.Step = timedSteps(t, j.Config, p, never)
	if p.F32 != nil {
		c.Draw = timedRows(t, p.F32)
		return c
	}
	_, step := timedSteps(t, j.Config, p, 1)
	c.Draw = max(step-c.Step, 0)
	return c
}

// timedSteps times a session of one step, and one of as many as take a moment, without
// burn-in and keeping every thin-th draw. The fastest of several count.
func timedSteps(t *testing.T, c state.Config, p *targets.Problem, thin float64) (start, step float64) {
	times, moment := 3, 0.05
	if p.F32 != nil {
		times, moment = 1, 0.5
	}
	c = c.Unlimited()
	c.Lanes = slices.Clone(c.Lanes)
	for i, l := range c.Lanes {
		for key, v := range map[string]float64{sampler.KeyThin: thin, sampler.KeyBurnIn: 0} {
			if l.Has(key) {
				l = l.With(key, v)
			}
		}
		c.Lanes[i] = l
	}
	seconds := func(steps uint64) float64 {
		least := math.Inf(1)
		c.Steps = steps
		for range times {
			least = min(least, ran(t, c, p))
		}
		return least
	}
	start = seconds(1)
	for n := uint64(5); ; n *= 4 {
		if more := seconds(n) - start; more > moment {
			step = more / float64(n-1)
			return max(start-step, 0), step
		}
	}
}

// timedRows is the time of a draw's predictions on a network's test set, from the second
// prediction of a hundred images.
func timedRows(t *testing.T, n targets.Target[float32]) float64 {
	const rows = 100
	fork := n.(targets.Forker[float32]).Fork(1)
	defer fork.Close()
	by, ok := fork.(targets.PicturePredictor[float32])
	if !ok || len(by.Labels(dataset.Test)) == 0 {
		return 0
	}
	pixels := bytes.Repeat(by.Picture(dataset.Test, 0), rows)
	probs, theta := make([]float64, rows*by.Classes()), make([]float32, n.Dim())
	by.PredictPictures(probs, theta, pixels)
	began := processorTime(t)
	by.PredictPictures(probs, theta, pixels)
	return (processorTime(t) - began) * float64(len(by.Labels(dataset.Test))) / rows
}

// processorTime is the seconds that this process has computed.
func processorTime(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}
