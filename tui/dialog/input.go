package dialog

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// An Input is a line that is typed where its controller draws it.
type Input struct {
	Line
	// Characters are those that may be typed, and Otherwise is what is said to others.
	Characters, Otherwise string
	// About says what is typed, in the footer, as long as there is room: the first that
	// fits.
	About []string
	// Take reads the text, and says what is then to be done or what is wrong.
	Take func(text string) (func() tea.Cmd, error)

	desk *control.Desk
}

// NewInput makes a line to open on a desk.
func NewInput(d *control.Desk) *Input { return &Input{desk: d} }

// Bindings implements control.Controller.
func (v *Input) Bindings() []control.Binding {
	all := with(inputKeys(), map[string]func() tea.Cmd{"typing: set": v.take, "typing: cancel": v.cancel})
	hints := control.Hints(all)
	for _, about := range v.About {
		some := append([]control.Hint{{Does: about}}, hints...)
		if len(control.Fit(some, v.desk.Width-2, v.desk.Theme.ASCII)) == len(some) {
			return append([]control.Binding{{Hint: about, Rank: 2}}, all...)
		}
	}
	return all
}

func (v *Input) take() tea.Cmd {
	text := v.String()
	if text == "" {
		return v.cancel()
	}
	do, err := v.Take(text)
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

// Update implements control.Controller.
func (v *Input) Update(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok && strings.Trim(k.Text, v.Characters) != "" {
		return v.desk.Say(false, v.Otherwise+"; "+v.desk.Key("typing: cancel")+" leaves it"), true
	}
	v.Type(msg)
	return nil, true
}

// Slot implements control.Controller.
func (v *Input) Slot(int) control.Slot { return control.Slot{} }

// Draw implements control.Controller.
func (v *Input) Draw(plane.Region, *pane.Frame) {}
