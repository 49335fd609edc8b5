package lesson

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/psgld/psgld-tui/targets"
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
		hint := ""
		if key := e.Key(); len(key) > 0 {
			hint = targets.Hint("%q", key[len(key)-1], keysAt(len(key)))
		}
		return fmt.Errorf("%s:%d: unknown key %q%s", source, row, strings.Join(e.Key(), "."), hint)
	}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		row, _ := at.Position()
		return fmt.Errorf("%s:%d: %s", source, row, plainWords(at.Error()))
	}
	return fmt.Errorf("%s: %s", source, plainWords(err.Error()))
}

// keysAt lists the keys that may stand at a depth of the file: at 1 those of the
// lesson, below that those of a scene.
func keysAt(depth int) []string {
	of := reflect.TypeFor[lessonFile]()
	if depth > 1 {
		of = reflect.TypeFor[sceneFile]()
	}
	var keys []string
	for i := range of.NumField() {
		keys = append(keys, of.Field(i).Tag.Get("toml"))
	}
	return keys
}

// wrongKind is what the decoder says of a value of a wrong kind.
var wrongKind = regexp.MustCompile(`^cannot decode TOML (.+) into struct field lesson\.(\w+)\.(\w+) of type (.+)$`)

// plainWords says without the words of Go what the decoder says.
func plainWords(text string) string {
	text = strings.TrimPrefix(text, "toml: ")
	m := wrongKind.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	key, want := m[3], m[4]
	for _, t := range []reflect.Type{reflect.TypeFor[lessonFile](), reflect.TypeFor[sceneFile]()} {
		if f, ok := t.FieldByName(key); ok && t.Name() == m[2] {
			key = f.Tag.Get("toml")
		}
	}
	for _, kind := range []struct{ of, is string }{
		{"[]string", "texts in brackets"}, {"string", "a text in quotes"}, {"bool", "true or false"}, {"uint64", "a whole number, 0 or more"},
		{"int", "a whole number"}, {"float64", "a number"},
	} {
		if strings.TrimPrefix(want, "*") == kind.of {
			want = kind.is
		}
	}
	return fmt.Sprintf("%s takes %s, got the TOML kind %s", key, want, m[1])
}
