package sweep

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// cellsOf is a lane whose cells have these means of a quantity, of three repeats with
// this standard error.
func cellsOf(q quantity.ID, se float64, means ...float64) scan.Lane {
	l := scan.Lane{Has: true, Cells: make(scan.Row, len(means))}
	for i, x := range means {
		c := &l.Cells[i]
		c.Runs = 3
		for k := range c.Of {
			c.Of[k].Mean, c.Of[k].SE = math.NaN(), math.NaN()
		}
		c.Of[q] = quantity.OverSeeds{Mean: x, SE: se, N: 3}
	}
	return l
}

// verdict is what a grid says.
func (d *Data) verdict(symbol string) wording.Verdict {
	g := d.words(symbol)
	return g.Verdict()
}

// What a grid says of each lane, and why it says nothing.
func TestVerdicts(t *testing.T) {
	say := func(seeds, done int, lanes ...scan.Lane) (said []string, why string) {
		d := &Data{Known: scan.Known{Param: stepSize(), Values: []float64{0.01, 0.1, 1, 2, 4}, Steps: 50_000, Seeds: seeds,
			Done: done, Total: 15, Lanes: lanes}, State: Done}
		if done < 15 {
			d.State = Running
		}
		for i := range lanes {
			lanes[i].ID = i
		}
		v := d.verdict("ε")
		for _, l := range v.Lanes {
			if v.Why == "" {
				said = append(said, l.By+" "+l.Value)
			}
		}
		return said, v.Why
	}
	short := cellsOf(quantity.CovError, 0.1, 0.5, 1, 5, 6, 7)
	for i := range short.Cells {
		short.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.TooShort}
	}
	below := cellsOf(quantity.CovError, 0.1, 0, 1, 5, 6, 7) // what is too short may be better
	below.Cells[0].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.TooShort}
	above, lost := cellsOf(quantity.CovError, 0.1, 9, 5, 1, 0, 0), cellsOf(quantity.CovError, 0.1, 1, 1, 1, 1, 1)
	missed, mixes := cellsOf(quantity.CovError, 0.1, 1, 2), short
	for i := range missed.Cells {
		missed.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.Divergent}
	}
	mixes.Cells = slices.Clone(short.Cells)
	for i := range lost.Cells {
		mixes.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{}
		mixes.Cells[i].Of[quantity.MaxACT] = quantity.OverSeeds{Untrusted: 3, Why: metrics.TooShort}
		lost.Cells[i].Of[quantity.CovError], lost.Cells[i].Diverged = quantity.OverSeeds{}, lost.Cells[i].Runs
	}
	for i := 3; i < 5; i++ {
		above.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.Drifting}
	}
	const low, like = "lowest covariance error ", ", alike "
	for _, c := range []struct {
		said  []string
		why   string
		seeds int
		lanes []scan.Lane
	}{
		{[]string{low + "0.100", low + "1"}, "", 3,
			[]scan.Lane{cellsOf(quantity.CovError, 0.1, 9, 1, 5, 6, 7),
				cellsOf(quantity.CovError, 0.1, 9, 5, 1, 6, 7)}},
		{[]string{"lowest test error 0.0100" + like + "≤ 1", "lowest test error 1" + like + "0.100–2"},
			"", 3,
			[]scan.Lane{cellsOf(quantity.TestError, 0.1, 1, 1.1, 1.2, 9, 9),
				cellsOf(quantity.TestError, 0.3, 7, 1.2, 1, 1.1, 7)}},
		{[]string{low + "≤ 0.100"}, "", 3, []scan.Lane{below}},
		{[]string{"highest ELBO 4"}, "", 3, []scan.Lane{cellsOf(quantity.ELBO, 0.1, 1, 2, 3, 4, 9), {}}},
		{[]string{low + "≥ 1"}, "", 3, []scan.Lane{above}},
		{nil, "the cells are too short to compare", 3, []scan.Lane{short}},
		{nil, "the cells are too short to compare", 3, []scan.Lane{mixes}}, // of a target without a truth
		{nil, "every run diverged", 3, []scan.Lane{lost}},
		{nil, "no cell can be trusted: divergences", 3, []scan.Lane{missed}},
		{nil, "no ε stands out: what differs is within the errors", 3,
			[]scan.Lane{cellsOf(quantity.TestError, 3, 9, 8, 7, 6, 7)}},
		{nil, "ESS cannot see bias: :truth hmc finds the error", 3,
			[]scan.Lane{cellsOf(quantity.ESSPerStep, 1, 1, 2, 3, 40, 90)}},
		{nil, "one seed gives no standard error, and so no best", 1,
			[]scan.Lane{cellsOf(quantity.TestError, math.NaN(), 1, 2, 3, 40, 90)}},
	} {
		if said, why := say(c.seeds, 15, c.lanes...); !slices.Equal(said, c.said) || why != c.why {
			t.Errorf("%q, %q; want %q, %q", said, why, c.said, c.why)
		}
		if said, why := say(c.seeds, 14, c.lanes...); said != nil || why != "the verdict waits for 1 more run" {
			t.Errorf("with a run to come it says %q, %q", said, why)
		}
	}
}

