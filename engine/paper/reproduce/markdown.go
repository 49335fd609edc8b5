package reproduce

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/list"
)

//go:embed report.md.tmpl
var reportText string

// report is the form of report.md, of a Document.
var report = template.Must(template.New("report.md").Funcs(template.FuncMap{
	"md": inlineMD, "code": codeMD, "anchor": anchorMD, "row": rowMD, "rule": ruleMD, "seconds": secondsText,
	"heading": Section.heading, "seeds": Section.seedText, "count": Section.count, "tally": Section.tally, "figure": Section.figureName,
	"quick": func(s Section) bool { return s.Options.Scale == paper.Quick },
}).Parse(reportText))

// markdown is report.md.
func (d Document) markdown() []byte {
	var b strings.Builder
	if err := report.Execute(&b, d); err != nil {
		panic(err) // a Document has all that the form asks for
	}
	return []byte(b.String())
}

// heading is the section's title as it stands in its heading.
func (s Section) heading() string {
	h := s.Experiment.ID + ": " + s.Experiment.Title + " (" + string(s.Options.Reading)
	if s.Options.Scale == paper.Quick {
		h += ", quick"
	}
	return h + ")"
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
		return claim.NoNumber
	}
	return strings.Join(words, ", ")
}

// seedText says which seeds the section's sessions have.
func (s Section) seedText() string {
	seeds := list.Map(s.Jobs, func(j study.Job) uint64 { return j.Config.Seed })
	slices.Sort(seeds)
	seeds = slices.Compact(seeds)
	switch n := len(seeds); {
	case n == 0:
		return fmt.Sprintf("Seed: %d.", s.Options.Seed)
	case n == 1:
		return fmt.Sprintf("Seed: %d.", seeds[0])
	case seeds[n-1]-seeds[0] == uint64(n-1):
		return fmt.Sprintf("Seeds: %d to %d.", seeds[0], seeds[n-1])
	}
	return "Seeds: " + strings.ReplaceAll(strings.Trim(fmt.Sprint(seeds), "[]"), " ", ", ") + "."
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

// rowMD is a row of a table, of cells that may be any text.
func rowMD(cells []string) string {
	row := "|"
	for _, c := range cells {
		row += " " + inlineMD(c) + " |"
	}
	return row
}

// ruleMD is the line under a table's head. Columns of numbers are flush right.
func ruleMD(t paper.Table) string {
	rule := ""
	for c := range t.Head {
		rule += "|---"
		if numericColumn(t.Rows, c) {
			rule += ":"
		}
	}
	return rule + "|"
}

var numberStart = regexp.MustCompile(`^[-+.]?\d`)

// numericColumn reports whether every cell of a column begins like a number, or is
// empty or none.
func numericColumn(rows [][]string, c int) bool {
	any := false
	for _, r := range rows {
		switch {
		case r[c] == "" || r[c] == claim.NoNumber:
		case !numberStart.MatchString(r[c]):
			return false
		default:
			any = true
		}
	}
	return any
}

var (
	special  = regexp.MustCompile("[\\\\`*_|~\\[\\]$<>]")
	newBlock = regexp.MustCompile(`^(?:(\d+)([.)] )|([-+] |#))`) // what begins a list or a heading
)

// inlineMD writes text so that GitHub shows it as it is, on one line and in a table's
// cell.
func inlineMD(s string) string {
	s = strings.ReplaceAll(figure.Clean(s), "&", "&amp;")
	return newBlock.ReplaceAllString(special.ReplaceAllString(s, `\$0`), `$1\$2$3`)
}

// codeMD writes text as code, between as many backticks as it takes. A bar would end
// a table's cell, so this is for text outside tables.
func codeMD(s string) string {
	s = figure.Clean(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	switch {
	case s == "":
		return claim.NoNumber
	case fence != "`":
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

// anchorMD is the fragment that GitHub gives a heading: lower case, without
// punctuation, spaces as hyphens.
func anchorMD(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '-' || r == '_':
			return r
		}
		return -1
	}, strings.ToLower(figure.Clean(heading)))
}
