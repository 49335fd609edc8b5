package reproduce

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/paper/figure/svg"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// indexPage is the id of the page that leads to all others.
const indexPage = "report"

// pages are the index, then one page an experiment.
func (d Document) pages() ([]page, error) {
	all := []page{d.index()}
	homes := d.homes()
	for _, readings := range d.experiments() {
		p, err := experimentPage(readings, homes)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// experiments are the document's sections, those of an experiment together.
func (d Document) experiments() (all [][]Section) {
	for _, s := range d.Sections {
		i := slices.IndexFunc(all, func(x []Section) bool { return x[0].Experiment.ID == s.Experiment.ID })
		if i < 0 {
			i = len(all)
			all = append(all, nil)
		}
		all[i] = append(all[i], s)
	}
	return all
}

// whose names a reading in headings and tables.
func whose(r paper.Reading) string {
	if r == paper.Authors {
		return "the authors' code"
	}
	return "the paper's text"
}

// index is the page of the whole: the verdicts, the paper's tables beside ours, and what is absent.
func (d Document) index() page {
	p := page{ID: indexPage, Title: "The paper, reproduced"}
	p.Blocks = append(p.Blocks,
		words("Preconditioned Stochastic Gradient Langevin Dynamics for Deep Neural Networks (Li, Chen, Carlson "+
			"and Carin, AAAI 2016): its tables and figures, and what its theory says, beside what this program "+
			"measures."),
		bullets{
			words("Program: " + d.Version), words("Machine: " + d.Machine),
			{{text: "Command: "}, {text: d.Command, face: code}},
			words("The command also writes results.json, which has every number."),
		})
	if d.Quick() {
		p.Blocks = append(p.Blocks,
			labelled("Quick scale",
				"The sections marked quick have smaller networks or fewer epochs, draws or repeats than the paper. "+
					"They show that everything runs, not what the paper's protocol comes to."))
	}
	verdicts := grid{Head: []string{"experiment", "by", "verdict", "against printed numbers", "sessions", "time"}}
	for _, s := range d.Sections {
		if n := s.count(); !s.unrun() {
			verdicts.Rows = append(verdicts.Rows, []prose{
				{{text: s.Experiment.ID, page: s.Experiment.ID}}, words(s.by()), words(s.verdict()), words(s.tally()),
				words(n.sessions()), words(timeText(n.Seconds)),
			})
		}
	}
	p.Blocks = append(p.Blocks, heading("Verdicts"), verdicts,
		words("Where the paper's text and its authors' released code have different protocols, each has a row. The "+
			"time is that of all sessions added, with evaluation, on a machine that ran several at a time. "+
			"Experiments on the same sessions each count them."))
	beside := []block{heading("The paper's tables beside ours"), words(besideRule)}
	for _, s := range d.Sections {
		if t := s.Report.Beside; t.Rows != nil {
			t.Title += ", by " + s.by()
			beside = append(beside, gridOf(t))
		}
	}
	if len(beside) > 2 {
		p.Blocks = append(p.Blocks, beside...)
	}
	if absent := d.absent(); absent != nil {
		p.Blocks = append(p.Blocks, heading("What is absent"), absent)
	}
	return p
}

// besideRule says how numbers are compared.
const besideRule = "Each cell has the paper's number, then ours ± one standard error over the seeds. A tie is not " +
	"marked. " + claim.TieRule +
	" Of several step sizes the cell has the better one, chosen on the test set and marked *. A number that is not " +
	"there or cannot be trusted is –."

// absent lists what the report is without: whole experiments, and sessions.
func (d Document) absent() (all bullets) {
	unasked := slices.DeleteFunc(list.Map(Experiments(), func(e paper.Experiment) string { return e.ID }),
		func(id string) bool {
			return slices.ContainsFunc(d.Sections, func(s Section) bool { return s.Experiment.ID == id })
		})
	if len(unasked) > 0 {
		all = append(all, words("Not asked for: "+strings.Join(unasked, ", ")+"."))
	}
	each := func(start string, of func(Section, count) string) {
		var item prose
		for _, s := range d.Sections {
			if said := of(s, s.count()); said != "" {
				before := start
				if item != nil {
					before = ", "
				}
				item = append(item, span{text: before}, span{text: s.Experiment.ID, page: s.Experiment.ID},
					span{text: said})
			}
		}
		if item != nil {
			all = append(all, append(item, span{text: "."}))
		}
	}
	each("Not run: ", func(s Section, n count) string {
		if n.Planned == 0 || !s.unrun() {
			return ""
		}
		return s.byBrief() + sessions("", n.Planned, s.cost())
	})
	each("Run in part: ", func(s Section, n count) string {
		if s.unrun() || n.Done == n.Planned {
			return ""
		}
		return s.byBrief() + sessions(fmt.Sprintf("%d of ", n.Done), n.Planned, s.cost())
	})
	each("Of an earlier version of the program, so that their command lines give other digits today: ",
		func(s Section, n count) string {
			if n.Outdated == 0 {
				return ""
			}
			return s.byBrief() + sessions("", n.Outdated, "")
		})
	said := map[string]bool{}
	for _, s := range d.Sections {
		sentences := s.Report.Absent
		if len(s.Jobs) == 0 && s.unrun() {
			sentences = append(sentences, s.verdict())
		}
		for _, what := range sentences {
			if key := s.Experiment.ID + what; !said[key] {
				said[key] = true
				all = append(all, prose{{text: s.Experiment.ID, page: s.Experiment.ID}, {text: ": " + what}})
			}
		}
	}
	return all
}

// sessions writes a number of them in brackets, after some of it, and what the rest cost.
func sessions(some string, n int, cost string) string {
	if cost != "" {
		cost = ", the rest " + cost
		if some == "" {
			cost = strings.Replace(cost, "the rest ", "", 1)
		}
	}
	if n == 1 {
		return " (" + some + "1 session" + cost + ")"
	}
	return fmt.Sprintf(" (%s%d sessions%s)", some, n, cost)
}

// cost says what the sessions take that were not run, "" where that is not known.
func (s Section) cost() string {
	if s.Report.Left == 0 {
		return ""
	}
	return "about " + timeText(3600*s.Report.Left) + " of a core"
}

// unrun reports whether no session of the section was run.
func (s Section) unrun() bool {
	n := s.count()
	return n.Done+n.Skipped == 0 && s.Report.Verdict == "" && (n.Planned > 0 || len(s.Report.Tables) == 0)
}

// byBrief names the section's protocol after its experiment; "" of one that has one protocol alone.
func (s Section) byBrief() string {
	if len(s.Experiment.Readings) == 1 {
		return ""
	}
	return " by " + s.by()
}

// experimentPage is the page of an experiment, of which there is a section for each reading.
func experimentPage(readings []Section, homes map[string]string) (page, error) {
	e := readings[0].Experiment
	p := page{ID: e.ID, Title: e.ID + ": " + e.Title}
	p.Blocks = append(p.Blocks,
		prose{{text: "Source: " + e.Source + ". "}, {text: "All experiments", page: indexPage}, {text: "."}},
		labelled("Question", e.Question))
	for _, s := range readings {
		if by := cmp.Or(strings.TrimSpace(s.byBrief()), s.by()); by != noNumber {
			p.Blocks = append(p.Blocks, heading(strings.ToUpper(by[:1])+by[1:]))
		}
		p.Blocks = append(p.Blocks, labelled("Verdict", s.verdict()),
			labelled("Protocol", e.Protocol(s.Options)+" "+s.seedText()))
		if s.unrun() {
			p.Blocks = append(p.Blocks, s.homesOf(homes))
			continue
		}
		for i, f := range s.Report.Figures {
			drawn, err := svg.Draw(f)
			if err != nil {
				return p, err
			}
			p.Blocks = append(p.Blocks, picture{s.figureName(i), f.Title, drawn})
		}
		for _, t := range s.Report.Tables {
			p.Blocks = append(p.Blocks, gridOf(t))
			if t.Note != "" {
				p.Blocks = append(p.Blocks, words(t.Note))
			}
		}
		if s.Report.Instead != "" {
			p.Blocks = append(p.Blocks, labelled("What holds instead", s.Report.Instead))
		}
		if s.Report.Remarks != nil {
			p.Blocks = append(p.Blocks, labelled("In detail", ""), bullets(list.Map(s.Report.Remarks, words)))
		}
		p.Blocks = append(p.Blocks, s.homesOf(homes))
	}
	return p, nil
}

// by names the section's protocol, and a quick scale. It is noNumber of an experiment that has one protocol alone.
func (s Section) by() string {
	by := whose(s.Options.Reading)
	if len(s.Experiment.Readings) == 1 {
		by = noNumber
	}
	switch {
	case s.Options.Scale != paper.Quick:
		return by
	case by == noNumber:
		return "the quick scale"
	}
	return by + ", quick"
}

// The verdicts of sections whose reports have none.
const (
	noVerdict = "None: there are no numbers."
	notRun    = "Not run"
)

func (s Section) verdict() string {
	switch {
	case s.Report.Verdict != "":
		return s.Report.Verdict
	case s.unrun() && len(s.Jobs) == 0 && s.Report.Remarks != nil:
		return strings.Join(s.Report.Remarks, " ")
	case s.unrun() && s.cost() != "":
		return notRun + ": its sessions take " + s.cost() + "."
	case s.unrun():
		return notRun + ": \"reproduce list\" estimates the time of its sessions."
	}
	return noVerdict
}

// gridOf is a table of plain text.
func gridOf(t paper.Table) grid {
	return grid{t.Title, t.Head, list.Map(t.Rows, func(r []string) []prose { return list.Map(r, words) })}
}

func (n count) sessions() string {
	text := fmt.Sprint(n.Done)
	if n.Done != n.Planned {
		text += fmt.Sprintf(" of %d", n.Planned)
	}
	if n.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", n.Skipped)
	}
	return text
}

func (s Section) tally() string {
	n := s.verdicts()
	var words []string
	for _, v := range []string{claim.Tie, claim.Better, claim.Worse} {
		if n[v] == 0 {
			continue
		}
		words = append(words, fmt.Sprintf("%d %s", n[v], v))
		if v == claim.Tie && n[v] > 1 {
			words[0] += "s"
		}
	}
	if words == nil {
		return noNumber
	}
	return strings.Join(words, ", ")
}

// seedText says which seeds the section's sessions have, and which of them were run.
func (s Section) seedText() string {
	of := func(has func(study.Job) bool) []uint64 {
		seeds := list.Map(slices.DeleteFunc(slices.Clone(s.Jobs), func(j study.Job) bool { return !has(j) }),
			func(j study.Job) uint64 { return j.Config.Seed })
		slices.Sort(seeds)
		return slices.Compact(seeds)
	}
	seeds := of(func(study.Job) bool { return true })
	if len(seeds) == 0 {
		seeds = []uint64{s.Options.Seed}
	}
	text := "Seeds: " + seedRanges(seeds)
	if len(seeds) == 1 {
		text = "Seed: " + seedRanges(seeds)
	}
	run := of(func(j study.Job) bool { _, ok := s.Outcomes[j.ID]; return ok })
	if len(run) > 0 && len(run) < len(seeds) {
		text += ", of which " + seedRanges(run) + " ran"
	}
	return text + "."
}

// seedRanges writes seeds in order, those that follow one another as a range.
func seedRanges(seeds []uint64) string {
	var ranges []string
	for i := 0; i < len(seeds); {
		k := i
		for k+1 < len(seeds) && seeds[k+1] == seeds[k]+1 {
			k++
		}
		if ranges = append(ranges, fmt.Sprint(seeds[i])); k > i {
			ranges[len(ranges)-1] += fmt.Sprintf(" to %d", seeds[k])
		}
		i = k + 1
	}
	const most = 4
	if n := len(ranges); n > most { // experiments that give each session its own
		return fmt.Sprintf("%s of those from %d to %s", claim.Whole(len(seeds)), seeds[0],
			claim.Whole(seeds[len(seeds)-1]))
	}
	return strings.Join(ranges, ", ")
}

// timeText writes a time for people.
func timeText(seconds float64) string {
	switch {
	case seconds < 99.5:
		return claim.Decimal(seconds, 0) + " s"
	case seconds < 99.5*60:
		return claim.Decimal(seconds/60, 0) + " min"
	}
	return claim.Decimal(seconds/3600, 1) + " h"
}

// secondsText writes a time with three digits or so.
func secondsText(s float64) string {
	decimals := 0
	switch {
	case s < 9.995:
		decimals = 2
	case s < 99.95:
		decimals = 1
	}
	return claim.Decimal(s, decimals)
}

// homes are the experiments in whose file a session is listed, by its ID: the first that has it.
func (d Document) homes() map[string]string {
	of := map[string]string{}
	for _, s := range d.Sections {
		for _, j := range s.Jobs {
			of[j.ID] = cmp.Or(of[j.ID], s.Experiment.ID)
		}
	}
	return of
}

// sessionsFile is the file of an experiment's sessions, beside the pages.
func sessionsFile(experiment string) string { return "sessions/" + experiment + ".txt" }

// homesOf leads to the files in which the section's sessions are listed.
func (s Section) homesOf(homes map[string]string) prose {
	n := s.count()
	if n.Planned == 0 {
		return words("It has no sessions.")
	}
	said := fmt.Sprintf("%s. Together they took %s. ", n.sessions(), timeText(n.Seconds))
	if cost := s.cost(); cost != "" {
		said += "The rest take " + cost + ". "
	}
	p := labelled("Sessions", said+"The command line of each, with the digest that it gives again, is in ")
	if n.Done+n.Skipped == 0 {
		p = labelled("Sessions", fmt.Sprintf("None of %d was run. Each is named in ", n.Planned))
	}
	files := list.Distinct(list.Map(s.Jobs, func(j study.Job) string { return sessionsFile(homes[j.ID]) }))
	for i, file := range files {
		if i > 0 {
			p = append(p, span{text: ", "})
		}
		p = append(p, span{text: file, file: file})
	}
	return append(p, span{text: "."})
}

// sessions are the files of the sessions, by their names. A session has two lines: its command,
// and after # what it is, its seconds and the digest of each lane.
func (d Document) sessions() map[string][]byte {
	files, homes, done := map[string][]byte{}, d.homes(), map[string]bool{}
	for _, s := range d.Sections {
		for _, j := range s.Jobs {
			if done[j.ID] {
				continue
			}
			done[j.ID] = true
			file := sessionsFile(homes[j.ID])
			if files[file] == nil {
				files[file] = []byte("# A command line gives the digits of the session named under it: compare the " +
					"digests.\n")
			}
			files[file] = append(files[file], s.session(j)...)
		}
	}
	return files
}

func (s Section) session(j study.Job) string {
	o, ok := s.Outcomes[j.ID]
	command, what := "", figure.Clean(j.ID)
	switch {
	case !ok:
		what += ": not run"
	case o.Skipped != "":
		what += ": skipped: " + figure.Clean(o.Skipped)
	default:
		if o.Command != "" {
			command = printable.Line(o.Command) + "\n"
		}
		what += fmt.Sprintf(": %s s", secondsText(o.Seconds))
		for _, l := range o.Lanes {
			what += fmt.Sprintf(", %s %s", figure.Clean(l.Sampler), figure.Clean(l.Digest))
			if d := l.Diverged; d != nil {
				what += fmt.Sprintf(" (diverged at step %d: %s)", d.Step, figure.Clean(d.Reason()))
			}
		}
	}
	return command + "# " + what + "\n"
}
