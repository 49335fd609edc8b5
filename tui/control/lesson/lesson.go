// Package lesson plays a lesson on the screen.
//
// How it works. A lesson.Run is the progress of a lesson as a value: which scene is at hand,
// what it waits for, what its card says. It knows no screen. The Player holds one, and hands it
// what the user answers and what the session has come to.
//
// A scene with a session of its own is entered in three steps. Player.enter has its
// target opened beside the screen, Player.opened sends the session and shows the card,
// and the first snapshot that knows of it sets the screen as the scene wants it. A scene
// without one sets the screen at once.
//
// While a question is open the session is paused, and keys that would run it say why
// not. Player.look gives every new snapshot of the lesson's session to Run.See, which tells
// whether the goal is reached. Snapshots of another target are none of the lesson's.
//
// An earlier scene that is read once more changes nothing: the session stays that of the scene
// progress.live, or of one before it.
//
// The card stands below the view, in one of three sizes. On a small screen it folds when
// a scene's question is answered, until something new is to be read. Each choice is a zone, so
// that a click answers.
package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Options are what a Player needs beside the desk.
type Options struct {
	// DataDir is the data folder of the scenes' targets.
	DataDir string
	// Lessons reads the lessons to choose from. Those that are wrong are left out, and
	// the error says why. Nil stands for those of the program.
	Lessons func() ([]*lesson.Lesson, error)
	// Begin is the lesson with whose first session the program starts; nil for none.
	Begin *lesson.Lesson
	// Seed is added to the seeds of the scenes' sessions.
	Seed uint64
	// Class is the room in which the lesson is played; nil for none.
	Class control.Class
}

// A Player is the lesson that is on, if one is.
type Player struct {
	*control.Desk
	Options Options
	progress
	// The newest frame has this card, with room rows for it and the view, of which it wants
	// rows, and these keys.
	shown      card
	room, rows int
	keys       []control.Hint
}

// progress is how far the lesson is that is on. The zero value is none.
type progress struct {
	Playing bool
	Run     lesson.Run
	// List is the lessons among which it is, for what comes next.
	List []*lesson.Lesson

	// The session at hand was started for the scene live or one before it. It is
	// on problem, and snapshots show it that know of the first from commands.
	live    int
	problem *targets.Problem
	from    uint64
	Unset   bool // the screen is not yet as the scene wants it
	Away    bool // the user has gone to another target
	fetch   int  // the desk's, of the newest scene that was opened

	Holding bool   // the session stands for the sake of a question
	leaving uint64 // the press after which the next leaves
	digit   uint64 // that of a digit where nothing is asked: once more and it shows a view
	digits  string // which digit
	waits   int    // a prediction that waits until the question is closed, counted from 1; 0 for none
	Card    CardSize
	scroll  int
}

// CardSize is how much of the screen a lesson's card takes.
type CardSize uint8

// The sizes.
const (
	Natural CardSize = iota // Beside; Folded while something is to be done that followed a question, and the view needs the room
	Beside                  // at most half, with the view above it
	Whole                   // all that it needs
	Folded                  // the task in a line and the goals below it
)

// size is how much of the screen the card takes now.
func (p *Player) size() CardSize {
	switch {
	case p.Card != Natural:
		return p.Card
	case p.Run.Phase() == lesson.Doing && p.Run.Scene().Question != "" && !p.Screen.Compact() && p.room-min(p.rows, p.most(Beside)) < roomy:
		return Folded
	}
	return Beside
}

// roomy is the fewest rows of a view in which a target is seen well.
const roomy = 14

// New makes a player on a desk.
func New(d *control.Desk, o Options) *Player {
	p := &Player{Desk: d, Options: o}
	if o.Lessons == nil {
		p.Options.Lessons = func() ([]*lesson.Lesson, error) { return lesson.Builtin(), nil }
	}
	d.Feed.Sending = append(d.Feed.Sending, func(c state.Command) func(uint64) tea.Cmd {
		if _, ok := c.(state.Return); ok {
			p.progress = progress{List: p.List}
		}
		return nil
	})
	d.Losses = append(d.Losses, func() (lost, saved string) {
		if p.Playing && p.Run.At > 0 && !p.Run.Done() {
			return "the lesson is not done", ""
		}
		return "", ""
	})
	return p
}

