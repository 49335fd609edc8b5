package simulation

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
)

// scatterDraws is how many draws the paper's scatter plots have.
const scatterDraws = 600

// A scatterAt is a panel of the paper's scatter plots: the second variance and ε
// in the reading's own convention.
type scatterAt struct{ a, eps float64 }

// A scatterFigure is figure 1(b), or that of the supplement's part E.
type scatterFigure struct {
	id, title string
	at        []scatterAt
	columns   int
}

var (
	scatterFig1b = scatterFigure{id: "fig1b", title: "Figure 1(b): the first 600 draws on N(0, diag(0.16, 1))", at: []scatterAt{{1, 0.3}}, columns: 2}
	scatterSupp  = scatterFigure{
		id: "supp-fig1", title: "Supplement, figure 1: the first 600 draws on N(0, diag(0.16, a))",
		at: []scatterAt{{2, 0.3}, {2, 0.1}, {0.5, 0.3}, {0.5, 0.1}}, columns: 4,
	}
)

// scatterRows are the methods, in the order of their panels.
var scatterRows = []paper.Method{paper.SGLD, paper.PSGLD}

func fig1b() paper.Experiment {
	return scatterFig1b.experiment("First 600 draws at ε = 0.3 on a 2D Gaussian", "section 5.1, figure 1(b)")
}

func suppFig1() paper.Experiment {
	return scatterSupp.experiment("First 600 draws on rescaled Gaussians", "supplement E, figure 1")
}

func (f scatterFigure) experiment(title, source string) paper.Experiment {
	return paper.Experiment{
		ID: f.id, Title: title, Source: source, Readings: []paper.Reading{paper.Text, paper.Authors},
		Protocol: func(o paper.Options) string {
			s := planeSettingOf(o.Reading)
			var at []string
			for _, x := range f.at {
				at = append(at, fmt.Sprintf("a = %s, ε = %s", claim.Exactly(x.a), claim.Exactly(x.eps)))
			}
			text := fmt.Sprintf("N(0, diag(0.16, a)) at %s: %d draws from (%s), seed %d, and the same %d times over for their error; chains of %d draws for τ. ",
				strings.Join(at, "; "), scatterDraws, s.start, o.Seed, planeRepeats(o), s.draws)
			if o.Reading == paper.Authors {
				return text + "The released code's step η is ε = 2η here; α = 0.9999, λ = 1e-4, V₀ = ḡ₁², gradient noise 0.1."
			}
			return text + "α = 0.99, λ = 1e-5, V₀ = 0; the text does not say where the chains start."
		},
		Jobs: func(o paper.Options) ([]study.Job, error) { return planeJobs(o, f.chains(o)) },
		Report: func(o paper.Options, outcomes map[string]study.Outcome) paper.Report {
			return f.report(o, paper.ResultsOf(outcomes))
		},
	}
}

// scatter is the chain of a panel's draws, and long that of its τ. Figure 1(a)
// has the same long ones.
func (x scatterAt) scatter(o paper.Options, row paper.Method) planeChain {
	return planeChain{a: x.a, row: row, eps: claim.Round4(x.eps * planeSettingOf(o.Reading).perEps), draws: scatterDraws, seed: o.Seed}
}

func (x scatterAt) long(o paper.Options, row paper.Method) planeChain {
	c := x.scatter(o, row)
	c.draws = planeSettingOf(o.Reading).draws
	return c
}

func (f scatterFigure) chains(o paper.Options) []planeChain {
	var all []planeChain
	for _, x := range f.at {
		for _, row := range scatterRows {
			for _, c := range x.scatter(o, row).every(o) {
				c.trail = c.seed == o.Seed
				all = append(all, c)
			}
			all = append(all, x.long(o, row).every(o)...)
		}
	}
	return all
}

// A scatterNumbers is what a panel's chains come to.
type scatterNumbers struct {
	shown     float64         // covariance error of the draws shown
	short     claim.OverSeeds // of as many draws on every seed
	long, act claim.OverSeeds // error and slowest τ of the long chains
}

// held is how many effective draws there are in a panel.
func (n scatterNumbers) held() float64 { return scatterDraws / (2 * n.act.Mean) }

func (f scatterFigure) report(o paper.Options, r *paper.Results) paper.Report {
	var rep paper.Report
	t := paper.Table{
		Title: "Covariance error (sum of the 4 absolute entries) and τ of the slower coordinate",
		Head:  []string{"a", "ε", "method", "error of the draws shown", "of 600 draws", fmt.Sprintf("of %d draws", planeSettingOf(o.Reading).draws), "slowest τ", "effective among 600"},
	}
	of := map[scatterAt]map[string]scatterNumbers{}
	for _, x := range f.at {
		of[x] = map[string]scatterNumbers{}
		for _, row := range scatterRows {
			short, long := x.scatter(o, row), x.long(o, row)
			n := scatterNumbers{shown: math.NaN()}
			if l, ok := r.Lane(short.id(o.Reading), 0); ok {
				n.shown = short.drawnError(l)
			}
			n.short = r.Over(short.repeated(o), short.drawnError)
			n.long, n.act = r.Over(long.repeated(o), long.drawnError), r.Over(long.repeated(o), actSlowest)
			of[x][row.Name] = n
			t.Rows = append(t.Rows, []string{
				claim.Exactly(x.a), claim.Exactly(short.eps), row.Name, claim.Decimal(n.shown, 2), n.short.Text(2), n.long.Text(3), n.act.Short(3), claim.Significant(n.held(), 2),
			})
		}
	}
	rep.Tables = []paper.Table{t}
	rep.Figures = []figure.Figure{f.figure(o, r)}
	for _, x := range f.at {
		if text := x.finding(o, of[x]); text != "" {
			rep.Findings = append(rep.Findings, text)
		}
	}
	if f.id == scatterSupp.id {
		rep.Findings = append(rep.Findings, rescaled(o, f, of)...)
	}
	rep.Findings = append(rep.Findings, r.Findings()...)
	return rep
}

