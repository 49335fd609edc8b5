package simulation

import (
	"fmt"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
)

// fig1a is the paper's figure 1(a): the error of the covariance's estimate and
// the autocorrelation time of SGLD and pSGLD at several ε.
func fig1a() paper.Experiment {
	return paper.Experiment{
		ID: "fig1a", Title: "Covariance error and autocorrelation time on a 2D Gaussian", Source: "section 5.1, figure 1(a)",
		Readings: []paper.Reading{paper.Text, paper.Authors},
		Protocol: func(o paper.Options) string {
			s := planeSettingOf(o.Reading)
			head := fmt.Sprintf("N(0, diag(0.16, 1)), %d draws at each of %d ε from %s to %s, all kept, %d seeds. ",
				s.draws, len(s.eps), claim.Exactly(slices.Min(s.eps)), claim.Exactly(slices.Max(s.eps)), planeRepeats(o))
			if o.Reading == paper.Authors {
				return head + "The released code's settings: its η = 0.3·0.8^i is ε = 2η; α = 0.9999, λ = 1e-4, V₀ = ḡ₁², gradient noise 0.1 drawn apart for V and the drift, start (0, 0). " +
					"Errors are the mean of the 4 entries, as there. τ is the paper's, not the other quantity that the code calls ACT."
			}
			return head + "α = 0.99, λ = 1e-5, V₀ = 0, exact gradient. The text does not say which ε it has nor where it starts: here (0.5, 1). Errors are the sum of the 4 absolute entries."
		},
		Jobs: func(o paper.Options) ([]study.Job, error) { return planeJobs(o, fig1aChains(o)) },
		Report: func(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
			return reportFig1a(o, paper.ResultsOf(outcomes))
		},
	}
}

// fig1aChains are the sessions of figure 1(a).
func fig1aChains(o paper.Options) []planeChain {
	s := planeSettingOf(o.Reading)
	var all []planeChain
	for _, eps := range s.eps {
		for _, row := range s.rows {
			all = append(all, planeChain{a: 1, row: row, eps: eps, draws: s.draws}.every(o)...)
		}
	}
	if o.Reading == paper.Text {
		all = append(all, fig1aAtMode(o).every(o)...)
	}
	return all
}

// fig1aAtMode is the chain of pSGLD that starts where ḡ = 0 with V₀ = 0.
func fig1aAtMode(o paper.Options) planeChain {
	return planeChain{a: 1, row: paper.PSGLD, eps: 0.3, draws: planeSettingOf(o.Reading).draws, start: "0,0"}
}

