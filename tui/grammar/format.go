package grammar

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// CommandLine writes the command that starts a session of cfg on its opened target: shell-quoted, with those flags
// alone that differ from the defaults. Args.Config reads the same Config back. Extra arguments go before cfg's.
func CommandLine(cfg state.Config, p *targets.Problem, extra ...string) string {
	return Quote(append(append([]string{Program}, extra...), Format(cfg, p)...)...)
}

// CheckLine writes the command that holds the draws in a file to a lane's method and settings, and
// nothing where a check refuses them. The draws are those behind the burn-in, and have no warm-up.
func CheckLine(file string, cfg state.Config, l state.Setting, p *targets.Problem) string {
	if !l.Schedule.Constant() || l.Or("freeze", 0) > 0 {
		return ""
	}
	words := []string{Program, "check", file, "--" + flagTarget, p.Spec, "--" + flagMethod, l.Sampler}
	add := func(s Assignment) { words = append(words, "--"+s.Key, s.Text) }
	if l.Has(sampler.KeyEps) {
		add(formatEps(l.Value(sampler.KeyEps), p))
	}
	if thin := l.Or(sampler.KeyThin, 1); thin > 1 {
		add(Assignment{Key: sampler.KeyThin, Text: number(thin)})
	}
	said := []string{flagTarget, flagSamplers, sampler.KeyEps, flagLR, sampler.KeyThin, sampler.KeyBurnIn, "adapt",
		"warmup", "mass"}
	alone := state.Config{Lanes: []state.Setting{l}, Draw: cfg.Draw, Standardize: cfg.Standardize,
		Intercept: cfg.Intercept, Seed: DefaultSeed}
	for pair := range slices.Chunk(Format(alone, p), 2) {
		if name := strings.TrimPrefix(pair[0], "--"); !slices.Contains(said, name) {
			words = append(words, pair...)
		}
	}
	return Quote(words...)
}

// mostMoves bounds the moves of a command line, in bytes.
const mostMoves = 4000

// SteeredLine is CommandLine of the session that a snapshot shows, with the moves that have led
// to where it stands and those that are still planned. Where one line cannot say them, it has
// the present settings from the start on, and the error says why.
func SteeredLine(s *engine.Snapshot, extra ...string) (string, error) {
	cfg, p, moves, err := steered(s)
	if err != nil {
		return CommandLine(s.Config, s.Problem, extra...), err
	}
	words := append(append([]string{Program}, extra...), Format(cfg, p)...)
	if text := strings.Join(list.Map(moves, Planned.String), "; "); len(text) > mostMoves {
		return CommandLine(s.Config, s.Problem, extra...),
			fmt.Errorf("its moves take %d characters, more than %d", len(text), mostMoves)
	} else if text != "" {
		words = append(words, "--"+flagMoves, text)
	}
	return Quote(words...), nil
}

// Format writes the flags of CommandLine, unquoted.
func Format(cfg state.Config, p *targets.Problem) []string {
	var out []string
	add := func(name, text string) { out = append(out, "--"+name, text) }
	family, _, _ := strings.Cut(p.Spec, ":")
	if p.Spec != DefaultTarget {
		add(flagTarget, p.Spec)
	}
	if p.Dataset != "" { // said always: which set is there differs from machine to machine
		add(flagDataset, p.Dataset)
	}
	shared, lanes := spread(cfg.Lanes, p)
	if samplers := strings.Join(list.Map(lanes, LaneArg.String), ","); samplers != DefaultSamplers {
		add(flagSamplers, samplers)
	}
	for _, s := range shared {
		add(s.Key, s.Text)
	}
	if p.HasData() && cfg.Draw != state.UsualDraw(p) {
		add(flagBatching, cfg.Draw.String())
	}
	for _, t := range []struct {
		name string
		v    targets.Tri
	}{{flagStandardize, cfg.Standardize}, {flagIntercept, cfg.Intercept}} {
		if t.v != targets.Auto && family == "blr" {
			add(t.name, map[targets.Tri]string{targets.On: "on", targets.Off: "off"}[t.v])
		}
	}
	for _, f := range []struct {
		name  string
		given bool
		text  string // empty for a switch
	}{
		{flagInit, !cfg.RandomStart(), cfg.Init},
		{state.KeyChains, cfg.ChainCount() > 1, strconv.Itoa(cfg.Chains)},
		{flagBias, cfg.Bias, ""},
		{flagWeights, cfg.CompareWeights, ""},
		{flagRanked, cfg.Ranked > 0, strconv.FormatUint(cfg.Ranked, 10)},
		{flagSameNoise, cfg.SameNoise, ""},
		{flagRace, cfg.Race, ""},
		{flagSteps, cfg.Steps > 0, strconv.FormatUint(cfg.Steps, 10)},
		{flagEpochs, cfg.Epochs > 0, number(cfg.Epochs)},
		{flagSeconds, cfg.Seconds > 0, number(cfg.Seconds)},
		{flagUntil, cfg.Until.Wanted(), cfg.Until.String()},
		{flagTruth, cfg.Truth.Sampler != "", truthText(cfg.Truth)},
		{flagReference, cfg.Truth.File != "", cfg.Truth.File},
		{flagSeed, cfg.Seed != DefaultSeed, strconv.FormatUint(cfg.Seed, 10)},
	} {
		switch {
		case f.given && f.text == "":
			out = append(out, "--"+f.name)
		case f.given:
			add(f.name, f.text)
		}
	}
	return out
}

