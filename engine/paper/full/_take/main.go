// Take puts a run of all experiments in the place of the report beside it:
//
//	go run ./engine/paper/full/_take RUN
//
// from the root of the repository, with RUN the folder that "reproduce all --out RUN" wrote. It takes the pages, the
// figures and the sessions' command lines, and of the networks' sessions, which take hours, the results and what of
// their predictions decides which images are wrong (predict.Kept.Settled).
//
//	go run ./engine/paper/full/_take -add RUN
//
// takes the networks' sessions alone, of a run of some of them, beside those that are there. The
// pages have them when they are made anew from networks.jsonl.
//
//	go run ./engine/paper/full/_take -pages see,coverage RUN
//
// takes pages of a run of some experiments, and their verdicts, their tables and what of them is absent into report.md.
// Each says of which program it is. report.html has them when the whole is made anew. A run of networks is one of
// "reproduce --only-done --from networks.jsonl".
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
)

const (
	report   = "engine/paper/full"
	results  = "results-1-of-1.jsonl"
	networks = "networks.jsonl"
)

func main() {
	log.SetFlags(0)
	pages := flag.String("pages", "", "take the pages of these experiments, with commas between")
	add := flag.Bool("add", false, "take the networks' sessions beside those that are there")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("one argument is wanted: the folder of a run")
	}
	run := take
	if *pages != "" {
		run = func(run string) error { return takePages(run, strings.Split(*pages, ",")) }
	}
	if *add {
		run = func(run string) error { return takeNetworks(filepath.Join(run, results), true) }
	}
	if err := run(flag.Arg(0)); err != nil {
		log.Fatal(err)
	}
}

