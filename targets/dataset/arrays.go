package dataset

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// An Array is one member of an object of JSON, with its last index running first.
type Array struct {
	Name string
	Dims []int // none of a single number
	X    []float64
}

// LoadArrays reads the numbers and the arrays of numbers of one object of JSON, in a zip or not, by their names. Other
// members are left out.
func LoadArrays(path string) (all []Array, err error) {
	err = opened(path, nil, func(name string, r io.Reader, size int64) error {
		s, err := newSource(name, r, size)
		if err != nil {
			return err
		}
		object, err := s.object()
		for _, key := range slices.Sorted(maps.Keys(object)) {
			var value any
			if json.Unmarshal(object[key], &value) != nil || Word(key) != key {
				continue
			}
			if a := (Array{Name: key}); a.add(value, 0) == nil {
				all = append(all, a)
			} else if _, list := value.([]any); list {
				return s.whole("%s %v", key, a.add(value, 0))
			}
		}
		return err
	})
	return all, err
}

// add adds what is below a level of indices.
func (a *Array) add(value any, level int) error {
	switch v := value.(type) {
	case bool:
		if v {
			a.X = append(a.X, 1)
		} else {
			a.X = append(a.X, 0)
		}
	case float64:
		a.X = append(a.X, v)
	case []any:
		if len(a.Dims) == level {
			a.Dims = append(a.Dims, len(v))
		}
		if a.Dims[level] != len(v) {
			return fmt.Errorf("lists of %d and of %d numbers, want one length", a.Dims[level], len(v))
		}
		for _, x := range v {
			if err := a.add(x, level+1); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("has %s, want numbers", printable.Short(fmt.Sprint(v), 40))
	}
	if level != len(a.Dims) {
		return fmt.Errorf("has a number among its lists, want lists of one depth")
	}
	return nil
}
