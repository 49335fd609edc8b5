package reproduce

import (
	"cmp"
	"fmt"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

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
