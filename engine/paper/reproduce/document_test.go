package reproduce

import (
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// madeDocument is a document of two sections with everything that one can have,
// without a session run.
func madeDocument() Document {
	nan := math.NaN()
	jobs := []study.Job{
		{ID: "blr:a|b psgld paper full seed=1", Config: engine.Config{Seed: 1}},
		{ID: "blr:a|b psgld paper full seed=2", Config: engine.Config{Seed: 2}},
		{ID: "blr:missing sgld paper full seed=1", Config: engine.Config{Seed: 1, Target: "x"}},
		{ID: "blr:later sgld paper full seed=3", Config: engine.Config{Seed: 3, Target: "y"}},
	}
	table := Section{
		Experiment: paper.Experiment{ID: "table1", Title: "Test error on a9a", Source: "section 5.2, table 1", Protocol: func(paper.Options) string { return "T = 15,000 draws, thinned by 50 <not all>." }},
		Options:    paper.Options{Reading: paper.Text, Scale: paper.Full, Seed: 1},
		Jobs:       jobs,
		Outcomes: map[string]study.Outcome{
			jobs[0].ID: {ID: jobs[0].ID, Job: "aa", Command: "psgld-tui run --target blr:a9a --samplers 'psgld:eps=0.05;gamma=on' --seed 1", Seconds: 1.25,
				Lanes: []engine.LaneResult{{Lane: "A", Sampler: "psgld", Digest: "00ff", Names: []string{"w0"}, Coords: []quantity.CoordValues{{quantity.Mean: metrics.Exact(1)}}, Values: quantity.Values{quantity.TestError: metrics.Exact(0.1481), quantity.NLL: metrics.Withheld(metrics.NoDraws, 0)}}}},
			jobs[1].ID: {ID: jobs[1].ID, Job: "ab", Seconds: 200,
				Lanes: []engine.LaneResult{{Lane: "A", Sampler: "psgld", Digest: "11ee", Diverged: &engine.Divergence{Step: 12, Coordinate: "theta[1]", Value: math.NaN(), Eps: 0.5}}}},
			jobs[2].ID: {ID: jobs[2].ID, Skipped: "a9a: no such file"},
		},
		Report: paper.Report{
			Findings: []string{"SGLD ties with pSGLD: 14.81 | 14.85.", "1. is no list", "- nor is this"},
			Tables: []paper.Table{{
				Title: "Test error, %", Head: []string{"method", "paper", "ours"},
				Rows:   [][]string{{"pSGLD *", "14.85", "14.81 ± 0.03"}, {"a|b", "–", "–"}},
				Scores: []claim.Score{{Name: "pSGLD", Unit: "%", Paper: 14.85, Ours: 14.81, SE: 0.03, Seeds: 2, Test: 0.28, Verdict: claim.Tie}, {Name: "SGLD", Paper: 1, Ours: engine.Num(nan), Verdict: claim.Worse}},
			}},
			Figures: []figure.Figure{{ID: "a", Title: "Error | of", Panels: []figure.Panel{{Title: "errors", Series: []figure.Series{{Name: "pSGLD", Style: figure.Line, X: []float64{1, 2}, Y: []float64{2, 1}}}}}}},
		},
	}
	pictures := Section{
		Experiment: paper.Experiment{ID: "fig1b", Title: "Draws", Source: "section 5", Protocol: func(paper.Options) string { return "600 draws." }}, Options: paper.Options{Reading: paper.Authors, Scale: paper.Quick, Seed: 5},
		Report: paper.Report{
			Tables:  []paper.Table{{Title: "Draws", Head: []string{"n"}, Rows: [][]string{{"600"}}, Scores: []claim.Score{{Name: "DSVI", Unit: "%", Paper: 15.2, Ours: 15.3, Seeds: 1, Verdict: claim.Better}}}},
			Figures: []figure.Figure{{ID: "b"}, {ID: "c", Title: "Little to <draw>", Panels: []figure.Panel{{Title: "one point", Series: []figure.Series{{Name: "SGLD", Style: figure.Line, X: []float64{3}, Y: []float64{5}}}}}}},
		},
	}
	return Document{Version: "v1", Machine: "a machine", Command: "psgld-tui reproduce all", Sections: []Section{table, pictures}}
}

// TestDocumentWrite: a folder has each file that the report links to, no other, and
// the same bytes when it is written again.
func TestDocumentWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d := madeDocument()
	if err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"figures/fig1b-authors-1.png", "figures/fig1b-authors-1.svg", "figures/fig1b-authors-2.png", "figures/fig1b-authors-2.svg",
		"figures/table1-paper.png", "figures/table1-paper.svg", "report.md", "results.json",
	}
	before := readTree(t, dir)
	names := []string{}
	for n := range before {
		names = append(names, n)
	}
	slices.Sort(names)
	if !slices.Equal(names, want) {
		t.Fatalf("files %q, want %q", names, want)
	}
	report := before["report.md"]
	for _, n := range names {
		if strings.HasPrefix(n, "figures/") && !strings.Contains(report, "("+n+")") {
			t.Errorf("the report does not link to %s", n)
		}
	}
	if err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
	after := readTree(t, dir)
	for n, b := range before {
		if after[n] != b {
			t.Errorf("%s is another the second time", n)
		}
	}
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestDocumentWriteErrors: a folder or file that cannot be written is named in one
// line, and no temporary file stays.
func TestDocumentWriteErrors(t *testing.T) {
	dir := t.TempDir()
	blocked := filepath.Join(dir, "file")
	if err := os.WriteFile(blocked, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := madeDocument().Write(blocked); err == nil || !strings.Contains(err.Error(), blocked) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	taken := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(taken, "report.md", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	err := Document{}.Write(taken)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(taken, "report.md")) || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("error %v", err)
	}
	for n := range readTree(t, taken) {
		if strings.HasSuffix(n, ".tmp") {
			t.Errorf("%s is left", n)
		}
	}
}

