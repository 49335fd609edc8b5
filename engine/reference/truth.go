package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Truth is what draws that are known to be right say of the coordinates of the given names, each of which they must
// have, however they write it. The Monte Carlo error of a mean is at most SD/√MinESS. Chains may differ in length,
// and the first draws of each are taken.
func Truth(d *drawsfile.Draws, names []string) (*targets.Reference, error) {
	_, with, rest, _ := (&drawsfile.Draws{Names: names}).Common(d)
	if len(rest) > 0 {
		hint := ""
		if i := slices.IndexFunc(d.Names, func(name string) bool { return strings.Contains(name, "[") }); i >= 0 {
			is := printable.Line(d.Names[i])
			plain := strings.NewReplacer("[", "_", ",", "_", "]", "").Replace(is)
			hint = fmt.Sprintf("; %s may be written %s", is, plain)
		}
		return nil, fmt.Errorf("the reference has no %s, but %s%s", list.Some(list.Map(rest, printable.Line), 8),
			list.Some(list.Map(d.Names, printable.Line), 8), hint)
	}
	least := slices.Min(list.Map(d.Chains, func(chain []float64) int { return len(chain) / d.Dim }))
	t := &targets.Reference{By: "reference draws", MinESS: math.Inf(1), RHat: 1,
		Draws: uint64(least * len(d.Chains))}
	var compare metrics.Comparer
	columns := make([][]float64, len(names)) // of all chains
	for i, c := range with {
		chains := list.Map(d.Chains, func(chain []float64) []float64 {
			return list.Map(list.Upto(least), func(n int) float64 { return chain[n*d.Dim+c] })
		})
		columns[i] = slices.Concat(chains...)
		if found := compare.Compare(chains); found.RHat.OK() {
			t.MinESS, t.RHat = min(t.MinESS, found.BulkESS.Trusted()), max(t.RHat, found.RHat.Value)
		}
		mean, sd := stat.MeanStdDev(columns[i], nil)
		t.Mean, t.SD = append(t.Mean, mean), append(t.SD, sd)
	}
	if n := len(names); n <= metrics.MaxCovDim {
		t.Cov = make([]float64, n*n)
		for i, x := range columns {
			for j, y := range columns[:i+1] {
				t.Cov[i*n+j] = stat.Covariance(x, y, nil)
				t.Cov[j*n+i] = t.Cov[i*n+j]
			}
		}
	}
	return t, nil
}
