// Package lesson plays a lesson on the screen.
//
// How it works. A lesson.Run is the progress of a lesson as a value: which scene is at hand,
// what it waits for, what its card says. It knows no screen. The Player holds one, and hands it
// what the user answers and what the session has come to.
//
// A scene is entered as Run.Enters says. One with a session of its own takes three steps. scene.open has its target
// opened beside the screen, sends the session and shows the card, and the first snapshot that knows of it sets the
// screen as the scene wants it. A scene without one sets the screen at once.
//
// While a question is open the session is paused, and keys that would run it say why
// not. scene.look gives every new snapshot of the lesson's session to Run.See, which tells
// whether the goal is reached. Snapshots of another target are none of the lesson's.
//
// An earlier scene that is read once more changes nothing: the session stays that of the scene
// Run.Live, or of one before it.
//
// The card stands below the view, in one of three sizes (stand.go). On a small screen it folds when a scene's question
// is answered, until something new is to be read. Each choice is a zone, so that a click answers.
package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
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

// A Player plays the lesson that is on, if one is.
type Player struct {
	*control.Desk
	Options Options
	Scene   scene
	stand   stand
}

// New makes a player on a desk.
func New(d *control.Desk, o Options) *Player {
	p := &Player{Desk: d, Options: o, Scene: scene{Desk: d}}
	s := &p.Scene
	s.options, p.stand.scene = &p.Options, s
	if o.Lessons == nil {
		p.Options.Lessons = func() ([]*lesson.Lesson, error) { return lesson.Builtin(), nil }
	}
	d.Feed.Sending = append(d.Feed.Sending, func(c state.Command) func(uint64) tea.Cmd {
		if _, ok := c.(state.Return); ok {
			s.progress = progress{List: s.List}
		}
		return nil
	})
	d.InLesson = func() (phase lesson.Phase, plays bool) {
		if s.Playing {
			phase = s.Run.Phase()
		}
		return phase, s.Playing
	}
	d.Losses = append(d.Losses, func() (lost, saved string) {
		if s.Playing && s.Run.At > 0 && !s.Run.Done() {
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

func (p *Player) Bindings() []control.Binding {
	s := &p.Scene
	on := func() bool { return s.Playing }
	scroll := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			if !p.stand.scrollBy(by) {
				return p.Say(false, "the card ends here")
			}
			return nil
		}
	}
	const scenes, moves = "lesson: next scene, previous scene", "lesson: scroll its card"
	all := control.In(control.Teaching, nil, []control.Binding{{
		Name: "lesson", Page: control.TenKeys, Keys: "g", Help: "choose a lesson", Hint: "lessons", Rank: 5, Do: p.open,
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
			Name:    answerName + digit,
			Keys:    digit,
			Help:    "lesson: answer; pressed twice: show a view",
			Group:   control.Teaching,
			HintNow: p.word(answerName + digit),
			When:    func() bool { return s.Playing && (s.Run.Phase() == lesson.Asking || !s.twice(digit)) },
			Do:      func() tea.Cmd { return p.answer(i) },
		})
	}
	some := []control.Binding{
		{Name: "lesson: next", Keys: "n", Help: scenes, Do: p.next},
		{Name: "lesson: back", Keys: "backspace", Help: scenes, Do: func() tea.Cmd {
			r, ok := s.Run.Back()
			if !ok {
				return p.Say(false, "this is the lesson's first scene")
			}
			return s.enter(r, s.Run)
		}},
		{Name: "lesson: hint", Keys: "h", Help: "lesson: show a hint", Do: p.hint},
		{Name: "lesson: again", Keys: "u", Help: "lesson: begin the scene's session again", Do: func() tea.Cmd {
			return s.enter(s.Run.Again(), lesson.Run{})
		}},
		{Name: "lesson: card", Keys: "e", Help: "lesson: fold or unfold its card",
			Do: func() tea.Cmd { p.stand.resize(); return nil }},
		{Name: "lesson: scroll down", Keys: "ctrl+d", Help: moves, Do: scroll(scrollRows)},
		{Name: "lesson: scroll up", Keys: "ctrl+u", Help: moves, Do: scroll(-scrollRows)},
		{Name: "lesson: leave", Keys: "esc", Help: "leave the lesson, keep the session", Do: p.leave},
	}
	for i := range some {
		some[i].HintNow = p.word(some[i].Name)
	}
	last := len(some) - 1
	some[last-2].At = func(h control.Hit) tea.Cmd { p.stand.scrollBy(-h.By); return nil }
	all = append(all, control.In(control.Teaching, on, some[:last])...)
	all = append(all, control.In("", func() bool { return s.Playing && p.stand.unseen() > 0 }, []control.Binding{
		{Name: "lesson: page down", Keys: "pgdown", Do: scroll(scrollRows)},
		{Name: "lesson: page up", Keys: "pgup", Do: scroll(-scrollRows)},
	})...)
	uncovered := func() bool { return s.Playing && !p.Focus.Covered(p.Feed.Foreseen) }
	all = append(all, control.In(control.Teaching, uncovered, some[last:])...)
	stands := func() bool { return s.Playing && s.Holding && s.Run.Phase() == lesson.Asking }
	answerFirst := func() tea.Cmd { return p.Say(false, "the session waits for your answer: "+answers(s.Run)) }
	return append(all, control.In("", stands, []control.Binding{
		{Name: "pause", Keys: "space", Do: answerFirst},
		{Name: "step", Keys: ".", Do: answerFirst},
	})...)
}

// Start begins one of a list of lessons in place of the session at hand.
func (p *Player) Start(l *lesson.Lesson, list []*lesson.Lesson) tea.Cmd {
	p.Scene.List = list
	return p.Scene.enter(lesson.Start(l), lesson.Run{})
}

func (p *Player) open() tea.Cmd {
	if p.Scene.Playing {
		return p.pick(p.Scene.Run.Lesson.Name)
	}
	return p.pick("")
}

// pick opens the list of lessons at the one of a name.
func (p *Player) pick(name string) tea.Cmd {
	all, err := p.Options.Lessons()
	c := dialog.NewChooser(p.Desk, "lesson", p.choices(all))
	c.Select(name)
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
			Take: func() tea.Cmd {
				s := &p.Scene
				lost, _ := p.Losses.All()
				if lost != nil && p.Options.Class == nil && !s.Playing && !s.twice(l.Name) {
					return tea.Batch(p.pick(l.Name), s.once(l.Name, fmt.Sprintf("%s; %s again begins the lesson, %s goes back",
						strings.Join(lost, ", "), p.Keys.First("list: take"), p.Keys.First("history"))))
				}
				return p.Start(l, all)
			},
		}
	})
}

