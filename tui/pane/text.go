package pane

// Plural is the word for so many.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Cut is at most n bytes of a name.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// KeyOf is the key of the binding of a name, for what a pane says of keys.
func (f *Frame) KeyOf(name string) string {
	if f.Keys == nil {
		return name
	}
	return f.Keys(name)
}