// Where it is known how long chains must be, the verdict says how many steps are missing, and asks for as many.
func TestVerdictSaysWhatIsMissing(t *testing.T) {
	l := cellsOf(quantity.CovError, 0.1, 1, 2, 3)
	for i := range l.Cells {
		l.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.TooShort}
		l.Cells[i].Needed = uint64(1_302_000 / (i + 1))
	}
	d := &Data{Each: 2, Known: scan.Known{Param: stepSize(), Values: []float64{0.1, 0.2, 0.4}, Steps: 50_000, Seeds: 3,
		Done: 9, Total: 9, Lanes: []scan.Lane{l}}}
	v := d.verdict("ε")
	want := "too short at ε 0.100–0.400 by 1,300,000+ steps: :grid steps 2000000 is longer, 12m00s"
	if v.More != want || v.Steps != 2_000_000 {
		t.Errorf("%q, %d steps; want %q", v.More, v.Steps, want)
	}
}

// What is said of where a lane diverges.
func TestBoundsOfStability(t *testing.T) {
	for want, at := range map[string][]int{
		"diverges nowhere":       nil,
		"diverges from ε = 2 on": {3, 4},
		"diverges in some cells": {1, 4},
		"diverges everywhere":    {0, 1, 2, 3, 4},
	} {
		l := cellsOf(quantity.CovError, 0.1, 1, 2, 3, 4, 5)
		for _, i := range at {
			l.Cells[i].Diverged = 1
		}
		d := &Data{Known: scan.Known{Param: stepSize(), Values: []float64{0.01, 0.1, 1, 2, 4}, Lanes: []scan.Lane{l}}}
		if got := d.verdict("ε").Lanes[0].Bound; got != want {
			t.Errorf("cells %v diverge: %q, want %q", at, got, want)
		}
		so := "has diverged"
		if at == nil {
			so = "has not diverged so far"
		}
		d.Lanes[0].Cells, d.Total = append(l.Cells, scan.Cell{}), 1
		if got := d.verdict("ε").Lanes[0].Bound; got != so {
			t.Errorf("cells %v diverge and one has not run: %q, want %q", at, got, so)
		}
	}
	none := &Data{Known: scan.Known{Lanes: []scan.Lane{{Has: true, Cells: make([]scan.Cell, 5)}}}}
	if got, want := none.verdict("ε").Lanes[0].Bound, "has not run yet"; got != want {
		t.Errorf("no cell has run: %q, want %q", got, want)
	}
}

// A value between two cells stands between them on the parameter's scale.
func TestPlaceOfAValue(t *testing.T) {
	d := &Data{Known: scan.Known{Param: stepSize(), Values: []float64{0.01, 0.1, 1}}}
	for x, want := range map[float64]float64{0.01: 0, 0.1: 1, 1: 2, 0.01 * math.Sqrt(10): 0.5, 2: math.NaN(),
		0.001: math.NaN()} {
		if got := d.place(x); math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%v stands at %v, want %v", x, got, want)
		}
	}
}

// An end of the grid is told as a bound, unless the parameter has no values beyond.
func TestRangesOfCells(t *testing.T) {
	bounded, free := stepSize(), stepSize()
	bounded.Min, bounded.Max = 1, 8
	for _, c := range []struct {
		from, to             int
		want, wantAtItsLimit string
	}{
		{1, 2, "2–4", "2–4"}, {1, 1, "2", "2"}, {0, 0, "≤ 1", "1"}, {0, 2, "≤ 4", "1–4"}, {3, 3, "≥ 8", "8"},
		{1, 3, "≥ 2", "2–8"}, {0, 3, "1–8", "1–8"},
	} {
		for p, want := range map[*param.Param]string{&free: c.want, &bounded: c.wantAtItsLimit} {
			l := cellsOf(quantity.CovError, 0.1, 9, 9, 9, 9)
			for i := c.from; i <= c.to; i++ {
				l.Cells[i].Of[quantity.CovError] = quantity.OverSeeds{Untrusted: 3, Why: metrics.TooShort}
			}
			d := &Data{Known: scan.Known{Param: *p, Values: []float64{1, 2, 4, 8}, Seeds: 3, Lanes: []scan.Lane{l}}}
			if got, _, _ := strings.Cut(strings.TrimPrefix(d.verdict("ε").More, "too short at ε "), ":"); got != want {
				t.Errorf("cells %d to %d: %q, want %q", c.from, c.to, got, want)
			}
		}
	}
}

// stepSize is ε as every sampler has it.
func stepSize() param.Param {
	m, _ := catalog.Find("sgld")
	p, _ := m.Param(sampler.KeyEps)
	return p
}

// What went wrong is said in the head of a grid, as far as there is room for it.
func TestHeadSaysWhatWentWrong(t *testing.T) {
	p, f := plane.NewPlane(80, 1), &pane.Frame{Theme: theme.New(true, false, false)}
	d := &Data{Note: "A (sgld) stopped at step 500: " + strings.Repeat("the model has ended ", 9)}
	d.Total = 15
	if why := d.verdict("ε").Why; why != "no verdict: 15 runs were not made" {
		t.Errorf("the verdict is %q", why)
	}
	new(view).head(p.Region(), f, d)
	if got := p.RenderPlain(); !strings.Contains(got, "A (sgld) stopped at step 500: the model") {
		t.Errorf("the head is %q", got)
	}
}
