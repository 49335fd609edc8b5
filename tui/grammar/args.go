package grammar

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Args are the session's flags that were given: the text of each by the name
// of one of Flags. A switch's text is "true" or "false".
type Args map[string]string

// Config reads a into a Config on the target that open opens, and validates it. Limits that were not given are zero. An
// error is one line that names the flag, the value and what is allowed; one of open's is returned as it is.
func (a Args) Config(open func(state.Config) (*targets.Problem, error)) (state.Config, *targets.Problem, error) {
	c, lanes, err := a.head()
	if err != nil {
		return c, nil, err
	}
	p, err := open(c)
	if err != nil {
		return c, nil, err
	}
	c.Target, c.Dataset = p.Spec, p.Dataset
	if !a.has(flagBatching) {
		c.Draw = state.UsualDraw(p)
	}
	if err := a.fits(p); err != nil {
		return c, nil, err
	}
	if c.Lanes, err = a.lanes(lanes, p); err != nil {
		return c, nil, err
	}
	return c, p, wording.Flag(c.Validate(p))
}

// text is a flag's text, or its default.
func (a Args) text(name, without string) string {
	if s, ok := a[name]; ok {
		return s
	}
	return without
}

func (a Args) has(name string) bool { _, ok := a[name]; return ok }

// list is the flag that names the samplers, with its text.
func (a Args) list() (flag, list string) {
	if a.has(flagMethod) {
		return flagMethod, a[flagMethod]
	}
	return flagSamplers, a.text(flagSamplers, DefaultSamplers)
}

// head reads what can be read without the target.
func (a Args) head() (c state.Config, lanes []LaneArg, err error) {
	c = state.Config{Target: a.text(flagTarget, DefaultTarget), Seed: DefaultSeed, Init: "random"}
	read := func(name string, f func(string) error) {
		if s, ok := a[name]; ok && err == nil {
			if err = f(s); err != nil {
				err = fmt.Errorf("--%s %w", name, err)
			}
		}
	}
	tri := func(dst *targets.Tri) func(string) error {
		return func(s string) (err error) { *dst, err = parseSwitch(s); return err }
	}
	count := func(dst *uint64, least uint64) func(string) error {
		return func(s string) (err error) { *dst, err = Count(s, least); return err }
	}
	positive := func(dst *float64) func(string) error {
		return func(s string) (err error) { *dst, err = parsePositive(s); return err }
	}
	on := func(dst *bool) func(string) error {
		return func(s string) error {
			if s != "true" && s != "false" {
				return fmt.Errorf("takes no value, got %q", s)
			}
			*dst = s == "true"
			return nil
		}
	}
	read(flagDataset, func(s string) error { c.Dataset = s; return nil })
	for _, name := range []string{flagLabel, flagHeader, flagSkip} {
		read(name, func(s string) error {
			if !strings.HasPrefix(c.Target, "blr:") {
				return fmt.Errorf("is for blr:FILE, got --target %s", c.Target)
			}
			if s == "" || strings.Contains(s, ";") {
				return fmt.Errorf("must be a value without ';', got %q", s)
			}
			c.Target += ";" + strings.TrimSuffix(name, "-column") + "=" + s
			return nil
		})
	}
	read(flagStandardize, tri(&c.Standardize))
	read(flagIntercept, tri(&c.Intercept))
	read(flagSeed, count(&c.Seed, 0))
	read(flagSteps, count(&c.Steps, 1))
	read(flagEpochs, positive(&c.Epochs))
	read(flagSeconds, positive(&c.Seconds))
	read(flagUntil, func(s string) (err error) { c.Until, err = quantity.ParseUntil(s); return err })
	read(flagTruth, func(s string) (err error) { c.Truth, err = ParseTruth(s); return err })
	read(flagReference, func(s string) error {
		if c.Truth.File = s; s == "" || c.Truth.Sampler != "" {
			return fmt.Errorf("must be a file of draws, without --truth, got %q", s)
		}
		return nil
	})
	read(state.KeyChains, func(s string) (err error) { c.Chains, err = parseChains(s); return err })
	read(flagBias, on(&c.Bias))
	read(flagWeights, on(&c.CompareWeights))
	read(flagRanked, count(&c.Ranked, 1024))
	read(flagSameNoise, on(&c.SameNoise))
	read(flagRace, on(&c.Race))
	read(flagBatching, func(s string) error { return c.Draw.UnmarshalText([]byte(strings.ToLower(s))) })
	read(flagInit, func(s string) error {
		if c.Init = strings.ToLower(strings.TrimSpace(s)); c.Init == "" {
			return fmt.Errorf("must be random, zero or numbers, got %q", s)
		}
		return nil
	})
	if err != nil {
		return c, nil, err
	}
	if lanes, err = parseLanes(a.list()); err != nil {
		return c, nil, err
	}
	return c, lanes, a.exclude()
}

