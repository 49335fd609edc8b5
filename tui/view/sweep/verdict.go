package sweep

import (
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/pane"
)

// span writes the values of the cells from one to another. At an end of the grid beyond
// which there are more values it writes a bound, such as "≤ 1".
func (d *Data) span(from, to int) string {
	beyond := func(i int) bool {
		x := d.Values[i]
		return len(d.Values) > 1 && d.Param.Scale != param.Choice && x > d.Param.Min && x < d.Param.Max
	}
	below, above := from == 0 && beyond(0), to == len(d.Values)-1 && beyond(to)
	switch {
	case below && !above:
		return "≤ " + pane.ParamText(d.Param, d.Values[to], 0)
	case above && !below:
		return "≥ " + pane.ParamText(d.Param, d.Values[from], 0)
	}
	if to > from {
		return pane.ParamText(d.Param, d.Values[from], 0) + "–" + pane.ParamText(d.Param, d.Values[to], 0)
	}
	return pane.ParamText(d.Param, d.Values[from], 0)
}

// verdict is the grid's recommendation and the quantity behind it, or the reason for
// none. It is empty while nothing is known.
func verdict(f *pane.Frame, d *Data, best []scan.Best, symbol string) (text, why string) {
	by, mixed := quantity.N, false
	judgedBy, mixing, short, compared := false, false, false, 0
	var list []string
	for i := range best {
		l, b := &d.Lanes[i], &best[i]
		if !l.Has {
			continue
		}
		for k := range l.Cells {
			mixing = mixing || l.Cells[k].Of[quantity.MaxACT].N > 0 || l.Cells[k].Of[quantity.ESSPerStep].N > 0
			for _, q := range scan.Judged {
				judgedBy = judgedBy || l.Cells[k].Of[q].N > 0
				short = short || l.Cells[k].Of[q].Short > 0
			}
		}
		compared = max(compared, b.Compared)
		from, to := b.From, b.To
		if b.By < quantity.N && b.At[b.By] >= 0 {
			from, to = b.At[b.By], b.At[b.By]
		}
		if from < 0 || to >= len(d.Values) {
			continue
		}
		mixed = mixed || by != quantity.N && by != b.By
		by = b.By
		list = append(list, pane.Letter(l.ID)+" "+d.span(from, to))
	}
	switch {
	case len(list) > 0:
		why = "best by " + quantity.All[by].Name
		if mixed {
			why = "best by what each is judged by"
		}
		return symbol + " " + strings.Join(list, ", "), why
	case mixing && !judgedBy:
		return "ESS cannot see bias: --truth hmc finds the error", ""
	case short && compared == 0:
		return "the cells are too short to compare: " + f.KeyOf("sweep: longer cells") + " makes them longer", ""
	case judgedBy && d.Seeds == 1:
		return "one seed tells no error, and so no best", ""
	case compared >= scan.Enough && d.State == Done:
		return "no " + symbol + " stands out: what differs is within the errors", ""
	}
	return "", ""
}
