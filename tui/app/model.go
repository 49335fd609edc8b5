package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/control/choose"
	"github.com/psgld/psgld-tui/tui/control/compare"
	"github.com/psgld/psgld-tui/tui/control/history"
	"github.com/psgld/psgld-tui/tui/control/images"
	"github.com/psgld/psgld-tui/tui/control/inspect"
	"github.com/psgld/psgld-tui/tui/control/keep"
	"github.com/psgld/psgld-tui/tui/control/layout"
	"github.com/psgld/psgld-tui/tui/control/lesson"
	"github.com/psgld/psgld-tui/tui/control/open"
	"github.com/psgld/psgld-tui/tui/control/run"
	"github.com/psgld/psgld-tui/tui/control/says"
	"github.com/psgld/psgld-tui/tui/control/settings"
	"github.com/psgld/psgld-tui/tui/control/steer"
	"github.com/psgld/psgld-tui/tui/control/sweep"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/pixels"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view"
	sweepview "github.com/psgld/psgld-tui/tui/view/sweep"
	"github.com/psgld/psgld-tui/tui/wording"
)

// model is the root of the program. It routes messages to its parts.
type model struct {
	*control.Desk
	controllers []control.Controller // in the order in which keys are asked of them
	opts        Options
	views       []pane.View
	drawn       string // the newest frame, which stands until something makes it dirty
	pointer     pointer
	failed      error            // why there is no session
	images      *pixels.Terminal // nil where there are none
	asked       uint64           // the press of a quit that was held back; the next one quits
	awaited     awaited
}

// newModel makes the model of a session; one that is nil is given by attach.
func newModel(ctx context.Context, s control.Session, o Options) *model {
	kept := openSettings(&o)
	m := &model{
		opts: o,
		Desk: &control.Desk{Feed: control.NewFeed(ctx, s, o.FPS), Settings: kept, Outside: o.Outside, Now: time.Now},
	}
	grid := new(sweepview.Shown)
	m.views, m.Theme = view.All(grid), newTheme(o)
	m.Screen.Plane, m.Screen.Redraw, m.Screen.DrawAs = plane.NewPlane(0, 0), m.draw, m.drawAs
	m.Screen.Plane.ASCII, m.Screen.Plane.NoImages = m.Theme.ASCII, kept.Kept.Graphics == "off"
	m.controllers = []control.Controller{ // a line each
		run.New(m.Desk, o.Fresh, o.Lesson == nil && o.Class == nil && o.Outside.Write != nil && !o.Outside.Recorded),
		steer.New(m.Desk),
		choose.New(m.Desk, o.DataDir),
		history.New(m.Desk),
		layout.New(m.Desk),
		images.New(m.Desk),
		inspect.New(m.Desk),
		lesson.New(m.Desk, lesson.Options{DataDir: o.DataDir, Lessons: o.Lessons, Begin: o.Lesson, Class: o.Class, Seed: o.Seed}),
		sweep.New(ctx, m.Desk, grid),
		keep.New(m.Desk, o.getenv),
		settings.New(m.Desk, o.ASCII, o.Lesson != nil),
		open.New(m.Desk),
		says.New(m.Desk),
		compare.New(ctx, m.Desk),
	}
	for _, more := range o.More {
		m.controllers = append(m.controllers, more(m.Desk))
	}
	m.Keys.Bindings = m.bindings()
	m.Keys.Bindings, m.Settings.WrongKeys = control.Rebind(m.Keys.Bindings,
		func(wrong string) tea.Cmd { return m.Say(true, wrong) }, kept.Kept.Keys, isKey)
	m.Focus.Param = "eps"
	if s != nil {
		m.attach(s)
	}
	return m
}

func (m *model) attach(s control.Session) {
	m.Feed.Begin(s)
	m.Focus.Lane = m.Feed.Newest.Lanes[0].ID
	m.suit()
	m.Notices.Seen = m.Feed.Newest.Notice.Serial
}

// suit turns to another view where the target wants one: to Learning for a network on the Stage,
// and to the Stage where the view has nothing to show.
func (m *model) suit() tea.Cmd {
	switch v := m.Focus.View; {
	case m.Feed.Foreseen.Problem.F32 != nil && v == view.Stage:
		return m.Show(view.Learning)
	case m.Feed.Lacks(v) != "":
		return m.Show(view.Stage)
	}
	return nil
}