// TestDocumentResults: results.json is JSON with null for what is not a number, and
// without vectors and curves.
func TestDocumentResults(t *testing.T) {
	b, err := madeDocument().results()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Sections []struct {
			ID      string
			Done    int
			Skipped int
			Tables  []struct {
				Scores []struct {
					Ours    *float64
					Verdict string
				}
			}
			Outcomes []map[string]any
		}
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	s := got.Sections[0]
	if s.ID != "table1" || s.Done != 2 || s.Skipped != 1 {
		t.Errorf("section %+v", s)
	}
	if sc := s.Tables[0].Scores; *sc[0].Ours != 14.81 || sc[1].Ours != nil {
		t.Errorf("scores %+v", sc)
	}
	lane := s.Outcomes[0]["lanes"].([]any)[0].(map[string]any)
	if lane["digest"] != "00ff" || lane["test_error"] != 0.1481 || lane["nll"] != nil {
		t.Errorf("lane %v", lane)
	}
	for _, k := range []string{"names", "mean", "sd", "mcse", "act", "ess", "cov", "bias"} {
		if _, ok := lane[k]; ok {
			t.Errorf("a lane has %q", k)
		}
	}
	if s.Outcomes[2]["skipped"] != "a9a: no such file" || s.Outcomes[3]["missing"] != true {
		t.Errorf("outcomes %v", s.Outcomes)
	}
}

// TestDocumentMarkdown: what is said, and that no text breaks the form.
func TestDocumentMarkdown(t *testing.T) {
	text := string(madeDocument().markdown())
	for _, want := range []string{
		"| [table1](#table1-test-error-on-a9a-paper) | paper | full | 2 of 4, 1 skipped | 201 | 1 tie, 1 worse |",
		"| [fig1b](#fig1b-draws-authors-quick) | authors | quick | 0 | 0.00 | 1 better |",
		"## fig1b: Draws (authors, quick)",
		"Protocol: T = 15,000 draws, thinned by 50 \\<not all\\>.",
		"Seeds: 1 to 3.", "Seed: 5.", "Scale: **quick**",
		"| method | paper | ours |\n|---|---:|---:|\n| pSGLD \\* | 14.85 | 14.81 ± 0.03 |\n| a\\|b | – | – |\n",
		"- 1\\. is no list\n", "- \\- nor is this\n",
		"| n |\n|---:|\n| 600 |\n",
		"- **blr:a\\|b psgld paper full seed=1**, 1.25 s, psgld `00ff`  \n  `psgld-tui run --target blr:a9a --samplers 'psgld:eps=0.05;gamma=on' --seed 1`\n",
		"psgld `11ee` (diverged at step 12: theta\\[1\\] is not a number; ε = 0.5 is too large here)\n",
		"- **blr:missing sgld paper full seed=1**: skipped: a9a: no such file\n",
		"- **blr:later sgld paper full seed=3**: not run\n",
		"(figures/fig1b-authors-2.png)](figures/fig1b-authors-2.svg)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "± is one standard error"); n != 1 {
		t.Errorf("the rule is explained %d times", n)
	}
}

// TestInlineMD: text that Markdown would read as something else.
func TestInlineMD(t *testing.T) {
	for in, want := range map[string]string{
		"a*b_c`d": "a\\*b\\_c\\`d", "x\ny\tz": "x y z", "&lt;": "&amp;lt;", "2) x": "2\\) x", "14.85 is": "14.85 is", "": "", "#1": "\\#1",
	} {
		if got := inlineMD(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := codeMD("a`b"); got != "`` a`b ``" {
		t.Errorf("code %q", got)
	}
}
