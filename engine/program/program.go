// Package program writes a lane's method on its target as a program that stands alone, to be
// read, run and changed: in Python with NumPy or PyTorch, or in R.
//
// The program has the update rule of package sampler, in its convention, and the lane's present
// settings. Its random numbers are others. It writes draws.csv: a header with the coordinates'
// names, as the files of --draws have them, and a row for each draw that is kept.
package program

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// Where no number of steps is given, a program makes usualSteps behind the burn-in, and up to
// mostThinned times as many where it keeps but one in some. It then ends within seconds, with
// enough draws to tell something by. A trajectory counts for its mean number of gradients.
const usualSteps, mostThinned = 20_000, 4

// A Listing is a program.
type Listing struct {
	File string // a name for it
	Runs string // the command that runs that file
	Text string
}

// Names lists the methods that there are programs of.
func Names() []string { return list.Map(methods, func(m method) string { return m.name }) }

// Of writes the program of a lane of a session, on its target, in one of Languages. A comment says by which command its
// draws are checked, if there is one. An error is one line that says why there is no program.
func Of(c state.Config, l state.Setting, t *targets.Problem, language, check string) (*Listing, error) {
	which := slices.Index(Languages(), language)
	if which < 0 {
		return nil, list.Unknown("language", language, Languages())
	}
	lang := &languages[which]
	at := slices.IndexFunc(methods, func(m method) bool { return m.name == l.Sampler })
	if at < 0 {
		return nil, fmt.Errorf("there is no program of the method %s, want one of %s", l.Sampler,
			strings.Join(Names(), ", "))
	}
	w := &writer{page: &page{language: lang}, method: methods[at], lane: l, s: l.Values, c: c, t: t, check: check}
	if err := w.write(); err != nil {
		return nil, err
	}
	file := l.Sampler + "." + lang.ending
	return &Listing{File: file, Runs: lang.runs + " " + file,
		Text: strings.Join(w.lines, "\n") + "\n"}, nil
}

// A writer writes a program.
type writer struct {
	*page
	method method
	lane   state.Setting
	s      settings
	c      state.Config
	t      *targets.Problem
	check  string
}

// batch is the size of a minibatch, 0 for all data.
func (w *writer) batch() int {
	n := int(w.lane.Or(sampler.KeyBatch, 0))
	if !w.t.HasData() || n >= w.t.N() {
		return 0
	}
	return n
}

// noise is the standard deviation of the gradient's noise.
func (w *writer) noise() float64 {
	if t, ok := w.t.F64.(targets.NoisyGradient); ok {
		return t.GradNoise()
	}
	return 0
}

func (w *writer) write() error {
	m := catalog.Must(w.lane.Sampler)
	if w.method.exact && w.s.temp() == 0 {
		return fmt.Errorf("there is no program of %s at the temperature 0", m.Name)
	}
	if d := w.t.Dim(); d > mostDim {
		return fmt.Errorf("there is no program of a target of %d coordinates, want at most %d", d, mostDim)
	}
	n := needs{Exact: w.method.exact, Curvature: m.Name == "psgld" && w.s.corrected(),
		Batch: w.batch() > 0 && !w.method.exact}
	w.special = map[string]string{"force": "g", "second": "g"}
	if w.t.HasData() {
		w.special["force"] = "(N*g - theta/prior_var)"
	}
	if w.t.OwnPrior {
		w.special["force"] = "N*g"
	}
	if !w.lane.Schedule.Constant() {
		w.special["eps"] = "eps_t"
	}
	noisy := w.noise() > 0
	if noisy {
		delete(w.special, "second")
	}
	begun := w.head(m)
	w.values(m, n)
	if err := w.target(w.t, n); err != nil {
		return err
	}
	if err := w.start(); err != nil {
		return err
	}
	if w.method.begin != nil {
		w.let(w.method.begin(w.s)...)
	}
	shuffled := n.Batch && w.c.Draw == noise.Shuffle
	if shuffled {
		w.let("queue = nothing")
	}
	w.either("draws = []", "draws <- matrix(0, (steps - burn_in) %/% thin, D)")
	draw := "theta"
	if w.t.Scale != nil {
		draw = "shown(theta)"
	}
	w.within("for t in range(1, steps + 1)", "for (t in 1:steps)", func() {
		w.schedule()
		w.minibatch(n)
		if !n.Exact {
			arguments := n.Arguments()
			w.put("g" + w.is() + "grad(" + arguments + ")")
			if n.Curvature {
				w.put("h" + w.is() + "curvature(" + arguments + ")")
			}
			if noisy {
				w.let("second = g + noise*normal # V sees noise of its own", "g = g + noise*normal")
			}
		}
		w.method.step(w.page, w.s)
		w.either("if t > burn_in and (t - burn_in) % thin == 0: draws.append("+draw+")",
			"if (t > burn_in && (t - burn_in) %% thin == 0) draws[(t - burn_in) %/% thin, ] <- "+draw)
	})
	w.end()
	w.lines = slices.Insert(w.lines, begun, w.imports()...)
	return nil
}