// The names of bindings that come in rows, and of zones.
const (
	answerName = "lesson: answer "
	choiceZone = "choice:"
)

// Bindings implements control.Controller.
func (p *Player) Bindings() []control.Binding {
	on := func() bool { return p.Playing }
	scroll := func(by int) func() tea.Cmd { return func() tea.Cmd { return p.scrollBy(by) } }
	const scenes, moves = "lesson: next scene, previous scene", "lesson: scroll its card"
	all := control.In(control.Teaching, nil, []control.Binding{{
		Name: "lesson", Page: control.TenKeys, Keys: "g", Help: "choose a lesson", Hint: "lessons", Rank: 5, Do: p.pick,
		With: func(arg string) (func() tea.Cmd, error) {
			all, wrong := p.Options.Lessons()
			l, err := lesson.Find(all, arg)
			if err != nil && wrong != nil {
				err = fmt.Errorf("%s; %w", strings.ReplaceAll(wrong.Error(), "\n", "; "), err)
			}
			return func() tea.Cmd { return p.Start(l, all) }, err
		},
		Offer: func() []control.Choice {
			all, _ := p.Options.Lessons()
			return p.choices(all)
		},
	}})
	for i := range 9 {
		digit := strconv.Itoa(i + 1)
		all = append(all, control.Binding{
			Name: answerName + digit, Keys: digit, Help: "lesson: answer; pressed twice: show a view", Group: control.Teaching, HintNow: p.word(answerName + digit),
			When: func() bool {
				again := p.digits == digit && p.digit > 0 && p.digit+1 == p.Keys.Press
				return p.Playing && (p.Run.Phase() == lesson.Asking || !again)
			},
			Do: func() tea.Cmd { return p.answer(i) },
		})
	}
	some := []control.Binding{
		{Name: "lesson: next", Keys: "n", Help: scenes, Do: p.next},
		{Name: "lesson: back", Keys: "backspace", Help: scenes, Do: p.previous},
		{Name: "lesson: hint", Keys: "h", Help: "lesson: show a hint", Do: p.hint},
		{Name: "lesson: again", Keys: "u", Help: "lesson: begin the scene's session again", Do: func() tea.Cmd { return p.enter(p.Run.Again()) }},
		{Name: "lesson: card", Keys: "e", Help: "lesson: fold or unfold its card", Do: p.resize},
		{Name: "lesson: scroll down", Keys: "ctrl+d", Help: moves, Do: scroll(scrollRows)},
		{Name: "lesson: scroll up", Keys: "ctrl+u", Help: moves, Do: scroll(-scrollRows)},
		{Name: "lesson: leave", Keys: "esc", Help: "leave the lesson, keep the session", Do: p.leaveAtSecond},
	}
	for i := range some {
		some[i].HintNow = p.word(some[i].Name)
	}
	last := len(some) - 1
	some[last-2].At = func(h control.Hit) tea.Cmd { p.scroll = p.scrolled(-h.By); return nil }
	all = append(all, control.In(control.Teaching, on, some[:last])...)
	all = append(all, control.In("", func() bool { return p.Playing && p.unseen() > 0 }, []control.Binding{
		{Name: "lesson: page down", Keys: "pgdown", Do: scroll(scrollRows)},
		{Name: "lesson: page up", Keys: "pgup", Do: scroll(-scrollRows)},
	})...)
	uncovered := func() bool { return p.Playing && !p.Focus.Covered(p.Feed.Foreseen) }
	all = append(all, control.In(control.Teaching, uncovered, some[last:])...)
	stands := func() bool { return p.Playing && p.Holding && p.Run.Phase() == lesson.Asking }
	all = append(all, control.In("", stands, []control.Binding{
		{Name: "pause", Keys: "space", Do: p.answerFirst},
		{Name: "step", Keys: ".", Do: p.answerFirst},
	})...)
	return append(all, control.Binding{
		Name: "return", Do: p.forBefore,
		When: func() bool {
			return p.Playing && (p.Feed.Foreseen.CanReturn || p.Feed.Awaiting()) && !p.twice() && !p.Run.Done()
		},
	})
}

