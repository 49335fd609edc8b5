package lesson

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// parseFlags reads a session's flags as they are typed in a shell, without the
// program's name. Values are read where the target is known.
func parseFlags(line string) (grammar.Args, error) {
	words, err := split(line)
	if err != nil {
		return nil, err
	}
	flags := map[string]grammar.Flag{}
	for _, f := range grammar.Flags() {
		flags[f.Name] = f
	}
	args := grammar.Args{}
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			return nil, fmt.Errorf("%q is no flag; want flags of the command line, such as --eps 0.3", words[i])
		}
		name, value, given := strings.Cut(word, "=")
		f, known := flags[name]
		if !known {
			return nil, fmt.Errorf("unknown flag --%s%s", name, targets.Hint("--%s", name, slices.Sorted(maps.Keys(flags))))
		}
		if name == "moves" {
			return nil, errors.New("--moves is not for lessons: a scene has moves of its own")
		}
		if name == "truth" {
			return nil, errors.New("--truth is not for lessons, which would wait for it for minutes; take a target whose truth is known, or a lane of hmc to compare with")
		}
		if _, twice := args[name]; twice {
			return nil, fmt.Errorf("--%s is given twice", name)
		}
		switch {
		case given:
		case f.Switch():
			value = "true"
		case i+1 == len(words):
			return nil, fmt.Errorf("--%s has no value", name)
		default:
			i++
			value = words[i]
		}
		args[name] = value
	}
	return args, nil
}

// split cuts a line into words as a POSIX shell does, without expanding anything.
// It reads what grammar.Quote writes, but for characters that are not printable.
func split(line string) (words []string, err error) {
	inside := false // of a word
	for _, m := range pieces.FindAllStringSubmatch(line, -1) {
		blank, single, double, escaped, plain, open := m[1], m[2], m[3], m[4], m[5], m[6]
		switch {
		case blank != "":
			inside = false
			continue
		case open == `\`:
			return nil, errors.New("ends with a backslash")
		case open != "":
			return nil, fmt.Errorf("has a quote %s without its end", open)
		case !inside:
			words, inside = append(words, ""), true
		}
		words[len(words)-1] += single + unescape.Replace(double) + escaped + plain
	}
	return words, nil
}

// pieces matches blanks, what is in quotes, what stands behind a backslash, other text, and a
// quote or a backslash behind which nothing more comes.
var pieces = regexp.MustCompile(`(?s)([ \t\n\r]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^ \t\n\r'"\\]+)|(.)`)

// unescape reads the escapes between double quotes.
var unescape = strings.NewReplacer(`\"`, `"`, `\\`, `\`)
