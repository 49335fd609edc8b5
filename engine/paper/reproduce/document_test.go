package reproduce

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// madeDocument is a document of two sections with everything that one can have,
// without a session run.
func madeDocument() Document {
	nan := math.NaN()
	jobs := []study.Job{
		{ID: "blr:a|b psgld paper full seed=1", Config: state.Config{Seed: 1}},
		{ID: "blr:a|b psgld paper full seed=2", Config: state.Config{Seed: 2}},
		{ID: "blr:missing sgld paper full seed=1", Config: state.Config{Seed: 1, Target: "x"}},
		{ID: "blr:later sgld paper full seed=3", Config: state.Config{Seed: 3, Target: "y"}},
	}
	table := Section{
		Experiment: paper.Experiment{ID: "table1", Title: "Test error on a9a", Question: "Is <it> so?",
			Source: "section 5.2, table 1", Protocol: func(paper.Options) string {
				return "T = 15,000 draws, thinned by 50 <not all>."
			}},
		Options: paper.Options{Reading: paper.Text, Scale: paper.Full, Seed: 1},
		Jobs:    jobs,
		Outcomes: map[string]study.Outcome{
			jobs[0].ID: {ID: jobs[0].ID, Job: "aa",
				Command: "psgld-tui run --target blr:a9a --samplers 'psgld:eps=0.05;gamma=on' --seed 1", Seconds: 1.25,
				Lanes: []engine.LaneResult{{Lane: "A", Sampler: "psgld", Digest: "00ff", Names: []string{"w0"},
					Coords: []quantity.CoordValues{{quantity.Mean: metrics.Exact(1)}},
					Values: quantity.Values{quantity.TestError: metrics.Exact(0.1481),
						quantity.NLL: metrics.Withheld(metrics.NoDraws, 0)}}}},
			jobs[1].ID: {ID: jobs[1].ID, Job: "ab", Seconds: 200,
				Lanes: []engine.LaneResult{{Lane: "A", Sampler: "psgld", Digest: "11ee",
					Diverged: &state.Divergence{Step: 12, Coordinate: "theta[1]", Value: math.NaN(), Eps: 0.5}}}},
			jobs[2].ID: {ID: jobs[2].ID, Skipped: "a9a: no such file"},
		},
		Report: paper.Report{
			Verdict: "It is_so.",
			Instead: "That it is not.",
			Beside: paper.Table{Title: "paper / ours", Head: []string{"method", "a9a"},
				Rows: [][]string{{"a|b", "14.85 / 14.81"}}},
			Remarks: []string{"SGLD ties with pSGLD: 14.81 | 14.85.", "1. is no list", "- nor is this"},
			Tables: []paper.Table{{
				Title: "Test error, %", Note: "Ours are means.", Head: []string{"method", "paper", "ours"},
				Rows: [][]string{{"pSGLD *", "14.85", "14.81 ± 0.03"}, {"a|b", "–", "–"}},
				Scores: []claim.Score{{Name: "pSGLD", Unit: "%", Paper: 14.85, Ours: 14.81, SE: 0.03, Seeds: 2,
					Test: 0.28, Verdict: claim.Tie},
					{Name: "SGLD", Paper: 1, Ours: engine.Num(nan), Verdict: claim.Worse}},
			}},
			Figures: []figure.Figure{{ID: "a", Title: "Error | of",
				Panels: []figure.Panel{{Title: "errors",
					Series: []figure.Series{{Name: "pSGLD", Style: figure.Line, X: []float64{1, 2},
						Y: []float64{2, 1}}}}}}},
		},
	}
	pictures := Section{
		Experiment: paper.Experiment{ID: "fig1b", Title: "Draws", Source: "section 5",
			Protocol: func(paper.Options) string { return "600 draws." }},
		Options: paper.Options{Reading: paper.Authors, Scale: paper.Quick, Seed: 5},
		Report: paper.Report{
			Tables: []paper.Table{{Title: "Draws", Head: []string{"n"}, Rows: [][]string{{"600"}},
				Scores: []claim.Score{{Name: "DSVI", Unit: "%", Paper: 15.2, Ours: 15.3, Seeds: 1,
					Verdict: claim.Better}}}},
			Figures: []figure.Figure{{ID: "b"},
				{ID: "c", Title: "Little to <draw>",
					Panels: []figure.Panel{{Title: "one point",
						Series: []figure.Series{{Name: "SGLD", Style: figure.Line, X: []float64{3},
							Y: []float64{5}}}}}}},
		},
	}
	return Document{Version: "v1", Machine: "a machine", Command: "psgld-tui reproduce all",
		Sections: []Section{table, pictures}}
}

