package lesson

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// readMoves reads a scene's moves: a text of the grammar, or a list of tables, one a
// move, which is the form that lessons had at first.
func readMoves(v any) ([]grammar.Move, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		return grammar.Moves(v)
	case []any:
		var all []grammar.Move
		for i, t := range v {
			table, ok := t.(map[string]any)
			if !ok {
				return nil, fmt.Errorf("must be tables or one text, got %v", t)
			}
			m, err := tableMove(table)
			if err != nil {
				return nil, fmt.Errorf("number %d: %w", i+1, err)
			}
			all = append(all, m)
		}
		return all, nil
	}
	return nil, fmt.Errorf("must be a text such as %q, got %v", "eps=0.3; run 1000", v)
}

// tableMoves are the keys of which a table has exactly one, each with the others that it
// may have.
var tableMoves = map[string][]string{
	"run": nil, "set": {"to", "lane"}, "sampler": {"lane"}, "add": {"like"}, "remove": nil,
	"rewind": {"factor", "lane"}, "seed": nil, "restart": nil, "undo": nil,
}

// tableMove reads a move in the form of a table, such as { set = "eps", to = 0.3, lane = "A" }.
func tableMove(t map[string]any) (m grammar.Move, err error) {
	m.Lane = engine.AllLanes
	for key := range t {
		if _, ok := tableMoves[key]; ok && m.Name == "" {
			m.Name = key
		} else if ok {
			return m, fmt.Errorf("has both %s and %s", min(m.Name, key), max(m.Name, key))
		}
	}
	if m.Name == "" {
		return m, errors.New("is none of run, set, sampler, add, remove, rewind, seed, restart, undo")
	}
	for key := range t {
		if key != m.Name && !slices.Contains(tableMoves[m.Name], key) {
			return m, fmt.Errorf("%s does not belong to %s", key, m.Name)
		}
	}
	text := func(key string) string { return fmt.Sprint(t[key]) }
	lane := ""
	for _, key := range [...]string{"lane", "like"} {
		if _, ok := t[key]; ok && text(key) != "all" {
			lane = text(key)
		}
	}
	switch m.Arg = text(m.Name); m.Name {
	case "set":
		m.Name, m.Arg = m.Arg, text("to")
	case "remove":
		lane, m.Arg = m.Arg, ""
	case "rewind":
		m.Name = grammar.Back
		if _, ok := t["factor"]; ok {
			m.Arg += " " + text("factor")
		}
	case "restart", "undo":
		m.Arg = strings.TrimPrefix(m.Arg, "true")
	}
	if lane != "" {
		id, ok := grammar.Lane(lane)
		if !ok {
			return m, fmt.Errorf("lane must be A, B, C, D or all, got %q", lane)
		}
		m.Lane = id
	}
	if err = m.Check(); err != nil {
		err = fmt.Errorf("%s: %w", m, err)
	}
	return m, err
}
