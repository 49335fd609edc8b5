package grammar

import (
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// fakes are two methods that agree on one setting and not on others.
func fakes() []sampler.Method {
	own := func(key string, def float64, doc string) param.Param {
		return param.Param{Key: key, Symbol: key, Doc: doc, Max: 1, Hi: 1, Default: def}
	}
	return []sampler.Method{
		{Name: "one", Params: []param.Param{own("both", 0.5, "what both have"), own("apart", 0.5, "here one thing"),
			{Key: "word", Symbol: "w", Doc: "which", Scale: param.Choice, Choices: []string{"a", "b"}}}},
		{Name: "two", Params: []param.Param{own("both", 0.5, "what both have"), own("apart", 0.25, "there another"),
			{Key: "word", Symbol: "w", Doc: "which", Scale: param.Choice, Choices: []string{"c", "b"}}}},
	}
}

// What methods do not agree on is said of none of them.
func TestSharedSettings(t *testing.T) {
	got := map[string]Flag{}
	for _, s := range settings(fakes()) {
		got[s.Key] = s.flag()
	}
	if f := got["both"]; f.Default != "0.5" || f.Doc != "what both have" || !f.Special || f.Kind != "NUMBER" {
		t.Errorf("a setting that is the same for both is %+v", f)
	}
	if f := got["apart"]; f.Default != "" || !strings.Contains(f.Doc, "the default depends on the sampler") {
		t.Errorf("a setting with two defaults is %+v", f)
	}
	if f := got["word"]; f.Kind != "VALUE" || !slices.Equal(f.Values, []string{"a", "b", "c"}) || f.Default != "" {
		t.Errorf("a setting with other words is %+v", f)
	}
	if f := got["eps"]; f.Special || f.Default != "" {
		t.Errorf("a common parameter is %+v", f)
	}
}

// Every parameter of every method is a flag, and the flags' names are distinct.
func TestEveryParameterIsAFlag(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Flags() {
		if seen[f.Name] {
			t.Errorf("--%s is there twice", f.Name)
		}
		seen[f.Name] = true
		if !f.Switch() && f.Doc == "" {
			t.Errorf("--%s says nothing", f.Name)
		}
	}
	for _, m := range catalog.Methods() {
		for _, q := range m.All() {
			if !seen[q.Key] {
				t.Errorf("%s's %s is no flag", m.Name, q.Key)
			}
			if err := q.Check(q.Default); err != nil {
				t.Errorf("%s: the default of %s: %v", m.Name, q.Key, err)
			}
			if v, err := q.Parse(q.Format(q.Default)); err != nil || v != q.Default {
				t.Errorf("%s: %s reads its default %q as %v, %v", m.Name, q.Key, q.Format(q.Default), v, err)
			}
		}
	}
}

// Every method of every kind of target reads the command line that is written of
// it, and one that does not run there says so in a line.
func TestEveryMethodIsALane(t *testing.T) {
	for _, spec := range []string{"gaussian", "banana", "blr:synthetic", "mlp:4"} {
		p, err := targets.Open(spec, targets.Options{Dataset: "strokes"})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range catalog.Methods() {
			a := Args{"target": spec, "samplers": strings.ToUpper(m.Name)}
			cfg, _, err := a.Config(func(state.Config) (*targets.Problem, error) { return p, nil })
			why := m.Misfit(p)
			switch {
			case why != "" &&
				(err == nil || err.Error() != "--samplers "+m.Name+" does not run on "+p.Spec+": it "+why):
				t.Errorf("%s on %s: %v, though it %s", m.Name, spec, err, why)
			case why == "" && err != nil:
				t.Errorf("%s on %s: %v", m.Name, spec, err)
			case why == "":
				roundTrip(t, cfg, p)
			}
		}
	}
}

func TestNameOf(t *testing.T) {
	for entry, want := range map[string]string{
		"psgdl":                     "psgdl",
		"psgdl:eps=0.1":             "psgdl",
		"distil:psgld":              "distil:psgld",
		"distil:psgld:eps=0.1;lr=2": "distil:psgld",
		"x:":                        "x",
	} {
		if got := nameOf(entry); got != want {
			t.Errorf("the name in %q is %q, want %q", entry, got, want)
		}
	}
}
