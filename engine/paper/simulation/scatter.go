package simulation

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
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
var scatterLanes = []paper.Entry{paper.SGLD, paper.PSGLD}

func fig1b() paper.Experiment {
	return scatterFigure{id: "fig1b",
		title:    "Figure 1(b): the first 600 draws, and N(0, diag(0.16, 1)) at 1, 2 and 3 standard deviations",
		at:       []scatter{{1, 0.3}},
		columns:  2,
		question: "Do the first 600 draws of pSGLD cover the target better than those of SGLD?"}.
		experiment("First 600 draws at ε = 0.3 on a 2D Gaussian", "section 5.1, figure 1(b)")
}

func suppFig1() paper.Experiment {
	return scatterFigure{
		id:    "supp-fig1",
		title: "Supplement, figure 1: the first 600 draws, and N(0, diag(0.16, a)) at 1, 2 and 3 standard deviations",
		at:    []scatter{{2, 0.3}, {2, 0.1}, {0.5, 0.3}, {0.5, 0.1}}, columns: 4,
		question: "When a coordinate is rescaled, does one step size go on serving pSGLD where SGLD needs another?",
	}.experiment("First 600 draws on rescaled Gaussians", "supplement E, figure 1")
}

func (f scatterFigure) experiment(title, source string) paper.Experiment {
	return paper.Experiment{
		ID:       f.id,
		Title:    title,
		Source:   source,
		Question: f.question,
		Readings: []paper.Reading{paper.Text, paper.Authors},
		Protocol: func(o paper.Options) string {
			s := protocolOf(o.Reading)
			variances, steps := f.values(func(x scatter) float64 { return x.a }),
				f.values(func(x scatter) float64 { return param.Round(x.eps*s.perEps, 4) })
			text := fmt.Sprintf("N(0, diag(0.16, a)) with a = %s at ε = %s. The figure has the first %d draws from "+
				"(%s) with seed %d. Errors are of as many draws with every seed, τ of chains of %s draws. ",
				variances, steps, scatterDraws, strings.Replace(s.start, ",", ", ", 1), o.Seed, claim.Whole(s.draws))
			if o.Reading == paper.Authors {
				return text + "As in the released code: η = ε/2, α = 0.9999, λ = 1e-4, V₀ = ḡ₁², gradient noise 0.1."
			}
			return text + "α = 0.99, λ = 1e-5, V₀ = 0. The text does not name the start."
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

// values are those of the columns, each once.
func (f scatterFigure) values(of func(scatter) float64) string {
	return strings.Join(list.Distinct(list.Map(list.Map(f.at, of), claim.Exactly)), " and ")
}

func (x scatter) chain(o paper.Options, l paper.Entry, draws uint64) chain {
	return chain{a: x.a, lane: l, eps: param.Round(x.eps*protocolOf(o.Reading).perEps, 4), draws: draws}
}

// runs are chains of as many draws as a panel shows, the first of them, which the panel
// shows, and long ones from which τ is estimated. Figure 1(a) has the same long ones.
func (x scatter) runs(o paper.Options, l paper.Entry) (short, shown, long paper.Runs) {
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
		Title: "Covariance error: sum of the 4 absolute entries. Autocorrelation time τ of the slower coordinate, " +
			"in draws",
		Head: []string{"a", "ε", "method", "error of the draws shown", "of 600 draws",
			"of " + claim.Whole(protocolOf(o.Reading).draws) + " draws", "τ", "effective draws of 600"},
		Note: "± is the standard error over the seeds. The draws shown are those of the figure, of one seed. 600 " +
			"draws are worth 600/(2τ) independent ones.",
	}
	of := map[scatter]map[string]scatterNumbers{}
	for _, x := range f.at {
		of[x] = map[string]scatterNumbers{}
		for _, l := range scatterLanes {
			short, shown, long := x.runs(o, l)
			n := scatterNumbers{shown: r.Over(shown, covError(x.a)), short: r.Over(short, covError(x.a)),
				long: r.Over(long, covError(x.a)), act: r.Over(long, actSlowest)}
			of[x][l.Title] = n
			t.Rows = append(t.Rows, []string{
				claim.Exactly(x.a), claim.Exactly(x.chain(o, l, 0).eps), l.Title,
				claim.Decimal(n.shown.Mean, 2), n.short.Text(2), n.long.Text(3), n.act.Short(3),
				claim.Significant(n.effective(), 2),
			})
		}
	}
	rep := paper.Report{Tables: []paper.Table{t}, Figures: []figure.Figure{f.figure(o, r)}}
	if len(f.at) == 1 {
		x := f.at[0]
		rep.Verdict, rep.Instead = x.verdict(o, of[x]["SGLD"], of[x]["pSGLD"])
		return rep
	}
	const first, second = 0.3, 0.1
	for _, eps := range [...]float64{first, second} {
		answer, said := rescaled(scatter{2, eps}.chain(o, paper.SGLD, 0).eps, of[scatter{2, eps}],
			of[scatter{0.5, eps}])
		switch {
		case said == "":
		case eps == second:
			rep.Say(said)
		default:
			rep.Verdict = answer + ". " + said
			if answer == "In part" {
				rep.Instead = "If one step served all scales alike, τ would stay as it is. SGLD's τ grows as the " +
					"variance. G grows as the standard deviation, and so makes up for about the square root of a " +
					"change of the variance: one ε serves pSGLD over more scales than SGLD, but not over all."
			}
		}
	}
	for _, x := range f.at {
		g, p := of[x]["SGLD"], of[x]["pSGLD"]
		if _, why := x.verdict(o, g, p); !strings.Contains(rep.Instead, why) {
			rep.Instead = strings.TrimSpace(rep.Instead + " " + why)
		}
	}
	rep.Say(f.compared(o, scatterDraws, of, func(n scatterNumbers) claim.OverSeeds { return n.short }),
		f.compared(o, protocolOf(o.Reading).draws, of, func(n scatterNumbers) claim.OverSeeds { return n.long }))
	return rep
}

// compared says where pSGLD's error of so many draws is lower than SGLD's, and where it is higher.
func (f scatterFigure) compared(o paper.Options, draws uint64, of map[scatter]map[string]scatterNumbers,
	err func(scatterNumbers) claim.OverSeeds) string {
	var by [3][]string // lower, within two standard errors, higher
	n := 0
	for _, x := range f.at {
		if g, p := err(of[x]["SGLD"]), err(of[x]["pSGLD"]); g.OK() && p.OK() {
			to := &by[1+claim.Sign(p.Mean-g.Mean, libm.Hypot(p.SE, g.SE))]
			*to = append(*to, fmt.Sprintf("(%s, %s)", claim.Exactly(x.a), claim.Exactly(x.chain(o, paper.SGLD, 0).eps)))
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The error of %s draws by (a, ε): pSGLD's is lower than SGLD's at %s, higher at %s, and "+
		"within two standard errors of it at %s.", claim.Whole(draws), places(by[0]), places(by[2]), places(by[1]))
}

func places(all []string) string {
	if all == nil {
		return "none"
	}
	return strings.Join(all, ", ")
}

// verdict compares the methods' errors after as many draws as a panel shows. why says what makes
// pSGLD's the higher one, where that is known.
func (x scatter) verdict(o paper.Options, g, p scatterNumbers) (said, why string) {
	if !g.short.OK() || !p.short.OK() {
		return "", ""
	}
	sign := claim.Sign(p.short.Mean-g.short.Mean, libm.Hypot(p.short.SE, g.short.SE))
	said = fmt.Sprintf("%s: after 600 draws pSGLD's covariance error is %s and SGLD's %s.",
		map[int]string{-1: "Yes", 0: "Undecided", 1: "No"}[sign], p.short.Text(2), g.short.Text(2))
	if p.act.OK() && g.act.OK() {
		said += fmt.Sprintf(" The 600 draws are worth about %s independent ones with pSGLD and %s with SGLD.",
			claim.Significant(p.effective(), 2), claim.Significant(g.effective(), 2))
	}
	if o.Reading == paper.Authors && sign > 0 {
		why = "The start, (0, 0), is the mode, where the first gradient is noise alone. So V₀ = ḡ₁² is far below " +
			"V's mean, and with α = 0.9999 V takes about 10⁴ steps to come up to it. Until then G is too large, " +
			"pSGLD's draws go too far, and its error of 600 draws is high."
		if x == (scatter{1, 0.3}) {
			why += fmt.Sprintf(" Over %s draws pSGLD's error is %s and SGLD's %s.",
				claim.Whole(protocolOf(o.Reading).draws), p.long.Text(2), g.long.Text(2))
		}
	}
	return said, why
}

// rescaled tests the supplement's claim that pSGLD needs no new ε when a goes from 0.5 to
// 2. SGLD's τ is exactly 2a/ε - ½.
func rescaled(eps float64, wide, narrow map[string]scatterNumbers) (answer, said string) {
	ratio := func(name string) claim.OverSeeds { // of independent means
		w, n := wide[name].act, narrow[name].act
		r := w.Times(1 / n.Mean)
		r.SE = r.Mean * libm.Hypot(w.SE/w.Mean, n.SE/n.Mean)
		return r
	}
	sgld, psgld := ratio("SGLD"), ratio("pSGLD")
	if math.IsNaN(sgld.Mean) { // as without numbers
		return "", ""
	}
	g, p := sgld.Text(2), psgld.Text(2)
	if math.IsNaN(psgld.Mean) {
		return "Not told", fmt.Sprintf("When a grows from 0.5 to 2 at ε = %s, the slower coordinate's τ grows %s times "+
			"with SGLD. pSGLD's is withheld.", claim.Exactly(eps), g)
	}
	answer = "No"
	if psgld.Mean < sgld.Mean {
		answer = "In part"
	}
	return answer, fmt.Sprintf("When a grows from 0.5 to 2 at ε = %s, the slower coordinate's τ grows %s times "+
		"with SGLD and %s times with pSGLD.", claim.Exactly(eps), g, p)
}

func (f scatterFigure) figure(o paper.Options, r *paper.Results) figure.Figure {
	fig := figure.Figure{ID: f.id, Title: f.title, Columns: f.columns}
	far := 0.0 // what all panels show, the same of both coordinates: the target's shape is what matters
	for _, l := range scatterLanes {
		for _, x := range f.at {
			p := figure.Panel{
				Title: fmt.Sprintf("%s, a = %s, ε = %s", l.Title, claim.Exactly(x.a),
					claim.Exactly(x.chain(o, l, 0).eps)),
				X: figure.Axis{Label: "θ₁"}, Y: figure.Axis{Label: "θ₂"},
			}
			p.Contours = list.Map([]float64{1, 2, 3}, func(sds float64) figure.Ellipse {
				return figure.Ellipse{A: sds * math.Sqrt(0.16), B: sds * math.Sqrt(x.a)}
			})
			_, shown, _ := x.runs(o, l)
			if t, ok := r.Trail(shown.IDs()[0]); ok {
				s := figure.Series{Name: l.Title, Of: l.Sampler, Style: figure.Points,
					Sessions: [][]string{shown.IDs()[:1]}}
				for i := range t.X {
					s.X, s.Y = append(s.X, float64(t.X[i])), append(s.Y, float64(t.Y[i]))
				}
				p.Series = []figure.Series{s}
				far = max(far, reach(s))
			}
			far = max(far, 3.2*math.Sqrt(max(0.16, x.a)))
			fig.Panels = append(fig.Panels, p)
		}
	}
	for i := range fig.Panels {
		p := &fig.Panels[i]
		for _, a := range []*figure.Axis{&p.X, &p.Y} {
			a.Min, a.Max = -far, far
		}
		for _, s := range p.Series {
			outside := list.Count(distances(s), func(d float64) bool { return !(d <= far) })
			switch outside {
			case 0:
			case 1:
				p.X.Label += " (1 draw outside)"
			default:
				p.X.Label += fmt.Sprintf(" (%d draws outside)", outside)
			}
		}
	}
	return fig
}

// reach is a little more than the distance within which 99% of a series' points are: a few that
// are thrown far off would hide the shape of the others.
func reach(s figure.Series) float64 {
	all := distances(s)
	slices.Sort(all)
	if len(all) == 0 {
		return 0
	}
	return 1.02 * all[(len(all)-1)*99/100]
}

// distances are max(|x|, |y|) of a series' points.
func distances(s figure.Series) []float64 {
	return list.Map(list.Upto(len(s.X)), func(i int) float64 { return max(math.Abs(s.X[i]), math.Abs(s.Y[i])) })
}
