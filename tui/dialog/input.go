package dialog

import (
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
)

// An Input is a line that is typed where its controller draws it.
type Input struct {
	control.Unseen
	Line
	// About says what is typed, in the footer, as long as there is room: the first that fits.
	About []string
	// Take reads the text, and says what is then to be done or what is wrong.
	Take func(text string) (func() tea.Cmd, error)

	desk  *control.Desk
	begun string // what was there to begin with, until it is edited
}

// Begin puts a text there to begin with: what is typed takes its place, and keys that edit go on with it.
func (v *Input) Begin(text string) {
	v.Set(text)
	v.begun = text
}

// NewInput makes a line to open on a desk.
func NewInput(d *control.Desk) *Input { return &Input{desk: d} }

func (v *Input) Bindings() []control.Binding {
	all := with(inputKeys(), map[string]func() tea.Cmd{"typing: set": v.take, "typing: cancel": v.cancel})
	hints := control.Hints(all)
	for _, about := range v.About {
		some := append([]control.Hint{{Does: about}}, hints...)
		if len(control.Fit(some, v.desk.Screen.Width-2, v.desk.Theme.ASCII)) == len(some) {
			return append([]control.Binding{{Hint: about, Rank: 2}}, all...)
		}
	}
	return all
}

func (v *Input) take() tea.Cmd {
	do, err := v.Take(v.String())
	if err != nil {
		return v.desk.Say(true, err.Error())
	}
	v.desk.Close()
	return do()
}

func (v *Input) cancel() tea.Cmd {
	v.desk.Close()
	v.desk.Notices.Clear()
	return nil
}

func (v *Input) Update(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); v.begun != "" && (!ok || k.Text != "") {
		v.Set("")
	}
	v.begun = ""
	v.Type(msg)
	return nil, true
}

// Line is one line of text being typed: Bubbles' text input, with the keys of
// the one table, drawn by the plane. The zero value is empty.
type Line struct {
	in *textinput.Model
	// Pasted says that some of the text came by the clipboard since the line was empty.
	Pasted bool
}

// MaxLine is how many characters a line has at most. A path or a formula is the longest thing that is typed.
const MaxLine = 4096

func (l *Line) input() *textinput.Model {
	if l.in == nil {
		in := textinput.New()
		in.CharLimit, in.KeyMap = MaxLine, keyMap()
		in.Focus()
		l.in = &in
	}
	return l.in
}

// String is the text that was typed.
func (l *Line) String() string { return l.input().Value() }

// Set replaces the text and puts the cursor at its end.
func (l *Line) Set(s string) {
	l.input().SetValue(s)
	l.input().CursorEnd()
}

// Type types or edits by a key or by pasted text, and reports whether that changed the text or the cursor. Line breaks
// and tabs of a paste become blanks, other control characters are dropped. A paste for which there is no room is left
// out as a whole, since a part of a formula or of a command is another one.
func (l *Line) Type(msg tea.Msg) bool {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
	case tea.PasteMsg:
		if utf8.RuneCountInString(l.String())+utf8.RuneCountInString(msg.Content) > MaxLine {
			return false
		}
	default:
		return false
	}
	text, at := l.String(), l.input().Position()
	*l.input(), _ = l.input().Update(msg)
	if _, ok := msg.(tea.PasteMsg); ok || l.String() == "" {
		l.Pasted = ok
	}
	return l.String() != text || l.input().Position() != at
}

// Show writes the text with the cursor in it.
func (l *Line) Show(cursor string) string {
	text, at := []rune(l.String()), l.input().Position()
	return string(text[:at]) + cursor + string(text[at:])
}
