package lesson

import (
	"errors"
	"fmt"
	"maps"
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
func split(line string) ([]string, error) {
	var words []string
	var b strings.Builder
	inside := false // of a word
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', '\r':
			if inside {
				words = append(words, b.String())
				b.Reset()
				inside = false
			}
		case '\'', '"':
			inside = true
			end := i + 1
			for ; end < len(line) && line[end] != c; end++ {
				if c == '"' && line[end] == '\\' && end+1 < len(line) && (line[end+1] == '"' || line[end+1] == '\\') {
					end++
				}
				b.WriteByte(line[end])
			}
			if end == len(line) {
				return nil, fmt.Errorf("has a quote %c without its end", c)
			}
			i = end
		case '\\':
			if i++; i == len(line) {
				return nil, errors.New("ends with a backslash")
			}
			inside = true
			b.WriteByte(line[i])
		default:
			inside = true
			b.WriteByte(c)
		}
	}
	if inside {
		words = append(words, b.String())
	}
	return words, nil
}
