package cmdline

import (
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// A Flag declares one flag of the session.
type Flag struct {
	Name    string // without dashes
	Kind    string // what its value is, for the help; empty for a switch
	Doc     string
	Default string   // for the help; empty where it depends on the target
	Values  []string // completions; nil where there are none
}

// Switch reports whether the flag stands alone, without a value.
func (f Flag) Switch() bool { return f.Kind == "" }

// Names of the flags that are not parameters of a sampler. "lr" and
// "schedule" also are settings of a lane.
const (
	flagTarget      = "target"
	flagDataset     = "dataset"
	flagSamplers    = "samplers"
	flagLR          = "lr"
	flagSchedule    = "schedule"
	flagBatching    = "batching"
	flagStandardize = "standardize"
	flagIntercept   = "intercept"
	flagInit        = "init"
	flagSameNoise   = "same-noise"
	flagRace        = "race"
	flagSeed        = "seed"
	flagSteps       = "steps"
	flagEpochs      = "epochs"
	flagSeconds     = "seconds"
)

// Flags lists the flags that say what a session is. Those of the parameters
// come from the methods' own declarations, so that a new method's parameters
// are flags without more ado.
func Flags() []Flag {
	onOff := []string{"on", "off"}
	all := []Flag{
		{flagTarget, "TARGET", "what is sampled: " + strings.Join(families(), ", ") + "; settings after a colon, as in gaussian:a=2;noise=0.1 or blr:a9a", DefaultTarget, examples()},
		{flagDataset, "NAME", "the data of a network: mnist, strokes (built in), cifar10 or a folder of IDX files; mnist where it is found, else strokes", "", []string{"mnist", "strokes", "cifar10"}},
		{flagSamplers, "LIST", "1 to 4 of " + strings.Join(sampler.Names(), ", ") + ", a lane each; a lane's own settings after a colon: sgld:eps=0.1", DefaultSamplers, sampler.Names()},
	}
	for _, q := range parameters() {
		f := Flag{Name: q.Key, Kind: "NUMBER", Doc: describe(q), Values: q.Choices}
		switch q.Scale {
		case sampler.Choice:
			f.Kind, f.Default = strings.Join(q.Choices, "|"), q.Format(q.Default)
		case sampler.Whole:
			f.Kind = "COUNT"
		}
		if !isCommon(q.Key) {
			f.Default = q.Format(q.Default)
		}
		if q.Key == sampler.KeyTemp {
			f.Doc += "; 1/N is a value too"
			f.Values = []string{"1", "1/N", "0"}
		}
		all = append(all, f)
		if q.Key == sampler.KeyEps {
			all = append(all, Flag{flagLR, "NUMBER", "step per mean gradient, h = εN/2, instead of --eps", "", nil})
		}
	}
	return append(all,
		Flag{flagSchedule, "SCHEDULE", "step sizes: const, halve:20ep, halve:STEPS or poly:a,b,gamma", "const", []string{"const", "halve:20ep", "poly:"}},
		Flag{flagBatching, "HOW", "minibatches: shuffle (every datum once an epoch), subset or replace", "shuffle", []string{"shuffle", "subset", "replace"}},
		Flag{flagSteps, "COUNT", "end after so many steps", "", nil},
		Flag{flagEpochs, "NUMBER", "end after so many passes over the data", "", nil},
		Flag{flagSeconds, "NUMBER", "end after so much sampling time", "", nil},
		Flag{flagStandardize, "on|off", "centre and scale the features of blr", "", onOff},
		Flag{flagIntercept, "on|off", "give blr a weight for the constant 1", "", onOff},
		Flag{flagInit, "START", "start: random, zero or numbers", "random", []string{"random", "zero"}},
		Flag{flagSameNoise, "", "give every lane the same noise", "", nil},
		Flag{flagRace, "", "let each lane run as fast as it can, not step by step together", "", nil},
		Flag{flagSeed, "NUMBER", "seed of every random number", "1", nil},
	)
}

// parameters lists the common parameters and every method's own, each key once.
func parameters() []sampler.Param {
	all := sampler.Common()
	seen := map[string]bool{}
	for _, m := range sampler.Methods() {
		for _, q := range m.Params {
			if !seen[q.Key] {
				seen[q.Key] = true
				all = append(all, q)
			}
		}
	}
	return all
}

func isCommon(key string) bool {
	for _, q := range sampler.Common() {
		if q.Key == key {
			return true
		}
	}
	return false
}

// param returns a method's parameter, common or its own.
func param(method, key string) (sampler.Param, bool) {
	m, _ := sampler.Find(method)
	return m.Param(key)
}

// owners lists the methods that have a parameter, for an error.
func owners(key string) []string {
	var names []string
	for _, n := range sampler.Names() {
		if _, ok := param(n, key); ok {
			names = append(names, n)
		}
	}
	return names
}

// describe adds a parameter's symbol to what it is, if it says anything new.
func describe(q sampler.Param) string {
	if q.Symbol == q.Key || q.Symbol == "T" || strings.Contains(q.Doc, q.Symbol) {
		return q.Doc
	}
	return q.Doc + ", " + q.Symbol
}

func families() []string {
	var all []string
	for _, f := range targets.Families() {
		all = append(all, f.Name)
	}
	return all
}

func examples() []string {
	var all []string
	for _, f := range targets.Families() {
		all = append(all, f.Examples...)
	}
	return all
}
