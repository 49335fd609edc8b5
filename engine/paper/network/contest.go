package network

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A contest is a case of a claim: that one line is better than another. A line without a number is nil.
type contest struct {
	a, b  *line     // claimed: a < b
	names [2]string // of the rows
	at    string    // where, such as "400-400"
	// paired is b's test error less a's over the seeds that both have, in percent. Contests between
	// the same rows share its spread.
	paired claim.Paired
}

// A run is one seed of a line. Its numbers are NaN, and its curve is empty, where it has none.
type run struct {
	outcome      study.Outcome
	test, newest float64 // test errors in percent
	curve        study.Curve
}

// judge gives contests their paired differences of what of says of a pair of runs; those of rows
// with the same names are a group of claim.PairedOver.
// resolution is the least difference between two runs.
func judge(all []contest, resolution float64, of func(x contest, a, b run) float64) []contest {
	groups := map[string][]int{}
	var order []string
	for i, x := range all {
		key := strings.Join(x.names[:], "\n")
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		at := groups[key]
		each := list.Map(at, func(i int) []float64 { return all[i].differences(of) })
		for k, p := range claim.PairedOver(each, resolution) {
			all[at[k]].paired = p
		}
	}
	return all
}

// differences are those of the runs of each seed, b less a.
func (c contest) differences(of func(x contest, a, b run) float64) []float64 {
	if c.a == nil || c.b == nil {
		return nil
	}
	seeds := list.Upto(min(len(c.a.runs), len(c.b.runs)))
	return list.Map(seeds, func(k int) float64 { return of(c, c.a.runs[k], c.b.runs[k]) })
}

// errors is the difference between two runs' test errors in percent.
func errors(_ contest, a, b run) float64 { return b.test - a.test }

// image is what one test image is of a test error, in percent.
func (n *report) image() float64 {
	if t := datasets[n.dataset].tests; t > 0 {
		return 100 / float64(t)
	}
	return 0
}

// unweighed are the last cells of a case that has no numbers there.
var unweighed = []string{claim.NoNumber, claim.NoNumber, claim.NoNumber, claim.NoNumber}

// The heads of columns that a table of cases is without if they have no number.
const (
	headOther   = "± on other images"
	headMcNemar = "McNemar's p"
	headNeeded  = "Seeds to decide"
)

// casesHead is the head of the table of cases.
var casesHead = []string{"Claim", "Network", "Claimed less", "has", "Claimed more", "has", "Difference", "Seeds",
	headOther, headMcNemar, headNeeded, "Outcome"}

// cells are the case's row in the table of cases, but the claim's number and the outcome.
func (n *report) cells(c contest) []string {
	if c.a == nil || c.b == nil {
		return append([]string{c.at, c.names[0], claim.NoNumber, c.names[1], claim.NoNumber, claim.NoNumber},
			unweighed...)
	}
	other, p := n.single(c)
	return []string{c.at, c.a.label, claim.Decimal(c.a.test.Mean, 2) + "%", c.b.label,
		claim.Decimal(c.b.test.Mean, 2) + "%", signed(c.paired, 2, " points"),
		fmt.Sprint(c.paired.N), other, p, n.needed(c)}
}

// signed writes the first less the second, with its standard error if that is known.
func signed(p claim.Paired, decimals int, unit string) string {
	text := claim.Decimal(-p.Mean, decimals)
	switch {
	case !strings.ContainsAny(text, "123456789"):
		text = strings.TrimPrefix(text, "-") // not a zero with a sign
	case p.Mean < 0:
		text = "+" + text
	}
	if text += unit; p.Freedom > 0 {
		text += " ± " + claim.Decimal(p.SE, decimals)
	}
	return text
}