// spread writes settings as those that every lane shares and those that a lane
// has to itself, leaving out what is the default.
func spread(lanes []state.Setting, p *targets.Problem) (shared []Assignment, own []LaneArg) {
	var defaults []state.Setting
	for _, l := range lanes {
		own = append(own, LaneArg{Sampler: l.Sampler})
		defaults = append(defaults, state.DefaultSetting(p, l.Sampler))
	}
	shared = steps(lanes, defaults, own, p)
	for _, key := range ParamKeys() {
		if key == sampler.KeyEps {
			continue
		}
		param := func(i int) param.Param {
			q, _ := paramOf(lanes[i].Sampler, key)
			return q
		}
		with := having(lanes, key)
		odd := slices.DeleteFunc(slices.Clone(with), func(i int) bool {
			return lanes[i].Value(key) == defaults[i].Value(key) || param(i).NeedsData && !p.HasData()
		})
		// What the lanes call it may differ where the number does not.
		shared = append(shared, share(with, odd, own, func(i int) Assignment {
			return Assignment{Key: key, Text: formatValue(param(i), lanes[i].Value(key), p)}
		})...)
	}
	return shared, own
}

// share is a setting that is written once, where it is the same in all lanes that have it. Else
// the odd lanes, which do not have its default, get it as their own.
func share(with, odd []int, own []LaneArg, setting func(i int) Assignment) []Assignment {
	switch {
	case len(odd) == 0:
	case uniform(with, setting):
		return []Assignment{setting(odd[0])}
	default:
		for _, i := range odd {
			own[i].Assignments = append(own[i].Assignments, setting(i))
		}
	}
	return nil
}

// steps writes schedules and step sizes: the shared settings, and to own what is a lane's alone.
func steps(lanes, defaults []state.Setting, own []LaneArg, p *targets.Problem) (shared []Assignment) {
	all := having(lanes, sampler.KeyEps)
	eps := func(i int) float64 { return lanes[i].Value(sampler.KeyEps) }
	sameEps := uniform(all, eps)
	sameSchedule := uniform(all, func(i int) sampler.Schedule { return lanes[i].Schedule })
	poly := slices.ContainsFunc(lanes, func(l state.Setting) bool { return l.Schedule.Kind == "poly" })
	if sameSchedule && !lanes[0].Schedule.Constant() && (!poly || sameEps) {
		text, exact := scheduleText(lanes[0].Schedule, eps(0))
		if exact {
			shared = append(shared, Assignment{Key: flagSchedule, Text: text})
			if poly {
				return shared
			}
		} else {
			sameSchedule = false
		}
	}
	if !sameSchedule || poly {
		for i, l := range lanes {
			if l.Schedule.Constant() {
				continue
			}
			text, exact := scheduleText(l.Schedule, eps(i))
			own[i].Assignments = append(own[i].Assignments, Assignment{Key: flagSchedule, Text: text})
			if l.Schedule.Kind == "poly" && !exact {
				own[i].Assignments = append(own[i].Assignments, formatEps(eps(i), p))
			}
		}
	}
	// Lanes whose ε the schedule has not set.
	rest := slices.DeleteFunc(all, func(i int) bool { return lanes[i].Schedule.Kind == "poly" })
	odd := slices.DeleteFunc(slices.Clone(rest), func(i int) bool {
		return eps(i) == defaults[i].Value(sampler.KeyEps)
	})
	return append(shared, share(rest, odd, own, func(i int) Assignment { return formatEps(eps(i), p) })...)
}

// scheduleText writes a schedule. A polynomial one is exact if reading it
// gives the very ε; of the a that lie within rounding of ε b^γ one mostly does.
func scheduleText(s sampler.Schedule, eps float64) (text string, exact bool) {
	text = s.String(eps)
	if s.Kind != "poly" {
		return text, true
	}
	const tries = 16
	up, down := eps, eps
	for range tries {
		for _, e := range []float64{up, down} {
			t := s.String(e)
			if _, first, err := sampler.ParseSchedule(t); err == nil && first == eps {
				return t, true
			}
		}
		up, down = math.Nextafter(up, math.Inf(1)), math.Nextafter(down, 0)
	}
	return text, false
}

// having lists the lanes that have a parameter.
func having(lanes []state.Setting, key string) []int {
	return list.Filter(list.Upto(len(lanes)), func(i int) bool { return lanes[i].Has(key) })
}

// uniform reports whether f is the same everywhere.
func uniform[T comparable](at []int, f func(int) T) bool {
	return !slices.ContainsFunc(at, func(i int) bool { return f(i) != f(at[0]) })
}