// fig1aReference are figures of one run each by other programs: for the text's
// reading those of PAPER §4, for the authors' those of their released results
// (PAPER §5).
func fig1aReference(r paper.Reading) (eps []float64, errors map[string][]float64) {
	if r == paper.Authors {
		return planeSettingOf(paper.Authors).eps, map[string][]float64{
			paper.SGLD.Name:  {0.628, 0.151, 0.083, 0.055, 0.045},
			paper.PSGLD.Name: {0.112, 0.084, 0.059, 0.038, 0.039},
		}
	}
	return []float64{0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, map[string][]float64{
		paper.SGLD.Name:       {0.085, 0.041, 0.054, 0.127, 0.224, 0.380, 0.717, 2.598},
		paper.PSGLD.Name:      {0.539, 0.274, 0.136, 0.130, 0.153, 0.184, 0.220, 0.259},
		paper.PSGLDGamma.Name: {0.524, 0.260, 0.124, 0.119, 0.142, 0.174, 0.211, 0.251},
	}
}

// actMean is τ averaged over the coordinates, NaN if one is not to be trusted.
func actMean(l engine.LaneResult) float64 {
	all := l.Column(quantity.ACT)
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(len(all))
}

// actSlowest is τ of the slowest coordinate, NaN if one is not to be trusted.
func actSlowest(l engine.LaneResult) float64 {
	return l.Values[quantity.MaxACT].Trusted()
}

// A planeLine is what a method comes to at each ε.
type planeLine struct {
	row paper.Method
	err []claim.OverSeeds // per ε
	act []claim.OverSeeds
}

func reportFig1a(o paper.Options, r *paper.Results) paper.Report {
	s := planeSettingOf(o.Reading)
	theories := make([]planeTheory, len(s.eps))
	if p, err := o.Targets.Open(planeChain{a: 1}.spec(s), ""); err == nil {
		for i, eps := range s.eps {
			if t, ok := theoryOf(p, eps, s.draws); ok {
				theories[i] = t
				continue
			}
			theories[i] = planeTheory{Bias: math.NaN(), Error: math.NaN()}
		}
	}
	var lines []planeLine
	for _, row := range s.rows {
		l := planeLine{row: row}
		for _, eps := range s.eps {
			ids := planeChain{a: 1, row: row, eps: eps, draws: s.draws}.repeated(o)
			l.err = append(l.err, r.Over(ids, planeChain{a: 1}.drawnError).Times(1/s.entries))
			l.act = append(l.act, r.Over(ids, actMean))
		}
		lines = append(lines, l)
	}
	var rep paper.Report
	rep.Tables = []paper.Table{fig1aErrors(o, s, lines, theories), fig1aACTs(s, lines, theories)}
	rep.Figures = []figure.Figure{fig1aFigure(o, s, lines, theories)}
	rep.Findings = fig1aFindings(o, s, lines, theories, r)
	rep.Findings = append(rep.Findings, r.Findings()...)
	return rep
}

// reference returns another program's figure for a method at an ε, NaN for none.
func reference(r paper.Reading, name string, eps float64) float64 {
	at, errors := fig1aReference(r)
	for i, e := range at {
		if of := errors[name]; e == eps && of != nil {
			return of[i]
		}
	}
	return math.NaN()
}

func fig1aErrors(o paper.Options, s planeSetting, lines []planeLine, theories []planeTheory) paper.Table {
	t := paper.Table{Title: "Covariance error, mean ± standard error over seeds, beside one run each of another program (reference)", Head: []string{"ε"}}
	if o.Reading == paper.Authors {
		t.Title = "Covariance error (mean of 4 entries), ± standard error over seeds, beside the authors' released figures of one run each (reference)"
	}
	for _, l := range lines {
		t.Head = append(t.Head, l.row.Name)
		if l.row.Name == paper.SGLD.Name {
			t.Head = append(t.Head, "expected", "bias alone")
		}
		t.Head = append(t.Head, "reference")
	}
	for i, eps := range s.eps {
		row := []string{claim.Exactly(eps)}
		for _, l := range lines {
			row = append(row, l.err[i].Text(3))
			if l.row.Name == paper.SGLD.Name {
				row = append(row, claim.Decimal(theories[i].Error/s.entries, 3), claim.Decimal(theories[i].Bias/s.entries, 3))
			}
			ref := reference(o.Reading, l.row.Name, eps)
			row = append(row, claim.Decimal(ref, 3))
			if o.Reading == paper.Authors {
				// Theirs is one run, whose error is that of one of ours and stands in the
				// place of a test set's.
				if sc, ok := claim.ScoreOf(l.row.Name+", ε = "+claim.Exactly(eps), "", ref, l.err[i], l.err[i].SD()); ok {
					t.Scores = append(t.Scores, sc)
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func fig1aACTs(s planeSetting, lines []planeLine, theories []planeTheory) paper.Table {
	t := paper.Table{Title: "Autocorrelation time τ = ½ + Σ ρ, mean of both coordinates; an estimate is never below 1/(2 log₁₀ n)", Head: []string{"ε"}}
	for _, l := range lines {
		t.Head = append(t.Head, l.row.Name)
		if l.row.Name == paper.SGLD.Name {
			t.Head = append(t.Head, "exact")
		}
	}
	for i, eps := range s.eps {
		row := []string{claim.Exactly(eps)}
		for _, l := range lines {
			row = append(row, l.act[i].Short(3))
			if l.row.Name == paper.SGLD.Name {
				row = append(row, claim.Significant((theories[i].ACT[0]+theories[i].ACT[1])/2, 3))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func fig1aFigure(o paper.Options, s planeSetting, lines []planeLine, theories []planeTheory) figure.Figure {
	what := "error of the covariance"
	if s.entries != 1 {
		what = "mean error of an entry"
	}
	errs := figure.Panel{Title: "error", X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: what, Log: true}}
	acts := figure.Panel{Title: "autocorrelation time", X: figure.Axis{Label: "ε", Log: true}, Y: figure.Axis{Label: "τ", Log: true}}
	both := figure.Panel{Title: "error against autocorrelation time", X: figure.Axis{Label: "τ", Log: true}, Y: figure.Axis{Label: what, Log: true}}
	var expected, exact figure.Series
	for i, eps := range s.eps {
		if t := theories[i]; t.Error > 0 {
			expected.X, expected.Y = append(expected.X, eps), append(expected.Y, t.Error/s.entries)
			exact.X, exact.Y = append(exact.X, eps), append(exact.Y, (t.ACT[0]+t.ACT[1])/2)
		}
	}
	for _, l := range lines {
		e, a := paper.SeriesOver(l.row.Name, figure.Both, s.eps, l.err), paper.SeriesOver(l.row.Name, figure.Both, s.eps, l.act)
		errs.Series, acts.Series = append(errs.Series, e), append(acts.Series, a)
		b := figure.Series{Name: l.row.Name, Style: figure.Both}
		for i := range s.eps {
			if l.err[i].OK() && l.act[i].OK() {
				b.X, b.Y, b.Err = append(b.X, l.act[i].Mean), append(b.Y, l.err[i].Mean), append(b.Err, l.err[i].SE)
			}
		}
		both.Series = append(both.Series, b)
	}
	for _, l := range lines {
		if at, of := fig1aReference(o.Reading); of[l.row.Name] != nil {
			errs.Series = append(errs.Series, figure.Series{Name: l.row.Name + ", reference", Style: figure.Points, X: at, Y: of[l.row.Name], Paper: true})
		}
	}
	expected.Name, expected.Style, expected.Paper = "SGLD, expected", figure.Line, true
	exact.Name, exact.Style, exact.Paper = "SGLD, exact", figure.Line, true
	errs.Series, acts.Series = append(errs.Series, expected), append(acts.Series, exact)
	return figure.Figure{ID: "fig1a", Title: "Figure 1(a): error and ACT on N(0, diag(0.16, 1))", Columns: 3, Panels: []figure.Panel{errs, acts, both}}
}
