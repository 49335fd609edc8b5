package dialog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// An Asking shows a command that a target starts, and asks whether it may.
type Asking struct {
	desk    *control.Desk
	command string // as it is shown
	yes, no func() tea.Cmd
}

// Permit asks, if err is that a target's command is not allowed, whether it may be started. On yes it is allowed and
// again is done, which opens the target again; on no refused, which may be nil. The second result is whether it asks.
func Permit(d *control.Desk, err error, again, refused func() tea.Cmd) (tea.Cmd, bool) {
	forbidden, ok := errors.AsType[*targets.Forbidden](err)
	if !ok || d.Outside.Commands == nil {
		return nil, false
	}
	a := &Asking{desk: d, command: Visible(forbidden.Command)}
	a.yes = func() tea.Cmd {
		d.Outside.Commands.Allow(forbidden.Command)
		d.Close()
		return again()
	}
	a.no = func() tea.Cmd {
		d.Close()
		if refused != nil {
			return refused()
		}
		return d.Say(false, "the command was not started")
	}
	return d.Open(a), true
}

// Visible writes a command so that nothing of it is hidden: as a quoted string with escapes, if it
// has any character but the printable ones of ASCII.
func Visible(command string) string {
	if strings.ContainsFunc(command, func(r rune) bool { return r < ' ' || r > '~' }) {
		return strconv.QuoteToASCII(command)
	}
	return command
}

// askingKeys are the keys of an answer. The one that starts a command is bound to nothing else, since
// the question may come while somebody types.
func askingKeys() []control.Binding {
	return []control.Binding{
		{Name: "command: start", Keys: "Y", Help: "start the command that is shown",
			Hint: "start the command", Rank: 1},
		{Name: "command: leave", Keys: "n", Help: "do not start it", Hint: "do not", Rank: 1},
	}
}

// Bindings implements control.Controller. A command that is not shown whole cannot be started.
func (a *Asking) Bindings() []control.Binding {
	do := map[string]func() tea.Cmd{"command: leave": a.no}
	if a.fits(a.desk.Screen.Width, a.desk.Screen.Height-1) {
		do["command: start"] = a.yes
	}
	back := with(listKeys(), map[string]func() tea.Cmd{"list: back": a.no})
	return append(append(with(askingKeys(), do), back...), control.Binding{Name: doClose, Do: a.no})
}

func (a *Asking) Update(msg tea.Msg) (tea.Cmd, bool) { return nil, true }
func (a *Asking) Slot(int) control.Slot              { return control.Slot{At: control.Over} }

// width is the room for the command on a screen of so many cells.
func (a *Asking) width(w int) int { return max(min(w-12, 100), 20) }

// fits reports whether the command is shown whole on a screen of w×h cells.
func (a *Asking) fits(w, h int) bool { return len(cut(a.command, a.width(w))) <= h-9 }

// Draw shows the command, every character of it.
func (a *Asking) Draw(g plane.Region, f *pane.Frame) {
	th := f.Theme
	g.Zone(behind)
	sw, sh := g.Size()
	w := a.width(sw)
	lines := cut(a.command, w)
	title := "start this command?"
	says := "It runs with all that you may do. Start it only if you know what it is."
	if !a.fits(sw, sh) {
		lines = lines[:max(0, min(len(lines), sh-9))]
		title = "a command that is too long to show"
		says = fmt.Sprintf("It has %d characters. --allow-exec starts it without a question.", len(a.command))
	}
	below := plane.Wrap(says, w)
	in := popup(g, th, w, len(lines)+1+len(below), plane.Box{Title: title})
	for y, line := range lines {
		in.Text(0, y, line, th.Text)
	}
	for y, line := range below {
		in.Text(0, len(lines)+1+y, line, th.Dim)
	}
}

// cut cuts printable ASCII into lines of so many characters at most.
func cut(text string, width int) (lines []string) {
	for len(text) > width {
		lines, text = append(lines, text[:width]), text[width:]
	}
	return append(lines, text)
}

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
