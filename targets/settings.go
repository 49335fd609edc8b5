package targets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A SpecError says that a target's spec or one of its options is wrong. An error about the data that a spec names is
// another: a program's exit status tells wrong usage from failure. Test for it with errors.As.
type SpecError struct {
	Field string // "target", "dataset" or "standardize"
	Err   error  // goes on after the field's name
}

// Error words the error in one line.
func (e *SpecError) Error() string { return e.Field + " " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SpecError) Unwrap() error { return e.Err }

func misuse(format string, args ...any) error {
	return &SpecError{"target", fmt.Errorf(format, args...)}
}

// A setting is one key of a target's settings, as in gaussian:a=2;noise=0.1.
type setting struct {
	key string
	// set takes the value; its error says what is allowed.
	set func(value string) error
}

// parseSettings reads "key=value;key=value" for the target name.
func parseSettings(name, args string, known []setting) error {
	given, err := Assignments(args, list.Map(known, func(s setting) string { return s.key }))
	if err != nil {
		return misuse("%s: %w", name, err)
	}
	for _, s := range given {
		at := slices.IndexFunc(known, func(k setting) bool { return k.key == s.Key })
		if err := known[at].set(s.Text); err != nil {
			return misuse("%s: %s %w", name, s.Key, err)
		}
	}
	return nil
}

// An Assignment is key=value in its text form.
type Assignment struct{ Key, Text string }

// Assignments reads "key=value;key=value" with those keys, each once. Blanks around keys and
// values do not count, nor do empty parts.
func Assignments(text string, keys []string) (all []Assignment, err error) {
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		s := Assignment{strings.TrimSpace(key), strings.TrimSpace(value)}
		switch {
		case !slices.Contains(keys, s.Key):
			return nil, list.Unknown("setting", s.Key, keys)
		case s.Text == "":
			return nil, fmt.Errorf("setting %s has no value, want %s=VALUE", s.Key, s.Key)
		case slices.ContainsFunc(all, func(o Assignment) bool { return o.Key == s.Key }):
			return nil, fmt.Errorf("setting %s is given twice", s.Key)
		}
		all = append(all, s)
	}
	return all, nil
}

// A number is a setting that is a number in [lo, hi].
type number struct {
	key              string
	to               *float64
	standard, lo, hi float64 // standard is its value without the setting
}

// setting is the number's, which sets it to its standard to begin with.
func (n number) setting() setting {
	*n.to = n.standard
	return setting{n.key, func(value string) error {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= n.lo && x <= n.hi) {
			return fmt.Errorf("must be a number from %v to %v, got %q", n.lo, n.hi, value)
		}
		*n.to = x
		return nil
	}}
}

// whole is a setting that is a whole number in [lo, hi].
func whole(key string, to *int, lo, hi int) setting {
	allowed := fmt.Sprintf("a whole number from %d to %d", lo, hi)
	if lo == hi {
		allowed = strconv.Itoa(lo)
	}
	return setting{key, func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < lo || n > hi {
			return fmt.Errorf("must be %s, got %q", allowed, value)
		}
		*to = n
		return nil
	}}
}

// parseNumbers is parseSettings of a target whose settings are all numbers.
func parseNumbers(name, args string, all []number) error {
	return parseSettings(name, args, list.Map(all, number.setting))
}

// parameters declares numbers as what can be turned while a session runs, in order, each with what it is.
func parameters(all []number, docs ...string) []param.Param {
	out := make([]param.Param, len(all))
	for i, n := range all {
		n.standard = *n.to
		out[i] = turned(n, docs[i])
		out[i].Aside = true
	}
	return out
}

// turned declares a number as a parameter that can be turned while a session runs, with its
// standard as default. A positive one is turned by factors, unless it is a share.
func turned(n number, doc string) param.Param {
	q := param.Param{Key: KeyPrefix + n.key, Symbol: n.key, Doc: doc, Min: n.lo, Max: n.hi, Default: n.standard}
	size := math.Abs(n.standard)
	switch {
	case n.hi <= 1 && n.lo >= 0:
		q.Lo, q.Hi = n.lo, n.hi
	case n.standard > 0:
		q.Scale, q.Lo, q.Hi = param.Log, max(n.lo, param.Round(size/30, 1)), min(n.hi, param.Round(size*30, 1))
	default:
		q.Lo, q.Hi = max(n.lo, -max(2*size, 2)), min(n.hi, max(2*size, 2))
	}
	return q
}

func finite(value string) (float64, bool) {
	x, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// canonical writes name:key=value;… of the numbers that differ from their standards, in the order given.
func canonical(name string, all []number) string {
	sep := ":"
	for _, n := range all {
		if *n.to != n.standard {
			name += sep + n.key + "=" + format(*n.to)
			sep = ";"
		}
	}
	return name
}

// format writes a number with the digits it needs.
func format(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// noSuch is the SpecError of a field's value that is none of from.
func noSuch(field, value string, from []string, more string) error {
	return &SpecError{field, fmt.Errorf("%q is unknown%s; want one of %s%s",
		value, list.Hint("%q", value, from), strings.Join(from, ", "), more)}
}
