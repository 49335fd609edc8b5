// Package catalog lists the methods.
package catalog

import (
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/exact"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/engine/sampler/optimiser"
	"github.com/psgld/psgld-tui/engine/sampler/variational"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// all are the methods in the order of lists. To add one, write its file and name it here.
var all = withDistilled([]sampler.Method{
	langevin.PSGLD,
	langevin.SGLD,
	langevin.PSGLDAdagrad,
	langevin.PSGLDAdam,
	langevin.SGHMC,
	langevin.SGNHT,
	langevin.CSGLD,
	langevin.CPSGLD,
	langevin.SGRLD,
	exact.HMC,
	exact.MALA,
	optimiser.SGD,
	optimiser.RMSprop,
	optimiser.Adagrad,
	optimiser.Adadelta,
	optimiser.Adam,
	optimiser.SGDDropout,
	optimiser.RMSspectral,
	variational.DSVI,
	variational.LBFGSSGVI,
	variational.HFSGVI,
	variational.BBB,
	variational.BBBMix,
})

// withDistilled adds a distilled method for each that can have a student.
func withDistilled(methods []sampler.Method) []sampler.Method {
	all := methods
	for _, m := range methods {
		if langevin.CanDistil(m) {
			all = append(all, langevin.Distilled(m))
		}
	}
	return all
}

// Methods lists every method; the caller does not change it.
func Methods() []sampler.Method { return all }

// Find returns the method of a name.
func Find(name string) (sampler.Method, bool) {
	for _, m := range all {
		if m.Name == name {
			return m, true
		}
	}
	return sampler.Method{}, false
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
