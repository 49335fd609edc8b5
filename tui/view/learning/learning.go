// Package learning draws the view of how well the draws predict.
package learning

import (
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// New returns view 3: how well the draws predict, against steps, epochs, gradients or time. It is of targets with data.
func New() pane.View {
	return pane.View{Name: "Learning", Panes: panes, Lacks: pane.NeedsPredictions, Empty: func(*pane.Frame) string {
		return "this target makes no predictions"
	}}
}

// shortTitles is the width of a chart below which its title does not name its two curves.
const shortTitles = 50

// chartCols is the least width of a chart in a row of several.
const chartCols = 40

var (
	loss = pane.Curve{ID: quantity.Loss}
	elbo = pane.Curve{ID: quantity.ELBO, Linear: true}
)

func panes(f *pane.Frame, w, h int) []pane.Pane {
	if !f.Predicts() {
		return nil
	}
	all := plane.Rect{W: w, H: h}
	if w < pane.WideStage {
		return narrow(f, all)
	}
	upper, lower := all.CutTop(h * 11 / 20)
	left, right := upper.CutLeft(w * 3 / 5)
	table, rest := right.CutTop(min(2*len(f.Lanes())+4, max(h-pane.ChartRows, 0)))
	if rest.H < pane.ChartRows {
		table, rest = right, plane.Rect{}
	}
	beside := pane.Curve{ID: quantity.ECE}
	switch {
	case f.Any(quantity.TrainingSet):
		beside.ID = quantity.TrainError
	case f.Any(quantity.NoTestSet):
		beside.ID = quantity.TrainECE
	}
	shown := []pane.Pane{testError(f, left.W).In(left), scores().In(table)}
	if !rest.Empty() {
		shown = append(shown, beside.Pane().In(rest))
	}
	return append(shown, lowerRow(f, lower)...)
}

// narrow stacks the scores and as many charts as fit.
func narrow(f *pane.Frame, all plane.Rect) []pane.Pane {
	n := len(f.Lanes())
	rows := min(n+3, max(all.H-pane.ChartRows, 0))
	if rows < 4 { // not even one lane's scores
		rows = 0
	}
	table, rest := all.CutTop(rows)
	at := pane.Stack(rest, min(max(rest.H/pane.ChartRows, 1), 3))
	var shown []pane.Pane
	if rows > 0 {
		shown = append(shown, scores().In(table))
	}
	if f.Count(quantity.Sampling) < n && all.W >= 2*chartCols {
		left, right := at[0].CutLeft(at[0].W / 2)
		shown = append(shown, testError(f, left.W).In(left), objective(f).In(right))
	} else {
		shown = append(shown, testError(f, at[0].W).In(at[0]))
	}
	if len(at) > 1 {
		shown = append(shown, nll(f).In(at[1]))
	}
	if len(at) > 2 {
		shown = append(shown, shared.Calibration().In(at[2]))
	}
	return shown
}

// lowerRow is the charts of the lower row that fit. The loss and the ELBO are there if
// they are some lane's objective, and then before other scores.
func lowerRow(f *pane.Frame, at plane.Rect) []pane.Pane {
	type chart struct {
		pane.Pane
		worth int
	}
	charts := []chart{{nll(f), 1}}
	if f.Lists(quantity.Loss) {
		charts = append(charts, chart{loss.Pane(), 2})
	}
	if f.Lists(quantity.ELBO) {
		charts = append(charts, chart{elbo.Pane(), 2})
	}
	brier := pane.Curve{ID: f.Scored(quantity.Brier, quantity.TrainBrier)}
	charts = append(charts, chart{brier.Pane(), 0}, chart{shared.Calibration(), 2})
	for worth := range 2 {
		excess := len(charts) - max(at.W/chartCols, 3)
		charts = slices.DeleteFunc(charts, func(c chart) bool {
			if c.worth != worth || excess <= 0 {
				return false
			}
			excess--
			return true
		})
	}
	places := pane.Beside(at, len(charts))
	return list.Map(list.Upto(len(charts)), func(i int) pane.Pane { return charts[i].In(places[i]) })
}

// objective is the objective of the focused lane; if that lane samples, of another.
func objective(f *pane.Frame) pane.Pane {
	if f.Focused().Kind == sampler.Variational || !f.Any(quantity.Optimising) {
		return elbo.Pane()
	}
	return loss.Pane()
}

// testError is the error of the averaged prediction and of the newest draw in w columns, on the test set or, without
// one, on the training set. Through the burn-in it is the loss of minibatches.
func testError(f *pane.Frame, w int) pane.Pane {
	if v := f.Focused(); len(v.PassageLoss) > 0 { // until there are draws to predict with
		return pane.TrainingLoss()
	}
	c := pane.Curve{ID: f.Scored(quantity.TestError, quantity.TrainError), Newest: quantity.NewestError}
	if w >= shortTitles {
		c.Title = quantity.All[c.ID].Name + " in %: averaged, newest draw"
	}
	return c.Pane()
}

func nll(f *pane.Frame) pane.Pane {
	c := pane.Curve{ID: f.Scored(quantity.NLL, quantity.TrainNLL), Newest: quantity.NewestNLL}
	c.Title = quantity.All[c.ID].Name + ": averaged, newest draw"
	return c.Pane()
}

// A column of the table is a score of the averaged prediction, on the test set or without one on the training set, and
// the same of the newest draw, 0 for none. The zero column is the number of their draws.
type column struct{ test, training, newest quantity.ID }

// columns are those of the table. A narrow one leaves out the last ones.
var columns = []column{
	{quantity.TestError, quantity.TrainError, quantity.NewestError},
	{quantity.NLL, quantity.TrainNLL, quantity.NewestNLL},
	{quantity.Loss, quantity.Loss, 0},
	{quantity.ELBO, quantity.ELBO, 0},
	{quantity.Brier, quantity.TrainBrier, quantity.NewestBrier},
	{quantity.ECE, quantity.TrainECE, quantity.NewestECE},
	{},
}

// head is the last word of the quantity's symbol. The table's title names the set.
func (c column) head(f *pane.Frame) string {
	if c == (column{}) {
		return "draws"
	}
	s := quantity.All[f.Scored(c.test, c.training)].Symbol
	return s[strings.LastIndex(s, " ")+1:]
}

// scores is the table of every lane's scores, of the averaged prediction and of the newest draw.
func scores() pane.Pane { return pane.Of("scores", drawScores) }

func drawScores(g plane.Region, f *pane.Frame) {
	title := "scores on the test set"
	if f.Any(quantity.NoTestSet) {
		title = "scores on the training set"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	th := &f.Theme
	label := 14
	shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		id := f.Scored(c.test, c.training)
		return c != (column{}) && quantity.All[id].Basis != quantity.Predictions && !f.Lists(id)
	})
	shown = shown[:max(min((in.W()-label-1)/7, len(shown)), 0)]
	if len(shown) < 1 {
		return
	}
	widest := pane.Most(f, func(v *engine.LaneView) int { return plane.Width(f.LaneName(v)) })
	label = max(label, min(3+widest+1, in.W()-1-7*len(shown)))
	cell := min((in.W()-label-1)/len(shown), 10)
	for k, c := range shown {
		in.TextRight(label+(k+1)*cell, 0, c.head(f), th.Dim)
	}
	y := 1
	lanes := f.Lanes()
	detailed := in.H() >= 1+2*len(lanes)
	for _, v := range f.EachLane() {
		look := f.LaneStyle(v)
		in.Set(1, y, look.Glyph, look.Style)
		in.TextFit(3, y, label-3, f.Theme, plane.FitTitle(in.Spell(f.LaneName(v)), label-4), look.Style)
		drawn := v.Values[f.Scored(quantity.TestError, quantity.TrainError)].Draws
		write := func(k int, id quantity.ID, draws uint64, style plane.Style) {
			p := pane.Part{Style: style}
			if id == 0 {
				p.Text = plane.Count(draws)
			} else {
				p.Estimate(f, &quantity.All[id], v.Values[id], cell-1)
			}
			p.Right(in, label+(k+1)*cell, y)
		}
		for k, c := range shown {
			write(k, f.Scored(c.test, c.training), drawn, th.Text)
		}
		y++
		if !detailed {
			continue
		}
		in.Text(3, y, "newest", th.Dim)
		in.Row(y).Term(wording.Newest)
		for k, c := range shown {
			if c.newest != 0 || c == (column{}) {
				write(k, c.newest, v.Values[quantity.NewestError].Draws, th.Dim)
			}
		}
		y++
	}
}