// needed are the seeds that would decide a case that is undecided: for a difference as large as
// is seen, and as large as the paper's.
func (n *report) needed(c contest) string {
	if c.paired.Sign() != 0 || c.paired.Freedom == 0 {
		return claim.NoNumber
	}
	seeds := func(difference float64) string {
		if k := c.paired.SeedsFor(difference); k > 0 {
			return fmt.Sprint(k)
		}
		return fmt.Sprintf("> %d", claim.MostSeeds)
	}
	text := seeds(c.paired.Mean)
	if d := n.printed(c.b) - n.printed(c.a); d > 0 && !c.b.isNewest {
		text += ", " + seeds(d) + " as printed"
	}
	return text
}

// single compares the predictions of each seed's two runs on the single images: the standard
// error by claim.Bootstrap, and the p-values of McNemar's test.
func (n *report) single(c contest) (other, p string) {
	var pairs [][2]*claim.Votes
	var ps []string
	for k := range min(len(c.a.runs), len(c.b.runs)) {
		a, b := n.votes(c.a, k), n.votes(c.b, k)
		if a == nil || b == nil {
			continue
		}
		if x, y, ok := claim.Apart(a, b); ok && (pairs == nil || a.Same(pairs[0][0])) {
			pairs = append(pairs, [2]*claim.Votes{a, b})
			ps = append(ps, claim.Significant(claim.McNemar(x, y), 2))
		}
	}
	if pairs == nil {
		return claim.NoNumber, claim.NoNumber
	}
	return claim.Decimal(claim.Bootstrap(pairs), 2), strings.Join(ps, ", ")
}

// votes are what a line's k-th run predicts; nil where that was not kept.
func (n *report) votes(l *line, k int) *claim.Votes {
	r := l.runs[k]
	if math.IsNaN(r.test) || r.outcome.ID == "" {
		return nil
	}
	id := r.outcome.ID
	both, known := n.o.Votes[id]
	if !known && !n.unkept.Has(id) {
		if kept, err := n.o.Predictions.Of(r.outcome); err != nil {
			n.unkept.Add(err.Error(), id)
		} else {
			both = [2]*claim.Votes{
				claim.NewVotes(kept.Labels, kept.Classes, kept.Averaged, kept.Parts, kept.Weights),
				claim.NewVotes(kept.Labels, kept.Classes, kept.Newest, nil, nil),
			}
			n.o.Votes[id] = both
		}
	}
	if l.isNewest {
		return both[1]
	}
	return both[0]
}

// unkeptSaid says why predictions are not here, "" if all are.
func (n *report) unkeptSaid() string {
	if n.unkept == nil {
		return ""
	}
	each := list.Map(n.unkept, func(g paper.Gap) string { return fmt.Sprintf("%d (%s)", len(g.IDs), g.Why) })
	return "Sessions whose predictions are not here, so that their cases have no McNemar's p: " +
		strings.Join(each, ", ") + "."
}

// casesRule says how cases are decided.
const casesRule = "The difference is the first less the second over the seeds that both have, ± its standard " +
	"error. So it may differ from that of the means beside it, which have all seeds. The seeds' spread is pooled " +
	"over the networks on which the two meet. " +
	"Test errors are in %, and their differences in points. A case is decided by a paired t-test at 95% over the " +
	"seeds: both methods have the same test images and minibatches. One seed decides nothing. " +
	"Of twenty cases between methods that are alike one would be decided by chance."

// newestOf is a line's newest draws in place of its averages.
func newestOf(l *line) *line {
	to := *l
	to.test, to.label, to.isNewest = l.newest, "its newest draw", true
	to.runs = list.Map(l.runs, func(r run) run {
		r.test = r.newest
		return r
	})
	return &to
}

// averaging weighs whether the average over a sampler's draws predicts better than its newest draw.
func (n *report) averaging() {
	var all []contest
	for _, l := range n.lines {
		if l.row.sampling() && l.row.Name != rowDistilled && l.test.OK() && l.newest.OK() {
			all = append(all, contest{a: l, b: newestOf(l), names: [2]string{l.label, "newest"}, at: l.size})
		}
	}
	n.claim("The averaged prediction of a sampler has a lower test error than its newest draw",
		judge(all, n.image(), errors), false)
}