// finding compares a panel's methods.
func (x scatterAt) finding(o paper.Options, of map[string]scatterNumbers) string {
	g, p := of[paper.SGLD.Name], of[paper.PSGLD.Name]
	if !g.act.OK() || !p.act.OK() || !g.short.OK() || !p.short.OK() {
		return ""
	}
	eps := x.scatter(o, paper.SGLD).eps
	why := ""
	if o.Reading == paper.Authors && p.short.Mean-g.short.Mean > 2*math.Hypot(p.short.SE, g.short.SE) {
		why = fmt.Sprintf(" pSGLD's is the larger for as long as V remembers its start, which at (0, 0) is gradient noise squared and with α = 0.9999 counts for 10⁴ steps: over %d draws it is %s against %s.",
			planeSettingOf(o.Reading).draws, p.long.Text(2), g.long.Text(2))
	}
	return fmt.Sprintf("a = %s, ε = %s: 600 draws of SGLD hold about %s effective ones of the slower coordinate (τ %s), of pSGLD %s (τ %s); their covariance errors are %s and %s.",
		claim.Exactly(x.a), claim.Exactly(eps), claim.Significant(g.held(), 2), g.act.Short(3), claim.Significant(p.held(), 2), p.act.Short(3), g.short.Text(2), p.short.Text(2)) + why
}

// rescaled holds the supplement's claim, that pSGLD needs no new ε when a goes
// from 0.5 to 2, against τ: that of SGLD is 2a/ε - ½ exactly.
func rescaled(o paper.Options, f scatterFigure, of map[scatterAt]map[string]scatterNumbers) []string {
	var all []string
	for _, eps := range []float64{0.1, 0.3} {
		wide, narrow := of[scatterAt{2, eps}], of[scatterAt{0.5, eps}]
		ratio := func(name string) float64 { return wide[name].act.Mean / narrow[name].act.Mean }
		g, p := ratio(paper.SGLD.Name), ratio(paper.PSGLD.Name)
		if math.IsNaN(g) || math.IsNaN(p) {
			continue
		}
		text := fmt.Sprintf("When a goes from 0.5 to 2 at ε = %s, the slower coordinate's τ grows %.1f times for SGLD and %.1f times for pSGLD.", claim.Exactly(scatterAt{2, eps}.scatter(o, paper.SGLD).eps), g, p)
		if p < g {
			text += " G follows the gradient's size and takes up about the root of it: one ε serves pSGLD over more scales, though not all alike."
		}
		all = append(all, text)
	}
	return all
}

// figure draws the panels: a method's side by side in a row each.
func (f scatterFigure) figure(o paper.Options, r *paper.Results) figure.Figure {
	fig := figure.Figure{ID: f.id, Title: f.title, Columns: f.columns}
	far := 0.0 // what all panels show, the same of both coordinates: the target's shape is what matters
	trails := map[string]study.Trail{}
	for _, at := range f.at {
		for _, row := range scatterRows {
			id := at.scatter(o, row).id(o.Reading)
			t, ok := r.Trail(id, 0)
			if !ok {
				continue
			}
			trails[id] = t
			far = max(far, reach(t.X), reach(t.Y), 3.2*math.Sqrt(max(0.16, at.a)))
		}
	}
	for _, row := range scatterRows {
		for _, at := range f.at {
			c := at.scatter(o, row)
			p := figure.Panel{
				Title: fmt.Sprintf("%s, a = %s, ε = %s", row.Name, claim.Exactly(at.a), claim.Exactly(c.eps)),
				X:     figure.Axis{Label: "θ₁", Min: -far, Max: far}, Y: figure.Axis{Label: "θ₂", Min: -far, Max: far},
			}
			for _, sds := range []float64{1, 2, 3} {
				p.Contours = append(p.Contours, figure.Ellipse{Cov: [3]float64{0.16, 0, at.a}, R: sds})
			}
			if t, ok := trails[c.id(o.Reading)]; ok {
				s := figure.Series{Name: row.Name, Style: figure.Points}
				for i := range t.X {
					s.X, s.Y = append(s.X, float64(t.X[i])), append(s.Y, float64(t.Y[i]))
				}
				p.Series = []figure.Series{s}
			}
			fig.Panels = append(fig.Panels, p)
		}
	}
	return fig
}

// reach is the largest finite |x|, with a margin.
func reach(xs []engine.Num) float64 {
	far := 0.0
	for _, v := range xs {
		if a := math.Abs(float64(v)); a > far && !math.IsInf(a, 0) {
			far = a
		}
	}
	return 1.02 * far
}
