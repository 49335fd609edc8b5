package drawsfile

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// beside are the columns that stand beside the coordinates: the rows' names of R and of pandas. CmdStan's own
// end in two underscores.
var beside = []string{"", "Unnamed: 0", "index"}

// The columns of R's posterior and of ArviZ that say which chain a draw is of, and which of its draws it is, the
// plainest first.
var (
	ofChain = []string{".chain", "chain"}
	ofDraw  = []string{".draw", "draw", ".iteration", "iteration"}
)

// The columns of CmdStan and of ArviZ that tell of a draw, in the order of targets.Told. arviz are all of ArviZ's; they
// are no coordinates where a file has one of certain: energy may be one elsewhere.
var (
	tells = [targets.NumTold][]string{{"lp__", "lp"}, {"energy__", "energy"}, {"divergent__", "diverging"}}
	arviz = []string{"lp", "energy", "diverging", "acceptance_rate", "energy_error", "index_in_trajectory",
		"largest_eigval", "max_energy_error", "n_steps", "perf_counter_diff", "perf_counter_start", "process_time_diff",
		"reached_max_treedepth", "smallest_eigval", "step_size", "step_size_bar", "tree_depth"}
	certain = []string{"lp", "diverging"}
)

// What a column is, where it is no coordinate.
const (
	dropped = -1 - iota
	chainNumber
	drawNumber
)

// A matching says what each column of a header is.
type matching struct {
	is      []int    // a coordinate, from 0, or one of the above
	byPlace []string // the columns that stand for coordinates by their place
	told    [targets.NumTold]bool
	how     string // how names were matched, where they are not those of the target or CmdStan's
}

// match finds the coordinates of the given names in a header. why is not empty where the header fits in no way.
func match(names, header []string) (m matching, why string) {
	m.is = make([]int, len(header))
	same := func(column string) string { return column }
	spelled := func() []string { return list.Map(names, func(name string) string { return spell(name, 0) }) }
	forms := []struct {
		names func() []string // of the coordinates
		of    func(column string) string
	}{
		{func() []string { return names }, same}, {func() []string { return export.ColumnNames(names) }, same},
		{spelled, func(column string) string { return spell(column, 0) }},
		{spelled, func(column string) string { return spell(column, 1) }}, // from 0
	}
	arrays := map[string]bool{} // that coordinates are of
	for _, name := range names {
		base, index := indexed(name)
		arrays[base] = arrays[base] || len(index) > 0
	}
	unfit, places := false, make([]map[string]int, len(forms))
	for k, form := range forms {
		of := make(map[string]int, len(names))
		for i, name := range form.names() {
			of[name] = i
		}
		if len(of) < len(names) {
			continue // these names do not tell coordinates apart
		}
		places[k] = of
		found, more, columns := 0, false, make([]string, len(names))
		for c, column := range header {
			i, ok := of[form.of(column)]
			if m.is[c] = i; ok {
				found++
				columns[i] = cmp.Or(column, `""`)
				continue
			}
			m.is[c] = dropped
			base, index := indexed(column)
			more = more || len(index) > 0 && arrays[base]
		}
		switch {
		case slices.Contains(columns, ""):
			continue
		case found > len(names):
			return m, "has a coordinate twice in the columns " + listed(header)
		case more: // another coordinate of the array, which the target has not
			unfit = true
			continue
		case k > 1:
			m.how = listed(columns) + " were read as " + listed(names)
		}
		m.mark(header)
		return m, ""
	}
	is := parameters(header)
	if unfit {
		return m, mismatch(names, header)
	}
	for c := range m.is {
		m.is[c] = dropped
	}
	m.mark(header)
	for c, column := range header {
		if !is(column) {
			continue
		}
		next := len(m.byPlace)
		for k, of := range places {
			if i, ok := of[forms[k].of(column)]; ok && i != next {
				return m, mismatch(names, header) // its place says otherwise than its name
			}
		}
		m.is[c] = next
		m.byPlace = append(m.byPlace, column)
	}
	if len(m.byPlace) != len(names) {
		return m, mismatch(names, header)
	}
	m.how = listed(m.byPlace) + " were read as " + listed(names) + ", by their place"
	return m, ""
}

// parameters returns what reports whether a column of a header may be a coordinate by its name.
func parameters(header []string) func(column string) bool {
	sampled := slices.ContainsFunc(certain, func(name string) bool { return slices.Contains(header, name) })
	return func(column string) bool {
		return !slices.Contains(beside, column) && !slices.Contains(ofChain, column) &&
			!slices.Contains(ofDraw, column) && !strings.HasSuffix(column, "__") &&
			!(sampled && slices.Contains(arviz, column))
	}
}

// tell finds the columns that tell of a draw among those that are no coordinates, and gives them the places behind the
// d coordinates.
func (m *matching) tell(header []string, d int) (any bool) {
	is := parameters(header)
	for k, names := range tells {
		for _, name := range names {
			if c := slices.Index(header, name); c >= 0 && m.is[c] == dropped && !is(name) {
				m.is[c], m.told[k], any = d+k, true, true
				break
			}
		}
	}
	return any
}