// TestDocumentWrite: a folder has each file that the report links to, no other, and
// the same bytes when it is written again.
func TestDocumentWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d := madeDocument()
	if _, err := d.Write(dir); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"fig1b.md", "figures/fig1b-authors-1.svg", "figures/fig1b-authors-2.svg", "figures/table1-paper.svg",
		"report.html", "report.md", "results.json", "sessions/table1.txt", "table1.md",
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
	checkReport(t, before)
	if _, err := d.Write(dir); err != nil {
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
	if _, err := madeDocument().Write(blocked); err == nil || !strings.Contains(err.Error(), blocked) ||
		strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v", err)
	}
	taken := filepath.Join(dir, "out")
	if err := os.MkdirAll(filepath.Join(taken, "report.md", "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, err := Document{}.Write(taken)
	if err == nil || !strings.Contains(err.Error(), filepath.Join(taken, "report.md")) ||
		strings.Contains(err.Error(), ".tmp") {
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

// TestDocumentPages: what is said, and that no text breaks the form.
func TestDocumentPages(t *testing.T) {
	d := madeDocument()
	protocol := func(paper.Options) string { return "All." }
	full := paper.Options{Reading: paper.Authors, Scale: paper.Full, Seed: 1}
	d.Sections = append(d.Sections,
		Section{
			Experiment: paper.Experiment{ID: "table2", Protocol: protocol,
				Readings: []paper.Reading{paper.Authors, paper.Text}},
			Options: full,
			Jobs:    []study.Job{{ID: "mlp", Config: state.Config{Seed: 1}}},
			Report: paper.Report{Remarks: []string{"1 session is not run: mlp."}, Left: 1.5,
				Figures: []figure.Figure{{ID: "empty"}}},
		},
		Section{Experiment: paper.Experiment{ID: "supp-fig4", Protocol: protocol}, Options: full,
			Report: paper.Report{Remarks: []string{"Not run: no data."}}})
	files, err := d.files()
	if err != nil {
		t.Fatal(err)
	}
	index := string(files["report.md"])
	if strings.Contains(index, "| [table2]") || strings.Contains(index, "| [supp-fig4]") {
		t.Errorf("there are verdicts of what was not run:\n%s", index)
	}
	if files["figures/table2-authors.svg"] != nil {
		t.Error("there is a figure of what was not run")
	}
	for name, all := range map[string][]string{
		"report.md": {
			"| [table1](table1.md) | the paper's text | It is\\_so. | 1 tie, 1 worse | 2 of 4, 1 skipped | 3 min |\n",
			"| [fig1b](fig1b.md) | the authors' code, quick | None: there are no numbers. | 1 better | 0 | 0 s |\n",
			"**paper / ours, by the paper's text**\n\n| method | a9a |\n|---|---:|\n| a\\|b | 14.85 / 14.81 |\n",
			"- Run in part: [table1](table1.md) by the paper's text (2 of 4 sessions).\n",
			"- Not asked for: fig1a, supp-fig1, ",
			"- Not run: [table2](table2.md) by the authors' code (1 session, about 90 min of a core).\n",
			"- [supp-fig4](supp-fig4.md): Not run: no data.\n",
			"ours ± one standard error over the seeds.", "t(0.975; n − 1)",
		},
		"table1.md": {
			"# table1: Test error on a9a\n", "**Question.** Is \\<it\\> so?",
			"**Verdict.** It is\\_so.\n\n**Protocol.** T = 15,000 draws, thinned by 50 \\<not all\\>. Seeds: 1 to " +
				"3, of which 1 to 2 ran.\n",
			"| a\\|b | – | – |\n\nOurs are means.\n\n**What holds instead.** That it is not.\n\n**In " +
				"detail.**\n\n- SGLD ties",
			"| method | paper | ours |\n|---|---:|---:|\n| pSGLD \\* | 14.85 | 14.81 ± 0.03 |\n| a\\|b | – | – |\n",
			"- 1\\. is no list\n", "- \\- nor is this\n", "![Error \\| of](figures/table1-paper.svg)\n",
			"[sessions/table1.txt](sessions/table1.txt).\n",
		},
		"table2.md": {"**Verdict.** Not run: its sessions take about 90 min of a core.\n\n**Protocol.** All. " +
			"Seed: 1.\n\n**Sessions.** None of 1 was run. Each is named in " +
			"[sessions/table2.txt](sessions/table2.txt).\n"},
		"supp-fig4.md": {"**Verdict.** Not run: no data.\n"},
		"fig1b.md": {"## By the authors' code, quick\n", "Seed: 5.", "| n |\n|---:|\n| 600 |\n",
			"![Little to \\<draw\\>](figures/fig1b-authors-2.svg)\n"},
		"sessions/table1.txt": {
			"psgld-tui run --target blr:a9a --samplers 'psgld:eps=0.05;gamma=on' --seed 1\n# blr:a|b psgld paper " +
				"full seed=1: 1.25 s, psgld 00ff\n",
			"psgld 11ee (diverged at step 12: theta[1] is not a number; ε = 0.5 is too large here)\n",
			"# blr:missing sgld paper full seed=1: skipped: a9a: no such file\n",
			"# blr:later sgld paper full seed=3: not run\n",
		},
		"report.html": {
			"<strong>Question.</strong> Is &lt;it&gt; so?", "<td class=\"number\">14.81 ± 0.03</td>",
			"<h2>By the authors&#39; code, quick</h2>", "<title>Little to &lt;draw&gt;</title>",
			"<a href=\"#table1\">table1</a>", "<a href=\"sessions/table1.txt\">",
			"<caption><span>Test error, %</span></caption>",
		},
	} {
		text := string(files[name])
		for _, want := range all {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in %s:\n%s", want, name, text)
			}
		}
	}
}

// TestSpans: text that a form would read as something else.
func TestSpans(t *testing.T) {
	for in, want := range map[string]string{
		"a*b_c`d":  "a\\*b\\_c\\`d",
		"x\ny\tz":  "x y z",
		"&lt;":     "&amp;lt;",
		"2) x":     "2\\) x",
		"14.85 is": "14.85 is",
		"":         "",
		"#1":       "\\#1",
		"\x1b[31m": "·\\[31m",
	} {
		if got := markdownForm.prose(words(in)); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	of := prose{{text: "a", face: strong}, {text: " b "}, {text: "c`d", face: code}, {text: "e", page: "f"},
		{text: "g", file: "h/i"}}
	if got, want := markdownForm.prose(of), "**a** b `` c`d ``[e](f.md)[g](h/i)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := htmlForm.prose(of), "<strong>a</strong> b <code>c`d</code><a href=\"#f\">e</a><a href=\"h/i\">g</a>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The committed report is whole.
func TestCommittedReport(t *testing.T) {
	files := readTree(t, filepath.Join("..", "full"))
	for name := range files { // the program that takes a run in, and what it keeps of predictions
		if strings.HasPrefix(name, "_take/") || strings.HasPrefix(name, "predictions/") {
			delete(files, name)
		}
	}
	checkReport(t, files)
}

// largestPage is what a forge shows of a page.
const largestPage = 100_000

var (
	linkMD  = regexp.MustCompile(`[^\\]\]\(([^)]*)\)`)
	linkURL = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	idHTML  = regexp.MustCompile(`<section id="([^"]*)"`)
)

