package dialog

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A Listing shows a program, as it is written, which is copied from there.
type Listing struct {
	desk      *control.Desk
	title     string
	lines     []string
	wide      int // the longest line
	copy      func() tea.Cmd
	other     func() tea.Cmd // shows it in the next language
	top, left int
	most      [2]int // the largest of both
	page      int
}

// NewListing makes a listing of a program, to open on a desk. copied copies it, and other shows it in another language.
func NewListing(d *control.Desk, title, text string, copied, other func() tea.Cmd) *Listing {
	l := &Listing{desk: d, title: title, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), copy: copied,
		other: other}
	l.wide = list.Max(l.lines, plane.Width)
	return l
}

// listingKeys are those of a listing alone.
func listingKeys() []control.Binding {
	return []control.Binding{
		{Name: "list: copy", Keys: "y", Help: "of a program: copy it", Hint: "copy", Rank: 1},
	}
}

func (l *Listing) Bindings() []control.Binding {
	l.measure(l.desk.Screen.Width, l.desk.Screen.Height-1) // the keys that scroll are named before it is drawn
	by := func(rows int) func() tea.Cmd { return func() tea.Cmd { l.scroll(rows, 0); return nil } }
	leave := leave(l.desk)
	all := with(append(listingKeys(), listKeys()...), map[string]func() tea.Cmd{
		"list: up": by(-1), "list: down": by(1), "list: page up": by(-l.page), "list: page down": by(l.page),
		"list: copy": l.copy, "list: complete": l.other, "list: take": leave, "list: back": leave, "list: close": leave,
	})
	for i := range all {
		switch b := &all[i]; b.Name {
		case "list: take":
			b.Hint = ""
		case "list: complete":
			b.Hint, b.Rank = "language", 1
		case "list: up", "list: down":
			if b.Hint = ""; l.most[0] > 0 {
				b.Hint = "scroll"
			}
		}
	}
	return append(all, control.Binding{Name: doClose, Do: leave},
		control.Binding{Name: doWheel, At: func(at control.Hit) tea.Cmd {
			if at.Along {
				l.scroll(0, at.By)
			} else {
				l.scroll(-at.By, 0)
			}
			return nil
		}})
}

// sideways is by how many cells a key moves a program that is wider than the screen.
const sideways = 8

// Update implements control.Controller. Other keys do nothing.
func (l *Listing) Update(msg tea.Msg) (tea.Cmd, bool) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		if edit := control.ByKey(editKeys(), k.String()); edit != nil {
			switch edit.Name {
			case "typing: left":
				l.scroll(0, -sideways)
			case "typing: right":
				l.scroll(0, sideways)
			case "typing: start":
				l.scroll(-len(l.lines), -l.wide)
			case "typing: end":
				l.scroll(len(l.lines), 0)
			}
		}
	}
	return nil, true
}

func (l *Listing) Slot(int) control.Slot { return control.Slot{At: control.Over} }

func (l *Listing) scroll(rows, cells int) {
	l.top, l.left = min(max(l.top+rows, 0), l.most[0]), min(max(l.left+cells, 0), l.most[1])
}

// measure says how many cells the program has on a screen of w×h, above the footer.
func (l *Listing) measure(w, h int) (iw, ih int) {
	iw, ih, _ = popupSize(w, h, l.wide, len(l.lines))
	l.page, l.most = max(1, ih), [2]int{max(0, len(l.lines)-ih), max(0, l.wide-iw)}
	l.scroll(0, 0)
	return iw, ih
}

// Draw draws the lines in sight.
func (l *Listing) Draw(g plane.Region, f *pane.Frame) {
	th := f.Theme
	g.Zone(behind)
	w, h := l.measure(g.Size())
	foot := ""
	if l.most[0] > 0 {
		foot = fmt.Sprintf("%d%%", 100*l.top/l.most[0])
	}
	if l.most[1] > 0 {
		foot = strings.TrimSpace(strings.Join([]string{"← → aside", foot}, "  "))
	}
	if th.ASCII {
		foot = control.Spelled(foot)
	}
	in := popup(g, th, w, h, plane.Box{Title: l.title, Foot: foot})
	for y := range min(h, len(l.lines)-l.top) {
		line := l.lines[l.top+y]
		code, comment := line, ""
		if at := strings.Index(line, "#"); at >= 0 && strings.Count(line[:at], `"`)%2 == 0 {
			code, comment = line[:at], line[at:]
		}
		row := in.Sub(plane.Rect{Y: y, W: w, H: 1})
		row.Text(row.Text(-l.left, 0, code, th.Text), 0, comment, th.Dim)
	}
}
