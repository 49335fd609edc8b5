package studies

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/report"
	"github.com/psgld/psgld-tui/tui/theme"
)

// reproduceCommand is the command that makes a reproduction again.
func reproduceCommand(r reproduce.Request, again []string, o Options) []string {
	words := []string{grammar.Program, "reproduce"}
	all, err := reproduce.New([]string{"all"}, r.Reading, r.Scale, r.Seed, r.Repeats)
	if err == nil && len(all.IDs) == len(r.IDs) {
		words = append(words, "all")
	} else {
		words = append(words, r.IDs...)
	}
	if r.Reading != "" {
		words = append(words, "--protocol", string(r.Reading))
	}
	words = append(words, "--scale", string(r.Scale))
	if r.Seed != grammar.DefaultSeed {
		words = append(words, "--seed", strconv.FormatUint(r.Seed, 10))
	}
	if r.Repeats != 0 {
		words = append(words, "--repeats", strconv.Itoa(r.Repeats))
	}
	words = append(words, again...)
	if o.Done {
		words = append(words, "--only-done")
	}
	for i, path := range o.From { // the folder is of this machine alone
		name := filepath.Base(path)
		if !slices.ContainsFunc(o.From[:i], func(p string) bool { return filepath.Base(p) == name }) {
			words = append(words, "--from", name)
		}
	}
	return words
}

// writeReport writes the report of a whole reproduction, and prints what it says.
func (e *Env) writeReport(r reproduce.Request, all []reproduce.Section, opened *study.Targets, outcomes []study.Outcome,
	kept *study.Predictions, of string, again []string, o Options) error {
	reproduce.Complete(all, outcomes, kept)
	line := CellCommand(again)
	for _, s := range all {
		for _, j := range s.Jobs {
			if o, ok := s.Outcomes[j.ID]; ok && o.Skipped == "" {
				if p, err := opened.OpenJob(context.Background(), j); err == nil { // else its data are elsewhere
					o.Command = line(j, p)
					s.Outcomes[j.ID] = o
				}
			}
		}
	}
	d := reproduce.Document{Version: version.Provenance(of), Machine: study.Machine(),
		Command: grammar.Quote(reproduceCommand(r, again, o)...), Sections: all}
	results, err := d.Write(o.Out)
	if err != nil {
		return console.Failed(err)
	}
	if o.JSON {
		return e.printResults(results)
	}
	for _, s := range all {
		writeSection(e.Out, s)
		if o.Show {
			for _, f := range s.Report.Figures {
				e.drawFigure(f)
			}
		}
	}
	e.Out.Line("report: %s", filepath.Join(o.Out, "report.md"))
	return nil
}

// printResults prints what is in results.json on one line.
func (e *Env) printResults(results []byte) error {
	var line bytes.Buffer
	console.Must(json.Compact(&line, results))
	line.WriteByte('\n')
	_, err := e.Out.Write(printable.JSON(line.Bytes()))
	return console.Failed(err)
}

// writeSection writes a section for people: its tables and what was found.
func writeSection(w io.Writer, s reproduce.Section) {
	fmt.Fprintf(w, "%s: %s\n", s.Experiment.ID, s.Experiment.Title)
	if s.Report.Verdict != "" {
		text.Paragraph(w, "Verdict: "+s.Report.Verdict, "")
	}
	about := fmt.Sprintf("%s; protocol %s, scale %s, seed %d", s.Experiment.Source, s.Options.Reading, s.Options.Scale,
		s.Options.Seed)
	if s.Experiment.Protocol != nil {
		about += ". " + s.Experiment.Protocol(s.Options)
	}
	text.Paragraph(w, about, "")
	for _, t := range s.Report.Tables {
		fmt.Fprintln(w)
		if t.Title != "" {
			fmt.Fprintln(w, printable.Line(t.Title))
		}
		out := text.Table{Left: 1}
		out.Add(t.Head...)
		for _, row := range t.Rows {
			out.Add(row...)
		}
		out.Write(w)
		if t.Note != "" {
			text.Paragraph(w, t.Note, "")
		}
	}
	if s.Report.Instead != "" || len(s.Report.Remarks) > 0 {
		fmt.Fprintln(w)
	}
	if s.Report.Instead != "" {
		text.Paragraph(w, "What holds instead: "+s.Report.Instead, "")
	}
	for _, f := range s.Report.Remarks {
		text.Paragraph(w, f, "- ")
	}
	fmt.Fprintln(w)
}

// runningThreads is how many sessions run at a time, of which 0 asks for all cores.
func runningThreads(asked int) int { return cmp.Or(asked, runtime.GOMAXPROCS(0)) }

// figureWidth is how wide figures are drawn where there is no terminal.
const figureWidth = 100

// drawFigure draws a figure: in colour on a terminal that has any, in plain text elsewhere.
func (e *Env) drawFigure(f figure.Figure) {
	th, profile := e.figureTheme()
	if !console.IsTerminal(e.Out.W) {
		fmt.Fprintln(e.Out.Raw(), report.Figure(f, figureWidth, th))
		return
	}
	w := colorprofile.Writer{Forward: e.Out.Raw(), Profile: profile} // fewer colours where the terminal has fewer
	// e.Out remembers its error.
	_, _ = w.WriteString(strings.TrimRight(report.Figure(f, e.Out.Columns(), th), "\n") + "\n\n")
}

// figureTheme is how figures look on standard output, and the colours that it has.
func (e *Env) figureTheme() (theme.Theme, colorprofile.Profile) {
	ascii := e.Out.ASCII() || os.Getenv("TERM") == "dumb"
	if !console.IsTerminal(e.Out.W) {
		return theme.New(true, true, ascii), colorprofile.NoTTY
	}
	profile := colorprofile.Detect(e.Out.W, os.Environ())
	return theme.New(e.darkTerminal(), profile <= colorprofile.ASCII, ascii), profile
}

// darkTerminal asks the terminal for its background, which is dark if it does not answer.
func (e *Env) darkTerminal() bool {
	in, ok1 := e.In.(*os.File)
	out, ok2 := e.Out.W.(*os.File)
	if !ok1 || !ok2 || !console.IsTerminal(in) {
		return true
	}
	return lipgloss.HasDarkBackground(in, out)
}