// pick opens the list of lessons.
func (p *Player) pick() tea.Cmd {
	all, err := p.Options.Lessons()
	c := dialog.NewChooser(p.Desk, "lesson", p.choices(all))
	if p.Playing {
		c.Select(p.Run.Lesson.Name)
	}
	p.Open(c)
	if err != nil {
		return p.Say(true, err.Error())
	}
	return nil
}

func (p *Player) choices(all []*lesson.Lesson) []control.Choice {
	return list.Map(all, func(l *lesson.Lesson) control.Choice {
		return control.Choice{
			Name: l.Name, Note: l.Title, Detail: []control.Paragraph{{Text: l.Caption, Rows: 2}},
			Take: func() tea.Cmd { return p.Start(l, all) },
		}
	})
}

// Update implements control.Controller.
func (p *Player) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		if p.Options.Begin != nil {
			p.begin(p.Options.Begin)
		}
		return nil, true
	case control.SnapshotMsg:
		return p.look(), true
	case control.FrameMsg:
		p.Focus.Asked = nil
		if p.Playing {
			p.shown, p.keys, p.Focus.Asked = p.card(), nil, p.Run.Scene().Reveal.Measured()
		}
		p.shows()
		return nil, true
	case control.CloseMsg:
		return p.close(msg.At), true
	case control.JoinMsg:
		return p.join(msg.At), true
	}
	return nil, false
}

// Slot implements control.Controller. On a screen too small for charts the card lies
// over all but the footer.
func (p *Player) Slot(room int) control.Slot {
	p.room = room
	switch {
	case !p.Playing || p.Screen.Compact() && p.size() == Folded:
		return control.Slot{}
	case p.Screen.Compact():
		return control.Slot{At: control.Over}
	}
	p.rows = p.shown.height(&p.Theme, p.Screen.Width)
	most := p.most(p.size())
	if p.size() == Beside {
		most = p.shown.filled(&p.Theme, p.Screen.Width, most)
	}
	rows := min(p.rows, most)
	if p.size() == Whole && p.room-rows < least {
		rows = p.room
	}
	return control.Slot{At: control.Below, Rows: rows}
}

// least is the fewest rows that a view keeps beside a card, if there are as many. The whole card
// leaves it as many or none.
const least = 7

// most is how many rows the card can have in a size, of those that it shares with the
// view.
func (p *Player) most(size CardSize) int {
	switch {
	case size == Folded && p.Screen.Compact():
		return 0
	case size == Folded:
		return p.shown.foldedRows(&p.Theme, p.Screen.Width)
	case size == Whole || p.Screen.Compact():
		return p.room
	}
	return min(max(p.Screen.Height/2, 3), max(p.room-least, 0))
}

// grows reports whether the card has more to say than fits beside the view, and can
// have more room.
func (p *Player) grows() bool {
	return p.size() == Beside && !p.Screen.Compact() && min(p.rows, p.most(Whole)) > p.most(Beside)
}

// bare reports whether the card has no room for an edge, so that its keys are the
// footer's.
func (p *Player) bare() bool {
	return !p.Screen.Compact() && (p.size() == Folded || p.most(p.size()) < 2)
}

// Draw implements control.Controller.
func (p *Player) Draw(g plane.Region, _ *pane.Frame) {
	k := &p.shown
	if p.size() == Folded {
		g.Zone(plane.Zone{ID: "lesson", Click: plane.Call("lesson: card")})
		k.drawFolded(g, &p.Theme)
		return
	}
	fit := control.Fit(p.hints(), g.W()-6, p.Theme.ASCII) // what an edge has room for
	k.keys = strings.Join(list.Map(fit, func(h control.Hint) string { return h.Text(p.Theme.ASCII) }), control.HintGap)
	g.Zone(plane.Zone{ID: "lesson", Wheel: plane.Call("lesson: scroll down")})
	k.draw(g, &p.Theme)
}

// card is the card of the scene at hand, without its keys.
func (p *Player) card() card {
	k := card{Card: p.Run.Card(), scroll: p.scroll}
	if hot, ok := strings.CutPrefix(p.Screen.Hot, choiceZone); ok {
		k.hot, _ = strconv.Atoi(hot) // as Draw wrote it
	}
	if p.waits > 0 {
		k.Picked = p.waits - 1
	}
	if c := p.Options.Class; c != nil && k.Phase == lesson.Revealed {
		k.Reveal = strings.TrimSpace(k.Reveal + "\n" + c.Outcome(p.place()))
	}
	if p.Run.Done() {
		k.Reveal = strings.TrimSpace(k.Reveal + "\n\n" + p.ending())
	}
	return k
}