func (p *Player) Update(msg tea.Msg) (tea.Cmd, bool) {
	s := &p.Scene
	switch msg := msg.(type) {
	case control.BeginMsg:
		if p.Options.Begin != nil {
			s.adopt(p.Options.Begin)
		}
		return nil, true
	case control.SnapshotMsg:
		return s.look(), true
	case control.FrameMsg:
		p.Focus.Asked = nil
		if s.Playing {
			p.stand.shown, p.Focus.Asked = p.card(), s.Run.Scene().Reveal.Measured()
		}
		if c := p.Options.Class; c != nil {
			c.Shows(s.at())
		}
		return nil, true
	case control.CloseMsg:
		return s.close(msg.At), true
	case control.JoinMsg:
		return s.join(msg.At), true
	}
	return nil, false
}

func (p *Player) Slot(room int) (at control.Slot) {
	if at = p.stand.slot(room); p.Scene.Playing {
		p.stand.keys = p.hints()
	}
	return at
}

func (p *Player) Draw(g plane.Region, _ *pane.Frame) {
	k := &p.stand.shown
	if p.stand.size() == Folded {
		g.Zone(plane.Zone{ID: "lesson", Click: plane.Call("lesson: card")})
		k.drawFolded(g, &p.Theme)
		return
	}
	fit := control.Fit(p.stand.keys, g.W()-6, p.Theme.ASCII) // what an edge has room for
	k.keys = strings.Join(list.Map(fit, func(h control.Hint) string { return h.Text(p.Theme.ASCII) }), control.HintGap)
	g.Zone(plane.Zone{ID: "lesson", Wheel: plane.Call("lesson: scroll down")})
	k.draw(g, &p.Theme)
}

