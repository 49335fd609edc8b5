package reproduce

import (
	"encoding/json"
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// reportForm is the version of results.json's form.
const reportForm = 1

// The form of results.json. Numbers that are not finite are null.
type (
	documentJSON struct {
		Form int `json:"psgld_report"`
		Document
		Sections []sectionJSON `json:"sections"`
	}
	sectionJSON struct {
		paper.Experiment
		paper.Options
		Protocol string `json:"protocol"`
		count
		Seconds  engine.Num     `json:"seconds"` // of all sessions
		Verdicts map[string]int `json:"verdicts"`
		paper.Report
		Figures  []figureJSON  `json:"figures"`
		Outcomes []outcomeJSON `json:"outcomes"`
	}
	figureJSON struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		SVG   string `json:"svg"`
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

func (d Document) results() ([]byte, error) {
	b, err := json.MarshalIndent(documentJSON{reportForm, d, list.Map(d.Sections, Section.json)}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	return append(b, '\n'), nil
}

func (s Section) json() sectionJSON {
	n := s.count()
	out := sectionJSON{
		Experiment: s.Experiment,
		Options:    s.Options,
		Protocol:   s.Experiment.Protocol(s.Options),
		count:      n,
		Seconds:    engine.Num(n.Seconds),
		Verdicts:   s.verdicts(),
		Report:     s.Report,
		Figures:    []figureJSON{}, Outcomes: list.Map(s.Jobs, s.outcomeJSON),
	}
	// none is an empty list
	out.Remarks, out.Tables = append([]string{}, s.Report.Remarks...), append([]paper.Table{}, s.Report.Tables...)
	for i, f := range s.Report.Figures {
		out.Figures = append(out.Figures, figureJSON{f.ID, f.Title, picture{name: s.figureName(i)}.File()})
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
	out.Lanes = list.Map(o.Lanes, engine.LaneResult.Summary)
	return out
}
