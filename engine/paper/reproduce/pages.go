package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/list"
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
	p := page{id: indexPage, title: "The paper, reproduced"}
	p.blocks = append(p.blocks,
		words("Preconditioned Stochastic Gradient Langevin Dynamics for Deep Neural Networks (Li, Chen, Carlson and Carin, AAAI 2016): its tables and figures, and what its theory says, beside what this program measures."),
		bullets{
			words("Program: " + d.Version), words("Machine: " + d.Machine), {{text: "Command: "}, {text: d.Command, face: code}},
			words("Every number is in results.json, which was written beside this page."),
		})
	if d.Quick() {
		p.blocks = append(p.blocks, labelled("Quick scale", "The sections marked quick have smaller networks or fewer epochs, draws or repeats than the paper. They show that everything runs, not what the paper's protocol comes to."))
	}
	verdicts := grid{head: []string{"experiment", "by", "verdict", "beside the paper", "sessions", "seconds"}}
	for _, s := range d.Sections {
		n := s.count()
		verdicts.rows = append(verdicts.rows, []prose{
			{{text: s.Experiment.ID, page: s.Experiment.ID}}, words(s.by()), words(s.verdict()), words(s.tally()), words(n.sessions()), words(secondsText(n.Seconds)),
		})
	}
	p.blocks = append(p.blocks, heading("Verdicts"), verdicts,
		words("Where the protocol of the paper's text and that of its authors' released code differ, both are run. Seconds are those of all sessions added, with evaluation."))
	beside := false
	for _, s := range d.Sections {
		if t := s.Report.Beside; t.Rows != nil {
			if !beside {
				p.blocks = append(p.blocks, heading("The paper's tables beside ours"), words(besideRule))
			}
			beside = true
			t.Title += ", by " + s.by()
			p.blocks = append(p.blocks, gridOf(t))
		}
	}
	if absent := d.absent(); absent != nil {
		p.blocks = append(p.blocks, heading("What is absent"), absent)
	}
	return p
}

// besideRule says how numbers are compared.
const besideRule = "Each cell has the paper's number, then ours. A number of ours is a tie with the paper's if |ours − paper| ≤ 2 √(se² + test²): " +
	"se is the standard error of ours over the seeds (0 with one seed, where what seeds differ by is not known) and test the binomial standard error of the test set at our error, √(p(1 − p)/n). " +
	"Else it is better or worse, and lower is better. ± is one standard error over the seeds. A number that is not there or cannot be trusted is –."

// absent lists what the report is without: whole experiments, and sessions.
func (d Document) absent() (all bullets) {
	var unasked []string
	for _, e := range Experiments() {
		if !slices.ContainsFunc(d.Sections, func(s Section) bool { return s.Experiment.ID == e.ID }) {
			unasked = append(unasked, e.ID)
		}
	}
	if unasked != nil {
		all = append(all, words("Not asked for: "+strings.Join(unasked, ", ")+"."))
	}
	for _, s := range d.Sections {
		n := s.count()
		of := prose{{text: s.Experiment.ID, page: s.Experiment.ID}, {text: " (" + s.by() + "): "}}
		if s.by() == noNumber {
			of[1].text = ": "
		}
		switch {
		case n.Planned == 0:
			all = append(all, append(of, span{text: strings.Join(s.Report.Findings, " ")}))
		case n.Done < n.Planned:
			all = append(all, append(of, span{text: fmt.Sprintf("%d of %d sessions were not run.", n.Planned-n.Done, n.Planned)}))
		}
		if n.Outdated > 0 {
			all = append(all, append(of[:2:2], span{text: fmt.Sprintf("%d of its sessions are of an earlier version of the program: their command lines give other digits today, and their digests do not compare.", n.Outdated)}))
		}
		for _, what := range s.Report.Absent {
			all = append(all, append(of[:2:2], span{text: what}))
		}
	}
	return all
}

// experimentPage is the page of an experiment, of which there is a section for each reading.
func experimentPage(readings []Section, homes map[string]string) (page, error) {
	e := readings[0].Experiment
	p := page{id: e.ID, title: e.ID + ": " + e.Title}
	p.blocks = append(p.blocks,
		prose{{text: "Source: " + e.Source + ". "}, {text: "All experiments", page: indexPage}, {text: "."}}, labelled("Question", e.Question))
	for _, s := range readings {
		if by := s.by(); by != noNumber {
			p.blocks = append(p.blocks, heading("By "+by))
		}
		p.blocks = append(p.blocks, labelled("Protocol", e.Protocol(s.Options)+" "+s.seedText()), labelled("Verdict", s.verdict()))
		for i, f := range s.Report.Figures {
			svg, err := f.SVG()
			if err != nil {
				return p, err
			}
			p.blocks = append(p.blocks, picture{s.figureName(i), f.Title, svg})
		}
		for _, t := range s.Report.Tables {
			p.blocks = append(p.blocks, gridOf(t))
		}
		if s.Report.Findings != nil {
			p.blocks = append(p.blocks, bullets(list.Map(s.Report.Findings, words)))
		}
		p.blocks = append(p.blocks, s.homesOf(homes))
	}
	return p, nil
}

// by names the section's protocol, and a quick scale. It is noNumber of an experiment that has one
// protocol alone.
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

// noVerdict stands where a report has none.
const noVerdict = "None: there are no numbers."

// verdict is the report's, or that there is none.
func (s Section) verdict() string {
	if s.Report.Verdict == "" {
		return noVerdict
	}
	return s.Report.Verdict
}

// gridOf is a table of plain text.
func gridOf(t paper.Table) grid {
	return grid{t.Title, t.Head, list.Map(t.Rows, func(r []string) []prose { return list.Map(r, words) })}
}

// sessions says how many sessions there are.
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

// tally counts verdicts, such as "3 tie, 1 worse".
func (s Section) tally() string {
	n := s.verdicts()
	var words []string
	for _, v := range []string{claim.Tie, claim.Better, claim.Worse} {
		if n[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", n[v], v))
		}
	}
	if words == nil {
		return noNumber
	}
	return strings.Join(words, ", ")
}

// seedText says which seeds the section's sessions have.
func (s Section) seedText() string {
	seeds := list.Map(s.Jobs, func(j study.Job) uint64 { return j.Config.Seed })
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	if len(seeds) == 0 {
		seeds = []uint64{s.Options.Seed}
	}
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
		return fmt.Sprintf("Seeds: %d from %d to %d.", len(seeds), seeds[0], seeds[len(seeds)-1])
	}
	label := "Seeds: "
	if len(seeds) == 1 {
		label = "Seed: "
	}
	return label + strings.Join(ranges, ", ") + "."
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
