package lesson

import (
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// positions finds the lines of keys, as paths such as "title" or "scene[1].goal",
// in a document that has been decoded. The decoder itself tells lines in errors
// of its own alone.
func positions(data []byte) map[string]int {
	lines := map[string]int{}
	count := map[string]int{}
	table := ""
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		e := p.Expression()
		var path []string
		line := 0
		for it := e.Key(); it.Next(); {
			n := it.Node()
			path = append(path, string(n.Data))
			if line == 0 {
				line = p.Shape(n.Raw).Start.Line
			}
		}
		key := strings.Join(path, ".")
		switch e.Kind {
		case unstable.ArrayTable:
			table = fmt.Sprintf("%s[%d]", key, count[key])
			count[key]++
			lines[table] = line
			key = ""
		case unstable.Table:
			table, key = key, ""
			lines[table] = line
		}
		if key == "" {
			continue
		}
		if table != "" {
			key = table + "." + key
		}
		lines[key] = line
	}
	return lines
}

// decodeError words an error of the decoder in one line.
func decodeError(err error, source string) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := &strict.Errors[0]
		row, _ := e.Position()
		return fmt.Errorf("%s:%d: unknown key %q", source, row, strings.Join(e.Key(), "."))
	}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		row, _ := at.Position()
		return fmt.Errorf("%s:%d: %s", source, row, strings.TrimPrefix(at.Error(), "toml: "))
	}
	return fmt.Errorf("%s: %s", source, strings.TrimPrefix(err.Error(), "toml: "))
}