// illustrate has the plane show images on a terminal that may be able to, or one behind tmux,
// unless that is nil or the settings leave them out.
func (m *model) illustrate(images *pixels.Terminal) {
	able := m.opts.asksVersion() || m.opts.getenv("TMUX") != ""
	if images != nil && able && !m.Screen.Plane.NoImages && !m.Theme.NoColor && !m.Theme.ASCII {
		m.images, m.Screen.Plane.Images = images, images
	}
}

func (m *model) Init() tea.Cmd {
	var ask tea.Cmd
	if m.opts.Dark == nil && !m.Theme.NoColor {
		ask = m.awaited.ask(tea.RequestBackgroundColor)
	}
	if m.Feed.Begun() {
		return tea.Batch(ask, m.begin())
	}
	return tea.Batch(ask, m.Fetch(m.opts.Opening, m.opts.opens(m)))
}

// begin shows the session from its start.
func (m *model) begin() tea.Cmd {
	if began := m.opts.began; began != nil {
		defer began() // it does first what it is told here
	}
	cmds := []tea.Cmd{m.Feed.Wait(), m.Feed.Start()}
	if m.images != nil || m.opts.asksVersion() && m.Settings.Kept.Octants == "auto" {
		cmds = append(cmds, m.awaited.ask(tea.RequestTerminalVersion))
	}
	if note := m.Feed.Newest.Problem.Remark(); note != "" {
		cmds = append(cmds, m.Say(false, wording.OnScreen(note)))
	}
	return tea.Batch(append(cmds, m.followed(m.tell(control.BeginMsg{})))...)
}

func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.images != nil && m.images.Update(msg) {
		m.Screen.Dirty = true
	}
	switch msg := msg.(type) {
	case control.TickMsg:
		before := m.Feed.Newest
		fresh, next := m.Feed.OnTick(msg)
		return m, m.took(before, fresh, next)
	case control.ChangedMsg:
		before := m.Feed.Newest
		fresh, next := m.Feed.OnChanged()
		return m, m.took(before, fresh, next)
	case tea.KeyPressMsg:
		m.Screen.Dirty = true
		return m, m.followed(m.press(msg))
	case tea.PasteMsg:
		m.Screen.Dirty = true
		return m, m.paste(msg)
	case tea.MouseMsg:
		if !m.Feed.Begun() {
			return m, nil
		}
		return m, m.followed(m.mouse(msg))
	case tea.WindowSizeMsg:
		anew := m.resize(msg.Width, msg.Height)
		if !m.Feed.Begun() {
			return m, anew
		}
		return m, tea.Batch(anew, m.tell(msg))
	case control.NoticeOverMsg:
		if m.Notices.Over(msg) {
			m.Screen.Dirty = true
			m.Keys.Press++ // a question that stands no longer is answered by no key
		}
	case control.OpenedMsg:
		return m, m.Fetched(msg)
	case control.ThenMsg:
		return m, msg()
	default:
		for _, c := range m.controllers {
			if cmd, took := c.Update(msg); took {
				return m, cmd
			}
		}
	}
	return m, nil
}

// tell tells all controllers of something that has happened.
func (m *model) tell(what tea.Msg) tea.Cmd {
	return tea.Batch(list.Map(m.controllers, func(c control.Controller) tea.Cmd {
		cmd, _ := c.Update(what)
		return cmd
	})...)
}

// followed sends AfterMsg to the controllers, after a message was dealt with.
func (m *model) followed(cmd tea.Cmd) tea.Cmd {
	if !m.Feed.Begun() {
		return cmd
	}
	return tea.Batch(cmd, m.tell(control.AfterMsg{}))
}

func (m *model) View() tea.View {
	switch {
	case m.Screen.Dirty && m.Feed.Begun():
		m.draw()
		m.tell(control.DrawnMsg{})
	case m.Screen.Dirty:
		m.drawOpening()
	}
	return m.shown()
}

// shown is the newest frame.
func (m *model) shown() tea.View {
	return tea.View{Content: m.drawn, AltScreen: true, MouseMode: tea.MouseModeAllMotion}
}

// took handles a new snapshot, if there is one.
func (m *model) took(before *engine.Snapshot, fresh bool, next tea.Cmd) tea.Cmd {
	if !fresh {
		return next
	}
	m.Screen.Dirty = true
	m.Focus.Follow(before, m.Feed.Newest)
	if before.Problem.Opened() != m.Feed.Newest.Problem.Opened() {
		next = tea.Batch(next, m.suit())
	}
	return m.followed(tea.Batch(next, m.Notices.Pull(m.Feed.Newest), m.tell(control.SnapshotMsg{Before: before})))
}

