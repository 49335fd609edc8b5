// Package tomlfile decodes the TOML files that users write.
package tomlfile

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/psgld/psgld-tui/targets/tool/list"
)

// Lines are the lines of keys, by paths such as "title" or "scene[1].goal".
type Lines map[string]int

// Decode decodes a file into the struct that to points to, of which every field has a toml tag. A key that has no field
// is an error. The error is one line with the source, the line in it and what is wrong.
func Decode(data []byte, source string, to any) (Lines, error) {
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(to)
	if err == nil {
		return positions(data), nil
	}
	all := structs(reflect.TypeOf(to).Elem())
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		e := &strict.Errors[0]
		row, _ := e.Position()
		keys := list.Map(reflect.VisibleFields(all[min(len(e.Key()), len(all))-1]),
			func(f reflect.StructField) string { return f.Tag.Get("toml") })
		hint := cmp.Or(list.Hint("%q", e.Key()[len(e.Key())-1], keys), "; there are "+strings.Join(keys, ", "))
		return nil, fmt.Errorf("%s:%d: unknown key %q%s", source, row, strings.Join(e.Key(), "."), hint)
	}
	var at *toml.DecodeError
	if errors.As(err, &at) {
		row, _ := at.Position()
		return nil, fmt.Errorf("%s:%d: %s", source, row, plainWords(at.Error(), all))
	}
	return nil, fmt.Errorf("%s: %s", source, plainWords(err.Error(), all))
}

// structs are a struct and those in its lists.
func structs(t reflect.Type) []reflect.Type {
	all := []reflect.Type{t}
	for _, f := range reflect.VisibleFields(t) {
		if f.Type.Kind() == reflect.Slice && f.Type.Elem().Kind() == reflect.Struct {
			all = append(all, structs(f.Type.Elem())...)
		}
	}
	return all
}

// wrongKind is what the decoder says of a value of a wrong kind.
var wrongKind = regexp.MustCompile(`^cannot decode TOML (.+) into struct field \w+\.(\w+)\.(\w+) of type (.+)$`)

// plainWords says without the words of Go what the decoder says.
func plainWords(text string, structs []reflect.Type) string {
	text = strings.TrimPrefix(text, "toml: ")
	m := wrongKind.FindStringSubmatch(text)
	if m == nil {
		return text
	}
	key, want := m[3], m[4]
	for _, t := range structs {
		if f, ok := t.FieldByName(key); ok && t.Name() == m[2] {
			key = f.Tag.Get("toml")
		}
	}
	for _, kind := range []struct{ of, is string }{
		{"[]string", "texts in brackets"}, {"string", "a text in quotes"}, {"bool", "true or false"},
		{"uint64", "a whole number, 0 or more"},
		{"int", "a whole number"}, {"float64", "a number"},
	} {
		if strings.TrimPrefix(want, "*") == kind.of {
			want = kind.is
		}
	}
	return fmt.Sprintf("%s takes %s, got the TOML kind %s", key, want, m[1])
}

// positions finds the lines in a document that has been decoded. The decoder itself
// tells lines in its own errors alone.
func positions(data []byte) Lines {
	lines := Lines{}
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
			line = cmp.Or(line, p.Shape(n.Raw).Start.Line)
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
