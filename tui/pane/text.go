package pane

// Plural is one if n is 1, else more.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Cut cuts a name to at most n bytes, between characters.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// KeyOf is the key of a binding by its name.
func (f *Frame) KeyOf(name string) string {
	if f.Keys == nil {
		return name
	}
	return f.Keys(name)
}
