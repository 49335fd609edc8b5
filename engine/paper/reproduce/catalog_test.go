package reproduce

import (
	"hash/fnv"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Every experiment has unique and valid jobs. Its report is well-formed whatever came of them: of
// nothing it names what is not there and shows no number.
func TestReports(t *testing.T) {
	innerlooptest.Skip(t, "a report of each experiment")
	open := &study.Targets{Options: targets.Options{DataDir: os.Getenv("PSGLD_DATA")}}
	for _, e := range Experiments() {
		blanks := strings.HasPrefix(e.ID, "theory") // of what has no exact value
		for _, read := range e.Readings {
			for _, scale := range []paper.Scale{paper.Quick, paper.Full} {
				o := paper.Options{Reading: read, Scale: scale, Seed: 1, Repeats: 2, Targets: open}
				const threeLines = 360 // of a page's, with the seeds
				if text := e.Protocol(o) + " Seeds: 1 to 10."; utf8.RuneCountInString(text) > threeLines {
					t.Errorf("%s %s %s has a protocol of %d characters: %s", e.ID, read, scale,
						utf8.RuneCountInString(text), text)
				}
				if testing.Short() && scale == paper.Full {
					continue
				}
				t.Run(strings.Join([]string{e.ID, string(read), string(scale)}, " "), func(t *testing.T) {
					jobs, err := e.Jobs(o)
					if err != nil && !study.Absent(err) {
						t.Fatal(err)
					}
					checkJobs(t, o, jobs)
					if scale == paper.Full && blanks {
						return // it takes a while
					}
					outcomes := map[string]study.Outcome{}
					for _, j := range jobs {
						if x, ran := madeUp(o, j); ran {
							outcomes[j.ID] = x
						}
					}
					check(t, e.ReportOf(o, jobs, outcomes), blanks)
					rep := e.ReportOf(o, nil, nil)
					check(t, rep, blanks)
					if text := strings.ToLower(strings.Join(rep.Remarks, "\n")); !strings.Contains(text, "not run: ") {
						t.Error(text)
					}
					if e.Protocol(o) == "" || e.Source == "" || e.Title == "" || e.Question == "" {
						t.Error("it says nothing of itself")
					}
					for _, tab := range rep.Tables {
						if len(tab.Scores) > 0 {
							t.Errorf("scores of nothing: %v", tab.Scores)
						}
					}
				})
			}
		}
	}
}

// checkJobs checks that each job is there once and can be run.
func checkJobs(t *testing.T, o paper.Options, jobs []study.Job) {
	t.Helper()
	seen := map[string]bool{}
	for _, j := range jobs {
		if seen[j.ID] {
			t.Errorf("%s is there twice", j.ID)
		}
		seen[j.ID] = true
		p, err := o.Targets.Open(j.Config.Target, j.Config.Dataset)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Config.Validate(p); err != nil {
			t.Errorf("%s: %v", j.ID, err)
		}
	}
}

// madeUp is an outcome of a job by chance: of some it is that they diverged, were skipped or not
// run, or that a number is too short.
func madeUp(o paper.Options, j study.Job) (x study.Outcome, ran bool) {
	h := fnv.New64a()
	_, _ = h.Write([]byte(j.ID)) // a hash takes all
	r := rand.New(rand.NewSource(int64(h.Sum64())))
	x = study.Outcome{ID: j.ID, Seconds: 50 * r.Float64()}
	switch by := r.Float64(); {
	case by < 0.05:
		return x, false
	case by < 0.08:
		x.Skipped = "no such file"
		return x, true
	}
	d := 2
	if p, err := o.Targets.Open(j.Config.Target, j.Config.Dataset); err == nil && p.F32 == nil {
		d = p.Dim()
	}
	for _, l := range j.Config.Lanes {
		lane := engine.LaneResult{Sampler: l.Sampler, Draws: 5000, Steps: j.Config.Steps, Seconds: r.Float64(),
			Names: make([]string, d), Coords: make([]quantity.CoordValues, d)}
		for i := range lane.Values {
			lane.Values[i] = metrics.Exact(0.1 + r.Float64())
			if r.Float64() < 0.05 {
				lane.Values[i] = metrics.Withheld(metrics.TooShort, 10)
			}
		}
		lane.Values[quantity.TestError] = metrics.Exact(0.01 + 0.2*r.Float64())
		for i := range d {
			lane.Names[i] = "w"
			for k := range lane.Coords[i] {
				lane.Coords[i][k] = metrics.Exact(0.1 + r.Float64())
			}
			lane.Cov = append(lane.Cov, make([]engine.Num, d))
			lane.Cov[i][i] = engine.Num(0.5 + r.Float64())
		}
		if r.Float64() < 0.08 {
			lane.Diverged = &state.Divergence{Step: 10}
		}
		x.Lanes = append(x.Lanes, lane)
		var c study.Curve
		var trail study.Trail
		for k := range 100 {
			e := lane.Values[quantity.TestError].Value + 0.5*math.Exp(-float64(k)/10)
			c.Step, c.Epoch = append(c.Step, uint64(150*(k+1))), append(c.Epoch, engine.Num(k+1)/5)
			c.TestError, c.Newest = append(c.TestError, engine.Num(e)),
				append(c.Newest, engine.Num(e+0.001*r.Float64()))
			trail.X, trail.Y = append(trail.X, engine.Num(r.NormFloat64())),
				append(trail.Y, engine.Num(r.NormFloat64()))
		}
		if j.Keep.Curves {
			x.Curves = append(x.Curves, c)
		}
		if j.Keep.Draws {
			x.Draws = append(x.Draws, trail)
		}
		if j.Keep.Weights {
			x.Weights = append(x.Weights,
				[]study.Layer{{Name: "dense1", N: 100, SD: 0.1, Lo: -1, Hi: 1, Counts: []uint32{10, 40, 40, 10}},
					{Name: "dense1 bias", N: 5, SD: 0.2, Hi: 1, Counts: []uint32{5}}})
		}
	}
	return x, true
}

// check checks what every report must be: rows as wide as their head, without blanks if there
// are to be none, series of one length, panels in their axes, and no number that is not finite
// in words.
func check(t *testing.T, rep paper.Report, blanks bool) {
	t.Helper()
	for _, tab := range rep.Tables {
		for _, row := range tab.Rows {
			if len(row) != len(tab.Head) {
				t.Errorf("%s: a row of %d cells under %d heads: %q", tab.Title, len(row), len(tab.Head), row)
			}
			for _, c := range row {
				if c == "" && !blanks || strings.Contains(c, "NaN") || strings.Contains(c, "Inf") {
					t.Errorf("%s: cell %q in %q", tab.Title, c, row)
				}
			}
		}
		for _, s := range tab.Scores {
			if math.IsNaN(float64(s.Ours)) || math.IsInf(float64(s.Ours), 0) || math.IsNaN(float64(s.Paper)) ||
				s.Verdict == "" || s.Seeds == 0 {
				t.Errorf("%s: score %+v", tab.Title, s)
			}
		}
	}
	for _, f := range rep.Figures {
		if f.ID == "" || len(f.Panels) == 0 || f.Columns == 0 {
			t.Errorf("figure %q has %d panels in %d columns", f.ID, len(f.Panels), f.Columns)
		}
		for _, p := range f.Panels {
			for _, s := range p.Series {
				if s.Style == figure.Steps && len(s.X) == len(s.Y)+1 {
					continue
				}
				if len(s.X) != len(s.Y) || s.Err != nil && len(s.Err) != len(s.Y) {
					t.Errorf("%s, %s: %d, %d and %d numbers", f.ID, s.Name, len(s.X), len(s.Y), len(s.Err))
				}
				for k := range s.X {
					if !s.Paper && len(s.SessionsOf(k)) == 0 {
						t.Errorf("%s, %s: point %d is of no session", f.ID, s.Name, k)
					}
				}
			}
		}
	}
	for _, f := range append(rep.Remarks, rep.Verdict, rep.Instead) {
		if strings.Contains(f, "NaN") || strings.Contains(f, "Inf") || strings.Contains(f, "%!") {
			t.Errorf("remark %q", f)
		}
	}
}
