package control

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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
	b = cmp.Or(b, ByName(k.Bindings, do.Name))
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

// Rebind gives bindings the keys that the user wants for them, by their names, and for commands with an argument, such
// as "set theme light", bindings of their own. It returns them all and what is wrong with that, a line each: a name
// that nothing has, a key that there is not, and a key that stands for two things. Of those it does what the user
// wants, and of two wishes the first by name.
func Rebind(all []Binding, say func(wrong string) tea.Cmd, keys map[string]string,
	isKey func(string) bool) (bound []Binding, wrong []string) {
	wanted := map[string]string{} // the keys that were given, and the names that have them
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		found := false
		for i := range all {
			b := &all[i]
			if b.Called(name) && b.Group != Lists && b.Group != Typing {
				b.Keys, found = keys[name], true
			}
		}
		if word, arg, _ := strings.Cut(name, " "); !found {
			if b := ByName(all, word); b != nil && b.With != nil {
				with := b.With
				all = append(all,
					Binding{Name: name, Keys: keys[name], Unlisted: true, Group: b.Group, Help: name,
						Do: func() tea.Cmd {
							do, err := with(arg)
							if err != nil {
								return say(name + ": " + err.Error())
							}
							return do()
						}})
				found = true
			}
		}
		if !found {
			wrong = append(wrong, fmt.Sprintf("no command is called %q", name))
			continue
		}
		for _, key := range strings.Fields(keys[name]) {
			if !isKey(key) {
				wrong = append(wrong, fmt.Sprintf("%q, for %s, is no key", key, name))
			}
			if _, taken := wanted[key]; !taken {
				wanted[key] = name
			}
		}
	}
	for i := range all { // who has lost a key to one of them
		b := &all[i]
		left := slices.DeleteFunc(b.keys(), func(key string) bool {
			name, taken := wanted[key]
			lost := taken && !b.Called(name) && b.When == nil && b.Group != Lists && b.Group != Typing
			if lost {
				wrong = append(wrong,
					fmt.Sprintf("%s is for %s, and so not for %s", Label(key), name, cmp.Or(b.Name, b.Help)))
			}
			return lost
		})
		b.Keys = strings.Join(left, " ")
	}
	return all, wrong
}

// Called reports whether the binding has a name as a person types it, without the dots of what opens a list.
func (b *Binding) Called(name string) bool {
	return b.Name != "" && strings.EqualFold(strings.TrimSuffix(b.Name, " …"), strings.TrimSuffix(name, " …"))
}