// imports are the lines that import the modules of Python that the program takes.
func (w *writer) imports() (lines []string) {
	text := strings.Join(w.lines, "\n")
	for _, m := range [...]struct{ call, line string }{
		{"csv.reader(", "import csv"}, {"gzip.open(", "import gzip"}, {"json.load", "import json"},
		{"math.", "import math"}, {"zipfile.", "import zipfile"},
		{"np.random.default_rng(", "import numpy as np"}, {"torch.manual_seed(", "import torch"},
		{" -F.", "import torch.nn.functional as F"},
	} {
		if !w.isR && strings.Contains(text, m.call) {
			lines = append(lines, m.line)
		}
	}
	return lines
}

// mostDim is the most coordinates, whose names stand in the program.
const mostDim = 1000

// mostSpec is how much of a target's spec the first line has.
const mostSpec = 300

// head writes what the program is. begun is the number of lines before its first statement.
func (w *writer) head(m sampler.Method) (begun int) {
	w.put("# "+m.Title+" on "+printable.Short(w.t.Spec, mostSpec)+". Writes draws.csv.", "# "+m.Equation, "# "+m.Source)
	if m.Name == "psgld" && !w.s.corrected() {
		w.put("# Γ is left out, since gamma is off.")
	}
	if w.check != "" && !strings.Contains(w.check, "\n") {
		w.put("# Its draws are checked by", "#   "+printable.Line(w.check))
	}
	begun = len(w.lines)
	w.put("")
	seed := strconv.FormatUint(w.c.Seed, 10)
	switch w.name {
	case "numpy":
		w.put("rng = np.random.default_rng(" + seed + ")")
	case "torch":
		w.put("torch.set_default_dtype(torch.float64)",
			"torch.manual_seed("+strconv.FormatUint(w.c.Seed%(1<<63), 10)+")")
	case "r":
		w.put("set.seed(" + strconv.FormatUint(w.c.Seed%(1<<31-1), 10) + ")")
	}
	return begun
}

func (w *writer) values(m sampler.Method, n needs) {
	var names, docs []string
	add := func(name, value, doc string) {
		if s, ok := w.words[name]; ok {
			name = s
		}
		names, docs = append(names, name+w.is()+value), append(docs, doc)
	}
	of := func(key string) {
		q, ok := m.Param(key)
		if !ok {
			return
		}
		v := w.lane.Value(key)
		add(strings.ReplaceAll(key, "-", "_"), w.number(v), docOf(w, q, v))
	}
	of(sampler.KeyEps)
	if w.s.temp() > 0 {
		of(sampler.KeyTemp)
	}
	for _, key := range w.method.settings {
		if w.s[key] != 0 || key == "alpha" { // what is 0 is off, and not in the rule
			of(key)
		}
	}
	if n.Batch {
		of(sampler.KeyBatch)
	}
	if w.t.HasData() && !w.t.OwnPrior {
		of(sampler.KeyPriorVar)
	}
	if w.noise() > 0 {
		add("noise", w.number(w.noise()), "standard deviation of the gradient's noise")
	}
	add("steps", strconv.FormatUint(w.steps(), 10), "steps in all")
	add("burn_in", w.number(w.lane.Or(sampler.KeyBurnIn, 0)), "steps dropped at the start")
	of(sampler.KeyThin)
	most := list.Max(names, func(text string) int { return len(text) })
	for i, text := range names {
		w.put(text + strings.Repeat(" ", most-len(text)) + "  # " + docs[i])
	}
	w.put("")
}

// docOf says what a setting is.
func docOf(w *writer, q param.Param, v float64) string {
	switch {
	case q.Key == sampler.KeyEps && w.method.exact:
		return "step size, fixed: there is no warm-up, and the mass is 1"
	case q.Key == sampler.KeyEps && w.t.HasData():
		return fmt.Sprintf("step size; h = eps*N/2 = %.3g per mean gradient", state.LROfEps(v, w.t.N()))
	}
	return q.Doc
}

