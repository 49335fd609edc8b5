package wording

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Verdict is what a grid says once all of its cells have run: each lane's best value, or why there is none.
type Verdict struct {
	Lanes []LaneVerdict // of those that have the parameter
	Best  []scan.Best   // of all lanes
	Why   string        // there is no best value; empty if there is
	More  string        // what would say more; empty for nothing
	// What would say more: other numbers of steps and of repeats, 0 for those that it has, and a truth.
	Steps uint64
	Seeds int
	Truth bool
}

// A LaneVerdict is what a grid says of a lane.
type LaneVerdict struct {
	*scan.Lane
	scan.Best
	By    string // by what a value is best, such as "lowest test error"; empty if none stands out
	Value string // the value, and those that cannot be told from it; why there is none
	Bound string // from where on it diverges
}

// A Grid is what is known of a grid, with the words for it.
type Grid struct {
	*scan.Known
	Symbol             string             // of the parameter; empty where a value names several
	Text               func(i int) string // a value
	AskSteps, AskSeeds string             // what asks for other numbers of steps and of repeats
	AskTruth           string             // and for a truth
	Each, ForTruth     float64            // seconds that a session takes, and a truth by HMC; 0 if unknown
	Failed             bool               // no further session is made
}

// Verdict is what the grid says, or the reason why it says nothing. It waits for every cell, since those that come
// later can be better.
func (g *Grid) Verdict() (v Verdict) {
	judged, mixing, some, stays, whole := 0, false, false, false, g.Done >= g.Total
	why := metrics.Absent                         // nothing can be trusted
	from, to, needed, product := -1, -1, 0.0, 0.0 // what is too short, its steps, τε of the rest: τ falls as 1/ε
	trusted := func(o *quantity.OverSeeds) bool { return o.N > 0 && o.Untrusted == 0 }
	known := func(of *[quantity.N]quantity.OverSeeds) bool {
		return slices.ContainsFunc(scan.Judged, func(q quantity.ID) bool { return of[q].N > 0 })
	}
	blind := !slices.ContainsFunc(g.Lanes, func(l scan.Lane) bool {
		return slices.ContainsFunc(l.Cells, func(c scan.Cell) bool { return known(&c.Of) })
	})
	for i := range g.Lanes {
		l := &g.Lanes[i]
		b := scan.Best{By: quantity.N, At: -1}
		if whole {
			b = l.Cells.Best(g.Seeds)
		}
		if v.Best = append(v.Best, b); !l.Has {
			continue
		}
		for k := range l.Cells {
			of := &l.Cells[k].Of
			mixing = mixing || of[quantity.MaxACT].N > 0 || of[quantity.ESSPerStep].N > 0
			if of[quantity.MaxACT].N > 0 && g.Param.Key == sampler.KeyEps {
				product = max(product, of[quantity.MaxACT].Mean*g.Values[k])
			}
			stays = stays || l.Cells[k].Diverged < max(l.Cells[k].Runs, 1)
			short := func(q quantity.ID) bool {
				if of[q].Untrusted > 0 {
					why = of[q].Why
				}
				return of[q].Why == metrics.TooShort
			}
			if known(of) {
				judged++
			}
			if slices.ContainsFunc(scan.Judged, short) || blind && short(quantity.MaxACT) {
				if to = max(to, k); from < 0 || k < from {
					from = k
				}
				needed = max(needed, float64(l.Cells[k].Needed))
			}
		}
		lane := LaneVerdict{Lane: l, Best: b, Value: g.none(), Bound: g.bound(l, whole)}
		if whole && len(list.Filter(l.Cells, func(c scan.Cell) bool {
			return slices.ContainsFunc(scan.Judged, func(q quantity.ID) bool { return trusted(&c.Of[q]) })
		})) < 2 {
			lane.Value = "fewer than two cells can be trusted"
		}
		if b.At >= 0 {
			some = true
			if lane.By, lane.Value = "lowest ", g.Text(b.At); quantity.All[b.By].Better == quantity.Higher {
				lane.By = "highest "
			}
			open := func(k int) bool { // a cell that is not trusted may be better
				return k >= 0 && k < len(l.Cells) && !trusted(&l.Cells[k].Of[b.By]) && l.Cells[k].Diverged == 0
			}
			if b.At == b.From && open(b.At-1) {
				lane.Value = "≤ " + lane.Value
			} else if b.At == b.To && open(b.At+1) {
				lane.Value = "≥ " + lane.Value
			}
			if lane.By += quantity.All[b.By].Name; b.From < b.To && g.Symbol != "" {
				lane.Value += ", alike " + g.span(b.From, b.To)
			}
		}
		v.Lanes = append(v.Lanes, lane)
	}
	switch short := to >= 0; {
	case !whole:
		n := g.Total - g.Done
		v.Why = "the verdict waits for " + plane.Count(uint64(n)) + plane.Plural(n, " more run", " more runs")
		if g.Failed {
			v.Why = "no verdict: " + plane.Count(uint64(n)) + plane.Plural(n, " run was", " runs were") + " not made"
		}
		return v
	case some:
	case !stays && len(v.Lanes) > 0:
		if v.Why = "every run diverged"; g.Param.Key == sampler.KeyEps {
			v.More = "smaller values of ε are to be tried"
		}
	case mixing && judged == 0:
		v.Why, v.Truth = "ESS cannot see bias: "+g.AskTruth+" finds the error", true
		if g.ForTruth > 0 {
			v.Why += ", in about " + Duration(g.ForTruth)
		}
	case short && judged < 2:
		v.Why = "the cells are too short to compare"
	case judged == 0 && why != metrics.Absent:
		v.Why = "no cell can be trusted: " + why.String()
	case judged > 0 && g.Seeds == 1:
		v.Why, v.Seeds = "one seed gives no standard error, and so no best", 3
	default:
		v.Why, v.Seeds = g.none(), 4*g.Seeds
	}
	switch {
	case to >= 0:
		if v.Steps = scan.Longer(g.Known.Steps); g.Seeds > 1 {
			v.Seeds = 0
		}
		if product > 0 {
			needed = max(needed, metrics.TrustedTimes*product/g.Values[to])
		}
		for v.Steps < scan.MostSteps && float64(v.Steps) < needed {
			v.Steps = scan.Longer(v.Steps)
		}
		v.More = "too short at " + g.symbol(" ") + g.span(from, to)
		if more := needed - float64(g.Known.Steps); more > 0 {
			more, _ = strconv.ParseFloat(strconv.FormatFloat(more, 'g', 2, 64), 64)
			v.More += " by " + plane.Count(uint64(more)) + "+ steps"
		}
		v.More += fmt.Sprintf(": %s %d is longer", g.AskSteps, v.Steps)
		if g.Each > 0 {
			v.More += ", " + Duration(g.Each*float64(g.Total)*float64(v.Steps)/float64(max(g.Known.Steps, 1)))
		}
	case v.Seeds > 0:
		v.More = fmt.Sprintf("%s %d tells them apart to smaller errors", g.AskSeeds, v.Seeds)
	}
	return v
}