// card is the card of the scene at hand, without its keys.
func (p *Player) card() card {
	s := &p.Scene
	k := card{Card: s.Run.Card(), scroll: s.scroll}
	if hot, ok := strings.CutPrefix(p.Screen.Hot, choiceZone); ok {
		k.hot, _ = strconv.Atoi(hot) // as Draw wrote it
	}
	if s.waits > 0 {
		k.Picked = s.waits - 1
	}
	if c := p.Options.Class; c != nil && k.Phase == lesson.Revealed {
		k.Reveal = strings.TrimSpace(k.Reveal + "\n" + c.Outcome(s.at()))
	}
	if s.Run.Done() {
		ending := "That was the last scene" + map[bool]string{false: ", well done"}[s.Run.Skipped()] + "."
		if right, asked := s.Run.Score(); asked > 0 {
			ending += fmt.Sprintf(" You predicted %d of %d outcomes.", right, asked)
		}
		next := fmt.Sprintf("It was the last lesson too: press %s for the list", p.Keys.First("lesson"))
		if l := s.following(); l != nil {
			next = fmt.Sprintf("Press %s for the next lesson, “%s”", p.Keys.First("lesson: next"), l.Title)
		}
		k.Reveal = strings.TrimSpace(k.Reveal + "\n\n" + ending + " " + next + ", or play on with this session.")
	}
	return k
}

// hints are the keys of the scene at hand, the most important first.
func (p *Player) hints() (all []control.Hint) {
	add := func(name, does string) {
		all = append(all, control.Hint{Keys: []string{p.Keys.First(name)}, Does: does, Rank: len(all),
			Names: []string{name}})
	}
	s := &p.Scene
	switch k := &p.stand.shown; {
	case s.Away:
		add("lesson: again", "again, on the lesson's target")
	case k.Phase == lesson.Asking:
		h := control.Hint{Does: "answer"}
		for i := range k.Choices {
			h.Keys, h.Names = append(h.Keys, strconv.Itoa(i+1)), append(h.Names, answerName+strconv.Itoa(i+1))
		}
		all = append(all, h)
	case s.Run.Done() && s.following() == nil:
		add("lesson", "lessons")
	case s.Run.Done():
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
	case p.stand.size() == Folded:
		size = "the lesson's card"
	case p.stand.grows():
		size = "whole card"
	}
	add("lesson: card", size)
	add("lesson: leave", "leave")
	if !s.Away {
		again := "again"
		if first := s.Run.Lesson.Begins(s.Run.At); first != s.Run.At {
			again = fmt.Sprintf("from scene %d", first+1)
		}
		add("lesson: again", again)
	}
	if s.Run.At > 0 {
		add("lesson: back", "back")
	}
	return all
}

// word is the word for the footer of one of the lesson's keys, and its rank: of those
// that answer, and of all where the card has no room for them.
func (p *Player) word(name string) func() (string, int) {
	return func() (string, int) {
		asking := p.Scene.Run.Phase() == lesson.Asking
		switch {
		case p.stand.size() == Folded && p.Screen.Compact():
			return map[bool]string{true: "the lesson's card"}[name == "lesson: card"], 0
		case !(asking && strings.HasPrefix(name, answerName)) && !p.stand.bare():
			return "", 0
		}
		for _, h := range p.stand.keys {
			if slices.Contains(h.Names, name) {
				return h.Does, h.Rank + 1
			}
		}
		return "", 0
	}
}
