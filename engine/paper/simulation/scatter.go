package simulation

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/nets/libm"
	"github.com/psgld/psgld-tui/targets/list"
)

// scatterDraws is how many draws the paper's scatter plots have.
const scatterDraws = 600

// A scatter is a column of the paper's scatter plots, a panel for each method. ε is in the
// reading's own convention; a is the second variance.
type scatter struct{ a, eps float64 }

// A scatterFigure is figure 1(b), or that of the supplement's part E.
type scatterFigure struct {
	id, title string
	question  string
	at        []scatter
	columns   int
}

// scatterLanes are the methods, in the order of their panels.
var scatterLanes = []paper.Lane{paper.SGLD, paper.PSGLD}

func fig1b() paper.Experiment {
	return scatterFigure{id: "fig1b", title: "Figure 1(b): the first 600 draws on N(0, diag(0.16, 1))", at: []scatter{{1, 0.3}}, columns: 2,
		question: "Do the first 600 draws of pSGLD cover the target better than those of SGLD?"}.
		experiment("First 600 draws at ε = 0.3 on a 2D Gaussian", "section 5.1, figure 1(b)")
}

func suppFig1() paper.Experiment {
	return scatterFigure{
		id: "supp-fig1", title: "Supplement, figure 1: the first 600 draws on N(0, diag(0.16, a))",
		at: []scatter{{2, 0.3}, {2, 0.1}, {0.5, 0.3}, {0.5, 0.1}}, columns: 4,
		question: "When a coordinate is rescaled, does one step size go on serving pSGLD where SGLD needs another?",
	}.experiment("First 600 draws on rescaled Gaussians", "supplement E, figure 1")
}

func (f scatterFigure) experiment(title, source string) paper.Experiment {
	return paper.Experiment{
		ID: f.id, Title: title, Source: source, Question: f.question, Readings: []paper.Reading{paper.Text, paper.Authors},
		Protocol: func(o paper.Options) string {
			s := protocolOf(o.Reading)
			at := list.Map(f.at, func(x scatter) string {
				return fmt.Sprintf("a = %s, ε = %s", claim.Exactly(x.a), claim.Exactly(x.eps))
			})
			text := fmt.Sprintf("N(0, diag(0.16, a)) at %s: %d draws from (%s), seed %d, and the same %d times over for their error; chains of %d draws for τ. ",
				strings.Join(at, "; "), scatterDraws, s.start, o.Seed, repeats(o), s.draws)
			if o.Reading == paper.Authors {
				return text + "The released code's step η is ε = 2η here; α = 0.9999, λ = 1e-4, V₀ = ḡ₁², gradient noise 0.1."
			}
			return text + "α = 0.99, λ = 1e-5, V₀ = 0; the text does not say where the chains start."
		},
		Jobs: paper.JobsOf(func(o paper.Options) []paper.Runs {
			var all []paper.Runs
			for _, x := range f.at {
				for _, l := range scatterLanes {
					rest, shown, long := x.runs(o, l)
					rest.Seed, rest.N = rest.Seed+1, rest.N-1
					all = append(all, shown, rest, long)
				}
			}
			return all
		}),
		Report: f.report,
	}
}

// chain is a chain of so many draws.
func (x scatter) chain(o paper.Options, l paper.Lane, draws uint64) chain {
	return chain{a: x.a, lane: l, eps: claim.Round4(x.eps * protocolOf(o.Reading).perEps), draws: draws}
}

// runs are chains of as many draws as a panel shows, the first of them, which the panel
// shows, and long ones from which τ is estimated. Figure 1(a) has the same long ones.
func (x scatter) runs(o paper.Options, l paper.Lane) (short, shown, long paper.Runs) {
	short = x.chain(o, l, scatterDraws).runs(o)
	shown = short
	shown.N, shown.Keep.Draws = 1, true
	return short, shown, x.chain(o, l, protocolOf(o.Reading).draws).runs(o)
}

// scatterNumbers are what the chains of a panel come to.
type scatterNumbers struct {
	shown     claim.OverSeeds // covariance error of the draws shown
	short     claim.OverSeeds // of as many draws on every seed
	long, act claim.OverSeeds // error and slowest τ of the long chains
}

// effective is the effective size of the draws in a panel.
func (n scatterNumbers) effective() float64 { return scatterDraws / (2 * n.act.Mean) }