// Best says which value is best for a lane, and by what; or why none is.
func (g *Grid) Best(l *LaneVerdict) string {
	if l.By == "" {
		return l.Value
	}
	is := " = "
	if strings.HasPrefix(l.Value, "≤") || strings.HasPrefix(l.Value, "≥") {
		is = " "
	}
	return l.By + " at " + g.symbol(is) + l.Value
}

// symbol is what stands before a value.
func (g *Grid) symbol(sep string) string {
	if g.Symbol == "" {
		return ""
	}
	return g.Symbol + sep
}

// none says that no value is best.
func (g *Grid) none() string {
	return "no " + cmp.Or(g.Symbol, "point") + " stands out: what differs is within the errors"
}

// span writes the values of the cells from one to another. At an end of the grid beyond which there are more values it
// writes a bound, such as "≤ 1".
func (g *Grid) span(from, to int) string {
	beyond := func(i int) bool {
		return len(g.Values) > 1 && g.Param.Scale != param.Choice && g.Values[i] > g.Param.Min && g.Values[i] < g.Param.Max
	}
	if g.Values == nil {
		return g.Text(from) + " and others"
	}
	below, above := from == 0 && beyond(0), to == len(g.Values)-1 && beyond(to)
	switch {
	case below && !above:
		return "≤ " + g.Text(to)
	case above && !below:
		return "≥ " + g.Text(from)
	case to > from:
		return g.Text(from) + "–" + g.Text(to)
	}
	return g.Text(from)
}

// bound says from where on a lane diverges. Where that is is known of the cells that have run, so that before all have
// it says what they did.
func (g *Grid) bound(l *scan.Lane, done bool) string {
	runs, lost, tail, first := 0, 0, 0, 0 // tail is the diverged cells after the last that did not, first on
	for i := range l.Cells {
		switch c := &l.Cells[i]; {
		case c.Runs == 0:
			continue
		case c.Diverged == 0:
			tail = 0
		default:
			if lost, tail = lost+1, tail+1; tail == 1 {
				first = i
			}
		}
		runs++
	}
	switch missing := !done && runs < len(l.Cells); {
	case runs == 0:
		return "has not run yet"
	case missing && lost == 0:
		return "has not diverged so far"
	case missing:
		return "has diverged"
	case lost == 0:
		return "diverges nowhere"
	case lost == runs:
		return "diverges everywhere"
	case tail < lost || g.Symbol == "":
		return "diverges in some cells"
	}
	return "diverges from " + g.Symbol + " = " + g.Text(first) + " on"
}