// steps is how many steps the program makes.
func (w *writer) steps() uint64 {
	burn := uint64(w.lane.Or(sampler.KeyBurnIn, 0))
	switch n := w.batch(); {
	case w.c.Steps > 0:
		return w.c.Steps
	case w.c.Epochs > 0 && n > 0:
		return uint64(math.Ceil(w.c.Epochs * float64(w.t.N()) / float64(n)))
	case w.c.Epochs > 0:
		return uint64(math.Ceil(w.c.Epochs))
	}
	steps := usualSteps * uint64(min(w.lane.Or(sampler.KeyThin, 1), mostThinned))
	return burn + max(steps/uint64(max(w.lane.Or("leapfrog", 2)/2, 1)), usualSteps/10)
}

// literal is the most coordinates of a start that are written one by one.
const literal = 20

// start writes where the chain begins.
func (w *writer) start() error {
	theta, err := w.c.Start(w.t, 0)
	if err != nil {
		return err
	}
	_, formula := w.t.F64.(targets.Written)
	if !formula && !w.t.OwnPrior && len(theta) > literal && w.c.RandomStart() {
		if w.t.HasData() {
			w.let("theta = 0.1*normal")
		} else { // away from 0, where V is nothing
			w.let("theta = sqrt(variance)")
		}
		return nil
	}
	same := !slices.ContainsFunc(theta, func(x float64) bool { return x != theta[0] })
	if same && len(theta) > 2 {
		w.let("theta = " + w.number(theta[0]) + "*ones")
		return nil
	}
	values := list.Map(theta, w.number)
	switch w.name {
	case "numpy":
		end := "])"
		if !slices.ContainsFunc(theta, func(x float64) bool { return x != math.Trunc(x) }) {
			end = "], float)"
		}
		w.list("theta = np.array([", values, end)
	case "torch":
		w.list("theta = torch.tensor([", values, "], dtype=torch.float64)")
	default:
		w.list("theta <- c(", values, ")")
	}
	return nil
}

// schedule writes the step size of the step.
func (w *writer) schedule() {
	s := w.lane.Schedule
	switch s.Kind {
	case "halve":
		every := s.Every
		if n := w.batch(); s.Epochs && n > 0 {
			every *= float64(w.t.N()) / float64(n)
		}
		w.either(fmt.Sprintf("eps_t = eps*0.5**min((t - 1)//%s, %d)", w.number(every), sampler.MostHalvings),
			fmt.Sprintf("eps_t <- eps*0.5^min((t - 1) %%/%% %s, %d)", w.number(every), sampler.MostHalvings))
	case "poly":
		w.either(fmt.Sprintf("eps_t = eps*(1 + (t - 1)/%s)**-%s", w.number(s.B), w.number(s.Gamma)),
			fmt.Sprintf("eps_t <- eps*(1 + (t - 1)/%s)^-%s", w.number(s.B), w.number(s.Gamma)))
	}
}

// minibatch writes how the rows of a minibatch are drawn.
func (w *writer) minibatch(n needs) {
	if !n.Batch {
		return
	}
	switch w.c.Draw {
	case noise.Subset:
		w.let("i = subset")
	case noise.Replace:
		w.let("i = replace")
	default: // an order of all rows after another
		switch w.name {
		case "numpy":
			w.put("if len(queue) < batch: queue = np.append(queue, rng.permutation(N))",
				"i, queue = queue[:batch], queue[batch:]")
		case "torch":
			w.put("if len(queue) < batch: queue = torch.cat([queue, torch.randperm(N)])",
				"i, queue = queue[:batch], queue[batch:]")
		default:
			w.put("if (length(queue) < batch) queue <- c(queue, sample(N))", "i <- queue[1:batch]",
				"queue <- queue[-(1:batch)]")
		}
	}
}

func (w *writer) end() {
	names := export.Columns(w.t)
	array := len(names) > unpacked &&
		!slices.ContainsFunc(names, func(s string) bool { return !strings.HasPrefix(s, "theta.") })
	w.put("")
	switch quoted := list.Map(names, quote); {
	case w.isR && array:
		w.put(`colnames(draws) <- paste0("theta.", 1:D)`)
	case w.isR:
		w.list("colnames(draws) <- c(", quoted, ")")
	case array:
		w.put(`names = [f"theta.{j}" for j in range(1, D + 1)]`)
	default:
		w.list("names = [", quoted, "]")
	}
	switch w.name {
	case "numpy":
		w.put(`np.savetxt("draws.csv", draws, delimiter=",", header=",".join(names), comments="")`)
	case "torch":
		w.within(`with open("draws.csv", "w") as file`, "", func() {
			w.put(`print(*names, sep=",", file=file)`)
			w.put(`for draw in draws: print(*draw.tolist(), sep=",", file=file)`)
		})
	default:
		w.put(`write.csv(draws, "draws.csv", row.names = FALSE, quote = FALSE)`)
	}
}