func (f scatterFigure) report(o paper.Options, r *paper.Results) paper.Report {
	t := paper.Table{
		Title: "Covariance error (sum of the 4 absolute entries) and τ of the slower coordinate",
		Head:  []string{"a", "ε", "method", "error of the draws shown", "of 600 draws", fmt.Sprintf("of %d draws", protocolOf(o.Reading).draws), "slowest τ", "effective among 600"},
	}
	of := map[scatter]map[string]scatterNumbers{}
	for _, x := range f.at {
		of[x] = map[string]scatterNumbers{}
		for _, l := range scatterLanes {
			short, shown, long := x.runs(o, l)
			n := scatterNumbers{shown: r.Over(shown, covError(x.a)), short: r.Over(short, covError(x.a)), long: r.Over(long, covError(x.a)), act: r.Over(long, actSlowest)}
			of[x][l.Title] = n
			t.Rows = append(t.Rows, []string{
				claim.Exactly(x.a), claim.Exactly(x.chain(o, l, 0).eps), l.Title,
				claim.Decimal(n.shown.Mean, 2), n.short.Text(2), n.long.Text(3), n.act.Short(3), claim.Significant(n.effective(), 2),
			})
		}
	}
	rep := paper.Report{Tables: []paper.Table{t}, Figures: []figure.Figure{f.figure(o, r)}}
	for _, x := range f.at {
		rep.Say(x.finding(o, of[x]["SGLD"], of[x]["pSGLD"]))
	}
	for _, eps := range []float64{0.1, 0.3} {
		rep.Say(rescaled(scatter{2, eps}.chain(o, paper.SGLD, 0).eps, of[scatter{2, eps}], of[scatter{0.5, eps}]))
	}
	if n := len(rep.Findings); n > 0 { // the last answers the question
		rep.Verdict, rep.Findings = rep.Findings[n-1], rep.Findings[:n-1]
	}
	return rep
}

// finding compares the methods.
func (x scatter) finding(o paper.Options, g, p scatterNumbers) string {
	if !g.act.OK() || !p.act.OK() || !g.short.OK() || !p.short.OK() {
		return ""
	}
	text := fmt.Sprintf("At a = %s and ε = %s, 600 draws of SGLD hold about %s effective ones of the slower coordinate (τ = %s), and 600 of pSGLD about %s (τ = %s). Their covariance errors are %s and %s.",
		claim.Exactly(x.a), claim.Exactly(x.chain(o, paper.SGLD, 0).eps), claim.Significant(g.effective(), 2), g.act.Short(3), claim.Significant(p.effective(), 2), p.act.Short(3), g.short.Text(2), p.short.Text(2))
	if o.Reading == paper.Authors && claim.Sign(p.short.Mean-g.short.Mean, libm.Hypot(p.short.SE, g.short.SE)) > 0 {
		text += fmt.Sprintf(" pSGLD's is the larger because V remembers its start, at (0, 0) the square of gradient noise, for about 10⁴ steps with α = 0.9999. Over %d draws pSGLD's error is %s and SGLD's %s.",
			protocolOf(o.Reading).draws, p.long.Text(2), g.long.Text(2))
	}
	return text
}

// rescaled tests the supplement's claim that pSGLD needs no new ε when a goes from 0.5 to
// 2. SGLD's τ is exactly 2a/ε - ½.
func rescaled(eps float64, wide, narrow map[string]scatterNumbers) string {
	ratio := func(name string) float64 { return wide[name].act.Mean / narrow[name].act.Mean }
	g, p := ratio("SGLD"), ratio("pSGLD")
	if math.IsNaN(g) || math.IsNaN(p) { // as without numbers
		return ""
	}
	if p < g {
		return fmt.Sprintf("When a grows from 0.5 to 2 at ε = %s, the slower coordinate's τ grows %.1f times for SGLD and %.1f times for pSGLD. G follows the size of the gradient and takes up about its root: one ε serves pSGLD over more scales, though not over all alike.",
			claim.Exactly(eps), g, p)
	}
	return fmt.Sprintf("When a grows from 0.5 to 2 at ε = %s, the slower coordinate's τ grows %.1f times for SGLD and %.1f times for pSGLD, which has no advantage here.", claim.Exactly(eps), g, p)
}

// figure has a row of panels for each method.
func (f scatterFigure) figure(o paper.Options, r *paper.Results) figure.Figure {
	fig := figure.Figure{ID: f.id, Title: f.title, Columns: f.columns}
	far := 0.0 // what all panels show, the same of both coordinates: the target's shape is what matters
	for _, l := range scatterLanes {
		for _, x := range f.at {
			p := figure.Panel{
				Title: fmt.Sprintf("%s, a = %s, ε = %s", l.Title, claim.Exactly(x.a), claim.Exactly(x.chain(o, l, 0).eps)),
				X:     figure.Axis{Label: "θ₁"}, Y: figure.Axis{Label: "θ₂"},
			}
			p.Contours = list.Map([]float64{1, 2, 3}, func(sds float64) figure.Ellipse {
				return figure.Ellipse{A: sds * math.Sqrt(0.16), B: sds * math.Sqrt(x.a)}
			})
			_, shown, _ := x.runs(o, l)
			if t, ok := r.Trail(shown.IDs()[0]); ok {
				s := figure.Series{Name: l.Title, Of: l.Sampler, Style: figure.Points}
				for i := range t.X {
					s.X, s.Y = append(s.X, float64(t.X[i])), append(s.Y, float64(t.Y[i]))
				}
				p.Series = []figure.Series{s}
				far = max(far, reach(t.X), reach(t.Y))
			}
			far = max(far, 3.2*math.Sqrt(max(0.16, x.a)))
			fig.Panels = append(fig.Panels, p)
		}
	}
	for i := range fig.Panels {
		for _, a := range []*figure.Axis{&fig.Panels[i].X, &fig.Panels[i].Y} {
			a.Min, a.Max = -far, far
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