// ending is what is said at the end of a lesson.
func (p *Player) ending() string {
	var b strings.Builder
	b.WriteString("That was the last scene")
	if !p.Run.Skipped() {
		b.WriteString(", well done")
	}
	b.WriteByte('.')
	if right, asked := p.Run.Score(); asked > 0 {
		fmt.Fprintf(&b, " You predicted %d of %d outcomes.", right, asked)
	}
	if l := p.following(); l != nil {
		fmt.Fprintf(&b, " Press %s for the next lesson, “%s”,", p.Keys.First("lesson: next"), l.Title)
	} else {
		fmt.Fprintf(&b, " It was the last lesson too: press %s for the list,", p.Keys.First("lesson"))
	}
	b.WriteString(" or play on with this session.")
	return b.String()
}

// hints are the keys of the scene at hand, the most important first. They are written
// once a frame.
func (p *Player) hints() []control.Hint {
	if p.keys == nil {
		p.keys = p.written()
	}
	return p.keys
}

func (p *Player) written() []control.Hint {
	var all []control.Hint
	add := func(name, does string) {
		all = append(all, control.Hint{Keys: []string{p.Keys.First(name)}, Does: does, Rank: len(all), Names: []string{name}})
	}
	switch k := &p.shown; {
	case p.Away:
		add("lesson: again", "again, on the lesson's target")
	case k.Phase == lesson.Asking:
		h := control.Hint{Does: "answer"}
		for i := range k.Choices {
			h.Keys, h.Names = append(h.Keys, strconv.Itoa(i+1)), append(h.Names, answerName+strconv.Itoa(i+1))
		}
		all = append(all, h)
	case p.Run.Done() && p.following() == nil:
		add("lesson", "lessons")
	case p.Run.Done():
		add("lesson: next", "next lesson")
	case k.Phase == lesson.Revealed:
		add("lesson: next", "next")
	case k.MoreHints > 0:
		add("lesson: hint", "hint")
		add("lesson: next", "skip")
	default:
		add("lesson: next", "skip")
	}
	size := "fold"
	switch {
	case p.size() == Folded:
		size = "the lesson's card"
	case p.grows():
		size = "whole card"
	}
	add("lesson: card", size)
	add("lesson: leave", "leave")
	if !p.Away {
		again := "again"
		if first := p.Run.Lesson.Begins(p.Run.At); first != p.Run.At {
			again = fmt.Sprintf("from scene %d", first+1)
		}
		add("lesson: again", again)
	}
	if p.Run.At > 0 {
		add("lesson: back", "back")
	}
	return all
}

// word is the word for the footer of one of the lesson's keys, and its rank: of those
// that answer, and of all where the card has no room for them.
func (p *Player) word(name string) func() (string, int) {
	return func() (string, int) {
		asking := p.Run.Phase() == lesson.Asking
		switch {
		case p.size() == Folded && p.Screen.Compact():
			return map[bool]string{true: "the lesson's card"}[name == "lesson: card"], 0
		case !(asking && strings.HasPrefix(name, answerName)) && !p.bare():
			return "", 0
		}
		for _, h := range p.hints() {
			if slices.Contains(h.Names, name) {
				return h.Does, h.Rank + 1
			}
		}
		return "", 0
	}
}

// begin makes a lesson of the session with which the program starts, that of its first
// scene, before the session runs.
func (p *Player) begin(l *lesson.Lesson) {
	list, _ := p.Options.Lessons()
	p.progress = progress{Playing: true, Run: lesson.Start(l), List: list, problem: p.Feed.Newest.Problem, Unset: true}
	if s := p.Run.Scene().Preset.Speed; s != nil {
		p.Feed.Order(state.SetSpeed{PerSecond: *s})
	}
	if p.Holding = p.Run.Phase() == lesson.Asking; p.Holding {
		p.Feed.Order(state.Pause{})
	}
	p.from = p.Feed.Sent
}
