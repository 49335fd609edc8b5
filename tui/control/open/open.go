// Package open is the controller of what lies over the screen for reading and choosing
// among everything: the palette, the help, the glossary.
package open

import "github.com/psgld/psgld-tui/tui/control"

// Open is the controller. What it opens is made of the bindings of all.
type Open struct {
	*control.Desk
	control.Unseen
	control.Quiet
}

// New makes the controller of a desk.
func New(d *control.Desk) *Open { return &Open{Desk: d} }

// Names of what opens by itself what it is asked from.
const paletteName, helpName, wordsName = "command", "help", "words"

// Bindings implements control.Controller.
func (c *Open) Bindings() []control.Binding {
	return control.In(control.General, nil, []control.Binding{
		{Name: paletteName, Page: control.TenKeys, Keys: ":", Help: "type any command, such as eps 0.3",
			Hint: "command", Rank: 11, Do: c.openPalette},
		{Name: helpName, Keys: "?", Help: "this help", Hint: "help", Rank: 1, Do: c.openHelp},
		{Name: wordsName, Help: "explain the words on the screen or in a pane", Do: c.openWords},
	})
}