// exclude refuses flags that say the same thing twice.
func (a Args) exclude() error {
	if a.has(sampler.KeyEps) && a.has(flagLR) {
		return errors.New("--eps and --lr exclude each other")
	}
	if strings.HasPrefix(a[flagSchedule], "poly") {
		for _, name := range []string{sampler.KeyEps, flagLR} {
			if a.has(name) {
				return fmt.Errorf("--%s and --schedule %s exclude each other: a b^-gamma is the first step", name,
					a[flagSchedule])
			}
		}
	}
	return nil
}

// fits refuses flags that have no meaning on a target.
func (a Args) fits(p *targets.Problem) error {
	family, _, _ := strings.Cut(p.Spec, ":")
	if s, ok := a[flagDataset]; ok && p.Dataset == "" {
		if family == "blr" {
			return fmt.Errorf("--dataset is for networks; %s brings its own data, got %q", p.Spec, s)
		}
		return fmt.Errorf("--dataset is for networks; %s has no data, got %q", p.Spec, s)
	}
	for _, name := range []string{flagStandardize, flagIntercept} {
		if a.has(name) && family != "blr" {
			return fmt.Errorf("--%s is for blr targets, got --target %s", name, p.Spec)
		}
	}
	for _, name := range []string{flagBatching, flagEpochs} {
		if a.has(name) && !p.HasData() {
			return fmt.Errorf("--%s needs a target with data, which %s does not have", name, p.Spec)
		}
	}
	return nil
}

// lanes lays the flags, and then each lane's own settings, over the samplers'
// defaults on the target. A flag applies to the lanes that have its parameter.
func (a Args) lanes(args []LaneArg, p *targets.Problem) ([]state.Setting, error) {
	var lanes []state.Setting
	for _, arg := range args {
		m, _ := catalog.Find(arg.Sampler)
		if err := state.Misfit("sampler", m, p); err != nil {
			return nil, wording.Flag(err)
		}
		lanes = append(lanes, state.DefaultSetting(p, arg.Sampler))
	}
	var err error
	flag, list := a.list()
	for _, key := range append([]string{flagSchedule, flagLR}, ParamKeys()...) {
		text, ok := a[key]
		if !ok {
			continue
		}
		if !slices.ContainsFunc(args, func(l LaneArg) bool { return hasSetting(l.Sampler, key) }) {
			return nil, fmt.Errorf("--%s is a parameter of %s, and no lane is one, got --%s %s", key, owners(key),
				flag, list)
		}
		for i, l := range lanes {
			if !hasSetting(l.Sampler, key) {
				continue
			}
			if lanes[i], err = Set(l, Assignment{Key: key, Text: text}, p); err != nil {
				return nil, fmt.Errorf("--%s %w", key, err)
			}
		}
	}
	for i, arg := range args {
		for _, s := range arg.Assignments {
			if lanes[i], err = Set(lanes[i], s, p); err != nil {
				return nil, fmt.Errorf("%s: %s %w", entry(flag, i, arg.Sampler), s.Key, err)
			}
		}
	}
	return lanes, nil
}

// ParseTruth reads METHOD or METHOD:draws=COUNT;key=value, with keys of the method's own parameters.
func ParseTruth(text string) (t state.Truth, err error) {
	name, settings, _ := strings.Cut(text, ":")
	t.Sampler = strings.ToLower(strings.TrimSpace(name))
	if r := state.CheckTruth(t.Sampler); r != nil {
		return t, errors.New(r.Demand())
	}
	m, _ := catalog.Find(t.Sampler)
	own := list.Map(m.Params, func(q param.Param) string { return q.Key })
	given, err := targets.Assignments(settings, append(own, truthDraws))
	if err != nil {
		return t, fmt.Errorf("must be %s or %s:draws=COUNT, and may have %s, got %q", t.Sampler, t.Sampler,
			strings.Join(own, ", "), text)
	}
	for _, s := range given {
		if s.Key == truthDraws {
			t.Draws, err = Count(s.Text, state.MinTruthDraws)
		} else {
			if t.Values == nil {
				t.Values = map[string]float64{}
			}
			q, _ := m.Param(s.Key)
			t.Values[s.Key], err = q.Parse(s.Text)
		}
		if err != nil {
			return t, fmt.Errorf("%s:%s %w", t.Sampler, s.Key, err)
		}
	}
	if t.Draws == study.TruthDraws {
		t.Draws = 0 // which means that many
	}
	return t, nil
}

