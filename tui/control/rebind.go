package control

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

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
