package grammar

import (
	"fmt"
	"strings"

	"github.com/psgld/psgld-tui/engine/state"
)

// A Word is one thing that a script has done: a key, a move, a text that is typed, or a
// grid that is left after some runs.
type Word struct {
	Key  string // as Bubble Tea names it; empty for none
	Move Move   // without a name for none
	Text string
	Runs int
}

// Script reads words apart by blanks: steps=N, which runs N steps in every lane; runs=N;
// type=TEXT, of a text without blanks; and anything else for the name of a key.
func Script(text string) ([]Word, error) {
	var all []Word
	for _, word := range strings.Fields(text) {
		w := Word{Key: word}
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "steps", "runs":
			n, err := Count(value, 1)
			if err != nil {
				return nil, fmt.Errorf("%q: %s=N %w", word, name, err)
			}
			w = Word{Runs: int(n)}
			if name == "steps" {
				w = Word{Move: Move{Lane: state.AllLanes, Name: Run, Arg: value}}
			}
		case "type":
			w = Word{Text: value}
		}
		all = append(all, w)
	}
	return all, nil
}
