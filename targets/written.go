package targets

import (
	"path/filepath"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/logistic"
)

// Written is a Target whose log density is a formula.
type Written interface {
	// Written returns the log density, up to a constant, in the language of density:, and the
	// values of what the formula names.
	Written() (f *formula.Formula, values map[string]float64)
}

var _ Written = (*Typed)(nil) // densities in the plane have it by density

// written parses a formula of the program.
func written(text string, values map[string]float64) (*formula.Formula, map[string]float64) {
	f, err := formula.Parse(text)
	if err != nil {
		panic("targets: " + err.Error())
	}
	return f, values
}

// Written implements [Written].
func (g *Gaussian) Written() (*formula.Formula, map[string]float64) {
	if g.cov[1] == 0 {
		return written("-x^2/(2*v1) - y^2/(2*v2)", map[string]float64{"v1": g.cov[0], "v2": g.cov[2]})
	}
	return written("-(c22*x^2 - 2*c12*x*y + c11*y^2)/(2*(c11*c22 - c12^2))",
		map[string]float64{"c11": g.cov[0], "c12": g.cov[1], "c22": g.cov[2]})
}

// Written implements [Written].
func (t *Banana) Written() (*formula.Formula, map[string]float64) {
	return written("-x^2/(2*s1^2) - (y - b*x^2)^2/(2*s2^2)", map[string]float64{"b": t.b, "s1": t.s1, "s2": t.s2})
}

// Written implements [Written].
func (t *Mixture) Written() (*formula.Formula, map[string]float64) {
	return written("logsumexp(log(w/s1^2) - ((x + gap/2)^2 + y^2)/(2*s1^2), "+
		"log((1-w)/s2^2) - ((x - gap/2)^2 + y^2)/(2*s2^2))",
		map[string]float64{"gap": t.gap, "w": t.w, "s1": t.s1, "s2": t.s2})
}

// Written implements [Written]. y is v.
func (t *Funnel) Written() (*formula.Formula, map[string]float64) {
	return written("-y^2/(2*s^2) - y/2 - x^2*exp(-y)/2", map[string]float64{"s": t.s})
}

// Written implements [Written].
func (t *Typed) Written() (*formula.Formula, map[string]float64) { return t.formula, t.values }

// sourceOf describes the file of a regression.
func (r *regression) sourceOf(s *logistic.Scaling, intercept bool) *logistic.Source {
	t := r.train
	if r.path == "" || t.Format == dataset.LIBSVM {
		return nil
	}
	return &logistic.Source{
		Path: filepath.ToSlash(r.path), Format: t.Format, Packed: t.Packed, Header: t.Named(), Columns: t.Columns(),
		Label: t.Label(), Skipped: t.Skipped(), Classes: t.Classes,
		Standardized: s != nil, Constant: s != nil && len(s.Constant) > 0, Intercept: intercept,
	}
}