// Common pairs the coordinates of two sets of draws that have one name, however each writes it: theta[1], theta.1 and
// theta_1 are one, and theta[0] is theta[1] where that pairs more. Pair k is coordinate of[k] of d and with[k] of o, in
// the order of d. rest and others are the names of either that have no partner.
func (d *Draws) Common(o *Draws) (of, with []int, rest, others []string) {
	spelled := func(names []string, shift int) []string {
		return list.Map(names, func(name string) string { return spell(name, shift) })
	}
	for _, shift := range [][2]int{{0, 0}, {1, 0}, {0, 1}} {
		mine, theirs := spelled(d.Names, shift[0]), map[string]int{}
		for i, name := range spelled(o.Names, shift[1]) {
			theirs[name] = i
		}
		var left, right []int
		for i, name := range mine {
			if k, ok := theirs[name]; ok {
				left, right = append(left, i), append(right, k)
				delete(theirs, name)
			}
		}
		if len(left) > len(of) {
			of, with = left, right
		}
	}
	lacking := func(names []string, found []int) []string {
		has := make([]bool, len(names))
		for _, i := range found {
			has[i] = true
		}
		left := list.Filter(list.Upto(len(names)), func(i int) bool { return !has[i] })
		return list.Map(left, func(i int) string { return names[i] })
	}
	return of, with, lacking(d.Names, of), lacking(o.Names, with)
}

// ByPlace says that the columns of a file are coordinates of the given names by their place alone, empty where they are
// not, or have names that say something: what is not x, y, … nor numbered (V1, V2) may be another model's.
func ByPlace(names, columns []string) string {
	m, why := match(names, columns)
	stems := map[string]bool{}
	for i, name := range m.byPlace {
		stem := strings.TrimRight(name, "0123456789.,_[]")
		if i < 3 && name == "xyz"[i:i+1] {
			stem = ""
		} else if stem == name {
			return ""
		}
		stems[stem] = true
	}
	if why != "" || len(stems) != 1 {
		return ""
	}
	return m.how
}

// mark finds the columns of chains and of draws among those that are no coordinates.
func (m *matching) mark(header []string) {
	for what, list := range map[int][]string{chainNumber: ofChain, drawNumber: ofDraw} {
		for _, name := range list {
			if c := slices.Index(header, name); c >= 0 && m.is[c] == dropped {
				m.is[c] = what
				break
			}
		}
	}
}

// indexed divides a name into a base and its indices: theta[2,3], theta[2][3], theta.2.3 and theta_2_3 are theta with 2
// and 3.
func indexed(name string) (base string, index []int) {
	if head, in, ok := strings.Cut(name, "["); ok && strings.HasSuffix(in, "]") {
		for digits := range strings.SplitSeq(strings.ReplaceAll(in[:len(in)-1], "][", ","), ",") {
			i, ok := whole(strings.TrimSpace(digits))
			if !ok {
				return name, nil
			}
			index = append(index, i)
		}
		return head, index
	}
	base = name
	for {
		at := strings.LastIndexAny(base, "._")
		if at < 1 {
			break
		}
		i, ok := whole(base[at+1:])
		if !ok {
			break
		}
		base, index = base[:at], append(index, i)
	}
	slices.Reverse(index)
	return base, index
}

// whole reads a number without a sign or zeros in front.
func whole(digits string) (int, bool) {
	i, err := strconv.Atoi(digits)
	return i, err == nil && i >= 0 && i < math.MaxInt32 && strconv.Itoa(i) == digits
}

// spell writes a name in one way, its indices raised by shift.
func spell(name string, shift int) string {
	base, index := indexed(name)
	for _, i := range index {
		base += "." + strconv.Itoa(i+shift)
	}
	return base
}

// mismatch says what a header has and what would fit.
func mismatch(names, header []string) string {
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			return "has two columns named " + listed([]string{name})
		}
	}
	return fmt.Sprintf("has the columns %s, want the target's coordinates by name, %s, or %s in their order",
		listed(header), listed(names), counted(len(names), "column"))
}

// counted is a number of things.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%s %s", param.Commas(strconv.Itoa(n)), noun)
}

// listed are names in a sentence, as far as they have room.
func listed(names []string) string {
	const most, width = 8, 40
	return list.Some(list.Map(names, func(name string) string { return printable.Short(cmp.Or(name, `""`), width) }),
		most)
}

// headless reports whether a line that should be a header is of numbers. pandas numbers the columns that
// have no names from 0 on.
func headless(header []string) bool {
	numbered := true
	for i, name := range header {
		if _, err := strconv.ParseFloat(name, 64); err != nil {
			return false
		}
		numbered = numbered && name == strconv.Itoa(i)
	}
	return !numbered
}