func take(run string) error {
	if _, err := os.Stat(filepath.Join(run, "report.md")); err != nil {
		return fmt.Errorf("%s holds no report: %w", run, err)
	}
	old, err := filepath.Glob(filepath.Join(report, "*.md"))
	if err != nil {
		return err
	}
	for _, path := range append(old, filepath.Join(report, "figures"), filepath.Join(report, "sessions"), filepath.Join(report, study.PredictionsFolder)) {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	pages, err := filepath.Glob(filepath.Join(run, "*.md"))
	if err != nil {
		return err
	}
	for _, path := range append(pages, filepath.Join(run, "report.html")) {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := atomicfile.Write(filepath.Join(report, filepath.Base(path)), b); err != nil {
			return err
		}
	}
	for _, dir := range []string{"figures", "sessions"} {
		if err := os.CopyFS(filepath.Join(report, dir), os.DirFS(filepath.Join(run, dir))); err != nil {
			return err
		}
	}
	return takeNetworks(filepath.Join(run, results), false)
}

// takePages takes pages of a run, their figures and sessions, and puts their rows of verdicts in the place of those
// that are there, or behind the last one.
func takePages(run string, ids []string) error {
	from, err := os.ReadFile(filepath.Join(run, "report.md"))
	if err != nil {
		return err
	}
	to, err := os.ReadFile(filepath.Join(report, "report.md"))
	if err != nil {
		return err
	}
	program := regexp.MustCompile(`(?m)^- (Program: .*)\n- (Machine: .*)$`).FindSubmatch(from)
	if program == nil {
		return fmt.Errorf("%s/report.md says of no program", run)
	}
	for _, id := range ids {
		row := regexp.MustCompile(`(?m)^\| \[` + regexp.QuoteMeta(id) + `\]\(.*\n`)
		rows := bytes.Join(row.FindAll(from, -1), nil)
		page, err := os.ReadFile(filepath.Join(run, id+".md"))
		if err != nil {
			return err
		}
		if rows == nil {
			return fmt.Errorf("%s/report.md has no verdict of %s", run, id)
		}
		page = fmt.Appendf(page, "\n%s.\n%s.\n", program[1], program[2])
		if err := atomicfile.Write(filepath.Join(report, id+".md"), page); err != nil {
			return err
		}
		files, err := filepath.Glob(filepath.Join(run, "*", id+`[.\-]*`))
		if err != nil {
			return err
		}
		for _, path := range files {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir := filepath.Base(filepath.Dir(path))
			if err := atomicfile.Write(filepath.Join(report, dir, filepath.Base(path)), b); err != nil {
				return err
			}
		}
		at := row.FindIndex(to)
		to = row.ReplaceAll(to, nil)
		if at == nil {
			last := regexp.MustCompile(`(?m)^\| \[.*\n`).FindAllIndex(to, -1)
			at = last[len(last)-1][1:]
		}
		to = slices.Insert(to, at[0], rows...)
	}
	return atomicfile.Write(filepath.Join(report, "report.md"), takeRest(to, from, ids))
}

// takeRest takes from a report what is there of experiments beside their verdicts: their tables, and what is absent.
func takeRest(to, from []byte, ids []string) []byte {
	for _, id := range ids {
		tables := regexp.MustCompile(`(?m)^\*\*Test errors, %, ` + id + `: .+\n\n(?:\|.*\n)+\n`)
		left := regexp.MustCompile(`(?m)^- \[` + id + `\]\(.*\n`)
		at := bytes.Index(to, []byte("## What is absent"))
		if old := tables.FindIndex(to); old != nil {
			at = old[0]
		}
		to = slices.Insert(tables.ReplaceAll(to, nil), at, bytes.Join(tables.FindAll(from, -1), nil)...)
		to = append(left.ReplaceAll(to, nil), bytes.Join(left.FindAll(from, -1), nil)...)
	}
	for _, what := range []string{"Not run", "Run in part"} {
		line := regexp.MustCompile(`(?m)^- ` + what + `: (.*)\.\n`)
		one := regexp.MustCompile(`\[([^\]]+)\]\([^)]*\) by [^(]*\([^)]*\)`)
		items := func(text []byte, of bool) (all [][]byte) {
			for _, item := range one.FindAllSubmatch(line.Find(text), -1) {
				if slices.Contains(ids, string(item[1])) == of {
					all = append(all, item[0])
				}
			}
			return all
		}
		all := append(items(to, false), items(from, true)...)
		text := fmt.Appendf(nil, "- %s: %s.\n", what, bytes.Join(all, []byte(", ")))
		if len(all) == 0 {
			text = nil
		}
		to = line.ReplaceAllLiteral(to, text)
	}
	return to
}

// takeNetworks takes the networks' sessions of a file of results, in the place of those that are there or beside them.
func takeNetworks(path string, beside bool) error {
	known, _, err := study.ReadKnown([]string{path})
	if err != nil {
		return err
	}
	from := &study.Predictions{Dir: study.PredictionsBeside([]string{path})[0]}
	to := &study.Predictions{Dir: filepath.Join(report, study.PredictionsFolder)}
	var lines [][]byte
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	there := map[string]bool{} // what lines begin with, up to the place in their plan
	if beside {
		old, err := os.ReadFile(filepath.Join(report, networks))
		if err != nil {
			return err
		}
		for line := range bytes.Lines(old) {
			lines = append(lines, line)
			there[begins(line)] = true
		}
	}
	for k, line := range bytes.SplitAfter(content, []byte("\n")) {
		if there[begins(line)] {
			continue
		}
		if k == 0 && !beside || bytes.HasPrefix(line, []byte(`{"id":"mlp`)) || bytes.HasPrefix(line, []byte(`{"id":"cnn`)) {
			lines = append(lines, line)
		}
	}
	for _, o := range known {
		kept, err := from.Of(o)
		if errors.Is(err, study.ErrNoPredictions) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.ID, err)
		}
		if err := to.Keep(o, kept.Settled()); err != nil {
			return err
		}
	}
	return atomicfile.Write(filepath.Join(report, networks), bytes.Join(lines, nil))
}

// begins is what says of which session a line is.
func begins(line []byte) string {
	id, _, _ := bytes.Cut(line, []byte(`,"at":`))
	return string(id)
}
