package reproduce

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/targets/tool/regular"
)

// A Section is one reading of an experiment, with what came of it.
type Section struct {
	Experiment paper.Experiment
	Options    paper.Options
	Report     paper.Report
	Jobs       []study.Job
	Outcomes   map[string]study.Outcome // by job ID; a job without one was not run
}

// A Document is the report of a reproduction.
type Document struct {
	Version  string    `json:"version"` // of the program
	Machine  string    `json:"machine"`
	Command  string    `json:"command"` // that wrote it
	Sections []Section `json:"-"`
}

// Quick reports whether a section is of the quick scale.
func (d Document) Quick() bool {
	return slices.ContainsFunc(d.Sections, func(s Section) bool { return s.Options.Scale == paper.Quick })
}

// Write writes the report into a folder, which it makes: an index, report.md, a page an experiment, report.html with
// all of them, figures/*.svg, sessions/*.txt and results.json. The index is written last, when all that it leads to is
// there. It returns what is in results.json. The error is a line that names the file.
func (d Document) Write(dir string) (results []byte, err error) {
	files, err := d.files()
	if err != nil {
		return nil, err
	}
	index := indexPage + ".md"
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(files)), func(n string) bool { return n == index })
	for _, name := range append(names, index) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, atomicfile.CannotWrite(filepath.Dir(path), err)
		}
		if err := writeFile(path, files[name]); err != nil {
			return nil, err
		}
	}
	return files[resultsFile], nil
}

const resultsFile = "results.json"

// files are all files of the report by their names, which have slashes.
func (d Document) files() (map[string][]byte, error) {
	pages, err := d.pages()
	if err != nil {
		return nil, err
	}
	files := d.sessions()
	for _, p := range pages {
		files[p.ID+".md"] = markdownForm.write(p)
		for _, b := range p.Blocks {
			if f, ok := b.(picture); ok {
				files[f.File()] = f.svg
			}
		}
	}
	files["report.html"] = htmlForm.write(pages)
	b, err := d.results()
	files[resultsFile] = printable.JSON(b)
	return files, err
}

// figureName is the name of the i-th figure's files without extension.
func (s Section) figureName(i int) string {
	name := s.Experiment.ID + "-" + string(s.Options.Reading)
	if len(s.Report.Figures) > 1 {
		name += fmt.Sprintf("-%d", i+1)
	}
	return name
}

// A count is how many jobs a section has, how many of them are done or were skipped, and
// the seconds that those that are done took together.
type count struct {
	Planned int `json:"sessions"`
	Done    int `json:"done"`
	Skipped int `json:"skipped"`
	// Outdated are those of Done that have other digits today.
	Outdated int     `json:"outdated,omitempty"`
	Seconds  float64 `json:"-"`
}

func (s Section) count() count {
	n := count{Planned: len(s.Jobs)}
	for _, j := range s.Jobs {
		switch o, ok := s.Outcomes[j.ID]; {
		case !ok:
		case o.Skipped != "":
			n.Skipped++
		default:
			n.Done++
			if o.Outdated(j) {
				n.Outdated++
			}
			n.Seconds += o.Seconds
		}
	}
	return n
}

func (s Section) verdicts() map[string]int {
	n := map[string]int{}
	for _, t := range s.Report.Tables {
		for _, sc := range t.Scores {
			n[sc.Verdict]++
		}
	}
	return n
}

// writeFile writes a file, unless it has the content already.
func writeFile(path string, b []byte) error {
	if have, err := regular.Read(path, int64(len(b))); err == nil && bytes.Equal(have, b) {
		return nil
	}
	return atomicfile.Write(path, b)
}

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
