package grammar

import (
	"strconv"
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A Flag declares one flag of the session.
type Flag struct {
	Name    string // without dashes
	Kind    string // what its value is, for the help; empty for a switch
	Doc     string
	Default string   // for the help; empty where it depends on the target
	Values  []string // completions; nil where there are none
	// Special marks a setting of samplers that are not the default ones. There are
	// too many of them for a list of flags.
	Special bool
}

// Switch reports whether the flag stands alone, without a value.
func (f Flag) Switch() bool { return f.Kind == "" }

// Names of the flags that are not parameters of a sampler. "lr" and "schedule" also are settings of a lane.
const (
	flagTarget      = "target"
	flagDataset     = "dataset"
	flagSamplers    = "samplers"
	flagLR          = "lr"
	flagSchedule    = "schedule"
	flagBatching    = "batching"
	flagStandardize = "standardize"
	flagIntercept   = "intercept"
	flagLabel       = "label"
	flagHeader      = "header"
	flagSkip        = "skip-column"
	flagInit        = "init"
	flagSameNoise   = "same-noise"
	flagBias        = "bias"
	flagWeights     = "compare-weights"
	flagRanked      = "ranked"
	flagRace        = "race"
	flagSeed        = "seed"
	flagSteps       = "steps"
	flagEpochs      = "epochs"
	flagSeconds     = "seconds"
	flagUntil       = "until"
	flagTruth       = "truth"
	flagReference   = "reference"
	flagMoves       = "moves"
	flagMethod      = "method"
)

// NotOfProgram names the flags that mean nothing for one lane that is written as a program.
func NotOfProgram() []string {
	return []string{flagSeconds, flagUntil, flagMoves, state.KeyChains, flagBias, flagWeights, flagSameNoise,
		flagRanked, flagRace, flagTruth, flagReference}
}

// Flags lists the flags that say what a session is. Those of the parameters come from the methods' own declarations, so
// that a new method's parameters are flags without more ado. The list is made once, and callers do not change it.
var Flags = sync.OnceValue(func() []Flag {
	onOff := []string{"on", "off"}
	var families, examples []string
	for _, f := range targets.Families() {
		families, examples = append(families, f.Name), append(examples, f.Examples...)
	}
	all := []Flag{
		valued(flagTarget, "TARGET",
			"the target: "+strings.Join(families, ", ")+
				"; its settings follow a colon, as in gaussian:a=2;noise=0.1 or blr:a9a", DefaultTarget, examples...),
		valued(flagDataset, "NAME",
			"the data of a network: mnist, strokes (built in), cifar10 or a folder of IDX files; mnist if it is "+
				"found, else strokes", "", "mnist", "strokes", "cifar10"),
		valued(flagSamplers, "LIST",
			"1 to 4 samplers, a lane each ("+ListCommand+
				" lists them); a lane's own settings follow a colon: sgld:eps=0.1", DefaultSamplers,
			catalog.Names()...),
	}
	for _, s := range settings(catalog.Methods()) {
		all = append(all, s.flag())
		if s.Key == sampler.KeyEps {
			all = append(all, valued(flagLR, "NUMBER", "step per mean gradient, h = εN/2, instead of --eps", ""))
		}
	}
	return append(all,
		valued(flagSchedule, "SCHEDULE",
			"step sizes: const, halve:20ep or halve:STEPS ("+strconv.Itoa(sampler.MostHalvings)+
				" times), or poly:a,b,gamma", "const", "const", "halve:20ep", "poly:"),
		valued(flagBatching, "HOW", "minibatches: shuffle (every datum once an epoch; for networks), subset (drawn anew "+
			"at each step; for all else) or replace", "", "shuffle", "subset", "replace"),
		valued(flagSteps, "COUNT", "end after so many steps", ""),
		valued(flagEpochs, "NUMBER", "end after so many passes over the data", ""),
		valued(flagSeconds, "NUMBER", "end after so much sampling time", ""),
		valued(flagUntil, "GOALS",
			"end where the draws of every lane and coordinate are enough: "+quantity.UntilHelp()+
				"; several with commas", "", quantity.UntilExamples()...),
		valued(flagMoves, "MOVES",
			"what is turned at which step, in order: all lanes or one, as in '12400 eps=0.3; 15000 B alpha=0.999; "+
				"20000 target.b=2'", ""),
		valued(flagStandardize, "on|off", "centre and scale the features of blr", "", onOff...),
		valued(flagIntercept, "on|off", "give blr a weight for the constant 1", "", onOff...),
		valued(flagLabel, "COLUMN",
			"the label's column in blr:FILE, by name or number (1 is the first, -1 the last): blr:FILE;label=COLUMN",
			""),
		valued(flagHeader, "on|off", "whether the first line of blr:FILE is a header, as blr:FILE;header=on",
			"", onOff...),
		valued(flagSkip, "COLUMN",
			"columns that blr:FILE leaves out, with commas, or none to keep even an index: blr:FILE;skip=COLUMN", ""),
		valued(flagInit, "START", "start: random, zero or numbers", "random", "random", "zero"),
		valued(state.KeyChains, "COUNT", state.Chains().Doc, state.Chains().Format(state.Chains().Default)),
		Flag{Name: flagBias, Doc: "estimate the bias that the step size causes, by companions at half and a " +
			"quarter of it (seven gradients a step)"},
		Flag{Name: flagWeights,
			Doc: "effective sizes and R-hat of a network's weights too, which need not converge (up to 1,000)"},
		valued(flagRanked, "COUNT", "work R-hat and effective sizes out from so many draws of a coordinate at most, of all "+
			"chains of a lane: every second one, or fewer, of more", strconv.Itoa(metrics.DefaultKept)),
		Flag{Name: flagSameNoise, Doc: "give every lane the same noise"},
		Flag{Name: flagRace, Doc: "give each lane the same processor time, instead of the same steps"},
		valued(flagTruth, "METHOD", "first find the posterior by a method without bias, "+strings.Join(state.TruthMethods(), " or ")+", and show every lane's error against it; the number of draws follows a colon, as in "+state.TruthMethods()[0]+":draws=COUNT", "", state.TruthMethods()...),
		valued(flagReference, "FILE", "draws that are known to be right, as of check: the truth, with its error, in "+
			"the place of one by --truth", ""),
		valued(flagSeed, "NUMBER", "seed of all random numbers", "1"),
	)
})

// Method declares the flag that stands for --samplers where a command is about one method.
func Method() Flag {
	return valued(flagMethod, "METHOD",
		"the method, one of those that "+ListCommand+
			" lists; its own settings follow a colon: psgld:alpha=0.9999;gamma=on", "", catalog.Names()...)
}

// valued declares a flag with a value.
func valued(name, kind, doc, without string, values ...string) Flag {
	return Flag{Name: name, Kind: kind, Doc: doc, Default: without, Values: values}
}