// truthText writes what ParseTruth reads.
func truthText(t state.Truth) string {
	text := LaneArg{Sampler: t.Sampler}
	if t.Draws > 0 {
		text.Assignments = append(text.Assignments, Assignment{Key: truthDraws, Text: strconv.FormatUint(t.Draws, 10)})
	}
	m, _ := catalog.Find(t.Sampler)
	for _, q := range m.Params {
		if v, ok := t.Values[q.Key]; ok {
			text.Assignments = append(text.Assignments, Assignment{Key: q.Key, Text: q.Format(v)})
		}
	}
	return text.String()
}

const truthDraws = "draws"

// ParseAxis reads key=a,b,c, key=lo:hi:log:n or key=lo:hi:lin:n. Every value
// is checked as the flag of that name checks its own, in each lane that has it.
func ParseAxis(text string, p *targets.Problem, lanes []state.Setting) (study.Axis, error) {
	key, values, ok := strings.Cut(text, "=")
	key, values = strings.TrimSpace(key), strings.TrimSpace(values)
	if !ok || key == "" || values == "" {
		return study.Axis{}, fmt.Errorf("--grid must be KEY=a,b,c or KEY=lo:hi:log|lin:n, got %q", text)
	}
	a := study.Axis{Key: key}
	texts := strings.Split(values, ",")
	if strings.Contains(values, ":") {
		points, err := span(values)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		texts = list.Map(points, number)
	}
	if len(texts) > study.MaxCells {
		return a, fmt.Errorf("--grid %s: at most %d values, got %d", key, study.MaxCells, len(texts))
	}
	for _, t := range texts {
		v, q, err := parseValue(key, t, lanes, p)
		if err != nil {
			return a, fmt.Errorf("--grid %s: %w", key, err)
		}
		if slices.Contains(a.Values, v) {
			return a, fmt.Errorf("--grid %s: has %s twice", key, strings.TrimSpace(t))
		}
		a.Param = q
		a.Values = append(a.Values, v)
		if key != q.Key { // lr
			v = state.LROfEps(v, p.N())
			if x, err := strconv.ParseFloat(strings.TrimSpace(t), 64); err == nil {
				v = x
			}
		}
		a.Shown = append(a.Shown, v)
	}
	return a, nil
}

// span reads lo:hi:log:n or lo:hi:lin:n into n points, the ends exact.
func span(text string) ([]float64, error) {
	bad := fmt.Errorf("must be lo:hi:log:n or lo:hi:lin:n, got %q", text)
	f := strings.Split(text, ":")
	if len(f) != 4 {
		return nil, bad
	}
	lo, err1 := strconv.ParseFloat(strings.TrimSpace(f[0]), 64)
	hi, err2 := strconv.ParseFloat(strings.TrimSpace(f[1]), 64)
	n, err3 := strconv.Atoi(strings.TrimSpace(f[3]))
	if errors.Join(err1, err2, err3) != nil || math.IsNaN(lo+hi) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		return nil, bad
	}
	if n < 2 || n > study.MaxCells {
		return nil, fmt.Errorf("must have 2 to %d points, got %q", study.MaxCells, text)
	}
	points := make([]float64, n)
	switch strings.TrimSpace(f[2]) {
	case "log":
		if !(lo > 0 && hi > 0) {
			return nil, fmt.Errorf("must have positive ends on a log scale, got %q", text)
		}
		for i := range points {
			points[i] = lo * libm.Pow(hi/lo, float64(i)/float64(n-1))
		}
	case "lin":
		for i := range points {
			points[i] = lo + (hi-lo)*float64(i)/float64(n-1)
		}
	default:
		return nil, bad
	}
	points[0], points[n-1] = lo, hi
	return points, nil
}

// ParseGrid reads every --grid. No parameter may have two axes.
func ParseGrid(texts []string, p *targets.Problem, lanes []state.Setting) (study.Grid, error) {
	if len(texts) == 0 {
		return nil, errors.New("sweep needs --grid, such as --grid eps=1e-3:1:log:20")
	}
	var grid study.Grid
	total := 1
	for _, t := range texts {
		a, err := ParseAxis(t, p, lanes)
		if err != nil {
			return nil, err
		}
		for _, b := range grid {
			if b.Param.Key == a.Param.Key {
				return nil, fmt.Errorf("--grid %s and --grid %s exclude each other", b.Key, a.Key)
			}
		}
		if why := state.Unfit(p, a.Param); why != "" {
			return nil, fmt.Errorf("--grid %s %s, which %s does not have", a.Key, why, p.Spec)
		}
		if total *= len(a.Values); total > study.MaxCells {
			return nil, fmt.Errorf("--grid asks for more than %d cells", study.MaxCells)
		}
		grid = append(grid, a)
	}
	return grid, nil
}
