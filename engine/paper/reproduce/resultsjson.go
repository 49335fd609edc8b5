package reproduce

import (
	"encoding/json"
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
)

// reportForm is the version of results.json's form.
const reportForm = 1

// The form of results.json. Numbers that are not finite are null.
type (
	documentJSON struct {
		Form     int           `json:"psgld_report"`
		Version  string        `json:"version"`
		Machine  string        `json:"machine"`
		Command  string        `json:"command"`
		Sections []sectionJSON `json:"sections"`
	}
	sectionJSON struct {
		ID       string         `json:"id"`
		Title    string         `json:"title"`
		Source   string         `json:"source"`
		Reading  paper.Reading  `json:"reading"`
		Scale    paper.Scale    `json:"scale"`
		Seed     uint64         `json:"seed"`
		Repeats  int            `json:"repeats,omitempty"` // asked for
		Protocol string         `json:"protocol"`
		Planned  int            `json:"sessions"`
		Done     int            `json:"done"`
		Skipped  int            `json:"skipped"`
		Seconds  engine.Num     `json:"seconds"` // of all sessions
		Verdicts map[string]int `json:"verdicts"`
		Findings []string       `json:"findings"`
		Tables   []tableJSON    `json:"tables"`
		Figures  []figureJSON   `json:"figures"`
		Outcomes []outcomeJSON  `json:"outcomes"`
	}
	tableJSON struct {
		Title  string      `json:"title"`
		Head   []string    `json:"head"`
		Rows   [][]string  `json:"rows"`
		Scores []scoreJSON `json:"scores,omitempty"`
	}
	scoreJSON struct { // a Score that may have numbers that are not finite
		Name    string     `json:"name"`
		Unit    string     `json:"unit"`
		Paper   engine.Num `json:"paper"`
		Ours    engine.Num `json:"ours"`
		SE      engine.Num `json:"se"`
		Seeds   int        `json:"seeds"`
		Test    engine.Num `json:"test_se"`
		Verdict string     `json:"verdict"`
	}
	figureJSON struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		SVG   string `json:"svg"`
		PNG   string `json:"png"`
	}
	outcomeJSON struct {
		ID      string              `json:"id"`
		Job     string              `json:"job"` // the job's hash
		Missing bool                `json:"missing,omitempty"`
		Skipped string              `json:"skipped,omitempty"`
		Command string              `json:"command,omitempty"`
		Seconds *engine.Num         `json:"seconds,omitempty"`
		Lanes   []engine.LaneResult `json:"lanes,omitempty"`
	}
)

// results is results.json.
func (d Document) results() ([]byte, error) {
	doc := documentJSON{Form: reportForm, Version: d.Version, Machine: d.Machine, Command: d.Command, Sections: []sectionJSON{}}
	for _, s := range d.Sections {
		doc.Sections = append(doc.Sections, s.json())
	}
	b, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	return append(b, '\n'), nil
}

func (s Section) json() sectionJSON {
	e, o := s.Experiment, s.Options
	done, skipped, seconds := s.sessions()
	out := sectionJSON{
		ID: e.ID, Title: e.Title, Source: e.Source, Reading: o.Reading, Scale: o.Scale, Seed: o.Seed, Repeats: o.Repeats,
		Planned: len(s.Jobs), Done: done, Skipped: skipped, Seconds: engine.Num(seconds), Verdicts: s.verdicts(),
		Findings: append([]string{}, s.Report.Findings...), Tables: []tableJSON{}, Figures: []figureJSON{}, Outcomes: []outcomeJSON{},
	}
	if e.Protocol != nil {
		out.Protocol = e.Protocol(o)
	}
	for _, t := range s.Report.Tables {
		j := tableJSON{Title: t.Title, Head: append([]string{}, t.Head...), Rows: append([][]string{}, t.Rows...)}
		for _, c := range t.Scores {
			j.Scores = append(j.Scores, scoreJSON{c.Name, c.Unit, engine.Num(c.Paper), engine.Num(c.Ours), engine.Num(c.SE), c.Seeds, engine.Num(c.Test), c.Verdict})
		}
		out.Tables = append(out.Tables, j)
	}
	for i, f := range s.Report.Figures {
		name := "figures/" + s.figureName(i)
		out.Figures = append(out.Figures, figureJSON{f.ID, f.Title, name + ".svg", name + ".png"})
	}
	for _, j := range s.Jobs {
		out.Outcomes = append(out.Outcomes, s.outcomeJSON(j))
	}
	return out
}

func (s Section) outcomeJSON(j study.Job) outcomeJSON {
	o, ok := s.Outcomes[j.ID]
	out := outcomeJSON{ID: j.ID, Job: j.Hash(), Missing: !ok, Skipped: o.Skipped, Command: o.Command}
	if !ok || o.Skipped != "" {
		return out
	}
	seconds := engine.Num(o.Seconds)
	out.Seconds = &seconds
	for _, l := range o.Lanes {
		out.Lanes = append(out.Lanes, l.Summary())
	}
	return out
}