// press handles a key. Esc twice at once comes from a terminal as alt+esc does, and means the two.
func (m *model) press(k tea.KeyPressMsg) tea.Cmd {
	if k.Code != tea.KeyEscape || !k.Mod.Contains(tea.ModAlt) {
		return m.key(k)
	}
	esc := tea.KeyPressMsg{Code: tea.KeyEscape}
	return tea.Batch(m.key(esc), m.key(esc))
}

// key routes a key: to a binding that is Always there, to the layer, then to the first binding for
// the state of the screen.
func (m *model) key(k tea.KeyPressMsg) tea.Cmd {
	m.Keys.Press++
	all := m.Keys.Bindings
	if !m.Feed.Begun() {
		all = m.ofOpening()
	}
	b := control.ByKey(all, k.String())
	if b != nil && b.Always {
		return b.Do()
	}
	if m.Keys.Layer != nil {
		if own := control.ByKey(m.Keys.Layer.Bindings(), k.String()); own != nil {
			return own.Do()
		}
		if cmd, took := m.Keys.Layer.Update(k); took {
			return cmd
		}
	}
	if !m.Feed.Begun() {
		if b != nil {
			return b.Do()
		}
		return nil
	}
	m.Notices.Answer()
	var cmd tea.Cmd
	if b != nil {
		cmd = b.Do()
	} else {
		cmd = m.noKey(k)
	}
	m.Notices.Answered(m.Feed.Newest, m.Feed.Sent)
	return cmd
}

// places are where keys have a meaning of their own: the group of the help, and what leads there.
var places = [...]struct {
	group            control.Group
	where, by, named string
}{
	{control.Teaching, "in a lesson", "lesson", "lesson: "},
	{control.Grid, "in the sweep", "view: sweep", "sweep: "},
	{control.Views, "among images", "browse and shift images", "images: "},
	{control.Panes, "on a chart's values", "exact values", "values: "},
}

// noKey says of a key that does nothing here where it does something, or where the keys are listed.
func (m *model) noKey(k tea.KeyPressMsg) tea.Cmd {
	key := k.String()
	for _, p := range places {
		for i := range m.Keys.Bindings {
			if b := &m.Keys.Bindings[i]; b.Group == p.group && b.When != nil && b.Has(key) {
				help, _, _ := strings.Cut(strings.TrimPrefix(b.Help, p.named), ";") // the rest is of other keys
				return m.Say(false,
					fmt.Sprintf("%s does nothing here; %s (%s): %s", control.Label(key), p.where, m.Keys.First(p.by), help))
			}
		}
	}
	if k.Text == "" && !slices.ContainsFunc(dialog.Keys(), func(b control.Binding) bool { return b.Has(key) }) {
		return nil // what a terminal may send by itself
	}
	return m.Say(false, control.Label(key)+" does nothing here; "+m.Keys.First("help")+" lists the keys")
}

// paste routes pasted text, which has a place only where text is typed.
func (m *model) paste(msg tea.PasteMsg) tea.Cmd {
	if m.Keys.Layer == nil {
		return nil
	}
	if n := utf8.RuneCountInString(msg.Content); n > dialog.MaxLine {
		return m.Say(true, fmt.Sprintf("the pasted text has %s characters; want at most %s", plane.Commas(uint64(n)),
			plane.Commas(dialog.MaxLine)))
	}
	cmd, _ := m.Keys.Layer.Update(msg)
	return cmd
}

// wholeScrolls takes any scroll region away, and leaves the cursor where it is (DECSC, DECSTBM, DECRC).
const wholeScrolls = "\x1b7\x1b[r\x1b8"

// resize gives the screen another size. A terminal that has grown may get a frame of the size before, which ends with a
// scroll region of that size. So all is drawn once more after that is gone.
func (m *model) resize(w, h int) (anew tea.Cmd) {
	if m.Screen.Width == w && m.Screen.Height == h {
		return nil
	}
	if m.Screen.Width > 0 {
		anew = tea.Sequence(tea.Raw(wholeScrolls), tea.ClearScreen)
	}
	m.Screen.Width, m.Screen.Height = max(0, w), max(0, h)
	m.Screen.Plane.Resize(m.Screen.Width, m.Screen.Height)
	m.Feed.Rate = lineRate(m.Screen.Width, m.Screen.Height) * cmp.Or(m.opts.Line, 1)
	m.Screen.Dirty = true
	return anew
}
