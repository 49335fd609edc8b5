package studies

import (
	"fmt"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
)

// listedExperiment is an experiment in the JSON document of the list.
type listedExperiment struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Source   string          `json:"source"`
	Readings []paper.Reading `json:"protocols"`
	listedScales
}

// listedScales are what some experiments take at both scales.
type listedScales struct {
	Quick listedScale `json:"quick"`
	Full  listedScale `json:"full"`
}

// listedScale is what an experiment takes at a scale.
type listedScale struct {
	Sessions int        `json:"sessions"`
	Seconds  engine.Num `json:"seconds"`           // estimated, at most
	Least    engine.Num `json:"least_seconds"`     // estimated, at least
	Missing  string     `json:"missing,omitempty"` // why it cannot be run
}

// lister finds out what experiments take.
type lister struct {
	asked   reproduce.Request
	opened  *study.Targets
	threads int
}

// List lists the experiments with an estimate of the time that they take.
func (e *Env) List(asked reproduce.Request, rt session.Runtime, asJSON bool) error {
	opened, _, _, err := sections(reproduce.Request{}, rt)
	if err != nil {
		return err
	}
	l := &lister{asked: asked, opened: opened, threads: runningThreads(rt.Threads)}
	var list []listedExperiment
	for _, id := range asked.IDs {
		x, err := reproduce.Find(id)
		console.Must(err)
		one := listedExperiment{ID: x.ID, Title: x.Title, Source: x.Source, Readings: x.Readings}
		if one.listedScales, err = l.scales(id); err != nil {
			return console.Failed(err)
		}
		list = append(list, one)
	}
	total, err := l.scales(asked.IDs...) // which share sessions
	if err != nil {
		return console.Failed(err)
	}
	if asJSON {
		console.WriteJSON(e.Out, list)
		return nil
	}
	t := text.Table{Left: 2}
	t.Add("ID", "protocols", "quick", "time", "full", "time")
	for _, x := range list {
		row := []string{x.ID, reproduce.Names(x.Readings)}
		for _, s := range []listedScale{x.Quick, x.Full} {
			if s.Missing != "" {
				row = append(row, "no data", "–")
			} else {
				row = append(row, fmt.Sprint(s.Sessions), s.roughly())
			}
		}
		t.Add(row...)
		t.Add("  " + x.Title + " (" + x.Source + ")")
	}
	t.Write(e.Out)
	fmt.Fprintln(e.Out)
	text.Paragraph(e.Out, fmt.Sprintf("Sessions, and the time that they take %d at a time, estimated from sessions "+
		"of each kind on %s. All together, with those that experiments share once: quick %s, full %s.",
		l.threads, reproduce.TimedOn(), total.Quick.roughly(), total.Full.roughly()),
		"")
	return nil
}

// scales are what some experiments take together.
func (l *lister) scales(ids ...string) (s listedScales, err error) {
	if s.Quick, err = l.scale(paper.Quick, ids); err == nil {
		s.Full, err = l.scale(paper.Full, ids)
	}
	return s, err
}

func (l *lister) scale(scale paper.Scale, ids []string) (listedScale, error) {
	r := l.asked
	r.IDs, r.Scale = ids, scale
	all, err := r.Sections(l.opened)
	if err != nil {
		return listedScale{}, err
	}
	jobs := r.Plan(all).Jobs
	if len(jobs) == 0 && len(all) > 0 && len(all[0].Report.Remarks) > 0 {
		return listedScale{Missing: all[0].Report.Remarks[0]}, nil
	}
	took, err := reproduce.Seconds(jobs, l.opened, l.threads)
	return listedScale{Sessions: len(jobs), Seconds: engine.Num(took.High), Least: engine.Num(took.Low)}, err
}

// roughly is the range for people.
func (s listedScale) roughly() string {
	low, high := roughly(float64(s.Least)), roughly(float64(s.Seconds))
	if low == high {
		return high
	}
	n, unit, _ := strings.Cut(low, " ")
	if strings.HasSuffix(high, " "+unit) && n != "<" {
		low = n
	}
	return low + " to " + high
}

// roughly is a time for people, in two digits at most.
func roughly(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < time.Second:
		return "< 1 s"
	case d < 100*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 100*time.Minute:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}
