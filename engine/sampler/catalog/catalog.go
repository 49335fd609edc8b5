// Package catalog lists the methods.
package catalog

import (
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/exact"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/engine/sampler/optimiser"
	"github.com/psgld/psgld-tui/engine/sampler/variational"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Group is methods that stand together in lists.
type Group struct {
	Name    string
	Methods []sampler.Method
}

// groups are the methods in the order of lists. To add one, write its file and name it here.
var groups = withDistilled([]Group{
	{"the paper's", []sampler.Method{langevin.PSGLD, langevin.SGLD}},
	{"beyond", []sampler.Method{
		langevin.PSGLDAdagrad,
		langevin.PSGLDAdam,
		langevin.SGHMC,
		langevin.SGNHT,
		langevin.CSGLD,
		langevin.CPSGLD,
		langevin.SGRLD,
	}},
	{"references", []sampler.Method{exact.HMC, exact.MALA}},
	{"optimisers", []sampler.Method{
		optimiser.SGD,
		optimiser.RMSprop,
		optimiser.Adagrad,
		optimiser.Adadelta,
		optimiser.Adam,
		optimiser.SGDDropout,
		optimiser.Ensemble,
		optimiser.RMSspectral,
	}},
	{"variational families", []sampler.Method{
		variational.DSVI,
		variational.LBFGSSGVI,
		variational.HFSGVI,
		variational.BBB,
		variational.BBBMix,
	}},
})

// Student reports whether a method predicts by a student, which is a point.
func Student(name string) bool { return strings.HasPrefix(name, langevin.OfStudents) }

// withDistilled adds a distilled method for each that can have a student.
func withDistilled(groups []Group) []Group {
	students := Group{Name: "distilled students"}
	for _, g := range groups {
		for _, m := range g.Methods {
			if langevin.CanDistil(m) {
				students.Methods = append(students.Methods, langevin.Distilled(m))
			}
		}
	}
	return append(groups, students)
}

// all are the methods of all groups.
var all = slices.Concat(list.Map(groups, func(g Group) []sampler.Method { return g.Methods })...)

// Groups lists the groups of methods; the caller does not change them.
func Groups() []Group { return groups }

// Methods lists every method; the caller does not change it.
func Methods() []sampler.Method { return all }

// Source stands for another program's sampler, whose draws a target's Source gives. No list has it, and nobody
// chooses it.
var Source = sampler.Method{
	Name: "source", Title: "draws", Doc: "draws that another program makes", Source: "files of draws",
	Without: []string{sampler.KeyEps, sampler.KeyTemp, sampler.KeyBatch, sampler.KeyPriorVar, sampler.KeyBurnIn},
	New64:   func(targets.Target[float64]) sampler.Kernel[float64] { return still{} },
	Unfit: func(p *targets.Problem) string {
		if p.Source == nil {
			return "needs draws of another program"
		}
		return ""
	},
}

// still is a kernel that makes no step.
type still struct{}

func (still) Step(*sampler.State[float64], sampler.Gradient[float64], *sampler.Params, *noise.Normals[float64],
	*sampler.Info) {
}

func (still) GainAt(int) float64 { return 1 }

// Find returns the method of a name.
func Find(name string) (sampler.Method, bool) {
	if name == Source.Name {
		return Source, true
	}
	return list.Find(all, func(m sampler.Method) bool { return m.Name == name })
}

// Must is Find of a name that a method has. It panics on another.
func Must(name string) sampler.Method {
	m, ok := Find(name)
	if !ok {
		panic("catalog: unknown sampler " + name)
	}
	return m
}

// Cut reads a method's name, which may have colons, from the start of s, in
// capitals or not. The rest is what follows the colon after it.
func Cut(s string) (m sampler.Method, rest string, ok bool) {
	for _, o := range all {
		n := len(o.Name)
		if len(s) < n || !strings.EqualFold(s[:n], o.Name) || ok && n < len(m.Name) {
			continue
		}
		if s = strings.TrimRight(s, " "); len(s) == n {
			m, rest, ok = o, "", true
		} else if s[n] == ':' {
			m, rest, ok = o, s[n+1:], true
		}
	}
	return m, rest, ok
}

// Names lists the methods' names.
func Names() []string {
	return list.Map(all, func(m sampler.Method) string { return m.Name })
}
