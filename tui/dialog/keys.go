// Package dialog has what any controller may open over the screen: a list to choose
// from, a text to read, a line to type.
package dialog

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Keys lists the keys of dialogs, for the help: who is open takes them by himself.
func Keys() []control.Binding {
	never := func() bool { return false }
	return append(control.In(control.Lists, never, slices.Concat(listKeys(), listingKeys(), askingKeys())),
		control.In(control.Typing, never, append(inputKeys(), editKeys()...))...)
}

// listKeys are the keys of what is chosen from, or read.
func listKeys() []control.Binding {
	return []control.Binding{
		{Name: "list: up", Keys: "up ctrl+p", Help: "move the selection", Hint: "move", Rank: 2},
		{Name: "list: down", Keys: "down ctrl+n", Help: "move the selection", Hint: "move", Rank: 2},
		{Name: "list: page up", Keys: "pgup", Help: "move it by a page"},
		{Name: "list: page down", Keys: "pgdown", Help: "move it by a page"},
		{Name: "list: search", Keys: "/", Help: "in the help: search it"},
		{Name: "list: close", Keys: "q", Help: "in the help: close it"},
		{Name: "list: complete", Keys: "tab", Help: "complete a name; of a program: next language",
			Hint: "complete", Rank: 3},
		{Name: "list: take", Keys: "enter", Help: "choose what is selected", Hint: "take", Rank: 1,
			Examples: []string{"click a line: choose it; of a lesson: answer"}},
		{Name: "list: back", Keys: "esc", Help: "go back", Hint: "back", Rank: 1},
	}
}

// inputKeys are the keys that end the typing of a line.
func inputKeys() []control.Binding {
	return []control.Binding{
		{Name: "typing: set", Keys: "enter", Help: "set the value", Hint: "set", Rank: 1},
		{Name: "typing: cancel", Keys: "esc", Help: "leave the value as it was", Hint: "cancel", Rank: 1},
	}
}

// editKeys are the keys of a line, which its text input takes.
func editKeys() []control.Binding {
	return []control.Binding{
		{Name: "typing: left", Keys: "left ctrl+b", Help: "move the cursor"},
		{Name: "typing: right", Keys: "right ctrl+f", Help: "move the cursor"},
		{Name: "typing: start", Keys: "home ctrl+a", Help: "to the start of the text, the end"},
		{Name: "typing: end", Keys: "end ctrl+e", Help: "to the start of the text, the end"},
		{Name: "typing: delete back", Keys: "backspace ctrl+h", Help: "delete a character"},
		{Name: "typing: delete", Keys: "delete ctrl+d", Help: "delete a character"},
		{Name: "typing: delete a word", Keys: "ctrl+w alt+backspace", Help: "delete a word"},
		{Name: "typing: delete to the start", Keys: "ctrl+u", Help: "delete to the start of the text, the end"},
		{Name: "typing: delete to the end", Keys: "ctrl+k", Help: "delete to the start of the text, the end"},
	}
}

// with gives those of some bindings that are named in do what they do; others it leaves out.
func with(all []control.Binding, do map[string]func() tea.Cmd) []control.Binding {
	for i := range all {
		all[i].Do = do[all[i].Name]
	}
	return list.Filter(all, func(b control.Binding) bool { return b.Do != nil })
}

// keyMap gives a text input the keys of editKeys.
func keyMap() textinput.KeyMap {
	var m textinput.KeyMap
	places := []*key.Binding{
		&m.CharacterBackward, &m.CharacterForward, &m.LineStart, &m.LineEnd, &m.DeleteCharacterBackward,
		&m.DeleteCharacterForward,
		&m.DeleteWordBackward, &m.DeleteBeforeCursor, &m.DeleteAfterCursor,
	}
	for i, b := range editKeys() {
		*places[i] = key.NewBinding(key.WithKeys(strings.Fields(b.Keys)...))
	}
	return m
}

// What the mouse does on what is open.
const (
	doPick  = "list.pick"  // a choice, by its place
	doWheel = "list.wheel" // scrolls
	doClose = "list.close"
	// nextSheet shows the next sheet of a Reading.
	nextSheet = "list.sheet"
)

// behind is what is open and what lies behind it: a click there closes what is open.
var behind = plane.Zone{ID: "layer", Click: plane.Call(doClose), Wheel: plane.Call(doWheel)}

// leave closes what is open.
func leave(d *control.Desk) func() tea.Cmd { return func() tea.Cmd { d.Close(); return nil } }
