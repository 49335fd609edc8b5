package program

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/logistic"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

//go:embed regression.tmpl
var regressionText string

// regressions has a template for each language, by its name.
var regressions = template.Must(template.New("").Funcs(template.FuncMap{"quote": quote}).Parse(regressionText))

// A regression is what a template is told.
type regression struct {
	*logistic.Source
	needs
}

// regression writes a logistic regression: how its file is read, and its functions.
func (p *page) regression(s *logistic.Source, n needs) error {
	for _, text := range append(s.Classes[:], s.Path) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("there is no program of a name or a label that is not UTF-8, got %q", text)
		}
	}
	var b strings.Builder
	if err := regressions.ExecuteTemplate(&b, p.name, regression{s, n}); err != nil {
		panic(err) // the templates are part of the program
	}
	p.put(strings.Split(b.String(), "\n")...)
	return nil
}

// Separator stands between the fields of a line, as both languages write it. It is empty for blanks.
func (r regression) Separator() string {
	return map[dataset.Format]string{dataset.CSV: ",", dataset.Semicolon: ";", dataset.Tab: `\t`}[r.Format]
}

// LabelIsLast reports whether the label's column is the last.
func (r regression) LabelIsLast() bool { return r.Label == r.Columns-1 }

// Dropped lists the columns that are no features, counted from the one that is given.
func (r regression) Dropped(from int) string {
	all := slices.Sorted(slices.Values(append([]int{r.Label}, r.Skipped...)))
	return strings.Join(list.Map(all, func(j int) string { return strconv.Itoa(j + from) }), ", ")
}

// After is the column after the label's, which is the label's own if the first has the number 1.
func (r regression) After() int { return r.Label + 1 }

// IsOne is the condition that a label, as text or as a number, is that of class 1.
func (r regression) IsOne(text, number string) string {
	_, zero := isNumber(r.Classes[0])
	x, one := isNumber(r.Classes[1])
	switch {
	case zero && one:
		return number + " == " + strconv.FormatFloat(x, 'g', -1, 64)
	case one: // the other class is a text
		return text + " != " + quote(r.Classes[0])
	}
	return text + " == " + quote(r.Classes[1])
}

// isNumber reports whether a label is compared as a number.
func isNumber(label string) (float64, bool) {
	x, err := strconv.ParseFloat(label, 64)
	return x, err == nil && x-x == 0 && strings.Trim(label, "+-.0123456789eE") == ""
}