// checkReport checks a report's files, by their names: every link leads to one of them, every file
// is led to, no page is too large, and the HTML is well-formed without scripts and links elsewhere.
func checkReport(t *testing.T, files map[string]string) {
	t.Helper()
	led := map[string]bool{indexPage + ".md": true, indexPage + ".html": true}
	for name, text := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		if len(text) > largestPage {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		for _, m := range linkMD.FindAllStringSubmatch(text, -1) {
			led[m[1]] = true
			if _, ok := files[m[1]]; !ok {
				t.Errorf("%s leads to %s, which is not there", name, m[1])
			}
		}
	}
	for name := range files {
		if !led[name] && !strings.HasPrefix(filepath.Ext(name), ".json") {
			t.Errorf("nothing leads to %s", name)
		}
	}
	text := files[indexPage+".html"]
	ids := map[string]bool{}
	for _, m := range idHTML.FindAllStringSubmatch(text, -1) {
		ids[m[1]] = true
	}
	for _, m := range linkURL.FindAllStringSubmatch(text, -1) {
		_, file := files[m[1]]
		if id, ok := strings.CutPrefix(m[1], "#"); !file && !(ok && ids[id]) {
			t.Errorf("the HTML leads to %s, which is not there", m[1])
		}
	}
	if strings.Contains(text, "<script") {
		t.Error("the HTML has scripts")
	}
	in := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(text, "<!DOCTYPE html>")))
	in.Strict, in.AutoClose, in.Entity = true, xml.HTMLAutoClose, xml.HTMLEntity
	in.Strict = false // for meta, which has no end; elements are balanced all the same
	for depth := 0; ; {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			if depth != 0 {
				t.Errorf("%d elements of the HTML are not closed", depth)
			}
			break
		}
		if err != nil {
			t.Errorf("the HTML: %v", err)
			break
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
}
