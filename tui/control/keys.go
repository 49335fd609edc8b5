package control

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/plane"
)

// Keys is who has the keys and the mouse.
type Keys struct {
	Bindings []Binding // of all controllers
	// Press counts what the user has asked for, so that "once more" is the next of it.
	Press uint64
	// Layer is what is open over the screen; nil for nothing.
	Layer Controller
}

// First is the first key of the binding with a name, for messages such as "press r". Without a key
// it is the command to type. Without such a binding it is the name itself.
func (k *Keys) First(name string) string {
	for i := range k.Bindings {
		if b := &k.Bindings[i]; b.Name == name {
			return cmp.Or(b.First(), ":"+strings.TrimSuffix(name, " …"))
		}
	}
	return name
}

// Do does what the binding with a name does. Without such a binding it does nothing.
func (k *Keys) Do(name string) tea.Cmd {
	if b := ByName(k.Bindings, name); b != nil && b.Do != nil {
		return b.Do()
	}
	return nil
}

// On does what the binding does that a zone names. It reports whether there is one, in the layer or else on the screen.
func (k *Keys) On(do plane.Do, h Hit) (cmd tea.Cmd, ok bool) {
	var b *Binding
	if k.Layer != nil {
		b = ByName(k.Layer.Bindings(), do.Name)
	}
	if b == nil {
		b = ByName(k.Bindings, do.Name)
	}
	switch h.Args = do.Args; {
	case b == nil:
		return nil, false
	case b.At != nil:
		return b.At(h), true
	case b.Do != nil:
		return b.Do(), true
	}
	return nil, true
}

// BackHint says how the previous thing comes back. It says "press", since the key is B, which is a lane's name too.
func (k *Keys) BackHint(name, what string) string {
	verb, key := "type", k.First(name)
	if !strings.HasPrefix(key, ":") {
		verb = "press"
	}
	return verb + " " + key + " to go back to the previous " + what
}

// Projecting says what leads on and out of projector mode.
func (k *Keys) Projecting() string {
	return "projector mode: " + k.First("next pane") + " another pane, " + k.First("layout") + " back"
}
