package drawsfile

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/targets/printable"
)

// beside are the columns that stand beside the coordinates: those of R's posterior and of ArviZ, and
// the rows' names of R and of pandas. CmdStan's own end in two underscores.
var beside = []string{".chain", ".iteration", ".draw", "chain", "iteration", "draw", "", "Unnamed: 0"}

// ofChain are the columns that say which chain a draw is of.
var ofChain = []string{".chain", "chain"}

// What a column is, where it is no coordinate.
const (
	dropped = -1 - iota
	chainNumber
)

// wanted are the names that columns may have.
type wanted struct {
	names []string
	forms []map[string]int // the coordinate of each name: as it is, and as CmdStan writes it
}

func wantedOf(names []string) wanted {
	w := wanted{names: names}
	for _, form := range [][]string{names, export.ColumnNames(names)} {
		of := make(map[string]int, len(form))
		for i, name := range form {
			of[name] = i
		}
		if len(of) == len(form) { // else names do not tell coordinates apart
			w.forms = append(w.forms, of)
		}
	}
	return w
}

// coordinates says what each column of a header is: a coordinate, from 0, or one of the above.
// byPlace are the columns that stand for coordinates by their place. why is not empty where the
// header fits in no way.
func (w wanted) coordinates(header []string) (is []int, byPlace []string, why string) {
	is = make([]int, len(header))
	for _, of := range w.forms {
		found, distinct := 0, map[int]bool{}
		for c, name := range header {
			var ok bool
			if is[c], ok = of[name]; ok {
				found++
				distinct[is[c]] = true
			} else {
				is[c] = otherwise(name)
			}
		}
		if len(distinct) == len(w.names) {
			if found > len(distinct) {
				return nil, nil, "has a coordinate twice in the columns " + listed(header)
			}
			return is, nil, ""
		}
	}
	next := 0
	for c, name := range header {
		if is[c] = dropped; !slices.Contains(beside, name) && !strings.HasSuffix(name, "__") {
			for _, of := range w.forms {
				if i, ok := of[name]; ok && i != next {
					return nil, nil, w.mismatch(header) // its place says otherwise than its name
				}
			}
			is[c] = next
			byPlace = append(byPlace, name)
			next++
		} else {
			is[c] = otherwise(name)
		}
	}
	if next != len(w.names) {
		return nil, nil, w.mismatch(header)
	}
	return is, byPlace, ""
}

// otherwise is what a column is that is no coordinate.
func otherwise(name string) int {
	if slices.Contains(ofChain, name) {
		return chainNumber
	}
	return dropped
}

// mismatch says what a header has and what would fit.
func (w wanted) mismatch(header []string) string {
	return fmt.Sprintf("has the columns %s, want the target's coordinates by name, %s, or %s in their order", listed(header), listed(w.names), counted(len(w.names), "column"))
}

// counted is a number of things.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// listed are names in a sentence, as far as they have room.
func listed(names []string) string {
	const most, width = 8, 40
	return list.Some(list.Map(names, func(name string) string { return printable.Short(cmp.Or(name, `""`), width) }), most)
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
