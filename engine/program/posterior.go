package program

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/formula"
	"github.com/psgld/psgld-tui/targets/logistic"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// posterior writes how a table is read, and the log density of statements about its columns.
func (p *page) posterior(t *targets.Problem, f *formula.Posterior, n needs) error {
	table, array := t.Table, map[string]string{"numpy": "np.array(%, float)",
		"torch": "torch.tensor(%, dtype=torch.float64)", "r": "as.numeric(%)"}[p.name]
	keys := append(list.Map(f.Columns, func(c formula.Name) string { return table.Keys[c.Column] }), table.Path)
	switch is := table.Keys != nil; {
	case table.Own(): // its columns are written out
	case is && p.isR:
		return fmt.Errorf("there is no program in R of data in JSON, want a CSV file, or one of numpy, torch")
	case !is && (table.Zipped || table.Format == dataset.LIBSVM):
		return fmt.Errorf("there is no program of the target %s, %w", t.Spec, errNoTarget)
	case slices.ContainsFunc(keys, func(text string) bool { return !utf8.ValidString(text) }):
		return fmt.Errorf("there is no program of a name that is not UTF-8, got %q", table.Path)
	case is && table.Zipped:
		p.put("archive = zipfile.ZipFile("+quote(table.Path)+")",
			"data = json.loads(archive.read(archive.namelist()[0]))")
	case is && table.Packed:
		p.put("data = json.load(gzip.open(" + quote(table.Path) + "))")
	case is:
		p.put("data = json.load(open(" + quote(table.Path) + `, encoding="utf-8-sig"))`)
	default:
		var b strings.Builder
		source := &logistic.Source{Path: table.Path, Format: table.Format, Packed: table.Packed, Header: table.Header}
		if err := regressions.ExecuteTemplate(&b, map[bool]string{false: "rows", true: "table"}[p.isR],
			regression{source, n}); err != nil {
			panic(err) // the templates are part of the program
		}
		p.put(strings.Split(b.String(), "\n")...)
	}
	s, taken := f.Symbols(), takenNames()
	x := p.expressor(t, s, taken)
	for _, c := range f.Columns {
		name := free(c.Word(), taken)
		base, k, matrix := strings.Cut(strings.TrimSuffix(c.Column, "]"), "[,")
		at := slices.Index(table.Names, c.Column)
		from := fmt.Sprintf("[float(r[%d]) for r in rows]", at)
		switch {
		case table.Own():
			from = "[" + strings.Join(list.Map(table.Of[c.Column], p.number), ", ") + "]"
			if p.isR {
				from = "c(" + from[1:len(from)-1] + ")"
			}
		case p.isR:
			from = fmt.Sprintf("d[[%d]]", at+1)
		}
		if table.Keys != nil {
			from = "data[" + quote(table.Keys[base]) + "]"
		}
		if matrix {
			column, _ := strconv.Atoi(k) // it was read by this
			from = fmt.Sprintf("[r[%d] for r in %s]", column-1, from)
		}
		p.put(name + p.is() + strings.ReplaceAll(array, "%", from))
		if slices.Contains(table.Scaled, c.Column) {
			p.let(fmt.Sprintf("%[1]s = (%[1]s - mean(%[1]s))/sqrt(mean((%[1]s - mean(%[1]s))^2))", name))
		}
		if lag := table.Lag; lag > 0 {
			p.either(fmt.Sprintf("%[1]s = %[1]s[%[2]d:len(%[1]s) - %[3]d]", name, lag-c.Lag, c.Lag),
				fmt.Sprintf("%[1]s <- %[1]s[%[2]d:(length(%[1]s) - %[3]d)]", name, lag-c.Lag+1, c.Lag))
		}
		if n.Batch {
			name += "[i]"
		}
		x.coordinates = append(x.coordinates, name)
	}
	first, _, _ := strings.Cut(x.coordinates[x.dim], "[")
	p.either("N = len("+first+")", "N <- length("+first+")")
	p.put("D"+p.is()+strconv.Itoa(x.dim), "")
	return p.density(t, s, x, n)
}
