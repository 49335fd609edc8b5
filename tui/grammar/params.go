package grammar

import (
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A setting is a parameter by its key, with every method that has one of that
// name. They need not agree on what it is by default, or on more than the key.
type setting struct {
	param.Param                  // that of the first of them
	of          []sampler.Method // nil for a common parameter
}

// settings lists the common parameters and then the methods' own, each key once.
func settings(methods []sampler.Method) []setting {
	var all []setting
	at := map[string]int{}
	for _, q := range sampler.Common() {
		at[q.Key] = len(all)
		all = append(all, setting{Param: q})
	}
	common := len(all)
	for _, m := range methods {
		for _, q := range m.Params {
			i, known := at[q.Key]
			if !known {
				i = len(all)
				at[q.Key] = i
				all = append(all, setting{Param: q})
			}
			if i >= common {
				all[i].of = append(all[i].of, m)
			}
		}
	}
	return all
}

// ParamKeys lists the keys of every parameter that some method has.
func ParamKeys() []string {
	return list.Map(settings(catalog.Methods()), func(s setting) string { return s.Key })
}

// same reports whether f is the same of every method's parameter.
func (s *setting) same(f func(param.Param) string) bool {
	return !slices.ContainsFunc(s.of, func(m sampler.Method) bool {
		q, _ := m.Param(s.Key)
		return f(q) != f(s.Param)
	})
}

// kind is what the value is, if all methods agree on it.
func kind(q param.Param) string {
	switch q.Scale {
	case param.Choice:
		return strings.Join(q.Choices, "|")
	case param.Integer:
		return "COUNT"
	}
	return "NUMBER"
}

// flag declares a setting's flag. It says of the methods that have it only what is so of all.
func (s *setting) flag() Flag {
	f := Flag{Name: s.Key, Kind: "VALUE", Doc: describe(s.Param), Special: !s.usual()}
	if s.same(kind) {
		f.Kind = kind(s.Param)
	}
	if !s.same(func(q param.Param) string { return q.Doc }) {
		f.Doc += "; of " + some(s.of)
	}
	for _, m := range s.of {
		q, _ := m.Param(s.Key)
		f.Values = list.Distinct(append(f.Values, q.Choices...))
	}
	switch {
	case s.Key == sampler.KeyTemp:
		f.Doc += "; 1/N is a value too"
		f.Values = []string{"1", "1/N", "0"}
	case s.of == nil: // the target says
	case !s.same(func(q param.Param) string { return q.Format(q.Default) }):
		f.Doc += "; the default depends on the sampler"
	default:
		f.Default = s.Format(s.Default)
	}
	return f
}

// usual reports whether the setting is common, or one of the samplers that are run when none is asked for.
func (s *setting) usual() bool {
	return s.of == nil || slices.ContainsFunc(s.of, func(m sampler.Method) bool {
		return slices.Contains(strings.Split(DefaultSamplers, ","), m.Name)
	})
}

// paramOf returns a method's parameter, common or its own.
func paramOf(method, key string) (param.Param, bool) {
	m, _ := catalog.Find(method)
	return m.Param(key)
}

// someOwners is how many methods an error or the help names.
const someOwners = 3

// owners names some of the methods that have a parameter, common or their own.
func owners(key string) string {
	return some(list.Filter(catalog.Methods(), func(m sampler.Method) bool { return hasSetting(m.Name, key) }))
}

func some(methods []sampler.Method) string {
	return list.Some(list.Map(methods, func(m sampler.Method) string { return m.Name }), someOwners)
}

// describe adds a parameter's symbol to what it is, if it says anything new.
func describe(q param.Param) string {
	if q.Symbol == q.Key || q.Symbol == "T" || strings.Contains(q.Doc, q.Symbol) {
		return q.Doc
	}
	return q.Doc + ", " + q.Symbol
}
